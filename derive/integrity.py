"""What must never be wrong with an item, looked up again in the finished file rather than trusted.

In: items and the material they were made from. Out: one count per fault; all zero if all is well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from derive.material import Material
from kg.item import Item
from kg.text import one_line


def faults(items: Sequence[Item], material: Material) -> dict[str, int]:
    """Fault -> number of items that have it."""
    texts = Counter(one_line(item.question) for item in items)
    ids = Counter(item.id for item in items)
    return {
        "duplicate_option": sum(len(set(item.options.values())) < len(item.options) for item in items),
        "gold_missing": sum(not _golds_shown(item) for item in items),
        "alias_as_distractor": sum(_has_alias(item, material) for item in items),
        "gold_as_distractor": sum(_gold_unmarked(item, material) for item in items),
        "repeated_question": sum(texts[one_line(item.question)] > 1 for item in items),
        "repeated_id": sum(ids[item.id] > 1 for item in items),
        "without_path": sum(not choice.path for item in items for choice in item.choices.values() if choice.right),
    }


def _golds_shown(item: Item) -> bool:
    marked = {letter for letter, choice in item.choices.items() if choice.right}
    return bool(item.answer) and set(item.answer) == marked and marked < set(item.options)


def _wrong(item: Item) -> list[str]:
    return [choice.id for choice in item.choices.values() if not choice.right]


def _has_alias(item: Item, material: Material) -> bool:
    """True if a wrong option is the query or a right option under another name."""
    fixed = {item.query, *(choice.id for choice in item.choices.values() if choice.right)}
    if any(material.view.role(node) in ("section", "chapter") for node in _wrong(item)):
        return bool(fixed & set(_wrong(item)))
    return any(fixed & {node, *material.words.twins.get(node, ())} for node in _wrong(item))


def _gold_unmarked(item: Item, material: Material) -> bool:
    """True if an edge that makes a right option right also leads to a wrong one."""
    view, wrong = material.view, set(_wrong(item))
    for choice in item.choices.values():
        for kind, source, target in choice.path:
            role = view.schema.edges[kind].role
            if len(choice.path) > 1 or role == "location":
                continue
            others = view.after(item.query, role) if source == item.query else view.before(item.query, role)
            if wrong & set(others) and {source, target} & {item.query}:
                return True
    return False
