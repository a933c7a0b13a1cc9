"""Three annotators at once in a real browser: by keyboard alone, through kills and restarts, with a hostile book."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.decisions import read
from kg.stage import ROOT
from kg.store import jsonl
from review.agreement import ballots, table
from review.database import opened
from review.decisions import write
from review.people import People
from review.votes import Votes
from tests.review.conftest import PASSWORD, an_edge_task, many

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync"]
playwright_api = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

HOSTILE = (
    '<script>fetch("http://evil.example/")</script><img src="http://evil.example/x" onerror="document.title=\'owned\'">'
)
Page = Any
TASKS = int(os.environ.get("REVIEW_TASKS", "24"))
"""Tasks of the long test. 300 take three minutes on two cores."""


class Server:
    """`python -m review` as a process of its own, which can be killed and started again on the same port."""

    def __init__(self, out: Path) -> None:
        self.out, self.port = out, 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = [f"out={self.out}", f"decisions={self.out.parent}/d.jsonl", f"desk.port={self.port}"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "review", "subject=physics", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        lines = self.process.stdout.readline() + self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", lines)
        assert found, lines
        self.port = int(found[1])

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


@pytest.fixture
def browser() -> Iterator[Any]:
    with playwright_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def served(out: Path, tasks: list[Any]) -> Server:
    (out / "review").mkdir(parents=True)
    (out / "review" / "queue.jsonl").write_bytes(jsonl(tasks))
    server = Server(out)
    server.start()
    return server


def joined(server: Server, browser: Any, name: str, role: str = "annotator") -> Page:
    """Somebody who has joined, in a window of their own, by keyboard alone."""
    engine = opened(f"sqlite:///{server.out}/review/votes.sqlite")
    code = People(engine, 3600, 5).invite("lead" if role == "lead" else "annotator")
    page = browser.new_context().new_page()
    page.goto(f"{server.address}/join/{code}")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/task")
    return page


def press(page: Page, key: str) -> None:
    """One key, and the page that follows."""
    with page.expect_navigation(timeout=8000):
        page.keyboard.press(key)


def test_a_person_judges_takes_back_comments_and_corrects_by_keyboard_alone(browser: Any, tmp_path: Path) -> None:
    server = served(tmp_path / "out", many(4))
    try:
        page = joined(server, browser, "Ada")
        press(page, "k")
        press(page, "r")
        press(page, "u")
        assert "q1" in page.inner_text("main")
        page.keyboard.press("n")
        page.keyboard.type("kicks, removes and undoes nothing")
        page.keyboard.press("Escape")
        press(page, "k")
        page.keyboard.press("c")
        assert page.evaluate("document.activeElement.name") == "to_type"
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        press(page, "Control+Enter")
        assert "q3" in page.inner_text("main")
        page.keyboard.press("q")
        press(page, "r")
        assert page.inner_text("h1").startswith("Nothing is left")
        votes = Votes(opened(f"sqlite:///{server.out}/review/votes.sqlite"), "physics")
        said = [votes.votes(task.id)[0].said for task in many(4)]
        assert [one.verdict for one in said] == ["keep", "keep", "change", "remove"]
        assert said[1].comment == "kicks, removes and undoes nothing"
        assert said[2].change == {"source": "physics:concept:b2", "target": "physics:concept:a2"}
    finally:
        server.kill()


def test_three_annotators_at_once_one_killed_server_restarted_nothing_lost_or_doubled(tmp_path: Path) -> None:
    tasks = many(TASKS)
    server = served(tmp_path / "out", tasks)
    judged: Counter[str] = Counter()
    failures: list[str] = []

    def verdict(name: str, number: int) -> str:
        """Ada keeps all; Bo removes every fifth; Cy removes every fifth and every seventh."""
        return "r" if (name != "Ada" and number % 5 == 0) or (name == "Cy" and number % 7 == 0) else "k"

    def work(name: str, stop_after: int) -> None:
        with playwright_api.sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            try:
                page = joined(server, chromium, name) if not judged[name] else signed_in(server, chromium, name)
                while judged[name] < stop_after and not page.inner_text("h1").startswith("Nothing"):
                    shown = re.search(r"\bq(\d+)\b", page.inner_text("blockquote mark"))
                    assert shown, page.inner_text("main")
                    try:
                        press(page, verdict(name, int(shown[1])))
                        judged[name] += 1
                    except playwright_api.Error:
                        if not back(page, server):
                            raise
            except (AssertionError, playwright_api.Error) as error:
                failures.append(f"{name}: {error}")
            finally:
                chromium.close()

    threads = [
        threading.Thread(target=work, args=(name, TASKS // 5 if name == "Cy" else 10**6))
        for name in ("Ada", "Bo", "Cy")
    ]
    try:
        for thread in threads:
            thread.start()
        while sum(judged.values()) < TASKS // 3 and any(thread.is_alive() for thread in threads):
            time.sleep(0.05)
        server.kill()
        server.start()
        for thread in threads:
            thread.join(400)
        assert not failures and TASKS // 5 <= judged["Cy"] < TASKS
        work("Cy", 10**6)  # the third annotator's browser had ended; they come back and go on
        assert not failures
    finally:
        server.kill()
    check(server, tasks)


def back(page: Page, server: Server) -> bool:
    """True when the page is there again."""
    for _ in range(100):
        try:
            page.goto(f"{server.address}/task")
        except playwright_api.Error:
            time.sleep(0.2)
        else:
            return True
    return False


def signed_in(server: Server, browser: Any, name: str) -> Page:
    page = browser.new_context().new_page()
    page.goto(f"{server.address}/sign-in")
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/task")
    return page


def check(server: Server, tasks: list[Any]) -> None:
    """Every task has one vote of each, as they meant it; κ is the one of the table by hand; decisions are written."""
    engine = opened(f"sqlite:///{server.out}/review/votes.sqlite")
    votes = Votes(engine, "physics", 3)
    for number, task in enumerate(tasks):
        said = {vote.person: vote.said.verdict for vote in votes.votes(task.id)}
        fifth, seventh = number % 5 == 0, number % 7 == 0
        expected = {
            "Ada": "keep", "Bo": "remove" if fifth else "keep", "Cy": "remove" if fifth or seventh else "keep",
        }  # fmt: skip
        assert said == expected, number
    # Every fifth task is kept by one of three, every seventh that is no fifth by two, the others by all three.
    one = sum(number % 5 == 0 for number in range(TASKS))
    two = sum(number % 7 == 0 and number % 5 != 0 for number in range(TASKS))
    whole = TASKS - one - two
    observed = (one * 1 / 3 + two * 1 / 3 + whole) / TASKS
    keep = (one * 1 + two * 2 + whole * 3) / (3 * TASKS)
    chance = keep**2 + (1 - keep) ** 2
    (cell, _) = table(ballots(engine), 3)
    assert cell.tasks == TASKS and cell.kappa == pytest.approx((observed - chance) / (1 - chance))
    path = server.out.parent / "d.jsonl"
    assert write(votes, path) == whole == len(read(path)[0])


def test_a_hostile_book_runs_nothing_and_asks_nobody_outside(browser: Any, tmp_path: Path) -> None:
    server = served(tmp_path / "out", [an_edge_task(0, HOSTILE)])
    try:
        page = joined(server, browser, "Ada", "lead")
        asked: list[str] = []
        problems: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: problems.append(message.text))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.reload()
        assert "evil.example" in page.inner_text("main") and "owned" not in page.title()
        for path in ("/disagreements", "/agreement", "/people"):
            page.goto(f"{server.address}{path}")
        assert asked and all(url.startswith(server.address) for url in asked)
        assert problems == []
    finally:
        server.kill()
