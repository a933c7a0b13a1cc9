"""Definitions, texts, questions and accuracies of a small course."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from derive.material import Material
from derive.rubric import RuleRater
from derive.taxonomy.accuracy import Scores, branches, gaps, mean_below, pairs, read_answers
from derive.taxonomy.checks import RuleReader, checked
from derive.taxonomy.corpus import clean, is_list, read_texts
from derive.taxonomy.definitions import RULES, RubricCritic, Rules, RuleWriter, Thing, Things, complete, sheet
from derive.taxonomy.golden import ModelGolden
from derive.taxonomy.pack import Pack
from derive.taxonomy.questions import Drawer
from derive.taxonomy.tree import KINDS, TOP, Kind, Tree, grow
from kg.errors import InputError
from kg.graph import Graph
from kg.item import Item
from kg.language import Language


@pytest.fixture
def material(workshop: Graph, make_material: Any) -> Material:
    return make_material(workshop, "en")  # type: ignore[no-any-return]


@pytest.fixture
def trees(material: Material) -> dict[Kind, Tree]:
    return {kind: grow(material, kind) for kind in KINDS}


@pytest.fixture
def pack(material: Material) -> Pack:
    return material.language.part("taxonomy", Pack)


def thing(name: str, stated: str, *quotes: str) -> Thing:
    return Thing(name, name, "Concept", (name,), False, stated, (), (), quotes)


def defined(material: Material, one: Thing) -> str:
    """The definition that the rules leave of what is stated."""
    pack = material.language.part("taxonomy", Pack)
    critic = RubricCritic(RuleRater(RULES, Rules(material, pack, [one]).by_name()))
    return complete([one], RuleWriter(material, pack), critic, critic, 5)[0].definition


@pytest.mark.parametrize(
    ("name", "stated", "left"),
    [
        ("force", "a push or a pull on a thing", "a push or a pull on a thing"),
        ("force", "a push or a pull; a greater force pulls more", "a push or a pull"),
        ("force", "Force is a push or a pull on a thing", "a push or a pull on a thing"),
        ("force", "a push or pull is called force", "a push or pull"),
        ("deposition", "Depositiongas to solid", ""),
        ("graph", "as shown in figure 3, the line that goes up", ""),
        ("graph", "line", ""),
    ],
)
def test_a_definition_stands_without_its_name_or_not_at_all(
    material: Material, name: str, stated: str, left: str
) -> None:
    assert defined(material, thing(name, stated)) == left


def test_a_chinese_definition_loses_the_name_it_gives(
    workshop: Graph, make_material: Any, languages: Mapping[str, Language]
) -> None:
    material = make_material(workshop, "zh")
    assert defined(material, thing("正数", "大于0的数叫做正数。有时也加上加号。")) == "大于0的数"
    assert defined(material, thing("原点", "数轴上表示零的点")) == "数轴上表示零的点"


def test_what_the_book_says_elsewhere_is_tried_when_the_definition_fails(material: Material) -> None:
    one = thing("force", "force", "A force is a push or a pull on a thing.")
    assert defined(material, one) == "a push or a pull on a thing."


def test_a_place_is_defined_by_what_belongs_to_it(material: Material, trees: dict[Kind, Tree], pack: Pack) -> None:
    things = Things(material, list(trees.values()))
    text = RuleWriter(material, pack)._composed(things.of("s01"))
    assert "axe" in text and "saw" in text and "Cutting" not in text


def test_the_sheet_hides_which_definition_is_whose(material: Material, pack: Pack) -> None:
    things = [thing(f"name{n}", f"name{n} is a sort of thing number {n}") for n in range(20)]
    critic = RubricCritic(RuleRater(RULES, Rules(material, pack, things).by_name()))
    rows = sheet(complete(things, RuleWriter(material, pack), critic, critic, 5), 0)
    assert len(rows) == 20 and {row.a_is for row in rows} == {"book", "completed"}
    assert rows == sheet(complete(things, RuleWriter(material, pack), critic, critic, 5), 0)


def test_cleaning_keeps_sentences_and_formulas() -> None:
    text = "Light [3] moves at $c=3$.<ref>Him</ref>\n| a | b |\n![x](y.png) See [this](http://x).<!-- no -->{{box}}"
    assert clean(text).split() == ["Light", "moves", "at", "$c=3$.", "See", "this."]


def test_lists_are_no_texts() -> None:
    assert is_list("one\ntwo\nthree\nfour\n" + "x" * 60)
    assert not is_list("one\n" + "x" * 60 + "\ntwo\n" + "y" * 60)


def test_what_is_left_out_of_a_corpus_is_counted(tmp_path: Path, pack: Pack) -> None:
    long = "A sentence that is long enough to be no list of any kind."
    rows = [{"title": "File:a.png", "text": long}, {"text": long}, {"text": long}, {"no": 1}, {"question": "Why so?"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\nbroken {\n")
    (tmp_path / "b.md").write_text(f"{long} Two.\n\n{long} Three.\n")
    texts, left_out = read_texts(tmp_path, pack)
    assert texts == [long, "Why so?", f"{long} Two.", f"{long} Three."]
    assert left_out == {"no text": 1, "not json": 1, "title": 1, "twice": 1}
    with pytest.raises(InputError, match="no such file"):
        read_texts(tmp_path / "none", pack)


def test_no_wrong_statement_is_in_the_graph(material: Material, trees: dict[Kind, Tree], pack: Pack) -> None:
    things = Things(material, list(trees.values())).all()
    drawn = Drawer(material, pack, trees, {one.id: one.stated for one in things if one.stated}).all(things)
    assert {one.kind for one in drawn} >= {"name_of", "meaning_of", "taxonomy_of"}
    assert len({one.key for one in drawn}) == len(drawn)
    said = {one.right.text for one in drawn}
    for one in drawn:
        assert len(one.wrong) >= 3 and one.right.text not in {option.text for option in one.wrong}
        if one.related:
            assert not said & {option.text for option in one.wrong}


def item(key: str, node: str, answer: str = "A", **more: Any) -> Item:
    options = more.pop("options", {"A": "saw", "B": "glue"})
    return Item(id=key, question=more.pop("question", "Which one cuts?"), options=options, answer=(answer,), query=node)


def test_every_check_has_its_reason(material: Material, pack: Pack) -> None:
    items = [
        item("fine", "axe"),
        item("silent", "axe", options={"A": "qq", "B": "zz"}),
        item("other", "axe", "B"),
        item("strange", "moon"),
        item("same", "axe", options={"A": "saw", "B": "Saw"}),
        item("keyless", "axe", "D"),
        item("needs", "axe", question="What does the passage say of it?"),
    ]
    shown = dict.fromkeys((one.id for one in items), "a saw cuts")
    kept, reasons = checked(items, shown, RuleReader(material), pack, {"axe"})
    assert [one.id for one in kept] == ["fine"]
    assert reasons == {
        "silent": "open_book_silent",
        "other": "open_book_other_answer",
        "strange": "not_topical",
        "same": "options_not_distinct",
        "keyless": "no_clear_key",
        "needs": "not_self_contained",
    }


def test_accuracies_roll_up_and_small_branches_count_for_their_parent(
    material: Material, trees: dict[Kind, Tree]
) -> None:
    items = [item(f"{node}{n}", node) for node in ("oak", "saw", "chair") for n in range(12)] + [item("x", "moon")]
    answers = {"m": {one.id: "B" if one.query == "oak" else "A" for one in items}}
    scores = Scores(trees["structure"], items, answers)
    assert scores.outside == 1
    rows = {row.node: row for row in branches(scores, material, 13)}
    assert set(rows) == {TOP, "b1", "c0"}
    assert (rows["c0"].right, rows["c0"].accuracy.n, rows["b1"].right) == (12, 24, 24)
    found = {gap.node: gap for gap in gaps(scores, material, 12)}
    assert found["s00"].gap == -1.0 and found["s00"].holm < 0.001
    assert found["s00"].holm >= found["s00"].p


def test_models_that_know_the_same_branches_correlate(trees: dict[Kind, Tree]) -> None:
    items = [item(f"{node}{n}", node) for node in ("oak", "saw", "chair", "nail") for n in range(10)]
    knows = {"oak": 9, "saw": 6, "chair": 3, "nail": 1}
    good = {one.id: "A" if int(one.id[-1]) < knows[one.query] else "B" for one in items}
    bad = {key: "B" if letter == "A" else "A" for key, letter in good.items()}
    scores = Scores(trees["structure"], items, {"a": good, "b": good, "c": bad})
    found = {(row.one, row.other): row.pearson.value for row in pairs(scores, 5, {})}
    assert found["a", "b"] == pytest.approx(1) and found["a", "c"] == pytest.approx(-1)


def test_a_branch_has_the_mean_of_its_things(trees: dict[Kind, Tree]) -> None:
    means = mean_below(trees["structure"], {"oak": 1.0, "saw": 3.0, "chair": 8.0})
    assert (means["s00"], means["c0"], means["b1"]) == (1.0, 2.0, 4.0)


def test_answers_are_read_from_letters_answers_and_replies(tmp_path: Path) -> None:
    items = [item(name, "axe") for name in ("a", "b", "c", "d", "e")]
    rows = [
        *({"id": "a", "letters": ["B"]}, {"id": "b", "answer": "A"}, {"id": "c", "raw": "I think so.\nAnswer: B"}),
        *({"id": "d", "letters": [], "failure": "timeout"}, {"id": "e", "raw": "no idea"}, {"id": "z", "answer": "A"}),
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\nnot json\n")
    assert read_answers(file, items) == {"a": "B", "b": "A", "c": "B", "e": ""}
    with pytest.raises(InputError, match="no line answers"):
        read_answers(file, [item("q", "axe")])


def tied(workshop: Graph) -> Graph:
    """A table is made of planks and stands on the floor: two parents as deep as each other."""
    edge = next(edge for edge in workshop.edges if edge.type == "is_a")
    more = edge.model_copy(update={"source": "table", "target": "tool"})
    return Graph(nodes=workshop.nodes, edges=(*workshop.edges, more))


def test_of_equal_parents_the_one_taught_in_the_same_section_stays(workshop: Graph, make_material: Any) -> None:
    tree = grow(make_material(tied(workshop), "en"), "concepts")
    assert tree.above["table"] == "furniture"
    assert [(link.to, link.why) for link in tree.links["table"]] == [("tool", "tie")]


@pytest.mark.parametrize(
    ("reply", "parent", "unread"),
    [("2", "tool", 0), ("7", "furniture", 1), ("both", "furniture", 1), (None, "furniture", 1)],
)
def test_a_model_may_choose_the_other_parent_and_no_third_one(
    workshop: Graph, make_material: Any, reply: str | None, parent: str, unread: int
) -> None:
    material = make_material(tied(workshop), "en")
    golden = ModelGolden(lambda many: [reply] * len(many), material)
    assert grow(material, "concepts", golden=golden).above["table"] == parent
    assert golden.unread == unread
