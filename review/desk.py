"""What `python -m review` does: serves the page, invites, writes decisions, prints the agreement, exchanges files.

In: a project whose run has left `review/queue.jsonl`, and settings. Out: an exit code.
"""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rich.console
import uvicorn
from rich.markup import escape
from rich.table import Table

from kg.console import Console
from kg.errors import SettingsError
from kg.pipeline import DONE
from kg.project import Project
from review import agreement, label_studio
from review.database import opened
from review.decisions import write
from review.live import QUEUE, Live
from review.people import People
from review.settings import DATABASE, Desk, desk_of
from review.task import Task
from review.texts import FALLBACK, texts_of
from review.votes import Votes
from review.web import Site, application

AGREEMENT = "review/agreement.json"
WIDEST = 120
"""Columns of a table where the terminal does not say, or has fewer."""


def work(project: Project, settings: Mapping[str, Any], console: Console) -> int:
    """Does what `desk.do` says. Raises SettingsError if there is no queue or a setting is wrong."""
    desk = desk_of(settings["desk"])
    if not project.store.exists(QUEUE):
        raise SettingsError(
            "there are no questions yet", where=str(project.store.path(QUEUE)), remedy="run run.py first"
        )
    engine = opened(desk.database or f"sqlite:///{project.store.path(DATABASE)}")
    votes = Votes(engine, project.subject, desk.annotators, desk.take_over * 60)
    people = People(engine, desk.session * 3600, desk.tries)
    decisions = Path(settings["decisions"])
    live = Live(project.store, votes)
    tasks, fresh = live.take()
    if desk.do == "serve":
        site = _site(project, desk, (people, live), decisions)
        return _serve(site, desk, console, (len(tasks), fresh))
    if desk.do == "write":
        _keep_agreement(project, agreement.table(agreement.ballots(engine), desk.annotators))
        console.out.print(f"{write(votes, decisions)} decisions added to {escape(str(decisions))}", soft_wrap=True)
    elif desk.do == "agreement":
        rows = agreement.table(agreement.ballots(engine), desk.annotators)
        _keep_agreement(project, rows)
        _print(rows, console)
    elif desk.do == "invite":
        console.out.print(f"{desk.origin(desk.port)}/join/{people.invite(desk.role)}", soft_wrap=True)
    else:
        _exchange(desk, tasks, votes, console)
    return DONE


def _site(project: Project, desk: Desk, who: tuple[People, Live], decisions: Path) -> Site:
    code = desk.language or next((book.language for book in project.books if book.language), FALLBACK)
    return Site(
        title=project.title,
        people=who[0],
        votes=who[1].votes,
        schema=project.schema,
        texts=texts_of(project.languages, code),
        decisions=decisions,
        origins=(),
        secure=desk.secure,
        things=who[1].things,
        refresh=who[1].refresh,
    )


def _serve(site: Site, desk: Desk, console: Console, counts: tuple[int, int]) -> int:
    """Serves until Ctrl-C."""
    try:
        listening = socket.create_server((desk.host, desk.port), family=_family(desk.host), backlog=128)
    except OSError as error:
        where = f"{desk.host}:{desk.port}"
        raise SettingsError(
            f"cannot listen: {error.strerror}", where=where, remedy="choose another desk.port"
        ) from None
    port = listening.getsockname()[1]
    origins = tuple(dict.fromkeys([desk.origin(port), f"http://127.0.0.1:{port}", f"http://localhost:{port}"]))
    site = Site(**{**vars(site), "origins": origins})
    settings = uvicorn.Config(application(site), log_level="warning", server_header=False, proxy_headers=False)
    server = uvicorn.Server(settings)
    signal.signal(signal.SIGINT, server.handle_exit)  # before the first line: a Ctrl-C while it starts ends it, too
    console.out.print(f"{counts[0]} questions, {counts[1]} of them new. Ctrl-C ends.")
    if site.people.everybody():
        console.out.print(f"Open [bold]{escape(origins[0])}/[/]", soft_wrap=True)
    else:
        code = site.people.invite("lead")
        console.out.print(f"Open [bold]{escape(origins[0])}/join/{code}[/] to become its lead", soft_wrap=True)
    server.run(sockets=[listening])
    return DONE


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _keep_agreement(project: Project, rows: list[agreement.Agreement]) -> None:
    """The page and a release show it; who said what is not in it."""
    data = json.dumps([json.loads(row.to_json()) for row in rows], ensure_ascii=False, indent=1)
    project.store.write(AGREEMENT, data.encode("utf-8"))


def _print(rows: list[agreement.Agreement], console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("subject", "kind", "type", "tasks", "incomplete", "unanimous", "pairwise", "Fleiss κ"):
        table.add_column(title)
    for row in rows:
        shares = [f"{value:.1%}" if value is not None else "–" for value in (row.unanimous, row.pairwise)]
        value = f"{row.kappa:.2f}" if row.kappa is not None else f"– ({row.why})"
        words = (row.subject or "all", row.kind, row.type or "all", str(row.tasks), str(row.incomplete), *shares, value)
        table.add_row(*(escape(word) for word in words))
    rich.console.Console(width=max(console.out.width, WIDEST)).print(table)


def _exchange(desk: Desk, tasks: list[Task], votes: Votes, console: Console) -> None:
    path = Path(desk.file)
    if desk.do == "label_studio_export":
        label_studio.export(tasks, path)
        console.out.print(f"{len(tasks)} tasks in {escape(str(path))}, labelling interface beside it", soft_wrap=True)
    else:
        done = label_studio.take_in(path, tasks, votes)
        console.out.print(f"{done.votes} votes taken in, {done.known} known already, {len(done.refused)} refused")
        for line in done.refused:
            console.err.print(f"  [red]{escape(line)}[/]", soft_wrap=True)
