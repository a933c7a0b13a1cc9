"""People's sheets go out without the key, come back in any spreadsheet's CSV, and say what arithmetic says."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.questions.__main__ import main
from derive.questions.agreement import agreement, fleiss
from derive.questions.pack import Pack
from derive.questions.probe import Probed
from derive.questions.sheet import ASKED, CRITERIA, MARK, Sheet, drawn, sheet
from kg.item import Item
from kg.language import Language
from kg.store import jsonl

Fill = Callable[[str, Sequence[Mapping[str, str]]], Path]


def item(number: int, level: int = 1, answer: str = "A") -> Item:
    hop = {"says": "=1+1 is a kind of b.", "quote": "b such as a", "book": "b", "page": 3}
    return Item(
        id=f"i{number}",
        question=f"Which {number}?",
        options={"A": "-one", "B": "two", "C": "three", "D": "four"},
        answer=tuple(answer),
        level=level,
        origin={"hops": [hop]},
    )


ITEMS = {f"i{number}": item(number, level=1 + number % 2) for number in range(8)}


@pytest.fixture
def pack(languages: Mapping[str, Language]) -> Pack:
    return languages["en"].part("questions", Pack)


@pytest.fixture
def fill(pack: Pack, tmp_path: Path) -> Fill:
    """Writes a sheet as a person would fill it in: row by row, column -> cell."""
    (tmp_path / "items.jsonl").write_bytes(jsonl(ITEMS.values()))

    def write(name: str, cells: Sequence[Mapping[str, str]]) -> Path:
        rows = list(csv.reader(StringIO(sheet(list(ITEMS.values()), pack).decode("utf-8-sig"))))
        for row, filled in zip(rows[1:], cells, strict=False):
            for column, cell in filled.items():
                row[rows[0].index(pack.sheet[column])] = cell
        text = StringIO()
        csv.writer(text).writerows(rows)
        path = tmp_path / name
        path.write_text(MARK + text.getvalue(), encoding="utf-8")
        return path

    return write


def test_the_sheet_hides_the_key_and_no_cell_is_a_formula(pack: Pack) -> None:
    rows = list(csv.reader(StringIO(sheet([item(1), item(2)], pack).decode("utf-8-sig"))))
    assert len(rows) == 3 and len({len(row) for row in rows}) == 1
    assert rows[1][2] == "'-one" and "b such as a — b, 4" in rows[1][6]
    assert all(cell == "" for cell in rows[1][-len(ASKED) :])


def test_the_draw_takes_the_levels_in_turn_and_shows_no_order(pack: Pack) -> None:
    items = [item(number, level=1 if number < 20 else 2) for number in range(25)]
    some = drawn(items, 10, seed=0)
    assert sorted(one.level for one in some) == [1] * 5 + [2] * 5
    assert [one.id for one in some] != [one.id for one in drawn(items, 10, seed=1)]
    assert [one.level for one in some] != sorted(one.level for one in some)


def test_sheets_are_read_back_and_the_command_shows_their_figures(
    fill: Fill, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    yes = {name: "y" for name in CRITERIA}
    one = fill("ann.csv", [{**yes, "chosen": "a"} for _ in ITEMS])
    two = fill("bob.csv", [{**yes, "grammar": "No", "chosen": "B", "comment": "odd"}, *({**yes, "chosen": "A"},) * 7])
    rows = [Probed(id=name, level=1, entropy=1.0 if name == "i0" else 0.1) for name in ITEMS]
    (tmp_path / "probe.jsonl").write_bytes(jsonl(rows))
    assert main([str(tmp_path), str(one), str(two), f"out={tmp_path / 'said.json'}"]) == 0
    found = json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))
    grammar = found["criteria"]["grammar"]
    assert (grammar["judged"], grammar["flagged_per_100"], grammar["agreement"]) == (16, 6.25, 0.875)
    assert grammar["kappa"] == pytest.approx(-0.0667, abs=1e-4) and found["criteria"]["topic"]["kappa"] is None
    assert found["accuracy"]["1"]["value"] == pytest.approx(7 / 8) and found["accuracy"]["2"]["value"] == 1
    assert found["error_and_entropy"]["value"] == pytest.approx(1)
    (levels,) = found["differences"]
    assert levels["levels"] == [1, 2] and levels["cliff"] < 0 and levels["hedges"] < 0 and 0 < levels["welch"] <= 1
    said = capsys.readouterr().out
    assert "8 items, 2 people: ann, bob" in said and "level 1: 87.5% right" in said


@pytest.mark.parametrize(
    ("column", "cell", "says"),
    [("grammar", "perhaps", "cannot read 'perhaps'"), ("chosen", "AX", "no option 'X'")],
)
def test_what_cannot_be_read_is_one_line_with_its_row(
    fill: Fill, tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str, cell: str, says: str
) -> None:
    assert main([str(tmp_path), str(fill("ann.csv", [{}, {column: cell}]))]) == 2
    said = capsys.readouterr().err
    assert says in said and "row 3" in said and len(said.strip().splitlines()) == 1


def test_what_is_no_sheet_or_no_question_set_is_one_line(
    fill: Fill, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = fill("ann.csv", [])
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"\xff\xfe\x00")
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    unknown = tmp_path / "unknown.csv"
    unknown.write_text("id,grammar\nnobody,y\n", encoding="utf-8")
    for path in (bad, other, unknown, tmp_path / "missing.csv"):
        assert main([str(tmp_path), str(path)]) == 2
    assert main([str(tmp_path / "nowhere"), str(good)]) == 2 and main([]) == 2 and main(["--help", "x"]) == 0
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 5 and "no item 'nobody'" in said[2] and "is no question set" in said[4]


def test_an_empty_sheet_says_nothing(fill: Fill, tmp_path: Path) -> None:
    assert main([str(tmp_path), str(fill("ann.csv", [])), f"out={tmp_path / 'said.json'}"]) == 0
    found = json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))
    assert found["items"] == 0 and found["accuracy"] == {} and found["differences"] == []


def test_kappa_of_a_known_table() -> None:
    # two people, ten items: both yes 4, both no 3, apart 3: observed .7, chance .505
    rows = [(True, True)] * 4 + [(False, False)] * 3 + [(True, False)] * 3
    assert fleiss(rows) == pytest.approx((0.7 - 0.505) / 0.495, abs=1e-4)
    assert fleiss([(True,)]) is None and fleiss([]) is None


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_kappa_is_one_only_where_all_agree(rows: list[tuple[bool, bool, bool]]) -> None:
    kappa = fleiss(rows)
    if kappa is not None:
        assert -0.5001 <= kappa <= 1 and (kappa == 1) == all(len(set(row)) == 1 for row in rows)


def test_levels_that_differ_are_told_apart() -> None:
    chosen = {name: one.answer if one.level == 1 else ("B",) for name, one in ITEMS.items()}
    people = [Sheet(rater="x", flags={name: {} for name in CRITERIA}, chosen={**chosen, "i1": ("A",)}, comments={})]
    (found,) = agreement(people, ITEMS, []).differences
    assert found.cliff == 0.75 and found.hedges is not None and found.hedges > 1
    assert found.welch is not None and found.welch < 0.1
