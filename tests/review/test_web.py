"""The page, served for real: who may do what, what forged and hostile input does, and how fast it stays."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
import yaml

from kg.decisions import read
from kg.language import Language
from kg.stage import ROOT
from review.guard import LARGEST
from review.task import Task
from tests.review.conftest import PASSWORD, Answer, Client, Serve, an_edge_task, many

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg/onload=alert(3)>{{7*7}}"
    '</textarea><a href="javascript:x">'
)


def test_who_has_not_signed_in_sees_nothing_but_the_door(serve: Serve) -> None:
    client = Client(serve(many(1)).port)
    for path in ("/", "/task", "/disagreements", "/agreement", "/people"):
        answer = client.get(path)
        assert 'type="password"' in answer.text and "q0" not in answer.text, path
    for path in ("/undo", "/decisions", "/people", "/sign-out", "/task/x", "/disagreements/x"):
        assert client.post(path).headers["location"] == "/sign-in", path


def test_wrong_passwords_open_nothing_and_too_many_lock_the_name(serve: Serve) -> None:
    served = serve(many(1))
    served.client("Ada")
    stranger = Client(served.port)
    for _ in range(5):
        answer = stranger.post("/sign-in", name="Ada", password="wrong password")
        assert answer.status == 403 and "wrong" in answer.text and "set-cookie" not in answer.headers
    locked = stranger.post("/sign-in", name="Ada", password=PASSWORD)
    assert locked.status == 403 and "Too many" in locked.text and "set-cookie" not in locked.headers


def test_a_session_cookie_is_kept_from_scripts_and_ends_with_signing_out(serve: Serve) -> None:
    served = serve(many(1))
    code = served.site.people.invite("annotator")
    client = Client(served.port)
    cookie = client.post(f"/join/{code}", name="Ada", password=PASSWORD).headers["set-cookie"]
    assert "HttpOnly" in cookie and "samesite=lax" in cookie.lower()
    client.get("/task")
    kept = client.cookie
    assert client.post("/sign-out").headers["location"] == "/sign-in"
    assert 'type="password"' in Client(served.port, kept).get("/task").text


def test_a_judgement_is_stored_and_the_next_task_follows(serve: Serve) -> None:
    served = serve(many(2))
    ada = served.client("Ada")
    page = ada.get("/task")
    assert "q0" in page.text
    assert ada.judge(page, "keep", comment="fine").headers["location"] == "/task"
    assert "q1" in ada.get("/task").text
    (vote,) = served.site.votes.votes(many(1)[0].id)
    assert (vote.person, vote.said.verdict, vote.said.comment) == ("Ada", "keep", "fine")
    assert ada.post("/undo").headers["location"] == f"/task/{many(1)[0].id}"
    assert served.site.votes.votes(many(1)[0].id) == []


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"csrf": ""}, 403),
        ({"csrf": "0" * 43}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Content-Length": str(LARGEST + 1)}, 413),
        ({"Content-Length": "-1"}, 400),
    ],
)
def test_forged_requests_are_refused_and_change_nothing(serve: Serve, how: Mapping[str, str], status: int) -> None:
    served = serve(many(1))
    ada = served.client("Ada")
    content = re.search(r'name="content" value="([^"]+)"', ada.get("/task").text)
    assert content
    csrf = how.get("csrf", ada.csrf)
    headers = {name: value for name, value in how.items() if name != "csrf"}
    path = f"/task/{many(1)[0].id}"
    answer = ada.request("POST", path, f"csrf={csrf}&content={content[1]}&verdict=keep", headers)
    assert answer.status == status
    assert served.site.votes.votes(many(1)[0].id) == []


def test_the_token_of_one_session_does_not_serve_another(serve: Serve) -> None:
    served = serve(many(1))
    ada, eve = served.client("Ada"), served.client("Eve")
    page = ada.get("/task")
    ada.csrf = eve.csrf
    assert ada.judge(page, "keep").status == 403


def test_annotators_do_not_reach_what_is_for_leads_nor_tasks_of_others(serve: Serve) -> None:
    served = serve(many(2), judges=1)
    ada, bo = served.client("Ada"), served.client("Bo")
    mine = ada.get("/task")
    bo.get("/task")
    for path in ("/disagreements", "/disagreements/x", "/agreement", "/people"):
        assert ada.get(path).status == 403
    for path in ("/people", "/decisions", "/disagreements/x"):
        assert ada.post(path, role="lead").status == 403
    key = many(1)[0].id
    assert bo.get(f"/task/{key}").status == 403
    content = re.search(r'name="content" value="([^"]+)"', mine.text)
    assert content and bo.post(f"/task/{key}", content=content[1], verdict="keep").status == 403
    assert served.site.votes.votes(key) == []


def test_nobody_sees_the_votes_of_others_before_all_have_judged(serve: Serve) -> None:
    served = serve(many(1), judges=3)
    ada, bo, lead = served.client("Ada"), served.client("Bo"), served.client("Lea", "lead")
    ada.judge(ada.get("/task"), "remove", comment="zebra")
    key = many(1)[0].id
    bo_page = bo.get("/task").text
    assert "zebra" not in bo_page and "Ada" not in bo_page
    assert lead.get(f"/disagreements/{key}").status == 404
    assert "zebra" not in lead.get("/disagreements").text
    bo.judge(bo.get("/task"), "keep")
    lead.judge(lead.get("/task"), "keep")
    settled = lead.get(f"/disagreements/{key}")
    assert "zebra" in settled.text and "Ada" in settled.text
    assert key in lead.get("/disagreements").text
    assert lead.judge(settled, "remove", comment="not said").headers["location"] == "/disagreements"
    assert key not in lead.get("/disagreements").text


def test_a_lead_invites_looks_at_the_agreement_and_writes_the_decisions(serve: Serve) -> None:
    served = serve(many(2), judges=1)
    lead = served.client("Lea", "lead")
    lead.get("/people")
    link = re.search(r"<code>http://[^/]+(/join/[^<]+)</code>", lead.post("/people", role="annotator").text)
    assert link
    ada = Client(served.port)
    ada.join(link[1].removeprefix("/join/"), "Ada")
    ada.judge(ada.get("/task"), "keep")
    ada.judge(ada.get("/task"), "remove")
    page = lead.get("/agreement")
    assert "comes before" in page.text
    assert "2 decisions added" in lead.post("/decisions").text
    assert [row.verdict for row in read(served.site.decisions)[0]] == ["keep", "remove"]


def test_decisions_that_cannot_be_written_are_said_so(serve: Serve) -> None:
    served = serve(many(1), judges=1)
    lead = served.client("Lea", "lead")
    lead.judge(lead.get("/task"), "keep")
    served.site.decisions.mkdir()
    answer = lead.post("/decisions")
    assert answer.status == 500 and "Nothing was written" in answer.text


@pytest.mark.parametrize(
    "path", ["/static/../web.py", "/static/%2e%2e/web.py", "/static//etc/passwd", "/../../etc/passwd"]
)
def test_no_path_of_a_request_reaches_the_file_system(serve: Serve, path: str) -> None:
    assert Client(serve(many(1)).port).request("GET", path).status == 404


def test_a_hostile_book_is_text_on_every_page(serve: Serve) -> None:
    card = (
        an_edge_task(0, HOSTILE).cards[0].model_copy(update={"fields": (("definition", HOSTILE), (HOSTILE, HOSTILE))})
    )
    relation = an_edge_task(0, HOSTILE).model_copy(update={"cards": (card, card), "earlier": HOSTILE})
    node = Task(
        id="node", kind="node", about=("n",), check=HOSTILE, type="Concept", content=HOSTILE, reasons=(HOSTILE,),
        cards=(card,), change={"name": HOSTILE, "definition": HOSTILE}, verdicts=("keep", "change"),
    )  # fmt: skip
    served = serve([relation, node], judges=2)
    ada, lead = served.client("Ada"), served.client("Lea", "lead")
    shown = []
    for person, verdict in ((ada, "keep"), (lead, "remove")):
        page = person.get("/task")
        shown.append(page)
        person.judge(page, verdict, comment=HOSTILE)
        shown.append(person.get("/task"))
    shown += [lead.get("/disagreements"), lead.get(f"/disagreements/{relation.id}")]
    for page in shown:
        assert page.status == 200 and unescape(page.text).count("alert(1)") > 0
        tags = set(re.findall(r"<(\w+)", page.text))
        assert not tags & {"img", "svg", "iframe"} and page.text.count("<script") == 1
        assert "javascript:" not in "".join(re.findall(r'<[^>]*href="([^"]*)"', page.text))
        assert not re.search(r"<[^>]*\sonerror", re.sub('"[^"]*"', '""', page.text)) and ">49<" not in page.text


def test_every_answer_forbids_foreign_scripts_frames_and_caches(serve: Serve) -> None:
    served = serve(many(1))
    ada = served.client("Ada")
    bad = ada.request("GET", "/", headers={"Host": "evil.example"})
    for answer in (ada.get("/task"), ada.request("GET", "/static/review.js"), ada.get("/nowhere"), bad):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"


def test_pages_scripts_and_styles_name_no_address_outside() -> None:
    for path in sorted((ROOT / "review").rglob("*.*")):
        if path.suffix in {".html", ".js", ".css"}:
            assert not re.search(r"https?://|//[a-z]+\.|@import|url\(", path.read_text(encoding="utf-8")), path


def test_what_was_settled_or_changed_meanwhile_is_said_and_not_stored(serve: Serve) -> None:
    served = serve(many(1), judges=1)
    ada = served.client("Ada")
    page = ada.get("/task")
    served.site.votes.load([an_edge_task(0, "in other words")])
    refused = ada.judge(page, "keep")
    assert refused.status in (403, 409) and served.site.votes.votes(many(1)[0].id) == []
    served.site.votes.load([])
    assert ada.judge(page, "keep").status == 409


def test_a_correction_that_fits_no_schema_comes_back_with_its_reason(serve: Serve) -> None:
    served = serve(many(1))
    ada = served.client("Ada")
    answer = ada.judge(ada.get("/task"), "change", to_type="appears_in")
    assert answer.status == 409 and "appears_in" in answer.text and 'role="alert"' in answer.text


def test_eight_people_at_once_lose_and_double_nothing(serve: Serve) -> None:
    served = serve(many(25), judges=8)
    clients = [served.client(f"P{number}") for number in range(8)]

    def work(client: Client) -> int:
        done = 0
        while 'class="answer"' in (page := client.get("/task")).text:
            client.judge(page, "keep")
            client.judge(page, "keep")  # a double click
            done += 1
        return done

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, clients)) == [25] * 8
    assert all(len(served.site.votes.votes(task.id)) == 8 for task in many(25))


def test_a_long_queue_is_hardly_slower_than_a_short_one(serve: Serve) -> None:
    short, long = serve(many(60), judges=3), serve(many(10_000), judges=3)
    clients = {served.port: served.client("Ada") for served in (short, long)}
    took: dict[int, list[float]] = {short.port: [], long.port: []}
    for _ in range(25):  # in turn, so that a busy machine slows both
        for port, client in clients.items():
            page = client.get("/task")
            began = time.perf_counter()
            client.judge(page, "keep")
            page = client.get("/task")
            took[port].append(time.perf_counter() - began)
            assert isinstance(page, Answer)
    assert statistics.median(took[long.port]) <= 2 * statistics.median(took[short.port]), took


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_speaks_the_language_and_lacks_no_word(
    serve: Serve, language: str, languages: Mapping[str, Language]
) -> None:
    served = serve(many(1), judges=1, language=language)
    assert f'lang="{language}"' in Client(served.port).get("/sign-in").text
    lead = served.client("Lea", "lead")
    for path in ("/task", "/disagreements", "/agreement", "/people"):
        assert lead.get(path).status == 200
    assert served.site.texts.ui["undo"] in lead.get("/task").text


def test_all_languages_have_the_same_words() -> None:
    packs = {
        path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))["parts"]["review"]
        for path in (ROOT / "conf" / "language").glob("*.yaml")
    }
    apart = {"messages", "glosses"}  # where these are missing, the check or the schema itself says it
    keys = {code: {(part, key) for part in {*pack} - apart for key in pack[part]} for code, pack in packs.items()}
    assert len(packs) >= 2 and all(found == keys["en"] for found in keys.values())
