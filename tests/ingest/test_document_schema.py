"""The committed JSON Schema is that of the document model, and documents keep to it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from ingest import document_schema
from kg.project import Project
from tests.ingest.paper import Paper, prose, read


def test_the_committed_schema_is_current() -> None:
    current = document_schema.schema()
    assert document_schema.FILE.read_text(encoding="utf-8") == current, "run: python -m ingest.document_schema"


def test_a_document_keeps_to_it_and_a_changed_one_does_not(project: Project) -> None:
    schema = json.loads(document_schema.FILE.read_text(encoding="utf-8"))
    made = json.loads(read(Paper().heading("1 Motion").paragraph(prose(60)), project).to_json())
    jsonschema.validate(made, schema)
    made["blocks"][0]["label"] = "headline"
    with pytest.raises(jsonschema.ValidationError, match="headline"):
        jsonschema.validate(made, schema)
