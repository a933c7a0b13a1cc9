"""How fast questions by level are made: items per CPU second without and with the bank, and peak memory.

    python benchmarks/questions.py [BOOKS | GRAPH]

BOOKS (12) copies of a made-up book (benchmarks/derive.py), or a graph on disk.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.derive import curriculum
from derive.material import Material, material_of
from derive.pack import language_of
from derive.questions.report import Summary
from derive.questions.settings import Rules
from derive.questions.stage import SUMMARY, Questions, Run
from kg.graph_io import ReadGraph, read_graph
from kg.language import load as load_languages
from kg.schema import load as load_schema
from kg.stage import ROOT

ITEMS_PER_SECOND, MEGABYTES = 100, 1000


def main(what: str) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    made = not Path(what).exists()
    read = ReadGraph(curriculum(int(what), random.Random(48)), ()) if made else read_graph(Path(what))
    languages = load_languages(ROOT / "conf" / "language")
    schema = load_schema(ROOT / "conf" / "schema" / "k12.yaml")
    with tempfile.TemporaryDirectory() as bank:
        # the made-up books quote nothing
        rules = Rules(bank=bank, evidence=not made)
        language = languages[language_of(read.graph, languages)]
        began = time.process_time()
        material = material_of(read.graph, schema, language, "options")
        first, items = _timed(rules, read, material)
        first += time.process_time() - began - first
        second, others = _timed(replace(rules, seed=1), read, material)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    faults = sum(items.faults.values()) + sum(others.faults.values())
    verdict = items.audit_after.verdict if items.audit_after else "-"
    total, again = items.items + items.several, others.items + others.several
    lines = [
        f"{len(read.graph.nodes):,} nodes, {len(read.graph.edges):,} edges",
        f"{total:,} items in {first:.1f} CPU s: {total / first:.0f} items/s (wanted {ITEMS_PER_SECOND})",
        f"another seed, from the bank: {again:,} items in {second:.1f} CPU s: {again / second:.0f} items/s",
        f"peak memory {memory:.0f} MB (allowed {MEGABYTES})",
        f"faults {faults}; probes {verdict}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if total / first >= ITEMS_PER_SECOND and memory <= MEGABYTES and not faults else 1


def _timed(rules: Rules, read: ReadGraph, material: Material) -> tuple[float, Summary]:
    """CPU seconds of a whole question set with its summary and sheet, and the summary."""
    began = time.process_time()
    result = Run(Questions(questions=rules), read, material).result()
    return time.process_time() - began, Summary.model_validate_json(result.files[SUMMARY])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "12"))
