"""A prompt is a file with a part per role, and what is put into it stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import SettingsError
from kg.llm import Message
from kg.prompt import Prompt, load


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_parts_become_messages(tmp_path: Path) -> None:
    prompt = load(
        write(tmp_path / "ask.en.md", "# system\n\nBe brief.\n\n# user\n\nWhat is {{thing}}?\n# not a role\n"[:-13])
    )
    assert prompt.messages({"thing": "力"}) == (
        Message(role="system", content="Be brief."),
        Message(role="user", content="What is 力?"),
    )
    assert (prompt.name, prompt.places) == ("ask.en", {"thing"})


@given(st.text(max_size=40))
def test_what_is_filled_in_is_not_touched(value: str) -> None:
    prompt = Prompt(name="p", parts=(Message(role="user", content="<{{x}}|{{x}}>"),))
    assert prompt.messages({"x": value})[0].content == f"<{value}|{value}>"


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="x"):
        Prompt(name="p", parts=(Message(role="user", content="{{x}}"),)).messages({})


def test_the_fingerprint_follows_what_is_sent(tmp_path: Path) -> None:
    one = load(write(tmp_path / "a.md", "# user\nHello {{x}}\n"))
    same = load(write(tmp_path / "b.md", "# user\n\nHello {{x}}\n\n"))
    other = load(write(tmp_path / "c.md", "# user\nHello {{y}}\n"))
    assert one.fingerprint == same.fingerprint != other.fingerprint


@pytest.mark.parametrize(("text", "message"), [("no heading", "no parts"), ("# teacher\nx", "no such role: teacher")])
def test_a_file_without_roles_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load(write(tmp_path / "a.md", text))


def test_a_prompt_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such prompt"):
        load(tmp_path / "none.md")
