"""The words of the page, from `parts.review` of a language pack.

In: language packs. Out: `Texts`; what a pack lacks is taken from the fallback.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from kg.language import Language
from kg.row import Row
from kg.schema import GraphSchema
from review.task import RELATION, Fact, Task

FALLBACK = "en"


class Texts(Row):
    """Everything the page says."""

    ui: Mapping[str, str] = {}
    ask: Mapping[str, str] = {}
    """The question, by kind of task."""
    verdicts: Mapping[str, str] = {}
    """What each button says: by verdict, or where a kind of task says it otherwise, by kind and verdict."""
    hints: Mapping[str, str] = {}
    """What each button means, by kind of task and verdict."""
    checks: Mapping[str, str] = {}
    """Why it is asked, by check."""
    fields: Mapping[str, str] = {}
    """Names of properties."""
    denied: Mapping[str, str] = {}
    """Why somebody could not sign in or join."""
    roles: Mapping[str, str] = {}
    """Types of nodes and edges, by the role they play."""
    glosses: Mapping[str, str] = {}
    """What a relation means, by role; where it is missing, the schema says it."""
    messages: Mapping[str, str] = {}
    """What a check found, by check; `{one}`, `{other}`, `{relation}` … stand for the values of a `Fact`."""
    code: str = FALLBACK
    """Language, for the page's `lang`."""

    def check(self, name: str) -> str:
        """What the check is about; its code where the pack does not say."""
        return self.checks.get(name, name)

    def verdict(self, kind: str, name: str) -> str:
        """What the button for the verdict says on this kind of task."""
        return self.verdicts.get(f"{kind}_{name}", self.verdicts[name])

    def field(self, name: str) -> str:
        """The property's name; its key where the pack does not say."""
        return self.fields.get(name, name)

    def type(self, name: str, schema: GraphSchema) -> str:
        """The type of a node or edge in words; its key where the pack does not say."""
        known = schema.nodes.get(name) or schema.edges.get(name)
        return self.roles.get(known.role, name) if known else name

    def gloss(self, name: str, schema: GraphSchema) -> str:
        """What a type of edge means."""
        known = schema.edges.get(name)
        return self.glosses.get(known.role, known.about) if known else ""

    def reasons(self, task: Task, schema: GraphSchema) -> list[str]:
        """What the checks say: in the words of the pack where it has some, else as they put it."""
        return [self._said(reason, fact, schema) for reason, fact in zip_longest(task.reasons, task.facts)]

    def _said(self, reason: str, fact: Fact | None, schema: GraphSchema) -> str:
        template = self.messages.get(fact.check) if fact else None
        if fact is None or template is None:
            return reason
        values = dict(fact.values)
        if RELATION in values:
            values[RELATION] = self.type(values[RELATION], schema)
        try:
            return template.format_map(values)
        except KeyError:  # another room's check of that name states less than this one's
            return reason


def texts_of(languages: Mapping[str, Language], code: str) -> Texts:
    """The words in a language."""
    own = languages[code].part("review", Texts) if code in languages else Texts()
    rest = languages[FALLBACK].part("review", Texts) if FALLBACK in languages else Texts()
    shared = ("ui", "ask", "verdicts", "hints", "checks", "fields", "denied", "roles", "glosses")
    merged = {name: {**getattr(rest, name), **getattr(own, name)} for name in shared}
    return Texts.model_validate({**merged, "messages": own.messages, "code": code if code in languages else FALLBACK})
