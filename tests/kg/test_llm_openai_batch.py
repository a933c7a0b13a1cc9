"""Requests go out in batches, answers come back to whoever asked, and a stopped run picks its batches up."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kg.llm import Answer, CallFailure, Limits, Message, Reply, Sampling, request_to
from kg.llm_client import Client
from kg.llm_openai import OpenAIEndpoint
from kg.llm_openai_batch import Batching


class BatchServer:
    """Files, batches and single completions; a batch is over after `looks` looks at it."""

    def __init__(self, looks: int = 1, status: str = "completed", refuses: bool = False) -> None:
        self.looks, self.status, self.refuses = looks, status, refuses
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, list[int]] = {}
        self.single = 0

    def get(self, path: str) -> tuple[int, Any]:
        if found := re.search(r"/files/([^/]+)/content$", path):
            return 200, self._results(found.group(1).removesuffix("-out"))
        name = path.rsplit("/", 1)[1]
        self.batches[name][0] += 1
        over = self.batches[name][0] > self.looks
        batch = self._batch(name)
        if over:
            batch["status"] = self.status
            batch["output_file_id"] = f"{name}-out" if self.status == "completed" else None
        return 200, batch

    def post(self, path: str, body: bytes) -> tuple[int, Any]:
        if path.endswith("/chat/completions"):
            self.single += 1
            return 200, self._completion(json.loads(body))
        if self.refuses:
            return 404, {"error": {"message": "no batches here"}}
        if path.endswith("/files"):
            name = f"file{len(self.files)}"
            self.files[name] = re.search(rb"\r\n\r\n(\{.*\})\n", body, re.DOTALL).group(1)  # type: ignore[union-attr]
            return 200, {
                "id": name,
                "object": "file",
                "bytes": 1,
                "created_at": 0,
                "filename": "x",
                "purpose": "batch",
                "status": "processed",
            }
        name = f"batch-{json.loads(body)['input_file_id']}"
        self.batches[name] = [0]
        return 200, self._batch(name)

    def _batch(self, name: str) -> dict[str, Any]:
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": name,
            "completion_window": "24h",
            "status": "in_progress",
            "created_at": 0,
        }

    def _results(self, batch: str) -> bytes:
        rows = []
        for line in self.files[batch.removeprefix("batch-")].splitlines():
            row = json.loads(line)
            text = row["body"]["messages"][-1]["content"]
            if "lost" in text:
                continue
            good = {"status_code": 200, "body": self._completion(row["body"])}
            bad = {"status_code": 400, "body": {"error": {"message": "too long"}}}
            rows.append({"custom_id": row["custom_id"], "response": bad if "bad" in text else good})
        return "".join(json.dumps(row) + "\n" for row in rows).encode()

    def _completion(self, body: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "assistant", "content": body["messages"][-1]["content"].upper()}
        usage = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
        return {"model": "b", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}


@pytest.fixture
def serve() -> Iterator[Any]:
    running: list[ThreadingHTTPServer] = []

    def start(state: BatchServer) -> str:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._send(*state.get(self.path))

            def do_POST(self) -> None:
                self._send(*state.post(self.path, self.rfile.read(int(self.headers.get("Content-Length", 0)))))

            def _send(self, status: int, data: Any) -> None:
                content = data if isinstance(data, bytes) else json.dumps(data).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/v1"

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


QUICK = Batching(least=3, most=100, gather=0.05, poll=0.02)


def ask(url: str, cache: Path, texts: list[str], patience: float = 20.0, batching: Batching = QUICK) -> list[Answer]:
    limits = Limits(concurrency=100, tries=2, backoff=0.001)
    endpoint = OpenAIEndpoint(model="b", base_url=url, cache=str(cache), limits=limits, batch=batching)

    async def go() -> list[Answer]:
        async with Client(endpoint) as client:
            requests = [request_to(endpoint, [Message(role="user", content=text)], Sampling()) for text in texts]
            waiting = asyncio.gather(*(client.ask(request) for request in requests))
            return list(await asyncio.wait_for(waiting, patience))

    return asyncio.run(go())


def texts_of(answers: list[Answer]) -> list[str]:
    return [answer.text if isinstance(answer, Reply) else answer.what for answer in answers]


def test_many_requests_are_one_batch_and_everybody_gets_the_own_answer(serve: Any, tmp_path: Path) -> None:
    state = BatchServer(looks=2)
    answers = ask(serve(state), tmp_path / "c", [f"q{n}" for n in range(7)])
    assert texts_of(answers) == [f"Q{n}" for n in range(7)]
    assert (len(state.batches), state.single) == (1, 0)
    assert all(isinstance(answer, Reply) and answer.usage.prompt == 3 for answer in answers)
    assert (tmp_path / "c.batches").read_text() == ""


def test_a_few_are_asked_at_once(serve: Any, tmp_path: Path) -> None:
    state = BatchServer()
    assert texts_of(ask(serve(state), tmp_path / "c", ["a", "b"])) == ["A", "B"]
    assert (len(state.batches), state.single) == (0, 2)


def test_more_than_a_batch_holds_are_several(serve: Any, tmp_path: Path) -> None:
    state = BatchServer()
    small = QUICK.model_copy(update={"most": 4})
    assert len(ask(serve(state), tmp_path / "c", [f"q{n}" for n in range(8)], batching=small)) == 8
    assert len(state.batches) == 2


def test_a_stopped_run_picks_its_batch_up(serve: Any, tmp_path: Path) -> None:
    state = BatchServer(looks=10_000)
    url = serve(state)
    texts = [f"q{n}" for n in range(5)]
    with pytest.raises(TimeoutError):
        ask(url, tmp_path / "c", texts, patience=0.6)
    assert len(state.batches) == 1
    state.looks = 0
    assert texts_of(ask(url, tmp_path / "c", texts)) == [f"Q{n}" for n in range(5)]
    assert (len(state.batches), state.single) == (1, 0)


def test_what_a_batch_refuses_or_loses_is_a_failure(serve: Any, tmp_path: Path) -> None:
    answers = ask(serve(BatchServer()), tmp_path / "c", ["fine", "bad", "other"])
    assert texts_of(answers) == ["FINE", "HTTP 400: too long", "OTHER"]


def test_a_batch_that_failed_is_said(serve: Any, tmp_path: Path) -> None:
    answers = ask(serve(BatchServer(status="expired")), tmp_path / "c", ["a", "b", "c"])
    assert all(isinstance(answer, CallFailure) and "is expired" in answer.what for answer in answers)


def test_a_server_without_batches_is_said_with_the_remedy(serve: Any, tmp_path: Path) -> None:
    answers = ask(serve(BatchServer(refuses=True)), tmp_path / "c", ["a", "b", "c"])
    assert all(isinstance(answer, CallFailure) and "llm.batch" in answer.hint for answer in answers)
