"""Does one name mean one thing in two places? Compares what is said there, and what stands around it.

In: two `Unit`s with one name. Out: a `Likeness`. Two are `apart` only if both are defined, the definitions share no
word, neither uses many words of the other's surroundings, and the surroundings themselves are strangers: the same
concept in other words keeps some of its company, another concept of that name does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from merge.rows import Unit

MOST_COMPARED = 8
"""Units of one node that a newcomer is compared with; a name used in every chapter stays cheap."""


@dataclass(frozen=True)
class Limits:
    """Where likeness ends."""

    company: float = 0.1
    """Share of surrounding words in common below which two surroundings are strangers."""
    crossed: float = 0.2
    """Share of one description's words that the other surroundings may hold by chance."""
    defined: float = 0.9
    """Confidence of a claim from which its description is taken for a definition."""
    differ: float = 0.1
    """Share of describing words in common below which people are asked whether the two descriptions agree."""
    fewest: int = 2
    """Content words a description needs before it can tell things apart."""
    compared: int = 3
    """Content words two descriptions need before people are asked because they share too few."""


@dataclass(frozen=True)
class Likeness:
    """How much two uses of a name have in common; all in [0, 1]."""

    said: float
    """Of the words that describe them, by the smaller description."""
    crossed: float
    """Of the words that describe one, among the words around the other; the larger of both ways."""
    company: float
    """Of the words around them, by the smaller surrounding."""
    words: int
    """Content words of the shorter description; 0 unless both are definitions."""

    def apart(self, limits: Limits) -> bool:
        """True if they are two things."""
        return self.words >= limits.fewest and self._strangers(limits)

    def doubtful(self, limits: Limits) -> bool:
        """True if people should see that the two were taken for one thing."""
        differ = self.words >= limits.compared and self.said < limits.differ
        return differ or (self.words > 0 and self._strangers(limits))

    def _strangers(self, limits: Limits) -> bool:
        """Nothing that is said or stands around them brings them together."""
        return not self.said and self.crossed < limits.crossed and self.company < limits.company

    def score(self, limits: Limits) -> float:
        """The likeness shown to people: of what is said; 1 if that cannot be compared."""
        return round(self.said, 3) if self.words >= limits.compared else 1.0


def likeness(one: Unit, other: Unit, limits: Limits) -> Likeness:
    """What two uses of one name share."""
    return Likeness(
        said=_share(one.words, other.words),
        crossed=max(_part(one.words, other.context), _part(other.words, one.context)),
        company=_share(one.context, other.context),
        words=min(len(one.words), len(other.words)) if _defined(one, limits) and _defined(other, limits) else 0,
    )


def best(unit: Unit, others: Sequence[Unit], limits: Limits) -> Likeness | None:
    """The likeness to the most alike of the first few others; none if it is apart from all of them."""
    found = [likeness(unit, other, limits) for other in others[:MOST_COMPARED]]
    together = [like for like in found if not like.apart(limits)]
    return max(together, key=lambda like: (like.said, like.crossed, like.company), default=None)


def _defined(unit: Unit, limits: Limits) -> bool:
    return max((said.confidence for said in unit.said), default=0.0) >= limits.defined


def _share(one: Collection[str], other: Collection[str]) -> float:
    smaller = min(len(one), len(other))
    return len(set(one) & set(other)) / smaller if smaller else 0.0


def _part(said: Iterable[str], around: Collection[str]) -> float:
    listed = list(said)
    return len(set(listed) & set(around)) / len(listed) if listed else 0.0
