"""How long a made web of categories and leaves takes to become a tree, and how much memory.

    python benchmarks/taxonomy.py [--leaves 10000 100000 400000 1600000] [--categories-per-leaf 0.0875]

The web has the shape of Wikipedia's: categories with one to three parents, a few per cent of edges that lead back up
(most of them inside one large knot, the others in knots of a few), leaves in one to three categories. Each size runs in
a process of its own. The baseline is sorting the same edges once: a tree cannot be had for less than reading them.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from numpy.typing import NDArray

from derive.taxonomy.rectify import ROOT, Fate, Rectified, untangle

LEAVES = (10_000, 100_000, 400_000, 1_600_000)
SHARE = 0.0875
"""Categories per leaf: 140,000 for 1.6 million."""
FLAT, MOST_GB, MOST_SECONDS = 2.0, 6.0, 600.0
BACK = 0.01
"""Share of the category edges that lead back up."""


def main() -> int:
    """Prints a row per size; returns 0 if time per edge stays flat and memory and time stay within bounds."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--leaves", type=int, nargs="+", default=LEAVES)
    options.add_argument("--categories-per-leaf", type=float, default=SHARE)
    options.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.one:
        print(" ".join(map(str, _measure(given.one, given.categories_per_leaf))))
        return 0
    print("leaves  categories  edges  cpu s  µs/edge  × sorting  peak GB  loops cut  levels  tree ok")
    rates, fine = [], True
    for leaves in given.leaves:
        command = [
            sys.executable,
            __file__,
            "--one",
            str(leaves),
            "--categories-per-leaf",
            str(given.categories_per_leaf),
        ]
        row = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        edges, seconds, sorting, peak = int(row[0]), float(row[1]), float(row[2]), float(row[3])
        rates.append(seconds / edges)
        fine = fine and peak < MOST_GB and seconds < MOST_SECONDS and row[6] == "True"
        size = f"{leaves:,}  {round(leaves * given.categories_per_leaf):,}  {edges:,}"
        cost = f"{seconds:.2f}  {1e6 * rates[-1]:.2f}  {seconds / sorting:.0f}  {peak:.2f}"
        print(f"{size}  {cost}  {row[4]}  {row[5]}  {row[6]}")
    spread = rates[-1] / rates[0]
    print(f"time per edge, last size to first: {spread:.2f} (allowed {FLAT})")
    return 0 if fine and spread <= FLAT else 1


def _measure(leaves: int, share: float) -> tuple[int, float, float, float, int, int, bool]:
    """Edges, CPU seconds, seconds of the baseline, peak memory, edges cut, levels, and whether it is a tree."""
    categories = round(leaves * share)
    child, parent = made(categories, leaves)
    began = time.process_time()
    np.lexsort((parent, child))
    sorting = time.process_time() - began
    began = time.process_time()
    found = untangle(categories + leaves, child, parent).tree()
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return len(child), seconds, max(sorting, 1e-6), peak, found.loops.cut, int(found.level.max()), _is_tree(found)


def made(categories: int, leaves: int, seed: int = 7) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Edges (child, parent), sorted, each once; categories have the smaller numbers."""
    chance = np.random.default_rng(seed)
    own = np.arange(1, categories)
    down = [(own, _above(own, chance))]
    for some in (0.5, 0.15):
        more = own[chance.random(len(own)) < some]
        down.append((more, _above(more, chance)))
    back = chance.integers(1, categories, round(BACK * 1.65 * categories))
    first = np.concatenate([[0], down[0][1]])
    above, steps = first[back], chance.integers(0, 6, len(back))
    for step in range(5):
        above = np.where(steps > step, first[above], above)
    down.append((above, back))
    leaf = np.arange(categories, categories + leaves)
    for some in (1.0, 0.5, 0.2):
        more = leaf[chance.random(leaves) < some]
        down.append((more, chance.integers(categories // 100, categories, len(more))))
    child, parent = (np.concatenate(part).astype(np.int64) for part in zip(*down, strict=True))
    pairs = np.unique(child * (categories + leaves) + parent)
    return (pairs // (categories + leaves)).astype(np.int32), (pairs % (categories + leaves)).astype(np.int32)


def _above(nodes: NDArray[np.int64], chance: np.random.Generator) -> NDArray[np.int64]:
    """A category nearer to the top for each: about a quarter as far down its list."""
    return (nodes * chance.beta(2, 6, len(nodes))).astype(np.int64)


def _is_tree(found: Rectified) -> bool:
    """One parent each, every parent one level up: hence one root, no loops, every node once."""
    above, level = found.above, found.level
    inner = above != ROOT
    steps = bool((level[above[inner]] == level[inner] - 1).all() and (level[~inner] == 1).all())
    return steps and int((found.fate == Fate.TREE).sum()) == int(inner.sum())


if __name__ == "__main__":
    sys.exit(main())
