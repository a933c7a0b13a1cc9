"""The command line: `python -m derive graph=PATH out=DIR what=[bench,train]` (see `--help`).

In: a graph on disk and settings as in `conf/derive/all.yaml`. Out: the files of `derive.stage`, and an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import rich.console
from hydra.errors import InstantiationException
from hydra.utils import get_class, instantiate
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import ValidationError
from rich.markup import escape

from derive.recipe import Recipe
from kg import language, schema
from kg.errors import Failure, KgError, SettingsError, first_problem
from kg.project import Project
from kg.stage import ROOT
from kg.store import Store

DONE, WRONG, INCOMPLETE = 0, 2, 3
MOST_SHOWN = 20
OWN: tuple[str, ...] = ("graph", "out", "schema")
NO_MODEL = "none"
RECIPE = "all"
OPEN = (
    *("train.recipe", "train.budget", "train.crop", "train.skip", "similarity"),
    *("sampling", "llm.extra_body", "llm.prices"),
)
"""Parts of the settings that take further names; what is wrong in them is found when the stage is built."""
HELP = """python -m derive graph=PATH [derive=RECIPE] [out=DIR] [SETTING=VALUE …]

Makes things from a graph. Recipes:

  derive=all          a multiple-choice benchmark and training data (default); what=[bench,train]
  derive=questions    questions that take a chosen number of steps through the graph
  derive=distractors  better wrong answers for our questions or anyone's
  derive=taxonomy     one tree of all concepts; what a corpus covers of it, how well a model knows it
  derive=paths        questions of any kind with the paths through the graph that support their answers

  graph=PATH          a run's folder, a folder with nodes.json and edges.json, or a file of the released K12-KGraph
  out=DIR             where the recipe's folders go (default: derived)
  language=CODE       language pack of all texts (default: the graph's own)
  schema=NAME         conf/schema/NAME.yaml (default: k12)
  llm=CHOICE          a model to ask: openai or local, with llm.model=NAME llm.base_url=URL (conf/llm/CHOICE.yaml);
                      nothing asks it unless a setting says so (bench.teacher=true, train.writer=model, …)
  NAME=VALUE          any setting of conf/derive/RECIPE.yaml; `python -m derive derive=RECIPE --help` prints them

What a model answered is kept (llm.cache): the same command goes on where it was.
Exit codes: 0 done; 3 done, but parts of the graph could not be read or a model did not answer (each is named);
2 settings or graph are wrong."""


def main(arguments: Sequence[str]) -> int:
    """Writes the products; returns the exit code."""
    console, complaints = rich.console.Console(highlight=False), rich.console.Console(stderr=True, highlight=False)
    if not arguments or {"-h", "--help", "help"} & set(arguments):
        console.print(escape(HELP), soft_wrap=True)
        for recipe in (word.removeprefix("derive=") for word in arguments if word.startswith("derive=")):
            if (file := ROOT / "conf" / "derive" / f"{recipe}.yaml").is_file():
                console.print(f"\n{escape(file.read_text(encoding='utf-8'))}", soft_wrap=True)
        return DONE if arguments else WRONG
    try:
        own, stage = settings(arguments)
        failures = derive(stage, own, console)
    except KgError as error:
        complaints.print(f"[red]error:[/] {escape(str(error))}", soft_wrap=True)
        return WRONG
    for failure in failures[:MOST_SHOWN]:
        complaints.print(f"  [red]{escape(str(failure))}[/]", soft_wrap=True)
    if len(failures) > MOST_SHOWN:
        complaints.print(f"  [red]… and {len(failures) - MOST_SHOWN} more[/]")
    return INCOMPLETE if failures else DONE


def settings(arguments: Sequence[str]) -> tuple[dict[str, str], Recipe]:
    """The command's own settings and the stage. Raises SettingsError naming the setting that is wrong."""
    pairs = dict(_pair(argument) for argument in arguments)
    own = {name: pairs.pop(name) for name in OWN if name in pairs}
    if "graph" not in own:
        raise SettingsError("no graph named", remedy="add graph=PATH")
    try:
        base = cast(DictConfig, _choice("derive", pairs.pop("derive", RECIPE)))
        base["llm"] = _llm(pairs.pop("llm", NO_MODEL), pairs)
        for name in (*OPEN, *cast(type[Recipe], get_class(base["_target_"])).open):
            if (part := OmegaConf.select(base, name)) is not None:
                OmegaConf.set_struct(part, False)
        OmegaConf.set_struct(base, True)
        merged = OmegaConf.merge(base, OmegaConf.from_dotlist([f"{name}={value}" for name, value in pairs.items()]))
        return own, cast(Recipe, instantiate(merged, _convert_="all"))
    except OmegaConfBaseException as error:
        raise SettingsError(str(error).splitlines()[0], remedy="see python -m derive --help") from None
    except InstantiationException as error:
        cause: Any = error.__cause__
        if isinstance(cause, KgError):
            raise cause from None
        what = first_problem(cause) if isinstance(cause, ValidationError) else str(error).splitlines()[0]
        raise SettingsError(what, remedy="see python -m derive --help") from None


def _llm(choice: str, pairs: Iterable[str]) -> Any:
    """The settings of a choice of `conf/llm`. Raises SettingsError if there is no such choice or it has no settings."""
    made = _choice("llm", choice)
    if choice != NO_MODEL:
        return made
    for name in pairs:
        if name.startswith("llm."):
            raise SettingsError("no model is chosen", where=name, remedy="add llm=openai or llm=local")
    return None


def _choice(group: str, choice: str) -> Any:
    """The settings of a choice of `conf/<group>`. Raises SettingsError if there is no such choice."""
    folder = ROOT / "conf" / group
    have = sorted(path.stem for path in folder.glob("*.yaml"))
    if choice not in have:
        raise SettingsError(f"no choice {choice!r}", where=group, remedy=f"have: {', '.join(have)}")
    return OmegaConf.load(folder / f"{choice}.yaml")


def _pair(argument: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals or not name:
        raise SettingsError(f"cannot read {argument!r}", remedy="settings look like NAME=VALUE")
    return name, value


def derive(stage: Recipe, own: dict[str, str], console: rich.console.Console) -> tuple[Failure, ...]:
    """The products are written; returns what of the graph could not be read."""
    graph = Path(own["graph"])
    store = Store(Path(own.get("out", "derived")))
    file = ROOT / "conf" / "schema" / f"{own.get('schema', 'k12')}.yaml"
    if not file.is_file():
        raise SettingsError(f"no schema {own['schema']!r}", where="schema")
    languages = language.load(ROOT / "conf" / "language")
    project = Project(store, graph.stem, graph.stem, (), schema.load(file), languages)
    context = stage.prepare(project, graph)
    failures: list[Failure] = []
    for item in stage.plan(project):
        result = stage.run(item, context)
        _write(store, result.files)
        failures += result.failures
        counts = ", ".join(f"{count:,} {name}" for name, count in result.counts.items())
        console.print(f"{item.key}: {counts} → {escape(str(store.path(item.key)))}", soft_wrap=True)
    if last := stage.collect(project):
        _write(store, last.files)
    for name in stage.pages:
        if store.exists(name):
            console.print(escape(str(store.path(name))), soft_wrap=True)
    return tuple(failures)


def _write(store: Store, files: Any) -> None:
    for name, data in sorted(files.items()):
        store.write(name, data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
