"""Which options a reply chooses: read where it says so, counted as unread where it does not, never guessed.

In: the text of a reply and the item's options. Out: `Reading`. What words mean is data (`parts.evaluate` of the
language packs); all languages are listened to at once. Standard library only: this file is copied into exported tasks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

UNREAD = ("empty", "thinking", "outside", "refusal", "unclear")
"""Ways to say nothing: no text; cut off while thinking; letters no option has; declined; none of what we can read."""

_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff]|<\|[^|<>]*\|>|</?s>")
_MARKUP = re.compile(r"\*+|`+|~~|^[ \t]*(?:#+|>|[-•]|\d{1,2}[.)])[ \t]+|\\\(|\\\)|\\\[|\\\]|\$", re.MULTILINE)
_WRAPPED = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathit|operatorname)\s*\{([^{}]*)\}")
_BOXED = re.compile(r"\\f?boxed\s*\{([^{}]*)\}|<answer>(.*?)(?:</answer>|\Z)", re.DOTALL | re.IGNORECASE)
_QUOTED_NAME = re.compile(r"[\"'](?=\s*:)")
_EDGES = " \t\r\n.,;:!。、-–—()[]{}<>\"'“”‘’《》【】「」"


class Reading(NamedTuple):
    """What a reply chooses."""

    letters: tuple[str, ...]
    """In the order of the options, each once; empty where nothing could be read."""
    how: str
    """`list`, `statement`, `options`, `lead`, `last_line`, `every`, `judged`, or one of `UNREAD`."""


class Words(NamedTuple):
    """What is said around letters, of all languages together; regular expressions but for the first three."""

    thoughts: tuple[str, ...] = ()
    """Names of tags that hold reasoning."""
    joiners: tuple[str, ...] = ()
    """Between the letters of one answer: `and`."""
    articles: tuple[str, ...] = ()
    """Words of one letter that are no answer: `a`."""
    labels: tuple[str, ...] = ()
    """May stand before or after a bare list: `option`, `only`."""
    answers: tuple[str, ...] = ()
    """Before the letters of an answer: `the answer is`."""
    negations: tuple[str, ...] = ()
    """At the end of what comes before a statement, take it back: `not`."""
    correct: tuple[str, ...] = ()
    """After letters, say that they are right: `is correct`."""
    wrong: tuple[str, ...] = ()
    """After letters, say that they are not: `is wrong`; or that one of several is meant: `or B`."""
    reasons: tuple[str, ...] = ()
    """Start an explanation right after the letters: `because`."""
    every: tuple[str, ...] = ()
    """Choose all options: `all of the above`."""
    refusals: tuple[str, ...] = ()
    """Decline: `I cannot`, `none of the above`."""


def words(parts: Iterable[Mapping[str, Sequence[str]]]) -> Words:
    """The words of several languages as one."""
    known = list(parts)
    return Words(*(tuple(word for part in known for word in part.get(field, ())) for field in Words._fields))


def read(reply: str, options: Mapping[str, str], spoken: Words) -> Reading:
    """The letters the reply chooses. Where it says so more than once, its last word counts."""
    return _parser(tuple(options), spoken).read(reply, options)


@lru_cache(maxsize=16)
def _parser(letters: tuple[str, ...], spoken: Words) -> _Parser:
    return _Parser(letters, spoken)


def _any(patterns: Sequence[str]) -> str:
    """One group that matches any of them; nothing at all if there are none."""
    return "(?:" + "|".join(patterns) + ")" if patterns else "(?!)"


class _Parser:
    """The patterns for one set of letters."""

    def __init__(self, letters: tuple[str, ...], spoken: Words) -> None:
        self.letters = letters
        self.spoken = spoken
        self.one = "".join(letters)
        joiner = _any([re.escape(word) for word in spoken.joiners])
        between = rf"\s*(?:[,;/、&+|]|{joiner})\s*(?:{joiner}\s*)?"
        in_line = between.replace(r"\s", r"[^\S\n]")
        lines = _list(self.one, rf"(?:{between}|\s+)", run=True)
        upper = _list(self.one, rf"(?:{in_line}|[^\S\n]+)", run=True)
        lower = _list(self.one.lower(), between, run=True)
        alone = rf"\s*\n\s*(?=[{self.one}]\s*[,;.]?\s*(?:\n|$))"
        below = _list(self.one, rf"(?:{in_line}|{alone}|[^\S\n]+)", run=True)
        label = _any(spoken.labels)
        before = rf"(?i:{_any(spoken.answers)})[\s:=]*(?:(?i:{label})[\s:]*)*"
        closed = r"(?=\s*(?:[.,;!?。)]|$))"
        self._whole = re.compile(rf"(?:(?i:{label})[\s:]*)*(?P<list>{lines}|{lower})(?:[\s.,]*(?i:{label}))*")
        self._foreign = re.compile(rf"(?:(?i:{label})[\s:]*)*{_list('A-Z', between, run=False)}")
        self._statement = re.compile(rf"{before}(?P<list>{below}|{lower}{closed})", re.MULTILINE)
        self._lead = re.compile(rf"(?P<list>{upper}|{_list(self.one.lower(), between, run=False)}(?=[.)]))")
        self._judged = re.compile(rf"(?P<list>{upper})\s*(?i:{_any(spoken.correct)})")
        self._packed = re.compile(
            rf"[(\[{{<\"'“‘「【《]\s*([{self.one}{self.one.lower()}](?:{between}[{self.one}{self.one.lower()}])*)\s*"
            r"[)\]}>\"'”’」】》]"
        )
        self._option_start = re.compile(rf"\n|[ \t,;。]+(?=[{self.one}]\s*[.:)、])")
        self._option_line = re.compile(rf"\s*([{self.one}])\s*[.:)、,]\s*(.+)")
        self._other_letter = re.compile(rf"(?<![A-Za-z0-9])[{self.one}](?![A-Za-z0-9'’])")
        self._other_item = re.compile(rf"(?<![A-Za-z0-9])[{self.one}]\s*[:.)、]")
        self._negated = re.compile(rf"(?i:{_any(spoken.negations)})\s*$")
        self._wrong = re.compile(rf"\s*(?i:{_any(spoken.wrong)})")
        self._reason = re.compile(rf"\s*[,;:.(—–-]*\s*(?i:{_any(spoken.reasons)})")
        self._right = re.compile(rf"\s*(?i:{_any(spoken.correct)})")
        self._every = re.compile(rf"(?i:{_any(spoken.every)})")
        self._refusal = re.compile(rf"(?i:{_any(spoken.refusals)})")

    def read(self, reply: str, options: Mapping[str, str]) -> Reading:
        """The first way of reading that gives letters; how it failed if none does."""
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", reply)).replace("’", "'")
        text, whole_thought = self._after_thoughts(text)
        if not whole_thought:
            return Reading((), "thinking")
        boxes = [first or second for first, second in _BOXED.findall(text)]
        for piece in [*reversed(boxes[-1:]), text]:
            reading = self._read_plain(self._plain(piece), options)
            if reading.letters:
                return reading
        return reading

    def _after_thoughts(self, text: str) -> tuple[str, bool]:
        """What stands after the reasoning, and whether that came to an end."""
        names = _any([re.escape(name) for name in self.spoken.thoughts])
        text = re.split(rf"</\s*{names}\s*>", text, flags=re.IGNORECASE)[-1]
        return text, not re.search(rf"<\s*{names}\s*>", text, flags=re.IGNORECASE)

    def _plain(self, text: str) -> str:
        """Without markup, and without brackets and quotes around letters."""
        text = _BOXED.sub(lambda hit: f" {hit.group(1) or hit.group(2)} ", _WRAPPED.sub(r"\1", text))
        text = _QUOTED_NAME.sub("", _MARKUP.sub("", text))
        for _ in range(2):
            text = self._packed.sub(r"\1", text)
        return text.strip()

    def _read_plain(self, text: str, options: Mapping[str, str]) -> Reading:
        if not text.strip(_EDGES):
            return Reading((), "empty")
        if letters := self._bare(text):
            return Reading(letters, "list")
        if self._foreign.fullmatch(text.strip(_EDGES)):
            return Reading((), "outside")
        ways: tuple[tuple[str, Callable[[], tuple[str, ...]]], ...] = (
            ("options", lambda: self._options(text, options)),
            ("statement", lambda: self._stated(text, options)),
            ("last_line", lambda: self._bare(text.splitlines()[-1])),
            ("every", lambda: self._all(text)),
            ("judged", lambda: self._judgements(text)),
            ("lead", lambda: self._leading(text)),
        )
        for how, way in ways:
            letters = way()
            if letters:
                return Reading(letters, how)
        return Reading((), "refusal" if self._refusal.search(text) else "unclear")

    def _bare(self, text: str) -> tuple[str, ...]:
        """Nothing but letters, perhaps with a word like `option` or `only`."""
        hit = self._whole.fullmatch(text.strip(_EDGES))
        return self._letters(hit.group("list")) if hit else ()

    def _options(self, text: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """Nothing but options with their text; the last one may be cut. All of them together are an echo."""
        found: list[str] = []
        for line in filter(str.strip, self._option_start.split(text)):
            hit = self._option_line.fullmatch(line)
            said, meant = (_bare_text(hit.group(2)), _bare_text(options[hit.group(1)])) if hit else ("", "")
            if hit is None or not said or not (meant.startswith(said) or said.startswith(meant)):
                return ()
            found.append(hit.group(1))
        return self._ordered(found) if len(set(found)) < len(options) else ()

    def _stated(self, text: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """The last statement of an answer that is not taken back."""
        letters: tuple[str, ...] = ()
        for hit in self._statement.finditer(text):
            if self._stands(text, hit) and not self._is_article(text, hit):
                letters = (
                    self._options(text[hit.start("list") :], options) or self._letters(hit.group("list")) or letters
                )
        return letters

    def _judgements(self, text: str) -> tuple[str, ...]:
        """All letters that are called right, one by one or together."""
        found: list[str] = []
        for hit in self._judged.finditer(text):
            if not self._negated.search(text[: hit.start()]):
                found += self._letters(hit.group("list"))
        return self._ordered(found)

    def _all(self, text: str) -> tuple[str, ...]:
        hit = self._every.search(text)
        return self.letters if hit and not self._negated.search(text[: hit.start()]) else ()

    def _leading(self, text: str) -> tuple[str, ...]:
        """Letters at the very start, set off from what follows, which may not be about other letters."""
        hit = self._lead.match(text)
        if hit is None or self._wrong.match(text, hit.end()):
            return ()
        rest = text[hit.end() :]
        if rest.lstrip(" \t").startswith("\n") or self._reason.match(rest):
            return self._letters(hit.group("list"))
        mark = re.match(r"\s*([.:;)!。—–-]|[,(])", rest)
        if mark is None or self._wrong.match(rest, mark.end()) or self._bare(rest):
            return ()
        others = self._other_letter if mark.group(1) in ",(" else self._other_item
        return () if others.search(rest) else self._letters(hit.group("list"))

    def _stands(self, text: str, hit: re.Match[str]) -> bool:
        return not self._negated.search(text[: hit.start()]) and not self._wrong.match(text, hit.end())

    def _is_article(self, text: str, hit: re.Match[str]) -> bool:
        """The one letter is a word of the sentence that goes on: `the answer is A current that …`."""
        if hit.group("list").casefold() not in self.spoken.articles:
            return False
        rest = text[hit.end() :]
        goes_on = re.match(r"[ \t]+[a-z]", rest) is not None
        return goes_on and not self._reason.match(rest) and not self._right.match(rest)

    def _letters(self, found: str) -> tuple[str, ...]:
        """The letters of a matched list; none if a run of them is no list but a word."""
        runs = re.findall(rf"(?<![A-Za-z0-9])[{self.one}{self.one.lower()}]+(?![A-Za-z0-9])", found)
        for run in runs:
            rises = all(left < right for left, right in pairwise(run))
            if len(set(run)) < len(run) or (run.islower() and not rises):
                return ()
        return self._ordered(letter.upper() for run in runs for letter in run)

    def _ordered(self, letters: Iterable[str]) -> tuple[str, ...]:
        chosen = set(letters)
        return tuple(letter for letter in self.letters if letter in chosen)


def _list(one: str, between: str, run: bool) -> str:
    """A pattern for letters of the class `one`, apart or (with `run`) written together."""
    together = rf"[{one}]{{2,}}|" if run else ""
    return rf"(?<![A-Za-z0-9_])(?:{together}[{one}](?:{between}[{one}](?![A-Za-z0-9_'’]))*)(?![A-Za-z0-9_'’])"


def _bare_text(text: str) -> str:
    """Letters and digits only, without case."""
    return "".join(character for character in text.casefold() if character.isalnum())
