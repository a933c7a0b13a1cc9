"""A subject of two small books as merge and validate leave it: every type, a cycle, a homonym, hostile text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from emit.explorer import Explorer
from emit.stage import Emit
from kg.document import Book
from kg.graph import Edge, Finding, Node, Provenance
from kg.language import Language
from kg.project import Project
from kg.schema import GraphSchema
from kg.section import SectionRow
from kg.stage import Item
from kg.store import Store, jsonl

SECTIONS = {
    "physics-8": [
        ("1", "Motion", "1.1", "Where things are"),
        ("1", "Motion", "1.2", "How fast things move"),
        ("2", "Forces", "2.1", "Push and pull"),
        ("2", "Forces", "2.2", "Force and motion"),
        ("3", "Energy", "3.1", "Work and energy"),
        ("3", "Energy", "3.2", "Power"),
    ],
    "physics-9": [
        ("1", "Waves", "1.1", "What waves carry"),
        ("1", "Waves", "1.2", "Sound"),
        ("2", "Light", "2.1", "Rays and mirrors"),
        ("2", "Light", "2.2", "Lenses"),
    ],
}
"""Book -> (chapter number, chapter title, section number, section title)."""

TERMS = {
    "position": ("physics-8", "1.1", "the place of an object relative to a reference point"),
    "distance": ("physics-8", "1.1", "the length of the path an object travels"),
    "displacement": ("physics-8", "1.1", "the change in position of an object, with its direction"),
    "vector": ("physics-8", "1.1", "a quantity with a size and a direction"),
    "speed": ("physics-8", "1.2", "the distance travelled per unit of time"),
    "velocity": ("physics-8", "1.2", "speed in a stated direction"),
    "acceleration": ("physics-8", "1.2", "the rate at which velocity changes"),
    "force": ("physics-8", "2.1", "a push or a pull on an object"),
    "friction": ("physics-8", "2.1", "a force that opposes sliding"),
    "weight": ("physics-8", "2.1", "the force of gravity on an object"),
    "mass": ("physics-8", "2.2", "how much an object resists a change of its motion"),
    "Newton's second law of motion": ("physics-8", "2.2", "acceleration is net force divided by mass"),
    "inertia": ("physics-8", "2.2", "the tendency to keep moving as before"),
    "work": ("physics-8", "3.1", "force times the distance moved in its direction"),
    "energy": ("physics-8", "3.1", "the ability to do work"),
    "kinetic energy": ("physics-8", "3.1", "the energy an object has because it moves"),
    "potential energy": ("physics-8", "3.1", "energy stored because of position"),
    "power": ("physics-8", "3.2", "the rate at which work is done"),
    "wave": ("physics-9", "1.1", "a disturbance that carries energy from place to place"),
    "transverse wave": ("physics-9", "1.1", "a wave whose medium moves across its direction"),
    "longitudinal wave": ("physics-9", "1.1", "a wave whose medium moves along its direction"),
    "frequency": ("physics-9", "1.1", "the number of waves per second"),
    "wavelength": ("physics-9", "1.1", "the distance between neighbouring crests"),
    "sound": ("physics-9", "1.2", "a longitudinal wave that we can hear"),
    "pitch": ("physics-9", "1.2", "how high or low a sound is"),
    "ray": ("physics-9", "2.1", "a straight path along which light travels"),
    "reflection": ("physics-9", "2.1", "light bouncing off a surface"),
    "refraction": ("physics-9", "2.2", "the bending of light between two media"),
    "lens": ("physics-9", "2.2", "a curved piece of glass that bends light"),
    "focal length": ("physics-9", "2.2", "the distance from a lens to its focus"),
    "</script><b>bold</b>\u2028\"'&": ("physics-9", "2.2", "<img src=x onerror=alert(1)> {{data}}"),
}
"""Name -> book, section, definition. The last one is what a hostile book could print."""

KINDS = [
    ("friction", "force"),
    ("weight", "force"),
    ("kinetic energy", "energy"),
    ("potential energy", "energy"),
    ("velocity", "vector"),
    ("displacement", "vector"),
    ("transverse wave", "wave"),
    ("longitudinal wave", "wave"),
    ("sound", "longitudinal wave"),
]
NEEDED = [
    ("position", "distance"),
    ("position", "displacement"),
    ("vector", "displacement"),
    ("distance", "speed"),
    ("displacement", "velocity"),
    ("speed", "velocity"),
    ("velocity", "acceleration"),
    ("acceleration", "Newton's second law of motion"),
    ("force", "Newton's second law of motion"),
    ("mass", "Newton's second law of motion"),
    ("force", "work"),
    ("distance", "work"),
    ("work", "energy"),
    ("work", "power"),
    ("energy", "wave"),
    ("energy", "kinetic energy"),
    ("speed", "kinetic energy"),
    ("distance", "wavelength"),
    ("wave", "frequency"),
    ("wave", "wavelength"),
    ("frequency", "pitch"),
    ("ray", "reflection"),
    ("ray", "refraction"),
    ("refraction", "lens"),
    ("lens", "focal length"),
    ("refraction", "speed"),
]
"""The last one goes against the order of the books."""

CYCLE = ("kinetic energy", "speed")
LOST = "phlogiston"


def section_id(book: str, number: str) -> str:
    return f"physics:section:{book}:{number}"


def chapter_id(book: str, number: str) -> str:
    return f"physics:chapter:{book}:{number}"


def term_id(name: str) -> str:
    return "physics:concept:" + "-".join(word for word in name.split() if word.replace("'", "").isalnum())


def quote(text: str, book: str, number: str, start: int = 0) -> Provenance:
    page = 4 + 2 * [row[2] for row in SECTIONS[book]].index(number)
    return Provenance(
        book=book,
        section=section_id(book, number),
        page=page,
        quote=text,
        start=start,
        end=start + len(text),
        match="exact",
    )


def structure() -> tuple[list[Node], list[Edge]]:
    nodes, edges = [], []
    for book, rows in SECTIONS.items():
        top = f"physics:book:{book}"
        nodes.append(Node(id=top, label="Book", name=book.replace("-", " ").title(), properties={"subject": "physics"}))
        for order, (number, title) in enumerate(dict.fromkeys((row[0], row[1]) for row in rows), start=1):
            nodes.append(
                Node(
                    id=chapter_id(book, number),
                    label="Chapter",
                    name=title,
                    properties={"number": number, "order": order},
                )
            )
            edges.append(Edge(source=chapter_id(book, number), target=top, type="is_part_of"))
        for order, (chapter, _, number, title) in enumerate(rows, start=1):
            properties = {"number": number, "order": order, "kind": "section"}
            nodes.append(Node(id=section_id(book, number), label="Section", name=title, properties=properties))
            edges.append(Edge(source=section_id(book, number), target=chapter_id(book, chapter), type="is_part_of"))
    return nodes, edges


def terms() -> tuple[list[Node], list[Edge]]:
    nodes, edges = [], []
    for place, (name, (book, number, definition)) in enumerate(TERMS.items()):
        said = quote(f"{name.capitalize()} is {definition}.", book, number, 50 * place)
        properties: dict[str, Any] = {"definition": definition, "importance": "master" if place % 3 else "important"}
        if name == "velocity":
            properties |= {"aliases": ["velocity vector"], "formula": "v = Δd / Δt", "unit": "m/s"}
        if name == "power":
            other = {"text": "work divided by time", "book": "physics-9", "section": section_id("physics-9", "1.1")}
            properties |= {"definitions": [{"text": definition, "book": book, "section": said.section}, other]}
        nodes.append(Node(id=term_id(name), label="Concept", name=name, properties=properties, provenance=(said,)))
        edges.append(Edge(source=term_id(name), target=said.section, type="appears_in", provenance=(said,)))
    again = quote("Energy moves with a wave.", "physics-9", "1.1", 9000)
    edges.append(Edge(source=term_id("energy"), target=again.section, type="appears_in", provenance=(again,)))
    return nodes, edges


def others() -> tuple[list[Node], list[Edge]]:
    """Skills, experiments, exercises and what they are linked to."""
    skill = "physics:skill:draw-a-ray-diagram"
    lab = "physics:experiment:rolling-ball"
    said = quote("To draw a ray diagram, start at the tip of the object.", "physics-9", "2.1", 700)
    seen = quote("Let the ball roll down the ramp and time it.", "physics-8", "1.2", 900)
    nodes = [
        Node(
            id=skill,
            label="Skill",
            name="draw a ray diagram",
            properties={"description": "Draw two rays from the tip of the object and find where they meet."},
            provenance=(said,),
        ),
        Node(
            id=lab,
            label="Experiment",
            name="A ball on a ramp",
            properties={"instruments": ["ball", "ramp", "stopwatch"], "is_student": 1, "process": "Time the ball."},
            provenance=(seen,),
        ),
    ]
    edges = [
        Edge(source=skill, target=said.section, type="appears_in", provenance=(said,)),
        Edge(source=term_id("ray"), target=skill, type="prerequisites_for", provenance=(said,)),
        Edge(source=lab, target=seen.section, type="appears_in", provenance=(seen,)),
        Edge(source=lab, target=term_id("acceleration"), type="verifies", provenance=(seen,)),
        Edge(source=term_id("pitch"), target=term_id("frequency"), type="relates_to", provenance=(said,)),
    ]
    for place, (name, (book, number, _)) in enumerate(list(TERMS.items())[:20]):
        stem = f"A question about {name}: how would you explain {name} to a friend who missed the lesson?"
        asked = quote(stem, book, number, 5000 + place)
        node = f"physics:exercise:{place:02}"
        properties = {"stem": stem, "answer": "In your own words.", "difficulty": 1 + place % 5, "type": "open"}
        nodes.append(Node(id=node, label="Exercise", name=stem, properties=properties, provenance=(asked,)))
        edges.append(Edge(source=node, target=term_id(name), type="tests_concept", provenance=(asked,)))
    edges.append(Edge(source="physics:exercise:19", target=skill, type="tests_skill", provenance=(asked,)))
    return nodes, edges


def semantic() -> list[Edge]:
    edges = []
    for kind, pairs in (("is_a", KINDS), ("prerequisites_for", [*NEEDED, CYCLE])):
        for source, target in pairs:
            book, number, definition = TERMS[target]
            said = quote(f"{target.capitalize()} is {definition}.", book, number, 50 * list(TERMS).index(target))
            properties = {"rules": ["definition"], "confidence": 0.8, "support": 1}
            edges.append(
                Edge(
                    source=term_id(source),
                    target=term_id(target),
                    type=kind,
                    properties=properties,
                    provenance=(said,),
                )
            )
    return edges


def findings() -> list[Finding]:
    cycle = ("prerequisites_for", term_id(CYCLE[0]), term_id(CYCLE[1]))
    return [
        Finding(
            check="cycle",
            action="set_aside",
            message="“speed” and “kinetic energy” each need the other first; the weaker statement was set aside.",
            nodes=cycle[1:],
            edge=cycle,
        ),
        Finding(
            check="quote",
            action="set_aside",
            message="The sentence for “phlogiston” is not in the book.",
            nodes=(f"physics:concept:{LOST}",),
        ),
        Finding(
            check="homonym",
            action="review",
            message="“power” may mean two things.",
            nodes=(term_id("power"),),
        ),
        Finding(
            check="unlinked", action="note", message="“inertia” is tested by no exercise.", nodes=(term_id("inertia"),)
        ),
    ]


def write_subject(store: Store) -> None:
    """Everything the stage reads is in the store afterwards."""
    for book, rows in SECTIONS.items():
        index = [
            SectionRow(
                id=section_id(book, number),
                chapter_number=chapter,
                chapter_title=chapter_title,
                section_number=number,
                section_title=title,
                kind="section",
                start_page=4 + 2 * place,
                end_page=5 + 2 * place,
                file=f"sections/{place:03}.md",
                chapter=chapter_id(book, chapter),
            ).model_dump(mode="json")
            for place, (chapter, chapter_title, number, title) in enumerate(rows)
        ]
        store.write(f"segment/{book}/sections_index.json", json.dumps(index).encode())
        pages = [{"index": page, "width": 595, "height": 842, "label": str(page - 1)} for page in range(20)]
        document = {"title": book, "language": "en", "pages": pages}
        store.write(f"ingest/{book}/document.json", json.dumps(document).encode())
    parts = [structure(), terms(), others()]
    lost = Node(id=f"physics:concept:{LOST}", label="Concept", name=LOST, properties={"definition": "fire stuff"})
    doomed = Edge(source=lost.id, target=term_id("energy"), type="prerequisites_for")
    nodes = sorted([node for part in parts for node in part[0]] + [lost], key=lambda node: node.id)
    edges = sorted([edge for part in parts for edge in part[1]] + semantic() + [doomed], key=Edge.key)
    store.write("merge/nodes.jsonl", jsonl(nodes))
    store.write("merge/edges.jsonl", jsonl(edges))
    store.write("validate/findings.jsonl", jsonl(findings()))


def subject_project(root: Path, schema: GraphSchema, languages: Mapping[str, Language]) -> Project:
    books = tuple(
        Book(slug=slug, file=f"/books/{slug}.pdf", title=slug.replace("-", " ").title(), language="en")
        for slug in SECTIONS
    )
    return Project(Store(root), "physics", "Physics", books, schema, languages)


@pytest.fixture
def subject(tmp_path: Path, schema: GraphSchema, languages: Mapping[str, Language]) -> Project:
    """The project, with everything written."""
    project = subject_project(tmp_path / "out", schema, languages)
    write_subject(project.store)
    return project


def page_files(project: Project, **settings: Any) -> dict[str, bytes]:
    """What the two stages of the room write, the page last; all of it is in the store afterwards."""
    files: dict[str, bytes] = {}
    for stage in (Emit(), Explorer(**settings)):
        made = stage.run(Item(key="physics", payload=None, inputs={}), project).files
        for name, data in made.items():
            project.store.write(name, data)
        files |= made
    return files


@pytest.fixture
def item() -> Item:
    """The one item of the stage."""
    return Item(key="physics", payload=None, inputs={})
