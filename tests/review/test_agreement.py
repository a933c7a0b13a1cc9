"""Agreement: κ as computed by hand, and said to be undefined where it is."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine

from review.agreement import Ballot, ballots, kappa, table
from review.votes import Said, Votes, seen
from tests.review.conftest import many


def test_kappa_equals_the_table_of_fleiss_1971() -> None:
    """Example of en.wikipedia.org/wiki/Fleiss'_kappa: 10 subjects, 14 raters, 5 categories, κ = 0.210."""
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    votes = [[str(category) for category, count in enumerate(row) for _ in range(count)] for row in counts]
    assert kappa(votes) == pytest.approx(0.2099, abs=5e-5)


def test_kappa_of_four_tasks_equals_the_one_computed_by_hand() -> None:
    """Three judges. Agreement per task: 1, 1/3, 1, 1/3, mean 2/3. Shares: keep 7/12, remove 5/12;
    by chance (49 + 25) / 144 = 37/72. κ = (2/3 - 37/72) / (1 - 37/72) = 11/35."""
    rows = [("keep",) * 3, ("keep", "keep", "remove"), ("remove",) * 3, ("keep", "keep", "remove")]
    assert kappa(rows) == pytest.approx(11 / 35)
    cell = table([Ballot("physics", "edge", "is_a", row) for row in rows], 3)[0]
    assert cell.kappa == pytest.approx(11 / 35)
    assert (cell.tasks, cell.unanimous, cell.pairwise) == (4, 0.5, pytest.approx(2 / 3))


def test_kappa_of_one_verdict_is_undefined_and_says_why() -> None:
    cell = table([Ballot("physics", "node", "Concept", ("keep",) * 3)] * 5, 3)[0]
    assert (cell.kappa, cell.why, cell.unanimous) == (None, "one_verdict", 1.0)


def test_a_task_that_lacks_a_judge_is_counted_as_incomplete_and_as_nothing_else() -> None:
    rows = [Ballot("physics", "edge", "is_a", ("keep", "remove")), Ballot("physics", "edge", "is_a", ("keep",) * 3)]
    cell = table(rows, 3)[0]
    assert (cell.tasks, cell.incomplete, cell.unanimous) == (1, 1, 1.0)
    assert table(rows[:1], 3)[0].why == "no_tasks"


def test_the_table_has_a_row_per_subject_and_type_and_rows_over_all() -> None:
    rows = [
        Ballot("physics", "edge", "is_a", ("keep", "keep")),
        Ballot("physics", "edge", "verifies", ("keep", "remove")),
        Ballot("biology", "edge", "is_a", ("remove", "remove")),
    ]
    cells = {(row.subject, row.type): row.tasks for row in table(rows, 2)}
    assert cells == {
        ("biology", "is_a"): 1, ("biology", ""): 1,
        ("physics", "is_a"): 1, ("physics", "verifies"): 1, ("physics", ""): 2,
        ("", "is_a"): 2, ("", "verifies"): 1, ("", ""): 3,
    }  # fmt: skip


def test_votes_in_the_database_give_the_table_of_the_votes_that_were_cast(engine: Engine) -> None:
    votes = Votes(engine, "physics", judges=3)
    votes.load(many(4))
    answers = {"ada": "kkrk", "bo": "kkrk", "cy": "krrr"}
    for person, row in answers.items():
        for letter in row:
            task = votes.next(person)
            assert task is not None
            votes.cast(person, task.id, seen(task), Said({"k": "keep", "r": "remove"}[letter]))
    cell = table(ballots(engine), 3)[0]
    assert cell.kappa == pytest.approx(11 / 35)


def test_who_corrects_and_who_removes_disagree_and_the_first_judges_count() -> None:
    cell = table([Ballot("s", "node", "t", ("change", "remove", "keep"))], 2)[0]
    assert (cell.tasks, cell.unanimous) == (1, 0.0)
