"""Who may judge: accounts, invitations and sessions.

In: names and passwords. Out: people and their sessions. Passwords are hashed with Argon2; of invitations and session
tokens only hashes are stored, so that nobody who reads the database can sign in with what is there.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import Engine, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from kg.errors import KgError
from kg.store import sha256
from review.database import invitation, person, session

Role = Literal["annotator", "lead"]
SHORTEST = 8
"""Characters of a password."""
LONGEST = 200
LONGEST_NAME = 40
AT_ONCE = 2
"""Passwords hashed at the same time."""
WINDOW = 600.0
"""Seconds in which wrong passwords are counted."""


class Denied(KgError):
    """Wrong name or password, or an invitation that is none."""


class Session(NamedTuple):
    """Somebody who has signed in."""

    person: str
    role: Role
    csrf: str
    """Every form of theirs carries it."""


@dataclass(frozen=True)
class People:
    """The accounts of one database."""

    engine: Engine
    seconds: float
    """How long a session lasts."""
    tries: int
    """Wrong passwords for one name in ten minutes before it is locked."""
    now: Callable[[], float] = field(default=time.time)
    hasher: PasswordHasher = field(default_factory=PasswordHasher)
    _wrong: dict[str, list[float]] = field(default_factory=dict)
    """Name -> when a wrong password came for it."""
    _hashing: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AT_ONCE))
    """Hashing takes much memory on purpose; a flood of guesses must not take it many times over."""

    def invite(self, role: Role) -> str:
        """A code with which one person can join in this role."""
        code = secrets.token_urlsafe(18)
        with self.engine.begin() as db:
            db.execute(insert(invitation).values(code=sha256(code), role=role, used_by=""))
        return code

    def join(self, code: str, name: str, password: str) -> None:
        """There is an account of this name afterwards and the code is used up.

        Raises Denied if the code is not valid, the name is taken or not usable, or the password is too short.
        """
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise Denied("name_unusable")
        if not SHORTEST <= len(password) <= LONGEST:
            raise Denied("password_short")
        with self._hashing:
            hashed = self.hasher.hash(password)
        try:
            with self.engine.begin() as db:
                open_ = select(invitation.c.role).where(invitation.c.code == sha256(code), invitation.c.used_by == "")
                role = db.execute(open_).scalar()
                taken = update(invitation).where(invitation.c.code == sha256(code), invitation.c.used_by == "")
                if role is None or db.execute(taken.values(used_by=name)).rowcount != 1:
                    raise Denied("invitation_invalid")
                db.execute(insert(person).values(name=name, password=hashed, role=role))
        except IntegrityError:
            raise Denied("name_taken") from None

    def sign_in(self, name: str, password: str) -> str:
        """The token of a new session. Raises Denied; who asks cannot tell a wrong name from a wrong password."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if self._tries(name) >= self.tries:
            raise Denied("too_many_tries")
        with self.engine.begin() as db:
            hashed = db.execute(select(person.c.password).where(person.c.name == name)).scalar()
        if not self._right(hashed, password):
            self._wrong.setdefault(name, []).append(self.now())
            raise Denied("wrong_password")
        self._wrong.pop(name, None)
        token = secrets.token_urlsafe(32)
        with self.engine.begin() as db:
            db.execute(delete(session).where(session.c.ends < self.now()))
            row = {"person": name, "csrf": secrets.token_urlsafe(32), "ends": self.now() + self.seconds}
            db.execute(insert(session).values(token=sha256(token), **row))
        return token

    def _tries(self, name: str) -> int:
        """Wrong passwords for the name in the last minutes; what is older is forgotten, of all names."""
        since = self.now() - WINDOW
        for known in [known for known, times in list(self._wrong.items()) if times[-1] <= since]:
            self._wrong.pop(known, None)
        return sum(at > since for at in self._wrong.get(name, ()))

    def _right(self, hashed: str | None, password: str) -> bool:
        # A name that does not exist costs the same time, so that the time does not tell.
        try:
            with self._hashing:
                known = hashed or self.hasher.hash(secrets.token_urlsafe(16))
                verified = self.hasher.verify(known, password[:LONGEST])
        except VerificationError:
            return False
        return verified and hashed is not None

    def session(self, token: str) -> Session | None:
        """Who this token belongs to; none if it is wrong or has ended."""
        query = select(session.c.person, person.c.role, session.c.csrf).join(person, person.c.name == session.c.person)
        with self.engine.execution_options(writes=False).begin() as db:
            row = db.execute(query.where(session.c.token == sha256(token), session.c.ends > self.now())).first()
        return Session(row.person, cast(Role, row.role), row.csrf) if row else None

    def sign_out(self, token: str) -> None:
        """The session has ended."""
        with self.engine.begin() as db:
            db.execute(delete(session).where(session.c.token == sha256(token)))

    def everybody(self) -> list[tuple[str, Role]]:
        """Names and roles, by name."""
        with self.engine.execution_options(writes=False).begin() as db:
            rows = db.execute(select(person.c.name, person.c.role).order_by(person.c.name)).all()
        return [(row.name, cast(Role, row.role)) for row in rows]
