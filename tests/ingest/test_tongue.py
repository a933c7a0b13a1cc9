from __future__ import annotations

from collections.abc import Mapping

from ingest.tongue import recognise
from kg.language import Language


def test_script_and_function_words_tell_the_language(languages: Mapping[str, Language]) -> None:
    assert recognise("The speed of a body is the distance that it covers in one second.", languages)[0] == "en"
    assert recognise("物体在单位时间内通过的路程叫做速度。km/h 是常用的单位。", languages)[0] == "zh"


def test_text_in_no_known_language_has_hardly_a_function_word(languages: Mapping[str, Language]) -> None:
    assert recognise("vxbnq wrtzp kkjhg mnbvc " * 20, languages)[1] < 0.02
    assert recognise("The cat and the dog are in the house.", languages)[1] > 0.3


def test_no_text_at_all_is_no_error(languages: Mapping[str, Language]) -> None:
    assert recognise("", languages) == ("en", 0.0)


def test_a_chinese_book_full_of_commands_is_chinese(languages: Mapping[str, Language]) -> None:
    text = "在运行这个命令之前，您需要先安装软件包。 dpkg-buildpackage --before-build --source-option=unapply " * 20
    assert recognise(text, languages)[0] == "zh"
    english = "The word 物理 is Chinese and means physics, and 数学 is the word for mathematics. " * 20
    assert recognise(english, languages)[0] == "en"
