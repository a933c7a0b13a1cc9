"""Vectors of texts."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import SettingsError
from kg.similarity import HashedNgrams, ngrams
from kg.similarity_st import SentenceModel


@given(st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_rows_have_length_one_or_are_empty(texts: list[str]) -> None:
    rows = HashedNgrams().vectors(texts)
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))
    assert rows.shape == (len(texts), 1024)


def test_texts_that_share_more_are_more_alike() -> None:
    one, two, three = HashedNgrams().vectors(["kinetic energy", "Kinetic  Energies", "加速度"])
    assert one @ two > 0.8 > 0.2 > one @ three


def test_vectors_are_the_same_on_every_machine() -> None:
    row = HashedNgrams(sizes=(2,), width=16).vectors(["力矩力矩"])[0]
    assert [round(float(value), 4) for value in row if value] == [0.4472, 0.8944] or row.sum() == pytest.approx(1.3416)


def test_ngrams_count_spaces() -> None:
    assert ngrams("a bc", (2,)) == ["a ", " b", "bc"]


def test_a_missing_library_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(SettingsError, match="embeddings"):
        SentenceModel(model="some-model").vectors(["a"])


def test_a_sentence_model_is_asked_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoder:
        def __init__(self, model: str, device: str | None) -> None:
            self.model = model

        def encode(self, texts: Sequence[str], batch_size: int, show_progress_bar: bool) -> list[list[float]]:
            return [[3.0, 4.0]] * len(texts) if batch_size == 8 else []

    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = Encoder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    similarity = SentenceModel(model="some-model", batch=8)
    assert similarity.vectors(["a", "b"]).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]] * 2
    assert similarity.label == "some-model"
