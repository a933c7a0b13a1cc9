"""How fast circles are found, and whether the edges proposed for cutting are the wrong ones.

    python benchmarks/cycles.py

Finding is compared with scipy's bare strongly connected components on the same arrays. For cutting, wrong edges are
planted in curricula of 10,000 ideas; the share of cut edges that are planted ones is compared with the share that
dropping every edge against the curriculum's order has.
"""

from __future__ import annotations

import math
import random
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from validate.components import Arc, Numbers, knots
from validate.cut import cheapest

SLOWER_AT_MOST, LAYERED_SECONDS, PRECISION = 3.0, 0.1, 0.9
FORWARD, BACKWARD = 2.0, 0.5


def main() -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    fine = [_layered(), _chain(), _large()]
    fine += [_planted(seed) for seed in (1, 2, 3)]
    return 0 if all(fine) else 1


def _layered() -> bool:
    """46 nodes, 88 edges, acyclic, 4 million ways: enumerating circles takes over half a minute."""
    arcs = [(2 * layer + a, 2 * layer + 2 + b) for layer in range(22) for a in (0, 1) for b in (0, 1)]
    table = np.array(arcs, dtype=np.int32)
    began = time.perf_counter()
    found = knots(table[:, 0], table[:, 1], 46)
    seconds = time.perf_counter() - began
    print(f"layered graph of 46 nodes: {seconds:.4f} s (allowed {LAYERED_SECONDS})")
    return not found and seconds < LAYERED_SECONDS


def _chain() -> bool:
    sources = np.arange(100_000, dtype=np.int32)
    began = time.perf_counter()
    found = knots(sources, sources + np.int32(1), 100_001)
    print(f"chain of 100,000 nodes: {time.perf_counter() - began:.3f} s, no recursion")
    return not found


def _bare(sources: Numbers, targets: Numbers, count: int) -> None:
    matrix = coo_array((np.ones(len(sources), dtype=np.int8), (sources, targets)), shape=(count, count))
    connected_components(matrix, directed=True, connection="strong")


def _large(count: int = 1_000_000, edges: int = 5_000_000) -> bool:
    """Forward edges between nearby nodes, one in a million backward."""
    numbers = np.random.default_rng(5)
    sources = numbers.integers(0, count - 50, edges, dtype=np.int32)
    targets = (sources + numbers.integers(1, 50, edges, dtype=np.int32)).astype(np.int32)
    sources[:5], targets[:5] = targets[:5].copy(), sources[:5].copy()
    seconds = {}
    for name, run in (("scipy", _bare), ("ours", knots)):
        began = time.process_time()
        run(sources, targets, count)
        seconds[name] = time.process_time() - began
    ratio = seconds["ours"] / seconds["scipy"]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"1M nodes, 5M edges: {seconds['ours']:.2f} CPU s, scipy's bare components {seconds['scipy']:.2f}: "
        f"ratio {ratio:.2f} (allowed {SLOWER_AT_MOST}); peak memory {memory:.0f} MB"
    )
    return ratio <= SLOWER_AT_MOST


def _planted(seed: int, count: int = 10_000, edges: int = 23_000, wrong: int = 120) -> bool:
    """Wrong edges lead backward and are weakly supported; the order in which books teach is itself noisy."""
    mixed = random.Random(seed)
    costs: dict[Arc, float] = {}
    place = [node + mixed.gauss(0, 60) for node in range(count)]
    while len(costs) < edges:
        source = mixed.randrange(count - 1)
        target = min(count - 1, source + 1 + int(mixed.expovariate(1 / 60)))
        if source != target:
            costs[(source, target)] = _worth(mixed.betavariate(8, 2), mixed.choice([1, 1, 2, 3]), place, source, target)
    planted: set[Arc] = set()
    while len(planted) < wrong:
        target = mixed.randrange(count - 1)
        source = min(count - 1, target + 1 + int(mixed.expovariate(1 / 60)))
        if (source, target) not in costs:
            planted.add((source, target))
            costs[(source, target)] = _worth(mixed.betavariate(3, 4), 1, place, source, target)
    began = time.process_time()
    cut, tangled = _cut(costs, place, count)
    seconds = time.process_time() - began
    right = len(cut & planted) / len(cut)
    against = {arc for arc in tangled if place[arc[0]] > place[arc[1]]}
    naive = len(against & planted) / len(against)
    found = len(cut & planted) / len(tangled & planted)
    print(
        f"10k/23k with {wrong} planted, seed {seed}: {len(cut)} cut, {right:.2f} of them planted (wanted {PRECISION}), "
        f"{found:.2f} of those in circles found, {seconds:.2f} CPU s; by order alone {naive:.2f}"
    )
    return right >= PRECISION


def _worth(sure: float, support: int, place: list[float], source: int, target: int) -> float:
    return sure * math.log1p(support) * (FORWARD if place[source] < place[target] else BACKWARD)


def _cut(costs: dict[Arc, float], place: list[float], count: int) -> tuple[set[Arc], set[Arc]]:
    """Edges to cut, and all edges in circles."""
    arcs = sorted(costs)
    table = np.array(arcs, dtype=np.int32)
    cut: set[Arc] = set()
    tangled: set[Arc] = set()
    for inside in knots(table[:, 0], table[:, 1], count):
        members = {arcs[at]: costs[arcs[at]] for at in inside.tolist()}
        tangled.update(members)
        done = cheapest(members, frozenset(), lambda node: place[node], 60)
        cut.update(done.arcs)
    return cut, tangled


if __name__ == "__main__":
    sys.exit(main())
