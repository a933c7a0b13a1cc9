"""Writes the benchmark as a task folder for lm-evaluation-harness that needs nothing else and gives the same numbers.

In: items, the prompts and the words of replies. Out: items, one task file per subtask, a group, and our own parser and
metric. Tried with lm-eval 0.4.13.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from evaluate import harness_scorer, metric, parse
from evaluate.settings import Protocol
from evaluate.words import spoken_words
from kg.errors import SettingsError
from kg.ids import slug
from kg.item import Item
from kg.language import Language
from kg.llm import Message

METRICS = ("em", "f1", "read")
VERSION = 1.0
UNSORTED = "other"
"""Subtask of items that do not say theirs."""


def export(
    folder: Path,
    name: str,
    items: Sequence[tuple[Item, tuple[Message, ...]]],
    protocol: Protocol,
    languages: Mapping[str, Language],
) -> str:
    """The folder holds one task per subtask, and the group of them, whose name is returned.

    Raises SettingsError if the settings ask for a parser that is not exported, or the folder cannot be written.
    """
    if protocol.parser != "words":
        raise SettingsError("only the parser `words` is exported", where="protocol.parser")
    tasks = sorted({item.task or UNSORTED for item, _ in items})
    group = slug(name).replace("-", "_") or "items"
    spoken = spoken_words(languages)
    texts = {
        "items.jsonl": "".join(_line(item, messages) for item, messages in items),
        "words.json": json.dumps(spoken._asdict(), ensure_ascii=False, indent=1),
        f"{group}.yaml": _yaml(_group(group, tasks)),
        "README.md": _readme(group, len(items), protocol),
        **{f"{group}_{task}.yaml": _task(group, task, protocol) for task in tasks},
        **{f"{module.__name__.rpartition('.')[2]}.py": _source(module) for module in (harness_scorer, metric, parse)},
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"cannot write: {error}", where="export") from None
    return group


def _line(item: Item, messages: Sequence[Message]) -> str:
    said = {message.role: message.content for message in messages}
    row = {
        "id": item.id,
        "task": item.task or UNSORTED,
        "system": said.get("system", ""),
        "user": said["user"],
        "letters": list(item.options),
        "options": list(item.options.values()),
        "answer": list(item.answer),
        "gold": ",".join(item.answer),
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def _group(group: str, tasks: Sequence[str]) -> dict[str, Any]:
    return {
        "group": group,
        "task": [f"{group}_{task}" for task in tasks],
        "aggregate_metric_list": [
            {"metric": metric, "aggregation": "mean", "weight_by_size": True} for metric in METRICS
        ],
        "metadata": {"version": VERSION},
    }


def _task(group: str, task: str, protocol: Protocol) -> str:
    """A task file; functions are YAML tags, which the writer does not know."""
    sampling = {"max_gen_toks": protocol.max_tokens, "temperature": protocol.temperature, "top_p": protocol.top_p}
    data = {
        "task": f"{group}_{task}",
        "test_split": "test",
        "output_type": "generate_until",
        "description": "{{system}}",
        "doc_to_text": "{{user}}",
        "doc_to_target": "{{gold}}",
        "fewshot_delimiter": "",
        "target_delimiter": "",
        "generation_kwargs": {"until": [], "do_sample": False} | _known(sampling),
        "metric_list": [{"metric": metric, "aggregation": "mean", "higher_is_better": True} for metric in METRICS],
        "metadata": {"version": VERSION, "task": task},
    }
    functions = (
        "custom_dataset: !function harness_scorer.load\nprocess_results: !function harness_scorer.process_results\n"
    )
    return _yaml(data) + functions


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _yaml(data: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=120)


def _source(module: Any) -> str:
    return Path(module.__file__).read_text(encoding="utf-8")


def _readme(group: str, count: int, protocol: Protocol) -> str:
    return f"""# {group}: {count} multiple-choice items with one or more right options

    lm_eval run --include_path . --tasks {group} --apply_chat_template \\
        --model local-chat-completions \\
        --model_args model=NAME,base_url=http://127.0.0.1:8000/v1/chat/completions,num_concurrent=8 \\
        --output_path results --log_samples

`em`: exactly the right letters; `f1`: mean of each item's F1; `read`: share of replies in which letters could be read.
The group's figures weigh every item alike. At most {protocol.max_tokens} tokens, temperature {protocol.temperature}.
The sample files of a run can be scored by `python -m evaluate bench=… predictions=SAMPLES.jsonl`.
"""
