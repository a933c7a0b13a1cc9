"""What the checks and all rooms before them have found.

In: the findings files of a run. Out: findings, each once.
"""

from __future__ import annotations

from kg.graph import Finding
from kg.store import Store

FINDINGS = "validate/findings.jsonl"
EARLIER = ("merge/findings.jsonl", "segment/*/findings.jsonl", "extract/*/findings.jsonl")


def finding_names(store: Store) -> list[str]:
    """The findings of the checks first, then what earlier rooms noticed, as far as they left any."""
    return [FINDINGS, *(name for pattern in EARLIER for name in store.names(pattern))]


def findings_of(store: Store) -> tuple[Finding, ...]:
    """What checking and earlier rooms have found; the same finding once."""
    rows = [finding for name in finding_names(store) for finding in store.read_rows(name, Finding)]
    return tuple({finding.to_json(): finding for finding in rows}.values())
