"""The benchmark as tasks of other evaluation tools, for releases: one object per tool, named in `conf/release/`.

In: items, language packs. Out: file name -> bytes. Both tools read replies and score them with our own parser and
metric, which are copied into the folder, so that the figures are the same to the last digit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from evaluate.ask import messages_of, prompts_of
from evaluate.harness import export
from evaluate.settings import Protocol
from kg.item import Item
from kg.language import Language

TASK = Path(__file__).resolve().parent / "inspect_task.txt"
SHARED = ("items.jsonl", "words.json", "metric.py", "parse.py", "harness_scorer.py")
INSPECT_README = """# {name}: {count} multiple-choice items for Inspect

    pip install inspect-ai
    inspect eval task.py --model openai/gpt-4o                  # all subtasks
    inspect eval task.py -T task=prereq_1 --model MODEL         # one of them

`em`: exactly the right letters; `f1`: mean of each item's F1; `read`: share of replies in which letters could be read.
"""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LmEval:
    """A task folder of lm-evaluation-harness (tried with 0.4.13)."""

    folder: str = "lm_eval"
    protocol: Protocol = Field(default_factory=Protocol)

    def files(self, name: str, items: Sequence[Item], languages: Mapping[str, Language]) -> dict[str, bytes]:
        """One task per subtask, and their group."""
        return _exported(name, items, self.protocol, languages)


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Inspect:
    """A task file of Inspect (tried with inspect-ai 0.3)."""

    folder: str = "inspect"
    protocol: Protocol = Field(default_factory=Protocol)

    def files(self, name: str, items: Sequence[Item], languages: Mapping[str, Language]) -> dict[str, bytes]:
        """`task.py`, and what it reads from beside it."""
        whole = _exported(name, items, self.protocol, languages)
        sampling = {
            "MAX_TOKENS": self.protocol.max_tokens,
            "TEMPERATURE": self.protocol.temperature,
            "TOP_P": self.protocol.top_p,
        }
        text = TASK.read_text(encoding="utf-8")
        for place, value in sampling.items():
            text = text.replace(f"{{{{{place}}}}}", repr(value))
        made = {file: whole[file] for file in SHARED}
        readme = INSPECT_README.format(name=name, count=len(items))
        return made | {"task.py": text.encode("utf-8"), "README.md": readme.encode("utf-8")}


def _exported(
    name: str, items: Sequence[Item], protocol: Protocol, languages: Mapping[str, Language]
) -> dict[str, bytes]:
    prompts = prompts_of(protocol, languages)
    asked = [(item, messages_of(item, prompts, languages)) for item in items]
    with tempfile.TemporaryDirectory() as place:
        export(Path(place), name, asked, protocol, languages)
        return {path.name: path.read_bytes() for path in sorted(Path(place).iterdir())}
