from __future__ import annotations

from pathlib import Path

import pytest

from ingest.source import check
from kg.errors import InputError


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"PK\x03\x04word/document.xml", "office document"),
        (b"<!DOCTYPE html><html>404</html>", "a web page"),
        (b"\xd0\xcf\x11\xe0", "old office document"),
        (b"\x89PNG\r\n", "a picture"),
        (b"plain words", "something else"),
        (b"", "empty"),
    ],
)
def test_what_is_no_pdf_is_named(tmp_path: Path, head: bytes, said: str) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(head)
    with pytest.raises(InputError) as error:
        check(path)
    assert said in error.value.what and error.value.where == "book.pdf" and error.value.remedy


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="file not found"):
        check(tmp_path / "none.pdf")
    with pytest.raises(InputError, match="is a folder"):
        check(tmp_path)


def test_junk_before_the_header_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(b"junk" * 100 + b"%PDF-1.7 ")
    check(path)
    path.write_bytes(b"j" * 1020 + b"%PDF-1.7 ")
    with pytest.raises(InputError):
        check(path)
