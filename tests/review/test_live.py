"""A run rewrites the queue while people work: they go on with the new one."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import Engine

from kg.graph import Node
from kg.schema import GraphSchema
from kg.store import Store, jsonl
from review.live import NODES, QUEUE, Live
from review.votes import Said, Votes, seen
from tests.review.conftest import an_edge_task, concept, many


def live(engine: Engine, tmp_path: Path) -> Live:
    """Two tasks taken in."""
    store = Store(tmp_path / "out")
    store.write(QUEUE, jsonl(many(2)))
    found = Live(store, Votes(engine, "physics", 1))
    assert [len(found.take()[0]), found.take()[1]] == [2, 0]
    return found


def names(found: Live) -> list[str]:
    """Contents of the open tasks, in the order in which one person is given them."""
    shown = []
    while task := found.votes.next("ada"):
        shown.append(task.content)
        found.votes.cast("ada", task.id, seen(task), Said("keep"))
    return shown


def test_a_queue_that_a_run_has_rewritten_is_worked_on_without_a_new_start(
    sqlite: Engine, tmp_path: Path, schema: GraphSchema
) -> None:
    desk = live(sqlite, tmp_path)
    assert len(names(desk)) == 2
    desk.store.write(NODES, jsonl([concept(schema, "speed", "distance per time")]))
    desk.store.write(QUEUE, jsonl([an_edge_task(1), an_edge_task(7)]))
    desk.refresh()
    assert names(desk) == [an_edge_task(7).content], "what was judged is not asked again, what is gone is not shown"
    assert [thing.name for thing in desk.things.called("SPEED")] == ["speed"]


def test_the_same_queue_written_again_is_not_taken_in_again(sqlite: Engine, tmp_path: Path) -> None:
    desk = live(sqlite, tmp_path)
    with desk.votes.engine.begin() as db:
        db.exec_driver_sql("UPDATE task SET open = 0")
    desk.refresh()
    os.utime(desk.store.path(QUEUE), ns=(1, 1))
    desk.refresh()
    assert names(desk) == [], "the digest is the same"


def test_a_queue_that_cannot_be_read_or_is_gone_leaves_the_one_that_was_there(sqlite: Engine, tmp_path: Path) -> None:
    desk = live(sqlite, tmp_path)
    desk.store.write(QUEUE, b"half a li")
    desk.refresh()
    assert desk.votes.progress("ada").open == 2
    desk.store.path(QUEUE).unlink()
    desk.refresh()
    assert len(names(desk)) == 2


def test_nodes_are_found_by_id_by_name_or_by_what_looks_like_it(
    sqlite: Engine, tmp_path: Path, schema: GraphSchema
) -> None:
    desk = live(sqlite, tmp_path)
    nodes: list[Node] = [concept(schema, name, "…") for name in ("kinetic energy", "potential energy")]
    desk.things.fill(nodes)
    assert [thing.id for thing in desk.things.called(" Kinetic-energy ")] == [nodes[0].id]
    assert [thing.name for thing in desk.things.called(nodes[1].id)] == ["potential energy"]
    assert desk.things.called("momentum") == [] and desk.things.near("kinetik energy")[0] == "kinetic energy"
