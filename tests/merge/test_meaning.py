"""What is described alike is shown to people, and never merged."""

from __future__ import annotations

import numpy as np
import pytest

from kg.similarity import HashedNgrams, unit_rows
from merge import meaning
from merge.meaning import near_vectors
from merge.senses import Limits
from merge.subject import Choices
from tests.merge.conftest import Merging
from tests.merge.shelf import ABook

PLAIN = Choices((), 85.0, Limits(), 0.0)
COMPARING = Choices((), 85.0, Limits(), 0.0, HashedNgrams(), 0.7)
TWIN = "Stubbornness of matter is the resistance of a body to any change of its motion."
TEXTS = {
    "Inertia": "Inertia is the resistance of a body to any change of its motion.",
    "Stubbornness of matter": TWIN,
    "Wave": "A wave carries energy from place to place.",
}


def book() -> ABook:
    made = ABook("physics-8", {"Motion": {"Rest": list(TEXTS.values())}}, order=1)
    made.claims += [made.term(name, text) for name, text in TEXTS.items()]
    return made


def test_two_names_described_alike_are_asked_about_and_stay_two(merging: Merging) -> None:
    graph = merging(book(), choices=COMPARING)
    (finding,) = graph.asked("near_meaning")
    assert finding.nodes == ("physics:concept:inertia", "physics:concept:stubbornness-of-matter")
    assert finding.action == "review"
    plain = merging(book(), choices=PLAIN)
    assert plain.asked("near_meaning") == []
    assert (graph.nodes, graph.edges, graph.joins) == (plain.nodes, plain.edges, plain.joins)


def test_a_veto_on_the_names_outweighs_what_is_said(merging: Merging) -> None:
    texts = [f"The {which} law tells how bodies move when pushed by others." for which in ("first", "second")]
    made = ABook("physics-8", {"Motion": {"Laws": texts}}, order=1)
    made.claims += [made.term(f"{which} law", text) for which, text in zip(("first", "second"), texts, strict=True)]
    assert merging(made, choices=COMPARING).asked("near_meaning") == []


def test_many_texts_are_compared_in_buckets_and_twins_still_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    mixed = np.random.default_rng(3)
    rows = mixed.standard_normal((300, 64)).astype(np.float32)
    twins = rows[:60] + 0.1 * mixed.standard_normal((60, 64)).astype(np.float32)
    vectors = unit_rows(np.concatenate([rows, twins]))
    every = near_vectors(vectors, 0.9)
    assert set(every) == {(at, 300 + at) for at in range(60)}
    monkeypatch.setattr(meaning, "BUCKET", 100)
    some = near_vectors(vectors, 0.9)
    assert len(some) >= 0.95 * len(every) and some.items() <= every.items()
