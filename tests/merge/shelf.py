"""Small real books for tests of merging and checking: text, sections and claims that quote them.

In: chapters with sections with sentences. Out: documents, index rows, claims, and a run folder with all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from kg.document import Block, Book, Document, Page, Prov
from kg.graph import EdgeClaim, NodeClaim, Provenance, Ref
from kg.locate import Locator
from kg.project import Project
from kg.section import Section, SectionRow, markdown, section
from kg.store import Store, jsonl

ROWS: TypeAdapter[list[SectionRow]] = TypeAdapter(list[SectionRow])
Chapters = Mapping[str, Mapping[str, Sequence[str]]]
"""Chapter title -> section title -> sentences, one paragraph each; every section starts a page."""


@dataclass
class ABook:
    """A book under construction; claims quote its sentences."""

    slug: str
    chapters: Chapters
    language: str = "en"
    order: float | None = None
    claims: list[NodeClaim | EdgeClaim] = field(default_factory=list)

    @property
    def book(self) -> Book:
        """The book as configured."""
        return Book(slug=self.slug, file="none.pdf", title=self.slug.title(), language=self.language, order=self.order)

    def titles(self) -> list[tuple[str, str]]:
        """Chapter and section titles in reading order."""
        return [(chapter, title) for chapter, sections in self.chapters.items() for title in sections]

    def rows(self) -> list[SectionRow]:
        """The index."""
        found: list[SectionRow] = []
        numbers = {chapter: str(at + 1) for at, chapter in enumerate(self.chapters)}
        start = 0
        for at, (chapter, title) in enumerate(self.titles()):
            end = start + len(self.chapters[chapter][title])
            row = SectionRow(
                id=f"physics:section:{self.slug}:{title.lower().replace(' ', '-')}",
                chapter_number=numbers[chapter],
                chapter_title=chapter,
                section_number=f"{numbers[chapter]}.{at + 1}",
                section_title=title,
                kind="section",
                start_page=at,
                end_page=at,
                file=f"sections/{at:03d}.md",
                chapter=f"physics:chapter:{self.slug}:{numbers[chapter]}",
                start_block=start,
                end_block=end,
            )
            found.append(row)
            start = end
        return found

    def document(self) -> Document:
        """The document."""
        blocks = []
        for page, (chapter, title) in enumerate(self.titles()):
            for text in self.chapters[chapter][title]:
                prov = Prov(page=page, bbox=(0, 0, 1, 1), start=0, end=len(text))
                blocks.append(Block(id=f"b{len(blocks)}", label="text", text=text, prov=(prov,)))
        pages = tuple(Page(index=at, width=600, height=800) for at in range(len(self.titles())))
        return Document(
            book=self.slug,
            title=self.slug,
            language=self.language,
            sha256="",
            engine="test",
            pages=pages,
            blocks=tuple(blocks),
        )

    def section(self, title: str) -> Section:
        """The section with that title."""
        document = self.document()
        row = next(row for row in self.rows() if row.section_title == title)
        return section(document, document.body(), row)

    def quote(self, text: str, title: str = "") -> Provenance:
        """Where the text stands: in the section with that title, else in the first that has it."""
        for wanted in [title] if title else [title for _, title in self.titles()]:
            found = Locator(self.section(wanted)).find(text)
            if found is not None and found.match != "fuzzy":
                return found
        raise AssertionError(f"{text!r} is not in the book")

    def term(self, name: str, definition: str, label: str = "Concept", **facts: Any) -> NodeClaim:
        """Claims a term, defined by a text of the book."""
        rule, confidence = facts.pop("rule", "listed_definition"), facts.pop("confidence", 0.98)
        quote = self.quote(definition, facts.pop("within", ""))
        described = {
            "Concept": {"definition": definition, "importance": "master"},
            "Skill": {"description": definition},
        }
        return self.node(label, name, {**described[label], **facts}, quote, rule, confidence)

    def question(self, stem: str, **facts: Any) -> NodeClaim:
        """Claims an exercise whose stem stands in the book."""
        properties = {"stem": stem, "answer": "42", "difficulty": 2, "type": "open", **facts}
        return self.node("Exercise", stem, properties, self.quote(stem), "exercise", 0.9)

    def node(
        self, label: str, name: str, properties: dict[str, Any], quote: Provenance, rule: str, confidence: float
    ) -> NodeClaim:
        """Claims a node."""
        claim = NodeClaim(
            label=label,
            name=name,
            properties=properties,
            evidence=(quote,),
            section=quote.section,
            extractor="rules",
            rule=rule,
            confidence=confidence,
        )
        self.claims.append(claim)
        return claim

    def edge(
        self, kind: str, source: str, target: str, quoted: str, confidence: float = 0.8, **labels: str
    ) -> EdgeClaim:
        """Claims an edge between names (of concepts, or of `source_label` and `target_label`)."""
        quote = self.quote(quoted)
        claim = EdgeClaim(
            type=kind,
            source=Ref(label=labels.get("source_label", "Concept"), name=source),
            target=Ref(label=labels.get("target_label", "Concept"), name=target),
            evidence=(quote,),
            section=quote.section,
            extractor="rules",
            rule=labels.get("rule", "definition_names"),
            confidence=confidence,
        )
        self.claims.append(claim)
        return claim

    def put(self, store: Store) -> None:
        """Everything the merge and validate stages read is in the store afterwards."""
        document = self.document()
        store.write(f"ingest/{self.slug}/document.json", document.to_json().encode())
        store.write(f"segment/{self.slug}/sections_index.json", ROWS.dump_json(self.rows()))
        for row in self.rows():
            text = "".join(markdown(block)[0] for block in document.body()[row.start_block : row.end_block])
            store.write(f"segment/{self.slug}/{row.file}", text.encode())
        store.write(f"extract/{self.slug}/claims.jsonl", jsonl(self.claims))


def shelved(project: Project, *books: ABook) -> Project:
    """The project with these books on disk."""
    for book in books:
        book.put(project.store)
    return replace(project, books=tuple(book.book for book in books))


def mechanics() -> ABook:
    """A first book: motion, forces, and the power of a lens."""
    book = ABook(
        "physics-8",
        {
            "Motion": {
                "Speed": [
                    "Speed is the distance covered per unit of time.",
                    "A car covers 90 km in one hour. What is its speed?",
                    "Average speed is the speed over a whole trip.",
                ],
                "Momentary speed": ["Momentary speed is the speed at one instant of a trip."],
            },
            "Forces": {
                "Force": [
                    "Force is a push or a pull that changes the motion of a body.",
                    "Newton is the unit in which force is given.",
                ]
            },
            "Light": {
                "Lenses": [
                    "Power is the reciprocal of the focal length of a lens.",
                    "A lens refracts light. A strong lens has a short focal length.",
                ]
            },
        },
        order=1,
    )
    book.term("speed", "Speed is the distance covered per unit of time.")
    book.term("average speed", "Average speed is the speed over a whole trip.")
    book.term("momentary speed", "Momentary speed is the speed at one instant of a trip.")
    book.term("force", "Force is a push or a pull that changes the motion of a body.", unit="newton")
    book.term("power", "Power is the reciprocal of the focal length of a lens.")
    book.question("A car covers 90 km in one hour. What is its speed?")
    book.edge("prerequisites_for", "speed", "average speed", "Average speed is the speed over a whole trip.")
    book.edge("is_a", "average speed", "speed", "Average speed is the speed over a whole trip.")
    book.edge(
        "tests_concept",
        "A car covers 90 km in one hour. What is its speed?",
        "speed",
        "A car covers 90 km in one hour. What is its speed?",
        source_label="Exercise",
    )
    return book


def energy() -> ABook:
    """A second book: force again in other words, momentary speed by another name, and another power."""
    book = ABook(
        "physics-9",
        {
            "Dynamics": {
                "Forces again": [
                    "A force changes the motion of a body; it has a size and a direction.",
                    "Instantaneous speed, also called momentary speed, is the speed at an instant.",
                ]
            },
            "Energy": {
                "Work": [
                    "Work is the product of a force and the way along which it acts.",
                    "Power is the work done in each second by an engine.",
                    "Engines of great power do much work. A watt is one joule per second.",
                ]
            },
        },
        order=2,
    )
    book.term("force", "A force changes the motion of a body; it has a size and a direction.", importance="important")
    book.term(
        "instantaneous speed",
        "Instantaneous speed, also called momentary speed, is the speed at an instant.",
        aliases=["momentary speed"],
    )
    book.term("work", "Work is the product of a force and the way along which it acts.")
    book.term("power", "Power is the work done in each second by an engine.")
    book.edge("prerequisites_for", "work", "power", "Power is the work done in each second by an engine.")
    return book
