"""Tables as Parquet files that every version of `datasets` reads, and back.

In: a `Table`. Out: bytes. The schema is stated and no pandas or Hugging Face block is written: a file in which a newer
`datasets` has left its own types cannot be read by an older one. Same rows and same pyarrow, same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kg.errors import InputError, SettingsError
from release.tables import Column, Table


def _library() -> tuple[Any, Any]:
    """The library, asked for when it is needed: runs that release nothing do without."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise SettingsError("pyarrow is not installed", where="release", remedy="pip install -e '.[release]'") from None
    return pyarrow, pyarrow.parquet


def version() -> str:
    """Version of the library, on which the bytes depend. Raises SettingsError if it is not installed."""
    return str(_library()[0].__version__)


def parquet(table: Table) -> bytes:
    """The table as a file. Raises SettingsError if the library is missing."""
    arrow, files = _library()
    schema = arrow.schema([arrow.field(one.name, _type(arrow, one), one.nullable) for one in table.columns])
    data = arrow.Table.from_pylist([dict(row) for row in table.rows], schema=schema)
    out = io.BytesIO()
    files.write_table(data, out, compression="zstd", store_schema=True)
    return out.getvalue()


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a file. Raises InputError if it is no Parquet."""
    arrow, files = _library()
    try:
        rows: list[dict[str, Any]] = files.read_table(path).to_pylist()
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"not readable as Parquet: {error}", where=str(path)) from None
    return rows


def column_names(path: Path) -> list[str]:
    """The file's columns. Raises InputError if it is no Parquet."""
    arrow, files = _library()
    try:
        return list(files.read_schema(path).names)
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"not readable as Parquet: {error}", where=str(path)) from None


def _type(arrow: Any, column: Column) -> Any:
    plain = {"text": arrow.string(), "integer": arrow.int64(), "number": arrow.float64()}
    if column.kind in plain:
        return plain[column.kind]
    if column.kind == "list":
        return arrow.list_(arrow.string())
    names: Sequence[tuple[str, Any]] = [("role", arrow.string()), ("content", arrow.string())]
    if column.kind == "quotes":
        text, whole = arrow.string(), arrow.int64()
        names = [("book", text), ("section", text), ("page", whole), ("quote", text), ("start", whole), ("end", whole)]
        names = [*names, ("match", text), ("score", arrow.float64()), ("route", text)]
    return arrow.list_(arrow.struct(names))
