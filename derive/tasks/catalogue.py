"""All tasks by name. A new one is a function in a family's file, a line here, and wordings in the packs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from derive.draft import Draft
from derive.material import Material
from derive.tasks import evidence, ground, locate, neighbor, prereq

Task = Callable[[Material], Iterator[Draft]]

TASKS: Mapping[str, Task] = {
    "ground_1": ground.tested,
    "ground_2": ground.tests,
    "prereq_1": prereq.before,
    "prereq_2": prereq.after,
    "neighbor": neighbor.neighbors,
    "evidence_1": evidence.verified_by,
    "evidence_2": evidence.verifies,
    "locate_1": locate.first_seen,
    "locate_2": locate.chapters,
}
"""In the order in which they are made and shown; the family is the name up to `_`."""
