"""One page about the paths: what was kept, what readers make of it, examples with their sentences.

In: a summary, questions and their paths. Out: the bytes of `paths/index.html`, which asks for nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from derive.page import shell, table
from derive.paths.export import PathRow
from derive.paths.report import PathsSummary, Reader
from derive.respond import Null, Oracle, Random
from derive.statistics import Estimate
from kg.item import Item

EXAMPLES = 40
"""Questions shown; an even sample."""
FOLDED = tuple(one.label for one in (Null(), Random(), Oracle()))
"""Readers whose figures hold few surprises."""
COLUMNS = ("questions", "trials", "right", "likeness", "contradicts", "follows")
Say = Callable[..., str]
Pairs = Sequence[tuple[Item, Sequence[PathRow]]]


def page(subject: str, texts: Mapping[str, str], summary: PathsSummary, pairs: Pairs) -> bytes:
    """The page; whatever a book says stays text."""

    def say(key: str, **fields: object) -> str:
        return escape(texts.get(key, key).format(**fields))

    title = say("title", subject=subject)
    facts = {"questions": summary.questions, "produced": summary.produced, "kept": summary.kept, "mined": summary.mined}
    step = max(1, len(pairs) // EXAMPLES)
    body = [
        f"<h1>{title}</h1><p>{say('lead', **facts)}</p>",
        f"<h2>{say('readers')}</h2><p>{say('readers_lead')}</p>",
        *(_reader(name, reader, say) for name, reader in summary.readers.items() if name not in FOLDED),
        *(_folded(name, _reader(name, reader, say)) for name, reader in summary.readers.items() if name in FOLDED),
        f"<h2>{say('dropped')}</h2>",
        table([], [[escape(name.replace("_", " ")), str(count)] for name, count in summary.dropped.items()]),
        f"<h2>{say('examples')}</h2>",
        *(_example(item, rows, summary.language, say) for item, rows in pairs[::step][:EXAMPLES]),
    ]
    return shell(summary.language, title, "\n".join(body))


def _reader(name: str, reader: Reader, say: Say) -> str:
    """One row per arm."""
    rows = [
        [say(arm), str(score.questions), str(score.trials), *map(_estimate, estimates)]
        for arm, score in reader.arms.items()
        for estimates in [(score.right, score.likeness, score.contradicts, score.follows)]
    ]
    lines = [f"{say('copy_gap')} {_estimate(reader.copy_gap)}"] if reader.copy_gap else []
    if reader.judged.value is not None:
        lines.append(f"{say('judged')} {reader.judged.value:.2f}")
    head = [escape(name), *(say(column) for column in COLUMNS)]
    return table(head, rows) + f'<p class="dim">{". ".join(lines)}</p>'


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary><div>{body}</div></details>"


def _estimate(found: Estimate | None) -> str:
    return f"{found.value:.2f} ({found.low:.2f}–{found.high:.2f})" if found else "–"


def _example(item: Item, rows: Sequence[PathRow], code: str, say: Say) -> str:
    """A question, its answer, and its paths with the sentences they rest on."""
    paths = "".join(
        f'<li class="right">{escape(row.texts[code])} <span class="dim">({row.score})</span></li>{_hops(row, say)}'
        for row in rows[:3]
    )
    answers = escape("; ".join(item.accepted[:4]))
    return f"<article><p>{escape(item.question)}</p><p><b>{answers}</b></p><ul>{paths}</ul></article>"


def _hops(row: PathRow, say: Say) -> str:
    places = [
        f"{escape(hop.book)}, {say('page', page=hop.page + 1)}" if hop.page is not None else escape(hop.book)
        for hop in row.hops
    ]
    return "".join(
        f"<blockquote>{escape(hop.sentence)}{f' ({place})' if place else ''}</blockquote>"
        for hop, place in zip(row.hops, places, strict=True)
    )
