"""The settings of the annotators' page, as composed from `conf/desk/`.

In: plain data. Out: a frozen row; a misspelt key or a wrong type is refused with its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from kg.errors import SettingsError, first_problem
from kg.row import Row

Doing = Literal["serve", "write", "agreement", "invite", "label_studio_export", "label_studio_import"]
DATABASE = "review/votes.sqlite"


class Desk(Row):
    """Everything `python -m review` can be told besides the subject."""

    do: Doing = "serve"
    file: str = ""
    """Of the exchange with Label Studio."""
    role: Literal["annotator", "lead"] = "annotator"
    """Of an invitation."""
    database: str = ""
    """URL of SQLAlchemy; empty: a file of SQLite beside the graph."""
    host: str = "127.0.0.1"
    port: int = Field(default=8765, ge=0, le=65535)
    """0: any free one."""
    public: str = ""
    """Address in the annotators' browsers where it is not the one we bind to: behind a proxy that adds TLS."""
    annotators: int = Field(default=3, ge=1)
    """Who judge each task."""
    take_over: float = Field(default=60.0, gt=0)
    """Minutes after which a task that somebody left unjudged goes to another annotator."""
    session: float = Field(default=12.0, gt=0)
    """Hours until somebody has to sign in again."""
    tries: int = Field(default=5, ge=1)
    """Wrong passwords for one name in ten minutes."""
    language: str = ""
    """Language pack of the page; empty: that of the books."""

    def origin(self, port: int) -> str:
        """Scheme, host and port of the page's address."""
        if self.public:
            parts = urlsplit(self.public)
            return f"{parts.scheme}://{parts.netloc}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}"

    @property
    def secure(self) -> bool:
        """The page is reached by TLS: cookies go by TLS only."""
        return self.public.startswith("https://")


def desk_of(data: Mapping[str, Any]) -> Desk:
    """The settings. Raises SettingsError naming the one that is wrong."""
    try:
        desk = Desk.model_validate(data)
    except ValidationError as error:
        raise SettingsError(first_problem(error), where="desk", remedy="see python -m review --help") from None
    if desk.public and not desk.public.startswith(("http://", "https://")):
        raise SettingsError("not an address", where="desk.public", remedy="https://review.example.org")
    if desk.do.startswith("label_studio") and not desk.file:
        raise SettingsError("no file named", where="desk.file", remedy="desk.file=tasks.json")
    return desk
