"""The result as one page to open offline: headline, plots over the floor, tables, examples to read.

In: `Results`, items and predictions. Out: HTML without outside resources; it follows the reader's light or dark theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template

from evaluate.parse import UNREAD
from evaluate.plot import Dot, Line, dot_plot
from evaluate.predictions import Prediction
from evaluate.results import Answers, Results
from evaluate.score import GROUPS, Cell, Table
from kg.item import Item

TEMPLATE = Path(__file__).with_name("page.html")
EXAMPLES = 12
"""Items of each sort that the page shows."""
METRICS = ("EM", "F1")
HEADINGS = {
    "family": "By family",
    "task": "By subtask",
    "subject": "By subject",
    "stage": "By school stage",
    "k": "By number of right options",
}


def page(results: Results, items: Sequence[Item], predictions: Sequence[Mapping[str, Prediction]]) -> str:
    """The whole page; `predictions` belong to `results.answers`, in the same order."""
    names = " and ".join(row.name for row in results.answers) or "Baselines"
    bench = results.bench
    sampled = f", a sample of {bench.usable:,}," if bench.usable > bench.items else ""
    lead = (
        f"{bench.items:,} items{sampled} from {len(bench.files)} file{'s' if len(bench.files) != 1 else ''} "
        f"(fingerprint {bench.fingerprint}). EM: exactly the right letters; F1: mean over items. "
        f"Brackets: {results.statistics.confidence:.0%} bootstrap intervals."
    )
    body = [
        *(_warning(row) for row in results.answers if not row.complete),
        _cards(results),
        _plots(results),
        _overall(results),
        *(_table(results, group) for group in GROUPS if group != "overall"),
        _comparison(results),
        *(_reading(row) for row in results.answers),
        *(_examples(row.name, items, rows) for row, rows in zip(results.answers, predictions, strict=True)),
        _conditions(results),
    ]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(f"{names} on {bench.items:,} items"),
        lead=escape(lead),
        body="\n".join(body),
    )


def _warning(row: Answers) -> str:
    return (
        f'<p class="warn"><b>Incomplete:</b> {escape(row.name)} answered {row.answered:,} of {row.items:,} items. '
        "Its figures are over those items only and stand for nothing else. Run the same command again: what was "
        "answered is kept.</p>"
    )


def _cards(results: Results) -> str:
    cards = []
    for row in results.answers:
        cell = results.scores[row.name]["overall"]["all"]
        cards += [
            _card(_number(cell.em), f"EM · {row.name}"),
            _card(_number(cell.f1), f"F1 · {row.name}"),
            _card(f"{row.unread:,}", f"unreadable replies · {row.name}"),
        ]
    for metric in METRICS:
        floor = _floor(results, "overall", "all", metric)
        if floor is not None:
            cards.append(_card(_number(floor.value), f"{metric} of “{floor.name}”, knowing nothing"))
    return f'<div class="cards">{"".join(cards)}</div>'


def _card(value: str, label: str) -> str:
    return f'<div class="card"><b>{escape(value)}</b><span>{escape(label)}</span></div>'


def _plots(results: Results) -> str:
    names = [row.name for row in results.answers]
    if not names:
        plots = [dot_plot(f"{metric} of each rule, %", _rule_lines(results, metric)) for metric in METRICS]
        return f'<div class="plots">{"".join(plots)}</div>'
    group = "task" if "task" in results.scores[names[0]] else "overall"
    values = _ordered(results, group)
    plots = [
        dot_plot(f"{metric} by subtask, %", [_line(results, names, group, value, metric) for value in values])
        for metric in METRICS
    ]
    key = "".join(f'<i class="s{index}"></i>{escape(name)}' for index, name in enumerate(names))
    floor = '<i class="floor"></i>best of the rules that know nothing'
    return f'<h2>Against the floor</h2><p class="key soft">{key}{floor}</p><div class="plots">{"".join(plots)}</div>'


def _rule_lines(results: Results, metric: str) -> list[Line]:
    cells = [(name, results.scores[name]["overall"]["all"]) for name in results.baselines]
    return [Line(name, (dot,)) for name, cell in cells if (dot := _dot(name, cell, metric))]


def _line(results: Results, names: Sequence[str], group: str, value: str, metric: str) -> Line:
    cells = [(name, results.scores[name][group][value]) for name in names]
    dots = tuple(dot for name, cell in cells if (dot := _dot(name, cell, metric)))
    return Line(value, dots, _floor(results, group, value, metric))


def _dot(name: str, cell: Cell, metric: str) -> Dot | None:
    value, interval = (cell.em, cell.em_interval) if metric == "EM" else (cell.f1, cell.f1_interval)
    return None if value is None or interval is None else Dot(name, value, *interval)


def _floor(results: Results, group: str, value: str, metric: str) -> Dot | None:
    """The best baseline there."""
    cells = [(name, results.scores[name][group][value]) for name in results.baselines]
    dots = [dot for name, cell in cells if (dot := _dot(name, cell, metric))]
    return max(dots, key=lambda dot: dot.value, default=None)


def _ordered(results: Results, group: str) -> list[str]:
    table: Table = next(iter(results.scores.values()))
    return list(table.get(group, {}))


def _overall(results: Results) -> str:
    """Every answerer and rule in full."""
    answerers = {row.name for row in results.answers}
    rows = []
    for name, table in results.scores.items():
        cell = table["overall"]["all"]
        cells = [
            escape(name),
            f"{cell.answered:,}" + (f" <small>of {cell.items:,}</small>" if cell.answered < cell.items else ""),
            _with_interval(cell.em, cell.em_interval),
            _with_interval(cell.f1, cell.f1_interval),
            _number(cell.precision),
            _number(cell.recall),
        ]
        rows.append(_cells(cells, "answers" if name in answerers else ""))
    return f"<h2>Overall</h2>{_wide(('', 'items', 'EM', 'F1', 'precision', 'recall'), rows)}"


def _table(results: Results, group: str) -> str:
    """One row per value of the group: the answerers beside the best rule, or the rules if nobody answered."""
    values = _ordered(results, group)
    if len(values) < 2:
        return ""
    named = [row.name for row in results.answers]
    if not named:
        return _rules(results, group, values)
    head = ["", "items", *(f"{name} {metric}" for name in (*named, "floor") for metric in METRICS)]
    rows = [_cells(_values(results, group, value, named)) for value in values]
    return f"<h2>{HEADINGS[group]}</h2>{_wide(head, rows)}"


def _rules(results: Results, group: str, values: Sequence[str]) -> str:
    """EM and F1 of each rule, short."""
    rows = []
    for value in values:
        cells = [results.scores[name][group][value] for name in results.baselines]
        pairs = [f"{_number(cell.em)} <small>/ {_number(cell.f1)}</small>" for cell in cells]
        rows.append(_cells([escape(value), f"{cells[0].items:,}", *pairs]))
    head = ["", "items", *results.baselines]
    return f"<h2>{HEADINGS[group]}</h2><p class='soft'>EM / F1</p>{_wide(head, rows)}"


def _values(results: Results, group: str, value: str, named: Sequence[str]) -> list[str]:
    cells = [escape(value), f"{results.scores[named[0]][group][value].items:,}"]
    for name in named:
        cell = results.scores[name][group][value]
        cells += [_with_interval(cell.em, cell.em_interval), _with_interval(cell.f1, cell.f1_interval)]
    for metric in METRICS:
        floor = _floor(results, group, value, metric)
        cells.append(f"{floor.value:.1f} <small>{escape(floor.name)}</small>" if floor else "–")
    return cells


def _cells(cells: Sequence[str], css: str = "") -> str:
    return f'<tr class="{css}">{"".join(f"<td>{text}</td>" for text in cells)}</tr>'


def _wide(head: Sequence[str], rows: Sequence[str]) -> str:
    return f"<div class='wide'>{_small_table([escape(title) for title in head], rows)}</div>"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _with_interval(value: float | None, interval: tuple[float, float] | None) -> str:
    return _number(value) + (f" <small>[{interval[0]:.1f}, {interval[1]:.1f}]</small>" if interval else "")


def _comparison(results: Results) -> str:
    if results.comparison is None:
        return ""
    first, second = results.comparison.first, results.comparison.second
    head = ("", "items", "EM difference", "F1 difference", f"only {first} right", f"only {second} right", "p")
    rows = []
    for group, differences in results.comparison.differences.items():
        for value, row in differences.items():
            cells = (
                escape(f"{group}: {value}"),
                f"{row.items:,}",
                _with_interval(row.em, row.em_interval),
                _with_interval(row.f1, row.f1_interval),
                f"{row.only_first:,}",
                f"{row.only_second:,}",
                f"{row.p:.3g}",
            )
            rows.append(_cells(cells))
    return (
        f"<h2>{escape(first)} against {escape(second)}, item by item</h2><p class='soft'>The first minus the second "
        f"on the items both answered; p: McNemar's exact test on exact matches.</p>{_wide(head, rows)}"
    )


def _reading(row: Answers) -> str:
    answered = max(row.answered, 1)
    found = [
        f"<tr><td>{escape(how)}{' (unread)' if how in UNREAD else ''}</td><td>{count:,}</td>"
        f"<td>{100 * count / answered:.1f} %</td></tr>"
        for how, count in row.readings.items()
    ]
    letters = [
        f"<tr><td>{letter}</td><td>{100 * use.given / answered:.1f} %</td>"
        f"<td>{100 * use.right / answered:.1f} %</td></tr>"
        for letter, use in row.letters.items()
    ]
    failures = "".join(f"<li>{count:,} × {escape(what)}</li>" for what, count in row.failures.items())
    return (
        f"<h2>What {escape(row.name)} said</h2><div class='plots'>"
        f"{_small_table(('read as', 'replies', ''), found)}{_small_table(('letter', 'given', 'right'), letters)}</div>"
        + (f"<p>{row.cut:,} replies ran into the token limit.</p>" if row.cut else "")
        + (f"<p>Not answered:</p><ul>{failures}</ul>" if failures else "")
    )


def _small_table(head: Sequence[str], rows: Sequence[str]) -> str:
    titles = "".join(f"<th>{title}</th>" for title in head)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _examples(name: str, items: Sequence[Item], predictions: Mapping[str, Prediction]) -> str:
    answered = [(item, row) for item in items if (row := predictions.get(item.id)) and not row.failure]
    sorts = {
        "Replies that could not be read": [pair for pair in answered if not pair[1].letters],
        "Wrong answers": [pair for pair in answered if pair[1].letters and set(pair[1].letters) != set(pair[0].answer)],
    }
    parts = []
    for heading, pairs in sorts.items():
        if pairs:
            spread = pairs[:: max(1, len(pairs) // EXAMPLES)][:EXAMPLES]
            shown = "".join(_example(item, row) for item, row in spread)
            parts.append(
                f"<h2>{heading}: {escape(name)}</h2><p class='soft'>{len(spread)} of {len(pairs):,}</p>{shown}"
            )
    return "".join(parts)


def _example(item: Item, row: Prediction) -> str:
    options = "".join(
        f'<li class="{" ".join(_marks(letter, item, row))}">{letter}. {escape(text)}</li>'
        for letter, text in item.options.items()
    )
    raw = f"<pre>{escape(row.raw)}</pre>" if row.raw else ""
    return (
        f"<details><summary>{escape(item.question)}</summary><p class='soft'><code>{escape(item.id)}</code> · right "
        f"{escape(','.join(item.answer))} · given {escape(','.join(row.letters) or row.how)}</p>"
        f"<ol class='options'>{options}</ol>{raw}</details>"
    )


def _marks(letter: str, item: Item, row: Prediction) -> Iterable[str]:
    return [name for name, letters in (("right", item.answer), ("given", row.letters)) if letter in letters]


def _conditions(results: Results) -> str:
    protocol = results.protocol
    facts = {
        "protocol": f"temperature {protocol.temperature}, top_p {protocol.top_p}, max_tokens {protocol.max_tokens}",
        "replies read by": protocol.parser,
        "prompts": ", ".join(f"{protocol.prompt}.{code} {mark}" for code, mark in results.prompts.items()),
    }
    for row in results.answers:
        if row.models:
            facts[f"{row.name} answered as"] = ", ".join(row.models)
        if row.adapted:
            facts[f"changed for {row.name}"] = ", ".join(row.adapted)
        if row.usage is not None:
            facts[f"tokens of {row.name}"] = f"{row.usage.prompt:,} in, {row.usage.completion:,} out"
    lines = "".join(f"<tr><td>{escape(name)}</td><td>{escape(text)}</td></tr>" for name, text in facts.items() if text)
    files = "".join(
        f"<tr><td>{escape(name)}</td><td><code>{sha}</code></td></tr>" for name, sha in results.bench.files.items()
    )
    return f"<h2>Conditions</h2><div class='wide'><table><tbody>{lines}{files}</tbody></table></div>"
