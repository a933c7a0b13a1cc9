"""What kind of answer a text is, and whether two answers are the same: numbers with units, dates, expressions, choices.

In: texts, a language's `Pack`, the units of the settings. Out: `Value`s.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from derive.paths.pack import Pack

Kind = Literal["entity", "date", "number", "expression", "choice"]
Dimension = tuple[tuple[str, int], ...]
Unit = tuple[float, Dimension]
"""Factor to the base units, and these with their exponents, sorted."""
PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "d": 1e-1, "c": 1e-2, "m": 1e-3, "µ": 1e-6, "n": 1e-9, "p": 1e-12}
NO_UNIT: Unit = (1.0, ())
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_NUMBER = r"[-+]?\s?(?:\d{1,3}(?:,\s?\d{3}| \d{3})+(?!\d)|\d+)(?:\.\s?\d+)?"
_POWER = r"(?:\s*[×x*·⋅]\s*10\s*(?:\^\s*\(?(?P<caret>[-+]?\d+)\)?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))|[eE](?P<e>[-+]?\d+))?"
_QUANTITY = re.compile(
    rf"(?P<number>{_NUMBER})(?:\s*/\s*(?P<below>\d+)(?![\d.]))?{_POWER}\s*(?P<unit>[^\s\d,;=≈()（）。，；]?[^,;=≈（）。，；\n]*)"
)
_ANGLE = re.compile(r"(?P<sign>-?)(?P<degrees>\d+)\s*°\s*(?P<minutes>\d+)\s*[′']")
_UNIT_PART = re.compile(r"(?P<symbol>[^\W\d_]+|[°%Ω℃][^\W\d_]?)\^?(?P<exponent>[-+]?\d+)?")
_LETTER = re.compile(r"[(（]?([A-H])[)）.。]?")
_MATH = re.compile(r"[=<>≤≥≠+*/^√×÷·⋅∝±−Δ∑πθλ]|[⁰¹²³⁴⁵⁶⁷⁸⁹₀-₉]")
_LONG_WORD = re.compile(r"(?:(?![₀-₉⁰-⁹²³¹])[^\W\d_]){5,}")
_WORD = re.compile(r"[^\W\d_]{2,}")
MOST_WORDS = 6
"""Most words of an equation."""


@dataclass(frozen=True)
class Value:
    """A typed answer; two are compared by `Values.same`."""

    kind: Kind
    text: str
    number: float | None = None
    """In base units."""
    dimension: Dimension = ()
    date: tuple[int, int, int] | None = None
    """Year, month, day; 0 where not said."""


class Values:
    """Reads and compares values in one language."""

    def __init__(self, pack: Pack, units: Mapping[str, tuple[float, Mapping[str, int]]], tolerance: float) -> None:
        self._pack, self.tolerance = pack, tolerance
        self._units = {name: (factor, tuple(sorted(base.items()))) for name, (factor, base) in units.items()}
        self._yes, self._no = ({word.casefold() for word in words} for words in (pack.yes, pack.no))

    def read(self, answer: str, choices: bool = False) -> Value:
        """The answer as what it is; what fits no other kind is an entity. `choices`: a lone letter is one."""
        text = unicodedata.normalize("NFC", answer).strip()
        bare = text.strip(" .。!！").casefold()
        if bare in self._yes or bare in self._no or (choices and _LETTER.fullmatch(text)):
            return Value("choice", text)
        date = self.date(text)
        if date:
            return Value("date", text, date=date)
        found = self.quantity(text)
        if found and found[2] == len(text.rstrip(" .。")):
            return Value("number", text, number=found[0], dimension=found[1])
        equation = "=" in text and len(_WORD.findall(text)) <= MOST_WORDS
        return Value(
            "expression" if equation or (_MATH.search(text) and not _LONG_WORD.search(text)) else "entity", text
        )

    def result(self, answer: str) -> Value | None:
        """What a worked solution comes to: the number with its unit after its last sign of equality; none without."""
        tail = re.split(r"[=≈]", answer)[-1].strip().rstrip(" .。")
        found = self.quantity(tail) if len(tail) < len(answer.strip()) else None
        rest = tail[found[2] :] if found else ""
        # a word after the unit (a direction, a remark) does not change the number; a line of text or a sum does
        if not found or len(rest) > 12 or _MATH.search(rest) or (rest and rest[0] not in " ,;，；"):
            return None
        return Value("number", tail[: found[2]].strip(), number=found[0], dimension=found[1])

    def quantities(self, text: str) -> list[Value]:
        """Every number in the text with its unit, in order."""
        found: list[Value] = []
        at = 0
        while hit := re.compile(r"(?<![\w.])[-−+]?\d").search(text, at):
            read = self.quantity(text[hit.start() :])
            end = hit.start() + (read[2] if read else 0)
            if read:
                found.append(Value("number", text[hit.start() : end].strip(), number=read[0], dimension=read[1]))
            at = max(end, hit.end())
        return found

    def date(self, text: str) -> tuple[int, int, int] | None:
        """A whole text that is a date with at least a year and a month; a bare number or a month alone is none."""
        for pattern in self._pack.date_patterns:
            if hit := pattern.fullmatch(text.strip(" .。")):
                parts = hit.groupdict()
                month = parts.get("month") or "0"
                number = self._pack.month_numbers.get(month.casefold()) or (int(month) if month.isdigit() else 0)
                if 1 <= number <= 12:
                    return int(parts["year"]), number, int(parts.get("day") or 0)
        return None

    def quantity(self, text: str) -> tuple[float, Dimension, int] | None:
        """The number a text starts with, in base units, its dimension, and the place after number and unit."""
        text = text.replace("−", "-").replace("–", "-").replace("∘", "°")
        if hit := _ANGLE.match(text):
            value = int(hit["degrees"]) + int(hit["minutes"]) / 60
            factor, dimension = self._units.get("°", NO_UNIT)
            return (-value if hit["sign"] else value) * factor, dimension, hit.end()
        if not (hit := _QUANTITY.match(text)):
            return None
        number = float(re.sub(r"[, ]", "", hit["number"]))
        if hit["below"]:
            number = (
                float(Fraction(hit["number"].replace(" ", "")) / int(hit["below"])) if int(hit["below"]) else math.nan
            )
        exponent = hit["caret"] or hit["e"] or (hit["raised"] or "").translate(_SUPER) or "0"
        unit, length = self._unit(hit["unit"])
        value = number * 10.0 ** max(-99, min(99, int(exponent))) * unit[0]
        return (value, unit[1], hit.start("unit") + length) if math.isfinite(value) else None

    def _unit(self, text: str) -> tuple[Unit, int]:
        """The longest beginning of the text that is a unit, and its length; no unit, 0 if there is none."""
        for end in sorted({hit.end() for hit in re.finditer(r"[^\s⋅·*/.]+", text)}, reverse=True):
            name = text[:end].strip()
            if symbol := self._pack.units.get(name.casefold()):
                return self._product(symbol) or NO_UNIT, end
            if unit := self._product(name):
                return unit, end
        return NO_UNIT, 0

    def _product(self, text: str) -> Unit | None:
        """A product of powers of units (`kg⋅m/s²`); none if a part is no unit."""
        factor, dimension, sign, inside = 1.0, dict[str, int](), 1, False
        for part in re.split(r"([/⋅·*() ])", text.translate(_SUPER).replace("−", "-")):
            if part == "/":
                sign = -1
            elif part in ("(", ")"):
                inside, sign = part == "(", sign if part == "(" else 1
            elif part.strip(" ⋅·*"):
                hit = _UNIT_PART.fullmatch(part)
                unit = self._symbol(hit["symbol"]) if hit else None
                if hit is None or unit is None:
                    return None
                power = sign * int(hit["exponent"] or 1)
                factor *= unit[0] ** max(-9, min(9, power))
                for base, exponent in unit[1]:
                    dimension[base] = dimension.get(base, 0) + exponent * power
                sign = sign if inside else 1
        return factor, tuple(sorted((base, power) for base, power in dimension.items() if power))

    def _symbol(self, symbol: str) -> Unit | None:
        """A unit by its symbol, with a prefix of ten if it has one."""
        if found := self._units.get(symbol):
            return found
        rest = self._units.get(symbol[1:]) if len(symbol) > 1 else None
        prefix = PREFIXES.get(symbol[0].replace("μ", "µ"))
        return (rest[0] * prefix, rest[1]) if rest and prefix else None

    def same(self, one: Value, other: Value) -> bool:
        """True if the two say the same; a number without a unit may have the other's."""
        if one.number is not None and other.number is not None:
            if one.dimension and other.dimension and one.dimension != other.dimension:
                return False
            return math.isclose(one.number, other.number, rel_tol=self.tolerance, abs_tol=1e-12)
        if one.date and other.date:
            return all(a == b for a, b in zip(one.date, other.date, strict=True) if a and b)
        if one.kind == other.kind == "choice":
            return self._choice(one.text) == self._choice(other.text)
        return normal(one.text) == normal(other.text)

    def _choice(self, text: str) -> str:
        bare = text.strip(" .。!！()（）").casefold()
        return "yes" if bare in self._yes else "no" if bare in self._no else bare


@lru_cache(maxsize=100_000)
def normal(expression: str) -> str:
    """An expression without what may be written either way: spaces, signs of multiplication, sides of one equation."""
    text = unicodedata.normalize("NFC", expression).replace("−", "-").replace("–", "-")
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda hit: "^" + hit.group().translate(_SUPER), text)
    text = re.sub(r"[\s×·⋅*]+", "", unicodedata.normalize("NFKC", text)).strip(".。")
    sides = text.split("=")
    return "=".join(sorted(sides)) if len(sides) == 2 else text
