"""Text recognition by Tesseract: its program is called, nothing of it is imported.

In: a picture of a page. Out: `Recognised`, from the hOCR that Tesseract writes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cached_property
from xml.etree import ElementTree

from ingest.reader import Image
from ingest.recognised import Piece, Recognised, TextLine
from kg.errors import InputError, SettingsError

PROGRAM = "tesseract"
TIMEOUT = 180.0
"""Seconds a page may take."""
SPACE = "{http://www.w3.org/1999/xhtml}span"
LINES = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"})
BOX = re.compile(r"bbox (\d+) (\d+) (\d+) (\d+)")
BASELINE = re.compile(r"baseline (-?[\d.]+) (-?[\d.]+)")
SIZE = re.compile(r"x_size ([\d.]+)")
SURE = re.compile(r"x_wconf (\d+)")
TALL = 0.9
"""Tesseract's line height, ascenders and descenders, in ems."""
REMEDY = "install Tesseract and its language data (Debian: apt install tesseract-ocr tesseract-ocr-chi-sim)"


class Tesseract:
    """Reads pages with one thread a page."""

    def __init__(self, threads: int = 0) -> None:
        """`threads`: pages at once; 0: one per core. Raises SettingsError if the program is not there."""
        if shutil.which(PROGRAM) is None:
            raise SettingsError("the program tesseract is not installed", where="ingest.ocr", remedy=REMEDY)
        self.at_once = threads or os.cpu_count() or 1

    @cached_property
    def version(self) -> str:
        """Name and version of the program."""
        return _call(["--version"], b"").split("\n", 1)[0].strip()

    @cached_property
    def languages(self) -> frozenset[str]:
        """Languages whose data is installed."""
        return frozenset(_call(["--list-langs"], b"").split("\n")[1:]) - {""}

    def reads(self, language: str) -> bool:
        """True if the data of `language`, Tesseract's own name (`eng`, `chi_sim`, `eng+deu`), is installed."""
        return bool(language) and all(code in self.languages for code in language.split("+"))

    def read(self, image: Image, language: str) -> Recognised:
        """The text of the picture. Raises InputError if it cannot be read."""
        command = ["stdin", "stdout", "-l", language, "--psm", "3", "--dpi", str(round(image.dpi)), "hocr"]
        lines = tuple(_lines(_call(command, image.pgm())))
        return Recognised(engine=self.version, width=image.width, height=image.height, dpi=image.dpi, lines=lines)


def _call(arguments: list[str], given: bytes) -> str:
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            [PROGRAM, *arguments], input=given, capture_output=True, timeout=TIMEOUT, env=environment, check=True
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"tesseract took more than {TIMEOUT:.0f} seconds", remedy="lower ingest.ocr.dpi") from None
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or b""
        last = said.decode("utf-8", "replace").strip().split("\n")[-1]
        raise InputError(f"tesseract failed: {last or error}"[:200], remedy="see its message") from None
    return done.stdout.decode("utf-8", "replace")


def _lines(hocr: str) -> list[TextLine]:
    root = ElementTree.fromstring(hocr)
    found = []
    for element in root.iter(SPACE):
        if element.get("class") in LINES:
            line = _line(element)
            if line is not None:
                found.append(line)
    return found


def _line(element: ElementTree.Element) -> TextLine | None:
    title = element.get("title") or ""
    box, size, slope = BOX.search(title), SIZE.search(title), BASELINE.search(title)
    pieces = tuple(piece for word in element.iter(SPACE) if (piece := _piece(word)) is not None)
    if box is None or size is None or not pieces:
        return None
    left, top, right, bottom = (float(edge) for edge in box.groups())
    rise, offset = (float(part) for part in slope.groups()) if slope else (0.0, 0.0)
    baseline = (rise, bottom + offset - rise * left)
    return TextLine(pieces=pieces, baseline=baseline, size=float(size.group(1)) / TALL, box=(left, top, right, bottom))


def _piece(word: ElementTree.Element) -> Piece | None:
    title = word.get("title") or ""
    text = "".join(word.itertext()).strip()
    box, sure = BOX.search(title), SURE.search(title)
    if word.get("class") != "ocrx_word" or not text or box is None:
        return None
    confidence = float(sure.group(1)) / 100 if sure else 0.0
    return Piece(text=text, left=float(box.group(1)), right=float(box.group(3)), confidence=confidence)
