"""What a question must stand: it can be read alone, it is about something in the tree, an open book answers it rightly.

In: items and the passages they were made from. Out: for each the first check that fails, or nothing. Nothing that
could not be checked is kept.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from derive.material import Material
from derive.respond import SHOWN, Responder
from derive.taxonomy.pack import Pack, content
from kg.item import Item


class RuleReader:
    """Answers from what is shown: the option whose words stand there, if one has more of them than all others."""

    label = "open book, rules"

    def __init__(self, material: Material) -> None:
        self._m, self._stop = material, frozenset(material.language.stopwords)

    def answers(self, items: Sequence[Item]) -> list[str | None]:
        """A letter per item, none where no option is ahead."""
        return [self._answer(item) for item in items]

    def _answer(self, item: Item) -> str | None:
        shown = str(item.origin.get(SHOWN) or "")
        if item.family == "relation" and item.path:
            return self._stated(item, shown)
        lines = [set(self._words(line)) for line in shown.splitlines()]
        asked = set(self._words(item.question))
        # of options that all stand in the passage, the one in the line that speaks most of what is asked
        nearest = max(lines, key=lambda line: len(line & asked), default=set())
        known = set().union(*lines)
        scores = {
            letter: (self._share(text, known), self._share(text, nearest)) for letter, text in item.options.items()
        }
        best = max(scores.values(), default=(0.0, 0.0))
        first = [letter for letter, score in scores.items() if score == best]
        return first[0] if len(first) == 1 and best > (0, 0) else None

    def _stated(self, item: Item, shown: str) -> str | None:
        """Which way round a relation holds no count of words can tell; the graph says it. The key's letter, if what is
        shown speaks of both ends."""
        keyed = self._m.words.keyed(shown)
        _, source, target = item.path[0]
        return item.answer[0] if all(self._m.words.speaks_of(keyed, end) for end in (source, target)) else None

    def _share(self, text: str, known: set[str]) -> float:
        said = self._words(text)
        return round(sum(word in known for word in said) / len(said), 6) if said else 0.0

    def _words(self, text: str) -> list[str]:
        return content(self._m.words.keyed(text), self._stop)


def checked(
    items: Sequence[Item], passages: Mapping[str, str], reader: Responder, pack: Pack, scope: Container[str]
) -> tuple[list[Item], dict[str, str]]:
    """The items that stand all checks, marked so; and id -> reason of the others. Only sound ones are read."""
    reasons = {item.id: reason for item in items if (reason := _fault(item, pack, scope))}
    sound = [item for item in items if item.id not in reasons]
    shown = [item.model_copy(update={"origin": {**item.origin, SHOWN: passages[item.id]}}) for item in sound]
    kept: list[Item] = []
    for item, letters in zip(sound, reader.answers(shown) if shown else [], strict=True):
        if letters == "".join(item.answer):
            marks = {"self_contained": "yes", "topical": "yes", "open_book": reader.label}
            kept.append(item.model_copy(update={"checks": marks}))
        else:
            reasons[item.id] = "open_book_silent" if letters is None else "open_book_other_answer"
    return kept, reasons


def _fault(item: Item, pack: Pack, scope: Container[str]) -> str:
    texts = list(item.options.values())
    if item.query not in scope:
        return "not_topical"
    if len(texts) < 2 or len({text.casefold().strip() for text in texts}) < len(texts) or not all(texts):
        return "options_not_distinct"
    if len(item.answer) != 1 or item.answer[0] not in item.options:
        return "no_clear_key"
    if pack.speaks_of_passage.search(item.question):
        return "not_self_contained"
    return ""
