"""Every test with a project reads its PDFs with both engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ingest.pymupdf import PyMuPdf
from ingest.reader import PageReader
from tests.ingest import paper


def _readers() -> list[PageReader]:
    try:
        from ingest.pdfium import Pdfium
    except ImportError:
        return [PyMuPdf()]
    return [PyMuPdf(), Pdfium()]


READERS = _readers()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "project" in metafunc.fixturenames:
        metafunc.parametrize("reader", READERS, ids=[one.version.split()[0] for one in READERS], indirect=True)


@pytest.fixture(autouse=True)
def reader(request: pytest.FixtureRequest) -> Iterator[PageReader]:
    """The engine that reads what the test makes."""
    paper.READERS.append(getattr(request, "param", READERS[0]))
    yield paper.READERS[-1]
    paper.READERS.pop()
