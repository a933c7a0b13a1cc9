"""What people take away and look at: two releases compared on a page, the explorer, one archive, licences."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kg.project import Project
from kg.stage import ROOT
from release.archive import tar
from release.diff import Change, Difference
from release.diff_page import diff_page
from release.explorer import relinked
from release.verify import verify
from tests.release.test_history import rename

Make = Callable[..., Path]
HOSTILE = "<script>alert(1)</script>"
FILES = '<p>before <script type="application/json" id="files">[["graph/nodes.json","nodes",1]]</script> after'


class Page(HTMLParser):
    """The tags of a page and what it says."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(data.decode("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def change(**fields: tuple[Any, Any]) -> Change:
    return Change(what="node", change="changed", kind="Concept", id="s:x", name=HOSTILE, fields=fields)


def shown(**fields: tuple[Any, Any]) -> Page:
    return Page(diff_page(Difference((change(**fields),), ""), ("one", "two")))


def test_two_releases_side_by_side_are_one_page(make: Make, finished: Project, tmp_path: Path) -> None:
    before = Path(shutil.copytree(make(), tmp_path / "before"))
    rename(finished, "s:concept:power", "s:concept:power-2")
    rename(finished, "s:concept:work", "s:concept:work", properties={"definition": "new", "importance": "master"})
    root = make(version="2.0.0", previous=str(before))
    call = [sys.executable, "-m", "release", "diff", str(before), str(root), f"page={tmp_path / 'diff.html'}"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "diff.html" in done.stdout
    page = (tmp_path / "diff.html").read_bytes()
    assert (root / "diff/from-1.0.0.html").read_bytes() == page
    text = Page(page).text
    assert "From s 1.0.0 to s 2.0.0" in text and "s:concept:power-2" in text and "definition" in text
    assert len(re.findall(r"<li class=", page.decode())) == len(
        (root / "diff/from-1.0.0.jsonl").read_text().splitlines()
    )
    assert verify(root) == []


def test_a_page_that_cannot_be_written_is_one_line(make: Make, tmp_path: Path) -> None:
    root = make()
    call = [sys.executable, "-m", "release", "diff", str(root), str(root), f"page={tmp_path / 'no' / 'where.html'}"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "cannot be written" in done.stderr and "Traceback" not in done.stderr


def test_what_graphs_say_stays_text_and_nothing_is_asked_for() -> None:
    page = shown(definition=(HOSTILE, None), examples=([HOSTILE], ["b"]))
    assert "script" not in page.tags and "img" not in page.tags and page.links == ["data:,"]
    assert page.text.count(HOSTILE) == 3


def test_changes_are_shown_word_for_word_and_lists_one_by_one() -> None:
    data = diff_page(
        Difference((change(definition=("a slow push", "a quick push"), examples=(["a", "b"], ["b", "c"])),), ""),
        ("1", "2"),
    )
    assert b"<dd>a <del>slow</del><ins>quick</ins> push</dd>" in data
    assert b"<dd><del>a</del>\n<ins>c</ins></dd>" in data
    row = change(confidence=(0.98, 0.99), definitions=(None, [{"text": "a push", "section": "s:1", "book": "b"}]))
    data = diff_page(Difference((row,), ""), ("1", "2"))
    assert b"<dd><del>0.98</del><ins>0.99</ins></dd>" in data and b"<ins>a push (s:1)</ins>" in data


@given(st.text(), st.text())
def test_both_readings_can_be_read_from_the_page(before: str, after: str) -> None:
    data = diff_page(Difference((change(field=(before, after)),), ""), ("1", "2")).decode("utf-8")
    field = data[data.index("<dd>") + 4 : data.index("</dd>")]
    assert Page(re.sub("<ins>.*?</ins>", "", field, flags=re.S).encode()).text == Page(_escaped(before)).text
    assert Page(re.sub("<del>.*?</del>", "", field, flags=re.S).encode()).text == Page(_escaped(after)).text


def _escaped(text: str) -> bytes:
    return text.replace("&", "&amp;").replace("<", "&lt;").encode()


def test_nothing_changed_is_said() -> None:
    assert "Nothing has changed." in Page(diff_page(Difference((), ""), ("1", "2"))).text


def test_the_explorer_of_a_release_links_the_files_of_the_release(make: Make, finished: Project) -> None:
    finished.store.write("index.html", FILES.encode())
    root = make()
    page = (root / "explorer/index.html").read_text(encoding="utf-8")
    listed = json.loads(page.partition('id="files">')[2].partition("</script>")[0])
    assert page.startswith("<p>before ") and page.endswith(" after")
    assert {"../README.md", "../data/nodes.parquet", "../exports/textbook_kg/nodes.json"} <= {row[0] for row in listed}
    for path, _, size in listed:
        assert (root / "explorer" / path).is_file()
        assert size in (-1, (root / "explorer" / path).stat().st_size)


def test_a_page_without_a_list_of_files_stays_as_it_is() -> None:
    assert relinked(b"<p>everything", {"README.md": b"x"}) == b"<p>everything"


def test_an_archive_holds_the_folder_and_is_the_same_every_time(make: Make) -> None:
    root = make(archive=True)
    archive = root.with_name(f"{root.name}.tar")
    first = archive.read_bytes()
    make(archive=True)
    assert archive.read_bytes() == first
    with tarfile.open(archive) as opened:
        entries = opened.getmembers()
        assert {entry.mtime for entry in entries} == {0} and {entry.uname for entry in entries} == {""}
        files = {path.relative_to(root.parent).as_posix() for path in root.rglob("*") if path.is_file()}
        assert [entry.name for entry in entries] == sorted(files)
        opened.extractall(root.parent / "unpacked", filter="data")
    assert verify(root.parent / "unpacked" / root.name) == []
    make()
    assert not archive.exists()


def test_long_and_foreign_names_survive_an_archive() -> None:
    name = "书" * 90 + "/x.txt"
    with tarfile.open(fileobj=io.BytesIO(tar("top", {name: b"1"}))) as opened:
        assert opened.getnames() == [f"top/{name}"]


def test_licence_texts_are_shipped_in_full_where_we_carry_them(make: Make) -> None:
    root = make()
    text = (root / "LICENSES/CC-BY-4.0.txt").read_text(encoding="utf-8")
    assert text.startswith("Attribution 4.0 International") and "Section 8" in text and len(text) > 18_000
    assert "Version 2.0, January 2004" in (root / "LICENSES/Apache-2.0.txt").read_text(encoding="utf-8")
    assert "Apache-2.0" in (root / "NOTICE").read_text(encoding="utf-8")


def test_the_agreement_of_annotators_is_in_manifest_and_card(make: Make, finished: Project) -> None:
    root = make()
    assert json.loads((root / "manifest.json").read_text())["agreement"] == []
    assert "not measured" in (root / "README.md").read_text()
    rows = [{"subject": "s", "kind": "edge", "type": "", "tasks": 1200, "incomplete": 0, "kappa": 0.614}]
    rows.append({"subject": "s", "kind": "node", "type": "", "tasks": 3, "incomplete": 0, "why": "one_verdict"})
    finished.store.write("review/agreement.json", json.dumps(rows).encode())
    root = make()
    assert json.loads((root / "manifest.json").read_text())["agreement"] == rows
    card = (root / "README.md").read_text()
    assert "edges: κ 0.61 on 1,200 tasks; nodes: κ is not defined on 3 tasks" in card
