"""From cuts to the index: rows that partition the body, with ids, paths and file names.

In: cuts, the body, names for what has no heading. Out: `SectionRow`s in order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kg.document import Block
from kg.ids import digest, slug
from kg.section import Kind, SectionRow
from kg.text import squash
from segment.cuts import Cut
from segment.pack import Names

FIRST_WORDS = 400
"""Characters of a row's text that tell it from another of the same title in its chapter."""


@dataclass(frozen=True)
class Place:
    """What ids are made of: `place.id("section", "2.1")` is `physics:section:physics-8:2.1`."""

    subject: str
    book: str
    chapter_label: str
    section_label: str

    def id(self, label: str, key: str) -> str:
        """The id of a part of the book."""
        return f"{self.subject}:{label.lower()}:{self.book}:{key}"


@dataclass(frozen=True)
class Chapter:
    """The chapter a row stands in."""

    number: str
    title: str
    printed: str
    key: str


@dataclass(frozen=True)
class Draft:
    """A row before its id: ids need to know all titles of a chapter."""

    start: int
    end: int
    kind: Kind
    title: str
    number: str
    chapter: Chapter | None
    path: tuple[str, ...]
    level: int
    found_by: str


def drafts_of(cuts: Sequence[Cut], size: int, names: Names) -> list[Draft]:
    """Rows over body blocks 0 … `size`; empty ones are left out."""
    drafts: list[Draft] = []
    if not cuts or cuts[0].part.at > 0:
        end = cuts[0].part.at if cuts else size
        drafts.append(Draft(0, end, "front_matter", names.front_matter, "", None, (), 1, ""))
    above: list[tuple[int, str]] = []
    chapter: Chapter | None = None
    for index, cut in enumerate(cuts):
        end = cuts[index + 1].part.at if index + 1 < len(cuts) else size
        if cut.role != "section":
            chapter = _chapter(cut) if cut.role == "chapter" else None
            above = _above(above, cut)
        draft = _draft(cuts, index, end, chapter, tuple(title for _, title in above), names)
        drafts = _added(drafts, draft)
    return [draft for draft in drafts if draft.end > draft.start]


def _above(above: list[tuple[int, str]], cut: Cut) -> list[tuple[int, str]]:
    """The open headings above what comes after `cut`'s own heading."""
    if cut.role == "matter":
        return []
    kept = [(depth, title) for depth, title in above if depth < cut.part.depth]
    return [*kept, (cut.part.depth, cut.part.title.printed)] if cut.role == "above" else kept


def _chapter(cut: Cut) -> Chapter:
    title = cut.part.title
    return Chapter(title.number, title.text or title.printed, title.printed, "")


def _draft(
    cuts: Sequence[Cut], index: int, end: int, chapter: Chapter | None, above: tuple[str, ...], names: Names
) -> Draft:
    cut = cuts[index]
    title, start = cut.part.title, cut.part.at
    depth = len(above) + 1
    if cut.role == "chapter":
        has_sections = _has_sections(cuts, index)
        kind: Kind = "introduction" if has_sections else "section"
        text = names.introduction if has_sections else title.text or title.printed
        return Draft(start, end, kind, text, "", chapter, (*above, title.printed), depth, cut.part.found_by)
    kind = cut.kind or "section"
    if cut.role == "section" and chapter is not None:
        text = title.text or title.printed
        number = "" if title.named else title.number
        path = (*above, chapter.printed)
        return Draft(start, end, kind, text, number, chapter, path, depth + 1, cut.part.found_by)
    path = above[:-1] if cut.role == "above" else above
    return Draft(start, end, kind, title.printed, "", None, path, len(path) + 1, cut.part.found_by)


def _has_sections(cuts: Sequence[Cut], index: int) -> bool:
    for cut in cuts[index + 1 :]:
        if cut.role != "section":
            return False
        if cut.kind == "section":
            return True
    return False


def _added(drafts: list[Draft], draft: Draft) -> list[Draft]:
    """A heading `Introduction` goes on with the row that the chapter's heading opened."""
    last = drafts[-1] if drafts else None
    if not last or draft.kind != "introduction" or draft.chapter is None or last.chapter is not draft.chapter:
        return [*drafts, draft]
    if last.kind not in ("introduction", "section") or last.number:
        return [*drafts, draft]
    title = draft.title if last.kind == "introduction" else last.title
    return [*drafts[:-1], replace(last, end=draft.end, title=title)]


def rows_of(drafts: Sequence[Draft], body: Sequence[Block], place: Place) -> list[SectionRow]:
    """The index. Ids come from printed numbers, else from titles; what has neither to itself, from its text too."""
    keyed = _with_chapter_keys(drafts)
    keys = _section_keys(keyed, body)
    width = max(3, len(str(len(keyed))))
    rows = []
    for order, (draft, key) in enumerate(zip(keyed, keys, strict=True)):
        blocks = body[draft.start : draft.end]
        name = slug(f"{draft.number} {draft.title}") or draft.kind.replace("_", "-")
        rows.append(
            SectionRow(
                id=place.id(place.section_label, key),
                chapter_number=draft.chapter.number if draft.chapter else "",
                chapter_title=draft.chapter.title if draft.chapter else "",
                section_number=draft.number,
                section_title=draft.title,
                kind=draft.kind,
                start_page=blocks[0].prov[0].page,
                end_page=max(prov.page for block in blocks for prov in block.prov),
                file=f"sections/{order + 1:0{width}d}-{name}.md",
                level=draft.level,
                chapter=place.id(place.chapter_label, draft.chapter.key) if draft.chapter else "",
                path=draft.path,
                start_block=draft.start,
                end_block=draft.end,
                found_by=draft.found_by,
            )
        )
    return rows


def _with_chapter_keys(drafts: Sequence[Draft]) -> list[Draft]:
    """Every chapter has a key of its own: its number, or its title, and a hash of both where chapters share one."""
    chapters: dict[int, tuple[Chapter, str]] = {}
    for draft in drafts:
        if draft.chapter is not None:
            chapters.setdefault(id(draft.chapter), (draft.chapter, "/".join(draft.path)))
    keys = _apart([(c.number or _readable(c.title), f"{c.title}/{path}") for c, path in chapters.values()])
    named = {at: replace(c, key=key) for (at, (c, _)), key in zip(chapters.items(), keys, strict=True)}
    return [replace(d, chapter=named[id(d.chapter)]) if d.chapter is not None else d for d in drafts]


def _section_keys(drafts: Sequence[Draft], body: Sequence[Block]) -> list[str]:
    wanted = []
    for draft in drafts:
        text = "".join(block.text for block in body[draft.start : draft.end])
        wanted.append((_key(draft), f"{draft.title}/{squash(text)[:FIRST_WORDS]}"))
    return _apart(wanted)


def _key(draft: Draft) -> str:
    chapter = draft.chapter.key if draft.chapter else ""
    if not draft.number:
        return f"{chapter}-{_readable(draft.title)}".strip("-")
    inside = not chapter or draft.number.startswith(f"{chapter}.")
    return draft.number if inside else f"{chapter}-{draft.number}"


def _readable(title: str) -> str:
    """The title's slug, with a hash where it had to be cut."""
    name = slug(title)
    return name if name and squash(name) == squash(title) else f"{name}-{digest(title, 6)}".strip("-")


def _apart(wanted: Sequence[tuple[str, str]]) -> list[str]:
    """Keys made unique: those that are asked for twice get a hash of their content, all of them, so that none moves
    when another one is added; a count where even the content is the same."""
    shared = Counter(key for key, _ in wanted)
    seen: dict[str, int] = defaultdict(int)
    keys = []
    for key, content in wanted:
        unique = key if shared[key] == 1 else f"{key}-{digest(content, 6)}"
        seen[unique] += 1
        keys.append(unique if seen[unique] == 1 else f"{unique}-{seen[unique]}")
    return keys
