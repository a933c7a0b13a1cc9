"""How to cite a release: CITATION.cff 1.2.0.

In: facts about the release. Out: bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from release.material import BookFacts

MESSAGE = "If you use this data set, please cite it as below."


def citation(title: str, version: str, authors: Sequence[str], date: str, books: Sequence[BookFacts]) -> bytes:
    """The file; authors are people or groups as one name each, the licence stands where all books share one."""
    data: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": MESSAGE,
        "type": "dataset",
        "title": title,
        "version": version,
        "authors": [{"name": author} for author in authors],
    }
    if date:
        data["date-released"] = date
    licenses = {book.license for book in books}
    only = licenses.pop() if len(licenses) == 1 else ""
    if only and " " not in only and not only.startswith("LicenseRef"):
        data["license"] = only
    references = [{"type": "book", "title": book.title, "authors": [{"name": book.title}]} for book in books]
    if references:
        data["references"] = references
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False).encode("utf-8")
