"""How fast a benchmark is derived from a graph of 48 books: items per CPU second and peak memory.

    python benchmarks/derive.py [BOOKS]

The graph is one book of 150 nodes copied under other names, with prerequisites, kinds and associations drawn
between the copies: about 7,500 nodes and 16,000 edges for 48 books.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from derive.benchmark import BenchmarkBuilder, BenchRules
from derive.material import material_of
from derive.summary import summary
from kg.graph import Edge, Graph, Node
from kg.language import load as load_languages
from kg.schema import load as load_schema
from kg.similarity import HashedNgrams
from kg.stage import ROOT

ITEMS_PER_SECOND, MEGABYTES = 300, 400
SYLLABLES = ["ka", "lo", "mi", "ner", "pol", "sti", "tra", "vek", "wu", "xen", "yor", "zim", "bal", "cor", "den", "fis"]
CONCEPTS, SKILLS, EXERCISES, LABS, SECTIONS, CHAPTERS = 90, 20, 20, 6, 15, 4
ACROSS = 20
"""Edges of each kind between two books."""


def main(books: int) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    graph = curriculum(books, random.Random(48))
    schema = load_schema(ROOT / "conf" / "schema" / "k12.yaml")
    english = load_languages(ROOT / "conf" / "language")["en"]
    began = time.process_time()
    material = material_of(graph, schema, english)
    made = BenchmarkBuilder(material, BenchRules(), HashedNgrams()).build({})
    seconds = time.process_time() - began
    report = summary(made, material, HashedNgrams(), {"graph": "", "nodes": 0, "edges": 0, "seed": 0, "judges": ()})
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate = len(made.items) / seconds
    lines = [
        f"{books} books, {len(graph.nodes):,} nodes, {len(graph.edges):,} edges",
        f"{len(made.items):,} items in {seconds:.1f} CPU s: {rate:.0f} items/s (wanted {ITEMS_PER_SECOND})",
        f"peak memory {memory:.0f} MB (allowed {MEGABYTES})",
        f"faults {sum(report.faults.values())}; probes {report.audit.verdict if report.audit else '-'}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if rate >= ITEMS_PER_SECOND and memory <= MEGABYTES else 1


def curriculum(books: int, lot: random.Random) -> Graph:
    """The graph; the same for the same `lot`."""
    made = Copies(lot)
    for number in range(books):
        made.book(f"b{number:02}")
    concepts = [node.id for node in made.nodes if node.label == "Concept"]
    for _ in range(books * ACROSS):
        made.link("prerequisites_for", *sorted(lot.sample(concepts, 2)))
        made.link("relates_to", *sorted(lot.sample(concepts, 2)))
    return Graph(nodes=tuple(made.nodes), edges=tuple(made.edges.values()))


class Copies:
    """Books of one build under different names."""

    def __init__(self, lot: random.Random) -> None:
        self.nodes: list[Node] = []
        self.edges: dict[tuple[str, str, str], Edge] = {}
        self._lot = lot

    def link(self, kind: str, source: str, target: str) -> None:
        """There is an edge afterwards, unless it would lead back to its source."""
        if source != target:
            self.edges[kind, source, target] = Edge(source=source, target=target, type=kind)

    def book(self, book: str) -> None:
        """One more book."""
        self.nodes.append(Node(id=book, label="Book", name=f"Book {book}", properties={"grade": book[1:]}))
        chapters = self._many("Chapter", book, CHAPTERS, order=1)
        sections = self._many("Section", book, SECTIONS, order=1)
        concepts = self._many("Concept", book, CONCEPTS, definition="what {} does to {}")
        skills = self._many("Skill", book, SKILLS, description="to find {}")
        labs = self._many("Experiment", book, LABS, process="take {}")
        exercises = self._many("Exercise", book, EXERCISES, stem="{} of {} is given; how much {} is left?", answer="3")
        for chapter in chapters:
            self.link("is_part_of", chapter, book)
        for place, section in enumerate(sections):
            self.link("is_part_of", section, chapters[place * CHAPTERS // SECTIONS])
        for place, thing in enumerate([*concepts, *skills, *labs]):
            self.link("appears_in", thing, sections[place * SECTIONS // CONCEPTS % SECTIONS])
        self._relate(concepts)
        self._use(concepts, skills, labs, exercises)

    def _many(self, label: str, book: str, count: int, **properties: object) -> list[str]:
        """Ids of so many nodes; braces in texts become names, an `order` counts up."""
        found: list[str] = []
        for number in range(count):
            filled = {key: value.format(*self._names(3)) for key, value in properties.items() if isinstance(value, str)}
            order = {"order": number + 1} if "order" in properties else {}
            key = f"{book}:{label[:3].lower()}{number:03}"
            self.nodes.append(Node(id=key, label=label, name=self._names(1)[0], properties={**filled, **order}))
            found.append(key)
        return found

    def _names(self, count: int) -> list[str]:
        lot = self._lot
        return [
            " ".join("".join(lot.choices(SYLLABLES, k=lot.randint(2, 3))) for _ in range(lot.randint(1, 2)))
            for _ in range(count)
        ]

    def _relate(self, concepts: list[str]) -> None:
        for place in range(1, CONCEPTS):
            if place % 4:
                self.link("prerequisites_for", concepts[place - 1], concepts[place])
            if place % 3 == 0:
                self.link("is_a", concepts[place], concepts[place // 3])
            if place % 5 == 0:
                self.link("relates_to", *sorted(self._lot.sample(concepts, 2)))

    def _use(self, concepts: list[str], skills: list[str], labs: list[str], exercises: list[str]) -> None:
        for exercise in exercises:
            for concept in self._lot.sample(concepts, self._lot.randint(1, 3)):
                self.link("tests_concept", exercise, concept)
            self.link("tests_skill", exercise, self._lot.choice(skills))
        for lab in labs:
            for concept in self._lot.sample(concepts, 2):
                self.link("verifies", lab, concept)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 48))
