"""What an extractor hands back, and how the rules make claims: types by role, confidence from the table of rules.

In: names, properties, evidence and the name of a rule. Out: `NodeClaim`s and `EdgeClaim`s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from kg.errors import Failure, SettingsError
from kg.graph import EdgeClaim, NodeClaim, Provenance, Ref
from kg.language import Language
from kg.row import Row
from kg.schema import EdgeRole, GraphSchema, NodeRole
from kg.section import Section


class Prior(Row):
    """A rule's standing."""

    confidence: float
    """Share of its claims that a reader agreed with, in [0, 1]."""
    about: str
    """What the rule says, in one sentence."""


@dataclass(frozen=True)
class Claims:
    """Everything an extractor found in a book."""

    nodes: tuple[NodeClaim, ...] = ()
    edges: tuple[EdgeClaim, ...] = ()
    dropped: tuple[Failure, ...] = ()
    """What was seen and left out, with the reason."""
    failures: tuple[Failure, ...] = ()
    """Work that did not come through."""


@runtime_checkable
class Extractor(Protocol):
    """Reads one book's sections."""

    def claims(self, sections: Sequence[Section], schema: GraphSchema, language: Language) -> Claims:
        """What the sections, all of one book and in reading order, say."""


@dataclass(frozen=True)
class End:
    """One end of an edge: the role of its node and its name."""

    role: NodeRole
    name: str


@dataclass
class Desk:
    """Where claims are written: knows the schema's type names and the rules' priors."""

    schema: GraphSchema
    priors: Mapping[str, Prior]
    extractor: str = "rules"
    nodes: list[NodeClaim] = field(default_factory=list)
    edges: list[EdgeClaim] = field(default_factory=list)
    dropped: list[Failure] = field(default_factory=list)

    def prior(self, rule: str) -> float:
        """The rule's confidence. Raises SettingsError if the table of rules does not have it."""
        if rule not in self.priors:
            raise SettingsError(f"no confidence for the rule {rule}", where="extract.extractor.priors")
        return self.priors[rule].confidence

    def node(
        self, end: End, properties: Mapping[str, Any], evidence: Sequence[Provenance], section: str, rule: str
    ) -> None:
        """Claims a node; empty properties are left out."""
        kept = {name: value for name, value in properties.items() if value not in ("", [], None)}
        self.nodes.append(
            NodeClaim(
                label=self.schema.node_type(end.role),
                name=end.name,
                properties=kept,
                evidence=tuple(evidence),
                section=section,
                extractor=self.extractor,
                rule=rule,
                confidence=self.prior(rule),
            )
        )

    def edge(self, role: EdgeRole, source: End, target: End, evidence: Sequence[Provenance], rule: str) -> None:
        """Claims an edge, if the schema allows one between such nodes; its section is that of the first quotation."""
        ends = (self.schema.node_type(source.role), self.schema.node_type(target.role))
        kind = self.schema.edge_type(role, ends[1])
        if not self.schema.allows(kind, *ends) or not evidence:
            return
        self.edges.append(
            EdgeClaim(
                type=kind,
                source=Ref(label=ends[0], name=source.name),
                target=Ref(label=ends[1], name=target.name),
                evidence=tuple(evidence),
                section=evidence[0].section,
                extractor=self.extractor,
                rule=rule,
                confidence=self.prior(rule),
            )
        )

    def drop(self, item: str, what: str, page: int) -> None:
        """Notes something that was seen and left out."""
        self.dropped.append(Failure(stage="extract", item=item, what=what, page=page))
