"""Questions that the graph does not ask itself: what a model could not prove, and what two extractions disagree on.

In: `extract/*/findings.jsonl`, and `review/disagreements.jsonl` where somebody put it (`python -m extract RUN RUN
out=RUN/review/disagreements.jsonl`). Out: proposed nodes that are not in the graph, and findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import ValidationError

from kg.decisions import Outcome
from kg.errors import InputError, first_problem
from kg.graph import Edge, Finding, Node
from kg.names import key
from kg.project import Project
from kg.proposal import proposed, word_on
from kg.row import Row

PROPOSED = "extract/*/findings.jsonl"
DISAGREEMENTS = "review/disagreements.jsonl"
DISAGREEMENT = "disagreement"
MESSAGE = "Only one of two extractions has {}."


class Difference(Row):
    """One line of the file of disagreements."""

    book: str
    section: str
    kind: Literal["node", "edge"]
    only: str
    what: tuple[str, ...]
    """Type and key of the name; of an edge its type, and type and key of both ends joined by `:`."""


def proposals(project: Project, known: Mapping[str, Node]) -> dict[str, tuple[Node, Finding]]:
    """By id: every proposed node that no book proves, and why it is asked about; of several with one id the first."""
    found: dict[str, tuple[Node, Finding]] = {}
    for name in project.store.names(PROPOSED):
        for finding in project.store.read_rows(name, Finding):
            node = proposed(finding, project.subject, project.languages)
            if node is not None and node.id not in known and node.id not in found:
                message = f"{finding.message} The model quotes: “{finding.details['quote']}”"
                found[node.id] = (node, finding.model_copy(update={"nodes": (node.id,), "message": message}))
    return found


def heard(
    outcomes: Sequence[Outcome], proposals: Mapping[str, tuple[Node, Finding]], project: Project
) -> list[Outcome]:
    """The outcomes, where a proposal stays outside by people's word: that it is not in the graph is what they said."""
    rows = []
    for row in outcomes:
        node = proposals.get(row.decision.about[0], (None,))[0] if row.decision.kind == "node" else None
        fits = node is not None and word_on(node, [row.decision], project.schema) is not None
        rows.append(row.model_copy(update={"outcome": "applied"}) if fits and row.outcome == "vanished" else row)
    return rows


def disagreements(project: Project, nodes: Mapping[str, Node], edges: Sequence[Edge]) -> list[Finding]:
    """What only one of two extractions has, as far as it is in this graph.

    Raises InputError if the file is not what `python -m extract` writes.
    """
    if not project.store.exists(DISAGREEMENTS):
        return []
    ids, known = _by_name(project, nodes), {edge.key() for edge in edges}
    found = []
    for row in _differences(project):
        if row.kind == "node" and (node := ids.get(":".join(row.what))):
            said = f"{nodes[node].label} “{nodes[node].name}”"
            found.append(Finding(check=DISAGREEMENT, action="review", message=MESSAGE.format(said), nodes=(node,)))
        elif row.kind == "edge" and (edge := _edge(row.what, ids, project)) in known:
            said = f"{edge[0]} “{nodes[edge[1]].name}” → “{nodes[edge[2]].name}”"
            found.append(Finding(check=DISAGREEMENT, action="review", message=MESSAGE.format(said), edge=edge))
    return found


def _differences(project: Project) -> list[Difference]:
    try:
        return list(project.store.read_rows(DISAGREEMENTS, Difference))
    except ValidationError as error:
        where = str(project.store.path(DISAGREEMENTS))
        raise InputError(first_problem(error), where=where, remedy="write it with python -m extract") from None


def _edge(what: tuple[str, ...], ids: Mapping[str, str], project: Project) -> tuple[str, str, str]:
    """Its key in the graph; names that are not there are empty ids."""
    kind, source, target = what[0], ids.get(what[1], ""), ids.get(what[2], "")
    known = project.schema.edges.get(kind)
    if known is not None and known.symmetric and target < source:
        source, target = target, source
    return (kind, source, target)


def _by_name(project: Project, nodes: Mapping[str, Node]) -> dict[str, str]:
    """`Concept:average speed` -> id, for every name, stem and then alias, in whatever language its book may have."""
    kinds = project.schema.nodes
    names = [(node, node.name) for node in nodes.values()]
    stems = ((node, node.properties.get(kinds[node.label].key)) for node in nodes.values() if node.label in kinds)
    names += [(node, str(stem)) for node, stem in stems if stem]
    names += [(node, str(alias)) for node in nodes.values() for alias in node.properties.get("aliases", ())]
    found: dict[str, str] = {}
    for node, name in names:
        for language in project.languages.values():
            found.setdefault(f"{node.label}:{key(name, language)}", node.id)
    return found
