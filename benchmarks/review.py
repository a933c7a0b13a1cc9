"""How long an annotator waits for the page, in a real browser.

    python benchmarks/review.py [TASKS]

Serves TASKS questions (default 10,000) and, for comparison, a queue of a few; in each one annotator judges by keyboard
in chromium, in turns, so that whatever else the machine does meets both. An action lasts from the key to the next
task's page, loaded. Needs the extra `browser` and chromium.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import sync_playwright

from kg.stage import ROOT
from kg.store import jsonl
from review.database import opened
from review.people import People
from review.task import Card, Line, Passage, Task, task_id

SLOWEST, SLOWER_AT_MOST, ACTIONS, WARM, FEW = 200.0, 2.0, 40, 5, 60
"""Milliseconds of an action; times those with a short queue; actions that are timed, and before that; a short queue."""
TEXT = "A body keeps its state of motion unless a force acts on it, and what acts on it is told here at some length. "


def main(count: int) -> int:
    """Prints the figures; returns 0 if they are within bounds."""
    with TemporaryDirectory() as place, ExitStack() as stack:
        chromium = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
        )
        stack.callback(chromium.close)
        pages = [_page(Path(place) / name, size, chromium, stack) for name, size in (("many", count), ("few", FEW))]
        waits: list[list[float]] = [[], []]
        for turn in range(WARM + ACTIONS):
            for page, found in zip(pages, waits, strict=True):
                wait = _action(page, "k" if turn % 4 else "r")
                found += [wait] if turn >= WARM else []
    many, few = (statistics.median(found) for found in waits)
    worst = statistics.quantiles(waits[0], n=20)[-1]
    print(
        f"{count:,} questions: {many:.0f} ms an action (95 % within {worst:.0f}; allowed {SLOWEST:.0f}), "
        f"{FEW} questions: {few:.0f} ms: {many / few:.2f} times (allowed {SLOWER_AT_MOST:.0f})"
    )
    return 0 if many <= SLOWEST and many / few <= SLOWER_AT_MOST else 1


def _page(out: Path, count: int, chromium: Any, stack: ExitStack) -> Any:
    """A page of its own with that many questions, at the first of them."""
    (out / "review").mkdir(parents=True)
    (out / "review" / "queue.jsonl").write_bytes(jsonl(_task(at) for at in range(count)))
    words = ["subject=physics", f"out={out}", f"decisions={out}/d.jsonl", "desk.port=0"]
    command = [sys.executable, "-m", "review", *words]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    stack.callback(server.wait)
    stack.callback(server.terminate)
    assert server.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline() + server.stdout.readline())
    assert address, "the page did not start"
    code = People(opened(f"sqlite:///{out}/review/votes.sqlite"), 3600, 5).invite("annotator")
    page = chromium.new_context().new_page()
    page.goto(f"{address[0]}/join/{code}")
    page.fill("[name=name]", "Ada")
    page.fill("[name=password]", "correct horse")
    page.keyboard.press("Enter")
    page.wait_for_url("**/task")
    return page


def _action(page: Any, key: str) -> float:
    """Milliseconds from the key to the next page, loaded."""
    began = time.perf_counter()
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press(key)
    return (time.perf_counter() - began) * 1000


def _task(number: int) -> Task:
    """A question of the size of those on the public books: about 6,000 characters."""
    about = ("prerequisites_for", f"physics:concept:a{number}", f"physics:concept:b{number}")
    passage = Passage(book="physics-8", section="1.1 Motion", page=4, before=TEXT * 3, quote=TEXT, after=TEXT * 3)
    lines = tuple(Line(source=f"a{number}", type=about[0], target=f"c{at}", quote=TEXT) for at in range(12))
    fields = (("definition", TEXT), ("importance", "master"))
    cards = tuple(
        Card(id=end, type="Concept", name=end[16:], fields=fields, passages=(passage,), lines=lines)
        for end in about[1:]
    )
    return Task(
        id=task_id("edge", about),
        kind="edge",
        about=about,
        check="doubtful",
        type=about[0],
        content=f"“a{number}” {about[0]} “b{number}”",
        reasons=("Little speaks for it.",),
        cards=cards,
        passages=(passage,),
        change={"type": about[0], "source": about[1], "target": about[2]},
        verdicts=("keep", "change", "remove"),
    )


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 10_000))
