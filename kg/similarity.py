"""How alike two texts are: vectors whose dot product says it. The default needs no model and no network.

In: texts. Out: one row of length 1 per text (all zeros for an empty text).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.text import fold, one_line

Vectors = NDArray[np.float32]


class Similarity(Protocol):
    """Turns texts into vectors; many at a time."""

    @property
    def label(self) -> str:
        """What it is, for the record of what was made with it."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row per text; the dot product of two rows is their likeness, at most 1."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class HashedNgrams:
    """Character n-grams, each counted in the column its hash names. Same texts, same vectors on every machine."""

    sizes: tuple[int, ...] = (1, 2, 3)
    width: int = 1024
    """Columns; n-grams that share one make texts look a little more alike than they are."""

    @property
    def label(self) -> str:
        """Name and settings."""
        return f"hashed n-grams {'+'.join(map(str, self.sizes))}, {self.width} columns"

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row per text."""
        matrix = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in enumerate(texts):
            columns = [_column(gram, self.width) for gram in ngrams(one_line(fold(text)), self.sizes)]
            matrix[row] = np.bincount(columns, minlength=self.width)[: self.width] if columns else 0
        return unit_rows(matrix)


def unit_rows(matrix: Vectors) -> Vectors:
    """The rows divided by their lengths; rows of zeros stay."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def ngrams(text: str, sizes: Sequence[int]) -> list[str]:
    """All runs of `size` characters of the text, for each size; spaces count as characters."""
    return [text[start : start + size] for size in sizes for start in range(len(text) - size + 1)]


@lru_cache(maxsize=100_000)
def _column(gram: str, width: int) -> int:
    return crc32(gram.encode("utf-8")) % width
