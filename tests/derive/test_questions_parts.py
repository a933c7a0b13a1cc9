"""Small parts: what is searched, what is shown, what the rules of validation see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.material import Material
from derive.questions.bank import finder_of
from derive.questions.pack import Pack
from derive.questions.readers import entropy, reading, softmax
from derive.questions.routes import Route
from derive.questions.scope import Scope, scope_of
from derive.questions.search import Search
from derive.questions.settings import Rules
from derive.questions.stems import Wording
from derive.questions.validate import Finished, Validator
from kg.errors import SettingsError
from kg.graph import Graph
from kg.item import Choice, Item
from kg.language import Language
from kg.similarity import HashedNgrams

RULES = Rules(bank=None, levels=(1,))


@pytest.fixture
def wording(english_material: Material) -> Wording:
    return Wording(english_material, english_material.language.part("questions", Pack), 0)


@pytest.fixture
def route(english_material: Material) -> Route:
    """What k001 is a kind of: k000."""
    found = finder_of(english_material, RULES).routes(1)
    return next(one for one in found if (one.anchor, one.code) == ("k001", "taxonomy>"))


def item(route: Route, wording: Wording, material: Material, **more: Any) -> Item:
    ids = {"A": "k000", "B": "k032", "C": "k042", "D": "k052"}
    made = {
        "id": "i",
        "question": wording.stem(route),
        "options": {letter: material.speak.option(node) for letter, node in ids.items()},
        "answer": ("A",),
        "query": route.anchor,
        "choices": {letter: Choice(id=node, right=letter == "A") for letter, node in ids.items()},
        "origin": {"relations": route.code, "hops": []},
    }
    return Item.model_validate({**made, **more})


def failed(one: Item, route: Route, wording: Wording, material: Material, scope: Scope | None = None) -> list[str]:
    finder = finder_of(material, RULES)
    validator = Validator(material, RULES, finder, wording, scope or Scope())
    (rating,) = validator.by_rules.rate(validator.cases([Finished(one, route)], shown=False))
    return list(rating.failed)


def test_a_sound_item_passes_every_criterion(english_material: Material, wording: Wording, route: Route) -> None:
    assert failed(item(route, wording, english_material), route, wording, english_material) == []


@pytest.mark.parametrize(
    ("change", "criterion"),
    [
        ({"question": "Which which concept is it of “brittle beam”?"}, "grammar"),
        ({"question": "Which concept {predicate} of “brittle beam”?"}, "grammar"),
        ({"question": "Name the concept above “brittle beam”"}, "grammar"),
        ({"question": "Which pornographic concept is above “brittle beam”?"}, "grammar"),
        ({"question": "Which concept, say amber arch, is above “brittle beam”?"}, "answerable"),
        ({"options": {"A": "amber arch", "B": "Amber  Arch", "C": "x", "D": "y"}}, "option_uniqueness"),
        ({"choices": {"A": Choice(id="k032", right=True), "B": Choice(id="k000", right=False)}}, "single_key"),
    ],
)
def test_a_planted_fault_fails_its_criterion(
    english_material: Material, wording: Wording, route: Route, change: Mapping[str, Any], criterion: str
) -> None:
    bad = item(route, wording, english_material, **change)
    assert failed(bad, route, wording, english_material) == [criterion]


def test_what_is_off_topic_fails_and_without_a_topic_nothing_is(
    english_material: Material, wording: Wording, route: Route
) -> None:
    scope = scope_of(english_material, "Hall F", HashedNgrams())
    sound = item(route, wording, english_material)
    assert failed(sound, route, wording, english_material, scope) == ["topic"]
    near = scope_of(english_material, "k001", HashedNgrams())
    assert failed(sound, route, wording, english_material, near) == [] and near.name == "brittle beam"


def test_a_topic_that_nothing_is_called_names_the_nearest(english_material: Material) -> None:
    with pytest.raises(SettingsError, match=r"nearest: .*amber") as error:
        scope_of(english_material, "amber arches of Rome", HashedNgrams())
    assert error.value.where == "questions.topic"


def test_a_definition_that_the_books_do_not_bear_out_is_not_shown(english_material: Material) -> None:
    pack = english_material.language.part("questions", Pack)
    strict, loose = (Wording(english_material, pack, 0, trace) for trace in (0.9, 0.0))
    assert loose.gloss("k001") and not strict.gloss("k001")
    assert loose.traced("k001", "brittle beam") == 1.0 and strict.glosses()["traced"] == 0
    assert loose.glosses()["traced"] == loose.glosses()["described"] > 50


def test_hops_are_said_in_both_directions(english_material: Material, wording: Wording, route: Route) -> None:
    back = finder_of(english_material, RULES).routes(1)
    other = next(one for one in back if (one.anchor, one.code) == ("k000", "taxonomy<"))
    assert wording.told(route.paths[0]) == "“amber arch” is a generalisation of “brittle beam”."
    assert wording.told(other.paths[0]) == "“brittle beam” is a kind of “amber arch”."


def test_the_search_finds_what_says_most_and_nothing_for_nothing(languages: Mapping[str, Language]) -> None:
    search = Search({"a": "heat flows", "b": "heat of fusion and ice", "c": "light"}, languages["en"])
    assert [name for name, _ in search.best("heat of fusion")][:1] == ["b"] and search.best("") == []
    assert search.score("light", "c") > 0 == search.score("light", "a") == search.score("light", "nowhere")
    chinese = Search({"a": "余角与补角", "b": "有理数"}, languages["zh"])
    assert chinese.best("补角")[0][0] == "a"


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=8))
def test_shares_add_up_and_entropy_lies_between_sure_and_no_idea(logits: list[float]) -> None:
    shares = softmax(logits)
    assert sum(shares) == pytest.approx(1) and -1e-9 <= entropy(shares) <= len(logits)
    assert softmax([value + 5 for value in logits]) == pytest.approx(shares)


def test_a_reading_of_nothing_is_none() -> None:
    assert reading([]) is None
    some = reading([(1.0, 0.5), (0.0, 1.5)])
    assert some is not None and (some.accuracy, some.entropy, some.spread) == (0.5, 1.0, 0.5)


def test_exercises_may_be_asked_about_where_their_relation_is_chosen(make_graph: Any, make_material: Any) -> None:
    graph: Graph = make_graph("en")
    material: Material = make_material(graph, "en")
    rules = Rules(bank=None, relations=("assessment", "taxonomy"))
    codes = {route.code for route in finder_of(material, rules).routes(2)}
    assert "taxonomy>assessment<" in codes or "assessment<" in codes


def test_a_language_without_words_for_questions_is_told_what_it_lacks(english_material: Material, route: Route) -> None:
    with pytest.raises(SettingsError, match="no noun for term") as error:
        Wording(english_material, Pack(), 0).stem(route)
    assert "conf/language/en.yaml, parts.questions.nouns" in str(error.value)
    nouns = english_material.language.part("questions", Pack).nouns
    with pytest.raises(SettingsError, match="no wording for taxonomy>"):
        Wording(english_material, Pack(nouns=nouns), 0).stem(route)
