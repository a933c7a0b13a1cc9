"""Answers are typed for what they are, and compared as what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.paths.pack import Pack
from derive.paths.value import Value, Values, normal
from kg.language import Language, load
from kg.stage import ROOT

UNITS = yaml.safe_load((ROOT / "conf/derive/paths.yaml").read_text(encoding="utf-8"))["units"]
PACKS = {code: one.part("paths", Pack) for code, one in load(ROOT / "conf" / "language").items()}
EN, ZH = (Values(PACKS[code], UNITS, 0.01) for code in ("en", "zh"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("kinetic energy", "entity"),
        ("1200", "number"),
        ("-27", "number"),
        ("7/9", "number"),
        ("2.9 m/s", "number"),
        ("9.80 m/s²", "number"),
        ("3.00 × 10⁸ m/s", "number"),
        ("126°43′", "number"),
        ("1,000 N", "number"),
        ("March", "entity"),
        ("Sunday", "entity"),
        ("10-12", "entity"),
        ("March 3, 1999", "date"),
        ("1999-03-14", "date"),
        ("14th March 1879", "date"),
        ("v = v₀ + at", "expression"),
        ("vavg = distance/time", "expression"),
        ("β (dB) = 10 log₁₀(I/I₀)", "expression"),
        ("True", "choice"),
        ("yes.", "choice"),
        ("3 apples are left", "entity"),
    ],
)
def test_an_answer_is_typed(text: str, kind: str) -> None:
    assert EN.read(text).kind == kind


def test_a_lone_letter_is_a_choice_only_where_there_are_choices() -> None:
    assert EN.read("B", choices=True).kind == "choice" and EN.read("B").kind == "entity"


def test_chinese_values_are_read_too() -> None:
    assert ZH.read("1949年10月1日").date == (1949, 10, 1) and ZH.read("45度").dimension == (("degree", 1),)
    assert ZH.same(ZH.read("5千米"), ZH.read("5000 m")) and ZH.read("对").kind == "choice"
    assert ZH.same(ZH.read("对"), ZH.read("正确")) and not ZH.same(ZH.read("对"), ZH.read("错"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2 km", "2000 m", True),
        ("36 km/h", "10 m/s", True),
        ("5 N", "5 kg⋅m/s²", True),
        ("5 N", "5 J", False),
        ("12", "12 m", True),
        ("12.05 m", "12 m", True),
        ("12.5 m", "12 m", False),
        ("1.93 × 10¹⁴", "1.93e14", True),
        ("0.5", "1/2", True),
        ("40 percent", "40%", True),
        ("meters per second", "m/s", False),
        ("2001-05-03", "May 3, 2001", True),
        ("May 2001", "May 3, 2001", True),
        ("April 2001", "May 3, 2001", False),
        ("yes", "true", True),
        ("F = ma", "ma=F", True),
        ("v² = 2 a s", "v^2=2as", True),
        ("F = ma", "F = mv", False),
    ],
)
def test_values_are_the_same_whatever_they_are_written_in(one: str, other: str, same: bool) -> None:
    assert EN.same(EN.read(one), EN.read(other)) is same is EN.same(EN.read(other), EN.read(one))


@pytest.mark.parametrize(
    ("solution", "result"),
    [
        ("vavg = Δd/Δt = (304 m)/(180 s) = 1.7 m/s north", "1.7 m/s"),
        ("W = (1/2)50(12² − 8²) = 2, 000 J", "2, 000 J"),
        ("Eff = W/Qh = 0.408, or 40.8%", "0.408"),
        ("= (1.50 m) (250 N)sin(π/2) .\n= 375 N ⋅ m", "375 N ⋅ m"),
        ("β (dB) = 10 log₁₀(I/I₀)", None),
        ("it is 0.80°R/(°C) × 25 °C = 20°R", None),
        ("the force is greater", None),
        ("1.7 m/s", None),
    ],
)
def test_a_worked_solution_comes_to_its_last_number(solution: str, result: str | None) -> None:
    found = EN.result(solution)
    assert (found.text if found else None) == result


def test_every_number_of_a_sentence_is_found_once() -> None:
    found = EN.quantities("The 5.0 kg block moves 3 m in 1.5 s; v₁ and x2 are names.")
    assert [(one.text, one.number) for one in found] == [("5.0 kg", 5.0), ("3 m", 3.0), ("1.5 s", 1.5)]


@given(st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-3), st.sampled_from(["m", "N", "J", "kg/m", "m/s²"]))
@settings(max_examples=60)
def test_a_number_survives_being_written_with_a_prefix(number: float, unit: str) -> None:
    plain = EN.read(f"{number:.6f} {unit}")
    prefixed = EN.read(f"{number / 1000:.9f} k{unit}") if not unit.startswith("k") else plain
    assert plain.kind == "number" and EN.same(plain, prefixed)


@given(st.text(max_size=60))
@settings(max_examples=150)
def test_any_text_is_something_and_is_like_itself(text: str) -> None:
    found = EN.read(text)
    assert isinstance(found, Value) and EN.same(found, found)
    assert normal(normal(text)) is not None and all(one.number is not None for one in EN.quantities(text))


def test_every_pack_says_every_relation_of_the_schema(languages: Mapping[str, Language]) -> None:
    schema = yaml.safe_load((ROOT / "conf/schema/k12.yaml").read_text(encoding="utf-8"))
    roles = {kind["role"] for kind in schema["edges"].values()}
    say: Callable[[str], Pack] = lambda code: languages[code].part("paths", Pack)  # noqa: E731
    for code in languages:
        pack = say(code)
        assert roles == set(pack.relations), code
        assert {cue.rstrip("<>") for cue in pack.cues} <= roles | set(pack.literals), code
        assert pack.page.keys() == say("en").page.keys(), code
