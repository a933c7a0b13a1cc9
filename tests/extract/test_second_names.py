"""Second names count as mentions of their terms, unless they may mean something else."""

from __future__ import annotations

from typing import Any

import pytest

from extract.fields import claim_terms, describe
from extract.second_names import hear
from extract.terms import terms


def _mentioned(shelf: Any, lines: list[str], code: str = "en") -> set[tuple[str, str]]:
    """Name of the term and what is printed, for every mention in the last line."""
    known = terms(shelf.book([("section", "1.1", "Section", ["# 1.1 Waves", *lines])], code))
    described = describe(known)
    hear(known, described, claim_terms(known, described, [], shelf.desk()))
    view = known.book.sections[0]
    start, end = view.span(len(view.blocks) - 1)
    found = known.in_range(view, start, end)
    for mention in found:
        assert (0, mention) in known.places[mention.key]
    assert sorted(found, key=lambda one: one.start) == found
    return {(known.by_key[one.key].name, view.text[one.start : one.end]) for one in found}


LONG = "A **longitudinal wave**, also called a compression wave, is a wave that shakes matter along its path."


@pytest.mark.parametrize(
    ("last", "found"),
    [
        ("Any compression waves are slow.", {("longitudinal wave", "compression waves")}),
        ("Any waves are slow.", {("wave", "waves")}),
    ],
)
def test_a_second_name_takes_the_place_of_what_it_contains(shelf: Any, last: str, found: set[tuple[str, str]]) -> None:
    assert _mentioned(shelf, ["A **wave** is a disturbance that moves along.", LONG, last]) == found


def test_a_second_name_that_holds_another_terms_name_is_not_heard(shelf: Any) -> None:
    lines = [
        "A **force** is a push or a pull on a body.",
        "The **weight**, also called earth force, is a kind of pull.",
    ]
    assert _mentioned(shelf, [*lines, "Any earth force is weak."]) == {("force", "force")}


@pytest.mark.parametrize(("first", "heard"), [("The volume of a gas changes.", False), ("Air is a gas.", True)])
def test_a_single_word_in_use_before_its_term_is_more_than_its_name(shelf: Any, first: str, heard: bool) -> None:
    lines = [first, "The **loudness**, also called volume, is how strong a sound seems to be."]
    assert _mentioned(shelf, [*lines, "Any volume is fine."]) == ({("loudness", "volume")} if heard else set())
