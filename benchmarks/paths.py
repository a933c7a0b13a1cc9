"""How fast paths are mined: pairs of nodes per CPU second, beside networkx on the same pairs, and peak memory.

    python benchmarks/paths.py [BOOKS]

The graph is that of benchmarks/derive.py: about 7,500 nodes and 16,000 edges for 48 books. Pairs are drawn by lot
from the nodes that carry knowledge; half of them are at most two hops apart.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from pathlib import Path

import networkx as nx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.derive import curriculum
from derive.material import material_of
from derive.paths.mine import Miner
from derive.paths.stage import EDGES
from derive.view import GraphView
from kg.language import load as load_languages
from kg.schema import load as load_schema
from kg.stage import ROOT

PAIRS_PER_SECOND, MEGABYTES = 100_000, 400
PAIRS, SLOW_PAIRS = 200_000, 400


def main(books: int) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    graph = curriculum(books, random.Random(48))
    schema = load_schema(ROOT / "conf" / "schema" / "k12.yaml")
    material = material_of(graph, schema, load_languages(ROOT / "conf" / "language")["en"])
    began = time.process_time()
    miner = Miner(material, EDGES, ("question",), True)
    ready = time.process_time() - began
    pairs = drawn(material.view, miner, PAIRS)
    began = time.process_time()
    found = [len(miner.between(one, other)) for one, other in pairs]
    rate = len(pairs) / (time.process_time() - began)
    slow, same = by_networkx(material.view, pairs[:SLOW_PAIRS], found)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = [
        f"{books} books, {len(graph.nodes):,} nodes, {len(material.view.edges()):,} edges, ready in {ready:.2f} CPU s",
        f"{len(pairs):,} pairs, {sum(map(bool, found)):,} with a path, {sum(found):,} paths of at most 2 hops",
        f"{rate:,.0f} pairs/s (wanted {PAIRS_PER_SECOND:,}); {rate / slow:,.0f} times networkx; same paths: {same}",
        f"peak memory {memory:.0f} MB (allowed {MEGABYTES})",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if same and rate >= PAIRS_PER_SECOND and memory <= MEGABYTES else 1


def drawn(view: GraphView, miner: Miner, count: int) -> list[tuple[str, str]]:
    """Half of the pairs anywhere, half with a path of one or two hops."""
    lot, nodes = random.Random(1), view.with_role("term", "procedure", "activity")
    pairs = [(lot.choice(nodes), lot.choice(nodes)) for _ in range(count // 2)]
    while len(pairs) < count:
        start = lot.choice(nodes)
        end = start
        for _ in range(lot.choice((1, 2))):
            near = miner.near(end)
            end = lot.choice(near) if near else end
        pairs.append((start, end))
    return lot.sample(pairs, k=len(pairs))


def by_networkx(view: GraphView, pairs: list[tuple[str, str]], found: list[int]) -> tuple[float, bool]:
    """Pairs per second of `all_simple_edge_paths`, and whether it finds as many paths."""
    whole = nx.MultiGraph()
    whole.add_nodes_from(view.nodes)
    whole.add_edges_from((edge.source, edge.target) for edge in view.edges())
    closed = set(view.with_role("question"))
    began, same = time.process_time(), True
    for (one, other), count in zip(pairs, found, strict=False):
        ways = nx.all_simple_edge_paths(whole, one, other, cutoff=2) if one != other else ()
        same &= count == sum(len(way) == 1 or way[0][1] not in closed for way in ways)
    return len(pairs) / (time.process_time() - began), same


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 48))
