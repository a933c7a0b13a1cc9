"""A chat-completions server in a process of its own that answers every call after a fixed time, many at once.

    python tests/slow_server.py SECONDS [LOG]      prints its port; appends a line per call to LOG

It enforces the schemas it is given as far as our own forms go: lists stay empty but for one node per passage that
quotes the passage's first sentence. So everything it says is true, and costs next to nothing to say.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

_PASSAGE = re.compile(r"\nPassage:\n(.*)", re.DOTALL)
_ID = re.compile(r"^- (n\d+) (\w+): (.+)$", re.MULTILINE)


def reply(body: dict[str, Any]) -> str:
    """What the server says to a request."""
    form = body.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {})
    if "word" in form:
        return json.dumps({"word": form["word"]["enum"][0]})
    text = str(body["messages"][-1]["content"])
    passage = _PASSAGE.search(text)
    if passage is None:
        return "yes"
    answer: dict[str, Any] = {name: [] for name in form}
    if "Concept" in form:
        sentences = re.findall(r"An? (\w+) is a kind of (\w+)[^.]*\.", passage.group(1))
        answer["Concept"] = [_concept(name, passage.group(1)) for name, _ in sentences]
    if "is_a" in form:
        ids = {name: at for at, _, name in _ID.findall(text)}
        for hit in re.finditer(r"An? (\w+) is a kind of (\w+)[^.]*\.", passage.group(1)):
            if hit.group(1) in ids and hit.group(2) in ids:
                edge = {"quote": hit.group(), "source": ids[hit.group(1)], "target": ids[hit.group(2)]}
                answer["is_a"].append(edge)
    return json.dumps(answer)


def _concept(name: str, passage: str) -> dict[str, Any]:
    quote = re.search(rf"An? {name} is a kind of [^.]*\.", passage)
    told = quote.group() if quote else name
    nothing = dict.fromkeys(("examples", "aliases", "formula", "unit"))
    return {"quote": told, "name": name, "definition": told, "importance": "master", **nothing}


async def serve(seconds: float, log: Path | None) -> None:
    """Serves until it is killed."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
                body = json.loads(await reader.readexactly(int(length.group(1)) if length else 0))
                if log is not None:
                    with log.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(str(body["messages"][-1]["content"])[-80:]) + "\n")
                await asyncio.sleep(seconds)
                writer.write(_http(reply(body), body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=1 << 22)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


def _http(text: str, body: dict[str, Any]) -> bytes:
    sent = sum(len(str(message["content"])) for message in body["messages"])
    data = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "slow-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": sent // 4, "completion_tokens": len(text) // 4, "total_tokens": 0},
    }
    content = json.dumps(data).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
