from __future__ import annotations

from ingest.lines import Line
from ingest.page import PageContent
from ingest.quality import broken_share, coverage, fault


def a_line(text: str) -> Line:
    return Line(0, text, (60, 60, 300, 70), 10, "Times", False, False, False, 68)


def test_a_page_of_pictures_or_outlines_without_words_has_no_text_layer() -> None:
    whole = (0.0, 0.0, 500.0, 700.0)
    strips = [(0.0, 100.0 * n, 500.0, 100.0 * n + 100) for n in range(7)]
    assert fault(PageContent(0, 500, 700, pictures=[whole]), [], 0.3) == "no text layer"
    assert fault(PageContent(0, 500, 700, pictures=strips), [a_line("7")], 0.3) == "no text layer"
    assert fault(PageContent(0, 500, 700, drawings=500), [], 0.3) == "no text layer"


def test_blank_pages_and_short_title_pages_are_fine() -> None:
    assert fault(PageContent(0, 500, 700), [], 0.3) == ""
    assert fault(PageContent(0, 500, 700, drawings=500), [a_line("Physics")], 0.3) == ""
    assert fault(PageContent(0, 500, 700, pictures=[(0, 0, 100, 100)]), [a_line("Physics")], 0.3) == ""


def test_a_page_full_of_unknown_characters_is_not_used() -> None:
    broken = [a_line("\ufffd\ufffd\ue000 word"), a_line("\ufffd" * 10)]
    assert fault(PageContent(0, 500, 700), broken, 0.3) == "unreadable text layer"
    assert 0.7 < broken_share(broken) < 0.8
    assert fault(PageContent(0, 500, 700), [a_line("readable words"), a_line("\ufffd")], 0.3) == ""


def test_coverage_counts_what_is_on_the_page() -> None:
    assert coverage(PageContent(0, 500, 700, pictures=[(-500, 0, 250, 700)])) == 0.5
    assert coverage(PageContent(0, 500, 700)) == 0.0
