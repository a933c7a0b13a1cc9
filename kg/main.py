"""The command line: compose the settings, build every stage, run the chain. The only file that knows Hydra."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException, InstantiationException
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import ValidationError

from kg import language
from kg.console import Console
from kg.engine import busy, stopping
from kg.errors import DryRun, SettingsError, first_problem
from kg.forecast import forecast, history
from kg.pipeline import DONE, INTERRUPTED, SETTINGS, run
from kg.project import Project
from kg.schema import schema_of
from kg.stage import ROOT, Engine, Stage
from kg.store import Store
from kg.subject import books_of, subject_of

OmegaConf.register_new_resolver("root", lambda path: str(ROOT / path), replace=True)

_codes: list[int] = []
"""Exit codes of the jobs of this process; several with `-m`."""


def main() -> None:
    """Runs the jobs the command line asks for and exits: 0 done, 1 bug, 2 wrong settings, 3 incomplete, 4 held back,
    130 stopped."""
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # errors reach us as exceptions, and become one line
    console = Console()
    signal.signal(signal.SIGINT, lambda *_: _stop(console))
    try:
        _hydra_main()
    except (HydraException, OmegaConfBaseException) as error:
        console.error(_one_line(error))
        sys.exit(SETTINGS)
    except KeyboardInterrupt:
        console.error("stopped; run the same command again and it goes on where it stopped")
        sys.exit(INTERRUPTED)
    sys.exit(max(_codes, default=0))


@hydra.main(version_base="1.3", config_path=str(ROOT / "conf"), config_name="config")
def _hydra_main(config: DictConfig) -> None:
    console = Console(quiet=bool(config.quiet))
    try:
        project = project_of(config, Path(HydraConfig.get().runtime.output_dir))
        stages = [build(config, name) for name in config.stages]
        engine = cast(Engine, _instantiate(config, "engine"))
        gc.enable()  # run.py has switched it off
        if config.dry_run or config.status:
            _codes.append(_tell(project, stages, console, bool(config.status)))
            return
        _codes.append(run(project, stages, engine, console, _plain(config)))
    except DryRun as plan:
        console.out.print(plan.what, markup=False, soft_wrap=True)
        _codes.append(DONE)
    except SettingsError as error:
        console.error(str(error))
        _codes.append(SETTINGS)


def _stop(console: Console) -> None:
    """Ctrl-C: once, and what is in flight is finished and kept; twice, and everything ends at once.

    Before the first item is begun there is nothing to finish.
    """
    if stopping.is_set():
        console.out.show_cursor(True)
        os._exit(INTERRUPTED)  # the workers end with us; what is on disk is whole
    if not busy.is_set():
        raise KeyboardInterrupt
    stopping.set()
    console.error("stopping: what is in flight is finished and kept (Ctrl-C again ends at once)")


def _tell(project: Project, stages: Sequence[Stage], console: Console, past: bool) -> int:
    """Says what has been done, if asked for, and what would be; runs nothing."""
    lines = [*history(project), "", "Now:"] if past else []
    lines += [line for one in forecast(project, stages) for line in one.lines()]
    for line in [*lines, "Nothing was run."]:
        console.out.print(line, markup=False, soft_wrap=True)
    return DONE


def composed(words: Sequence[str]) -> tuple[Project, dict[str, Any]]:
    """Project and settings for commands besides `run.py` that take its settings (`subject=physics out=DIR`).

    Raises SettingsError if a word is no setting.
    """
    try:
        with hydra.initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
            config = hydra.compose("config", overrides=list(words))
        return project_of(config, Path(config.out)), _plain(config)
    except (HydraException, OmegaConfBaseException) as error:
        raise SettingsError(_one_line(error), where="settings") from None


def project_of(config: DictConfig, out: Path) -> Project:
    """Subject, books, schema and languages of composed settings. Raises SettingsError naming what is wrong."""
    subject = subject_of(_plain(config.subject))
    languages = language.load(Path(config.languages))
    for code in {subject.language} - {""} - set(languages):
        raise SettingsError(
            f"no language pack {code!r}", where="subject.language", remedy=f"have: {', '.join(languages)}"
        )
    schema = schema_of(_plain(config.schema), "schema")
    return Project(
        Store(out.resolve()), subject.name, subject.title or subject.name, books_of(subject), schema, languages
    )


def build(config: DictConfig, name: str) -> Stage:
    """The stage called `name` with its settings. Raises SettingsError naming the setting that is wrong."""
    known = [key for key, value in config.items() if isinstance(value, DictConfig) and "_target_" in value]
    if name not in known or name == "engine":
        stages = ", ".join(str(key) for key in known if key != "engine")
        raise SettingsError(f"no stage {name!r}", where="stages", remedy=f"have: {stages}")
    return cast(Stage, _instantiate(config, name))


def _instantiate(config: DictConfig, name: str) -> Any:
    try:
        return instantiate(config[name])
    except InstantiationException as error:
        cause = error.__cause__
        if isinstance(cause, SettingsError):
            raise cause from None
        what = first_problem(cause) if isinstance(cause, ValidationError) else str(error).splitlines()[0]
        raise SettingsError(what, where=name) from None


def _plain(config: DictConfig) -> dict[str, Any]:
    return cast(dict[str, Any], OmegaConf.to_container(config, resolve=True))


def _one_line(error: Exception) -> str:
    """Hydra's message without its internals."""
    lines = [line.strip() for line in str(error).splitlines()]
    return " ".join(
        line for line in lines if line and not line.startswith(("full_key:", "object_type=", "Config search"))
    )
