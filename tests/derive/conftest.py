"""A made-up curriculum in two languages: two books, six chapters, eighteen sections, everything the schema has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from derive.material import Material, material_of
from kg.graph import Edge, Graph, Node, Provenance
from kg.language import Language
from kg.schema import GraphSchema

ENGLISH = {
    "first": [
        "amber",
        "brittle",
        "cobalt",
        "dusty",
        "elastic",
        "frozen",
        "golden",
        "hollow",
        "ivory",
        "jagged",
        "knotty",
    ],
    "second": [
        "arch",
        "beam",
        "cable",
        "drum",
        "engine",
        "filter",
        "girder",
        "hinge",
        "island",
        "joint",
        "kiln",
        "lever",
    ],
    "definition": "is what engineers of type {n} measure in workshop {m}",
    "exercise": "Workshop {m} builds {n} {p} a day and loses {k}. How many are left on day {d}?",
}
CHINESE = {
    "first": list("红橙黄绿青蓝紫金银铜铁"),
    "second": ["拱桥", "横梁", "缆索", "鼓轮", "引擎", "滤网", "支架", "铰链", "岛屿", "接头", "窑炉", "杠臂"],
    "definition": "第{m}车间第{n}类工程师测定的量",
    "exercise": "第{m}车间每天生产{n}件样品，损坏{k}件，第{d}天剩下多少件？",
}
PRODUCTS = ["bolts", "nuts", "pipes", "tiles", "doors", "rails", "chairs", "lamps", "clocks", "pens", "bricks", "ropes"]
CONCEPTS, SECTIONS = 4, 18

MakeGraph = Callable[[str], Graph]
MakeMaterial = Callable[[Graph, str], Material]


class Maker:
    """Collects nodes and edges."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def node(self, label: str, key: str, name: str, section: int = -1, **properties: Any) -> str:
        where = (quote(section, name),) if section >= 0 else ()
        self.nodes.append(Node(id=key, label=label, name=name, properties=properties, provenance=where))
        return key

    def edge(self, kind: str, source: str, target: str, section: int = -1) -> None:
        where = (quote(section, f"{source} / {target}"),) if section >= 0 else ()
        self.edges.append(Edge(source=source, target=target, type=kind, provenance=where))

    def graph(self) -> Graph:
        return Graph(nodes=tuple(self.nodes), edges=tuple(self.edges))


def quote(section: int, text: str) -> Provenance:
    """A quotation in one of the sections."""
    book = "b1" if section < SECTIONS // 2 else "b2"
    return Provenance(
        book=book, section=f"s{section:02}", page=section, quote=text, start=0, end=len(text), match="exact"
    )


def curriculum(words: Mapping[str, Any]) -> Graph:
    """The whole graph."""
    made = Maker()
    for book, grade in (("b1", "8"), ("b2", "9")):
        made.node("Book", book, f"Workshops {grade}", subject="engineering", grade=grade)
    for chapter in range(6):
        book = "b1" if chapter < 3 else "b2"
        made.node("Chapter", f"c{chapter}", f"Hall {'ABCDEF'[chapter]}", order=chapter % 3 + 1)
        made.edge("is_part_of", f"c{chapter}", book)
    for section in range(SECTIONS):
        _section(made, words, section)
    for section in range(SECTIONS - 1):
        made.edge("prerequisites_for", f"k{section:02}0", f"k{section + 1:02}0", section)
    for section in range(SECTIONS - 2):
        made.edge("relates_to", f"k{section:02}3", f"k{section + 2:02}2", section)
    return made.graph()


def _section(made: Maker, words: Mapping[str, Any], section: int) -> None:
    here = f"s{section:02}"
    made.node("Section", here, f"Bench {section * 7 + 3}", order=section % 3 + 1, kind="section")
    made.edge("is_part_of", here, f"c{section // 3}")
    first, second = words["first"], words["second"]
    joint = " " if words is ENGLISH else ""
    for place in range(CONCEPTS):
        number = section * CONCEPTS + place
        name = joint.join((first[number % 11], second[number % 12]))
        meaning = words["definition"].format(n=number, m=section)
        key = made.node("Concept", f"k{section:02}{place}", name, section, definition=meaning, importance="master")
        made.edge("appears_in", key, here)
    skill = made.node(
        "Skill", f"p{section:02}", f"{first[section % 11]}-{section}", section, description=f"{meaning} {section}"
    )
    lab = made.node(
        "Experiment",
        f"x{section:02}",
        f"Lab {second[section % 12]} {section}",
        section,
        instruments=["bench"],
        is_student=1,
        process=f"{meaning} ({section})",
    )
    for key in (skill, lab):
        made.edge("appears_in", key, here)
    for turn in range(2):
        stem = words["exercise"].format(
            m=section, n=section * 3 + 20, k=turn + 2, d=section + turn * 5 + 2, p=PRODUCTS[(section * 2 + turn) % 12]
        )
        made.node(
            "Exercise",
            f"e{section:02}{turn}",
            stem[:30],
            section,
            stem=stem,
            answer=str(section),
            difficulty=1,
            type="open",
            answer_printed=turn,
        )
        made.edge("tests_concept", f"e{section:02}{turn}", f"k{section:02}{turn}", section)
    made.edge("tests_skill", f"e{section:02}0", skill, section)
    made.edge("tests_concept", f"e{section:02}0", f"k{section:02}3", section)
    made.edge("is_a", f"k{section:02}1", f"k{section:02}0", section)
    made.edge("prerequisites_for", f"k{section:02}0", f"k{section:02}2", section)
    made.edge("prerequisites_for", f"k{section:02}2", skill, section)
    made.edge("verifies", lab, f"k{section:02}1", section)


@pytest.fixture(scope="session")
def make_graph() -> MakeGraph:
    """The graph in a language, `en` or `zh`."""
    made = {"en": curriculum(ENGLISH), "zh": curriculum(CHINESE)}
    return made.__getitem__


@pytest.fixture(scope="session")
def make_material(schema: GraphSchema, languages: Mapping[str, Language]) -> MakeMaterial:
    """A graph made ready in a language."""
    return lambda graph, code: material_of(graph, schema, languages[code])


@pytest.fixture(scope="session")
def english_material(make_graph: MakeGraph, make_material: MakeMaterial) -> Material:
    return make_material(make_graph("en"), "en")


@pytest.fixture(scope="session")
def maker() -> type[Maker]:
    """Builds small graphs by hand."""
    return Maker


WORKSHOP = {
    "s00": {
        "tree": "a tall plant with one woody stem",
        "oak": "bears acorns and grows for centuries",
        "birch": "has white bark that peels off in strips",
        "seed": "the small hard body from which a new plant comes",
        "root": "holds on to the soil and takes up water",
        "leaf": "turns sunlight into sugar, usually flat and green",
    },
    "s01": {
        "saw": "cuts with many teeth in a row",
        "axe": "splits wood with one heavy sharp edge",
        "tool": "made to be held while working with it",
        "handle": "the part by which something is carried or swung",
        "rust": "red crust that iron gets in damp air",
        "whetstone": "rough block used for sharpening edges",
    },
    "s02": {
        "plank": "long thin flat piece, ready for building",
        "beam": "thick square timber that bears the weight of a roof",
        "nail": "pointed pin driven in by a hammer",
        "glue": "sticky liquid that hardens and joins two faces",
        "varnish": "clear coat that keeps water out",
        "sawdust": "fine crumbs left over when cutting",
    },
    "s03": {
        "chair": "seat for one person with four legs and a back",
        "table": "flat top on legs at which people eat",
        "furniture": "movable objects that make a room fit to live in",
        "shelf": "board fixed to a wall to put books on",
        "drawer": "box without lid that slides in and out",
        "hinge": "joint on which a door swings",
    },
}
KINDS_OF = [
    ("oak", "tree"),
    ("birch", "tree"),
    ("saw", "tool"),
    ("axe", "tool"),
    ("chair", "furniture"),
    ("table", "furniture"),
]
LEARNED_BEFORE = [
    ("tree", "plank"),
    ("saw", "plank"),
    ("plank", "shelf"),
    ("nail", "furniture"),
    ("tree", "beam"),
    ("axe", "beam"),
]


@pytest.fixture
def workshop(maker: type[Maker]) -> Graph:
    """One book, two chapters, four sections, twenty-four things that are nothing alike."""
    made = maker()
    made.node("Book", "b1", "Woodwork", subject="craft", grade="8")
    home: dict[str, int] = {}
    for number, (section, things) in enumerate(WORKSHOP.items()):
        if number % 2 == 0:
            made.node(
                "Chapter", f"c{number // 2}", ("From the Forest", "In the House")[number // 2], order=number // 2 + 1
            )
            made.edge("is_part_of", f"c{number // 2}", "b1")
        title = ("In the Forest", "Cutting", "Joining", "Living")[number]
        made.node("Section", section, title, order=number % 2 + 1, kind="section")
        made.edge("is_part_of", section, f"c{number // 2}")
        for name, meaning in things.items():
            home[name] = number
            made.node("Concept", name, name, number, definition=meaning, importance="master")
            made.edge("appears_in", name, section)
        stem = f"How many things do you need to make a {max(things)} in {number + 3} hours?"
        made.node("Exercise", f"e{number}", stem, number, stem=stem, answer="7", difficulty=1, type="open")
        made.edge("tests_concept", f"e{number}", max(things), number)
    for kind, ends in (("is_a", KINDS_OF), ("prerequisites_for", LEARNED_BEFORE)):
        for source, target in ends:
            made.edge(kind, source, target, home[target])
    return made.graph()
