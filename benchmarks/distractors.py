"""How well texts are linked, and how often wrong options would be right: `python benchmarks/distractors.py GRAPH …`.

In: graphs (a run's folder, or a file of the released K12-KGraph). Out: a table per graph: recall of the linker on the
graph's own exercises and on planted questions, share of right answers among look-alikes and among the ends of walks
with the source's own avoid set and with ours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from derive.distractors.avoid import Avoider
from derive.distractors.walk import KNOWLEDGE, Walker, WalkRules
from derive.linker import Linker
from derive.material import Material, material_of
from derive.options import Likeness
from derive.pack import language_of
from derive.tasks.catalogue import TASKS
from kg import language, schema
from kg.graph_io import read_graph
from kg.item import Choice, Item
from kg.similarity import HashedNgrams
from kg.stage import ROOT

AT = (1, 3, 5, 10)
ASKED = {"en": "Which of these is meant? {said}", "zh": "以下哪一项是指：{said}？"}


def main(paths: Sequence[str]) -> None:
    """Prints the tables."""
    packs = language.load(ROOT / "conf" / "language")
    kinds = schema.load(ROOT / "conf" / "schema" / "k12.yaml")
    for path in paths:
        graph = read_graph(Path(path)).graph
        material = material_of(graph, kinds, packs[language_of(graph, packs)], "options")
        show(f"{path}: {len(graph.nodes)} nodes, {len(graph.edges)} edges")
        linking(material)
        walking(material)


def linking(material: Material) -> None:
    """Recall of `Linker.candidates`, and what `resolve` makes of slips of spelling."""
    linker = Linker(material, HashedNgrams(), ("term", "procedure"))
    view = material.view
    exercises = [(material.speak.plain(node), view.after(node, "assessment")) for node in view.with_role("question")]
    silent = [
        (text, [one for one in gold if not material.words.speaks_of(material.words.keyed(text), one)])
        for text, gold in exercises
    ]
    planted = [(said, [node]) for node in linker.nodes if (said := _masked(material, node))]
    for name, pairs in (
        ("tests_* gold", exercises),
        ("… not named in the text", silent),
        ("planted: definition without name", planted),
    ):
        show(f"  {name}: {_recall(linker, pairs)}")
    terms = [(text, [one for one in gold if view.role(one) == "term"]) for text, gold in exercises]
    show(f"  tests_concept gold among concepts: {_recall(Linker(material, HashedNgrams(), ('term',)), terms)}")
    slips = [(_slip(view.nodes[node].name), node) for node in linker.nodes if len(view.nodes[node].name) > 5]
    found = [linker.resolve(text) for text, _ in slips]
    right = sum(one is not None and one.node == node for one, (_, node) in zip(found, slips, strict=True))
    show(f"  one letter lost in a name: {right} resolved, {sum(one is None for one in found)} NONE, of {len(slips)}")


def _masked(material: Material, node: str) -> str:
    """What the book says of the node, without its names, as a question."""
    properties = material.view.nodes[node].properties
    said = str(properties.get("definition") or properties.get("description") or "")
    for name in sorted({material.view.nodes[node].name, *material.words.names(node)}, key=len, reverse=True):
        said = said.replace(name, "…")
    return ASKED.get(material.language.code, "{said}").format(said=said) if said.strip("… ") else ""


def _slip(name: str) -> str:
    return name[: len(name) // 2] + name[len(name) // 2 + 1 :]


def _recall(linker: Linker, pairs: Iterable[tuple[str, Sequence[str]]]) -> str:
    hits, total, begun = dict.fromkeys(AT, 0), 0, process_time()
    texts = [(text, set(gold)) for text, gold in pairs if gold]
    for text, gold in texts:
        found = [one.node for one in linker.candidates(text, max(AT))]
        total += len(gold)
        for at in AT:
            hits[at] += len(gold & set(found[:at]))
    if not total:
        return "none"
    rate = len(texts) / max(1e-9, process_time() - begun)
    return (
        ", ".join(f"@{at} {hits[at] / total:.3f}" for at in AT) + f" of {total} links; {rate:,.0f} texts per CPU second"
    )


def walking(material: Material) -> None:
    """Right answers among what a careless choice of wrong options takes."""
    likeness = Likeness(material, HashedNgrams())
    walker = Walker(material, HashedNgrams(), WalkRules())
    full, bare = Avoider(material, ("alias", "closure", "relation")), Avoider(material, ())
    counts = {"3 most alike": [0, 0], "ends, source's avoid set": [0, 0], "ends, ours": [0, 0]}
    walks, begun = 0, process_time()
    for task in ("prereq_1", "prereq_2", "neighbor"):
        for draft in TASKS[task](material):
            gold = draft.golds[0].id
            item = Item(
                id=draft.key,
                question=draft.query,
                options={"A": "a", "B": "b"},
                answer=("A",),
                task=task,
                query=draft.query,
                choices={"A": Choice(id=gold, right=True)},
            )
            right = full.avoided(item, [draft.query], [gold]).right - {gold}
            label = material.view.nodes[gold].label
            others = [
                n for n, record in material.view.nodes.items() if record.label == label and n not in (draft.query, gold)
            ]
            scores = likeness.of(others) @ likeness.of([gold])[0]
            _count(counts["3 most alike"], [others[place] for place in (-scores).argsort(kind="stable")[:3]], right)
            guide = walker.guide(material.speak.option(draft.query), [material.speak.option(gold)])
            for name, avoider in (("ends, source's avoid set", bare), ("ends, ours", full)):
                barred = avoider.avoided(item, [draft.query], [gold]).barred
                _count(counts[name], {one.end for one in walker.walk([draft.query], barred, guide, KNOWLEDGE)}, right)
                walks += 1
    for name, (hits, total) in counts.items():
        show(f"  right answers among {name}: {hits / max(1, total):.1%} of {total}")
    show(f"  {walks / max(1e-9, process_time() - begun):,.0f} questions walked per CPU second, avoid sets included")


def _count(counts: list[int], nodes: Iterable[str], right: frozenset[str]) -> None:
    found = list(nodes)
    counts[0] += sum(node in right for node in found)
    counts[1] += len(found)


def show(line: str) -> None:
    """To the terminal."""
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1:] or ["outputs/physics"])
