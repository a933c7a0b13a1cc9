"""The page speaks the language of its readers, and no word is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import pytest

from emit.page import FOLDER, SCRIPTS
from emit.prints import Print, main_language, prints
from emit.texts import PageTexts, page_texts
from kg.graph import Finding
from kg.language import Language
from kg.project import Project
from kg.schema import EdgeRole, NodeRole
from kg.section import Kind

SLOT = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_word_the_page_asks_for_is_there(languages: Mapping[str, Language], code: str) -> None:
    own = languages[code].part("emit", PageTexts)
    script = "\n".join((FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    asked = set(re.findall(r"\bsay\(\s*\"(\w+)\"", script)) | {"chapters", "findings", "start"}
    assert asked - set(own.ui) == set()
    assert set(own.one) == set(own.many) == set(get_args(NodeRole))
    assert set(own.says) == set(get_args(EdgeRole))
    assert set(own.kinds) == set(get_args(Kind))
    assert set(own.actions) == set(get_args(Finding.model_fields["action"].annotation))
    sides = {f"{role}.{side}" for role in get_args(EdgeRole) for side in ("in", "out")}
    assert sides - set(own.relations) == {"association.in"}


def test_all_packs_say_the_same_things_with_the_same_slots(languages: Mapping[str, Language]) -> None:
    english = languages["en"].part("emit", PageTexts).model_dump()
    chinese = languages["zh"].part("emit", PageTexts).model_dump()
    for group, texts in english.items():
        assert set(texts) == set(chinese[group]), group
    for key, text in english["ui"].items():
        assert set(SLOT.findall(text)) == set(SLOT.findall(chinese["ui"][key])), key


def test_every_field_of_the_schema_has_a_heading(project: Project) -> None:
    fields = {name for kind in project.schema.nodes.values() for name in kind.fields}
    assert fields - set(page_texts(project.languages, "en", "en").fields) == set()


def test_what_a_pack_lacks_comes_from_the_fallback(languages: Mapping[str, Language]) -> None:
    poor = languages["zh"].model_copy(update={"parts": {"emit": {"ui": {"search": "找"}}}})
    texts = page_texts({"en": languages["en"], "xx": poor}, "xx", "en")
    assert texts.ui["search"] == "找"
    assert texts.ui["contents"] == "Contents"


def test_the_page_speaks_the_language_of_most_books(project: Project) -> None:
    def language_of(*codes: str) -> str:
        return main_language(project, {str(n): Print("", code, ()) for n, code in enumerate(codes)})

    assert language_of("en", "zh", "zh") == "zh"
    assert language_of("zh", "en") == "zh"
    assert language_of("xx", "xx", "en") == "en"
    assert language_of() == min(project.languages)


def test_titles_and_languages_come_from_the_settings_and_else_from_the_document(subject: Project) -> None:
    untitled = tuple(book.model_copy(update={"title": "", "language": ""}) for book in subject.books)
    found = prints(replace(subject, books=untitled))["physics-8"]
    assert (found.title, found.language, found.labels[5]) == ("physics-8", "en", "4")
    assert prints(subject)["physics-8"].title == "Physics 8"
    subject.store.path("ingest/physics-8/document.json").unlink()
    assert prints(subject)["physics-8"].labels == ()
