"""Paragraph styles of the sample books, one dictionary per script."""

from __future__ import annotations

from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle

BLUE = HexColor("#1f4e79")


def styles(chinese: bool) -> dict[str, ParagraphStyle]:
    """Every style a layout asks for, by name; sizes in points."""
    serif, sans = ("Kai", "Hei") if chinese else ("Serif", "Sans-Bold")
    common: dict[str, Any] = {"wordWrap": "CJK"} if chinese else {"embeddedHyphenation": 1}
    common["bulletFontName"] = "Serif"
    justify = TA_LEFT if chinese else TA_JUSTIFY

    def style(name: str, face: str, size: float, lead: float, **more: Any) -> ParagraphStyle:
        return ParagraphStyle(
            name, fontName=face, fontSize=size, bulletFontSize=size, leading=lead, **{**common, **more}
        )

    body = {"alignment": justify, "spaceAfter": 6, "allowWidows": 0, "allowOrphans": 0}
    if chinese:
        body["firstLineIndent"] = 22
    headings = {
        "heading1": style("heading1", sans, 24, 31, textColor=BLUE, spaceAfter=14),
        "heading2": style("heading2", sans, 15.5, 20, textColor=BLUE, spaceBefore=15, spaceAfter=7, keepWithNext=1),
        "heading3": style("heading3", sans, 12, 16, spaceBefore=9, spaceAfter=4, keepWithNext=1),
        "heading4": style("heading4", sans, 10.5, 14, spaceBefore=6, spaceAfter=3, keepWithNext=1),
        "book": style("book", sans, 36, 46, alignment=TA_CENTER, textColor=BLUE),
        "subtitle": style("subtitle", serif, 16, 24, alignment=TA_CENTER),
        "series": style("series", serif, 12, 18, alignment=TA_CENTER),
    }
    text = {
        "body": style("body", serif, 10.5, 14.5, **body),
        "item": style(
            "item", serif, 10.5, 14, alignment=justify, leftIndent=20, bulletIndent=2, spaceBefore=3, spaceAfter=2
        ),
        "option": style("option", serif, 10.5, 13.5, leftIndent=42, bulletIndent=22, spaceAfter=1),
        "formula": style("formula", serif, 11.5, 17, alignment=TA_CENTER),
        "number": style("number", serif, 11, 15, alignment=TA_RIGHT),
        "term": style("term", serif, 10, 13.5, leftIndent=10, firstLineIndent=-10, spaceAfter=4),
    }
    small = {
        "caption": style("caption", serif, 9.5, 12.5, alignment=TA_CENTER, spaceBefore=3, spaceAfter=11),
        "table_title": style(
            "table_title", serif, 9.5, 13, alignment=TA_CENTER, spaceBefore=6, spaceAfter=4, keepWithNext=1
        ),
        "cell": style("cell", serif, 10, 13),
        "cell_head": style("cell_head", sans, 9.5, 13),
        "box_title": style("box_title", sans, 10.5, 15, textColor=BLUE),
        "letter": style("letter", sans, 11, 15, spaceBefore=8, spaceAfter=2, keepWithNext=1),
        "entry": style("entry", serif, 9.5, 12.5, leftIndent=10, firstLineIndent=-10),
    }
    for name in ("series", "book", "subtitle", "caption", "table_title", "formula", "cell", "cell_head"):
        # Soft hyphens belong into running text, not into short centred lines.
        {**headings, **text, **small}[name].embeddedHyphenation = 0
    return {**headings, **text, **small}
