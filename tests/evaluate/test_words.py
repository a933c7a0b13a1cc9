"""What is known of languages is data, and wrong data is named."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evaluate.words import language_of, rules_of, spoken_words
from kg.errors import SettingsError
from kg.language import Language


def with_part(pack: Language, **part: object) -> dict[str, Language]:
    return {pack.code: pack.model_copy(update={"parts": {"evaluate": part}})}


def test_the_language_of_a_question_is_that_of_most_of_its_letters(languages: Mapping[str, Language]) -> None:
    assert language_of("以下哪些是牛顿第二定律 F=ma 的基础？", languages) == "zh"
    assert language_of("Which laws come before F = ma?", languages) == "en"
    assert language_of("1 + 1 = ?", languages) == "en"


def test_no_language_at_all_is_an_error() -> None:
    with pytest.raises(SettingsError):
        language_of("x", {})


@pytest.mark.parametrize("part", [{"answers": ["("]}, {"anwsers": ["x"]}, {"answers": "x"}])
def test_a_wrong_part_names_its_file(part: dict[str, object], english: Language) -> None:
    with pytest.raises(SettingsError, match=r"conf/language/en\.yaml, parts\.evaluate"):
        rules_of(with_part(english, **part))


def test_words_of_all_languages_are_listened_to_at_once(languages: Mapping[str, Language]) -> None:
    spoken = spoken_words(languages)
    assert "and" in spoken.joiners and "和" in spoken.joiners and "think" in spoken.thoughts


def test_a_language_without_a_part_adds_nothing(english: Language) -> None:
    bare = {english.code: english.model_copy(update={"parts": {}})}
    assert spoken_words(bare).answers == ()
