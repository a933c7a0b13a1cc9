"""The JSON Schema of a document, for programs that are not ours.

In: `kg.document.Document`. Out: `conf/schema/document.schema.json`, written anew by `python -m ingest.document_schema`.
"""

from __future__ import annotations

import json
from pathlib import Path

from kg.document import SCHEMA_VERSION, Document
from kg.stage import ROOT

FILE = ROOT / "conf" / "schema" / "document.schema.json"


def schema() -> str:
    """The schema as it is written: fields that have their default value may be left out."""
    found = Document.model_json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": f"schema_version {SCHEMA_VERSION}"}
    return json.dumps(head | found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write(path: Path = FILE) -> None:
    """The file is current afterwards."""
    path.write_text(schema(), encoding="utf-8")


if __name__ == "__main__":
    write()
