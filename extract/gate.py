"""Nothing a model says gets past this: each item is accepted, shown to people, or left out, with the reason.

In: what a model said about a chunk, and the section it was shown. Out: `Judged`: claims whose quotations are the
book's own characters; findings for what cannot be found in it; faults for what was no proposal at all.
A claim that is doubtful keeps its place in the queue by a confidence too low for the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from extract.align import Aligned, Grade
from extract.replies import EdgeSaid, Fault, NodeSaid
from extract.support import Page
from kg.graph import EdgeClaim, Finding, NodeClaim, Provenance, Ref
from kg.names import key
from kg.proposal import UNPROVEN
from kg.row import Row
from kg.schema import EdgeRole, GraphSchema, NodeRole, described_by
from kg.text import squash

Support = str
"""`verbatim`, `fuzzy`, `mention_only`, `doubtful`, `none`: how well the book supports a claim."""
NAMED: frozenset[EdgeRole] = frozenset({"taxonomy", "prerequisite", "association"})
"""Relations between ideas: the book has to name both ends beside each other."""
ANSWER, PRINTED = "answer", "answer_printed"


class Trust(Row):
    """How sure a claim makes us, in [0, 1], by how the book supports it."""

    verbatim: float = 0.85
    fuzzy: float = 0.75
    mention_only: float = 0.6
    doubtful: float = 0.15
    none: float = 0.05
    named: Mapping[NodeRole, float] = {"term": 1.0, "procedure": 0.5, "activity": 0.5}
    """Least share of a name's words that the section must hold."""


@dataclass(frozen=True)
class Known:
    """A node that edges may lead to."""

    id: str
    label: str
    name: str
    names: tuple[str, ...]
    """With aliases."""
    here: tuple[Provenance, ...] = ()
    """Its evidence in this section."""


@dataclass
class Judged:
    """What became of what a model said."""

    nodes: list[NodeClaim] = field(default_factory=list)
    edges: list[EdgeClaim] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    ids: dict[str, Known] = field(default_factory=dict)
    """By the id the reply gave; an id given twice is none."""
    support: list[tuple[str, Support]] = field(default_factory=list)
    """Kind (`node` or `edge`) and support of every proposal that was one."""
    worded: int = 0
    """Descriptions that are not in the book's words."""

    def add(self, other: Judged) -> None:
        """Takes another's results in."""
        for name in ("nodes", "edges", "findings", "faults", "support"):
            getattr(self, name).extend(getattr(other, name))
        self.ids.update(other.ids)
        self.worded += other.worded


@dataclass(frozen=True)
class Gate:
    """Judges what one prompt brought in."""

    page: Page
    schema: GraphSchema
    trust: Trust
    extractor: str
    rule: str
    examples: str = ""
    """Squashed text of the examples that were shown: what stands only there was copied."""

    def nodes(self, proposed: Iterable[NodeSaid]) -> Judged:
        """The nodes, judged."""
        judged = Judged()
        twice: set[str] = set()
        for node in proposed:
            known = self._node(node, judged)
            if node.id and known is not None:
                if node.id in judged.ids or node.id in twice:
                    twice.add(node.id)
                    judged.ids.pop(node.id, None)
                    judged.faults.append(Fault("duplicate_id", f"several nodes are called {node.id}", node.name))
                else:
                    judged.ids[node.id] = known
        return judged

    def edges(self, proposed: Iterable[EdgeSaid], known: Mapping[str, Known]) -> Judged:
        """The edges, judged; `known`: nodes by id."""
        judged = Judged()
        by_name = _by_name(known.values(), self.page)
        seen: set[tuple[str, str, str, tuple[str, ...]]] = set()
        for edge in proposed:
            ends = [known.get(end) or by_name.get(key(end, self.page.language)) for end in (edge.source, edge.target)]
            if ends[0] is None or ends[1] is None:
                missing = edge.source if ends[0] is None else edge.target
                judged.faults.append(Fault("no_such_node", f"{edge.type} leads to {missing!r}, which was not accepted"))
                continue
            if wrong := self._wrong(edge.type, ends[0], ends[1]):
                judged.faults.append(wrong)
                continue
            identity = (edge.type, ends[0].id, ends[1].id, edge.quotes)
            if identity in seen:
                judged.faults.append(Fault("duplicate", f"{edge.type} {ends[0].name} -> {ends[1].name} twice"))
                continue
            seen.add(identity)
            self._edge(edge, ends[0], ends[1], judged)
        return judged

    def _node(self, node: NodeSaid, judged: Judged) -> Known | None:
        """What edges may lead to; none if the node was not accepted."""
        found = self._quoted(node.quotes)
        if not found.found and self._copied(node.quotes):
            judged.faults.append(Fault("copied", f"{node.name} is quoted from the example", " | ".join(node.quotes)))
            return None
        role, properties = self.schema.nodes[node.label].role, dict(node.properties)
        if role == "question":
            found = self._stem(node, properties, found)
        names = (node.name, *_aliases(properties))
        support, evidence = self._support(role, names, found)
        judged.support.append(("node", support))
        if support in ("doubtful", "none"):
            judged.findings.append(self._finding(node, support, found))
            return None
        judged.worded += self._worded(node, properties)
        if role == "question":
            properties[PRINTED] = int(self.page.align(str(properties.get(ANSWER, ""))).found)
        name = str(properties.get(self.schema.nodes[node.label].key, node.name))
        claim = NodeClaim(
            label=node.label,
            name=name,
            properties=properties,
            evidence=evidence,
            section=self.page.section.row.id,
            extractor=self.extractor,
            rule=self.rule,
            confidence=float(getattr(self.trust, support)),
        )
        if any(
            other.label == node.label and other.name == name and other.evidence == evidence for other in judged.nodes
        ):
            judged.faults.append(Fault("duplicate", f"{node.label} {node.name[:60]} twice with the same quotation"))
        else:
            judged.nodes.append(claim)
        return Known(node.id or name, node.label, name, (name, *_aliases(properties)), evidence)

    def _stem(self, node: NodeSaid, properties: dict[str, Any], found: Aligned) -> Aligned:
        """A question is what the book prints: its stem is looked for, and becomes the book's own words."""
        stem = self.page.align(node.name)
        if stem.found:
            properties[self.schema.nodes[node.label].key] = " … ".join(place.quote for place in stem.places)
            return stem
        return Aligned("doubtful", stem.places or found.places) if stem.grade == "doubtful" else Aligned("none")

    def _support(self, role: NodeRole, names: Sequence[str], found: Aligned) -> tuple[Support, tuple[Provenance, ...]]:
        """How well the section supports a node, and by which of its words."""
        if role == "question":
            return found.grade, found.places
        mention = next((place for name in names if (place := self.page.mention(name)) is not None), None)
        share = max(self.page.share(name) for name in names)
        named = mention is not None or share >= self.trust.named.get(role, 1.0)
        if found.found and named:
            return found.grade, found.places
        if mention is not None:
            return "mention_only", (mention,)
        return ("doubtful" if found.grade != "none" else "none"), found.places

    def _edge(self, edge: EdgeSaid, source: Known, target: Known, judged: Judged) -> None:
        found = self._quoted(edge.quotes)
        if not found.found and self._copied(edge.quotes):
            judged.faults.append(
                Fault("copied", f"{edge.type} {source.name} -> {target.name} is quoted from the example")
            )
            return
        support: Support = found.grade
        if found.found and not self._said_there(edge.type, source, target, found.places):
            support = "doubtful"
        judged.support.append(("edge", support))
        if not found.places:
            judged.findings.append(self._unproven(edge, source, target))
        judged.edges.append(
            EdgeClaim(
                type=edge.type,
                source=Ref(label=source.label, name=source.name),
                target=Ref(label=target.label, name=target.name),
                evidence=found.places,
                section=self.page.section.row.id,
                extractor=self.extractor,
                rule=self.rule,
                confidence=float(getattr(self.trust, support)),
            )
        )

    def _said_there(self, kind: str, source: Known, target: Known, places: Sequence[Provenance]) -> bool:
        """True if the quotation, with the sentences around it, speaks of the two."""
        if self.schema.edges[kind].role not in NAMED:
            return any(self._about(end, place) for end in (source, target) for place in places)
        return any(
            (self._near(one, place) and self._about(other, place))
            for one, other in ((source, target), (target, source))
            for place in places
        )

    def _near(self, end: Known, place: Provenance) -> bool:
        return self.page.near(end.names, place) or self._coined(end, place)

    def _about(self, end: Known, place: Provenance) -> bool:
        """True if the quotation's paragraph names the end, or the quotation is part of what the end is known from."""
        return self.page.in_paragraph(end.names, place) or self._coined(end, place)

    def _coined(self, end: Known, place: Provenance) -> bool:
        """True for what has no name of its own in the text (a method, an experiment, a question) where it is told."""
        if self.schema.role(end.label) == "term":
            return False
        return any(self.page.beside(one, place) for one in end.here)

    def _wrong(self, kind: str, source: Known, target: Known) -> Fault | None:
        if (source.label, source.name) == (target.label, target.name):
            return Fault("self_loop", f"{kind} leads from {source.name} to itself")
        if not self.schema.allows(kind, source.label, target.label):
            return Fault(
                "ends", f"{kind} may not lead from a {source.label} to a {target.label}: {source.name} -> {target.name}"
            )
        return None

    def _quoted(self, quotes: Sequence[str]) -> Aligned:
        """The best of several quotations; all that were found where all are good."""
        found = [self.page.align(quote) for quote in quotes]
        good = [one for one in found if one.found]
        if good:
            grade: Grade = "fuzzy" if any(one.grade == "fuzzy" for one in good) else "verbatim"
            return Aligned(grade, tuple(dict.fromkeys(place for one in good for place in one.places)))
        return next((one for one in found if one.grade == "doubtful"), Aligned("none"))

    def _copied(self, quotes: Sequence[str]) -> bool:
        return any(len(squash(quote)) > 10 and squash(quote) in self.examples for quote in quotes)

    def _worded(self, node: NodeSaid, properties: Mapping[str, Any]) -> int:
        """1 if the node's description is not in the book's words."""
        text = properties.get(described_by(self.schema.nodes[node.label]), "")
        return int(bool(text) and not self.page.align(str(text)).found)

    def _unproven(self, edge: EdgeSaid, source: Known, target: Known) -> Finding:
        details = {
            "type": edge.type,
            "source": source.name,
            "target": target.name,
            "quote": " | ".join(edge.quotes),
            "book": self.page.section.book,
            "section": self.page.section.row.id,
            "extractor": self.extractor,
        }
        ends = f"“{source.name[:60]}” → “{target.name[:60]}”"
        message = f"{edge.type} {ends} was proposed, but the text does not have its quotation."
        return Finding(check=UNPROVEN, action="review", message=message, details=details)

    def _finding(self, node: NodeSaid, support: Support, found: Aligned) -> Finding:
        section = self.page.section
        quote = " | ".join(node.quotes)
        what = "only something like it is in the text" if support == "doubtful" else "the text does not have it"
        details: dict[str, Any] = {
            "label": node.label,
            "name": node.name,
            "quote": quote,
            "book": section.book,
            "section": section.row.id,
            "extractor": self.extractor,
            "language": section.language,
            "properties": dict(node.properties),
            "places": [place.model_dump(mode="json", exclude_defaults=True) for place in found.places],
        }
        where = section.row.section_title or section.row.id
        message = f"{node.label} “{node.name[:60]}” was proposed for {where}, but {what}."
        return Finding(check=UNPROVEN, action="review", message=message, details=details)


def _aliases(properties: Mapping[str, Any]) -> list[str]:
    found = properties.get("aliases", [])
    return [str(name) for name in found] if isinstance(found, list) else []


def _by_name(known: Iterable[Known], page: Page) -> dict[str, Known]:
    """Nodes by the key of their names; a name that two nodes have is none's."""
    found: dict[str, Known | None] = {}
    for node in known:
        for name in {key(name, page.language) for name in node.names}:
            found[name] = node if found.get(name, node) == node else None
    return {name: node for name, node in found.items() if node is not None}
