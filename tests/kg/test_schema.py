"""The schema answers what rooms ask, and refuses what does not fit."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml

from kg.errors import SettingsError
from kg.schema import GraphSchema, schema_of
from kg.stage import ROOT

DATA: dict[str, Any] = yaml.safe_load((ROOT / "conf/schema/k12.yaml").read_text(encoding="utf-8"))


def test_roles_find_their_types(schema: GraphSchema) -> None:
    assert schema.node_type("term") == "Concept"
    assert schema.edge_type("assessment", "Skill") == "tests_skill"
    assert schema.edge_types("taxonomy", "prerequisite") == {"is_a", "prerequisites_for"}
    assert schema.role("Experiment") == "activity"
    assert schema.role("Unheard") is None


@pytest.mark.parametrize(
    ("edge", "source", "target", "allowed"),
    [
        ("is_a", "Concept", "Concept", True),
        ("is_a", "Concept", "Skill", False),
        ("is_part_of", "Section", "Chapter", True),
        ("is_part_of", "Section", "Book", False),
        ("prerequisites_for", "Skill", "Experiment", True),
        ("prerequisites_for", "Experiment", "Concept", False),
        ("invented", "Concept", "Concept", False),
    ],
)
def test_ends_are_those_of_table_5(schema: GraphSchema, edge: str, source: str, target: str, allowed: bool) -> None:
    assert schema.allows(edge, source, target) is allowed


def test_problems_name_the_field(schema: GraphSchema) -> None:
    good = {"definition": "change of position", "importance": "master"}
    assert schema.problems("Concept", good) == []
    assert "importance" in schema.problems("Concept", {**good, "importance": "huge"})[0]
    assert "'definition' is a required property" in schema.problems("Concept", {"importance": "master"})[0]
    assert schema.problems("Concept", {**good, "definition": ""})
    assert schema.problems("Exercise", {"stem": "?", "answer": "!", "difficulty": 9, "type": "open"})
    assert schema.problems("Ghost", {}) == ["unknown node type Ghost"]


def test_an_edge_to_an_unknown_type_is_refused_with_its_place() -> None:
    data = copy.deepcopy(DATA)
    data["edges"]["is_a"]["target"] = ["Conzept"]
    with pytest.raises(SettingsError, match=r"my\.yaml: edge is_a: unknown node type Conzept"):
        schema_of(data, "my.yaml")


def test_a_misspelt_key_is_refused_with_its_name() -> None:
    data = copy.deepcopy(DATA)
    data["nodes"]["Concept"]["fieldz"] = {}
    with pytest.raises(SettingsError, match="fieldz"):
        schema_of(data, "my.yaml")


def test_a_missing_role_is_an_error_not_a_guess(schema: GraphSchema) -> None:
    bare = schema.model_copy(update={"nodes": {}, "edges": {}})
    with pytest.raises(SettingsError, match="no node type has the role term"):
        bare.node_type("term")
    with pytest.raises(SettingsError, match="no edge type has the role taxonomy"):
        bare.edge_type("taxonomy")
