"""What a model proposed and its book does not prove: outside of the graph until a person accepts it.

In: findings of the extract room, decisions of people. Out: the nodes that would be, under the ids they would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kg.decisions import Decision, node_content
from kg.graph import Finding, Node, Provenance
from kg.ids import node_id
from kg.language import Language
from kg.names import key
from kg.schema import GraphSchema

UNPROVEN = "unaligned"
"""Check of what was quoted and is not in the book."""


def proposed(finding: Finding, subject: str, languages: Mapping[str, Language]) -> Node | None:
    """The node a finding is about, with the places most like what was quoted; none if it is about an edge."""
    said = finding.details
    if finding.check != UNPROVEN or "label" not in said or said.get("language") not in languages:
        return None
    return Node(
        id=node_id(subject, said["label"], key(said["name"], languages[said["language"]])),
        label=said["label"],
        name=said["name"],
        properties=said["properties"],
        provenance=tuple(Provenance.model_validate(place) for place in said["places"]),
    )


def word_on(node: Node, decisions: Iterable[Decision], schema: GraphSchema) -> Decision | None:
    """The last decision on a proposed node, made on what it says now; none if there is none or it was taken back."""
    found = [row for row in decisions if row.subject() == ("node", node.id) and row.saw(node_content(node, schema))]
    return found[-1] if found and found[-1].verdict != "withdraw" else None
