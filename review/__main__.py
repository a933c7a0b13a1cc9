"""The command line of the annotators' page: `python -m review subject=NAME` (see `--help`).

In: the settings of `conf/config.yaml`, words of the command line. Out: a page served until Ctrl-C, or what `desk.do`
asks for; an exit code: 0 done, 2 wrong settings.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kg.console import Console
from kg.errors import KgError
from kg.main import composed
from kg.pipeline import DONE, SETTINGS

HELP = """People in the loop: judge what a run could not settle.

  python -m review subject=physics                     opens the page; the first link it prints makes you its lead
  python -m review subject=physics desk.do=invite      prints a link for one more annotator (desk.role=lead: a lead)
  python -m review subject=physics desk.do=write       adds what is decided to the file of decisions
  python -m review subject=physics desk.do=agreement   prints Fleiss' kappa and shares by type
  python -m review subject=physics desk.do=label_studio_export desk.file=tasks.json
  python -m review subject=physics desk.do=label_studio_import desk.file=annotations.json

Settings are those of run.py (subject=, out=, decisions=, review.everything=true …) and those of conf/desk/web.yaml
(desk.port=9000 desk.annotators=2 desk.database=postgresql+psycopg://user@host/name …).
Run run.py first: it makes the questions. Run it again afterwards: it applies the decisions.
"""


def main(words: Sequence[str]) -> int:
    """The exit code."""
    console = Console()
    if {"--help", "-h"} & set(words):
        console.out.print(HELP, markup=False)
        return DONE
    try:
        from review.desk import work  # late, so that --help and a missing extra answer at once

        return work(*composed(words), console)
    except KeyboardInterrupt:  # every vote is stored by then: it is how one ends
        return DONE
    except ImportError as error:
        console.error(f"{error.name} is not installed; pip install -e '.[review]'")
    except KgError as error:
        console.error(str(error))
    return SETTINGS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
