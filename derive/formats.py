"""Training rows in the forms that training tools read, and the recipe of the paper's fine-tuning (Table 8).

In: rows. Out: file name -> bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from derive.training import TrainRow, TrainRules

SPLITS = ("train", "validation")


def files(rows: Sequence[TrainRow], rules: TrainRules) -> dict[str, bytes]:
    """Alpaca, ShareGPT and chat files per split, `dataset_info.json`, and a YAML for `llamafactory-cli train`."""
    made: dict[str, bytes] = {}
    for split in SPLITS:
        own = [row for row in rows if row.split == split]
        for name, shape in (("alpaca", alpaca), ("sharegpt", sharegpt), ("messages", messages)):
            lines = (json.dumps(shape(row), ensure_ascii=False) + "\n" for row in own)
            made[f"{split}.{name}.jsonl"] = "".join(lines).encode("utf-8")
    made["dataset_info.json"] = _json(dataset_info(rules.name))
    made["llamafactory.yaml"] = recipe(rules).encode("utf-8")
    return made


def alpaca(row: TrainRow) -> dict[str, str]:
    """Instruction, input, output."""
    return {"instruction": row.question, "input": "", "output": row.answer}


def sharegpt(row: TrainRow) -> dict[str, Any]:
    """Turns of a human and a model."""
    return {"conversations": [{"from": "human", "value": row.question}, {"from": "gpt", "value": row.answer}]}


def messages(row: TrainRow) -> dict[str, Any]:
    """Chat messages."""
    turns = [{"role": "user", "content": row.question}, {"role": "assistant", "content": row.answer}]
    return {"messages": turns}


def dataset_info(name: str) -> dict[str, Any]:
    """What LLaMA-Factory must know about the files."""
    chat = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    info: dict[str, Any] = {}
    for split in SPLITS:
        prefix = name if split == "train" else f"{name}_{split}"
        info[prefix] = {"file_name": f"{split}.alpaca.jsonl"}
        info[f"{prefix}_sharegpt"] = {"file_name": f"{split}.sharegpt.jsonl", "formatting": "sharegpt"}
        columns = {"messages": "messages"}
        info[f"{prefix}_messages"] = {
            "file_name": f"{split}.messages.jsonl",
            "formatting": "sharegpt",
            "columns": columns,
            "tags": chat,
        }
    return info


def recipe(rules: TrainRules) -> str:
    """The training YAML: the settings of the recipe with the names of the data sets."""
    data = {"dataset_dir": ".", "dataset": rules.name, "eval_dataset": f"{rules.name}_validation"}
    if rules.validation == 0:
        del data["eval_dataset"]
    return yaml.safe_dump({**rules.recipe, **data}, sort_keys=False, allow_unicode=True)


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
