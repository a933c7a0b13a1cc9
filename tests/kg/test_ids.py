"""Ids come from content, can be read, and do not collide."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.ids import book_id, node_id, slug


def test_ids_can_be_read() -> None:
    assert node_id("physics", "Concept", "average speed") == "physics:concept:average-speed"
    assert node_id("physics", "Concept", "power", "optics") == "physics:concept:power:optics"
    assert node_id("physics_zh", "Concept", "平均速度") == "physics_zh:concept:平均速度"
    assert book_id("physics", "Book", "physics-8") == "physics:book:physics-8"


@given(st.text(max_size=120), st.text(max_size=120))
def test_different_keys_have_different_ids(one: str, other: str) -> None:
    assert (node_id("s", "Concept", one) == node_id("s", "Concept", other)) is (one == other)


@given(st.text(max_size=200))
def test_slugs_are_short_and_safe(text: str) -> None:
    made = slug(text)
    assert len(made) <= 60
    assert all(character.isalnum() or character in "-_" for character in made)
