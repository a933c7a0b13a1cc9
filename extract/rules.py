"""The offline extractor: reads what a textbook marks, and makes claims with quotations.

In: the sections of one book. Out: node claims (terms, skills, experiments, questions) and edge claims. What each rule
is worth stands in `conf/extract/rules.yaml`; words and patterns of a language in `parts.extract` of its pack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from extract.answers import answer_key
from extract.claims import Claims, Desk, Prior
from extract.examples import worked_examples
from extract.exercises import exercises
from extract.fields import claim_terms, describe
from extract.formulas import formulas
from extract.labs import labs
from extract.links import Links
from extract.pack import pack_of
from extract.relations import relate
from extract.second_names import hear
from extract.skills import skills
from extract.terms import terms
from extract.view import book_view
from kg.language import Language
from kg.schema import GraphSchema
from kg.section import Section


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Rules:
    """An extractor without a model: about ten seconds per million words."""

    priors: Mapping[str, Prior]
    """Every rule with the share of its claims that readers agreed with."""

    def claims(self, sections: Sequence[Section], schema: GraphSchema, language: Language) -> Claims:
        """What the sections of one book, in reading order, say; claims in a fixed order.

        Raises SettingsError if a rule has no prior.
        """
        book = book_view(sections, language, pack_of(language))
        desk = Desk(schema, self.priors)
        known = terms(book)
        described = describe(known)
        second = claim_terms(known, described, formulas(known), desk)
        hear(known, described, second)
        relate(known, described, desk)
        links = Links(known, described, list(skills(book)), desk)
        links.claim_skills()
        links.claim_labs(list(labs(book)))
        links.claim_questions([*worked_examples(book), *exercises(book, answer_key(book))])
        return Claims(tuple(desk.nodes), tuple(desk.edges), tuple(desk.dropped))
