"""What MinerU of each generation writes for one small book, and the book as a PDF."""

from __future__ import annotations

from typing import Any

from tests.ingest.paper import BOLD, HEIGHT, LEFT, ROMAN, SANS_BOLD, WIDTH, Paper, prose

TITLES = ("Chapter 1 Motion", "1.1 Speed", "1.2 Force")


def paper() -> Paper:
    """Two pages: a chapter with two sections, a bold word, a table's place, and the second half of a paragraph."""
    made = Paper().line(TITLES[0], 22, SANS_BOLD).gap().line(TITLES[1], 15, SANS_BOLD).gap()
    made.mixed(("A ", ROMAN), ("speed", BOLD), (" is the distance covered in a unit of time.", ROMAN)).gap()
    made.paragraph(prose(70)).turn().line(TITLES[2], 15, SANS_BOLD).gap().paragraph(prose(90, 5))
    made.file.set_toc([[1, TITLES[0], 1], [2, TITLES[1], 1], [2, TITLES[2], 2]])
    return made


SPEED = "A speed is the distance covered in a unit of time."
TABLE = "<table><tr><td>v</td><td>3 m/s</td></tr><tr><td colspan=2>all</td></tr></table>"


def share(box: tuple[float, float, float, float]) -> list[float]:
    return [round(box[0] / WIDTH, 4), round(box[1] / HEIGHT, 4), round(box[2] / WIDTH, 4), round(box[3] / HEIGHT, 4)]


BOXES = {
    "chapter": (LEFT - 2, 48.0, 300.0, 80.0),
    "first": (LEFT - 2, 84.0, 300.0, 114.0),
    "speed": (LEFT - 2, 118.0, 440.0, 134.0),
    "body": (LEFT - 2, 138.0, 440.0, 240.0),
    "table": (LEFT, 300.0, 400.0, 340.0),
    "formula": (LEFT, 350.0, 400.0, 370.0),
    "second": (LEFT - 2, 50.0, 300.0, 78.0),
    "more": (LEFT - 2, 84.0, 440.0, 200.0),
}


def v4(version: str = "2.0") -> dict[str, Any]:
    """`middle_json.json` of MinerU 4: boxes are shares of the page."""

    def text(kind: str, words: str, box: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "bbox": share(BOXES[box]), "content": [{"type": "text", "content": words}], **more}

    speed = text("text", "", "speed")
    speed["content"] = [
        {"type": "text", "content": "A "},
        {"type": "text", "content": "speed", "styles": ["bold"]},
        {"type": "text", "content": SPEED[7:]},
    ]
    table = {"type": "table_body", "bbox": share(BOXES["table"]), "content": TABLE}
    caption = text("table_caption", "Table 1.1 Speeds", "table")
    items = [text("text", "a. one", "body"), text("text", "b. two", "body")]
    return {
        "schema": "docvortex.middle",
        "schema_version": version,
        "metadata": {"producer": {"name": "mineru", "version": "4.0.12"}},
        "extensions": {
            "mineru": {"tier": "flash"},
            "docvortex_layout": {"pages": [{"page_idx": at, "width_pt": WIDTH, "height_pt": HEIGHT} for at in (0, 1)]},
        },
        "is_full_document": True,
        "pages": [
            {
                "page_idx": 0,
                "blocks": [
                    text("header", "Running head", "chapter"),
                    text("doc_title", TITLES[0], "chapter", level=1) | {"type": "paragraph_title"},
                    text("paragraph_title", TITLES[1], "first", level=2),
                    speed,
                    text("text", prose(70)[:-1] + " and", "body"),
                    {"type": "table", "bbox": share(BOXES["table"]), "content": [caption, table]},
                    {"type": "equation", "bbox": share(BOXES["formula"]), "content": "v = \\frac{s}{t}"},
                    {"type": "list", "bbox": share(BOXES["body"]), "content": items},
                ],
            },
            {
                "page_idx": 1,
                "blocks": [
                    text("text", "so it goes on.", "more", continues_prev=True),
                    text("paragraph_title", TITLES[2], "second", level=2),
                    text("text", prose(90, 5), "more"),
                    {
                        "type": "image",
                        "bbox": share(BOXES["table"]),
                        "content": [
                            {
                                "type": "image_body",
                                "bbox": share(BOXES["table"]),
                                "content": "",
                                "image_path": "images/a.jpg",
                            },
                            text("image_caption", "Figure 1.1 A road", "table"),
                        ],
                    },
                ],
            },
        ],
    }


def v3() -> dict[str, Any]:
    """`NAME_middle.json` of MinerU 2 and 3 and of magic-pdf: boxes in points."""

    def block(kind: str, words: str, box: str, **more: Any) -> dict[str, Any]:
        span = {"type": "text", "content": words, "score": 0.9}
        return {"type": kind, "bbox": list(BOXES[box]), "lines": [{"bbox": list(BOXES[box]), "spans": [span]}], **more}

    table = {
        "type": "table_body",
        "bbox": list(BOXES["table"]),
        "lines": [{"spans": [{"type": "table", "html": TABLE, "image_path": "t.jpg"}]}],
    }
    formula = {
        "type": "interline_equation",
        "bbox": list(BOXES["formula"]),
        "lines": [{"spans": [{"type": "interline_equation", "content": "v = \\frac{s}{t}"}]}],
    }
    items = block("list", "a. one", "body")
    items["lines"].append({"bbox": list(BOXES["body"]), "spans": [{"content": "b. two"}]})
    pages = [
        [
            block("title", TITLES[0], "chapter", level=1),
            block("title", TITLES[1], "first", level=1),
            block("text", SPEED, "speed"),
            block("text", prose(70), "body"),
            {
                "type": "table",
                "bbox": list(BOXES["table"]),
                "blocks": [block("table_caption", "Table 1.1 Speeds", "table"), table],
            },
            formula,
            items,
        ],
        [
            block("title", TITLES[2], "second", level=1),
            block("text", prose(90, 5), "more"),
            {"type": "image_body", "bbox": [0, 0, 9, 9]},
        ],
    ]
    return {
        "_backend": "pipeline",
        "_version_name": "3.4.4",
        "pdf_info": [
            {
                "page_idx": at,
                "page_size": [WIDTH, HEIGHT],
                "para_blocks": own,
                "discarded_blocks": [block("discarded", "Running head", "chapter")],
            }
            for at, own in enumerate(pages)
        ],
    }


def listed() -> list[dict[str, Any]]:
    """`NAME_content_list.json`: boxes in thousandths of the page."""

    def row(kind: str, words: str, box: str, page: int, **more: Any) -> dict[str, Any]:
        return {
            "type": kind,
            "text": words,
            "bbox": [round(1000 * part) for part in share(BOXES[box])],
            "page_idx": page,
            **more,
        }

    return [
        row("header", "Running head", "chapter", 0),
        row("text", TITLES[0], "chapter", 0, text_level=1),
        row("text", TITLES[1], "first", 0, text_level=1),
        row("text", SPEED, "speed", 0),
        row("text", prose(70), "body", 0),
        row("table", "", "table", 0, table_body=TABLE, table_caption=["Table 1.1 Speeds"]),
        row("equation", "$$\nv = \\frac{s}{t}\n$$", "formula", 0, text_format="latex"),
        row("list", "", "body", 0, list_items=["a. one", "b. two"]),
        row("text", TITLES[2], "second", 1, text_level=1),
        row("text", prose(90, 5), "more", 1),
        row("image", "", "table", 1, image_caption=["Figure 1.1 A road"]),
    ]
