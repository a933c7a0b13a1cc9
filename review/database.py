"""The tables behind the page, in SQLite by default and in PostgreSQL by URL, through the same statements.

In: a URL of SQLAlchemy. Out: an engine whose tables exist. SQLite: one file, many readers, writers wait for each other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from kg.errors import SettingsError

metadata = MetaData()

person = Table(
    "person",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("password", String(200), nullable=False),
    Column("role", String(20), nullable=False),
)
invitation = Table(
    "invitation",
    metadata,
    Column("code", String(64), primary_key=True),  # SHA-256: who reads the table cannot use it
    Column("role", String(20), nullable=False),
    Column("used_by", String(80), nullable=False, default=""),
)
session = Table(
    "session",
    metadata,
    Column("token", String(64), primary_key=True),  # SHA-256
    Column("person", String(80), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("ends", Float, nullable=False),
)
task = Table(
    "task",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("subject", String(80), nullable=False),
    Column("place", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("type", String(80), nullable=False),
    Column("content", String(64), nullable=False),  # SHA-256 of what people judge
    Column("payload", Text, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("judged", Integer, nullable=False, default=0),  # votes on it; counted here so that nobody counts them often
    Index("task_order", "subject", "open", "place"),
    Index("task_judged", "subject", "open", "judged"),
)
assignment = Table(
    "assignment",
    metadata,
    Column("task", String(32), primary_key=True),
    Column("slot", Integer, primary_key=True),  # 0 … annotators - 1: no task has more judges than slots
    Column("person", String(80), nullable=False),
    Column("taken", Float, nullable=False),
    Column("subject", String(80), nullable=False),
    Column("live", Boolean, nullable=False),  # its task is open
    Column("done", Boolean, nullable=False),  # there is a vote
    UniqueConstraint("task", "person"),
    Index("assignment_person", "person", "subject", "live", "done"),
)
vote = Table(
    "vote",
    metadata,
    Column("task", String(32), primary_key=True),
    Column("person", String(80), primary_key=True),
    Column("content", String(64), nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("change", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
    Index("vote_person", "person", "at"),
)
ruling = Table(
    "ruling",
    metadata,
    Column("task", String(32), primary_key=True),
    Column("content", String(64), nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("change", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("person", String(80), nullable=False),
    Column("at", Float, nullable=False),
)
written = Table(  # tasks whose decision we have added to the file
    "written",
    metadata,
    Column("task", String(32), primary_key=True),
)
happened = Table(
    "happened",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("person", String(80), nullable=False),
    Column("action", String(20), nullable=False),  # vote, undo, rule
    Column("task", String(32), nullable=False),
    Column("content", String(64), nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("change", Text, nullable=False),
    Column("comment", Text, nullable=False),
)


def opened(url: str) -> Engine:
    """The database with all tables. Raises SettingsError naming the URL (without its password) if it cannot be used."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise SettingsError(str(error), where="desk.database") from None
    try:
        engine = _sqlite(parsed.database or "", url) if parsed.get_backend_name() == "sqlite" else create_engine(url)
        metadata.create_all(engine)
    except (SQLAlchemyError, NoSuchModuleError, ImportError, OSError) as error:
        what = str(error).splitlines()[0]
        remedy = "give a URL such as postgresql+psycopg://user@host/name, or leave it empty for a file"
        raise SettingsError(what, where=parsed.render_as_string(), remedy=remedy) from None
    return engine


def _sqlite(file: str, url: str) -> Engine:
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": 30})

    def connect(connection: Any, _: Any) -> None:
        # The driver's own idea of transactions begins them too late: two readers could both decide to write.
        connection.isolation_level = None
        for setting in ("journal_mode = WAL", "synchronous = FULL"):
            connection.execute(f"PRAGMA {setting}")

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine, "connect", connect)
    event.listen(engine, "begin", begin)
    return engine
