"""One page about a question set: levels, ignorant rules before and after, readers, ablations, examples.

In: `Summary`, items. Out: the bytes of `questions/index.html`, which asks for nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from derive.audit import Audit
from derive.page import shell, table
from derive.questions.arms import ArmReport
from derive.questions.pack import Pack
from derive.questions.readers import Reading
from derive.questions.report import Summary
from kg.item import Item

EXAMPLES = 6
FILES = "items.jsonl, multiselect.jsonl, dropped.jsonl, summary.json, audit_sheet.csv"


def page(subject: str, pack: Pack, made: Summary, items: Sequence[Item], arms: Sequence[ArmReport]) -> bytes:
    """The page; whatever a book says stays text."""
    texts = _Texts(pack.page)
    title = texts("title", subject=subject)
    faults = ", ".join(
        f'<span class="{"bad" if count else "good"}">{escape(name.replace("_", " "))} {count}</span>'
        for name, count in made.faults.items()
    )
    body = [
        f"<h1>{title}</h1>",
        f"<p>{texts('lead', items=made.items, several=made.several, nodes=made.nodes, edges=made.edges)}</p>",
        f"<p>{faults}.</p>",
        _levels(texts, made),
        _audits(texts, made),
        _readers(texts, made),
        _arms(texts, arms),
        *(_examples(texts, level, [item for item in items if str(item.level) == level]) for level in made.levels),
        f'<p class="dim">{texts("files", files=FILES)}</p>',
    ]
    return shell(made.language, title, "\n".join(part for part in body if part))


class _Texts:
    """Texts of the page in one language, escaped; a key where the language has none."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __call__(self, key: str, **fields: object) -> str:
        return escape(self._texts.get(key, key).format(**fields))


def _levels(texts: _Texts, made: Summary) -> str:
    head = [texts(key) for key in ("level", "routes", "asked", "items", "several", "dropped")]
    rows = [
        [level, str(one.walked), str(one.asked), str(one.items), str(one.several), escape(_counts(one.dropped))]
        for level, one in made.levels.items()
    ]
    return table(head, rows)


def _audits(texts: _Texts, made: Summary) -> str:
    before, after = made.audit_before, made.audit_after
    if before is None or after is None:
        return ""
    low, high = made.range
    audits = [before, after, *(one.audit for one in made.levels.values())]
    rows = [
        [escape(probe.replace("_", " ")), *(_rate(audit, probe, made) if audit else "–" for audit in audits)]
        for probe in after.probes
        if probe not in ("random", "always_all")
    ]
    rows.append(["n", *(str(audit.right.get("1", 0)) if audit else "0" for audit in audits)])
    head = ["", texts("before"), texts("after"), *(f"{texts('level')} {level}" for level in made.levels)]
    lead = texts("audit_lead", low=round(low * 100), high=round(high * 100))
    return f"<h2>{texts('audit')}</h2><p>{lead}</p>{table(head, rows)}"


def _rate(audit: Audit, probe: str, made: Summary) -> str:
    rate = audit.probes[probe].em_single
    if rate is None:
        return "–"
    sure = audit.right.get("1", 0) >= made.enough
    mark = ("good" if made.range[0] <= rate <= made.range[1] else "bad") if sure else "dim"
    return f'<span class="{mark}">{rate * 100:.1f} %</span>'


def _readers(texts: _Texts, made: Summary) -> str:
    if not any(made.readers.values()):
        return ""
    head = ["", *(f"{texts('level')} {level}" for level in made.levels)]
    rows = [
        [escape(name), *(_reading(levels.get(level)) for level in made.levels)] for name, levels in made.readers.items()
    ]
    return f"<h2>{texts('probes')}</h2>{table(head, rows)}"


def _reading(one: Reading | None) -> str:
    if one is None:
        return "–"
    return f"{one.accuracy * 100:.1f} %, H {one.entropy:.3f}"


def _arms(texts: _Texts, arms: Sequence[ArmReport]) -> str:
    if not arms:
        return ""
    flags = list(arms[0].per_100)
    head = [texts("arm"), "n", *(escape(flag.replace("_", " ")) for flag in flags), "H"]
    rows = [
        [
            escape(f"{arm.arm} ({arm.by})"),
            str(arm.items),
            *(_flag(arm.per_100[flag]) for flag in flags),
            "–" if arm.entropy is None else f"{arm.entropy:.3f}",
        ]
        for arm in arms
    ]
    return f"<h2>{texts('arms')}</h2>{table(head, rows)}"


def _flag(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.1f}"


def _examples(texts: _Texts, level: str, items: Sequence[Item]) -> str:
    shown = "".join(_item(texts, item) for item in items[:: max(1, len(items) // EXAMPLES)][:EXAMPLES])
    title = texts("sample", level=level)
    return f"<details open><summary>{title}</summary><div>{shown}</div></details>" if items else ""


def _item(texts: _Texts, item: Item) -> str:
    options = "".join(
        f'<li class="{"right" if letter in item.answer else "wrong"}">{letter}. {escape(text)}</li>'
        for letter, text in item.options.items()
    )
    quotes = "".join(
        f"<blockquote>{escape(hop['says'])} — “{escape(hop['quote'])}”{_place(texts, hop)}</blockquote>"
        for hop in item.origin["hops"]
    )
    return f"<article><p>{escape(item.question)}</p><ul>{options}</ul>{quotes}</article>"


def _place(texts: _Texts, hop: Mapping[str, object]) -> str:
    page_number = hop.get("page")
    if not isinstance(page_number, int):
        return ""
    return f" ({escape(str(hop.get('book')))}, {texts('page', page=page_number + 1)})"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
