"""The annotators' page: sign in, judge, take back, settle disagreements, look at the agreement.

In: a `Site` (people, votes, schema, words). Out: an ASGI application. Every form carries its session's token; nothing
from a request names a file; everything from a textbook is escaped by the templates.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from kg.errors import KgError
from kg.ids import digest
from kg.schema import GraphSchema
from review import agreement
from review.decisions import write
from review.forms import FLIP, PREFIX, near, relations, said
from review.guard import Guard
from review.people import Denied, People, Session
from review.task import Task
from review.texts import Texts
from review.things import Things
from review.votes import Refused, Votes, agreed, seen

HERE = Path(__file__).parent
STATIC = {"review.css": "text/css", "review.js": "text/javascript"}
SLOWEST = 3600.0
"""Seconds for one judgement beyond which somebody was away."""


@dataclass(frozen=True)
class Site:
    """What the page works with."""

    title: str
    people: People
    votes: Votes
    schema: GraphSchema
    texts: Texts
    decisions: Path
    origins: Sequence[str]
    secure: bool
    things: Things = field(default_factory=Things)
    """What a relation can be led to instead."""
    refresh: Callable[[], None] = lambda: None
    """Takes in what a run has made in the meantime."""

    @property
    def cookie(self) -> str:
        """Its name; several subjects may be served by one machine, and browsers do not tell its ports apart."""
        return f"review-{digest(self.votes.subject)}"


@dataclass(frozen=True)
class Call:
    """One request, read."""

    path: Mapping[str, str]
    form: Mapping[str, str]
    token: str
    session: Session | None

    @property
    def who(self) -> Session:
        """Who has signed in; routes that ask for it are not reached by others."""
        assert self.session is not None
        return self.session


Page = Callable[[Call], Response]


def application(site: Site) -> Starlette:
    """The page as an ASGI application."""
    pages = Pages(site)
    open_, signed, lead = "open", "signed", "lead"
    table: list[tuple[str, str, Page, str]] = [
        ("GET", "/", pages.start, open_),
        ("GET", "/sign-in", pages.sign_in, open_),
        ("POST", "/sign-in", pages.signing_in, open_),
        ("GET", "/join/{code}", pages.join, open_),
        ("POST", "/join/{code}", pages.joining, open_),
        ("POST", "/sign-out", pages.sign_out, signed),
        ("GET", "/task", pages.next, signed),
        ("GET", "/task/{id}", pages.task, signed),
        ("POST", "/task/{id}", pages.vote, signed),
        ("POST", "/undo", pages.undo, signed),
        ("GET", "/disagreements", pages.disagreements, lead),
        ("GET", "/disagreements/{id}", pages.disagreement, lead),
        ("POST", "/disagreements/{id}", pages.rule, lead),
        ("GET", "/agreement", pages.agreement, lead),
        ("POST", "/decisions", pages.write, lead),
        ("GET", "/people", pages.people, lead),
        ("POST", "/people", pages.invite, lead),
    ]
    routes = [Route(path, _endpoint(site, pages, page, who), methods=[how]) for how, path, page, who in table]
    routes += [Route(f"/static/{name}", _static(name, kind)) for name, kind in STATIC.items()]
    routes.append(Route("/favicon.ico", lambda request: Response(status_code=204)))
    return Starlette(routes=routes, middleware=[Middleware(Guard, origins=site.origins)])


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = (HERE / "static" / name).read_bytes()
    return lambda request: Response(content, media_type=kind)


def _endpoint(site: Site, pages: Pages, page: Page, who: str) -> Any:
    async def endpoint(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace") if request.method == "POST" else ""
        form = dict(parse_qsl(body, keep_blank_values=True))
        token = request.cookies.get(site.cookie, "")
        path = {key: str(value) for key, value in request.path_params.items()}
        return await run_in_threadpool(answer, path, form, token, request.method)

    def answer(path: Mapping[str, str], form: Mapping[str, str], token: str, method: str) -> Response:
        session = site.people.session(token) if token else None
        call = Call(path, form, token, session)
        if who != "open" and session is None:
            return _go("/sign-in")
        if who == "lead" and call.who.role != "lead":
            return pages.message(call, "not_yours", 403)
        if who != "open" and method == "POST" and not hmac.compare_digest(form.get("csrf", ""), call.who.csrf):
            return pages.message(call, "forged", 403)
        if method == "GET":
            site.refresh()
        return page(call)

    return endpoint


def _go(path: str) -> Response:
    return RedirectResponse(path, status_code=303)


class Pages:
    """One method per address."""

    def __init__(self, site: Site) -> None:
        self.site = site
        loader = FileSystemLoader(HERE / "templates")
        self.templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self.templates.globals.update(site=site, texts=site.texts, t=site.texts.ui, PREFIX=PREFIX, FLIP=FLIP, near=near)

    def start(self, call: Call) -> Response:
        """On to the tasks, or to the door."""
        return _go("/task" if call.session else "/sign-in")

    def sign_in(self, call: Call) -> Response:
        """The door."""
        return self._page("sign_in.html", call, problem="")

    def signing_in(self, call: Call) -> Response:
        """A session, or the reason why not."""
        try:
            token = self.site.people.sign_in(call.form.get("name", ""), call.form.get("password", ""))
        except Denied as denied:
            return self._page("sign_in.html", call, 403, problem=self._denied(denied))
        return self._welcome(token)

    def join(self, call: Call) -> Response:
        """The form for an invitation."""
        return self._page("join.html", call, problem="", code=call.path["code"])

    def joining(self, call: Call) -> Response:
        """An account and a session, or the reason why not."""
        name, password = call.form.get("name", ""), call.form.get("password", "")
        try:
            self.site.people.join(call.path["code"], name, password)
            token = self.site.people.sign_in(name, password)
        except Denied as denied:
            return self._page("join.html", call, 403, problem=self._denied(denied), code=call.path["code"])
        return self._welcome(token)

    def sign_out(self, call: Call) -> Response:
        """The session has ended."""
        self.site.people.sign_out(call.token)
        answer = _go("/sign-in")
        answer.delete_cookie(self.site.cookie)
        return answer

    def next(self, call: Call) -> Response:
        """The person's next task, or the end."""
        found = self.site.votes.next(call.who.person)
        if found is None:
            return self._page("done.html", call, progress=self.site.votes.progress(call.who.person))
        return self._task(call, found)

    def task(self, call: Call) -> Response:
        """One of the person's tasks again."""
        if not self.site.votes.holds(call.who.person, call.path["id"]):
            return self.message(call, "not_yours", 403)
        found = self.site.votes.task(call.path["id"])
        return self._task(call, found) if found else self.message(call, "gone", 404)

    def vote(self, call: Call) -> Response:
        """The vote is stored before the next task is shown."""
        votes = self.site.votes
        found = votes.task(call.path["id"])
        if found is None:
            return self.message(call, "gone", 409)
        try:
            judgement = said(call.form, found, self.site.schema, self.site.things)
            votes.cast(call.who.person, found.id, call.form.get("content", ""), judgement, _seconds(call.form))
        except Refused as refused:
            if not votes.holds(call.who.person, found.id):
                return self.message(call, "not_yours", 403)
            return self._task(call, found, str(refused), 409)
        return _go("/task")

    def undo(self, call: Call) -> Response:
        """Back at the task of the person's last vote, which no longer counts."""
        key = self.site.votes.undo(call.who.person)
        return _go(f"/task/{quote(key)}" if key else "/task")

    def disagreements(self, call: Call) -> Response:
        """Tasks on which the judges differ."""
        votes = self.site.votes
        rows = [found for key in votes.disagreements() if (found := votes.task(key))]
        return self._page("disagreements.html", call, rows=rows)

    def disagreement(self, call: Call) -> Response:
        """All votes on one task, side by side."""
        return self._disagreement(call)

    def rule(self, call: Call) -> Response:
        """The ruling is stored, and the next disagreement follows."""
        votes, found = self.site.votes, self.site.votes.task(call.path["id"])
        if found is None or not self._complete(found.id):
            return self.message(call, "gone", 409)
        try:
            votes.rule(
                call.who.person,
                found.id,
                call.form.get("content", ""),
                said(call.form, found, self.site.schema, self.site.things),
            )
        except Refused as refused:
            return self._disagreement(call, str(refused), 409)
        rest = votes.disagreements()
        return _go(f"/disagreements/{quote(rest[0])}" if rest else "/disagreements")

    def agreement(self, call: Call) -> Response:
        """κ and shares so far."""
        rows = agreement.table(agreement.ballots(self.site.votes.engine), self.site.votes.judges)
        return self._page("agreement.html", call, rows=rows, written=None, failed="")

    def write(self, call: Call) -> Response:
        """What is decided stands in the file of decisions."""
        try:
            written, failed = write(self.site.votes, self.site.decisions), ""
        except (KgError, OSError) as error:
            written, failed = None, str(error)
        rows = agreement.table(agreement.ballots(self.site.votes.engine), self.site.votes.judges)
        return self._page("agreement.html", call, 500 if failed else 200, rows=rows, written=written, failed=failed)

    def people(self, call: Call) -> Response:
        """Who judges."""
        return self._page("people.html", call, people=self.site.people.everybody(), link="")

    def invite(self, call: Call) -> Response:
        """A link with which one person can join, shown once."""
        code = self.site.people.invite("lead" if call.form.get("role") == "lead" else "annotator")
        link = f"{self.site.origins[0]}/join/{code}"
        return self._page("people.html", call, people=self.site.people.everybody(), link=link)

    def message(self, call: Call, key: str, status: int) -> Response:
        """One sentence and the way back."""
        return self._page("message.html", call, status, text=self.site.texts.ui[key])

    def _task(self, call: Call, task: Task, problem: str = "", status: int = 200) -> Response:
        progress = self.site.votes.progress(call.who.person)
        own = [vote.said for vote in self.site.votes.votes(task.id) if vote.person == call.who.person]
        return self._page(
            "task.html",
            call,
            status,
            task=task,
            content=seen(task),
            relations=relations(task, self.site.schema),
            progress=progress,
            problem=problem,
            own=own[0] if own else None,
            shown=int(time.time()),
        )

    def _disagreement(self, call: Call, problem: str = "", status: int = 200) -> Response:
        found = self.site.votes.task(call.path["id"])
        if found is None or not self._complete(found.id):
            return self.message(call, "gone", 404)
        values: dict[str, Any] = {"task": found, "content": seen(found), "votes": self.site.votes.votes(found.id)}
        kinds = relations(found, self.site.schema)
        return self._page("disagreement.html", call, status, relations=kinds, problem=problem, **values)

    def _complete(self, key: str) -> bool:
        """All judges have spoken, and not with one voice: only then are votes shown to anybody."""
        votes = self.site.votes.votes(key)
        return len(votes) >= self.site.votes.judges and not agreed(votes)

    def _denied(self, denied: Denied) -> str:
        return self.site.texts.denied.get(denied.what, denied.what)

    def _welcome(self, token: str) -> Response:
        answer = _go("/task")
        # Lax, not strict: a link to the page in a mail keeps its reader signed in, and forms are guarded on their own.
        answer.set_cookie(self.site.cookie, token, httponly=True, samesite="lax", secure=self.site.secure)
        return answer

    def _page(self, template: str, call: Call, status: int = 200, **values: Any) -> Response:
        html = self.templates.get_template(template).render(session=call.session, **values)
        return HTMLResponse(html, status_code=status)


def _seconds(form: Mapping[str, str]) -> float:
    shown = form.get("shown", "")
    return min(max(0.0, time.time() - int(shown)), SLOWEST) if shown.isdigit() and len(shown) < 12 else 0.0
