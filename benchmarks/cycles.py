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

from kg.circles import Arc, Numbers, knots
from kg.cut import cheapest

SLOWER_AT_MOST, LAYERED_SECONDS, PRECISION = 3.0, 0.1, 0.9
FORWARD, BACKWARD = 2.0, 0.5
"""As in validate/cycles.py."""
SEEDS, NODES, EDGES, WRONG = 5, 10_000, 23_000, 300
REACH, NOISE = 60, 9
"""How far edges lead, and how far the place at which an idea is taught is from its true place, in ideas: 8 % of the
true edges then go against the order, as on the two public books."""


def main() -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    fine = [_layered(), _chain(), _large(), _planted()]
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


def _planted() -> bool:
    """Wrong edges lead backward and are weakly supported; the order in which books teach is itself noisy."""
    cut = right = against = naive = inside = 0
    began = time.process_time()
    for seed in range(SEEDS):
        costs, planted, place = _curriculum(random.Random(seed))
        chosen, tangled = _cut(costs, place)
        backward = {arc for arc in tangled if place[arc[0]] > place[arc[1]]}
        cut, right = cut + len(chosen), right + len(chosen & planted)
        against, naive = against + len(backward), naive + len(backward & planted)
        inside += len(tangled & planted)
    seconds = (time.process_time() - began) / SEEDS
    print(
        f"{SEEDS} curricula of {NODES:,} nodes, {EDGES:,} edges and {WRONG} planted ones: {cut} cut, {right / cut:.2f} "
        f"of them planted (wanted {PRECISION}), {right / inside:.2f} of the planted ones in circles found, "
        f"{seconds:.2f} CPU s each; dropping what goes against the order: {naive / against:.2f}"
    )
    return right / cut >= PRECISION


def _curriculum(mixed: random.Random) -> tuple[dict[Arc, float], set[Arc], list[float]]:
    """Costs of all edges, the planted ones, and the place at which each node is taught."""
    costs: dict[Arc, float] = {}
    place = [node + mixed.gauss(0, NOISE) for node in range(NODES)]
    while len(costs) < EDGES:
        source = mixed.randrange(NODES - 1)
        target = min(NODES - 1, source + 1 + int(mixed.expovariate(1 / REACH)))
        costs[(source, target)] = _worth(mixed.betavariate(8, 2), mixed.choice([1, 1, 2, 3]), place, source, target)
    planted: set[Arc] = set()
    while len(planted) < WRONG:
        target = mixed.randrange(NODES - 1)
        source = min(NODES - 1, target + 1 + int(mixed.expovariate(1 / REACH)))
        planted.add((source, target))
        costs[(source, target)] = _worth(mixed.betavariate(3, 4), 1, place, source, target)
    return costs, planted, place


def _worth(sure: float, support: int, place: list[float], source: int, target: int) -> float:
    return sure * math.log1p(support) * (FORWARD if place[source] < place[target] else BACKWARD)


def _cut(costs: dict[Arc, float], place: list[float]) -> tuple[set[Arc], set[Arc]]:
    """Edges to cut, and all edges in circles."""
    arcs = sorted(costs)
    table = np.array(arcs, dtype=np.int32)
    cut: set[Arc] = set()
    tangled: set[Arc] = set()
    for inside in knots(table[:, 0], table[:, 1], NODES):
        members = {arcs[at]: costs[arcs[at]] for at in inside.tolist()}
        tangled.update(members)
        done = cheapest(members, frozenset(), lambda node: place[node], 60)
        cut.update(done.arcs)
    return cut, tangled


if __name__ == "__main__":
    sys.exit(main())
