"""What a reply chooses is read as a person would read it, and left unread where a person could not."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.parse import UNREAD, Words, read
from evaluate.words import spoken_words
from kg.language import Language, load
from kg.stage import ROOT

OPTIONS = {"A": "velocity", "B": "acceleration", "C": "mean speed", "D": "distance"}

READ = {
    # bare letters
    "B": "B",
    "b": "B",
    " B\n": "B",
    "B.": "B",
    "Ｂ": "B",
    "A,C": "AC",
    "A, C": "AC",
    "A，C": "AC",
    "Ａ，Ｃ。": "AC",
    "A、C": "AC",
    "C,A": "AC",
    "AC": "AC",
    "acd": "ACD",
    "a, c": "AC",
    "A C D": "ACD",
    "A;C": "AC",
    "A/C": "AC",
    "A+D": "AD",
    "A & C": "AC",
    "A and C": "AC",
    "A, B, and D": "ABD",
    "A和C": "AC",
    "A与D": "AD",
    "A,A": "A",
    "A\nC": "AC",
    "(B)": "B",
    "(A), (C)": "AC",
    "[A, C]": "AC",
    '["A", "C"]': "AC",
    "{A,C}": "AC",
    "（A）（D）": "AD",
    "【B】": "B",
    "“A,C”": "AC",
    "**B**": "B",
    "`A,B`": "AB",
    "$B$": "B",
    r"\boxed{AC}": "AC",
    r"\boxed{\text{B}}": "B",
    "<answer>A,D</answer>": "AD",
    '{"answer": ["B", "C"]}': "BC",
    "- A\n- C": "AC",
    "Option B": "B",
    "Options A and C": "AC",
    "Only B": "B",
    "A and D only": "AD",
    "选项B": "B",
    "A,B,C,D": "ABCD",
    "B<|im_end|>": "B",
    # with the option's text
    "B. acceleration": "B",
    "B) acceleration": "B",
    "A. velocity\nC. mean speed": "AC",
    "A. velocity\nB. accel": "AB",
    # statements
    "Answer: B": "B",
    "The correct answer is B": "B",
    "The correct answer is B.": "B",
    "The correct answer is option C, because A is a vector.": "C",
    "The correct options are A and D.": "AD",
    "The correct options are C": "C",
    "The answer is (B).": "B",
    "the answer is b": "B",
    "The answer to this question is A, C": "AC",
    "The answer should be: **A, C**": "AC",
    "I would choose B": "B",
    "I think it's D.": "D",
    "Final answer: A,B": "AB",
    "First the answer is A. On reflection, the correct answer is C.": "C",
    "The answer is not A. The answer is B.": "B",
    "答案：B": "B",
    "答案是B": "B",
    "答案:Ａ，Ｃ": "AC",
    "正确答案为A、C。": "AC",
    "正确答案是 B 和 D": "BD",
    "选B，因为A不对": "B",
    "选B，因为Ａ不对": "B",
    "故选AC": "AC",
    "应选：BD": "BD",
    "因此选择 C。": "C",
    "不选A，应该选B": "B",
    "我认为是D": "D",
    "正确的是A和B": "AB",
    "本题选B而不选A": "B",
    "选B。错误选项：A": "B",
    # verdicts on the options
    "A and C are correct.": "AC",
    "B is the correct answer": "B",
    "A is correct. B is incorrect. C is correct.": "AC",
    "B是正确的": "B",
    "A正确，B错误，C正确，D错误": "AC",
    "A、C正确": "AC",
    "A不对，B对，C对": "BC",
    # letters first, then reasons
    "B because A is a vector": "B",
    "C\n\nA: wrong unit. B: wrong sign.": "C",
    "B，因为A不对": "B",
    "B (the others are vectors)": "B",
    "A,C。理由：两者都是矢量": "AC",
    "B. It changes with time.": "B",
    "b) it changes with time": "B",
    # reasoning first
    "<think>A? No, C fits better.</think>B": "B",
    "Maybe A or C ...\n</think>\n\nA,C": "AC",
    "<think>A</think>\nThe answer is D": "D",
    "Velocity is a vector, so is acceleration.\n\nA,B": "AB",
    # heard in the wild
    "【答案】A,C\n【解析】B错误": "AC",
    "答：选B、C。": "BC",
    "综上所述，答案为 B,D": "BD",
    "A对B错C对D错": "AC",
    "AB两项正确": "AB",
    "A,C，而不是B": "AC",
    "符合要求的是C": "C",
    "A,B,C (not D)": "ABC",
    "The answer isn’t A; it’s B": "B",
    "The correct answers are:\n- A\n- C": "AC",
    "Based on the question, the correct options are:\n\nA. velocity\nC. mean speed": "AC",
    "The options that are correct are A and D.": "AD",
    "I don't think A is correct. The answer is D.": "D",
    "1. A\n2. C": "AC",
    "A. velocity, C. mean speed": "AC",
    "The answer is B and not A": "B",
    # all
    "All of the above": "ABCD",
    "以上都对": "ABCD",
    "全选": "ABCD",
}

NOT_READ = {
    "": "empty",
    "  \n": "empty",
    "...": "empty",
    "<think>A is wrong, so": "thinking",
    "<think>B</think>": "empty",
    "E": "outside",
    "A,E": "outside",
    "I do not know": "refusal",
    "I cannot decide between A and B": "refusal",
    "I'm not sure.": "refusal",
    "None of the above": "refusal",
    "无法确定": "refusal",
    "我不知道": "refusal",
    "以上都不对": "refusal",
    "抱歉，我无法回答这个问题。": "refusal",
    "A or B": "unclear",
    "The answer is A or B": "unclear",
    "A或B": "unclear",
    "A is wrong": "unclear",
    "A不对": "unclear",
    "不选A": "unclear",
    "Not A": "unclear",
    "All except B": "unclear",
    "A: wrong; B: right; C: wrong": "unclear",
    "A. velocity\nB. acceleration\nC. mean speed\nD. distance": "unclear",
    "The answer is A current that flows": "unclear",
    "A good question about motion": "unclear",
    "Please provide the set of letters": "unclear",
    "bad": "unclear",
    "DAD": "unclear",
    "Vitamin C is needed": "unclear",
    "除了A都选": "unclear",
    "答案是B吗？": "unclear",
    "A, C, and possibly D": "unclear",
    "B.C": "unclear",
    "To answer this, consider each option:\n\nA. velocity - This": "unclear",
    "The answer might be A or C": "unclear",
    "都不选": "refusal",
    "acceleration": "unclear",
    "0": "unclear",
    "<html><body>Bad gateway</body></html>": "unclear",
}


SPOKEN = spoken_words(load(ROOT / "conf" / "language"))


@pytest.fixture
def spoken() -> Words:
    return SPOKEN


@pytest.mark.parametrize(("reply", "letters"), READ.items())
def test_a_reply_that_chooses_is_read(reply: str, letters: str, spoken: Words) -> None:
    reading = read(reply, OPTIONS, spoken)
    assert "".join(reading.letters) == letters, reading.how
    assert reading.how not in UNREAD


@pytest.mark.parametrize(("reply", "how"), NOT_READ.items())
def test_a_reply_that_does_not_choose_is_counted_and_not_guessed(reply: str, how: str, spoken: Words) -> None:
    assert read(reply, OPTIONS, spoken) == ((), how)


def test_letters_are_those_of_the_item(spoken: Words) -> None:
    six = {letter: letter * 3 for letter in "ABCDEF"}
    assert read("A, F", six, spoken).letters == ("A", "F")
    assert read("C", {"A": "x", "B": "y"}, spoken).how == "outside"


def test_without_a_language_bare_letters_are_still_read() -> None:
    assert read("A,C", OPTIONS, Words()).letters == ("A", "C")
    assert read("The answer is B", OPTIONS, Words()).how == "unclear"


@given(st.sets(st.sampled_from("ABCD"), min_size=1), st.sampled_from([",", ", ", "，", "、", " ", "", "; ", "\n"]))
def test_every_list_of_letters_is_read_whatever_separates_it(letters: set[str], separator: str) -> None:
    reply = separator.join(sorted(letters))
    assert set(read(reply, OPTIONS, Words()).letters) == letters


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader_and_what_it_returns_is_in_the_options(reply: str) -> None:
    reading = read(reply, OPTIONS, SPOKEN)
    assert set(reading.letters) <= set(OPTIONS)
    assert bool(reading.letters) == (reading.how not in UNREAD)


def test_long_replies_are_read_in_linear_time(spoken: Words) -> None:
    reply = "A, B or not C, " * 4000 + "the answer is D"
    assert read(reply, OPTIONS, spoken).letters == ("D",)


def test_every_pattern_of_every_language_is_a_regular_expression(languages: Mapping[str, Language]) -> None:
    patterns = [text for group in spoken_words(languages) for text in group]
    assert patterns
    assert all(re.compile(pattern).pattern == pattern for pattern in patterns)
