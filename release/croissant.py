"""Croissant 1.0 metadata of a release (mlcommons.org/croissant), checked with mlcroissant.

In: facts, tables with the hashes of their files. Out: bytes of `croissant.json`. Columns that hold quotations or
messages are left to `schema/*.json`: Croissant has no simple word for lists of records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from release.tables import Column, Table

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES = {"text": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "list": "sc:Text"}


def croissant(facts: Mapping[str, Any], tables: Sequence[Table], sums: Mapping[str, str]) -> bytes:
    """The metadata; `facts` has name, title, about, version, license, authors, date, cite and url."""
    whole: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts["name"],
        "description": facts["about"],
        "version": facts["version"],
        "license": facts["license"],
        "url": facts["url"],
        "citeAs": facts["cite"],
        "creator": [{"@type": "sc:Organization", "name": author} for author in facts["authors"]],
        **({"datePublished": facts["date"]} if facts["date"] else {}),
        "distribution": [_file(table, sums[table.file]) for table in tables],
        "recordSet": [_records(table) for table in tables],
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _name(table: Table) -> str:
    return f"{table.name}-{table.split}" if table.name in ("bench", "train") else table.name


def _file(table: Table, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{_name(table)}-file",
        "name": f"{_name(table)}-file",
        "contentUrl": table.file,
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _records(table: Table) -> dict[str, Any]:
    name = _name(table)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [_field(name, column) for column in table.columns if column.kind in _TYPES],
    }


def _field(table: str, column: Column) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": f"{table}/{column.name}",
        "description": column.about,
        "dataType": _TYPES[column.kind],
        **({"repeated": True} if column.kind == "list" else {}),
        "source": {"fileObject": {"@id": f"{table}-file"}, "extract": {"column": column.name}},
    }
