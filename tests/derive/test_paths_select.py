"""Selection takes two answers in two orders; nothing is filled in, and what is not said is not kept."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.material import Material
from derive.path import Step
from derive.paths.ground import Candidate, Grounded, Link
from derive.paths.mine import Miner, Trail
from derive.paths.pack import Pack
from derive.paths.questions import open_item
from derive.paths.select import Ballot, ModelSelector, Pool, Rules, Told, case_of, rubric, select
from derive.paths.stage import EDGES
from derive.paths.value import Value
from derive.rubric import ModelRater, RuleRater
from kg.prompt import Prompt


def told(number: int) -> Told:
    step = Step("taxonomy", "a", f"n{number}", True)
    link = Link(f"n{number}", "given")
    return Told(Candidate(Trail((step,)), Link("a", "given"), link), f"a; is a kind of; n{number}")


def pool(count: int, key: str = "q") -> Pool:
    item = open_item(key, "What is a?", ["n1"], {})
    return Pool(Grounded(item, Value("entity", "n1")), [told(number) for number in range(count)])


class Scripted:
    """Names what a function of the ballot says."""

    label = "scripted"

    def __init__(self, says: Any) -> None:
        self.says, self.seen = says, list[Ballot]()

    def name(self, ballots: Sequence[Ballot]) -> list[list[str]]:
        self.seen += ballots
        return [self.says(ballot) for ballot in ballots]


def test_a_question_with_few_paths_keeps_all_and_nobody_is_asked() -> None:
    one, judge = pool(10), Scripted(lambda ballot: [])
    select([one], judge, 10, 3, 0)
    assert len(one.chosen) == 10 and judge.seen == [] and one.attempts == 0


def test_only_what_both_orders_name_is_chosen() -> None:
    one = pool(30)
    judge = Scripted(lambda ballot: [told.text for told in ballot.shown[:10]])
    select([one], judge, 10, 1, 0)
    first, second = judge.seen
    assert [t.text for t in first.shown] != [t.text for t in second.shown]
    both = {t.text for t in first.shown[:10]} & {t.text for t in second.shown[:10]}
    assert set(one.chosen) == both and len(both) < 10


def test_a_judge_that_knows_is_asked_once_and_one_that_wavers_at_most_three_times() -> None:
    sure, lost = pool(30, "sure"), pool(30, "lost")
    judge = Scripted(
        lambda ballot: sorted(t.text for t in ballot.shown)[:10] if ballot.pool.key == "sure" else ["Path: x"] * 3
    )
    select([sure, lost], judge, 10, 3, 0)
    assert (len(sure.chosen), sure.attempts) == (10, 1) and (len(lost.chosen), lost.attempts) == (0, 3)
    assert lost.foreign == 18 and sure.foreign == 0
    assert len({tuple(t.text for t in ballot.shown) for ballot in judge.seen if ballot.pool.key == "lost"}) == 6


@given(st.integers(11, 25), st.integers(0, 2**30))
@settings(max_examples=30)
def test_whatever_a_judge_says_only_paths_of_the_question_are_chosen(count: int, seed: int) -> None:
    lot = random.Random(seed)
    one = pool(count)
    judge = Scripted(lambda ballot: lot.choices([*(t.text for t in ballot.shown), "made up; is; nothing"], k=12))
    select([one], judge, 10, 3, 0)
    assert set(one.chosen) <= {t.text for t in one.told} and len(one.chosen) <= 10


def test_the_order_of_the_candidates_does_not_matter(english_material: Material) -> None:
    pack = english_material.language.part("paths", Pack)
    rules = Rules(english_material, pack, Miner(english_material, EDGES, (), True))
    ways = {}
    for turn in (1, -1):
        miner = Miner(english_material, EDGES, (), True)
        found = [t for n in ("k001", "k010", "k003", "k012") for t in miner.between("k000", n, 3)][::turn]
        texts = [
            Told(Candidate(t, Link("k000", "given"), Link(t.end[0], "given")), " / ".join(t.nodes) + str(t.steps))
            for t in found
        ]
        one = Pool(Grounded(open_item("q", "?", ["x"], {}), Value("entity", "x")), texts)
        assert len(texts) > 10
        select([one], rules, 10, 3, 0)
        ways[turn] = list(one.chosen)
    assert len(ways[1]) == 10 and ways[1] == ways[-1]


@pytest.mark.parametrize("reply", [None, "", "I cannot", "Path: a: is a kind of: n1", "a; is a kind of; n1"])
def test_a_model_that_gives_no_path_back_names_none_of_ours(reply: str | None) -> None:
    one = pool(20)
    select([one], ModelSelector("m", lambda many: [reply] * len(many)), 10, 3, 0)
    assert list(one.chosen) == []


def test_a_model_that_copies_lines_has_them_chosen_whatever_their_punctuation() -> None:
    one = pool(20)
    lines = "```yml\n" + "\n".join(f"- Path: a; is a kind of; n{n}  " for n in range(10)) + "\n```"
    select([one], ModelSelector("m", lambda many: [lines] * len(many)), 10, 3, 0)
    assert len(one.chosen) == 10 and one.attempts == 1


def rules_of(material: Material) -> tuple[Rules, Miner]:
    miner = Miner(material, EDGES, (), True)
    return Rules(material, material.language.part("paths", Pack), miner), miner


@pytest.mark.parametrize(
    ("question", "start", "end", "stage", "score"),
    [
        ("What must be known before “cobalt cable”? What is needed for learning it?", "k002", "k000", "given", 5),
        ("What builds directly on “amber arch”?", "k000", "k002", "given", 5),
        ("What is cobalt cable about?", "k002", "k000", "given", 4),
        ("Which broader concept does amber arch belong to?", "k000", "k001", "given", 3),
        ("In which section of the textbook is “amber arch” introduced?", "k000", "s00", "given", 5),
        ("What is amber arch?", "k000", "s00", "given", 3),
        ("What is cobalt cable about?", "k002", "k000", "mention", 3),
        ("What is amber arch?", "k002", "k000", "similar", 2),
        ("???", "k002", "k000", "similar", 1),
    ],
)
def test_rules_score_a_path_by_where_it_ends_and_what_was_asked(
    english_material: Material, question: str, start: str, end: str, stage: str, score: int
) -> None:
    rules, miner = rules_of(english_material)
    (trail,) = miner.between(start, end, 1)
    view = english_material.view
    text = "; ".join(view.nodes[node].name for node in trail.nodes)
    assert rules.score(question, Told(Candidate(trail, Link(start, "given"), Link(end, stage)), text)) == score


def test_that_two_things_share_a_third_is_only_a_start(english_material: Material) -> None:
    rules, miner = rules_of(english_material)
    shared = [t for t in miner.between("k001", "k002", 2) if t.nodes[1] == "k000"]
    zigzag = [t for t in miner.between("k002", "k010", 2) if len({s.role for s in t.steps}) == 1]
    assert shared and zigzag
    for trail in zigzag:
        link = Link(trail.end[0], "given")
        assert rules.score("What is it?", Told(Candidate(trail, Link("k002", "given"), link), "x")) == 3


def test_a_judge_that_fails_or_babbles_scores_nothing() -> None:
    grounded, one = pool(1).grounded, told(1)
    cases = [case_of("k", grounded, one)]
    prompt = Prompt.model_validate({"name": "p", "parts": [{"role": "user", "content": "{{path}} {{criteria}}"}]})
    for reply in (None, "", "Score: 5", "{}", '{"support": 9}', '{"support": "many"}', '{"support": null}', "[5]"):
        (rating,) = ModelRater(rubric(4), prompt, lambda many, r=reply: [r] * len(many), "m").rate(cases)  # type: ignore[misc]
        assert not rating.ok and rating.scores == {}, reply
    (rating,) = ModelRater(rubric(4), prompt, lambda many: ['Sure: {"support": 4}'], "m").rate(cases)
    assert rating.ok and rating.scores == {"support": 4}
    (rating,) = RuleRater(rubric(4), {"support": lambda case: 3}).rate(cases)
    assert not rating.ok


def test_things_that_go_with_a_third_need_not_go_together(english_material: Material) -> None:
    rules, miner = rules_of(english_material)
    (middle,) = english_material.view.both_ways("k003", "association")
    view = english_material.view
    view_roles = {step.role for trail in miner.between("k003", middle, 1) for step in trail.steps}
    assert view_roles == {"association"}
    (direct,) = miner.between("k003", middle, 1)
    link = Link(middle, "given")
    question = "What is connected with it?"
    assert rules.score(question, Told(Candidate(direct, Link("k003", "given"), link), "x")) == 5
    twice = Trail((*direct.steps, Step("association", middle, "k003", not direct.steps[0].forward)))
    assert view.nodes and rules.score(question, Told(Candidate(twice, Link("k003", "given"), link), "x")) == 3


def test_a_judge_is_shown_every_accepted_answer() -> None:
    one = pool(20)
    one.grounded.item = open_item("q", "?", ["n1", "n2"], {})
    asked: list[str] = []
    select([one], ModelSelector("m", lambda many: [asked.append(m[-1].content) for m in many]), 10, 1, 0)  # type: ignore[func-returns-value]
    assert len(asked) == 2 and all("Answer: n1 / n2\n" in text for text in asked)
    assert case_of("k", one.grounded, one.told[0]).values["answer"] == "n1 / n2"
