"""MinerU by HTTP: the V1 jobs of a `mineru-api` server; nothing of it is imported.

In: a PDF and the server's URL. Out: the book's document, from the middle JSON that the jobs give.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from ingest.mineru import remedy_for
from ingest.mineru_chunks import parsed
from ingest.reader import Made, PageReader
from kg.document import Book
from kg.errors import InputError, SettingsError
from kg.project import Project

START = "start it (mineru-api --port 8000) and set ingest.reader.url to its address, without /v1"
ENDED = frozenset({"completed", "partial", "failed", "canceled"})
QUICK = 30.0
"""Seconds that every request but the upload may take."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class MineruServer:
    """Asks a server of MinerU 4."""

    pdf: PageReader
    """Reads the same PDF for type sizes, bookmarks and a check that no page is lost."""
    url: str = "http://127.0.0.1:8000"
    tier: Literal["flash", "basic", "standard", "advanced"] = "standard"
    ocr_mode: Literal["auto", "txt", "ocr"] = "auto"
    pages: Annotated[int, Field(ge=1)] = 50
    """Pages of one job."""
    timeout: Annotated[float, Field(gt=0)] = 1800.0
    """Seconds of one job, its time in the queue included."""
    wait: Annotated[float, Field(gt=0)] = 1.0
    """Seconds between two questions whether it is done."""

    @property
    def version(self) -> str:
        """What a result depends on besides the server's own version, which is part of the document."""
        return f"mineru server {self.tier} {self.ocr_mode}"

    def files(self, book: Book) -> list[Path]:
        """The PDF."""
        return [Path(book.file)]

    def document(self, book: Book, project: Project, stage: str) -> Made:
        """The book's document. Raises InputError if the server is not there or can read nothing of it."""
        health = self._ask("GET", "/v1/health")
        version = f"{self.version} {health.get('version', '')}"
        uploaded: list[str] = []

        def parse(first: int, last: int) -> bytes:
            if not uploaded:
                uploaded.append(self._upload(Path(book.file)))
            return self._parse(uploaded[0], first, last)

        return parsed(book, project, stage, self.pdf, (version, self.pages, parse))

    def _upload(self, path: Path) -> str:
        """The id of the file on the server."""
        data = path.read_bytes()
        asked = {"filename": path.name, "bytes": len(data), "mime_type": "application/pdf"}
        upload = self._ask("POST", "/v1/uploads", asked)
        target = str(upload.get("upload_url") or f"/v1/uploads/{upload['id']}/content")
        self._send("PUT", target, data, dict(upload.get("upload_headers") or {}))
        done = self._ask("POST", f"/v1/uploads/{upload['id']}/complete", {})
        return str((done.get("file") or {})["id"])

    def _parse(self, file: str, first: int, last: int) -> bytes:
        source = {"source": {"type": "file_id", "file_id": file}, "page_range": f"{first}-{last}"}
        asked = {"files": [source], "tier": self.tier, "ocr_mode": self.ocr_mode, "output_formats": ["middle_json"]}
        job = self._ask("POST", "/v1/parse/jobs", asked)
        limit = time.monotonic() + self.timeout
        while job["status"] not in ENDED:
            if time.monotonic() > limit:
                what = f"MinerU's job took more than {self.timeout:.0f} seconds"
                raise InputError(what, remedy="raise ingest.reader.timeout or lower ingest.reader.pages")
            time.sleep(self.wait)
            job = self._ask("GET", f"/v1/parse/jobs/{job['job_id']}")
        result = (job.get("files") or [{}])[0]
        output = ((result.get("output_files") or {}).get("middle_json") or {}).get("file_id")
        if not output:
            said = json.dumps(result.get("error") or job["status"], ensure_ascii=False)
            raise InputError(f"MinerU's job failed: {said}"[:300], remedy=remedy_for(said))
        return self._send("GET", f"/v1/files/{output}/content", None, {})

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        answer = self._send(method, path, data, {"Content-Type": "application/json"})
        try:
            return json.loads(answer)
        except ValueError:
            raise InputError(f"{self.url} does not answer as MinerU does", remedy=START) from None

    def _send(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> bytes:
        url = path if path.startswith("http") else self.url.rstrip("/") + path
        if not url.startswith(("http://", "https://")):
            raise SettingsError(f"not an address: {self.url}", where="ingest.reader.url", remedy=START)
        request = urllib.request.Request(url, data=data, method=method, headers=dict(headers))
        try:
            with urllib.request.urlopen(request, timeout=max(QUICK, self.timeout if data else QUICK)) as answer:
                body: bytes = answer.read()
                return body
        except urllib.error.HTTPError as error:
            said = error.read().decode("utf-8", "replace")[:200]
            raise InputError(f"MinerU's server says {error.code}: {said}", remedy=remedy_for(said)) from None
        except (OSError, TimeoutError) as error:
            raise InputError(f"no MinerU server at {self.url}: {error}", remedy=START) from None
