"""Lists of terms in every form books print them."""

from __future__ import annotations

from typing import Any

from extract.glossary import Entry, apart, entries


def _read(shelf: Any, lines: list[str], kind: str = "key_terms", code: str = "en") -> list[tuple[str, str]]:
    view = shelf.view(lines, kind, code)
    book = shelf.book([(kind, "1.1", "Section", lines)], code)
    assert view.text == book.sections[0].text
    return [(entry.name, _definition(entry)) for entry in entries(book)]


def _definition(entry: Entry) -> str:
    return entry.view.line(*entry.definition) if entry.definition else ""


def test_a_bold_term_is_followed_by_its_definition(shelf: Any) -> None:
    assert _read(shelf, ["# Key Terms", "**atom** smallest unit of matter", "**force** a push or a pull"]) == [
        ("atom", "smallest unit of matter"),
        ("force", "a push or a pull"),
    ]


def test_entries_that_run_together_in_one_block_are_told_apart(shelf: Any) -> None:
    lines = ["**atom** smallest unit of matter **force** a push or a pull"]
    assert [name for name, _ in _read(shelf, lines)] == ["atom", "force"]


def test_a_colon_or_dash_parts_term_and_definition(shelf: Any) -> None:
    lines = ["atom: smallest unit of all the matter there is", "force — a push or a pull on a body from outside"]
    assert _read(shelf, lines, "glossary") == [
        ("atom", "smallest unit of all the matter there is"),
        ("force", "a push or a pull on a body from outside"),
    ]


def test_a_table_of_two_columns_is_a_glossary(shelf: Any) -> None:
    lines = ["| atom | the smallest unit of all the matter there is\\nforce | a push or a pull on some body there"]
    assert [name for name, _ in _read(shelf, lines)] == ["atom", "force"]


def test_a_term_on_its_own_line_takes_the_next_paragraph(shelf: Any) -> None:
    lines = [
        "# Glossary",
        "**atom**",
        "The smallest unit of matter there is.",
        "**force**",
        "A push or a pull on a body.",
    ]
    assert _read(shelf, lines, "glossary") == [
        ("atom", "The smallest unit of matter there is."),
        ("force", "A push or a pull on a body."),
    ]


def test_a_definition_goes_on_in_the_next_block(shelf: Any) -> None:
    lines = ["**atom** smallest unit", "of matter that keeps its properties", "**force** a push or a pull"]
    assert _read(shelf, lines)[0] == ("atom", "smallest unit of matter that keeps its properties")


def test_bare_names_are_listed_without_definition(shelf: Any) -> None:
    lines = ["# 1.1 Matter", "[] Section Key Terms", "> - atom", "> - electric force", "Text goes on, at some length."]
    assert _read(shelf, lines, "section") == [("atom", ""), ("electric force", "")]


def test_names_between_commas_are_listed_one_by_one(shelf: Any) -> None:
    lines = ["# Key Terms", "atom, electric force, mass, weight"]
    assert [name for name, _ in _read(shelf, lines)] == ["atom", "electric force", "mass", "weight"]


def test_a_chinese_glossary_is_read(shelf: Any) -> None:
    lines = ["# 关键术语", "**速度** 路程与时间之比", "误差：测量值与真实值之间的差别"]
    assert _read(shelf, lines, "key_terms", "zh") == [("速度", "路程与时间之比"), ("误差", "测量值与真实值之间的差别")]


def test_running_text_is_no_list(shelf: Any) -> None:
    assert _read(shelf, ["# 1.1 Matter", "**Matter** is all there is."], "section") == []


def test_columns_that_ran_together_are_taken_apart(shelf: Any) -> None:
    section = ("section", "1.1", "S", ["# 1.1 S", "[] Section Key Terms", "> **mass net force speed limit**"])
    listed = ("key_terms", "1", "K", ["# Key Terms", "**mass** a", "**net force** b", "**speed limit** c"])
    book = shelf.book([section, listed])
    assert {entry.name for entry in apart(entries(book), [], book)} == {"mass", "net force", "speed limit"}


def test_a_list_that_lost_its_names_is_not_read(shelf: Any) -> None:
    lines = ["law: a body at rest remains at rest and so on it goes for ever"]
    lines += [f"the number {n} of many definitions whose names are not on the page" for n in range(5)]
    assert entries(shelf.book([("key_terms", "1", "K", ["# Key Terms", *lines])])) == []


def test_headings_with_a_short_text_under_each_are_terms_and_definitions(shelf: Any) -> None:
    lines = [
        "# Glossary",
        "#### allele",
        "a form of a gene",
        "#### gene",
        "a part of DNA",
        "#### osmosis",
        "flow of water",
    ]
    assert _read(shelf, lines, "glossary") == [
        ("allele", "a form of a gene"),
        ("gene", "a part of DNA"),
        ("osmosis", "flow of water"),
    ]


def test_the_page_behind_a_listed_term_is_no_part_of_its_definition(shelf: Any) -> None:
    lines = ["**atom** (p. 12) smallest unit of matter", "**force** (2.1) a push", "**ray** (of light) a thin beam"]
    assert [text for _, text in _read(shelf, lines)] == ["smallest unit of matter", "a push", "(of light) a thin beam"]
    chinese = ["**原子**（第12页）物质的最小单位", "**力**（2.1）推或拉"]
    assert _read(shelf, chinese, code="zh")[0][1] == "物质的最小单位"
