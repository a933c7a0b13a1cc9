"""A text layer that cannot be what is printed is named; short pages and formulas are never judged."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ingest.lines import Line
from ingest.rules import Rules
from ingest.signals import fault
from kg.language import Language
from tests.ingest.paper import prose

HAN = (
    "物理学是研究物质的结构和运动的规律的科学，我们在日常生活中会看到各种各样的物理现象，这些现象都可以用物理知识来说明。"
    * 4
)


def lines(text: str) -> list[Line]:
    return [
        Line(0, text[at : at + 80], (0, 0, 1, 1), 10.0, "", False, False, False, 0.0) for at in range(0, len(text), 80)
    ]


def shifted(text: str, by: int) -> str:
    return "".join(chr((ord(one) - 97 + by) % 26 + 97) if one.isalpha() else one for one in text.lower())


@pytest.mark.parametrize(
    ("code", "text", "reason"),
    [
        ("en", prose(120), ""),
        ("zh", HAN, ""),
        ("en", shifted(prose(120), 3), "shifted letters"),
        ("en", shifted(prose(12), 3), ""),
        ("en", HAN, "wrong script"),
        ("en", "ΔE = γmc² " * 60, ""),
        ("zh", "".join(chr(ord(one) + 977) if "\u4e00" <= one <= "\u8fff" else one for one in HAN), "wrong characters"),
        ("zh", "鑫淼焱", ""),
        ("en", "", ""),
    ],
)
def test_a_page_is_judged(code: str, text: str, reason: str, languages: Mapping[str, Language]) -> None:
    found = fault(lines(text), Rules(languages[code]))
    assert (reason in found and bool(found)) if reason else found == ""
