"""Edges that too little speaks for.

In: a `View`. Out: edges below the least confidence, set aside for people.
"""

from __future__ import annotations

from collections.abc import Iterator

from kg.graph import Finding
from validate.cycles import ACCEPTED
from validate.view import View


def findings(view: View, least: float) -> Iterator[Finding]:
    """Edges with a stated confidence below `least` (in [0, 1]) that nobody accepted."""
    for edge in view.edges:
        sure = edge.properties.get("confidence")
        if isinstance(sure, int | float) and sure < least and not edge.properties.get(ACCEPTED):
            ends = f"“{view.name(edge.source)}” → “{view.name(edge.target)}”"
            message = f"{edge.type} {ends} is doubtful (confidence {sure:.2f}); it waits for a person."
            yield Finding(check="doubtful", action="set_aside", message=message, edge=edge.key())
