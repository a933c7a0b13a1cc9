from __future__ import annotations

from kg.project import Project
from tests.ingest.paper import SANS_BOLD, Paper, prose, read


def a_book(title: str, title_page: bool) -> Paper:
    paper = Paper()
    if title_page:
        paper.gap(150).line("Physics for All", 34, SANS_BOLD).gap(20).line("A. Author", 14).turn()
    paper.heading("Preface", 18)
    for part in range(4):
        paper.paragraph(prose(80, part))
    paper.file.set_metadata({"title": title})
    return paper


def test_the_configured_title_counts_then_the_printed_one_then_the_files(project: Project) -> None:
    assert read(a_book("Metadata", True), project, title="Ours").title == "Ours"
    assert read(a_book("Metadata", True), project).title == "Physics for All"
    assert read(a_book("Metadata", False), project).title == "Metadata"


def test_the_name_of_a_file_is_no_title(project: Project) -> None:
    assert read(a_book("Microsoft Word - ch1.docx", False), project).title == "Preface"
    assert read(Paper().paragraph(prose(60)), project).title == "book"
