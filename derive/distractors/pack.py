"""What the recipe must know about a language: the model of `parts.distractors`.

In: YAML data. Out: `Pack`: how steps and reasons are put, units that are confused, words of the page.
"""

from __future__ import annotations

from collections.abc import Mapping

from kg.row import Row


class Pack(Row):
    """Templates are filled with `str.format`; the fields they may use are named beside each."""

    steps: Mapping[str, tuple[str, str]] = {}
    """Role of an edge -> how a step along it and against it is said: `{start}`, `{end}`."""
    joint: str = "; "
    walked: str = "{steps}"
    """Why a distractor misleads: fields `{steps}`, `{text}`."""
    near: Mapping[str, str] = {}
    """Scope -> why something from there misleads, `{text}`."""
    slips: Mapping[str, str] = {}
    """Kind of slip -> who would fall for it, `{text}`."""
    confused: tuple[tuple[str, ...], ...] = ()
    """Groups of units that are taken for one another."""
    page: Mapping[str, str] = {}
    """Texts of the page."""
