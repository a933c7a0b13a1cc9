"""How far two extractions of the same books agree: two runs, two models, or two extractors.

In: the claims of both. Out: an `Agreement`: Jaccard of nodes and edges, over all and per section, and what only one
of them has.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from extract.claims import Claims
from kg.errors import InputError
from kg.graph import EdgeClaim, NodeClaim, Ref
from kg.language import Language
from kg.names import key

Identity = tuple[str, ...]
_CLAIM: TypeAdapter[NodeClaim | EdgeClaim] = TypeAdapter(NodeClaim | EdgeClaim)
MOST_SECTIONS = 20
"""Sections that a summary names, those that agree least."""


def node_identity(claim: NodeClaim, language: Language) -> Identity:
    """Type and canonical name."""
    return (claim.label, key(claim.name, language))


def edge_identity(claim: EdgeClaim, language: Language) -> Identity:
    """Type and canonical names of both ends."""

    def end(ref: Ref) -> str:
        return f"{ref.label}:{key(ref.name, language)}"

    return (claim.type, end(claim.source), end(claim.target))


@dataclass(frozen=True)
class Overlap:
    """What two sets have in common."""

    both: frozenset[Identity]
    first: frozenset[Identity]
    """Only in the first."""
    second: frozenset[Identity]

    @property
    def jaccard(self) -> float | None:
        """Shared part of everything, in [0, 1]; none if there is nothing."""
        every = len(self.both) + len(self.first) + len(self.second)
        return round(len(self.both) / every, 4) if every else None


@dataclass(frozen=True)
class Agreement:
    """Nodes and edges of two extractions, over all and per section."""

    nodes: Overlap
    edges: Overlap
    sections: Mapping[str, tuple[Overlap, Overlap]]
    """Section id -> its nodes, its edges."""

    def summary(self) -> dict[str, Any]:
        """The figures, and the sections that agree least."""
        rows = [
            {"section": section, "nodes": nodes.jaccard, "edges": edges.jaccard, "differ": _differ(nodes, edges)}
            for section, (nodes, edges) in self.sections.items()
        ]
        worst = sorted(rows, key=lambda row: (-int(str(row["differ"])), str(row["section"])))
        return {
            "nodes": self.nodes.jaccard,
            "edges": self.edges.jaccard,
            "least agreement": [row for row in worst if row["differ"]][:MOST_SECTIONS],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Everything only one of the two has, section by section, those with most of it first."""
        found = []
        order = sorted(self.sections, key=lambda section: (-_differ(*self.sections[section]), section))
        for section in order:
            for kind, overlap in zip(("node", "edge"), self.sections[section], strict=True):
                for which, names in (("first", overlap.first), ("second", overlap.second)):
                    found += [{"section": section, "kind": kind, "only": which, "what": list(n)} for n in sorted(names)]
        return found


def agreement(one: Claims, other: Claims, language: Language) -> Agreement:
    """How far two extractions of one book agree."""
    nodes = [_by_section((c.section, node_identity(c, language)) for c in claims.nodes) for claims in (one, other)]
    edges = [_by_section((c.section, edge_identity(c, language)) for c in claims.edges) for claims in (one, other)]
    sections = sorted({section for found in (*nodes, *edges) for section in found})
    per = {
        section: (_overlap(nodes[0][section], nodes[1][section]), _overlap(edges[0][section], edges[1][section]))
        for section in sections
    }
    return Agreement(_overlap(*map(_all, nodes)), _overlap(*map(_all, edges)), per)


def read_claims(path: Path) -> Claims:
    """The claims of a file. Raises InputError naming file and line if one is none."""
    found: list[NodeClaim | EdgeClaim] = []
    with path.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                found.append(_CLAIM.validate_python(json.loads(line)))
            except ValueError as error:
                raise InputError(f"no claim: {str(error).splitlines()[0]}", where=f"{path}, line {number}") from None
    return Claims(
        tuple(claim for claim in found if isinstance(claim, NodeClaim)),
        tuple(claim for claim in found if isinstance(claim, EdgeClaim)),
    )


def _by_section(pairs: Iterable[tuple[str, Identity]]) -> defaultdict[str, set[Identity]]:
    found: defaultdict[str, set[Identity]] = defaultdict(set)
    for section, identity in pairs:
        found[section].add(identity)
    return found


def _all(found: Mapping[str, set[Identity]]) -> set[Identity]:
    return {identity for identities in found.values() for identity in identities}


def _overlap(one: set[Identity], other: set[Identity]) -> Overlap:
    return Overlap(frozenset(one & other), frozenset(one - other), frozenset(other - one))


def _differ(nodes: Overlap, edges: Overlap) -> int:
    return sum(len(found) for overlap in (nodes, edges) for found in (overlap.first, overlap.second))
