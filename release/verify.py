"""Checks a release from the outside: sums, manifest, tables, references, cycles, evidence, forms, licences.

In: a folder. Out: `Problem`s, none if it is sound. Every check looks at what is on disk; nothing of the run that made
the release is needed.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import yaml
from jsonschema import Draft202012Validator

from kg.errors import KgError
from kg.row import Row
from kg.store import file_sha256
from release import facts, pyarrow
from release.folder import ERRATA, FORWARDING, GRAPH, ITEMS, MANIFEST, SUMS, Folder
from release.history import Forward

MOST = 5
"""Problems of one kind that are named one by one."""
NEEDED = ("README.md", "CITATION.cff", "NOTICE", "croissant.json", "CHANGELOG.md", FORWARDING, ERRATA, ITEMS)


class Problem(Row):
    """Something that is not as it should be."""

    check: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.check}: {self.where}: {self.what}"


Found = Iterator[tuple[str, str]]
"""Where and what."""


def verify(root: Path) -> list[Problem]:
    """Everything that is wrong, check by check. Raises InputError if the folder is no release."""
    folder = Folder(root)
    problems: list[Problem] = []
    for name, check in CHECKS.items():
        try:
            found = list(check(folder))
        except (KgError, KeyError, TypeError, AttributeError) as error:
            what = error.what if isinstance(error, KgError) else f"cannot be checked: {type(error).__name__}: {error}"
            found = [(getattr(error, "where", "") or str(root), what)]
        problems += [Problem(check=name, where=where, what=what) for where, what in found[:MOST]]
        if len(found) > MOST:
            problems.append(Problem(check=name, where=str(root), what=f"… and {len(found) - MOST} more"))
    return problems


def _sums(folder: Folder) -> Found:
    path = folder.root / SUMS
    if not path.is_file():
        yield SUMS, "is missing"
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    here = {file.relative_to(folder.root).as_posix() for file in folder.root.rglob("*") if file.is_file()} - {SUMS}
    yield from ((name, "is missing") for name in sorted(listed.keys() - here))
    yield from ((name, "is not listed") for name in sorted(here - listed.keys()))
    for name in sorted(listed.keys() & here):
        if file_sha256(folder.root / name) != listed[name]:
            yield name, "has another SHA-256 than listed"


def _manifest(folder: Folder) -> Found:
    made = folder.manifest
    for name, entry in sorted(made["files"].items()):
        path = folder.root / name
        if not path.is_file():
            yield name, "is in the manifest and not on disk"
        elif path.stat().st_size != entry["bytes"] or file_sha256(path) != entry["sha256"]:
            yield name, "is not the file of the manifest"
    for name in NEEDED:
        if name not in made["files"]:
            yield name, "is missing"
    if facts.counts(folder.graph) != made["counts"]:
        yield MANIFEST, "counts other nodes or edges than there are"
    if facts.evidence(folder.graph, folder.schema) != made["evidence"]:
        yield MANIFEST, "states other figures of evidence than can be counted"


def _tables(folder: Folder) -> Found:
    for file, count in sorted(folder.manifest["rows"].items()):
        rows = folder.rows(file)
        if len(rows) != count:
            yield file, f"{len(rows)} rows, the manifest says {count}"
        table = file.split("/")[0] if not file.startswith("data/") else Path(file).stem
        shape = json.loads((folder.root / f"schema/{table}.json").read_text(encoding="utf-8"))
        if sorted(shape["required"]) != sorted(pyarrow.column_names(folder.root / file)):
            yield file, f"other columns than schema/{table}.json"
        validator = Draft202012Validator(shape)
        for number, row in enumerate(rows, 1):
            if error := next(validator.iter_errors(row), None):
                yield f"{file}, row {number}", f"{'.'.join(map(str, error.path))}: {error.message[:120]}"
    yield from _same_graph(folder)


def _same_graph(folder: Folder) -> Found:
    """The tables and the graph files say the same."""
    nodes = {(row["id"], row["label"], row["name"]) for row in folder.rows("data/nodes.parquet")}
    if nodes != {(node.id, node.label, node.name) for node in folder.graph.nodes}:
        yield "data/nodes.parquet", f"other nodes than {GRAPH}/nodes.json"
    edges = {(row["type"], row["source"], row["target"]) for row in folder.rows("data/edges.parquet")}
    if edges != {edge.key() for edge in folder.graph.edges}:
        yield "data/edges.parquet", f"other edges than {GRAPH}/edges.json"


def _fields(folder: Folder) -> Found:
    """Required properties; of a release without quotations only those that are there are judged."""
    partly = folder.manifest["quotes"] != "full"
    for node in folder.graph.nodes:
        for problem in folder.schema.problems(node.label, node.properties):
            if not (partly and "required" in problem):
                yield node.id, problem


def _unique(folder: Folder) -> Found:
    ids = Counter(node.id for node in folder.graph.nodes)
    keys = Counter(" ".join(edge.key()) for edge in folder.graph.edges)
    items = Counter(item.id for item in folder.items)
    for name, count in sorted({**ids, **keys, **items}.items()):
        if count > 1:
            yield name, f"occurs {count} times"


def _ends(folder: Folder) -> Found:
    labels = {node.id: node.label for node in folder.graph.nodes}
    for edge in folder.graph.edges:
        for end in (edge.source, edge.target):
            if end not in labels:
                yield " ".join(edge.key()), f"{end} is no node"
        ends = (labels.get(edge.source, ""), labels.get(edge.target, ""))
        if all(ends) and not folder.schema.allows(edge.type, *ends):
            yield " ".join(edge.key()), f"not allowed from {ends[0]} to {ends[1]}"


def _cycles(folder: Folder) -> Found:
    for name, kind in folder.schema.edges.items():
        if not kind.acyclic:
            continue
        graph = nx.DiGraph((edge.source, edge.target) for edge in folder.graph.edges if edge.type == name)
        for knot in nx.strongly_connected_components(graph):
            first = min(knot)
            if len(knot) > 1 or graph.has_edge(first, first):
                yield name, f"{len(knot)} nodes go in circles, among them {first}"


def _evidence(folder: Folder) -> Found:
    books = {book["book"] for book in folder.manifest["books"]}
    withheld = folder.manifest["quotes"] == "offsets"
    named = [(node.id, node.provenance) for node in folder.graph.nodes]
    named += [(" ".join(edge.key()), edge.provenance) for edge in folder.graph.edges]
    for name, quotes in named:
        for quote in quotes:
            if quote.book not in books:
                yield name, f"quotes {quote.book}, which is no book of this release"
            if quote.start < 0 or quote.end <= quote.start or quote.page < 0:
                yield name, f"a quotation at {quote.start}:{quote.end} on page {quote.page}"
            if bool(quote.quote) == withheld:
                yield name, "has a quotation that was to be withheld" if withheld else "has an empty quotation"
    for edge in folder.graph.edges:
        kind = folder.schema.edges.get(edge.type)
        if kind and kind.evidence and not edge.provenance:
            yield " ".join(edge.key()), "must rest on a quotation and has none"


def _bench(folder: Folder) -> Found:
    known = {node.id for node in folder.graph.nodes} | {row["id"] for row in folder.lines(ERRATA)}
    excused = {row["id"] for row in folder.lines(ERRATA)}
    for item in folder.items:
        if not item.answer or not set(item.answer) <= set(item.options):
            yield item.id, "its right options are not among its options"
        named = [item.query, *(choice.id for choice in item.choices.values())]
        if item.id not in excused and (lost := [node for node in named if node and node not in known]):
            yield item.id, f"{lost[0]} is no node, and the errata do not say so"
        right = {letter for letter, choice in item.choices.items() if choice.right}
        if right and right != set(item.answer):
            yield item.id, "its answer is not what its options say"
    rows = {row["id"]: row for row in folder.rows("bench/test.parquet")}
    for item in folder.items:
        row = rows.get(item.id)
        if row is None or row["answer"] != list(item.answer) or row["question"] != item.question:
            yield item.id, f"is another question in bench/test.parquet than in {ITEMS}"


def _train(folder: Folder) -> Found:
    known = {node.id for node in folder.graph.nodes}
    for file in sorted(folder.manifest["rows"]):
        for row in folder.rows(file) if file.startswith("train/") else ():
            if lost := [node for node in row["sources"] if node not in known]:
                yield row["id"], f"{lost[0]} is no node"
            if [turn["role"] for turn in row["messages"]] != ["user", "assistant"]:
                yield row["id"], "is no question with one answer"


def _forwarding(folder: Folder) -> Found:
    known = {node.id for node in folder.graph.nodes}
    for row in folder.lines(FORWARDING):
        entry = Forward.model_validate(row)
        if entry.id in known:
            yield entry.id, "is forwarded and still there"
        if entry.to and entry.to not in known:
            yield entry.id, f"is forwarded to {entry.to}, which is no node"


def _loads(folder: Folder) -> Found:
    """The configurations of the card name tables that are there, and every table with rows has one."""
    text = (folder.root / "README.md").read_text(encoding="utf-8")
    head = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if not head:
        yield "README.md", "has no head for Hugging Face"
        return
    named = {part["path"] for config in yaml.safe_load(head[1])["configs"] for part in config["data_files"]}
    filled = {file for file, count in folder.manifest["rows"].items() if count}
    if named != filled:
        yield "README.md", f"its configurations name {sorted(named ^ filled)[0]} wrongly or not at all"


def _forms(folder: Folder) -> Found:
    """The graph in other forms has as many nodes and edges."""
    nodes, edges = len(folder.graph.nodes), len(folder.graph.edges)
    for name, wanted in (("nodes", nodes), ("relationships", edges)):
        text = (folder.root / f"exports/neo4j/{name}.csv").read_text(encoding="utf-8")
        found = len(list(csv.reader(io.StringIO(text, newline="")))) - 1
        if found != wanted:
            yield f"exports/neo4j/{name}.csv", f"{found} rows instead of {wanted}"
    graph = nx.read_graphml(folder.root / "exports/graph.graphml")
    if (graph.number_of_nodes(), graph.number_of_edges()) != (nodes, edges):
        yield "exports/graph.graphml", f"{graph.number_of_nodes()} nodes and {graph.number_of_edges()} edges"
    whole: Any = json.loads((folder.root / "exports/graph.jsonld").read_text(encoding="utf-8"))
    if len(whole["@graph"]) != nodes:
        yield "exports/graph.jsonld", f"{len(whole['@graph'])} things instead of {nodes}"


def _licenses(folder: Folder) -> Found:
    allowed = folder.manifest["licenses"]
    for book in folder.manifest["books"]:
        for name in re.split(r" (?:AND|OR|WITH) ", book["license"]) if book["license"] else ():
            if not (folder.root / f"LICENSES/{name}.txt").is_file():
                yield book["book"], f"LICENSES/{name}.txt is missing"
        if allowed and book["license"] not in allowed:
            yield book["book"], f"{book['license'] or 'no licence'} was not to be passed on"


CHECKS: dict[str, Callable[[Folder], Found]] = {
    "sums": _sums,
    "manifest": _manifest,
    "tables": _tables,
    "fields": _fields,
    "unique": _unique,
    "ends": _ends,
    "cycles": _cycles,
    "evidence": _evidence,
    "bench": _bench,
    "train": _train,
    "forwarding": _forwarding,
    "loads": _loads,
    "forms": _forms,
    "licenses": _licenses,
}
