"""Files are written whole, and read back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kg.graph import Node
from kg.store import Store, canonical, jsonl, sha256

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_what_is_written_is_read_back_and_its_digest_is_known(tmp_path: Path) -> None:
    store = Store(tmp_path)
    digest = store.write("deep/file.txt", "Größe 长度".encode())
    assert store.read_text("deep/file.txt") == "Größe 长度"
    assert digest == store.digest("deep/file.txt") == sha256("Größe 长度")
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["file.txt"]


def test_a_missing_artefact_has_no_digest(tmp_path: Path) -> None:
    assert Store(tmp_path).digest("nowhere.txt") == ""


@given(st.text(), st.dictionaries(st.text(min_size=1), st.integers() | st.text()))
def test_rows_survive_the_disk(name: str, properties: dict[str, object]) -> None:
    node = Node(id="n", label="L", name=name, properties=properties)
    assert Node.model_validate_json(jsonl([node]).decode().removesuffix("\n")) == node


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(ValidationError, match="colour"):
        Node.model_validate({"id": "n", "label": "L", "name": "x", "colour": "red"})


@given(st.dictionaries(st.text(), values))
def test_canonical_json_does_not_depend_on_order(data: dict[str, object]) -> None:
    assert canonical(data) == canonical(dict(reversed(list(data.items()))))
