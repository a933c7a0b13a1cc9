"""How well names are told apart and together.

    python benchmarks/names.py [FILE]

Reads labelled pairs of names (default: tests/merge/name_pairs.yaml) and decides on all of them at once, as merging
does, language by language: by canonical key, and asking people about near names. Prints precision of what merges by
itself, recall of what merges or is asked, how many different pairs people would be asked about, and every pair that
went wrong. The baseline is merging lower-case names that agree in 85 of 100, without vetoes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import yaml
from rapidfuzz import fuzz

from kg.language import Language
from kg.language import load as load_languages
from kg.names import key
from kg.stage import ROOT
from merge.pack import Words
from merge.review import pairs_to_ask
from merge.rows import Said, Unit
from merge.senses import Limits, likeness
from merge.vetoes import Vetoes

PRECISION, RECALL, NEAR = 0.99, 0.95, 85.0
PAIRS = ROOT / "tests" / "merge" / "name_pairs.yaml"


@dataclass(frozen=True)
class Case:
    """A labelled pair and what is done with it: `merge`, `ask` or `apart`."""

    one: str
    other: str
    label: str
    done: str

    @property
    def wrong(self) -> bool:
        """Merged without being the same, or lost."""
        return (self.done == "merge" and self.label != "same") or (self.done == "apart" and self.label != "different")


def decided(data: Mapping[str, Any], languages: Mapping[str, Language]) -> list[Case]:
    """What is done with every pair of the file."""
    return [case for code, labelled in data.items() for case in _in_language(labelled, languages[code])]


def precision(cases: list[Case]) -> float:
    """Share of the pairs merged without asking that are the same."""
    joined = [case for case in cases if case.done == "merge"]
    return sum(case.label == "same" for case in joined) / len(joined)


def recall(cases: list[Case]) -> float:
    """Share of the pairs that mean one thing that are merged or asked about."""
    one = [case for case in cases if case.label != "different"]
    return sum(case.done != "apart" for case in one) / len(one)


def _in_language(labelled: Mapping[str, Any], language: Language) -> list[Case]:
    rows = [(one, other, label) for label in ("same", "ask", "different") for one, other in labelled[label]]
    keys = sorted({key(name, language) for one, other, _ in rows for name in (one, other)})
    asked = {(keys[i], keys[j]) for i, j in pairs_to_ask(keys, Vetoes(language), NEAR)}
    cases = []
    for one, other, label in rows:
        first, second = sorted((key(one, language), key(other, language)))
        done = "merge" if first == second else "ask" if (first, second) in asked else "apart"
        cases.append(Case(one, other, label, done))
    return [*cases, *(_homonym(row, language) for row in labelled["homonyms"])]


def _homonym(row: Mapping[str, Any], language: Language) -> Case:
    """One name in two places: merged unless what is said and what stands around are strangers."""
    one, other = (_unit(row, at, language) for at in (0, 1))
    apart = likeness(one, other, Limits()).apart(Limits())
    return Case(row["name"], row["name"], "same" if row["same"] else "different", "apart" if apart else "merge")


def _unit(row: Mapping[str, Any], at: int, language: Language) -> Unit:
    content = Words(language).content
    return Unit(
        label="",
        key=key(row["name"], language),
        chapter=str(at),
        chapter_title="",
        names=((row["name"], 1),),
        at=(0, 0),
        sections=(str(at),),
        values={},
        said=(Said(section=str(at), extractor="", rule="", confidence=0.98),),
        words=tuple(sorted(content([row["says"][at]]))),
        context=tuple(sorted(content(row["around"][at]))),
    )


def main(file: Path) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    cases = decided(yaml.safe_load(file.read_text(encoding="utf-8")), load_languages(ROOT / "conf/language"))
    for case in cases:
        if case.wrong:
            print(f"wrong: {case.one} | {case.other}: {case.label}, done: {case.done}")
    alike = [case for case in cases if fuzz.ratio(case.one.lower(), case.other.lower()) >= NEAR]
    theirs = sum(case.label != "different" for case in alike) / len(alike)
    idle = sum(case.done == "ask" and case.label == "different" for case in cases)
    print(
        f"{len(cases)} pairs: precision of merging {precision(cases):.3f} (wanted {PRECISION}; by likeness alone "
        f"{theirs:.3f}), recall of merging and asking {recall(cases):.3f} (wanted {RECALL}), "
        f"asked although different {idle}"
    )
    return 0 if precision(cases) >= PRECISION and recall(cases) >= RECALL else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else PAIRS))
