"""A subject with a queue, people who judge it, and the page served for real on the loopback interface."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
import uvicorn
from argon2 import PasswordHasher
from sqlalchemy import Engine

from kg.graph import Edge, Finding, Node, Provenance
from kg.language import Language
from kg.schema import GraphSchema
from review.database import opened
from review.people import People
from review.task import Card, Passage, Task, task_id
from review.texts import texts_of
from review.votes import Votes
from review.web import Site, application

PASSWORD = "correct horse"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2 with the least work: tests sign in often."""


def quote(text: str, start: int = 0, section: str = "physics:section:physics-8:1.1") -> Provenance:
    return Provenance(
        book="physics-8", section=section, page=3, quote=text, start=start, end=start + len(text), match="exact"
    )


def concept(schema: GraphSchema, name: str, definition: str, **more: object) -> Node:
    label = schema.node_type("term")
    return Node(
        id=f"physics:{label.lower()}:{name.replace(' ', '-')}",
        label=label,
        name=name,
        properties={"definition": definition, "importance": "master", **more},
        provenance=(quote(f"{name} is {definition}"),),
    )


def needs(schema: GraphSchema, source: Node, target: Node, confidence: float = 0.8) -> Edge:
    return Edge(
        type=schema.edge_type("prerequisite"),
        source=source.id,
        target=target.id,
        properties={"confidence": confidence},
        provenance=(quote(f"{target.name} is explained by {source.name}"),),
    )


def edge_finding(check: str, edge: Edge, action: str = "set_aside", **details: object) -> Finding:
    return Finding.model_validate(
        {"check": check, "action": action, "message": f"{check}!", "edge": edge.key(), "details": details}
    )


def an_edge_task(number: int, words: str = "", verdicts: tuple[str, ...] = ("keep", "change", "remove")) -> Task:
    about = ("prerequisites_for", f"physics:concept:a{number}", f"physics:concept:b{number}")
    cards = tuple(Card(id=end, type="Concept", name=f"{end[-2:]} {words}") for end in about[1:])
    passage = Passage(
        book="physics-8", section="1.1 Motion", page=4, before="…so ", quote=f"q{number} {words}", after="…"
    )
    return Task.model_validate(
        {
            "id": task_id("edge", about),
            "kind": "edge",
            "about": about,
            "check": "doubtful",
            "type": "prerequisites_for",
            "content": f"“a{number}” prerequisites_for “b{number}” {words}",
            "reasons": (f"doubtful {words}",),
            "cards": cards,
            "passages": (passage,),
            "change": {"type": about[0], "source": about[1], "target": about[2]},
            "verdicts": verdicts,
        }
    )


def many(count: int) -> list[Task]:
    return [an_edge_task(number) for number in range(count)]


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a PostgreSQL server of our own, reached by a socket; skips where there is none."""
    bin_folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin")), Path(shutil.which("initdb") or "").parent]
    programs = next((folder for folder in reversed(bin_folders) if (folder / "initdb").is_file()), None)
    pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    if programs is None:
        pytest.skip("PostgreSQL is not installed (initdb not found)")
    folder = tmp_path_factory.mktemp("pg")
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        if shutil.which("runuser") is None or subprocess.run(["id", "postgres"], capture_output=True).returncode:
            pytest.skip("PostgreSQL does not run as root and there is no user postgres")
        folder = Path("/tmp") / f"pg-{os.getpid()}"
        folder.mkdir(mode=0o777)
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    data, control = str(folder / "data"), str(programs / "pg_ctl")
    subprocess.run(
        [*as_user, str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "me"], check=True, capture_output=True
    )
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    start = [*as_user, control, "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start"]
    subprocess.run(start, check=True, stdout=subprocess.DEVNULL)
    try:
        yield f"postgresql+psycopg://me@/postgres?host={folder}"
    finally:
        subprocess.run([*as_user, control, "-D", data, "-m", "immediate", "stop"], check=True, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A fresh database of each kind."""
    if request.param == "sqlite":
        yield opened(f"sqlite:///{tmp_path}/votes.sqlite")
        return
    from sqlalchemy import MetaData

    from review.database import metadata

    url = request.getfixturevalue("postgres")
    fresh = opened(url)
    metadata.drop_all(fresh)
    assert isinstance(metadata, MetaData)
    metadata.create_all(fresh)
    yield fresh
    fresh.dispose()


@pytest.fixture
def sqlite(tmp_path: Path) -> Engine:
    return opened(f"sqlite:///{tmp_path}/votes.sqlite")


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str


@dataclass
class Client:
    """A browser without a window: keeps its cookie, sends the origin with its forms, follows nothing by itself."""

    port: int
    cookie: str = ""
    csrf: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(self, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Cookie": self.cookie} if self.cookie else {}
        if method == "POST":
            sent |= {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
        sent |= dict(headers or {})
        connection.request(method, path, body.encode(), {name: value for name, value in sent.items() if value})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        found = {name.lower(): value for name, value in answer.getheaders()}
        if cookie := found.get("set-cookie"):
            self.cookie = cookie.split(";")[0]
        if hit := re.search(r'name="csrf" value="([^"]+)"', text):
            self.csrf = hit[1]
        connection.close()
        return Answer(answer.status, found, text)

    def get(self, path: str) -> Answer:
        answer = self.request("GET", path)
        return self.get(answer.headers["location"]) if answer.status == 303 else answer

    def post(self, path: str, **form: str) -> Answer:
        return self.request("POST", path, urlencode({"csrf": self.csrf, **form}))

    def join(self, code: str, name: str) -> None:
        assert self.post(f"/join/{code}", name=name, password=PASSWORD).status == 303
        self.get("/people")  # for the token; a look at /task would take a task

    def judge(self, page: Answer, verdict: str, **more: str) -> Answer:
        action = re.search(r'class="answer" method="post" action="([^"]+)"', page.text)
        content = re.search(r'name="content" value="([^"]+)"', page.text)
        assert action and content, page.text
        return self.post(action[1], content=content[1], verdict=verdict, **more)


@dataclass
class Served:
    site: Site
    port: int

    def client(self, name: str, role: str = "annotator") -> Client:
        client = Client(self.port)
        client.join(self.site.people.invite("lead" if role == "lead" else "annotator"), name)
        return client


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path, schema: GraphSchema, languages: Mapping[str, Language]) -> Iterator[Serve]:
    """Starts the page with these tasks, in this process, on a port of its own."""
    with contextlib.ExitStack() as stack:

        def start(tasks: list[Task], judges: int = 3, database: str = "", language: str = "en") -> Served:
            engine = opened(database or f"sqlite:///{tmp_path}/served-{time.monotonic_ns()}.sqlite")
            votes = Votes(engine, "physics", judges)
            votes.load(tasks)
            people = People(engine, 3600, 5, hasher=QUICK)
            listening = socket.create_server(("127.0.0.1", 0), backlog=64)
            port = listening.getsockname()[1]
            site = Site(
                title="Physics",
                people=people,
                votes=votes,
                schema=schema,
                texts=texts_of(languages, language),
                decisions=tmp_path / "physics.decisions.jsonl",
                origins=(f"http://127.0.0.1:{port}",),
                secure=False,
            )
            server = uvicorn.Server(uvicorn.Config(application(site), log_level="warning"))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
            thread.start()

            def stop() -> None:
                server.should_exit = True
                thread.join(10)

            stack.callback(stop)
            while not server.started:
                time.sleep(0.01)
            return Served(site, port)

        yield start
