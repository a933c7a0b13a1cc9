"""Two extractions are compared section by section, and what agrees is surer than what does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extract.__main__ import main
from extract.claims import Claims
from extract.stability import agreement, read_claims
from extract.union import united
from kg.errors import InputError
from kg.graph import EdgeClaim, NodeClaim, Ref
from kg.store import jsonl
from tests.extract.teller import LANGUAGES, SCHEMA

ENGLISH = LANGUAGES["en"]


def node(name: str, section: str = "s1", sure: float = 0.8) -> NodeClaim:
    return NodeClaim(label="Concept", name=name, evidence=(), section=section, extractor="x", rule="r", confidence=sure)


def edge(source: str, target: str, section: str = "s1", sure: float = 0.8) -> EdgeClaim:
    ends = (Ref(label="Concept", name=source), Ref(label="Concept", name=target))
    return EdgeClaim(
        type="is_a",
        source=ends[0],
        target=ends[1],
        evidence=(),
        section=section,
        extractor="x",
        rule="r",
        confidence=sure,
    )


ONE = Claims((node("Speed"), node("rate"), node("mass", "s2")), (edge("speed", "rate"), edge("mass", "rate", "s2")))
OTHER = Claims((node("speeds"), node("force", "s2")), (edge("speed", "rate"),))


def test_spelling_and_number_do_not_count() -> None:
    found = agreement(ONE, OTHER, ENGLISH)
    assert found.nodes.both == {("Concept", "speed")}
    assert (found.nodes.jaccard, found.edges.jaccard) == (0.25, 0.5)


def test_sections_that_differ_most_come_first() -> None:
    found = agreement(ONE, OTHER, ENGLISH)
    assert [row["section"] for row in found.summary()["least agreement"]] == ["s2", "s1"]
    assert [(row["section"], row["kind"], row["only"], row["what"][-1]) for row in found.rows()] == [
        ("s2", "node", "first", "mass"),
        ("s2", "node", "second", "force"),
        ("s2", "edge", "first", "Concept:rate"),
        ("s1", "node", "first", "rate"),
    ]


def test_an_extraction_agrees_with_itself() -> None:
    found = agreement(ONE, ONE, ENGLISH)
    assert (found.nodes.jaccard, found.edges.jaccard, found.rows()) == (1.0, 1.0, [])
    assert agreement(Claims(), Claims(), ENGLISH).nodes.jaccard is None


def test_what_both_claim_is_surer_and_nothing_is_lost() -> None:
    both, audit = united(ONE, OTHER, ENGLISH, SCHEMA)
    sure = {(claim.name, claim.section): claim.confidence for claim in both.nodes}
    assert sure == {
        ("Speed", "s1"): 0.96,
        ("speeds", "s1"): 0.96,
        ("rate", "s1"): 0.8,
        ("mass", "s2"): 0.8,
        ("force", "s2"): 0.8,
    }
    assert sorted(claim.confidence for claim in both.edges) == [0.8, 0.96, 0.96]
    assert audit["share of the offline extractor's terms that the model found"] == 0.3333
    assert (audit["terms the model missed"], audit["terms only the model found"]) == (["mass", "rate"], ["force"])


def write(run: Path, claims: Claims) -> None:
    folder = run / "extract" / "book"
    folder.mkdir(parents=True)
    (folder / "claims.jsonl").write_bytes(jsonl([*claims.nodes, *claims.edges]))


def test_claims_are_read_back(tmp_path: Path) -> None:
    write(tmp_path, ONE)
    assert read_claims(tmp_path / "extract" / "book" / "claims.jsonl") == ONE


def test_a_line_that_is_no_claim_is_named(tmp_path: Path) -> None:
    (tmp_path / "claims.jsonl").write_text('{"kind": "node"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        read_claims(tmp_path / "claims.jsonl")


def test_the_command_compares_two_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "one", ONE)
    write(tmp_path / "two", OTHER)
    out = tmp_path / "differences.jsonl"
    assert main([str(tmp_path / "one"), str(tmp_path / "two"), f"out={out}"]) == 0
    shown = capsys.readouterr().out
    assert "25%" in shown and "50%" in shown and "s2" in shown
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert (len(rows), rows[0]["book"]) == (4, "book")


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "python -m extract RUN RUN" in capsys.readouterr().out
    assert main([str(tmp_path), str(tmp_path)]) == 2
    assert "no book in common" in capsys.readouterr().err
