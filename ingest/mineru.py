"""MinerU by its command line, in an environment of its own; nothing of it is imported.

In: a PDF. Out: its document, from the middle JSON of `mineru-kit parse`.
MinerU's licence asks online services to say that they use it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from ingest.mineru_chunks import parsed
from ingest.reader import Made, PageReader
from kg.document import Book
from kg.errors import InputError, SettingsError
from kg.project import Project

INSTALL = "install MinerU in its own environment (python -m venv DIR; DIR/bin/pip install 'mineru>=4.0.1,<5') and set \
ingest.reader.command=DIR/bin/mineru-kit"
MODELS = "its models are missing: run `mineru-kit models download`, or use ingest.reader.tier=flash for PDFs with text"
SIGNS = ("is not ready under", "E1020", "Connection failed", "models-dir")
"""What MinerU says when it lacks models or a network to fetch them."""
START = 60
"""Seconds that telling its version may take."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Mineru:
    """Calls MinerU 4."""

    pdf: PageReader
    """Reads the same PDF for type sizes, bookmarks and a check that no page is lost."""
    command: str = "mineru-kit"
    tier: Literal["flash", "basic", "standard", "advanced"] = "standard"
    """`flash` needs no models for PDFs with a text layer; it drops scanned pages, which are then failures."""
    ocr_mode: Literal["auto", "txt", "ocr"] = "auto"
    pages: Annotated[int, Field(ge=1)] = 50
    """Pages of one call."""
    timeout: Annotated[float, Field(gt=0)] = 1800.0
    """Seconds of one call."""
    model_source: str = "local"
    """`local`: models are never fetched during a run. Others (`huggingface`, `modelscope`) are MinerU's."""

    @property
    def version(self) -> str:
        """What a result depends on. Raises SettingsError if the command is not there or of another generation."""
        return f"{_version(self.command)} {self.tier} {self.ocr_mode}"

    def files(self, book: Book) -> list[Path]:
        """The PDF."""
        return [Path(book.file)]

    def document(self, book: Book, project: Project, stage: str) -> Made:
        """The book's document. Raises InputError if MinerU can read nothing of it."""
        return parsed(
            book,
            project,
            stage,
            self.pdf,
            (self.version, self.pages, lambda first, last: self._parse(book, first, last)),
        )

    def _parse(self, book: Book, first: int, last: int) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "out.json"
            command = [self.command, "parse", book.file, "-o", str(target), "-f", "middle_json", "--tier", self.tier]
            command += ["--ocr-mode", self.ocr_mode, "-p", f"{first}-{last}"]
            self._run(command)
            written = sorted(path for path in Path(folder).rglob("*.json"))
            if not written:
                raise InputError("MinerU ended without a result", remedy="run it by hand to see what it says")
            return written[0].read_bytes()

    def _run(self, command: list[str]) -> None:
        environment = {**os.environ, "MINERU_MODEL_SOURCE": self.model_source, "ORT_DISABLE_TELEMETRY": "1"}
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                timeout=self.timeout,
                env=environment,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            what = f"MinerU took more than {self.timeout:.0f} seconds"
            raise InputError(what, remedy="raise ingest.reader.timeout or lower ingest.reader.pages") from None
        except OSError as error:
            raise InputError(f"MinerU cannot be started: {error}", remedy=INSTALL) from None
        if done.returncode != 0:
            said = (done.stderr + b"\n" + done.stdout).decode("utf-8", "replace")
            raise InputError(f"MinerU failed: {said_last(said)}", remedy=remedy_for(said))


def said_last(output: str) -> str:
    """The line of a program's output that says what went wrong: the last one that begins as an error, else the last."""
    lines = [line.strip() for line in output[-4000:].splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "failed"))]
    return (errors or lines or ["it said nothing"])[-1][:200]


def remedy_for(output: str) -> str:
    """What to do about it."""
    return MODELS if any(sign in output for sign in SIGNS) else "run it by hand to see all it says"


@cache
def _version(command: str) -> str:
    if shutil.which(command) is None:
        raise SettingsError(f"no program {command}", where="ingest.reader.command", remedy=INSTALL)
    try:
        done = subprocess.run([command, "--version"], capture_output=True, timeout=START, check=True, text=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise SettingsError(
            f"{command} does not start: {error}", where="ingest.reader.command", remedy=INSTALL
        ) from None
    words = done.stdout.split()
    number = next((word for word in words if word[0].isdigit()), "")
    if number.partition(".")[0] != "4":
        what = f"{command} is MinerU {number or 'of an unknown version'}"
        raise SettingsError(what, where="ingest.reader.command", remedy="use MinerU 4, or ingest=mineru_output")
    return f"mineru {number}"
