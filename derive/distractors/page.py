"""One page about the new options: accuracy per arm, where the options come from, questions with their paths.

In: the summary and what was made. Out: the bytes of `distractors/index.html`, which asks for nothing from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from derive.distractors.make import GUIDED, Made
from derive.distractors.pack import Pack
from derive.distractors.report import Summary, Why
from derive.page import shell
from kg.item import Item

EXAMPLES = 6


def page(pack: Pack, report: Summary, made: Made) -> bytes:
    """The page; whatever a book says stays text."""
    texts = pack.page
    title = escape(texts.get("title", ""))
    body = [f"<h1>{title}</h1>", f"<p>{escape(texts['lead'].format(read=report.read))}</p>"]
    body += _accuracy(texts, report)
    body += _arms(texts, report)
    body += [f"<h2>{escape(texts['mapping'])}</h2>", _table([texts["part"], *_stages(report)], _mapped(report))]
    whys: dict[tuple[str, str], Why] = {(why.item, why.letter): why for why in made.whys if why.arm == GUIDED}
    for name in report.sets:
        own = [item for item in made.arms[GUIDED] if item.task == name][:EXAMPLES]
        if own:
            inside = "".join(_example(item, whys) for item in own)
            body.append(f"<details><summary>{escape(name)}</summary><div>{inside}</div></details>")
    return shell(report.language, title, "\n".join(body))


def _accuracy(texts: Mapping[str, str], report: Summary) -> list[str]:
    head = [
        texts[key] for key in ("set", "by", "arm", "questions", "accuracy", "interval", "chance", "adjusted", "drop")
    ]
    rows = [
        [
            row.set,
            row.by,
            row.arm,
            str(row.questions),
            f"{_percent(row.accuracy)} ± {100 * row.sd:.1f}",
            f"{_percent(row.low)}–{_percent(row.high)}",
            _percent(row.chance),
            _percent(row.adjusted),
            "–" if row.drop is None else f"{100 * row.drop:+.1f}",
        ]
        for row in report.accuracy
        if row.set == "all"
    ]
    return [f"<h2>{escape(texts['table'])}</h2>", _table(head, rows)]


def _arms(texts: Mapping[str, str], report: Summary) -> list[str]:
    names = ("items", "parity", "typed", "with_path", "with_slip", "flagged", "known_correct", "alike")
    rows = []
    for arm, figures in report.arms.items():
        values = figures.model_dump()
        cells = [_percent(values[n]) if isinstance(values[n], float) else str(values[n]) for n in names]
        rows.append([arm, *cells])
    return [f"<h2>{escape(texts['origin'])}</h2>", _table([texts["arm"], *(texts[name] for name in names)], rows)]


def _stages(report: Summary) -> list[str]:
    return sorted({stage for counts in report.mapped.values() for stage in counts})


def _mapped(report: Summary) -> list[list[str]]:
    return [[part, *(str(counts.get(stage, 0)) for stage in _stages(report))] for part, counts in report.mapped.items()]


def _example(item: Item, whys: Mapping[tuple[str, str], Why]) -> str:
    lines = []
    for letter, text in item.options.items():
        why = whys.get((item.id, letter))
        kind = "right" if letter in item.answer else "wrong"
        said = f'<br><span class="dim">{escape(why.layer.replace("_", " "))}: {escape(why.why)}</span>' if why else ""
        quotes = "".join(
            f"<blockquote>{escape(found.quote)}</blockquote>" for found in (why.evidence[:1] if why else ())
        )
        lines.append(f'<li class="{kind}">{letter}. {escape(text)}{said}{quotes}</li>')
    return f"<article><p>{escape(item.question)}</p><ul>{''.join(lines)}</ul></article>"


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    first = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    rest = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{first}</tr>{rest}</table></div>'
