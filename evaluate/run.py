"""One evaluation from settings to files: read, ask or take answers, score, report.

In: `Settings`, perhaps a model's endpoint. Out: `results.json`, `scores.csv`, `index.html`, `predictions.jsonl` and
`run.json` (what this run cost and which faults it met) in the output folder; an exit code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluate.ask import Asked, ask, messages_of, prompts_of, request_of
from evaluate.baseline import baselines
from evaluate.bench import Bench, read_bench, sample
from evaluate.compare import compare
from evaluate.harness import export
from evaluate.metric import Points
from evaluate.page import page
from evaluate.parse import read
from evaluate.parse_k12 import read_first_line
from evaluate.predictions import Prediction, Reader, read_predictions, scored
from evaluate.results import Answers, Results, answers_of, as_csv, bench_facts
from evaluate.score import tables
from evaluate.settings import Settings
from evaluate.terminal import Terminal, money
from evaluate.words import rules_of, spoken_words
from kg import language
from kg.errors import Failure, SettingsError
from kg.ids import slug
from kg.language import Language
from kg.llm import Endpoint, Request, Usage
from kg.llm_cache import Cache
from kg.pipeline import DONE, INCOMPLETE
from kg.prompt import Prompt
from kg.store import Store, jsonl

OUT = "outputs/evaluate"
"""Where results go unless told otherwise."""


@dataclass(frozen=True)
class Job:
    """What every step needs."""

    settings: Settings
    endpoint: Endpoint | None
    languages: Mapping[str, Language]
    bench: Bench
    prompts: Mapping[str, Prompt]
    reader: Reader
    terminal: Terminal


@dataclass(frozen=True)
class Answerer:
    """Answers to score."""

    name: str
    predictions: Mapping[str, Prediction]
    asked: Asked | None = None


def evaluate(settings: Settings, endpoint: Endpoint | None, terminal: Terminal) -> int:
    """Everything asked for is on disk and has been said. Returns the exit code.

    Raises SettingsError if the settings or the inputs as a whole are wrong.
    """
    job = _job(settings, endpoint, terminal)
    drawn = f" of {job.bench.usable:,}" if job.bench.usable > len(job.bench.items) else ""
    terminal.line(f"{len(job.bench.items):,}{drawn} items from {', '.join(settings.bench)}")
    terminal.faults(job.bench.failures)
    done = INCOMPLETE if job.bench.failures else DONE
    if settings.export:
        return max(done, _export(job))
    if settings.dry_run:
        return max(done, _estimate(job))
    answerers, failures = _answerers(job)
    results = _results(job, answerers)
    folder = Path(settings.out or Path(OUT, slug(answerers[0].name if answerers else "") or "baselines")).resolve()
    _write(Store(folder), job, results, answerers, [*job.bench.failures, *failures])
    terminal.faults(failures)
    terminal.scores(results)
    terminal.page(folder / "index.html")
    missing = any(row.answered < row.items for row in results.answers)
    return INCOMPLETE if failures or missing else done


def _job(settings: Settings, endpoint: Endpoint | None, terminal: Terminal) -> Job:
    if settings.compare and not (settings.predictions or endpoint):
        raise SettingsError("nothing to compare with", where="compare", remedy="add predictions=FILE or llm=…")
    if settings.predictions and endpoint is not None:
        raise SettingsError(
            "both answers and a model", where="predictions", remedy="compare=FILE sets one beside a model"
        )
    if settings.dry_run and endpoint is None:
        raise SettingsError("no model to estimate for", where="dry_run", remedy="add llm=…")
    languages = language.load(Path(settings.languages))
    bench = sample(read_bench(settings.bench, settings.tasks), settings.limit)
    prompts = prompts_of(settings.protocol, languages)
    return Job(settings, endpoint, languages, bench, prompts, _reader(settings, languages), terminal)


def _reader(settings: Settings, languages: Mapping[str, Language]) -> Reader:
    if settings.protocol.parser == "k12":
        return read_first_line
    spoken = spoken_words(languages)
    return lambda reply, options: read(reply, options, spoken)


def _export(job: Job) -> int:
    messages = [messages_of(item, job.prompts, job.languages) for item in job.bench.items]
    folder = Path(job.settings.export)
    name = job.settings.name or "textbook_kg"
    group = export(
        folder, name, list(zip(job.bench.items, messages, strict=True)), job.settings.protocol, job.languages
    )
    job.terminal.line(f"lm-evaluation-harness task {group} in {folder.resolve()}; see its README.md")
    return DONE


def _requests(job: Job, endpoint: Endpoint) -> list[Request]:
    protocol = job.settings.protocol
    return [request_of(item, endpoint, protocol, job.prompts, job.languages) for item in job.bench.items]


def _estimate(job: Job) -> int:
    """Says what asking would take; nothing is sent."""
    assert job.endpoint is not None
    requests = _requests(job, job.endpoint)
    with Cache(job.endpoint.cache) as cache:
        due = [request for request in requests if cache.get(request) is None]
    usage = Usage(
        prompt=sum(request.tokens() for request in due),
        completion=sum(request.sampling.max_tokens or 0 for request in due),
    )
    price = job.endpoint.price
    cost = f"{price.of(usage):.2f} {price.currency} at most" if price else "price not known (llm.prices)"
    job.terminal.line(
        f"{len(due):,} calls to {job.endpoint.model} ({len(requests) - len(due):,} replies are kept), about "
        f"{usage.prompt:,} tokens in, at most {usage.completion:,} out: {cost}"
    )
    return DONE


def _answerers(job: Job) -> tuple[list[Answerer], list[Failure]]:
    """The first is what is evaluated, the second what it is compared with; none for baselines alone."""
    settings = job.settings
    found: list[Answerer] = []
    failures: list[Failure] = []
    if settings.predictions:
        found.append(_from_file(job, settings.predictions, settings.name, failures))
    elif job.endpoint is not None:
        found.append(_from_model(job, job.endpoint))
    if settings.compare:
        found.append(_from_file(job, settings.compare, "", failures))
    if len(found) == 2 and found[0].name == found[1].name:
        found[1] = replace(found[1], name=f"{found[1].name} (2)")
    return found, failures


def _from_file(job: Job, file: str, name: str, failures: list[Failure]) -> Answerer:
    path = Path(file).expanduser()
    rows, faults = read_predictions(path, job.bench.items, job.settings.fields, job.reader)
    failures += faults
    own_folder = path.stem == "predictions" and path.resolve().parent.name
    return Answerer(name or own_folder or path.stem, rows)


def _from_model(job: Job, endpoint: Endpoint) -> Answerer:
    if job.settings.cache_import:
        with Cache(endpoint.cache) as cache:
            job.terminal.line(f"{cache.load(Path(job.settings.cache_import)):,} replies taken over")
    name = job.settings.name or getattr(endpoint, "name", "") or endpoint.model
    with job.terminal.asking(name) as progress:
        asked = ask(
            job.bench.items, _requests(job, endpoint), endpoint, job.reader, progress, job.settings.protocol.rounds
        )
    spend = asked.spend
    job.terminal.line(
        f"{name}: {spend.calls:,} calls ({spend.failed:,} without a reply), {spend.kept:,} replies kept from before"
        + (f", {money(spend)}" if money(spend) else "")
    )
    if job.settings.cache_export:
        with Cache(endpoint.cache) as cache:
            job.terminal.line(f"{cache.export(Path(job.settings.cache_export)):,} replies exported")
    job.terminal.hints(asked.hints)
    return Answerer(name, asked.predictions, asked)


def _results(job: Job, answerers: Sequence[Answerer]) -> Results:
    items, how = job.bench.items, job.settings.statistics
    marks = [pattern for rules in rules_of(job.languages).values() for pattern in rules.query]
    floor = baselines(items, marks)
    points: dict[str, list[Points | None]] = {row.name: scored(items, row.predictions) for row in answerers}
    comparison = None
    if len(answerers) == 2:
        one, two = (row.name for row in answerers)
        comparison = compare(items, (one, points[one]), (two, points[two]), how)
    return Results(
        bench=bench_facts(job.bench),
        protocol=job.settings.protocol,
        prompts={code: prompt.fingerprint for code, prompt in job.prompts.items()},
        statistics=how,
        answers=tuple(_described(job, row) for row in answerers),
        baselines=tuple(floor),
        scores=tables(items, {**points, **floor}, how),
        comparison=comparison,
    )


def _described(job: Job, row: Answerer) -> Answers:
    answers = answers_of(row.name, job.bench.items, row.predictions, job.settings.statistics)
    if row.asked is None:
        return answers
    facts = {"models": row.asked.models, "adapted": row.asked.adapted, "usage": row.asked.usage}
    return answers.model_copy(update=facts)


def _write(
    store: Store, job: Job, results: Results, answerers: Sequence[Answerer], failures: Sequence[Failure]
) -> None:
    items = job.bench.items
    store.write("results.json", (results.model_dump_json(indent=1) + "\n").encode())
    store.write("scores.csv", as_csv(results).encode())
    store.write("index.html", page(results, items, [row.predictions for row in answerers]).encode())
    for row in answerers:
        if row.asked is not None:
            store.write("predictions.jsonl", jsonl(row.predictions[item.id] for item in items))
    store.write("run.json", json.dumps(_account(answerers, failures), ensure_ascii=False, indent=1).encode())


def _account(answerers: Sequence[Answerer], failures: Sequence[Failure]) -> dict[str, Any]:
    """What differs from run to run: calls and money, and the faults met."""
    spends = {row.name: row.asked.spend for row in answerers if row.asked is not None}
    return {
        "spend": {
            name: {
                "calls": spend.calls,
                "failed": spend.failed,
                "kept": spend.kept,
                "prompt_tokens": spend.prompt,
                "completion_tokens": spend.completion,
                "cost": spend.cost,
                "currency": spend.price.currency if spend.price else None,
            }
            for name, spend in spends.items()
        },
        "failures": [json.loads(failure.to_json()) for failure in failures],
    }
