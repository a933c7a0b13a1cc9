"""What a model said about a whole book, put together: claims, what waits for people, and an account of it all.

In: a `Reading`. Out: `Claims` in reading order, findings, a row per chunk, and the figures of the book. The same
reading gives the same bytes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from extract.asking import Exchange
from extract.claims import Claims
from extract.gate import Trust
from extract.reading import Leaf, Reading, State, states
from kg.errors import Failure
from kg.graph import EdgeClaim, Finding, NodeClaim
from kg.language import Language
from kg.names import key
from kg.row import Row

_FIGURES = re.compile(r"\d+")
LOST: dict[State, tuple[str, str]] = {
    "truncated": ("the reply broke off twice; what was complete is kept", "raise extract.model.max_tokens"),
    "unreadable": ("no reply could be read", "raise extract.model.tries to ask again, or try another model"),
}
"""What is said of chunks that did not come through although the server answered, and what helps."""


class ChunkRow(Row):
    """What became of one chunk; everything else follows from the replies kept under `requests`."""

    chunk: str
    state: State
    nodes: int = 0
    edges: int = 0
    review: int = 0
    """Proposals that wait for a person."""
    faults: dict[str, int] = {}
    """Left out, by reason."""
    mended: tuple[str, ...] = ()
    """What was wrong with the replies' JSON."""
    requests: tuple[str, ...] = ()
    """Keys of the replies in the cache."""
    reason: str = ""
    """Why something is missing."""
    raw: str = ""
    """A reply that could not be read."""


@dataclass(frozen=True)
class Account:
    """Everything about a book that goes to disk."""

    claims: Claims
    findings: tuple[Finding, ...]
    chunks: tuple[ChunkRow, ...]
    figures: dict[str, Any]


def account(reading: Reading, book: str, language: Language, trust: Trust) -> Account:
    """The account of a book. Doubtful claims that another passage of the book proves are left out."""
    leaves = reading.leaves
    nodes = list(dict.fromkeys(_frozen(node for leaf in leaves for node in leaf.judged.nodes)))
    edges = list(dict.fromkeys(_frozen(edge for leaf in leaves for edge in leaf.judged.edges)))
    kept, proven = _sure([EdgeClaim.model_validate_json(edge) for edge in edges], language, trust)
    dropped = [_dropped(leaf, fault.code, fault.what) for leaf in leaves for fault in leaf.judged.faults]
    dropped += [_failure(edge.section, "proven elsewhere", _pair(edge)) for edge in proven]
    findings = {finding.to_json(): finding for leaf in leaves for finding in leaf.judged.findings}
    claims = Claims(
        tuple(NodeClaim.model_validate_json(node) for node in nodes),
        tuple(kept),
        tuple(dropped),
        tuple(_failures(leaves, book)),
    )
    return Account(claims, tuple(findings.values()), tuple(_row(leaf) for leaf in leaves), figures(reading, claims))


def _frozen(claims: Iterable[NodeClaim | EdgeClaim]) -> list[str]:
    return [claim.model_dump_json() for claim in claims]


def _sure(edges: Sequence[EdgeClaim], language: Language, trust: Trust) -> tuple[list[EdgeClaim], list[EdgeClaim]]:
    """The edges to hand on; and the doubtful ones that the book proves elsewhere, whose quotes must not mix with it."""

    def identity(edge: EdgeClaim) -> tuple[str, ...]:
        ends = (edge.source, edge.target)
        return (edge.type, *(f"{end.label}:{key(end.name, language)}" for end in ends))

    proven = {identity(edge) for edge in edges if edge.confidence > trust.doubtful}
    doubtful = [edge for edge in edges if edge.confidence <= trust.doubtful and identity(edge) in proven]
    return [edge for edge in edges if edge not in doubtful], doubtful


def _failures(leaves: Sequence[Leaf], book: str) -> list[Failure]:
    """One per reason, with the number of chunks it concerns; reasons that differ in figures only are one."""
    found: dict[str, list[Failure]] = defaultdict(list)
    for leaf in leaves:
        for lost in (exchange.failure for exchange in leaf.exchanges if exchange.failure):
            found[_FIGURES.sub("#", lost.what)].append(
                Failure(stage="extract", item=book, what=lost.what, remedy=lost.hint, retry=True)
            )
        if leaf.state in LOST:
            what, remedy = LOST[leaf.state]
            found[what].append(Failure(stage="extract", item=book, what=what, remedy=remedy))
    return [
        first.model_copy(update={"what": f"{len(same)} of {len(leaves)} chunks: {first.what}"})
        for same in found.values()
        for first in same[:1]
    ]


def _row(leaf: Leaf) -> ChunkRow:
    said = [exchange.said for exchange in leaf.exchanges if exchange.said]
    lost = [str(exchange.failure) for exchange in leaf.exchanges if exchange.failure]
    sure = [claim for claim in leaf.judged.edges if claim.evidence]
    return ChunkRow(
        chunk=leaf.chunk.key,
        state=leaf.state,
        nodes=len(leaf.judged.nodes),
        edges=len(sure),
        review=len(leaf.judged.findings),
        faults=dict(sorted(Counter(fault.code for fault in leaf.judged.faults).items())),
        mended=tuple(sorted({word for one in said for word in one.mended})),
        requests=tuple(one for exchange in leaf.exchanges for one in exchange.requests),
        reason="; ".join(lost) or LOST.get(leaf.state, ("",))[0],
        raw=next((exchange.raw for exchange in leaf.exchanges if exchange.raw and leaf.state == "unreadable"), ""),
    )


def figures(reading: Reading, claims: Claims) -> dict[str, Any]:
    """Counts of a book, and the share of what was proposed that the book supports."""
    leaves = reading.leaves
    support = Counter(f"{kind} {grade}" for leaf in leaves for kind, grade in leaf.judged.support)
    proposed = sum(support.values())
    good = sum(count for name, count in support.items() if name.split()[1] in ("verbatim", "fuzzy", "mention_only"))
    exchanges: list[Exchange] = [exchange for leaf in leaves for exchange in leaf.exchanges]
    return {
        "chunks": states(reading),
        "replies": sum(len(exchange.requests) for exchange in exchanges),
        "tokens": {
            "prompt": sum(exchange.usage.prompt for exchange in exchanges),
            "completion": sum(exchange.usage.completion for exchange in exchanges),
        },
        "nodes": len(claims.nodes),
        "edges": len(claims.edges),
        "proposed": proposed,
        "supported": round(good / proposed, 4) if proposed else None,
        "support": dict(sorted(support.items())),
        "descriptions in other words": sum(leaf.judged.worded for leaf in leaves),
        "left out": dict(sorted(Counter(fault.code for leaf in leaves for fault in leaf.judged.faults).items())),
        "passes": reading.passes,
        "not terms": sorted({name for leaf in leaves for name in leaf.rejected}),
        "answered by": sorted({model for exchange in exchanges for model in exchange.models if model}),
        "prompts": sorted({exchange.rule for exchange in exchanges}),
    }


def _dropped(leaf: Leaf, code: str, what: str) -> Failure:
    return _failure(leaf.chunk.section.row.id, code, what)


def _failure(section: str, code: str, what: str) -> Failure:
    return Failure(stage="extract", item=section, what=f"{code}: {what}")


def _pair(edge: EdgeClaim) -> str:
    return f"{edge.type} {edge.source.name} -> {edge.target.name}"
