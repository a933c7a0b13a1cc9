"""Whether an answer is right: by its type, not by how much it looks like the answer.

In: items, answers. Out: yes or no, and a likeness beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from derive.material import Material
from derive.paths.value import Values
from kg.item import Item
from kg.names import key
from kg.similarity import Similarity, Vectors

_FIRST = re.compile(r"[^\s,，;；:：.。]+")
LONGEST = 40
"""Most words (or, where words are not spaced, tens of characters) of an answer in which a name may stand."""


class Grader:
    """Grades answers to open questions."""

    def __init__(self, material: Material, values: Values, similarity: Similarity) -> None:
        self._m, self._values, self._similarity = material, values, similarity
        self._names: dict[str, frozenset[str]] = {}

    def right(self, item: Item, answer: str | None, wrong: Sequence[str] = ()) -> bool:
        """True if the answer says an accepted text, or another name of the node that it is.

        A number is compared with its unit, a date by its parts. A name may stand in a sentence that names nothing
        known to be `wrong`.
        """
        if not answer or not answer.strip():
            return False
        if item.answer_type not in ("", "entity"):
            return self._same(item, answer)
        names = self._accepted(item)
        if key(answer, self._m.language) in names:
            return True
        keyed = self._m.words.keyed(answer)
        if len(keyed.split() if self._m.language.spaces else keyed[::10]) > LONGEST:
            return False
        others = [*wrong, *item.origin.get("incorrect", ())]
        denied = any(self._stands({key(other, self._m.language)} - names, keyed) for other in others)
        return self._stands(names, keyed) and not denied

    def _same(self, item: Item, answer: str) -> bool:
        read = [self._values.read(answer, choices=True)]
        if item.answer_type == "number":
            read += self._values.quantities(answer)[-1:]
        if item.answer_type == "choice":
            read += [self._values.read(word, choices=True) for word in _FIRST.findall(answer)[:1]]
        wanted = [self._values.read(text, choices=bool(item.origin.get("choices"))) for text in item.accepted]
        return any(self._values.same(one, other) for one in read for other in wanted)

    def _accepted(self, item: Item) -> frozenset[str]:
        if item.id not in self._names:
            found = {key(text, self._m.language) for text in item.accepted}
            for node in item.origin.get("sure", ()):
                found |= self._m.words.names(node)
            self._names[item.id] = frozenset(found)
        return self._names[item.id]

    def _stands(self, names: frozenset[str] | set[str], keyed: str) -> bool:
        bound = " " if self._m.language.spaces else ""
        return any(len(name) > 1 and f"{bound}{name}{bound}" in keyed for name in names)

    def likeness(self, pairs: Sequence[tuple[Item, str | None]]) -> list[float]:
        """For each pair the likeness of the answer and the accepted text it is most like; 0 for no answer."""
        texts = sorted({text for item, answer in pairs for text in (*item.accepted, answer or "") if text})
        rows = {text: row for text, row in zip(texts, self._similarity.vectors(texts), strict=True)}
        return [self._most(rows, item, answer) if answer else 0.0 for item, answer in pairs]

    def _most(self, rows: Mapping[str, Vectors], item: Item, answer: str) -> float:
        own = rows[answer]
        return max((round(max(0.0, min(1.0, float(rows[text] @ own))), 6) for text in item.accepted), default=0.0)
