"""Inline Markdown to reportlab's paragraph markup: bold terms, labels, italics, sub- and superscripts.

In: a line of the source. Out: XML for `Paragraph`. `**term**` is bold and noted for the index, `__label__` is
only bold, `*v*` italic, `x^2^` and `x~1~` raised and lowered, as in pandoc.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

CJK = re.compile(r"([\u2014\u2018-\u201d\u2026\u2103\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]+)")
WORD = re.compile(r"[A-Za-z]+")
INNER = re.compile(r"(\s*\S+\s+)(.*)(\s+\S+\s*)$")
PATTERNS = (
    (re.compile(r"\^([^^\s]+)\^"), r"<super>\1</super>"),
    (re.compile(r"~([^~\s]+)~"), r"<sub>\1</sub>"),
    (re.compile(r"__(.+?)__"), r"<b>\1</b>"),
    (re.compile(r"\*(.+?)\*"), r"<i>\1</i>"),
)
TERM = re.compile(r"\*\*(.+?)\*\*")
TAG = re.compile(r"(<[^>]+>)")


@dataclass(frozen=True)
class Inline:
    """How one book's lines become XML.

    `hyphens` maps a lower-case word to itself with soft hyphens; `indexed` says whether terms are noted.
    """

    chinese: bool
    indexed: bool
    hyphens: dict[str, str] = field(default_factory=dict)

    def xml(self, text: str) -> str:
        """The paragraph markup of this line, with its terms noted for the index if the book has one."""
        return self._convert(text, self._noted if self.indexed else _bold)

    def heading(self, text: str) -> str:
        """Words in the face of the heading throughout, Latin letters too."""
        return escape(plain(text))

    def quiet(self, text: str) -> str:
        """As `xml`, but terms are only bold: for headings, captions and lists of terms."""
        return self._convert(text, _bold)

    def _convert(self, text: str, term: Callable[[re.Match[str]], str]) -> str:
        xml = TERM.sub(term, escape(text))
        for pattern, replacement in PATTERNS:
            xml = pattern.sub(replacement, xml)
        parts, open_tags = [], ""
        for part in TAG.split(xml):
            if TAG.fullmatch(part) and not part.endswith("/>"):
                open_tags = open_tags.replace(part[2], "") if part.startswith("</") else open_tags + part[1]
            parts.append(part if TAG.fullmatch(part) else self._words(part, open_tags))
        return "".join(parts)

    def _words(self, text: str, open_tags: str) -> str:
        """Plain text with soft hyphens and, in a Chinese book, with Latin letters in a Latin face.

        Naming a face resets bold and italic, so the face is chosen by the tags that are open.
        """
        if not self.chinese:
            return text if open_tags else self._hyphenated(text)
        face = "Serif-Bold" if "b" in open_tags else "Serif-Italic" if "i" in open_tags else "Serif"
        pieces = CJK.split(text)
        latin = [f'<font name="{face}">{p}</font>' if p and n % 2 == 0 else p for n, p in enumerate(pieces)]
        return "".join(latin)

    def _hyphenated(self, text: str) -> str:
        """The text with soft hyphens, but not in its first and last word.

        Where a word with a soft hyphen meets a change of face, reportlab drops or doubles the space between them.
        """
        inner = INNER.match(text)
        return inner[1] + WORD.sub(self._marked, inner[2]) + inner[3] if inner else text

    def _marked(self, found: re.Match[str]) -> str:
        """The word with soft hyphens where it may break, capitals kept."""
        marked = self.hyphens.get(found[0].lower(), found[0])
        return found[0][0] + marked[1:]

    @staticmethod
    def _noted(found: re.Match[str]) -> str:
        return f'<b>{found[1]}</b><onDraw name="note_term" label={quoteattr(found[1])}/>'


def _bold(found: re.Match[str]) -> str:
    return f"<b>{found[1]}</b>"


def inline(meta: dict[str, str], indexed: bool) -> Inline:
    """The inline rules that a book's front matter asks for (`hyphenate: ac-cel-er-a-tion, ...`)."""
    words = (word.strip() for word in meta.get("hyphenate", "").split(",") if word.strip())
    hyphens = {word.replace("-", ""): word.replace("-", "\u00ad") for word in words}
    return Inline(meta["language"].startswith("zh"), indexed, hyphens)


def plain(text: str) -> str:
    """The line without any marks, for bookmarks and running heads."""
    return re.sub(r"\*\*|__|\*|\^(?=\S)|~(?=\S)", "", text)
