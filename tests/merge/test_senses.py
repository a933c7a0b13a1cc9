"""When one name is two things."""

from __future__ import annotations

from dataclasses import replace

from merge.rows import Said, Unit
from merge.senses import Limits, best, likeness

SURE = (Said(section="s", extractor="rules", rule="listed_definition", confidence=0.98),)


def a_unit(words: str, context: str, said: tuple[Said, ...] = SURE) -> Unit:
    """A use of a name, described and surrounded by these words."""
    return Unit(
        label="Concept",
        key="cell",
        chapter="c",
        chapter_title="C",
        names=(("cell", 1),),
        at=(0, 0),
        sections=("s",),
        values={},
        said=said,
        words=tuple(words.split()),
        context=tuple(context.split()),
    )


BIOLOGY = a_unit("smallest living organism membrane", "organism nucleus tissue membrane plant animal")
CIRCUIT = a_unit("device chemical energy electric", "current battery voltage wire circuit electric")
LIMITS = Limits()


def test_strangers_in_every_respect_are_two_things() -> None:
    assert likeness(BIOLOGY, CIRCUIT, LIMITS).apart(LIMITS)
    assert best(BIOLOGY, [CIRCUIT], LIMITS) is None


def test_one_shared_word_of_the_definitions_keeps_them_together() -> None:
    other = a_unit("living building block", "wire battery")
    assert not likeness(BIOLOGY, other, LIMITS).apart(LIMITS)


def test_other_words_in_the_same_company_are_one_thing() -> None:
    other = a_unit("building block everything alive", "tissue plant animal body")
    assert not likeness(BIOLOGY, other, LIMITS).apart(LIMITS)


def test_a_definition_told_in_words_around_the_other_is_one_thing() -> None:
    other = a_unit("part tissue plant", "leaf root")
    like = likeness(BIOLOGY, other, LIMITS)
    assert like.crossed > LIMITS.crossed
    assert not like.apart(LIMITS)


def test_what_is_no_definition_tells_nothing_apart() -> None:
    unsure = (replace(SURE[0], confidence=0.6),)
    mention = a_unit("device chemical energy electric", "current battery", unsure)
    assert not likeness(BIOLOGY, mention, LIMITS).apart(LIMITS)
    short = a_unit("device", "current battery")
    assert not likeness(BIOLOGY, short, LIMITS).apart(LIMITS)
    assert likeness(BIOLOGY, short, LIMITS).score(LIMITS) == 1.0


def test_the_most_alike_of_several_uses_counts() -> None:
    near = a_unit("smallest living organism", "tissue")
    like = best(BIOLOGY, [CIRCUIT, near], LIMITS)
    assert like is not None
    assert like.said == 1.0
