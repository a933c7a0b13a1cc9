"""Whether a question and its answer may be taught: each check has a name, and what fails is counted under it.

In: a `Topic` and what was written about it. Out: the name of the first check that fails, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as settings

from derive.pack import Pack
from derive.topics import Topic, shown
from derive.write import Pair
from kg.language import Language
from kg.text import fold, is_cjk, squash, words


@settings(frozen=True, config=ConfigDict(extra="forbid"))
class CheckRules:
    """What counts as enough."""

    script: float = Field(default=0.3, ge=0, le=1)
    """Least share of a text's letters that belong to its language's script."""
    grounded: float = Field(default=0.6, ge=0, le=1)
    """Least share of an answer's content words that the graph or the wording of the question has."""
    shared_words: int = Field(default=8, ge=3)
    """Words in a row (of unspaced languages: `shared_characters`) that make two texts overlap."""
    shared_characters: int = Field(default=13, ge=5)


class Checks:
    """Checks one pair after another; remembers the questions it has let pass."""

    def __init__(self, rules: CheckRules, pack: Pack, language: Language) -> None:
        self._rules, self._pack, self._language = rules, pack, language
        self._script = re.compile(language.script)
        self._asked: set[str] = set()
        own = [*pack.answers.values(), *(text for texts in pack.training.values() for text in texts)]
        self._wording = set(self._content(" ".join(own)))

    def fault(self, topic: Topic, pair: Pair) -> str:
        """The first check that fails: `empty`, `language`, `grounded`, `says_nothing`, `direction`, `duplicate`.

        Empty if none fails.
        """
        if not (pair.question.strip() and pair.answer.strip()):
            return "empty"
        if not (self._in_language(pair.question) and self._in_language(pair.answer)):
            return "language"
        if not self._grounded(topic, pair):
            return "grounded"
        if topic.path in ("node", "relation") and not self._tells(pair):
            return "says_nothing"
        if topic.path == "relation" and not self._directed(topic, pair.question):
            return "direction"
        question = squash(pair.question)
        if question in self._asked:
            return "duplicate"
        self._asked.add(question)
        return ""

    def _in_language(self, text: str) -> bool:
        """Formulas have letters of their own, so single letters do not count; a text without words passes."""
        letters = re.findall(r"[^\W\d_]{2,}", text)
        total = sum(map(len, letters))
        return total == 0 or sum(len(self._script.findall(word)) for word in letters) >= self._rules.script * total

    def _grounded(self, topic: Topic, pair: Pair) -> bool:
        known = [shown(value) for thing in topic.things for value in (thing.name, *thing.properties.values())]
        allowed = set(self._content(" ".join([pair.question, *known, *topic.quotes]))) | self._wording
        said = self._content(pair.answer)
        return not said or sum(word in allowed for word in said) >= self._rules.grounded * len(said)

    def _tells(self, pair: Pair) -> bool:
        """True if the answer has a content word that is in neither the question nor the templates."""
        return bool(set(self._content(pair.answer)) - set(self._content(pair.question)) - self._wording)

    def _content(self, text: str) -> list[str]:
        """Words but the frequent ones; of Han text, pairs of characters."""
        stop = set(self._language.stopwords)
        found: list[str] = []
        for word in words(text):
            if is_cjk(word):
                found += [word[start : start + 2] for start in range(max(1, len(word) - 1))]
            elif word not in stop:
                found.append(word)
        return found

    def _directed(self, topic: Topic, question: str) -> bool:
        """True if the question names the source before the target, and turns nothing round by a negation."""
        asked = fold(question)
        source, target = (fold(thing.name) for thing in topic.things)
        # the longer name is looked for first, so that a name inside the other is not taken for it
        longer, shorter = sorted((source, target), key=len, reverse=True)
        at = {longer: asked.find(longer)}
        rest = asked.replace(longer, "\0" * len(longer), 1)
        at[shorter] = rest.find(shorter)
        if min(at.values()) < 0 or any(word in asked for word in self._pack.negation):
            return False
        return topic.kind == "association" or at[source] < at[target]


def shingles(text: str, rules: CheckRules) -> set[str]:
    """All runs of so many words, or characters of Han text; two texts share one if they share a passage."""
    if is_cjk(text):
        characters, size = squash(text), rules.shared_characters
        return {characters[start : start + size] for start in range(len(characters) - size + 1)}
    found, size = words(text), rules.shared_words
    return {" ".join(found[start : start + size]) for start in range(len(found) - size + 1)}


def overlapping(texts: Sequence[str], others: Iterable[str], rules: CheckRules) -> list[int]:
    """Indices of the texts that share a passage with one of the others."""
    known: set[str] = set()
    for other in others:
        known |= shingles(other, rules)
    return [index for index, text in enumerate(texts) if shingles(text, rules) & known]
