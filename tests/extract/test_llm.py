"""A book is read with as few calls as possible, and what was paid for is never lost."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from extract.assembly import account
from extract.example import example
from extract.gate import Trust
from extract.prompting import FOLDER
from kg.errors import SettingsError
from kg.llm import Budget, CallFailure, Limits
from kg.llm_cache import Cache
from tests.extract.teller import (
    EDGES,
    IS_A,
    LANGUAGES,
    NODES,
    PASSAGE,
    RATE,
    SCHEMA,
    SPEED,
    a_section,
    counted,
    edges,
    model,
    nodes,
    part,
    read,
    script,
)
from tests.fake_server import Call, FakeServer, Say, refuses, says

LATER = "Speed tells how fast a body moves. Acceleration is a change of speed in a unit of time."
ACCELERATION = {**SPEED, "quote": "Acceleration is a change of speed in a unit of time.", "name": "acceleration"}


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "replies.sqlite")


def kinds(server: FakeServer) -> Counter[str]:
    return Counter(part(call) for call in server.calls)


def test_a_chunk_takes_two_calls_and_gives_claims_with_places(cache: str) -> None:
    with FakeServer(script()) as server:
        asked = read(model(server, cache))
        assert kinds(server) == {"canary": 1, "count": 1, "nodes": 1, "edges": 1}
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust())
    edge = found.claims.edges[0]
    assert (edge.type, edge.source.name, edge.target.name) == ("is_a", "speed", "rate")
    assert edge.evidence[0].quote == IS_A["quote"]
    assert (edge.extractor, edge.rule.startswith("edges.en-"), edge.confidence) == ("m", True, 0.85)
    assert found.figures["supported"] == 1.0
    assert asked.capability is not None and asked.capability.rung == "strict"


def test_the_ends_of_edges_can_only_be_accepted_nodes(cache: str) -> None:
    with FakeServer(
        script(nodes=nodes(SPEED, RATE, {**SPEED, "name": "momentum", "quote": "p = mv everywhere"}))
    ) as server:
        read(model(server, cache))
        call = next(call for call in server.calls if part(call) == "edges")
    form = call.body["response_format"]["json_schema"]["schema"]["properties"]["is_a"]["items"]["properties"]
    assert form["source"]["enum"] == form["target"]["enum"] == ["n1", "n2"]
    assert "momentum" not in call.text


def test_a_rerun_asks_nothing_and_gives_the_same(cache: str) -> None:
    with FakeServer(script()) as server:
        first = read(model(server, cache))
        calls = len(server.calls)
        again = read(model(server, cache))
        assert len(server.calls) == calls
    assert again.spend.calls == 0
    one, other = (account(run.readings["book"], "book", LANGUAGES["en"], Trust()) for run in (first, again))
    assert one == other


def test_replies_can_be_replayed_elsewhere_without_a_server(cache: str, tmp_path: Path) -> None:
    with FakeServer(script()) as server:
        first = read(model(server, cache))
        url = server.url
    with Cache(cache) as kept:
        kept.export(tmp_path / "replies.jsonl")
    with Cache(str(tmp_path / "other.sqlite")) as other:
        other.load(tmp_path / "replies.jsonl")
    no_key = {"api_key_env": "NO_SUCH_KEY"}
    replayed = read(model(url, str(tmp_path / "other.sqlite"), no_key))
    assert replayed.failure is None
    one, two = (account(run.readings["book"], "book", LANGUAGES["en"], Trust()) for run in (first, replayed))
    assert one == two


def test_without_a_key_what_is_kept_is_used_and_the_rest_says_what_is_missing(cache: str) -> None:
    no_key = {"api_key_env": "NO_SUCH_KEY"}
    with FakeServer(script()) as server:
        with pytest.raises(SettingsError, match="NO_SUCH_KEY is empty"):
            read(model(server, cache, no_key), sections(2))
        assert server.calls == []
        read(model(server, cache), sections(2))
        asked = read(model(server, cache, no_key), sections(3))
    (failure,) = account(asked.readings["book"], "book", LANGUAGES["en"], Trust()).claims.failures
    assert failure.what.startswith("1 of 3 chunks: ") and "NO_SUCH_KEY" in failure.what and "export" in failure.remedy


def test_what_was_taught_before_is_offered_as_an_end(cache: str) -> None:
    def answer(call: Call) -> Say:
        return says(nodes(ACCELERATION) if "Acceleration is" in call.text.split("Passage:")[-1] else nodes(SPEED, RATE))

    needed = {"quote": ACCELERATION["quote"], "source": "k1", "target": "n1"}

    def relate(call: Call) -> Say:
        return says(edges(prerequisites_for=[needed]) if "k1 Concept: speed" in call.text else edges(IS_A))

    with FakeServer(script(nodes=answer, edges=relate)) as server:
        asked = read(model(server, cache), [a_section(at="s1"), a_section(LATER, at="s2")])
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust()).claims
    assert [(e.type, e.source.name, e.target.name, e.section) for e in found.edges] == [
        ("is_a", "speed", "rate", "s1"),
        ("prerequisites_for", "speed", "acceleration", "s2"),
    ]


def test_a_section_of_exercises_is_asked_for_questions_only(cache: str) -> None:
    with FakeServer(script(nodes=json.dumps({"Exercise": []}))) as server:
        read(model(server, cache), [a_section(kind="exercises")])
        call = next(call for call in server.calls if part(call) == "nodes")
    assert list(call.body["response_format"]["json_schema"]["schema"]["properties"]) == ["Exercise"]


def test_sections_that_do_not_teach_are_not_read(cache: str) -> None:
    with FakeServer(script()) as server:
        asked = read(model(server, cache), [a_section(kind="index")])
        assert kinds(server)["nodes"] == 0
    assert asked.readings["book"].leaves == []


def test_a_second_pass_asks_for_marked_terms_that_nothing_covers(cache: str, shelf: Any) -> None:
    lines = [
        "# 1.1 Speed",
        "The **speed** of a body is the rate of its motion.",
        "Its **velocity** has a direction as well.",
    ]
    sections = shelf.sections([("section", "1.1", "Speed", lines)])
    one = {**SPEED, "quote": lines[1].replace("**", "")}
    two = {**SPEED, "quote": lines[2].replace("**", ""), "name": "velocity"}

    def answer(call: Call) -> Say:
        return says(nodes(two, not_a_term=["body"]) if "- velocity" in call.text else nodes(one))

    with FakeServer(script(nodes=answer, edges=json.dumps(EDGES))) as server:
        asked = read(model(server, cache, passes=3), sections)
        more = [call.text for call in server.calls if "- velocity" in call.text]
    assert len(more) == 1 and "- Concept: speed" in more[0]
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust())
    assert [node.name for node in found.claims.nodes] == ["speed", "velocity"]
    assert found.figures["passes"] == [{"chunks": 1, "new": 1, "share": 1.0}]
    assert found.figures["not terms"] == ["body"]


def test_passes_end_when_they_bring_nothing_new(cache: str, shelf: Any) -> None:
    lines = [
        "# 1.1 Speed",
        "The **speed** of a body is the rate of its motion.",
        "Its **velocity** has a direction as well.",
    ]
    sections = shelf.sections([("section", "1.1", "Speed", lines)])
    with FakeServer(
        script(nodes=nodes({**SPEED, "quote": lines[1].replace("**", "")}), edges=json.dumps(EDGES))
    ) as server:
        asked = read(model(server, cache, passes=5), sections)
        assert kinds(server)["nodes"] == 2
    assert asked.readings["book"].passes == [{"chunks": 1, "new": 0, "share": 0.0}]


def test_one_call_brings_nodes_and_edges(cache: str) -> None:
    whole = {"nodes": {**NODES, "Concept": [{"id": "n1", **SPEED}, {"id": "n2", **RATE}]}, "edges": {"is_a": [IS_A]}}
    with FakeServer(script(nodes=json.dumps(whole))) as server:
        asked = read(model(server, cache, calls="one"))
        assert kinds(server) == {"canary": 1, "count": 1, "nodes": 1}
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust()).claims
    assert [(edge.source.name, edge.target.name) for edge in found.edges] == [("speed", "rate")]


def test_an_id_given_twice_leads_nowhere(cache: str) -> None:
    whole = {"nodes": {**NODES, "Concept": [{"id": "n1", **SPEED}, {"id": "n1", **RATE}]}, "edges": {"is_a": [IS_A]}}
    with FakeServer(script(nodes=json.dumps(whole))) as server:
        asked = read(model(server, cache, calls="one"))
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust())
    assert (len(found.claims.nodes), len(found.claims.edges)) == (2, 0)
    assert found.figures["left out"] == {"duplicate_id": 1, "no_such_node": 1}


def test_the_papers_prompt_is_one_message_with_the_whole_section(cache: str) -> None:
    reply = {
        "nodes": [
            {
                "id": "cpt1",
                "label": "Concept",
                "properties": {"name": "speed", "definition": "d", "importance": "master"},
            },
            {
                "id": "cpt2",
                "label": "Concept",
                "properties": {"name": "rate", "definition": "d", "importance": "master"},
            },
        ],
        "edges": [{"source": "cpt1", "target": "cpt2", "type": "is_a", "properties": {"evidence": IS_A["quote"]}}],
    }
    settings: dict[str, Any] = {"calls": "one", "prompt": "k12", "example": "", "tokens": 0, "enforce": "text"}
    with FakeServer(script(nodes=json.dumps(reply))) as server:
        asked = read(model(server, cache, **settings))
        call = next(call for call in server.calls if part(call) == "nodes")
    assert [message["role"] for message in call.body["messages"]] == ["user"]
    assert "knowledge graph expert proficient in K–12" in call.text and "{{" not in call.text
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust()).claims
    assert [node.name for node in found.nodes] == ["speed", "rate"]
    assert [edge.evidence[0].quote for edge in found.edges] == [IS_A["quote"]]


def test_where_nothing_is_enforced_the_form_is_asked_for_in_words(cache: str) -> None:
    with FakeServer(script(canary="banana")) as server:
        asked = read(model(server, cache))
        call = next(call for call in server.calls if part(call) == "nodes")
    assert asked.capability is not None and asked.capability.rung == "text"
    assert "JSON Schema" in call.body["messages"][0]["content"]
    assert "response_format" not in call.body


def test_an_input_that_was_cut_is_asked_anew_once_the_server_is_mended(cache: str) -> None:
    with FakeServer(script(nodes=lambda call: counted(says(nodes(SPEED)), 50))) as server:
        cut = read(model(server, cache))
        url, port = server.url, int(server.url.split(":")[2].split("/")[0])
    failure = cut.readings["book"].leaves[0].exchanges[0].failure
    assert failure is not None and "cut the input" in failure.what and "context length" in failure.hint
    assert account(cut.readings["book"], "book", LANGUAGES["en"], Trust()).claims.nodes == ()
    with FakeServer(script(), port=port) as server:
        whole = read(model(url, cache))
        assert kinds(server) == {"nodes": 1, "edges": 1}
    assert not whole.readings["book"].leaves[0].failed


def sections(count: int) -> list[Any]:
    return [a_section(PASSAGE.replace("300 km", f"{n} km"), at=f"s{n}") for n in range(count)]


def test_a_budget_stops_the_run_and_a_later_one_goes_on(cache: str) -> None:
    with FakeServer(script()) as server:
        stopped = read(model(server, cache, {"budget": Budget(calls=7)}), sections(8))
        assert len(server.calls) == 7
        found = account(stopped.readings["book"], "book", LANGUAGES["en"], Trust())
        assert [failure.what for failure in found.claims.failures] == ["8 of 8 chunks: the budget of 7 calls is spent"]
        assert all(failure.retry for failure in found.claims.failures)
        assert kinds(server)["edges"] == 0, "nodes go first: what edges can lead to depends on them"
        finished = read(model(server, cache), sections(8))
        assert kinds(server) == {"canary": 1, "count": 1, "nodes": 8, "edges": 8}
    assert not any(leaf.failed for leaf in finished.readings["book"].leaves)


def test_only_what_failed_is_asked_again(cache: str) -> None:
    def flaky(call: Call) -> Say:
        return refuses(503) if "3 km in two" in call.text else says(nodes(SPEED, RATE))

    with FakeServer(script(nodes=flaky)) as server:
        read(model(server, cache), sections(5))
        before = len(server.calls)
    port = int(server.url.split(":")[2].split("/")[0])
    with FakeServer(script(), port=port) as server:
        read(model(server, cache), sections(5))
        assert kinds(server) == {"nodes": 1, "edges": 2}, "what comes before the gap had all that its edges need"
    assert before > 5


def test_a_server_that_is_not_there_is_said_once(cache: str) -> None:
    asked = read(model("http://127.0.0.1:9/v1", cache))
    assert isinstance(asked.failure, CallFailure) and "no connection" in asked.failure.what
    assert asked.readings == {}


def test_no_more_calls_are_under_way_than_allowed(cache: str) -> None:
    with FakeServer(script(nodes=lambda call: Say(**{**vars(says(nodes(SPEED, RATE))), "seconds": 0.05}))) as server:
        read(model(server, cache, {"limits": Limits(concurrency=3)}), sections(9))
        assert server.most_at_once == 3


def test_an_example_that_would_not_pass_is_refused_before_anything_is_asked(cache: str, tmp_path: Path) -> None:
    text = (FOLDER / "example.en.md").read_text(encoding="utf-8")
    for fault, words in [
        (text.replace('"name": "evaporation"', '"name": "sublimation"'), "proposed"),
        (text.replace('"importance": "master"', '"importance": "huge"'), "huge"),
        (text.replace('"source": "n4"', '"source": "n9"'), "n9"),
        (text.replace("# assistant", "# system"), "part"),
        (text[:-20], "JSON"),
    ]:
        path = tmp_path / "example.en.md"
        path.write_text(fault, encoding="utf-8")
        with pytest.raises(SettingsError, match=words):
            example(path, SCHEMA, LANGUAGES["en"])


def test_a_chinese_book_is_asked_in_chinese_and_judged_without_spaces(cache: str) -> None:
    text = (
        "物体在单位时间内通过的路程叫做速度。速度是一种比率，因为它是路程与时间之比。\n比率表示两个量之间的倍数关系。"
    )
    one = {**SPEED, "quote": "物体在单位时间内通过的路程叫做速度", "name": "速度", "unit": None}
    two = {**RATE, "quote": "比率表示两个量之间的倍数关系。", "name": "比率"}
    false = {**RATE, "quote": "动量等于质量与速度的乘积，是一个矢量。", "name": "动量"}
    kind = {"quote": "速度是一种比率，因为它是路程与时间之比", "source": "n1", "target": "n2"}
    with FakeServer(script(nodes=nodes(one, two, false), edges=edges(kind))) as server:
        asked = read(model(server, cache), [a_section(text, language="zh")], "zh")
        call = next(call for call in server.calls if part(call) == "nodes")
    assert "片段：" in call.text and "学科专家" in call.body["messages"][0]["content"]
    found = account(asked.readings["book"], "book", LANGUAGES["zh"], Trust())
    assert [node.name for node in found.claims.nodes] == ["速度", "比率"]
    assert [edge.confidence for edge in found.claims.edges] == [0.85]
    assert [finding.details["name"] for finding in found.findings] == ["动量"]
