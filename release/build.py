"""From cleared material to the files of a release.

In: material, settings, perhaps the previous release. Out: path inside the release -> bytes; the same for the same
inputs and the same version of pyarrow.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import yaml

from kg.graph_io import released_json
from kg.item import Item
from kg.language import Language
from kg.row import Row
from kg.store import jsonl, sha256
from release import facts, history, licences, pyarrow
from release.card import card
from release.citation import citation
from release.croissant import croissant
from release.diff import Difference, compare
from release.diff_page import diff_page
from release.explorer import relinked
from release.exports import case, graphml, neo4j, rdf
from release.folder import ERRATA, FORWARDING, GRAPH, ITEMS, MANIFEST, SUMS, Folder
from release.material import Material
from release.rights import Cleared, Quotes
from release.shapes import shapes
from release.tables import HELD_OUT, Table, tables

EXPLORER = "explorer/index.html"


class Harness(Protocol):
    """Writes questions as a task of an evaluation tool."""

    @property
    def folder(self) -> str:
        """Name of its folder in a release."""

    def files(self, name: str, items: Sequence[Item], languages: Mapping[str, Language]) -> Mapping[str, bytes]:
        """File name -> bytes."""


@dataclass(frozen=True)
class Label:
    """What stands on the package."""

    name: str
    version: str
    bench_version: str
    title: str
    about: str
    authors: tuple[str, ...]
    url: str
    date: str
    """ISO date of publication; empty: none is stated."""
    quotes: Quotes
    licenses: tuple[str, ...]


@dataclass(frozen=True)
class Extras:
    """What is neither material nor label."""

    previous: Folder | None = None
    harnesses: tuple[Harness, ...] = ()
    languages: Mapping[str, Language] = field(default_factory=dict)
    page: bytes = b""
    """The explorer; left out where anything is withheld, for it shows everything."""
    recipe: bytes = b""
    """Training settings for LLaMA-Factory."""


def build(cleared: Cleared, label: Label, extras: Extras) -> dict[str, bytes]:
    """All files. Raises SettingsError if the version promises less change than there is."""
    material, previous = cleared.material, extras.previous
    history.check_readers(previous, label.quotes, label.licenses)
    forward = history.forwarding(material, previous, label.version)
    items = history.frozen(material, previous, label.bench_version)
    cleared = Cleared(replace(material, items=items), cleared.withheld)
    known = history.errata(items, material, previous, label.version)
    made = tables(cleared.material)
    files = {table.file: pyarrow.parquet(table) for table in made}
    files |= _exports(cleared.material, made, label, extras.recipe)
    files |= shapes(_first_of_each(made), material.schema)
    files |= {FORWARDING: jsonl(forward), ERRATA: jsonl(known)}
    for harness in extras.harnesses if items else ():
        own = harness.files(label.name, items, extras.languages)
        files |= {f"{harness.folder}/{name}": data for name, data in own.items()}
    if extras.page and not cleared.withheld and label.quotes == "full":
        files[EXPLORER] = extras.page
    return _labelled(files, cleared, made, label, previous)


def _first_of_each(made: Sequence[Table]) -> list[Table]:
    return list({table.name: table for table in reversed(made)}.values())[::-1]


def _labelled(
    files: dict[str, bytes], cleared: Cleared, made: Sequence[Table], label: Label, previous: Folder | None
) -> dict[str, bytes]:
    """With everything that speaks about the files: card, metadata, licences, difference, manifest, sums."""
    books = cleared.material.books
    stated = {**vars(label), "authors": list(label.authors), "licenses": list(label.licenses)}
    manifest = facts.manifest(stated, cleared, made)
    lines = licences.card_license(books)
    whole = Difference((), "") if previous is None else _difference(previous, cleared.material, label)
    files = files | licences.texts(books) | licences.own()
    files["NOTICE"] = licences.notice(label.title, books)
    files["README.md"] = card(manifest, made, lines)
    files["CHANGELOG.md"] = _changelog(label, previous, whole).encode("utf-8")
    files["CITATION.cff"] = citation(label.title, label.version, label.authors, label.date, books)
    files["croissant.json"] = _croissant(files, made, label, lines)
    if previous is not None:
        files[f"diff/from-{previous.version}.jsonl"] = jsonl(whole.changes)
        files[f"diff/from-{previous.version}.md"] = whole.text.encode("utf-8")
        sides = (previous.title, f"{label.name} {label.version}")
        files[f"diff/from-{previous.version}.html"] = diff_page(whole, sides)
    if EXPLORER in files:
        files[EXPLORER] = relinked(files[EXPLORER], files)
    files[MANIFEST] = _json(facts.filed(manifest, files))
    sums = "".join(f"{sha256(data)}  {name}\n" for name, data in sorted(files.items()))
    return files | {SUMS: sums.encode("utf-8")}


def _difference(previous: Folder, material: Material, label: Label) -> Difference:
    return compare(previous.graph, material.graph, (previous.items, material.items), (previous.version, label.version))


def _croissant(files: Mapping[str, bytes], made: Sequence[Table], label: Label, lines: Mapping[str, str]) -> bytes:
    filled = [table for table in made if table.rows]
    stated: dict[str, Any] = {
        "name": label.name,
        "about": label.about,
        "version": label.version,
        "license": lines.get("license_name") or lines["license"],
        "authors": label.authors,
        "date": label.date,
        "url": label.url,
        "cite": f"{', '.join(label.authors)}: {label.title}, version {label.version}",
    }
    return croissant(stated, filled, {table.file: sha256(files[table.file]) for table in filled})


def _changelog(label: Label, previous: Folder | None, change: Difference) -> str:
    head = f"# Changelog of {label.title}\n\n## {label.version}{f' ({label.date})' if label.date else ''}\n\n"
    if previous is None:
        return f"{head}First release.\n"
    old = previous.root / "CHANGELOG.md"
    rest = old.read_text(encoding="utf-8").partition("\n\n")[2] if old.is_file() else ""
    said = "\n".join(change.lines()) or "Nothing in the graph or the benchmark has changed."
    return f"{head}{said}\n\nAll changes: `diff/from-{previous.version}.md`.\n\n{rest}"


def _exports(material: Material, made: Sequence[Table], label: Label, recipe: bytes) -> dict[str, bytes]:
    nodes, edges = made[0], made[1]
    triples = list(rdf.triples(material))
    files = {
        f"{GRAPH}/nodes.json": _list(material.graph.nodes),
        f"{GRAPH}/edges.json": _list(material.graph.edges),
        "exports/k12_kgraph.json": released_json(material.graph, material.schema),
        "exports/graph.graphml": graphml.graphml(nodes, edges),
        "exports/graph.ttl": rdf.turtle(triples),
        "exports/graph.jsonld": rdf.jsonld(triples),
        "exports/case.json": case.case(material, label.version, label.date),
        ITEMS: jsonl(material.items),
    }
    files |= {f"exports/neo4j/{name}": data for name, data in neo4j.files(nodes, edges).items()}
    return files | _training(made, recipe)


def _training(made: Sequence[Table], recipe: bytes) -> dict[str, bytes]:
    """Messages only, as TRL, Axolotl and LLaMA-Factory read them, and what LLaMA-Factory must know about them."""
    splits = [table for table in made if table.name == "train" and table.rows]
    if not splits:
        return {}
    files, info = {}, {}
    settings = yaml.safe_load(recipe) if recipe else {}
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    for table in splits:
        name = f"{table.split}.messages.jsonl"
        lines = (json.dumps({"messages": row["messages"]}, ensure_ascii=False) + "\n" for row in table.rows)
        files[f"exports/train/{name}"] = "".join(lines).encode("utf-8")
        own = settings.get("eval_dataset" if table.split == HELD_OUT else "dataset", table.split)
        info[own] = {"file_name": name, "formatting": "sharegpt", "columns": {"messages": "messages"}, "tags": tags}
    files["exports/train/dataset_info.json"] = _json(info)
    if recipe:
        files["exports/train/llamafactory.yaml"] = recipe
    return files


def _list(rows: Iterable[Row]) -> bytes:
    """A list, one row per line; fields at their default are left out, as everywhere."""
    return ("[\n" + ",\n".join(row.to_json() for row in rows) + "\n]\n").encode("utf-8")


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
