"""Everything odd about a book's structure is said, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from kg.document import Document
from kg.graph import Finding
from kg.section import SectionRow

Write = Callable[..., Document]
Divide = Callable[[Document], tuple[list[SectionRow], list[Finding]]]

CONTENTS = "# Contents\n> Chapter 1 A … 1\n>  1.1 B … 1\n>  1.2 C … 2\n> Chapter 2 D … 3\n>  2.1 E … 3\n=\n"
BODY = "# Chapter 1 A\n## 1.1 B\nwords\n=\n## 1.2 C\nwords\n=\n# Chapter 2 D\n## 2.1 E\nwords"


def checks(findings: list[Finding]) -> list[str]:
    return [finding.check for finding in findings]


def test_a_regular_book_has_no_findings(write: Write, divide: Divide) -> None:
    assert divide(write(CONTENTS + BODY))[1] == []


def test_a_heading_in_no_list_is_reported(write: Write, divide: Divide) -> None:
    findings = divide(write(CONTENTS + BODY + "\n## 2.2 F\nwords"))[1]
    assert checks(findings) == ["segment_unlisted_heading"]
    assert "2.2 F" in findings[0].message and findings[0].details == {"book": "book", "page": 3}


def test_a_listed_heading_that_is_not_there_is_reported_once(write: Write, divide: Divide) -> None:
    outline = ((1, "Chapter 1 A", 1), (2, "1.1 B", 1), (2, "1.2 C", 2), (1, "Chapter 2 D", 3), (2, "2.1 E", 3))
    findings = divide(write((CONTENTS + BODY).replace("## 1.2 C\n", ""), "en", outline))[1]
    assert checks(findings) == ["segment_unmatched_entry"]
    assert findings[0].details == {"book": "book", "witness": "outline", "page": 2, "placed": True}


def test_a_listed_heading_without_a_place_is_reported_as_such(write: Write, divide: Divide) -> None:
    body = BODY.replace("\n=\n## 1.2 C\nwords", "\nmore words")
    findings = divide(write(CONTENTS.replace("C … 2", "C") + body))[1]
    assert [finding.details.get("placed") for finding in findings if "1.2 C" in finding.message] == [False]


def test_witnesses_that_disagree_are_named(write: Write, divide: Divide) -> None:
    body = "\n".join(f"# Chapter {n} Topic{n}\n## {n}.1 First{n}\nwords" for n in range(1, 7))
    outline = [item for n in range(1, 7) for item in ((1, f"Chapter {n} Topic{n}", 0), (2, f"{n}.1 First{n}", 0))]
    findings = divide(write(body, "en", [*outline[:-1], (1, "6.1 First6", 0)]))[1]
    assert checks(findings) == ["segment_witness_disagrees"]
    assert (findings[0].details["witness"], findings[0].details["headings"]) == ("outline", ["6.1 First6"])


def test_a_gap_in_the_numbers_is_reported(write: Write, divide: Divide) -> None:
    findings = divide(write("# Chapter 1 A\n## 1.1 B\nwords\n## 1.3 C\nwords"))[1]
    assert checks(findings) == ["segment_no_list", "segment_number_gap"]
