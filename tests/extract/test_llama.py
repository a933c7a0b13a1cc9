"""A real server, not ours: llama.cpp's with a tiny model that knows nothing. Its noise stays out of the claims.

Needs an environment of its own, named in TEXTBOOK_KG_LLAMA:

    python -m venv /tmp/llama && /tmp/llama/bin/pip install gguf 'llama-cpp-python[server]'
    TEXTBOOK_KG_LLAMA=/tmp/llama/bin/python python -m pytest tests/extract/test_llama.py
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from extract.assembly import account
from extract.gate import Trust
from kg.llm import Limits
from kg.stage import ROOT
from tests.extract.teller import LANGUAGES, a_section, model, read

PYTHON = os.environ.get("TEXTBOOK_KG_LLAMA", "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="TEXTBOOK_KG_LLAMA names no environment with llama-cpp-python")
PATIENT = {"limits": Limits(concurrency=1, tries=2), "timeout": 120.0}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("llama")
    subprocess.run([PYTHON, str(ROOT / "tests" / "tiny_llama.py"), str(folder / "tiny.gguf")], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["-m", "llama_cpp.server", "--model", str(folder / "tiny.gguf"), "--port", str(port), "--n_ctx", "16384"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([PYTHON, *words], stdout=log, stderr=log)
    _wait(f"http://127.0.0.1:{port}/v1/models")
    yield f"http://127.0.0.1:{port}/v1"
    server.kill()
    server.wait()


def _wait(address: str) -> None:
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
        else:
            return
    raise TimeoutError(address)


def test_the_probe_finds_how_this_server_enforces_a_schema(url: str, tmp_path: Path) -> None:
    asked = read(model(url, str(tmp_path / "c"), PATIENT, max_tokens=64, example=""), [a_section("A body at rest.")])
    assert asked.capability is not None
    assert asked.capability.rung == "object_schema"
    assert asked.capability.counts["en"] > 1, "it counts letters, so it reads more tokens than we would guess"


def test_noise_that_fits_the_schema_never_becomes_a_claim(url: str, tmp_path: Path) -> None:
    settings = {"max_tokens": 400, "temperature": 1.0, "example": "", "splits": 0, "tries": 1}
    extractor = model(url, str(tmp_path / "c"), PATIENT, **settings)
    asked = read(extractor, [a_section(at=f"s{n}") for n in range(2)])
    found = account(asked.readings["book"], "book", LANGUAGES["en"], Trust())
    assert (found.claims.nodes, found.claims.edges) == ((), ())
    assert all(row.requests for row in found.chunks), "it did answer"
    assert read(extractor, [a_section(at=f"s{n}") for n in range(2)]).spend.calls == 0
