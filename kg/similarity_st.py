"""Likeness of texts by a sentence-embedding model (extra `embeddings`); asks many texts in one batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from kg.errors import SettingsError
from kg.similarity import Vectors, unit_rows


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class SentenceModel:
    """A model of the sentence-transformers library, loaded at its first use."""

    model: str
    batch: int = 256
    """Texts per call of the model."""
    device: str = ""
    """`cpu`, `cuda` …; empty: whatever the library finds."""

    @property
    def label(self) -> str:
        """The model's name."""
        return self.model

    @cached_property
    def _encoder(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise SettingsError(
                "sentence-transformers is not installed", where="similarity", remedy="pip install -e '.[embeddings]'"
            ) from None
        return SentenceTransformer(self.model, device=self.device or None)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Raises SettingsError if the library is missing."""
        rows = self._encoder.encode(list(texts), batch_size=self.batch, show_progress_bar=False)
        return unit_rows(np.asarray(rows, dtype=np.float32))
