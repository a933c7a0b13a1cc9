"""Edges of experiments, skills and exercises: what they show, take and test.

In: labs, skills, questions and the book's terms. Out: node and edge claims; every question is linked, or dropped
with a reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from extract.claims import Desk, End
from extract.exercises import Question
from extract.fields import Described, is_unit
from extract.labs import Lab
from extract.mentions import Mention
from extract.pack import compiled
from extract.parts import role_of
from extract.relations import everyday, rarity
from extract.skills import Skill
from extract.terms import Terms
from extract.view import SectionView, name_tokens, same_chapter, tokens
from kg.text import one_line

MOST_SHOWN = 2
MOST_NEEDED = 4
MOST_TESTED = 3
COMMON = 0.4
"""Rarity below which a term says nothing about an exercise, unless its own section introduces it."""
LEAST_SHARED = 2
"""Content words that stem and definition share where the stem names no term."""


@dataclass(frozen=True)
class Links:
    """Makes the claims about everything that is not a term."""

    terms: Terms
    described: Mapping[str, Described]
    skills: Sequence[Skill]
    desk: Desk

    def claim_skills(self) -> None:
        """Skills, and the terms their names take."""
        for skill in self.skills:
            properties = {"description": skill.description}
            end = End("procedure", skill.name)
            self.desk.node(end, properties, skill.evidence, skill.view.row.id, skill.rule)
            for mention in self._known(skill.view, skill.start, skill.end):
                if mention.key in self._keys_of_name(skill.name):
                    self.desk.edge("prerequisite", self._term(mention.key), end, skill.evidence, "skill_names")

    def claim_labs(self, labs: Sequence[Lab]) -> None:
        """Experiments, what they show, and what their text takes for granted."""
        for lab in labs:
            end = End("activity", lab.name)
            properties = {
                "instruments": lab.instruments,
                "is_student": lab.student,
                "process": lab.process,
                "phenomena": lab.phenomena,
                "conclusion": lab.conclusion,
            }
            self.desk.node(end, properties, lab.evidence, lab.view.row.id, "lab")
            shown = self._shown(lab)
            for mention, rule in shown:
                quote = [lab.view.quote(*lab.view.sentence(mention.start))]
                self.desk.edge("demonstration", end, self._term(mention.key), quote, rule)
            self._needed(lab, end, {mention.key for mention, _ in shown})

    def _shown(self, lab: Lab) -> list[tuple[Mention, str]]:
        """Terms of the title, then of the conclusion, then of the first sentences until one names any."""
        view = lab.view
        ranges = [(*lab.title, "lab_title"), *((start, end, "lab_conclusion") for start, end in lab.ending)]
        found: list[tuple[Mention, str]] = []
        for start, end, rule in ranges:
            found += [(m, rule) for m in self._purpose(lab, start, end) if m.key not in {seen.key for seen, _ in found}]
        at = max(lab.title[1], lab.purpose[0])
        while not found and at < lab.purpose[1]:
            _, end = view.sentence(at)
            if compiled(view.pack.aims).search(view.line(at, end)):
                found = [(m, "lab_purpose") for m in self._purpose(lab, at, end)]
            at = max(end, at) + 1
        return found[:MOST_SHOWN]

    def _purpose(self, lab: Lab, start: int, end: int) -> list[Mention]:
        """Terms in a range that the lab can be about: no instruments, no everyday words; the rarest first.

        A circumstance (`on a slope`) counts only where the range names nothing else.
        """
        used = self._keys_of_name(" ; ".join(lab.instruments))
        known = [m for m in self._known(lab.view, start, end) if m.key not in used and self._fits(m.key, lab.view)]
        known = [m for m in known if not self._generic(m.key, lab.view)]
        text, pattern = lab.view.text, compiled(lab.view.pack.governed)
        known = [m for m in known if not pattern.search(text[start : m.start])] or known
        return sorted(known, key=lambda m: (-self._weight(m.key, lab.view), m.start))

    def _generic(self, key: str, view: SectionView) -> bool:
        """True for words for experiments as such."""
        found = role_of(self.terms.by_key[key].name, view.pack)
        return found is not None and found[0].role == "lab"

    def _needed(self, lab: Lab, end: End, shown: set[str]) -> None:
        """Terms that the text of the lab uses and that were introduced before or in its section."""
        view = lab.view
        inside = [m for m in self._known(view, lab.title[1], lab.last, asked=False) if m.key not in shown]
        found = [m for m in inside if self._fits(m.key, view) and not self._generic(m.key, view)]
        found.sort(key=lambda m: (-self._weight(m.key, view), m.start))
        for mention in found[:MOST_NEEDED]:
            if self.terms.by_key[mention.key].order[0] <= view.index:
                quote = [view.quote(*view.sentence(mention.start))]
                self.desk.edge("prerequisite", self._term(mention.key), end, quote, "lab_names")

    def claim_questions(self, questions: Sequence[Question]) -> None:
        """Questions with what they test; one that tests nothing known is dropped."""
        for question in questions:
            end = End("question", question.stem)
            before = len(self.desk.edges)
            self._tests(question, end)
            if len(self.desk.edges) == before:
                page = question.view.section.page_at(question.start)
                self.desk.drop(question.view.row.id, f"exercise names nothing the book teaches: {question.name}", page)
                continue
            printed = bool(question.answer)
            properties = {
                "stem": question.stem,
                "answer": question.answer if printed else question.view.pack.not_printed,
                "answer_printed": int(printed),
                "difficulty": question.difficulty,
                "type": question.kind,
                "options": question.options,
                "analysis": question.analysis,
                "number": question.number,
            }
            name = End("question", question.name)
            rule = "worked_example" if question.kind == "worked_example" else "exercise"
            self.desk.node(name, properties, question.evidence, question.topic.row.id, rule)

    def _tests(self, question: Question, end: End) -> None:
        view, topic = question.view, question.topic
        stem = self._ranked(question, [(question.start, question.end), *question.told])
        tested = [(mention, "stem_names") for mention in stem]
        if len(tested) < MOST_TESTED:
            keys = {mention.key for mention in stem}
            near = [m for m in self._ranked(question, question.solved) if self._near(self.described[m.key], topic)]
            solved = [m for m in near if m.key not in keys]
            tested += [(mention, "solution_names") for mention in solved]
        if not tested:
            tested = [(mention, "options_name") for mention in self._offered(question)[:1]]
        for mention, rule in tested[:MOST_TESTED]:
            quote = [view.quote(*self._within(question, view.sentence(mention.start)))]
            self.desk.edge("assessment", end, self._term(mention.key), quote, rule)
        self._tests_skill(question, end, {mention.key for mention, _ in tested})
        if not tested:
            best = self._closest(" ".join([question.stem, *question.options]), topic)
            if best is not None:
                quote = [view.quote(question.start, question.end)]
                self.desk.edge("assessment", end, self._term(best[0]), quote, best[1])

    def _offered(self, question: Question) -> list[Mention]:
        """Terms that half of the options or more name, or the right one: what the choice is about."""
        right = self._keys_of_name(question.answer)
        counts = Counter(
            mention.key for start, end in question.offered for mention in self._known(question.view, start, end)
        )
        ranked = self._ranked(question, question.offered)
        return [m for m in ranked if m.key in right or 2 * counts[m.key] >= len(question.options)]

    def _within(self, question: Question, sentence: tuple[int, int]) -> tuple[int, int]:
        """The sentence without what is not the question's (its number)."""
        start = max(sentence[0], question.start) if sentence[0] <= question.start < sentence[1] else sentence[0]
        return start, sentence[1]

    def _ranked(self, question: Question, ranges: Sequence[tuple[int, int]]) -> list[Mention]:
        """Terms named in the ranges, those of the question's own section and rare ones first."""
        topic = question.topic
        found: dict[str, Mention] = {}
        for start, end in ranges:
            for mention in self._known(question.view, start, end):
                found.setdefault(mention.key, mention)
        kept = [m for m in found.values() if self._fits(m.key, topic) and self._taught(m.key, topic)]
        return sorted(kept, key=lambda m: (-self._weight(m.key, topic), m.start))[:MOST_TESTED]

    def _taught(self, key: str, topic: SectionView) -> bool:
        """True if the term is introduced before the end of the chapter."""
        home = self.terms.by_key[key].home
        return home is not None and (home.index <= topic.index or same_chapter(home, topic))

    def _fits(self, key: str, view: SectionView) -> bool:
        """True if naming the term says something here: it is taught here, or rare, and no unit from elsewhere."""
        term = self.terms.by_key[key]
        if is_unit(self.described[key]) and not self._near(self.described[key], view):
            return False
        if term.home is view or (term.home is not None and not view.teaches and same_chapter(term.home, view)):
            return True
        return rarity(key, self.terms) >= COMMON and not everyday(term, self.terms)

    def _weight(self, key: str, view: SectionView) -> float:
        """Rarity, and more for a term of this section or chapter."""
        home = self.terms.by_key[key].home
        near = 2.0 if home is view else 0.7 if home is not None and same_chapter(home, view) else 0.0
        return rarity(key, self.terms) + near

    def _tests_skill(self, question: Question, end: End, keys: set[str]) -> None:
        """The method of the question's section that names most of what the question names."""
        best, score = None, 0
        for skill in self.skills:
            if skill.view is not question.topic or not _practised(skill.name, question):
                continue
            shared = len(self._keys_of_name(skill.name) & keys)
            if shared > score:
                best, score = skill, shared
        if best is not None:
            quote = [question.view.quote(question.start, question.end)]
            self.desk.edge("assessment", end, End("procedure", best.name), quote, "section_skill")

    def _keys_of_name(self, name: str) -> set[str]:
        found = self.terms.names.find(tokens(name, self.terms.book.language), name)
        return {mention.key for mention in found if mention.key in self.described}

    def _closest(self, stem: str, topic: SectionView) -> tuple[str, str] | None:
        """A term for a stem that names none, and the rule's name.

        One that the title of its section names, the one it uses most; else the one of section or chapter whose
        definition shares most words with the stem; else the first that the section introduces.
        """
        words = self._content(stem)
        near = {at: item for at, item in self.described.items() if self._near(item, topic)}
        shares = {at: self._shared(words, item) + (item.term.home is topic) for at, item in near.items()}
        named = self._topics(topic) & near.keys() if topic.teaches else set()
        uses = Counter(mention.key for mention in self.terms.mentions[topic.index] if mention.key in named)
        best = min(named or shares, key=lambda at: (-uses[at], -shares[at], at), default=None)
        if best is not None and (named or shares[best] >= LEAST_SHARED):
            return best, "section_topic" if named else "section_concept"
        own = [item.term for item in near.values() if item.term.home is topic]
        return (min(own, key=lambda term: term.order).key, "section_first") if topic.teaches and own else None

    def _topics(self, view: SectionView) -> set[str]:
        """Terms in the section's title; of `postulates of relativity` the second."""
        title = view.row.section_title
        found = self.terms.names.find(tokens(title, view.language), title)
        of = {m.key for m in found if compiled(view.pack.governed).search(title[: m.start])}
        return (of or {m.key for m in found}) & self.described.keys()

    def _near(self, item: Described, topic: SectionView) -> bool:
        home = item.term.home
        return home is not None and (home is topic or same_chapter(home, topic))

    def _content(self, text: str) -> set[str]:
        language = self.terms.book.language
        return set(name_tokens(text, language)) - set(language.stopwords)

    def _shared(self, words: set[str], item: Described) -> int:
        """Content words that the stem shares with name and definition; those of the name count double."""
        return len(words & self._content(item.definition.text)) + 2 * len(words & self._content(item.term.name))

    def _known(self, view: SectionView, start: int, end: int, asked: bool = True) -> list[Mention]:
        """Mentions of described terms in a range, each term once; on request without those in questions."""
        found: dict[str, Mention] = {}
        for mention in self.terms.in_range(view, start, end):
            counts = asked or "exercises" not in view.outline.roles(view.section.block_at(mention.start))
            if counts and mention.key in self.described:
                found.setdefault(mention.key, mention)
        return list(found.values())

    def _term(self, key: str) -> End:
        return End("term", self.terms.by_key[key].name)


def _practised(skill: str, question: Question) -> bool:
    """True if solving the question means doing what the method's name says, by the rules of the language."""
    for rule in question.view.pack.practice:
        if compiled(rule.skill).search(skill):
            return compiled(rule.stem).search(one_line(question.stem)) is not None
    return True
