"""A release as one file to pass on.

In: path inside the release -> bytes. Out: the bytes of a tar archive, the same for the same files.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping


def tar(folder: str, files: Mapping[str, bytes]) -> bytes:
    """All files under `folder/`, sorted by name, of nobody and of no time; not compressed, for Parquet is already."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return whole.getvalue()
