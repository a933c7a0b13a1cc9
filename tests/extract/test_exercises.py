"""Exercises, worked examples and the answer key."""

from __future__ import annotations

from typing import Any

from extract.answers import answer_key, chapter_number
from extract.examples import worked_examples
from extract.exercises import Question, exercises
from extract.pack import pack_of


def _questions(shelf: Any, parts: list[tuple[Any, ...]], code: str = "en") -> list[Question]:
    book = shelf.book(parts, code)
    return [*worked_examples(book), *exercises(book, answer_key(book))]


def _exercises(shelf: Any, *lines: str, code: str = "en") -> list[Question]:
    return _questions(shelf, [("exercises", "1", "Exercises", ["# Exercises", *lines])], code)


def _one(shelf: Any, *lines: str, code: str = "en") -> Question:
    return _exercises(shelf, *lines, code=code)[0]


SECTION = ("section", "1.1", "Speed", ["# 1.1 Speed", "**Speed** is a rate."])


def test_options_make_a_multiple_choice_question(shelf: Any) -> None:
    question = _one(shelf, "- 1. What is speed?", "- a. a rate", "- b. a mass", "- c. a force")
    assert (question.kind, question.options) == ("multiple_choice", ["a rate", "a mass", "a force"])
    assert question.evidence[0].quote == "What is speed?"


def test_lettered_tasks_are_parts_and_not_options(shelf: Any) -> None:
    question = _one(
        shelf, "- 1. A car drives 20 m in 2 s.", "- (a) Find its speed.", "- (b) How far does it go in 5 s?"
    )
    assert (question.kind, question.options) == ("open", [])
    assert question.stem.endswith("(a) Find its speed.\n(b) How far does it go in 5 s?")


def test_options_in_one_line_are_taken_apart(shelf: Any) -> None:
    question = _one(shelf, "- 1. 力的单位是（　　） A. 米 B. 千克 C. 牛顿 D. 秒", code="zh")
    assert (question.stem, question.options) == ("力的单位是（ ）", ["米", "千克", "牛顿", "秒"])


def test_true_or_false_and_gaps_are_kinds_of_their_own(shelf: Any) -> None:
    assert _one(shelf, "- 1. Is speed a rate?", "- a. True", "- b. False").kind == "true_false"
    assert _one(shelf, "- 1. The unit of force is the ____.").kind == "fill_in"


def test_text_that_asks_nothing_is_no_exercise(shelf: Any) -> None:
    parts = [("section", "1.1", "S", ["# 1.1 S", "## Check Your Understanding", "These problems are hard."])]
    assert _questions(shelf, parts) == []


def test_difficulty_follows_the_stated_rule(shelf: Any) -> None:
    assert _one(shelf, "- 1. What is speed?").difficulty == 2
    assert _one(shelf, "- 1. A car drives 20 m in 5 s. How fast is it?").difficulty == 3
    assert _one(shelf, "## Critical Thinking", "- 1. Prove that 20 m in 5 s is slow.").difficulty == 5
    assert _one(shelf, "## Conceptual Questions", "- 1. What is speed?").difficulty == 1


def test_an_answer_is_found_by_chapter_group_and_number(shelf: Any) -> None:
    asked = ["# Review", "## Concepts", "- 1. What is speed?", "## Problems", "- 1. How fast is it?"]
    key = [
        "# Answers",
        "## Chapter 1",
        "### Concepts",
        "- 1. a rate",
        "### Problems",
        "- 1. 3 m/s",
        "## Chapter 2",
        "- 1. no",
    ]
    parts = [SECTION, ("exercises", "1", "Review", asked), ("answers", "", "Answers", key)]
    assert [question.answer for question in _questions(shelf, parts)] == ["a rate", "3 m/s"]
    assert "a rate" in _questions(shelf, parts)[0].evidence[-1].quote


def test_no_answer_is_better_than_the_answer_to_another_question(shelf: Any) -> None:
    asked = ["# Review", "## Concepts", "- 1. What is speed?", "## Problems", "- 1. How fast is it?"]
    key = ["# Answers", "## Chapter 1", "- 1. a rate"]
    parts = [SECTION, ("exercises", "1", "Review", asked), ("answers", "", "Answers", key)]
    assert [question.answer for question in _questions(shelf, parts)] == ["", ""]


def test_a_letter_is_answered_with_the_words_of_its_option(shelf: Any) -> None:
    asked = ["# 习题", "- 1. 力的单位是", "- A. 米", "- B. 牛顿", "- 2. 长度的单位是", "- A. 米", "- B. 牛顿"]
    key = ["# 参考答案", "## 第一章", "1.B 2.A"]
    parts = [("exercises", "1", "习题", asked), ("answers", "", "答案", key)]
    assert [question.answer for question in _questions(shelf, parts, "zh")] == ["B 牛顿", "A 米"]


def test_chapter_numbers_are_read_in_words_and_signs(shelf: Any) -> None:
    english, chinese = (pack_of(shelf.languages[code]) for code in ("en", "zh"))
    assert [chapter_number(text, english) for text in ("Chapter 12", "Chapter IV", "Unit two", "Problems")] == [
        "12",
        "4",
        "2",
        "",
    ]
    assert [chapter_number(text, chinese) for text in ("第三章", "第十二章", "第2章 声")] == ["3", "12", "2"]


def test_an_exercise_belongs_to_the_section_its_heading_names(shelf: Any) -> None:
    second = ("section", "1.2", "Mass", ["# 1.2 Mass", "**Mass** is an amount."])
    asked = ("exercises", "1", "Review", ["# Review", "## 1.1 Speed", "- 1. Why?", "## 1.2 Mass", "- 2. Why not?"])
    topics = [q.topic.row.section_number for q in _questions(shelf, [SECTION, second, asked])]
    assert topics == ["1.1", "1.2"]


def test_exercises_behind_every_section_belong_to_the_one_before(shelf: Any) -> None:
    asked = ["# Exercises", "- 1. Why?"]
    second = ("section", "1.2", "Mass", ["# 1.2 Mass", "Text."])
    parts = [SECTION, ("exercises", "1", "E", asked), second, ("exercises", "1", "E", asked)]
    assert [q.topic.row.section_number for q in _questions(shelf, parts)] == ["1.1", "1.2"]


def test_a_worked_example_has_its_solution_for_an_answer(shelf: Any) -> None:
    lines = ["# 1.1 Speed", "[] WORKED EXAMPLE", "> ### A Marble", "> A marble rolls 5 m in 2 s. How fast is it?"]
    lines += ["> ### Strategy", "> Divide.", "> ### Solution", "> = v = 2.5 m/s", "The text goes on."]
    question = _questions(shelf, [("section", "1.1", "Speed", lines)])[0]
    assert (question.name, question.kind) == ("A Marble", "worked_example")
    assert question.stem == "A marble rolls 5 m in 2 s. How fast is it?"
    assert (question.answer, question.analysis) == ("v = 2.5 m/s", "Divide.")
    assert [quote.quote for quote in question.evidence] == [question.stem, question.answer]


def test_labels_inside_a_paragraph_part_problem_and_solution(shelf: Any) -> None:
    text = "**Problem.** A car drives 20 m in 5 s. How fast is it? **Solution.** It drives 4 m/s."
    question = _questions(shelf, [("section", "1.1", "S", ["# 1.1 S", "## Example 1.1 A Car", text])])[0]
    assert (question.name, question.stem, question.answer) == (
        "A Car",
        "A car drives 20 m in 5 s. How fast is it?",
        "It drives 4 m/s.",
    )


def test_a_chinese_example_in_running_text_is_read(shelf: Any) -> None:
    lines = ["# 1.1 速度", "例1 一辆汽车 5 s 行驶 100 m，速度是多少？", "解：v = 20 m/s。", "## 小结", "正文。"]
    question = _questions(shelf, [("section", "1.1", "速度", lines)], "zh")[0]
    assert (question.stem, question.answer) == ("一辆汽车 5 s 行驶 100 m，速度是多少？", "v = 20 m/s。")


def test_an_example_that_asks_and_solves_nothing_is_none(shelf: Any) -> None:
    lines = ["# 1.1 Speed", "## Example 1.1 Snails", "Snails are slow."]
    assert _questions(shelf, [("section", "1.1", "Speed", lines)]) == []


def test_clauses_behind_a_question_are_answers_to_choose_from(shelf: Any) -> None:
    question = _one(shelf, "- 1. When is it still?", "- (a) When no force acts", "- (b) When it is pushed")
    assert question.options == ["When no force acts", "When it is pushed"]


def test_a_title_over_a_task_is_not_its_stem(shelf: Any) -> None:
    question = _one(shelf, "- 1. Planning Investigations; Cause and Effect", "Design a test of a lever.")
    assert question.stem == "Design a test of a lever."


def test_a_number_that_strayed_from_its_formula_is_no_text(shelf: Any) -> None:
    question = _one(shelf, "- 1. Use this:", "= F = ma", "7.5", "What is F?")
    assert question.stem == "Use this:\nF = ma\nWhat is F?"


def test_a_chapters_answers_belong_to_the_exercises_at_its_end(shelf: Any) -> None:
    inside = ("section", "1.1", "Speed", ["# 1.1 Speed", "## Check Your Understanding", "- 1. Why is it so?"])
    end = ("exercises", "1", "Exercises", ["# Exercises", "- 1. What is it?"])
    answers = ("answers", "", "Answers", ["# Answers", "## Chapter 1", "- 1. A rate."])
    found = {question.stem: question.answer for question in _questions(shelf, [inside, end, answers])}
    assert found == {"Why is it so?": "", "What is it?": "A rate."}


def test_items_that_ask_nothing_by_themselves_begin_with_the_instruction_above_them(shelf: Any) -> None:
    lines = ["# 1.1 Functions", "## Section Exercises", "### Algebraic"]
    lines += ["For the following exercises, find the slope of the line.", "- 1. y = 3x + 2", "- 2. What is a slope?"]
    first, second = _questions(shelf, [("section", "1.1", "Functions", lines)])
    assert first.stem == "For the following exercises, find the slope of the line.\ny = 3x + 2"
    assert first.name.startswith("y = 3x + 2") and "slope" in first.evidence[1].quote
    assert (second.stem, second.told) == ("What is a slope?", [])


def test_an_instruction_ends_with_its_group(shelf: Any) -> None:
    lines = ["## Graphs", "For the following exercises, find the slope.", "- 1. y = 3x", "## Numbers", "- 2. y = 2x"]
    assert [question.told != [] for question in _exercises(shelf, *lines)] == [True, False]


def test_chinese_items_have_their_instruction(shelf: Any) -> None:
    (question,) = _exercises(shelf, "解下列方程：", "- 1. 3x + 2 = 8", code="zh")
    assert question.stem == "解下列方程：\n3x + 2 = 8"


def test_a_numbered_try_it_is_an_exercise(shelf: Any) -> None:
    lines = ["# 1.1 Functions", "## Try It #1", "If y is the price, is y a function of the item?"]
    (question,) = _questions(shelf, [("section", "1.1", "Functions", lines)])
    assert question.stem == "If y is the price, is y a function of the item?"


def test_a_line_that_heads_a_group_ends_the_item_before_it(shelf: Any) -> None:
    lines = ["- 1. 力的单位是（　　）", "- A. 米", "- B. 牛顿", "二、拓展应用", "- 1. 为什么要系安全带？"]
    first, second = _exercises(shelf, *lines, code="zh")
    assert first.options == ["米", "牛顿"] and second.stem == "为什么要系安全带？"


def test_numbers_in_brackets_under_a_numbered_item_are_its_parts(shelf: Any) -> None:
    lines = ["- 1. 判断下列叙述是否正确。", "- （1）力能改变物体的形状。", "- （2）力有大小。", "- 2. 什么是力？"]
    first, second = _exercises(shelf, *lines, code="zh")
    assert first.stem.endswith("（2）力有大小。") and second.stem == "什么是力？"
    alone = _exercises(shelf, "- (1) What is speed?", "- (2) What is mass?")
    assert [question.stem for question in alone] == ["What is speed?", "What is mass?"]
