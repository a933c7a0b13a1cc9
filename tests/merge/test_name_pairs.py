"""Labelled pairs of names: what merges by itself is one thing, and what is one thing is merged or asked about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import yaml

from benchmarks.names import (
    APART,
    HOMONYMS,
    PAIRS,
    PRECISION,
    RECALL,
    Case,
    decided,
    homonyms,
    kept_apart,
    precision,
    recall,
)
from kg.language import Language


@pytest.fixture(scope="module")
def cases(languages: Mapping[str, Language]) -> list[Case]:
    return decided(yaml.safe_load(PAIRS.read_text(encoding="utf-8")), languages)


def test_there_are_enough_distinct_pairs_of_both_languages_and_all_labels(cases: list[Case]) -> None:
    assert len({frozenset((case.one, case.other, case.label)) for case in cases}) == len(cases) >= 300
    assert {case.label for case in cases} == {"same", "ask", "different"}


def test_what_merges_by_itself_is_one_thing(cases: list[Case]) -> None:
    assert precision(cases) >= PRECISION
    assert [case for case in cases if case.done == "merge" and case.label == "ask"] == []


def test_what_is_one_thing_is_merged_or_asked_about(cases: list[Case]) -> None:
    assert recall(cases) >= RECALL


def test_people_are_seldom_asked_about_different_things(cases: list[Case]) -> None:
    different = [case for case in cases if case.label == "different"]
    assert sum(case.done == "ask" for case in different) <= 0.05 * len(different)


def test_names_used_twice_are_kept_apart_or_merged_as_people_labelled_them(languages: Mapping[str, Language]) -> None:
    cases = homonyms(yaml.safe_load(HOMONYMS.read_text(encoding="utf-8")), languages)
    right, found = kept_apart(cases)
    assert len(cases) >= 60 and right >= PRECISION and found >= APART
    assert [case.one for case in cases if case.done == "merge" and case.label == "different"] == [], "without a word"
    same = [case for case in cases if case.label == "same"]
    assert sum(case.done == "merge" for case in same) >= len(same) / 2, "people are not asked about most of them"
