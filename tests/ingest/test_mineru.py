"""What MinerU has taken apart becomes a document, whichever generation wrote it; what it has lost is named."""

from __future__ import annotations

import json
import stat
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from ingest.mineru import Mineru, remedy_for, said_last
from ingest.mineru_output import MineruOutput
from ingest.mineru_server import MineruServer
from ingest.pymupdf import PyMuPdf
from ingest.reader import BookReader
from ingest.stage import Ingest
from kg.document import Book, Document
from kg.engine import attempt
from kg.errors import SettingsError
from kg.project import Project
from kg.stage import Result
from tests.ingest.paper import WIDTH, document, headings, styled, texts
from tests.ingest.parsed import SPEED, TABLE, TITLES, listed, paper, v3, v4

LEVELS = [(1, TITLES[0]), (2, TITLES[1]), (2, TITLES[2])]
Output = dict[str, Any] | list[dict[str, Any]]


def result(path: Path, project: Project, reader: BookReader, **book: Any) -> Result:
    entry = Book.model_validate({"slug": "book", "file": str(path), "language": "en", **book})
    ours = replace(project, books=(entry,))
    stage = Ingest(reader=reader)
    (item,) = stage.plan(ours)
    return attempt(stage, item, ours)


def parsed(folder: Path, name: str, content: Output) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(content))
    return folder


@pytest.mark.parametrize(
    ("name", "content"),
    [("middle_json.json", v4()), ("book_middle.json", v3()), ("book_content_list.json", listed())],
    ids=["v4", "v3", "list"],
)
def test_a_folder_of_any_generation_gives_the_same_book(
    tmp_path: Path, project: Project, name: str, content: Output
) -> None:
    made = result(parsed(tmp_path / "book" / "auto", name, content).parent, project, MineruOutput())
    book = document(made)
    assert made.failures == () and headings(book) == LEVELS and len(book.pages) == 2
    assert texts(book, "page_header")[0] == "Running head" and texts(book, "caption")[0] == "Table 1.1 Speeds"
    (formula,) = [block for block in book.blocks if block.label == "formula"]
    assert formula.latex == "v = \\frac{s}{t}"
    (table,) = [block for block in book.blocks if block.label == "table"]
    assert table.text == "v | 3 m/s\nall | " and table.html == TABLE
    assert texts(book, "list_item") == ["a. one", "b. two"] and SPEED in texts(book, "text")
    assert len([block for block in book.blocks if block.label == "picture"]) == 1
    assert book.pages[0].route == "layout_model" and book.engine.startswith("mineru")
    (speed,) = [block for block in book.blocks if block.text == SPEED]
    left, top, right, bottom = speed.prov[0].bbox
    wide = 595.0 if "list" in name else WIDTH
    assert left == pytest.approx(58 * wide / WIDTH, abs=1) and right == pytest.approx(440 * wide / WIDTH, abs=1)
    assert top < bottom


def test_a_paragraph_over_a_page_break_has_two_places(tmp_path: Path, project: Project) -> None:
    made = document(result(parsed(tmp_path / "a", "middle_json.json", v4()), project, MineruOutput()))
    (block,) = [block for block in made.blocks if block.text.endswith("and so it goes on.")]
    assert [prov.page for prov in block.prov] == [0, 1] and "continued" in block.flags


@pytest.mark.parametrize("content", [v4(), v3(), listed()], ids=["v4", "v3", "list"])
def test_the_pdf_gives_type_bookmarks_and_bold_words_back(tmp_path: Path, project: Project, content: Output) -> None:
    path = paper().save(tmp_path / "book.pdf")
    name = "book_content_list.json" if isinstance(content, list) else "book_middle.json"
    parsed(tmp_path / "out" / "book", name, content)
    reader = MineruOutput(folder=str(tmp_path / "out"), pdf=PyMuPdf())
    made = result(path, project, reader)
    book = document(made)
    assert made.failures == () and headings(book) == LEVELS
    (chapter,) = [block for block in book.blocks if block.text == TITLES[0]]
    assert chapter.font_size == 22.0 and chapter.level_votes[0].witness == "outline"
    (speed,) = [block for block in book.blocks if block.text == SPEED]
    assert styled(speed, "bold") == ["speed"] and speed.prov[0].bbox[2] == pytest.approx(440, abs=1)


def test_pages_that_are_lost_are_failures(tmp_path: Path, project: Project) -> None:
    path = paper().save(tmp_path / "book.pdf")
    content = v4()
    content["pages"][1]["blocks"] = []
    parsed(tmp_path / "out" / "book", "middle_json.json", content)
    (failure,) = result(path, project, MineruOutput(folder=str(tmp_path / "out"), pdf=PyMuPdf())).failures
    assert failure.page == 1 and "missing" in failure.what
    del content["pages"][1]
    parsed(tmp_path / "out" / "book", "middle_json.json", content)
    made = result(path, project, MineruOutput(folder=str(tmp_path / "out"), pdf=PyMuPdf()))
    assert [failure.page for failure in made.failures] == [1] and len(document(made).pages) == 2


def test_a_zip_and_a_file_are_read_as_well(tmp_path: Path, project: Project) -> None:
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as archive:
        archive.writestr("book/middle_json.json", json.dumps(v4()))
    assert headings(document(result(tmp_path / "book.zip", project, MineruOutput()))) == LEVELS
    parsed(tmp_path, "x.json", v3())
    assert headings(document(result(tmp_path / "x.json", project, MineruOutput()))) == LEVELS


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (json.dumps(v4("3.0")), "docvortex.middle 3.0 is not known"),
        ('{"a": 1}', "no output of MinerU that is known"),
        ("{", "cannot be read"),
        ('{"pdf_info": [{"page_idx": 0}]}', "not as MinerU writes it"),
        ('{"pdf_info": []}', "no text in it"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, project: Project, content: str, what: str) -> None:
    (tmp_path / "book.json").write_text(content)
    (failure,) = result(tmp_path / "book.json", project, MineruOutput()).failures
    assert what in failure.what and failure.remedy


def test_a_book_without_output_is_named(tmp_path: Path, project: Project) -> None:
    path = paper().save(tmp_path / "book.pdf")
    (failure,) = result(path, project, MineruOutput()).failures
    assert "no output of MinerU" in failure.what and "ingest.reader.folder" in failure.remedy
    (failure,) = result(path, project, MineruOutput(folder=str(tmp_path))).failures
    assert "no output of MinerU" in failure.what


PROGRAM = """#!{python}
import json, sys
if "--version" in sys.argv:
    print("MinerU version: {version}")
    sys.exit(0)
first, last = (int(part) for part in sys.argv[sys.argv.index("-p") + 1].split("-"))
with open({log!r}, "a") as log:
    log.write(f"{{first}}-{{last}}\\n")
{body}
data = json.load(open({data!r}))
data["pages"] = [page for page in data["pages"] if first <= page["page_idx"] + 1 <= last]
json.dump(data, open(sys.argv[sys.argv.index("-o") + 1], "w"))
"""


def program(folder: Path, body: str = "", version: str = "4.0.12") -> str:
    """A program that behaves as `mineru-kit` does, and writes down which pages it was asked for."""
    (folder / "data.json").write_text(json.dumps(v4()))
    path = folder / f"mineru-kit-{abs(hash((body, version)))}"
    log, data = str(folder / "log"), str(folder / "data.json")
    path.write_text(PROGRAM.format(python=sys.executable, version=version, body=body, log=log, data=data))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_the_command_line_is_asked_for_chunks_and_never_twice(tmp_path: Path, project: Project) -> None:
    path = paper().save(tmp_path / "book.pdf")
    reader = Mineru(pdf=PyMuPdf(), command=program(tmp_path), tier="flash", pages=1)
    assert reader.version == "mineru 4.0.12 flash auto"
    first = result(path, project, reader)
    assert first.failures == () and headings(document(first)) == LEVELS
    assert (tmp_path / "log").read_text().split() == ["1-1", "2-2"]
    assert result(path, project, reader).files == first.files
    assert (tmp_path / "log").read_text().split() == ["1-1", "2-2"]


@pytest.mark.parametrize(
    ("body", "what", "remedy"),
    [
        ("sys.exit('Error: [E1020] Connection failed')", "E1020", "mineru-kit models download"),
        ("sys.exit(0)", "ended without a result", "by hand"),
        ("first = 99", "nothing for page 1", "higher tier"),
        ("import time; time.sleep(20)", "more than 1 seconds", "timeout"),
        ("open(sys.argv[sys.argv.index('-o') + 1], 'w').write('no'); sys.exit(0)", "no middle JSON", "4.x"),
    ],
)
def test_what_goes_wrong_in_mineru_is_one_clear_line(
    tmp_path: Path, project: Project, body: str, what: str, remedy: str
) -> None:
    path = paper().save(tmp_path / "book.pdf")
    reader = Mineru(pdf=PyMuPdf(), command=program(tmp_path, body), tier="basic", timeout=1)
    (failure,) = result(path, project, reader).failures
    assert what in failure.what and remedy in failure.remedy and "\n" not in failure.what


def test_a_chunk_that_fails_costs_only_its_pages(tmp_path: Path, project: Project) -> None:
    path = paper().save(tmp_path / "book.pdf")
    body = "if first == 2: sys.exit('Error: out of memory')"
    made = result(path, project, Mineru(pdf=PyMuPdf(), command=program(tmp_path, body), pages=1))
    (failure,) = made.failures
    assert "pages 2 to 2" in failure.what and failure.retry
    assert headings(document(made)) == LEVELS[:2]


def test_a_program_that_is_missing_or_of_another_generation_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no program"):
        _ = Mineru(pdf=PyMuPdf(), command="/nowhere/mineru-kit").version
    with pytest.raises(SettingsError, match=r"MinerU 3\.4\.4"):
        _ = Mineru(pdf=PyMuPdf(), command=program(tmp_path, version="3.4.4")).version


def test_the_last_error_is_what_a_program_said() -> None:
    assert said_last("Error: first\nmore\n\nError: last\nbye\n") == "Error: last"
    assert said_last("one\ntwo\n") == "two" and said_last("") == "it said nothing"
    assert "by hand" in remedy_for("something else")


class Server(BaseHTTPRequestHandler):
    """Answers as `mineru-api` does; every job is done at the second question."""

    asked: list[str] = []
    failing = ""

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    def _answer(self, body: Any, code: int = 200) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        if self.path == "/v1/health":
            self._answer({"status": "ok", "version": "4.0.12"})
        elif self.path.startswith("/v1/files/"):
            first, last = (int(part) for part in self.path.split("/")[3].split("-"))
            data = v4()
            data["pages"] = [page for page in data["pages"] if first <= page["page_idx"] + 1 <= last]
            self._answer(data)
        else:
            pages = self.path.rsplit("/", 1)[1]
            output = (
                {"error": {"message": self.failing}}
                if self.failing
                else {"output_files": {"middle_json": {"file_id": pages, "bytes": 1}}}
            )
            self._answer({"job_id": pages, "status": "failed" if self.failing else "completed", "files": [output]})

    def do_PUT(self) -> None:
        assert self.rfile.read(int(self.headers["Content-Length"])).startswith(b"%PDF-")
        self._answer({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        if self.path == "/v1/uploads":
            self._answer({"id": "u1"})
        elif self.path.endswith("/complete"):
            self._answer({"file": {"id": "f1"}})
        elif self.path == "/v1/parse/jobs" and body["tier"] in ("flash", "standard"):
            pages = body["files"][0]["page_range"]
            Server.asked.append(pages)
            self._answer({"job_id": pages, "status": "queued"}, 202)
        else:
            self._answer({"error": "tier not available"}, 400)


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Server.asked, Server.failing = [], ""
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def test_a_server_is_asked_for_chunks(tmp_path: Path, project: Project, url: str) -> None:
    path = paper().save(tmp_path / "book.pdf")
    made = result(path, project, MineruServer(pdf=PyMuPdf(), url=url, pages=1, wait=0.01))
    assert made.failures == () and headings(document(made)) == LEVELS and Server.asked == ["1-1", "2-2"]


def test_what_goes_wrong_on_a_server_is_one_clear_line(tmp_path: Path, project: Project, url: str) -> None:
    path = paper().save(tmp_path / "book.pdf")
    Server.failing = "Model repo is not ready under /models"
    (failure,) = result(path, project, MineruServer(pdf=PyMuPdf(), url=url, wait=0.01)).failures
    assert "is not ready under" in failure.what and "models download" in failure.remedy
    (failure,) = result(path, project, MineruServer(pdf=PyMuPdf(), url=url, tier="basic")).failures
    assert "says 400" in failure.what and "tier not available" in failure.what
    (failure,) = result(path, project, MineruServer(pdf=PyMuPdf(), url="http://127.0.0.1:9")).failures
    assert "no MinerU server at http://127.0.0.1:9" in failure.what and "mineru-api" in failure.remedy
    (failure,) = result(path, project, MineruServer(pdf=PyMuPdf(), url="ftp://x")).failures
    assert "not an address" in failure.what


def test_the_document_is_one_like_any_other(tmp_path: Path, project: Project) -> None:
    made = result(parsed(tmp_path / "a", "middle_json.json", v4()), project, MineruOutput())
    book = Document.model_validate_json(made.files["ingest/book/document.json"])
    assert made.counts["headings"] == 3 and len({block.id for block in book.blocks}) == len(book.blocks)
