"""Markdown books, read with markdown-it (its only importer in this room).

In: a Markdown file. Out: a `Marked`: its headings have their levels, and there is one page. If a MinerU content list
lies beside the file (`NAME_content_list.json`), that is read in its place: it knows the pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it import __version__ as _version
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from ingest import marked
from ingest.mineru_output import beside, read
from ingest.parts import Marked, Part, Styled, table
from ingest.reader import Made
from kg.document import Book, Page
from kg.errors import InputError
from kg.project import Project
from kg.store import file_sha256

PAGE = (595.0, 842.0)
ENDINGS = (".md", ".markdown", ".txt")
STYLES = {"strong": "bold", "em": "italic"}
TAGS = {"sub": "subscript", "sup": "superscript", "b": "bold", "i": "italic", "strong": "bold", "em": "italic"}
TAG = re.compile(r"<(/?)(\w+)[^>]*>")
FORMULA = re.compile(r"\$\$(.+?)\$\$(?:\s*[(（](\S+)[)）])?", re.DOTALL)
FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
MARKER = re.compile(r"(\d{1,3}[.)]|[-*+])")


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Markdown:
    """Reads Markdown files."""

    @property
    def version(self) -> str:
        """Name and version of the library."""
        return f"markdown-it {_version}"

    def files(self, book: Book) -> list[Path]:
        """The file, or the content list beside it."""
        path = Path(book.file)
        return [path, *beside(path)]

    def document(self, book: Book, project: Project, stage: str) -> Made:
        """The book's document. Raises InputError if the file cannot be read as text."""
        path = Path(book.file)
        if beside(path):
            return marked.document(book, file_sha256(path), read(beside(path), (), stage, book.slug), project)
        text = _text(path)
        parts = _Parts(MarkdownIt("commonmark").enable("table").parse(FRONT.sub("", text))).parts
        page = Page(index=0, width=PAGE[0], height=PAGE[1], route="markup", reason="Markdown has no pages")
        title = next((part.text for part in parts if part.level == 1), "")
        found = Marked(self.version, parts, (page,), "markup", title=title, believed=True)
        return marked.document(book, file_sha256(path), found, project)


def _text(path: Path) -> str:
    where = path.name
    if not path.is_file():
        raise InputError("file not found", where=where, remedy=f"check the path {path}")
    if path.suffix.lower() not in ENDINGS:
        raise InputError(
            "not a Markdown file", where=where, remedy="use ingest=pymupdf for PDFs, or subject.pattern='*.md'"
        )
    try:
        return path.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError) as error:
        raise InputError(f"cannot be read as text: {error}"[:200], where=where, remedy="save it as UTF-8") from None


class _Parts:
    """The parts of a token stream."""

    def __init__(self, tokens: Sequence[Any]) -> None:
        self.parts: list[Part] = []
        self._items: list[str] = []
        """Markers of the list items that are open."""
        self._fresh = False
        """The next paragraph is the first of a list item."""
        at = 0
        while at < len(tokens):
            at = self._take(tokens, at)

    def _take(self, tokens: Sequence[Any], at: int) -> int:
        token = tokens[at]
        if token.type == "heading_open":
            text, spans = _inline(tokens[at + 1])
            if text:
                self.parts.append(Part("section_header", text, spans=_light(text, spans), level=int(token.tag[1:])))
        elif token.type == "paragraph_open":
            self._paragraph(tokens[at + 1])
        elif token.type in ("fence", "code_block"):
            self.parts.append(Part("code", token.content.rstrip("\n")))
        elif token.type == "table_open":
            end = next(place for place in range(at, len(tokens)) if tokens[place].type == "table_close")
            self.parts.append(table(0, (0.0, 0.0, 0.0, 0.0), _html(tokens[at:end])))
            return end + 1
        elif token.type == "html_block" and "<table" in token.content:
            self.parts.append(table(0, (0.0, 0.0, 0.0, 0.0), token.content))
        elif token.type == "list_item_open":
            self._items.append(f"{token.info}{token.markup}" if token.info else token.markup)
            self._fresh = True
        elif token.type == "list_item_close":
            self._items.pop()
        return at + 1

    def _paragraph(self, inline: Any) -> None:
        formula = FORMULA.fullmatch(inline.content.strip())
        if formula:
            latex = formula.group(1).strip()
            self.parts.append(Part("formula", latex, latex=latex, number=formula.group(2)))
            return
        images = [child for child in inline.children or () if child.type == "image"]
        text, spans = _inline(inline)
        if images and not text:
            self.parts.append(Part("picture", ""))
            caption = " ".join(image.content for image in images).strip()
            if caption:
                self.parts.append(Part("caption", caption))
            return
        if not text:
            return
        if self._items and self._fresh:
            marker = self._items[-1]
            number = marker if marker[0].isdigit() else None
            shown = f"{marker if number else '•'} "
            spans = [(start + len(shown), end + len(shown), style) for start, end, style in spans]
            self.parts.append(Part("list_item", shown + text, spans=spans, number=number))
            self._fresh = False
        else:
            self.parts.append(Part("text", text, spans=spans))


def _light(text: str, spans: Sequence[Styled]) -> list[Styled]:
    """Without those that cover all of the text."""
    return [span for span in spans if (span[0], span[1]) != (0, len(text))]


def _inline(token: Any) -> tuple[str, list[Styled]]:
    """The text of an inline token and its styles."""
    text = ""
    spans: list[Styled] = []
    starts: dict[str, list[int]] = {}
    for child in token.children or ():
        name, _, edge = child.type.partition("_")
        if child.type in ("text", "code_inline"):
            text += child.content
        elif child.type in ("softbreak", "hardbreak"):
            text += " "
        elif child.type == "html_inline":
            match = TAG.fullmatch(child.content)
            if match and match.group(2) in TAGS:
                _edge(match.group(1) == "", TAGS[match.group(2)], len(text), starts, spans)
        elif name in STYLES:
            _edge(edge == "open", STYLES[name], len(text), starts, spans)
    head = len(text) - len(text.lstrip())
    bare = text.strip()
    moved = [(max(0, start - head), min(end - head, len(bare)), style) for start, end, style in spans]
    return bare, sorted(span for span in moved if span[0] < span[1])


def _edge(opens: bool, style: str, at: int, starts: dict[str, list[int]], spans: list[Styled]) -> None:
    if opens:
        starts.setdefault(style, []).append(at)
    elif starts.get(style):
        spans.append((starts[style].pop(), at, style))


def _html(tokens: Sequence[Any]) -> str:
    """A table's tokens as plain HTML."""
    pieces = ["<table>"]
    for token in tokens:
        if token.type in ("tr_open", "td_open", "th_open"):
            pieces.append(f"<{token.tag}>")
        elif token.type in ("tr_close", "td_close", "th_close"):
            pieces.append(f"</{token.tag}>")
        elif token.type == "inline":
            text = _inline(token)[0]
            pieces.append(text.replace("&", "&amp;").replace("<", "&lt;"))
    return "".join([*pieces, "</table>"])
