"""What people said about a model's unproven proposals: what they accept is claimed on their word.

In: a book's claims and findings, people's decisions. Out: both, with the accepted proposals among the claims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extract.assembly import Account
from kg.decisions import Decision
from kg.graph import Finding, Node, NodeClaim
from kg.project import Project
from kg.proposal import proposed, word_on

RULE = "accepted"


def with_accepted(found: Account, decisions: Sequence[Decision], project: Project) -> Account:
    """The account; merge finds the decision on each claim that is new in it, and applies it."""
    claims, open_ = [], []
    for finding in found.findings:
        node = proposed(finding, project.subject, project.languages)
        word = word_on(node, decisions, project.schema) if node else None
        if node is not None and word is not None and word.verdict in ("keep", "change"):
            claims.append(_claim(node, finding))
        else:
            open_.append(finding)
    nodes = (*found.claims.nodes, *claims)
    return replace(found, claims=replace(found.claims, nodes=nodes), findings=tuple(open_))


def _claim(node: Node, finding: Finding) -> NodeClaim:
    return NodeClaim(
        label=node.label,
        name=node.name,
        properties=node.properties,
        evidence=node.provenance,
        section=finding.details["section"],
        extractor=finding.details["extractor"],
        rule=RULE,
        confidence=1.0,
    )
