"""Things that are described alike under different names, for people to decide on; nothing here merges.

In: nodes of a subject in the making, a `Similarity`. Out: findings. Texts are compared in full up to `BUCKET` of them;
more are first sorted into buckets by random planes, several times over, so that the work grows with their number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import ceil, log2

import numpy as np
from rapidfuzz import fuzz

from kg.graph import Finding
from kg.schema import GraphSchema
from kg.similarity import Similarity, Vectors
from merge.entities import Entity
from merge.nodes import described_by
from merge.review import named_together
from merge.vetoes import Vetoes

BUCKET = 4_000
"""Texts that are compared with each other at once."""
TABLES = 6
"""Times that many texts are sorted into buckets; pairs that one time parts may meet another time."""
CHECK = "near_meaning"


def same_meanings(
    entities: Sequence[Entity], schema: GraphSchema, vetoes: Vetoes, similarity: Similarity, cutoff: float
) -> list[Finding]:
    """Questions about pairs of one type with likeness >= `cutoff` in [0, 1], sorted by the nodes' ids.

    Nodes without a description have no meaning to compare. Pairs are not asked about if their names have a veto or one
    quotation speaks of both.
    """
    by_label: dict[str, list[Entity]] = defaultdict(list)
    for entity in sorted(entities, key=lambda entity: entity.id):
        if _text(entity, schema):
            by_label[entity.label].append(entity)
    found: list[Finding] = []
    for label in sorted(by_label):
        members = by_label[label]
        vectors = similarity.vectors([_text(entity, schema) for entity in members])
        for (i, j), score in sorted(near_vectors(vectors, cutoff).items()):
            one, other = members[i], members[j]
            keys = [entity.members[0].unit.key for entity in (one, other)]
            if keys[0] != keys[1] and not vetoes.stated(*keys) and not named_together(one, other):
                found.append(_question(one, other, score))
    return found


def near_vectors(vectors: Vectors, cutoff: float) -> dict[tuple[int, int], float]:
    """Pairs `i < j` of rows with dot product >= `cutoff`: all of them up to `BUCKET` rows, beyond that most."""
    found: dict[tuple[int, int], float] = {}
    for bucket in _buckets(vectors):
        scores = np.triu(vectors[bucket] @ vectors[bucket].T, 1)
        rows, columns = np.nonzero(scores >= cutoff)
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
            found[int(bucket[row]), int(bucket[column])] = round(float(scores[row, column]), 3)
    return found


def _buckets(vectors: Vectors) -> Iterator[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Ascending row numbers, each list at most `BUCKET` long."""
    count, width = vectors.shape
    if count <= BUCKET:
        yield np.arange(count)
        return
    bits = ceil(log2(count / BUCKET)) + 1
    for planes in np.random.default_rng(0).standard_normal((TABLES, width, bits)).astype(np.float32):
        codes = (vectors @ planes > 0) @ (1 << np.arange(bits))
        for code in np.unique(codes):
            members = np.flatnonzero(codes == code)
            for start in range(0, len(members), BUCKET):
                yield members[start : start + BUCKET]


def _text(entity: Entity, schema: GraphSchema) -> str:
    """Name and first description; empty without a description."""
    kind = schema.nodes.get(entity.label)
    unit = entity.members[0].unit
    said = unit.values.get(described_by(kind), ()) if kind else ()
    return f"{unit.names[0][0]}: {said[0].value}" if said else ""


def _question(one: Entity, other: Entity, score: float) -> Finding:
    names = [entity.members[0].unit.names[0][0] for entity in (one, other)]
    keys = [entity.members[0].unit.key for entity in (one, other)]
    details = {"meaning_likeness": score, "name_likeness": round(fuzz.ratio(*keys), 1)}
    message = f"“{names[0]}” and “{names[1]}” are described alike. Are they one thing?"
    return Finding(check=CHECK, action="review", message=message, nodes=(one.id, other.id), details=details)
