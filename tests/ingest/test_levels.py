from __future__ import annotations

from ingest.drafts import Draft, draft
from ingest.levels import resolve, votes
from ingest.lines import Line
from ingest.rules import Rules
from kg.document import OutlineItem
from kg.language import Language


def a_draft(text: str, size: float, x: float = 60, page: int = 0, label: str = "section_header") -> Draft:
    line = Line(page, text, (x, 100, x + 200, 100 + size), size, "Sans", True, False, False, 100 + size)
    made = draft("section_header", [line])
    made.label = "document_index" if label == "document_index" else "section_header"
    return made


def levels(
    headings: list[Draft], english: Language, entries: list[Draft], outline: list[OutlineItem]
) -> list[int | None]:
    resolve(headings, votes(headings, entries, outline, Rules(english)))
    return [one.level for one in headings]


def test_printed_contents_give_levels_to_titles_without_numbers(english: Language) -> None:
    heads = [a_draft("Motion", 20), a_draft("Speed", 14), a_draft("Key Terms", 17), a_draft("Forces", 20, page=9)]
    printed = [("Motion … 1", 60), ("Speed … 2", 75), ("Key Terms … 8", 75), ("Forces … 9", 60)]
    entries = [a_draft(text, 10, x, label="document_index") for text, x in printed]
    assert levels(heads, english, entries, []) == [1, 2, 2, 1]


def test_type_alone_ranks_headings_by_size(english: Language) -> None:
    heads = [
        a_draft("Motion", 20),
        a_draft("Speed", 14),
        a_draft("Look", 11),
        a_draft("Forces", 20),
        a_draft("Mass", 14),
    ]
    assert levels(heads, english, [], []) == [1, 2, 3, 1, 2]


def test_units_above_chapters_are_level_one(english: Language) -> None:
    heads = [
        a_draft("Unit 1 Mechanics", 24),
        a_draft("Chapter 1 Motion", 20),
        a_draft("1.1 Speed", 14),
        a_draft("Look", 11),
    ]
    assert levels(heads, english, [], []) == [1, 2, 3, 4]


def test_a_bookmark_counts_on_its_own_page_and_for_the_largest_type(english: Language) -> None:
    heads = [a_draft("1.1 Speed", 14, page=3), a_draft("1.1 Speed", 11, page=9), a_draft("Motion", 20, page=2)]
    outline = [OutlineItem(level=1, title="Motion", page=2), OutlineItem(level=2, title="1.1 Speed", page=3)]
    assert levels(heads, english, [], outline) == [2, 3, 1]
    assert [witness for witness, _ in heads[0].votes] == ["outline", "numbering", "style"]
    assert [witness for witness, _ in heads[1].votes] == ["style"]
