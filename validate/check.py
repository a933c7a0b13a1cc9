"""All checks in their order, each on what the ones before it left.

In: nodes, edges, schema, and (for our own graphs) the books' sections. Out: findings and the report. What remains after
everything set aside is dropped is sound: right types and ends, all fields, acyclic, anchored, linked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kg.graph import Finding
from validate import contradictions, coverage, cycles, doubt, evidence, redundancy, shape
from validate.cycles import Knot
from validate.evidence import Library
from validate.report import report
from validate.view import Sieve, View


@dataclass(frozen=True)
class Limits:
    """Settings of the checks."""

    min_confidence: float
    """Edges below are set aside, in [0, 1]."""
    seconds: float
    """Time limit per component of circles."""


@dataclass(frozen=True)
class Verdict:
    """What the checks say about a graph."""

    findings: list[Finding]
    """Sorted by check."""
    report: dict[str, Any]
    left: View
    """The graph without what was set aside."""


def check(view: View, library: Library | None, limits: Limits, known: Iterable[Finding] = ()) -> Verdict:
    """The verdict on a graph; `known` are findings of earlier stages, carried along."""
    sieve = Sieve(view)
    sieve.add(shape.findings(view))
    sieve.add(known)
    sieve.add(evidence.findings(sieve.left(), library))
    sieve.add(doubt.findings(sieve.left(), limits.min_confidence))
    knots: list[Knot] = []
    sieve.add(cycles.findings(sieve.left(), limits.seconds, knots))
    _settle(sieve)
    left = sieve.left()
    sieve.add(contradictions.findings(left))
    sieve.add(redundancy.findings(left))
    findings = sorted(sieve.findings, key=_place)
    return Verdict(findings, report(view, left, findings, knots), left)


def _settle(sieve: Sieve) -> None:
    """Coverage, again and again: what is dropped may take the link or the place of something else with it."""
    told: set[str] = set()
    while True:
        new = [finding for finding in coverage.findings(sieve.left()) if finding.to_json() not in told]
        told.update(finding.to_json() for finding in new)
        sieve.add(new)
        if not any(finding.action == "set_aside" for finding in new):
            return


def _place(finding: Finding) -> tuple[str, tuple[str, ...], tuple[str, str, str], str]:
    return (finding.check, finding.nodes, finding.edge or ("", "", ""), finding.to_json())
