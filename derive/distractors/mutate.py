"""Wrong numbers and formulas from right ones, each by a slip that people make and that has a name.

In: the text of the right answer, the question, units that are confused. Out: `Slip`s. No two say the same as the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from kg.text import fold, one_line

Kind = Literal["number", "expression", "entity"]
_NUMBER = r"[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_POWER = r"(?:\s*[×x·]\s*10\s*\^?\s*\{?[-−+]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+\}?)?"
_QUANTITY = re.compile(
    rf"(?P<before>[^\w\s]?\s?)(?P<number>{_NUMBER})(?P<power>{_POWER})(?P<unit>\s*[^\d+=<>−×÷*√]{{0,20}}?\d?)\s*\.?"
)
_IN_TEXT = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w]|\.\d)")
_WORD = re.compile(r"[^\W\d_]{4,}")
_FUNCTIONS = re.compile(
    r"\\?(?:sin|cos|tan|log|ln|sqrt|frac|lim|exp|text|times|cdot|delta|theta|omega|alpha|beta|lambda|pi)"
)
_MATH = re.compile(r"[=+−×÷/^√²³·<>≤≥*]|(?<=[\w)])-(?=[\w(])|\\frac|\\sqrt")
_CHANGES: tuple[tuple[str, str, str], ...] = (
    ("sign", r"\+", "−"),
    ("sign", r"(?<=[\w)²³])\s?[−-]\s?(?=[\w(])", " + "),
    ("operation", r"×|·|\*|\\times|\\cdot", "/"),
    ("operation", r"÷|/", " × "),
    ("power", r"\^\{?2\}?", "^3"),
    ("power", r"\^\{?3\}?", "^2"),
    ("power", "²", "³"),
    ("power", "³", "²"),
    ("power", r"\^\{?2\}?|²", ""),
    ("root", r"√|\\sqrt", ""),
    ("function", r"sin", "cos"),
    ("function", r"cos", "sin"),
    ("factor", r"\\frac\{1\}\{2\}|1/2|½", ""),
    ("relation", r"<", ">"),
    ("relation", r">", "<"),
    ("relation", r"≤", "≥"),
    ("relation", r"≥", "≤"),
)
"""Kind of slip, pattern, what stands there afterwards."""
_ALIKE = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/"})
_FRACTION = re.compile(r"(?P<above>[\w²³]+|\([^()]*\))\s*(?P<sign>[/÷−-])\s*(?P<below>[\w²³]+|\([^()]*\))")


@dataclass(frozen=True)
class Slip:
    """A wrong answer and the slip that leads to it."""

    text: str
    kind: str
    """`sign`, `factor_10`, `factor_2`, `off_by_one`, `digits`, `unit`, `given`, `swapped`, `operation` …"""


def kind_of(text: str) -> Kind:
    """What the text is: a number with or without a unit, a formula, or something that has a name."""
    bare = one_line(text)
    if _QUANTITY.fullmatch(bare) and not _WORD.search(_QUANTITY.sub(r"\g<unit>", bare).replace("meters", "")):
        return "number"
    plain = _FUNCTIONS.sub("", bare)
    return "expression" if _MATH.search(bare) and not _WORD.search(plain) else "entity"


def slips(text: str, question: str, confused: Sequence[Sequence[str]] = ()) -> list[Slip]:
    """All slips that apply, each text once; nothing for what is neither number nor formula."""
    kind = kind_of(text)
    if kind == "entity":
        return []
    found = _of_number(one_line(text), question, confused) if kind == "number" else _of_formula(one_line(text))
    known, kept = {_same(text)}, []
    for slip in found:
        if slip.text and _same(slip.text) not in known and kind_of(slip.text) == kind:
            known.add(_same(slip.text))
            kept.append(slip)
    return kept


def _of_number(text: str, question: str, confused: Sequence[Sequence[str]]) -> Iterator[Slip]:
    hit = _QUANTITY.fullmatch(text)
    if hit is None:
        return
    written, unit = hit["number"], hit["unit"]
    value, places = _value(written), len(written.partition(".")[2])
    head, tail = hit["before"], hit["power"] + unit

    def put(number: Decimal, decimals: int) -> str:
        return head + _written(number, decimals, "," in written) + tail

    whole = not places and not hit["power"]
    yield Slip(put(value * 10, max(0, places - 1)), "factor_10")
    yield Slip(put(value / 2, places + (1 if whole and value % 2 else 0)), "factor_2")
    yield Slip(put(value * 2, places), "factor_2")
    if value and not hit["before"].strip():
        yield Slip(put(-value, places), "sign")
    if whole:
        yield Slip(put(value + 1, 0), "off_by_one")
        yield Slip(put(value - 1, 0), "off_by_one")
    yield Slip(put(value / 10, places + (1 if value % 10 else 0)), "factor_10")
    for given in _IN_TEXT.findall(question):
        yield Slip(head + given + tail, "given")
    digits = written.lstrip("-−+")
    if len(digits) > 1 and digits[:2].isdigit():
        yield Slip(put(_value(written.replace(digits[:2], digits[1] + digits[0], 1)), places), "digits")
    for group in confused:
        if unit.strip() in group:
            yield from (Slip(f"{head}{written}{hit['power']} {other}", "unit") for other in group)


def _of_formula(text: str) -> Iterator[Slip]:
    left, equals, right = text.rpartition("=")
    if equals and kind_of(right) == "number":
        yield from (Slip(f"{left}{equals} {slip.text}", slip.kind) for slip in _of_number(right.strip(), "", ()))
    for hit in _FRACTION.finditer(right):
        if (hit["above"] + hit["below"]).isdigit():
            continue
        turned = (
            f"{hit['below']} {hit['sign']} {hit['above']}" if hit["sign"] in "−-" else f"{hit['below']}/{hit['above']}"
        )
        yield Slip(left + equals + right[: hit.start()] + turned + right[hit.end() :], "swapped")
    for kind, pattern, other in _CHANGES:
        for hit in re.finditer(pattern, right):
            changed = right[: hit.start()] + other + right[hit.end() :]
            yield Slip((left + equals + changed).strip(), kind)
    bare = right.strip()
    if equals and bare:
        if bare[0].isalpha():
            yield Slip(f"{left}{equals} 2{bare}", "factor_2")
        yield Slip(f"{left}{equals} {bare[1:].lstrip() if bare[0] in '-−' else '−' + bare}", "sign")


def _value(written: str) -> Decimal:
    return Decimal(written.replace(",", "").replace("−", "-"))


def _written(value: Decimal, decimals: int, grouped: bool) -> str:
    return f"{value:{',' if grouped else ''}.{decimals}f}".replace("-", "−")


def _same(text: str) -> str:
    """Texts that read alike are the same: signs count, but not which character stands for one."""
    plain = text.translate(_ALIKE)
    return "".join(character for character in fold(plain) if character.isalnum() or character in "-+/*^=<>≤≥√.,%")
