"""People's word on single nodes and edges: kept, changed or removed as decided.

In: the merged graph and decisions. Out: the graph with confirmed and corrected nodes and edges, a finding for
everything that people took out and for every decision that no longer fits, and what became of each decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kg.decisions import ACCEPTED, Decision, Outcome, edge_content, node_content
from kg.graph import Edge, Finding, Node
from kg.schema import GraphSchema
from kg.text import squash
from merge.desk import united

Key = tuple[str, str, str]


@dataclass
class Decided:
    """A graph with its decisions applied."""

    schema: GraphSchema
    forwards: Mapping[str, str]
    nodes: dict[str, Node]
    edges: dict[Key, Edge]
    findings: list[Finding] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)


def in_force(decisions: Iterable[Decision]) -> tuple[list[Decision], list[Outcome]]:
    """The last decision on each subject, in the order of the file; and what became of the others."""
    rows = list(decisions)
    last = {decision.subject(): at for at, decision in enumerate(rows)}
    kept = [row for at, row in enumerate(rows) if last[row.subject()] == at and row.verdict != "withdraw"]
    gone = [row for at, row in enumerate(rows) if last[row.subject()] != at]
    taken_back = [row for at, row in enumerate(rows) if last[row.subject()] == at and row.verdict == "withdraw"]
    outcomes = [Outcome(decision=row, outcome="superseded") for row in gone]
    return kept, [*outcomes, *(Outcome(decision=row, outcome="applied") for row in taken_back)]


def decided(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    decisions: Sequence[Decision],
    schema: GraphSchema,
    forwards: Mapping[str, str],
) -> Decided:
    """Decisions on nodes first, then those on edges, which may have been made under the old or the new names."""
    graph = Decided(schema, forwards, {node.id: node for node in nodes}, {edge.key(): edge for edge in edges})
    before = {node.id: node.name for node in nodes}
    on_nodes = [decision for decision in decisions if decision.kind == "node"]
    if on_nodes:
        _nodes(graph, on_nodes)
    on_edges = [decision for decision in decisions if decision.kind == "edge"]
    if on_edges:
        _edges(graph, on_edges, before)
    return graph


def misfits(outcomes: Iterable[Outcome], nodes: Mapping[str, Node], edges: Mapping[Key, Edge]) -> list[Finding]:
    """One finding for every decision that could not be applied."""
    found = []
    for row in outcomes:
        if row.outcome not in ("changed", "vanished"):
            continue
        decision = row.decision
        said = decision.content or " ".join(decision.about)
        message = f"People decided “{decision.verdict}” on {said}. It was not applied: {row.why}."
        edge = decision.about if decision.kind == "edge" and decision.about in edges else None
        ids = decision.about[:1] if decision.kind == "use" else decision.about
        details = {"verdict": decision.verdict, "by": list(decision.by), "outcome": row.outcome}
        found.append(
            Finding(
                check="decision",
                action="review",
                message=message,
                nodes=tuple(node for node in ids if node in nodes),
                edge=edge,  # type: ignore[arg-type]
                details=details,
            )
        )
    return found


def _nodes(graph: Decided, decisions: Sequence[Decision]) -> None:
    ids: dict[str, list[str]] = defaultdict(list)
    for known in graph.nodes.values():
        ids[squash(node_content(known, graph.schema))].append(known.id)
    for decision in decisions:
        named = graph.nodes.get(graph.forwards.get(decision.about[0], decision.about[0]))
        fits = named is not None and decision.saw(node_content(named, graph.schema))
        same = ids.get(squash(decision.content), []) if decision.content else []
        node = named if fits else graph.nodes[same[0]] if len(same) == 1 else None
        if node is None:
            _not_applied(graph, decision, named is not None)
            continue
        why = _on_node(graph, decision, node)
        _tell(graph, decision, why, (node.id,))


def _on_node(graph: Decided, decision: Decision, node: Node) -> str:
    """Why the decision cannot be applied; empty if it was."""
    if decision.verdict == "remove":
        message = f"People removed {node.label} “{node.name}”."
        graph.findings.append(_removed(decision, message, nodes=(node.id,)))
        return ""
    fields = {name: value for name, value in decision.change.items() if name != "name"}
    properties = {**node.properties, **fields}
    known = graph.schema.problems(node.label, node.properties)
    wrong = [problem for problem in graph.schema.problems(node.label, properties) if problem not in known]
    name = decision.change.get("name", node.name)
    if wrong or not isinstance(name, str) or not name.strip():
        return wrong[0] if wrong else "the new name is empty"
    changed = {"name": name, "properties": {**properties, ACCEPTED: True}}
    graph.nodes[node.id] = node.model_copy(update=changed)
    return ""


def _edges(graph: Decided, decisions: Sequence[Decision], before: Mapping[str, str]) -> None:
    now = {node.id: node.name for node in graph.nodes.values()}
    keys: dict[str, set[Key]] = defaultdict(set)
    for key, known in graph.edges.items():
        for names in (before, now):
            keys[squash(edge_content(known, names))].add(key)
    original = dict(graph.edges)
    for decision in decisions:
        kind, source, target = decision.about
        ends = (graph.forwards.get(source, source), graph.forwards.get(target, target))
        named = original.get(_ordered(graph, kind, *ends))
        fits = named is not None and any(decision.saw(edge_content(named, names)) for names in (before, now))
        same = sorted(keys.get(squash(decision.content), ())) if decision.content else []
        edge = named if fits else original[same[0]] if len(same) == 1 else None
        if edge is None:
            _not_applied(graph, decision, named is not None)
            continue
        why = _on_edge(graph, decision, edge, now)
        _tell(graph, decision, why, edge.key())


def _on_edge(graph: Decided, decision: Decision, edge: Edge, names: Mapping[str, str]) -> str:
    said = edge_content(edge, names)
    if decision.verdict == "remove":
        graph.findings.append(_removed(decision, f"People removed {said}.", edge=edge.key()))
        return ""
    new = {**{"type": edge.type, "source": edge.source, "target": edge.target}, **decision.change}
    key = _ordered(graph, str(new["type"]), str(new["source"]), str(new["target"]))
    if why := _refused(graph, key):
        return why
    properties = {**edge.properties, ACCEPTED: True}
    other = graph.edges.get(key) if key != edge.key() else None
    if other is not None:
        properties = {**edge.properties, **other.properties, ACCEPTED: True}
    quotes = united([*edge.provenance, *(other.provenance if other else ())])
    graph.edges[key] = Edge(type=key[0], source=key[1], target=key[2], properties=properties, provenance=quotes)
    if key != edge.key():
        message = f"People changed {said} to {edge_content(graph.edges[key], names)}."
        graph.findings.append(_removed(decision, message, edge=edge.key()))
    return ""


def _refused(graph: Decided, key: Key) -> str:
    kind, source, target = key
    if source == target:
        return "it would lead from a node to itself"
    ends = [graph.nodes.get(source), graph.nodes.get(target)]
    if ends[0] is None or ends[1] is None:
        return f"no node {source if ends[0] is None else target}"
    if not graph.schema.allows(kind, ends[0].label, ends[1].label):
        return f"the schema has no {kind} from {ends[0].label} to {ends[1].label}"
    return ""


def _ordered(graph: Decided, kind: str, source: str, target: str) -> Key:
    """The key of the edge; a symmetric one starts at the smaller id."""
    known = graph.schema.edges.get(kind)
    if known is not None and known.symmetric and target < source:
        source, target = target, source
    return (kind, source, target)


def _removed(
    decision: Decision, message: str, nodes: tuple[str, ...] = (), edge: tuple[str, str, str] | None = None
) -> Finding:
    details: dict[str, Any] = {"verdict": decision.verdict, "by": list(decision.by), "comment": decision.comment}
    return Finding(check="people", action="set_aside", message=message, nodes=nodes, edge=edge, details=details)


def _not_applied(graph: Decided, decision: Decision, there: bool) -> None:
    why = "it says something else now" if there else "it is no longer in the graph"
    graph.outcomes.append(Outcome(decision=decision, outcome="changed" if there else "vanished", why=why))


def _tell(graph: Decided, decision: Decision, why: str, about: tuple[str, ...]) -> None:
    if why:
        graph.outcomes.append(Outcome(decision=decision, outcome="changed", why=why))
    elif about != decision.about:
        graph.outcomes.append(Outcome(decision=decision, outcome="moved", about=about))
    else:
        graph.outcomes.append(Outcome(decision=decision, outcome="applied"))
