"""The words of the page, from `parts.review` of a language pack.

In: language packs. Out: `Texts`; what a pack lacks is taken from the fallback.
"""

from __future__ import annotations

from collections.abc import Mapping

from kg.language import Language
from kg.row import Row

FALLBACK = "en"


class Texts(Row):
    """Everything the page says."""

    ui: Mapping[str, str] = {}
    ask: Mapping[str, str] = {}
    """The question, by kind of task."""
    verdicts: Mapping[str, str] = {}
    """What each button says."""
    hints: Mapping[str, str] = {}
    """What each button means, by kind of task and verdict."""
    checks: Mapping[str, str] = {}
    """Why it is asked, by check."""
    fields: Mapping[str, str] = {}
    """Names of properties."""
    denied: Mapping[str, str] = {}
    """Why somebody could not sign in or join."""
    code: str = FALLBACK
    """Language, for the page's `lang`."""

    def check(self, name: str) -> str:
        """What the check is about; its code where the pack does not say."""
        return self.checks.get(name, name)

    def field(self, name: str) -> str:
        """The property's name; its key where the pack does not say."""
        return self.fields.get(name, name)


def texts_of(languages: Mapping[str, Language], code: str) -> Texts:
    """The words in a language."""
    own = languages[code].part("review", Texts) if code in languages else Texts()
    rest = languages[FALLBACK].part("review", Texts) if FALLBACK in languages else Texts()
    names = ("ui", "ask", "verdicts", "hints", "checks", "fields", "denied")
    merged = {name: {**getattr(rest, name), **getattr(own, name)} for name in names}
    return Texts.model_validate({**merged, "code": code if code in languages else FALLBACK})
