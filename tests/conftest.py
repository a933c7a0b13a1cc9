"""Fixtures that more than one room's tests use."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from kg.document import Block, Document, Page, Prov
from kg.language import Language, load
from kg.project import Project
from kg.schema import GraphSchema
from kg.schema import load as load_schema
from kg.section import Section, SectionRow, section
from kg.stage import ROOT
from kg.store import Store


@pytest.fixture(scope="session")
def languages() -> Mapping[str, Language]:
    return load(ROOT / "conf" / "language")


@pytest.fixture(scope="session")
def english(languages: Mapping[str, Language]) -> Language:
    return languages["en"]


@pytest.fixture(scope="session")
def chinese(languages: Mapping[str, Language]) -> Language:
    return languages["zh"]


@pytest.fixture(scope="session")
def schema() -> GraphSchema:
    return load_schema(ROOT / "conf" / "schema" / "k12.yaml")


@pytest.fixture
def project(tmp_path: Path, schema: GraphSchema, languages: Mapping[str, Language]) -> Project:
    """A project without books whose store is a fresh folder."""
    return Project(Store(tmp_path / "out"), "physics", "Physics", (), schema, languages)


def a_section(paragraphs: list[str], language: str = "en", pages: list[int] | None = None) -> Section:
    """A section of plain paragraphs; `pages[i]` is the page of paragraph i (all on page 0 by default)."""
    pages = pages or [0] * len(paragraphs)
    blocks = tuple(
        Block(id=f"b{i}", label="text", text=text, prov=(Prov(page=page, bbox=(0, 0, 1, 1), start=0, end=len(text)),))
        for i, (text, page) in enumerate(zip(paragraphs, pages, strict=True))
    )
    sheets = tuple(Page(index=i, width=600, height=800) for i in range(max(pages) + 1))
    document = Document(
        book="book", title="Book", language=language, sha256="", engine="test", pages=sheets, blocks=blocks
    )
    row = SectionRow(
        id="physics:section:book:1.1",
        chapter_number="1",
        chapter_title="One",
        section_number="1.1",
        section_title="First",
        kind="section",
        start_page=pages[0],
        end_page=pages[-1],
        file="sections/001.md",
        start_block=0,
        end_block=len(blocks),
    )
    return section(document, document.body(), row)
