"""Two extractors on one book: their claims united, and what each of them missed.

In: the claims of both. Out: claims that both make are surer, those of one stay as sure as that one is; and the audit:
how far they agree per section, what only one of them found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from extract.claims import Claims
from extract.stability import Identity, agreement, edge_identity, node_identity
from kg.graph import EdgeClaim, NodeClaim
from kg.language import Language
from kg.schema import GraphSchema

MOST_LISTED = 200
"""Names that the audit lists."""


def united(offline: Claims, model: Claims, language: Language, schema: GraphSchema) -> tuple[Claims, dict[str, Any]]:
    """Everything either of them claims, the offline extractor's first; and the audit of the two."""
    nodes = _surer(offline.nodes, model.nodes, language)
    edges = _surer(offline.edges, model.edges, language)
    claims = Claims(
        tuple(claim for claim in nodes if isinstance(claim, NodeClaim)),
        tuple(claim for claim in edges if isinstance(claim, EdgeClaim)),
        (*offline.dropped, *model.dropped),
        (*offline.failures, *model.failures),
    )
    return claims, _audit(offline, model, language, schema)


def _surer(
    one: Sequence[NodeClaim | EdgeClaim], other: Sequence[NodeClaim | EdgeClaim], language: Language
) -> list[NodeClaim | EdgeClaim]:
    """All claims; a claim that the other extractor makes as well is doubted only as far as both are wrong at once."""
    best: list[dict[Identity, float]] = [{}, {}]
    for at, claims in enumerate((one, other)):
        for claim in claims:
            name = _identity(claim, language)
            best[at][name] = max(best[at].get(name, 0.0), claim.confidence)
    found: list[NodeClaim | EdgeClaim] = []
    for at, claims in enumerate((one, other)):
        for claim in claims:
            also = best[1 - at].get(_identity(claim, language), 0.0)
            sure = round(1.0 - (1.0 - claim.confidence) * (1.0 - also), 4)
            found.append(claim.model_copy(update={"confidence": sure}) if also else claim)
    return found


def _identity(claim: NodeClaim | EdgeClaim, language: Language) -> Identity:
    return node_identity(claim, language) if isinstance(claim, NodeClaim) else edge_identity(claim, language)


def _audit(offline: Claims, model: Claims, language: Language, schema: GraphSchema) -> dict[str, Any]:
    """How much of what the book marks the model found, what it added, and where the two disagree most."""
    term = schema.node_type("term")
    marked = {node_identity(claim, language): claim.name for claim in offline.nodes if claim.label == term}
    said = {node_identity(claim, language): claim.name for claim in model.nodes if claim.label == term}
    both = set(marked) & set(said)
    return {
        "terms both found": len(both),
        "share of the offline extractor's terms that the model found": _share(len(both), len(marked)),
        "terms only the model found": _names(name for at, name in said.items() if at not in marked),
        "terms the model missed": _names(name for at, name in marked.items() if at not in said),
        "agreement": agreement(offline, model, language).summary(),
    }


def _names(names: Iterable[str]) -> list[str]:
    return sorted(set(names))[:MOST_LISTED]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
