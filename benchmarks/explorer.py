"""How the page does with ten thousand nodes in headless Chromium: search, a neighbourhood, the map.

python benchmarks/explorer.py            prints milliseconds; needs chromium, does without a GPU
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from emit.explorer import Explorer
from emit.stage import Emit
from kg import language
from kg.document import Book
from kg.graph import Edge, Node, Provenance
from kg.project import Project
from kg.schema import GraphSchema, load
from kg.section import SectionRow
from kg.stage import ROOT
from kg.store import Store, jsonl
from tests.emit.test_page_browser import BINARY, Browser

BOOKS, CHAPTERS, SECTIONS, TERMS, QUESTIONS = 10, 10, 5, 12, 8
EDGES = 23_000


class Made:
    """Nodes, edges and section rows of a made-up subject, as they grow."""

    def __init__(self, schema: GraphSchema) -> None:
        self.kinds = {role: schema.node_type(role) for role in ("book", "chapter", "section", "term", "question")}
        self.part, self.taught = schema.edge_type("containment"), schema.edge_type("location")
        self.asks, self.needs = schema.edge_type("assessment"), schema.edge_type("prerequisite")
        self.nodes: list[Node] = []
        self.edges: dict[tuple[str, str, str], Edge] = {}
        self.terms: list[str] = []
        self.lot = random.Random(0)

    def add(self, key: str, role: str, name: str, quote: Provenance | None = None, **properties: Any) -> str:
        found = (quote,) if quote else ()
        self.nodes.append(Node(id=key, label=self.kinds[role], name=name, properties=properties, provenance=found))
        return key

    def join(self, kind: str, source: str, target: str, quote: Provenance | None = None) -> None:
        edge = Edge(source=source, target=target, type=kind, provenance=(quote,) if quote else ())
        self.edges.setdefault(edge.key(), edge)

    def book(self, slug: str, title: str) -> list[SectionRow]:
        """A book with its chapters and sections."""
        top = self.add(f"s:book:{slug}", "book", title, subject="s")
        rows: list[SectionRow] = []
        for chapter in range(1, CHAPTERS + 1):
            name = f"Chapter {chapter}"
            middle = self.add(f"s:chapter:{slug}:{chapter}", "chapter", name, number=str(chapter), order=chapter)
            self.join(self.part, middle, top)
            for section in range(1, SECTIONS + 1):
                rows.append(self.section(slug, f"{chapter}.{section}", middle, len(rows)))
        return rows

    def section(self, slug: str, number: str, chapter: str, at: int) -> SectionRow:
        """A section with its terms and questions."""
        title = f"Section {number}"
        key = self.add(f"s:section:{slug}:{number}", "section", title, number=number, order=at + 1)
        self.join(self.part, key, chapter)
        for _ in range(TERMS):
            name = f"idea {len(self.terms)} of {number}"
            said = f"An {name} is what this section explains to whoever reads it in book {slug}."
            quote = Provenance(book=slug, section=key, page=0, quote=said, start=0, end=len(said), match="exact")
            term = self.add(f"s:concept:{len(self.terms)}", "term", name, quote, definition=said, importance="master")
            self.join(self.taught, term, key, quote)
            if self.terms:
                self.join(self.needs, self.lot.choice(self.terms[-300:]), term, quote)
            self.terms.append(term)
        for place in range(QUESTIONS):
            stem = f"Question {place} of section {number} in {slug}: what follows?"
            question = self.add(f"s:exercise:{slug}-{number}-{place}", "question", stem, stem=stem, answer="-")
            self.join(self.asks, question, self.lot.choice(self.terms[-TERMS:]))
        return SectionRow(
            id=key,
            chapter_number=number.partition(".")[0],
            chapter_title=f"Chapter {number.partition('.')[0]}",
            section_number=number,
            section_title=title,
            kind="section",
            start_page=0,
            end_page=1,
            file=f"sections/{number}.md",
            start_block=at,
            end_block=at + 1,
        )


def subject(place: Path) -> Project:
    """A made-up subject of about 10,000 nodes and 23,000 edges, with what emit reads."""
    schema = load(ROOT / "conf" / "schema" / "k12.yaml")
    books = tuple(Book(slug=f"b{n:02}", file=f"b{n:02}.pdf", title=f"Book {n}", language="en") for n in range(BOOKS))
    project = Project(Store(place), "s", "Subject", books, schema, language.load(ROOT / "conf" / "language"))
    made = Made(schema)
    for book in books:
        index = "[" + ",".join(row.model_dump_json() for row in made.book(book.slug, book.title)) + "]"
        project.store.write(f"segment/{book.slug}/sections_index.json", index.encode())
    while len(made.edges) < EDGES:
        one, other = sorted(made.lot.sample(range(len(made.terms)), 2))
        made.join(made.needs, made.terms[one], made.terms[other])
    project.store.write("merge/nodes.jsonl", jsonl(sorted(made.nodes, key=lambda node: node.id)))
    project.store.write("merge/edges.jsonl", jsonl(sorted(made.edges.values(), key=Edge.key)))
    project.store.write("validate/findings.jsonl", b"")
    return project


def measured(browser: Browser, script: str) -> float:
    """Milliseconds until the browser has run the script and painted."""
    painted = f"new Promise((done) => {{ {script}; requestAnimationFrame(() => setTimeout(done, 0)); }})"
    began = time.perf_counter()
    browser.js(painted)
    return (time.perf_counter() - began) * 1000


def main() -> int:
    """Prints the figures; 0 if there is a browser."""
    if BINARY is None:
        sys.stdout.write("no chromium: nothing measured\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        project = subject(Path(folder))
        made: dict[str, int] = {}
        for stage in (Emit(), Explorer()):
            (item,) = stage.plan(project)
            result = stage.run(item, project)
            made |= result.counts
            for name, data in result.files.items():
                project.store.write(name, data)
        address = project.store.path("index.html").as_uri()
        browser = Browser(Path(folder) / "browser")
        browser.size(1300)
        began = time.perf_counter()
        browser.open(address)
        browser.press("/", *"idea 77")
        figures = {"open and search": (time.perf_counter() - began) * 1000}
        hits = browser.js("document.querySelectorAll('#hits li').length")
        figures["neighbourhood"] = measured(browser, "location.hash = 'id=' + encodeURIComponent('s:concept:3000')")
        drawn = browser.js("document.querySelectorAll('.picture .box').length")
        figures["study path"] = measured(
            browser, "location.hash = 'view=path&to=' + encodeURIComponent('s:concept:3000')"
        )
        figures["for teaching"] = measured(browser, "location.hash = 'view=teaching'")
        figures["map"] = measured(browser, "location.hash = 'view=map'")
        browser.js("new Promise((done) => setTimeout(done, 100))")
        painted = browser.js("Number(document.querySelector('canvas.map').dataset.painted)")
        outside = browser.requests() - {address}
        browser.close()
    counts = ", ".join(f"{count:,} {name}" for name, count in made.items() if count)
    lines = [f"{name:<16} {value:6.0f} ms" for name, value in figures.items()]
    seen = f"{hits} hits, {drawn} boxes, {painted:,} squares, requests besides the page itself: {len(outside)}"
    sys.stdout.write("\n".join([counts, *lines, seen]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
