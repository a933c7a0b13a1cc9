"""The command line of the evaluator: `python -m evaluate bench=PATH llm=…` (see `--help`).

In: settings from `conf/evaluate/config.yaml` and the command line. Out: an exit code.
"""

from __future__ import annotations

import os
import sys
from typing import Any, cast

import hydra
from hydra.errors import HydraException, InstantiationException
from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import ValidationError

import kg.main  # noqa: F401 - registers the resolver `root`
from evaluate.run import evaluate
from evaluate.settings import settings_of
from evaluate.terminal import Terminal
from kg.errors import KgError, SettingsError, first_problem
from kg.llm import Endpoint
from kg.pipeline import INTERRUPTED, SETTINGS
from kg.stage import ROOT

_codes: list[int] = []


def main() -> None:
    """Runs the evaluation and exits: 0 done, 1 bug, 2 wrong settings, 3 incomplete, 130 stopped."""
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # errors reach us as exceptions, and become one line
    terminal = Terminal()
    try:
        _hydra_main()
    except (HydraException, OmegaConfBaseException) as error:
        terminal.error(" ".join(str(error).split()))
        sys.exit(SETTINGS)
    except KeyboardInterrupt:
        terminal.error("stopped; what was answered is kept, and the same command goes on from there")
        sys.exit(INTERRUPTED)
    sys.exit(max(_codes, default=0))


@hydra.main(version_base="1.3", config_path=str(ROOT / "conf"), config_name="evaluate/config")
def _hydra_main(config: DictConfig) -> None:
    try:
        data = cast(dict[str, Any], OmegaConf.to_container(config, resolve=True, throw_on_missing=True))
        endpoint = endpoint_of(data.pop("llm"))
        settings = settings_of(data)
        _codes.append(evaluate(settings, endpoint, Terminal(settings.quiet)))
    except KgError as error:
        Terminal().error(str(error))
        _codes.append(SETTINGS)
    except OmegaConfBaseException as error:
        Terminal().error(f"{error.full_key}: {str(error).splitlines()[0]} (see python -m evaluate --help)")
        _codes.append(SETTINGS)


def endpoint_of(settings: dict[str, Any]) -> Endpoint | None:
    """The model of composed settings; none if they name no kind of server.

    Raises SettingsError naming the setting that is wrong.
    """
    if "_target_" not in settings:
        return None
    try:
        return cast(Endpoint, instantiate(settings, _convert_="all"))
    except InstantiationException as error:
        cause = error.__cause__
        what = first_problem(cause) if isinstance(cause, ValidationError) else str(error).splitlines()[0]
        raise SettingsError(what, where="llm") from None


if __name__ == "__main__":
    main()
