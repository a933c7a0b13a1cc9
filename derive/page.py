"""One page about the benchmark and the training data: what there is, what rules that know nothing score, examples.

In: summaries, items, rows. Out: the bytes of `bench/index.html`, which asks for nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from derive.audit import ENOUGH, Audit
from derive.pack import Pack
from derive.report import Overlap, TrainSummary
from derive.summary import BenchSummary
from derive.training import TrainRow
from kg.item import Item

FOLDER = Path(__file__).resolve().parent / "page"
EXAMPLES = 5
FILES = "dropped.jsonl, summary.json, ../train/summary.json, ../train/dataset_info.json, ../train/llamafactory.yaml"
GUESSING = ("random", "always_all")
"""Rules whose rate on single-answer items is fixed by their nature."""
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Shown:
    """What the page is about."""

    bench: BenchSummary
    items: Sequence[Item]
    train: TrainSummary | None = None
    rows: Sequence[TrainRow] = ()
    shared: Sequence[Overlap] = ()


def page(subject: str, texts: Pack, made: Shown) -> bytes:
    """The page; whatever a book says stays text."""
    bench = made.bench
    writer = _Page(texts.page)
    title = writer.text("title", subject=subject)
    body = [
        f"<h1>{title}</h1>",
        writer.lead(bench, len(made.rows)),
        *writer.tasks(bench),
        *writer.audit(bench),
        *(writer.examples(task, [item for item in made.items if item.task == task]) for task in bench.tasks),
        *(writer.training(made.train, made.rows, made.shared) if made.train else []),
        f'<p class="dim">{writer.text("files", files=FILES)}</p>',
    ]
    return shell(bench.language, title, "\n".join(part for part in body if part))


def shell(language: str, title: str, body: str) -> bytes:
    """A whole page around a body; title and body are HTML already. It allows no script and no request."""
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    slots = {
        "language": escape(language),
        "title": title,
        "style_hash": f"sha256-{digest}",
        "style": style,
        "body": body,
    }
    template = (FOLDER / "page.html").read_text(encoding="utf-8")
    return _SLOT.sub(lambda slot: slots[slot[1]], template).encode("utf-8")


class _Page:
    """Parts of the page in one language."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def text(self, key: str, **fields: object) -> str:
        """A text of the page, escaped; its key where the language has none."""
        return escape(self._texts.get(key, key).format(**fields))

    def lead(self, bench: BenchSummary, rows: int) -> str:
        """What the page is about, and the faults that were looked for."""
        facts = self.text("lead", items=bench.items, rows=rows, nodes=bench.nodes, edges=bench.edges)
        marks = (
            f'<span class="{"bad" if count else "good"}">{escape(fault.replace("_", " "))} {count}</span>'
            for fault, count in bench.faults.items()
        )
        return f"<p>{facts}</p><p>{self.text('faults')} {', '.join(marks)}.</p>"

    def tasks(self, bench: BenchSummary) -> list[str]:
        """One row per task."""
        head = [self.text(key) for key in ("task", "asked", "items", "right", "best", "dropped")]
        rows = [
            [
                escape(name),
                str(task.questions),
                str(task.items),
                " / ".join(str(task.right.get(str(k), 0)) for k in (1, 2, 3)),
                _percent(task.at_best),
                escape(_counts(task.dropped)),
            ]
            for name, task in bench.tasks.items()
        ]
        return [f"<h2>{self.text('questions')}</h2>", table(head, rows)]

    def audit(self, bench: BenchSummary) -> list[str]:
        """One row per rule, one column per task."""
        if bench.audit is None:
            return []
        low, high = bench.range
        audits: dict[str, Audit] = {self.text("all"): bench.audit}
        audits |= {name: task.audit for name, task in bench.tasks.items() if task.audit}
        rows = [
            [escape(probe.replace("_", " ")), *(_rate(found, probe, bench.range) for found in audits.values())]
            for probe in bench.audit.probes
            if probe not in GUESSING
        ]
        rows.append(["n", *(str(found.right.get("1", 0)) for found in audits.values())])
        lead = self.text("audit_lead", low=round(low * 100), high=round(high * 100), enough=ENOUGH)
        return [f"<h2>{self.text('audit')}</h2><p>{lead}</p>", table(["", *map(str, audits)], rows)]

    def examples(self, task: str, items: Sequence[Item]) -> str:
        """The first items of a task, folded away."""
        shown = "".join(self._item(item) for item in items[:EXAMPLES])
        return self._folded(self.text("sample", task=task), shown) if items else ""

    def _item(self, item: Item) -> str:
        options = "".join(
            f'<li class="{"right" if letter in item.answer else "wrong"}">{letter}. {escape(text)}'
            f"{_layer(item, letter)}</li>"
            for letter, text in item.options.items()
        )
        quotes = "".join(
            f"<blockquote>{escape(found.quote)} ({escape(found.book)}, {self.text('page', page=found.page + 1)})"
            "</blockquote>"
            for found in item.provenance[:2]
        )
        return f"<article><p>{escape(item.question)}</p><ul>{options}</ul>{quotes}</article>"

    def training(self, train: TrainSummary, rows: Sequence[TrainRow], shared: Sequence[Overlap]) -> list[str]:
        """One row per path, examples, and the passages shared with benchmarks."""
        head = [self.text(key) for key in ("path", "topics", "budget", "rows", "left_out")]
        lines = [
            [escape(name), str(path.topics), str(path.budget), str(path.rows), escape(_counts(path.dropped))]
            for name, path in train.paths.items()
        ]
        parts = [f"<h2>{self.text('training')}</h2>", table(head, lines)]
        for name in train.paths:
            own = [row for row in rows if row.path == name][:EXAMPLES]
            pairs = (
                f"<article><p><b>{escape(row.question)}</b></p><p>{escape(row.answer)}</p></article>" for row in own
            )
            parts.append(self._folded(self.text("sample", task=name), "".join(pairs)) if own else "")
        if shared:
            shared_lines = [[escape(one.file), str(one.items), str(one.rows), _percent(one.share)] for one in shared]
            parts.append(f"<h2>{self.text('leakage')}</h2>")
            parts.append(table([self.text("file"), self.text("items"), self.text("rows"), "%"], shared_lines))
        return parts

    def _folded(self, title: str, body: str) -> str:
        return f"<details><summary>{title}</summary><div>{body}</div></details>"


def _layer(item: Item, letter: str) -> str:
    choice = item.choices.get(letter)
    return f' <span class="dim">({escape(choice.layer.replace("_", " "))})</span>' if choice and choice.layer else ""


def _rate(found: Audit, probe: str, bounds: tuple[float, float]) -> str:
    rate = found.probes[probe].em_single if probe in found.probes else None
    if rate is None:
        return "–"
    sure = found.right.get("1", 0) >= ENOUGH
    mark = ("good" if bounds[0] <= rate <= bounds[1] else "bad") if sure else "dim"
    return f'<span class="{mark}">{_percent(rate)}</span>'


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())


def table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML already."""
    first = "".join(f"<th>{cell}</th>" for cell in head)
    rest = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{first}</tr>{rest}</table></div>'
