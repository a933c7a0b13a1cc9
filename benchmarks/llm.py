"""How fast a model is asked, and how quotations are told from inventions.

    python benchmarks/llm.py [chunks] [seconds per call] [concurrency]

First part: a book of 500 chunks at a server that takes 500 ms per call, 32 at once; the ideal is calls × time / 32.
Then the same again from the cache, and the same requests once more in a bare loop: on a loaded machine that is slow,
too, and CPU time per call tells a slow client from it. Second part: sentences of the sample books, damaged as models
damage quotations, and sentences of other sections, which must never be accepted.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import openai  # noqa: E402, F401 - loading it is no part of what is measured

from extract.align import Aligner  # noqa: E402
from extract.example import plain_section  # noqa: E402
from extract.llm import Asked, BookToRead, Llm  # noqa: E402
from kg.language import load as load_languages  # noqa: E402
from kg.llm import Limits  # noqa: E402
from kg.llm_cache import Cache, Kept  # noqa: E402
from kg.llm_openai import OpenAIEndpoint  # noqa: E402
from kg.schema import load as load_schema  # noqa: E402
from kg.section import Section  # noqa: E402
from kg.sentences import sentences  # noqa: E402

LANGUAGES = load_languages(ROOT / "conf" / "language")
GLOSSARY = re.compile(r"key terms|glossary|summary|术语|小结", re.IGNORECASE)
"""Parts that say again, nearly word by word, what other sections say."""
SCHEMA = load_schema(ROOT / "conf" / "schema" / "k12.yaml")


def book(count: int) -> list[Section]:
    """Sections of one chunk each, with two ideas and the relation between them."""
    found = []
    for at in range(count):
        text = f"A thing{at}a is a kind of thing{at}b that moves. A thing{at}b is a kind of body that rests.\n" + (
            "It is found in many places and has many uses in daily life. " * 40
        )
        section = plain_section(text, "en")
        found.append(Section("book", "en", section.row.model_copy(update={"id": f"s{at}"}), *parts(section)))
    return found


def parts(section: Section) -> tuple[tuple[object, ...], str, tuple[int, ...]]:
    """What a section holds besides its row."""
    return section.blocks, section.text, section.starts  # type: ignore[return-value]


def read(model: Llm, sections: list[Section]) -> tuple[Asked, float, float]:
    """What came of reading them, the seconds it took, and those of this process's CPU."""
    began, busy = time.perf_counter(), time.process_time()
    books = [BookToRead("book", "Book", sections, LANGUAGES["en"])]
    asked = asyncio.run(model.read(books, SCHEMA, LANGUAGES, lambda *_: None))
    return asked, time.perf_counter() - began, time.process_time() - busy


def bodies(cache: str) -> list[bytes]:
    """What was sent, as far as it is kept."""
    export = Path(cache + ".jsonl")
    with Cache(cache) as kept:
        kept.export(export)
    asked = [Kept.model_validate_json(line).request for line in export.read_text(encoding="utf-8").splitlines()]
    return [
        json.dumps({"messages": [row.model_dump() for row in request.messages], **request.sampling.extra}).encode()
        for request in asked
        if request.sampling.extra  # else it is what the probe keeps
    ]


async def bare(port: int, sent: list[bytes], concurrency: int) -> float:
    """Seconds for the same requests without reading a word of the replies: what server and machine allow."""
    due, began = iter(sent), time.perf_counter()

    async def work() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for body in due:
            writer.write(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.rsplit(b":", 1)[1]))
        writer.close()

    await asyncio.gather(*(work() for _ in range(concurrency)))
    return time.perf_counter() - began


def speed(count: int, seconds: float, concurrency: int) -> None:
    """Prints the time against the ideal, against a loop that does nothing else, and the time of a rerun."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(ROOT / "tests" / "slow_server.py"), str(seconds)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        port = int(server.stdout.readline())
        limits, cache = Limits(concurrency=concurrency), f"{folder}/replies.sqlite"
        endpoint = OpenAIEndpoint(model="slow", base_url=f"http://127.0.0.1:{port}/v1", limits=limits, cache=cache)
        model = Llm(endpoint=endpoint, kinds=("section",))
        sections = book(count)
        try:
            asked, took, busy = read(model, sections)
            again, second, _ = read(model, sections)
            sent = bodies(cache)
            loop = asyncio.run(bare(port, sent, concurrency))
        finally:
            server.kill()
            server.wait()
        calls = asked.spend.calls
        ideal = calls * seconds / concurrency
        edges = sum(len(leaf.judged.edges) for leaf in asked.readings["book"].leaves)
        print(f"{calls} calls, {concurrency} at once: {took:.1f} s; ideal {ideal:.1f} s: {ideal / took:.1%}")
        share = f"{loop:.1f} s, {loop / took:.1%} of our time"
        print(f"{len(sent)} of them in a bare loop: {share}; our CPU: {1000 * busy / calls:.1f} ms per call")
        print(f"{edges} edges; again: {again.spend.calls} calls, {second:.1f} s")


def damages(rng: random.Random) -> dict[str, Callable[[str], str]]:
    """Ways in which models damage quotations."""

    def wrong_character(text: str) -> str:
        places = [at for at, character in enumerate(text) if character.isalpha()]
        han = not text.isascii() and not re.search("[a-z]{3}", text)
        chosen = set(rng.sample(places, max(1, len(places) // (60 if not han else 24))))
        return "".join(("的" if han else "x") if at in chosen else c for at, c in enumerate(text))

    def dropped(text: str) -> str:
        units = text.split() if " " in text else list(text)
        kept = [unit for unit in units if rng.random() > 0.12]
        return (" " if " " in text else "").join(kept)

    def elided(text: str) -> str:
        third = len(text) // 3
        return f"{text[:third].rstrip()} … {text[-third:].lstrip()}"

    return {
        "verbatim": lambda text: text,
        "case": str.upper,
        "spacing": lambda text: re.sub(r"\s+", "  \n", text) if " " in text else " ".join(text),
        "punctuation": lambda text: re.sub(r"[,.;:，。；：]", "", text),
        "ellipsis": elided,
        "one wrong character in twelve words": wrong_character,
        "12 % of the words dropped": dropped,
    }


def alignment() -> None:
    """Prints, per language and damage, the share accepted, shown to people, and not found."""
    for code, files in (("en", ["physics/physics-8.md", "physics/physics-9.md"]), ("zh", ["physics_zh/wuli-8.md"])):
        sections = list(_sections(code, files))
        for name, damage in damages(random.Random(1)).items():
            print(f"{code}  {name:38} {_shares(sections, damage)}")
        print(f"{code}  {'a sentence of another section':38} {_shares(sections, lambda text: text, foreign=True)}")


def _sections(code: str, files: list[str]) -> Iterator[Section]:
    for file in files:
        text = (ROOT / "corpus" / file).read_text(encoding="utf-8")
        for part in re.split(r"^#{1,2} ", text, flags=re.MULTILINE):
            plain = re.sub(r"[*_`$]", "", part)
            if len(plain) > 800 and not GLOSSARY.match(plain):
                yield plain_section(plain, code)


def _shares(sections: list[Section], damage: Callable[[str], str], *, foreign: bool = False) -> str:
    rng = random.Random(2)
    grades: dict[str, int] = {"verbatim": 0, "fuzzy": 0, "doubtful": 0, "none": 0}
    total = 0
    for at, section in enumerate(sections):
        aligner = Aligner(section)
        source = sections[(at + 1) % len(sections)] if foreign else section
        spans = [span for span in sentences(source.text, LANGUAGES[section.language]) if _long(source.text, span)]
        for start, end in rng.sample(spans, min(12, len(spans))):
            quote = source.text[start:end]
            if foreign and quote in section.text:
                continue
            grades[aligner.find(damage(quote)).grade] += 1
            total += 1
    accepted = grades["verbatim"] + grades["fuzzy"]
    shares = [("accepted", accepted), ("to people", grades["doubtful"]), ("not found", grades["none"])]
    return f"{total:4} quotes: " + ", ".join(f"{name} {count / total:6.1%}" for name, count in shares)


def _long(text: str, span: tuple[int, int]) -> bool:
    sentence = text[span[0] : span[1]]
    return len(sentence) >= (15 if not sentence.isascii() and " " not in sentence else 50) and "\n" not in sentence


if __name__ == "__main__":
    words = sys.argv[1:]
    alignment()
    speed(
        int(words[0]) if words else 500,
        float(words[1]) if len(words) > 1 else 0.5,
        int(words[2]) if len(words) > 2 else 32,
    )
