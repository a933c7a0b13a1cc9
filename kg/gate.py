"""Whether a run may pass with what its checks found.

In: the setting `gate` and findings. Out: how many findings hold the run back, by check. What people have decided is
settled and holds nothing back; a note never does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from kg.errors import SettingsError
from kg.graph import Finding

Gate = Literal["none", "set_aside", "strict"]
_STOPS: Mapping[Gate, frozenset[str]] = {
    "none": frozenset(),
    "set_aside": frozenset({"set_aside"}),
    "strict": frozenset({"set_aside", "review"}),
}
SETTLED = "people"
"""Check of findings that say what people took out."""


def gate_of(settings: Mapping[str, Any], default: Gate = "none") -> Gate:
    """The setting `gate`. Raises SettingsError if it is none of those known."""
    wanted = settings.get("gate", default)
    for known in _STOPS:
        if wanted == known:
            return known
    raise SettingsError(f"no gate {wanted!r}", where="gate", remedy=f"have: {', '.join(_STOPS)}")


def held_back(gate: Gate, findings: Iterable[Finding]) -> Counter[str]:
    """Check -> findings that do not pass: with `strict` all but notes, with `set_aside` what left the graph."""
    stops = _STOPS[gate]
    return Counter(finding.check for finding in findings if finding.action in stops and finding.check != SETTLED)
