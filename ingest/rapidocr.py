"""Text recognition by RapidOCR, whose models come inside its wheel (its only importer).

In: a picture of a page. Out: `Recognised`. Reads Chinese and English without a choice of language.
"""

from __future__ import annotations

import math
import os
from functools import cached_property
from importlib.metadata import version as installed
from typing import Any

from ingest.reader import Image
from ingest.recognised import Piece, Recognised, TextLine
from kg.errors import InputError

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # else importing onnxruntime writes a device id to the home folder

import numpy
import rapidocr as _rapidocr

rapidocr: Any = _rapidocr
"""The library, untyped as it is."""
TALL = 1.05
"""The height of RapidOCR's boxes in ems."""
BELOW = 0.2
"""Part of a box's height below the baseline."""


class RapidOcr:
    """Reads one page at a time with all cores."""

    at_once = 1

    def __init__(self, threads: int = 0) -> None:
        """`threads` of one page; 0: one per core."""
        self.threads = threads or os.cpu_count() or 1

    @cached_property
    def version(self) -> str:
        """Name and version of the library, which holds the models."""
        return f"rapidocr {installed('rapidocr')}"

    @cached_property
    def _engine(self) -> Any:
        return rapidocr.RapidOCR(
            params={
                "Global.log_level": "error",
                "EngineConfig.onnxruntime.intra_op_num_threads": self.threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )

    def reads(self, language: str) -> bool:
        """Its models read Chinese (`ch`) and English (`en`) together."""
        return language in ("ch", "en")

    def read(self, image: Image, language: str) -> Recognised:
        """The text of the picture, in whichever of its languages. Raises InputError if it cannot be read."""
        grey = numpy.frombuffer(image.pixels, numpy.uint8).reshape(image.height, image.width)
        try:
            found = self._engine(numpy.stack([grey] * 3, axis=-1))
        except (RuntimeError, ValueError) as error:
            raise InputError(f"rapidocr failed: {error}"[:200], remedy="use another ingest.ocr.engine") from None
        rows = zip(found.boxes, found.txts, found.scores, strict=True) if found.boxes is not None else ()
        lines = tuple(_line(corners, str(text), float(score)) for corners, text, score in rows if str(text).strip())
        return Recognised(engine=self.version, width=image.width, height=image.height, dpi=image.dpi, lines=lines)


def _line(corners: Any, text: str, score: float) -> TextLine:
    """`corners`: of the line, clockwise from the upper left."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = ((float(x), float(y)) for x, y in corners)
    slope = ((by - ay) + (cy - dy)) / max((bx - ax) + (cx - dx), 1.0)
    height = (math.hypot(dx - ax, dy - ay) + math.hypot(cx - bx, cy - by)) / 2
    foot = (dy + cy) / 2 - BELOW * height
    middle = (dx + cx) / 2
    left, right = min(ax, dx), max(bx, cx)
    return TextLine(
        pieces=(Piece(text=text.strip(), left=left, right=right, confidence=score),),
        baseline=(slope, foot - slope * middle),
        size=height / TALL,
        box=(left, min(ay, by), right, max(cy, dy)),
    )
