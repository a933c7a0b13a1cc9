"""The page in a real browser: it opens, searches, walks, draws, stays inert. Skipped where there is no Chromium."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from kg.project import Project
from tests.emit.conftest import page_files
from tests.emit.test_explorer import with_products

BINARY = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
KEYS = {"Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "/": 191}

pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium is installed")


class Browser:
    """Chromium spoken to over its debugging pipe (file descriptors 3 and 4): JSON messages that end in a zero byte."""

    def __init__(self, home: Path) -> None:
        ours_in, self.out = os.pipe()
        self.inn, ours_out = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (ours_in, ours_out)]

        def wire() -> None:
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        command = [str(BINARY), *FLAGS, f"--user-data-dir={home}", "about:blank"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, preexec_fn=wire, close_fds=False, stdout=quiet, stderr=quiet)
        for end in (ours_in, ours_out, *ends):
            os.close(end)
        self.sent, self.rest, self.session = 0, b"", ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self.sent += 1
        session = {"sessionId": self.session} if self.session else {}
        message = {"id": self.sent, "method": method, "params": params, **session}
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.sent:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def read(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            piece = os.read(self.inn, 1 << 16)
            assert piece, "the browser is gone"
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message

    def open(self, url: str) -> None:
        for address in ("about:blank", url):
            self.events = []
            self.call("Page.navigate", url=address)
            while not any(event["method"] == "Page.loadEventFired" for event in self.events):
                self.events.append(self.read())

    def js(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, *keys: str) -> None:
        for key in keys:
            text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
            code = KEYS.get(key, ord(key[0].upper()))
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.js("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")

    def size(self, width: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def complaints(self) -> list[Any]:
        return [e["params"] for e in self.events if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]

    def requests(self) -> set[str]:
        sent = (e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent")
        return {url.partition("#")[0] for url in sent}

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.inn)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    browser = Browser(tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture
def address(subject: Project) -> str:
    page_files(subject)
    return subject.store.path("index.html").as_uri()


def card(address: str, node: str) -> str:
    return f"{address}#id={quote(node, safe='')}"


TITLE = "document.getElementById('title').textContent"
FOCUS = "document.activeElement.textContent"


@pytest.mark.parametrize("width", [1300, 380])
@pytest.mark.parametrize(
    "view",
    [
        "",
        "#view=chapters",
        "#view=findings",
        "#view=samples",
        "#view=downloads",
        "#view=map",
        "#view=teaching",
        "#view=list&type=Concept",
        "#view=path&to=physics%3Aconcept%3Apitch",
        "#id=gone",
    ],
)
def test_every_view_opens_without_complaint_request_or_sideways_scrolling(
    browser: Browser, address: str, view: str, width: int
) -> None:
    browser.size(width)
    browser.open(address + view)
    assert browser.js(TITLE)
    assert browser.complaints() == []
    assert browser.requests() == {address}
    assert browser.js("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1300, 380])
def test_every_card_opens_at_its_own_address(browser: Browser, address: str, subject: Project, width: int) -> None:
    browser.size(width)
    ids = [json.loads(line)["id"] for line in subject.store.read_text("merge/nodes.jsonl").split("\n") if line]
    browser.open(address)
    for node in ids[:60:3]:
        browser.js(f"location.hash = {json.dumps('id=' + quote(node, safe=''))}")
        browser.js("new Promise((done) => setTimeout(done, 0))")
        assert browser.js("document.querySelector('.permalink code, article code').textContent") == node
    assert browser.complaints() == []


def test_a_card_shows_meaning_evidence_and_neighbours(browser: Browser, address: str) -> None:
    browser.size(1300)
    browser.open(card(address, "physics:concept:velocity"))
    text = browser.js("document.querySelector('main').innerText")
    for wanted in ("velocity vector", "v = Δd / Δt", "Velocity is speed in a stated direction.", "page 5", "to master"):
        assert wanted in text
    groups = browser.js("[...document.querySelectorAll('.group h2')].map((h) => h.textContent)")
    assert groups == ["Learn first 2", "Leads to 1", "Is a kind of 1", "Tested by 1", "Taught in 1"]
    drawn = browser.js("[...document.querySelectorAll('.picture .box title')].map((t) => t.textContent)")
    assert sorted(drawn) == ["acceleration", "displacement", "speed", "vector", "velocity"]


def test_the_evidence_of_a_neighbour_is_shown_on_demand(browser: Browser, address: str) -> None:
    browser.open(card(address, "physics:concept:velocity"))
    before = browser.js("document.querySelectorAll('.neighbours blockquote').length")
    browser.js("document.querySelector('.neighbours button').click()")
    assert before == 0
    assert browser.js("document.querySelectorAll('.neighbours blockquote').length") == 1
    assert browser.js("document.querySelector('.neighbours button').getAttribute('aria-expanded')") == "true"


def test_search_works_from_the_keyboard(browser: Browser, address: str) -> None:
    browser.size(1300)
    browser.open(address)
    browser.press("/", *"focal")
    assert browser.js("document.getElementById('search').getAttribute('aria-expanded')") == "true"
    browser.press("Enter")
    assert browser.js(TITLE) == "focal length" == browser.js(FOCUS)
    browser.press("/", *"velocity v")
    assert browser.js("document.querySelector('#hits li').textContent").startswith("velocity")
    browser.press("Escape", "Escape")
    assert browser.js("document.activeElement.tagName") == "BODY"


def test_the_best_hit_comes_first_and_arrows_walk_through_the_others(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.press("/", *"wave")
    hits = browser.js("[...document.querySelectorAll('#hits .hit-name')].map((hit) => hit.textContent)")
    assert hits[0] == "wave" and {"wavelength", "transverse wave"} <= set(hits)
    browser.press("ArrowDown", "Enter")
    assert browser.js(TITLE) == hits[1]


def test_the_tree_is_walked_with_arrow_keys(browser: Browser, address: str) -> None:
    browser.size(1300)
    browser.open(address)
    browser.js("document.querySelector('.tree a').focus()")
    browser.press("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown")
    assert browser.js(FOCUS) == "position"
    browser.press("Enter")
    assert browser.js(TITLE) == "position"
    assert browser.js("document.querySelector('.tree [aria-current]').textContent") == "position"
    browser.press("Escape")
    assert browser.js("document.activeElement.closest('.tree') !== null")


def test_what_a_hostile_book_says_is_shown_letter_by_letter(browser: Browser, address: str, subject: Project) -> None:
    hostile = next(line for line in subject.store.read_text("merge/nodes.jsonl").split("\n") if "onerror" in line)
    browser.open(card(address, json.loads(hostile)["id"]))
    assert browser.js(TITLE) == json.loads(hostile)["name"]
    assert "<img src=x onerror=alert(1)> {{data}}" in browser.js("document.querySelector('main').innerText")
    assert browser.js("document.querySelectorAll('main b, main img').length") == 0
    assert browser.requests() == {address} and browser.complaints() == []


def test_an_injected_script_would_not_run(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.js("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.bad = 1'}))")
    assert browser.js("window.bad === undefined")


def test_chapters_are_drawn_from_top_to_bottom_and_said_in_words(browser: Browser, address: str) -> None:
    browser.size(1300)
    browser.open(address + "#view=chapters")
    heights = browser.js(
        "Object.fromEntries([...document.querySelectorAll('.map .box')].map((box) => "
        "[box.querySelector('title').textContent, +box.querySelector('rect').getAttribute('y')]))"
    )
    assert heights["1. Motion"] < heights["2. Forces"] < heights["3. Energy"] < heights["1. Waves"]
    browser.js("document.querySelectorAll('.words button').forEach((button) => button.click())")
    assert "force → work" in browser.js("document.querySelector('.words').innerText")


def test_on_a_narrow_screen_chapters_stand_in_one_column(browser: Browser, address: str) -> None:
    browser.size(380)
    browser.open(address + "#view=chapters")
    lefts = browser.js("[...document.querySelectorAll('.map rect')].map((rect) => rect.getAttribute('x'))")
    assert len(lefts) == 4 and len(set(lefts)) == 1
    assert browser.js("document.querySelector('.scroller').scrollWidth <= innerWidth")


def test_findings_are_grouped_and_filtered(browser: Browser, address: str) -> None:
    browser.open(address + "#view=findings")
    assert "Circular prerequisites 1" in browser.js("document.querySelector('main').innerText")
    browser.open(address + "#view=findings&action=review")
    assert browser.js("[...document.querySelectorAll('.message')].map((m) => m.textContent)") == [
        "“power” may mean two things."
    ]


def test_every_control_has_a_name_and_every_picture_a_text(browser: Browser, address: str) -> None:
    for view in ("", "#view=chapters", "#id=physics%3Aconcept%3Avelocity"):
        browser.open(address + view)
        unnamed = browser.js(
            "[...document.querySelectorAll('a[href], button, input, [role=img], nav')].filter((one) => "
            "!(one.textContent.trim() || one.getAttribute('aria-label'))).map((one) => one.outerHTML)"
        )
        assert unnamed == []
        assert browser.js("document.querySelectorAll('h1').length") == 1


def test_a_study_path_holds_all_prerequisites_each_after_what_it_needs(browser: Browser, address: str) -> None:
    browser.open(card(address, "physics:concept:velocity"))
    assert browser.js("document.querySelector('a.to-path').getAttribute('href')").startswith("#view=path&to=")
    browser.js("location.hash = document.querySelector('a.to-path').getAttribute('href')")
    browser.js("new Promise((done) => setTimeout(done, 50))")
    steps = browser.js("[...document.querySelectorAll('.path > li > div > a')].map((link) => link.textContent)")
    assert steps[-1] == "velocity" and {"speed", "displacement"} <= set(steps) and len(set(steps)) == len(steps)
    assert "page 5" in browser.js("document.querySelector('.path').innerText")


def test_the_map_paints_everything_that_stands_in_a_section(browser: Browser, address: str) -> None:
    browser.open(address + "#view=map")
    browser.js("new Promise((done) => setTimeout(done, 100))")
    painted = int(browser.js("document.querySelector('canvas.map').dataset.painted"))
    assert painted > 5
    ink = "document.querySelector('canvas.map').getContext('2d').getImageData(0, {}, 500, {}).data.some((v) => v > 0)"
    assert browser.js(ink.format(20, 120)) and browser.js(ink.format(190, 60))


def test_pointing_at_a_square_of_the_map_names_it_and_shows_what_it_is_joined_to(
    browser: Browser, address: str
) -> None:
    browser.open(address + "#view=map")
    browser.js("new Promise((done) => setTimeout(done, 100))")
    browser.js(
        "(() => { const over = document.querySelector('.over'), frame = over.getBoundingClientRect();"
        "over.dispatchEvent(new MouseEvent('mousemove', { clientX: frame.left + 12, clientY: frame.top + 196 })); })()"
    )
    assert browser.js("document.getElementById('pointed').textContent").startswith("position – 1.1")
    drawn = "document.querySelector('.over').getContext('2d').getImageData(0, 20, 500, 120).data.some((v) => v > 0)"
    assert browser.js(drawn)


def test_what_teachers_can_act_on_is_listed_with_reasons(browser: Browser, address: str) -> None:
    browser.open(address + "#view=teaching")
    groups = browser.js("[...document.querySelectorAll('[data-group]')].map((group) => group.dataset.group)")
    assert groups == ["too_early", "never_asked", "asking_nothing"]
    asked = browser.js("document.querySelector('[data-group=never_asked]').innerText")
    assert asked.splitlines()[0].split()[-1] != "0"


def test_the_chain_is_drawn_in_layers_and_walked_with_arrow_keys(browser: Browser, address: str) -> None:
    browser.size(1300)
    browser.open(address + "#view=path&to=" + quote("physics:concept:velocity", safe=""))
    boxes = browser.js(
        "Object.fromEntries([...document.querySelectorAll('.map .box')].map((box) => "
        "[box.querySelector('title').textContent, +box.querySelector('rect').getAttribute('y')]))"
    )
    listed = browser.js("[...document.querySelectorAll('.path > li > div > a')].map((link) => link.textContent)")
    assert set(boxes) == set(listed)
    assert boxes["position"] < boxes["distance"] < boxes["speed"] < boxes["velocity"]
    assert browser.js("document.querySelectorAll('.map .box[tabindex=\"0\"]').length") == 1
    browser.js("document.querySelector('.map .box[tabindex=\"0\"]').focus()")
    browser.press("ArrowUp")
    assert browser.js("document.activeElement.querySelector('title').textContent") in ("speed", "displacement")
    browser.press("ArrowDown", "ArrowUp", "Enter")
    assert browser.js(TITLE) in ("speed", "displacement")


def test_a_link_that_a_chain_already_says_is_not_drawn(browser: Browser, address: str) -> None:
    browser.open(address + "#view=path&to=" + quote("physics:concept:wave", safe=""))
    drawn = browser.js("[...document.querySelectorAll('.map path title')].map((title) => title.textContent)")
    assert "distance → work" in drawn and "energy → wave" in drawn
    assert len(drawn) == len(set(drawn))


def test_samples_hide_their_answers_until_asked(browser: Browser, subject: Project) -> None:
    page_files(with_products(subject))
    browser.open(subject.store.path("index.html").as_uri() + "#view=samples")
    browser.js("document.querySelector('[data-sample=prereq_1]').open = true")
    browser.js("new Promise((done) => setTimeout(done, 50))")
    assert browser.js("document.querySelectorAll('.samples > li').length") == 5
    assert browser.js("document.querySelectorAll('.right').length") == 0
    browser.js("document.querySelector('.samples button').click()")
    assert browser.js("document.querySelector('.right').textContent") == "✓ A. speed"
    assert browser.js("document.querySelectorAll('main img').length") == 0 and browser.complaints() == []


def test_quality_shows_evidence_measures_agreement_and_findings(browser: Browser, subject: Project) -> None:
    page_files(with_products(subject))
    browser.open(subject.store.path("index.html").as_uri() + "#view=findings")
    tables = browser.js("[...document.querySelectorAll('table')].map((table) => table.innerText)")
    assert len(tables) == 4
    for table, wanted in zip(tables, ("concepts", "50%", "0.25", "Circular prerequisites"), strict=True):
        assert wanted in table


def test_every_download_is_a_relative_link(browser: Browser, address: str) -> None:
    browser.open(address + "#view=downloads")
    links = browser.js("[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))")
    assert "graph/nodes.json" in links and not [link for link in links if ":" in link or link.startswith("/")]


def test_an_address_that_leads_nowhere_offers_what_is_called_alike(browser: Browser, address: str) -> None:
    browser.open(card(address, "physics:concept:focal-len"))
    assert browser.js("document.querySelector('main li a').textContent") == "focal length"


def test_the_contents_are_never_covered_by_the_header(browser: Browser, address: str) -> None:
    for width in (1300, 900):
        browser.size(width)
        browser.open(address + "#view=findings")
        browser.js("new Promise((done) => { scrollTo(0, 400); setTimeout(done, 100); })")
        assert browser.js("scrollY") > 0
        edges = "['side', 'top'].map((name) => document.getElementById(name).getBoundingClientRect())"
        assert browser.js(f"(([side, head]) => side.top >= head.bottom - 1)({edges})")
