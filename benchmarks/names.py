"""How well names are told apart and together.

    python benchmarks/names.py [PAIRS] [HOMONYMS]

Reads labelled pairs of names (default: tests/merge/name_pairs.yaml) and decides on all of them at once, as merging
does, language by language: by canonical key, and asking people about near names. Prints precision of what merges by
itself, recall of what merges or is asked, how many different pairs people would be asked about, and every pair that
went wrong. The baseline is merging lower-case names that agree in 85 of 100, without vetoes. Then names that are used
twice (default: tests/merge/homonyms.yaml): kept apart, merged, or merged and shown to people.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
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

PRECISION, RECALL, APART, NEAR = 0.99, 0.95, 0.9, 85.0
PAIRS = ROOT / "tests" / "merge" / "name_pairs.yaml"
HOMONYMS = ROOT / "tests" / "merge" / "homonyms.yaml"


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
    return cases


def homonyms(data: Mapping[str, Any], languages: Mapping[str, Language]) -> list[Case]:
    """What is done with every name that is used twice: `ask` is merged, and shown to people."""
    return [
        Case(name, name, label, _done(_unit(name, one, languages[code]), _unit(name, other, languages[code])))
        for code, labelled in data.items()
        for label, rows in labelled.items()
        for name, one, other in rows
    ]


def kept_apart(cases: list[Case]) -> tuple[float, float]:
    """Precision and recall of keeping two uses of a name apart."""
    apart = [case for case in cases if case.done == "apart"]
    right = sum(case.label == "different" for case in apart)
    return right / len(apart), right / sum(case.label == "different" for case in cases)


def _done(one: Unit, other: Unit) -> str:
    like = likeness(one, other, Limits())
    return "apart" if like.apart(Limits()) else "ask" if like.doubtful(Limits()) else "merge"


def _unit(name: str, use: Sequence[str], language: Language) -> Unit:
    says, around = use
    content = Words(language).content
    own = content([name])
    return Unit(
        label="",
        key=key(name, language),
        chapter="",
        chapter_title="",
        names=((name, 1),),
        at=(0, 0),
        sections=("",),
        values={},
        said=(Said(section="", extractor="", rule="", confidence=0.98),),
        words=tuple(sorted(content([says]) - own)),
        context=tuple(sorted(content([says, around]) - own)),
    )


def main(file: Path, uses: Path) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    languages = load_languages(ROOT / "conf/language")
    cases = decided(yaml.safe_load(file.read_text(encoding="utf-8")), languages)
    twice = homonyms(yaml.safe_load(uses.read_text(encoding="utf-8")), languages)
    for case in [*cases, *twice]:
        if case.wrong or (case.done == "merge" and case.label == "different"):
            print(f"wrong: {case.one} | {case.other}: {case.label}, done: {case.done}")
    alike = [case for case in cases if fuzz.ratio(case.one.lower(), case.other.lower()) >= NEAR]
    theirs = sum(case.label != "different" for case in alike) / len(alike)
    idle = sum(case.done == "ask" and case.label == "different" for case in cases)
    print(
        f"{len(cases)} pairs: precision of merging {precision(cases):.3f} (wanted {PRECISION}; by likeness alone "
        f"{theirs:.3f}), recall of merging and asking {recall(cases):.3f} (wanted {RECALL}), "
        f"asked although different {idle}"
    )
    counts = Counter((case.label, case.done) for case in twice)
    right, found = kept_apart(twice)
    print(
        f"{len(twice)} names used twice: kept apart with precision {right:.3f} (wanted {PRECISION}) and recall "
        f"{found:.3f} (wanted {APART}); two things merged without a word {counts['different', 'merge']}; "
        f"one thing merged {counts['same', 'merge']}, merged and shown to people {counts['same', 'ask']}"
    )
    within = precision(cases) >= PRECISION and recall(cases) >= RECALL and right >= PRECISION and found >= APART
    return 0 if within else 1


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:3]]
    sys.exit(main(*given, *[PAIRS, HOMONYMS][len(given) :]))
