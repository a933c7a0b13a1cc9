"""What is written block by block is what would be written at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ingest.writing import Written
from kg.document import Block, Document, Page, Prov
from kg.section import document_text

LABELS = st.sampled_from(["text", "page_header", "section_header", "table"])
TEXTS = st.one_of(st.just('{"blocks":[]}'), st.text(max_size=30))


@given(st.lists(st.tuples(LABELS, TEXTS), max_size=6), TEXTS)
def test_a_document_written_in_pieces_has_the_bytes_of_the_whole(found: list[tuple[str, str]], title: str) -> None:
    blocks = [
        Block.model_validate(
            {
                "id": str(number),
                "label": label,
                "text": text,
                "prov": [Prov(page=0, bbox=(0, 0, 1, 1), start=0, end=len(text))],
                "level": 1 if label == "section_header" else None,
            }
        )
        for number, (label, text) in enumerate(found)
    ]
    shell = Document(
        book="b",
        title=title,
        language="en",
        sha256="0",
        engine="e",
        pages=(Page(index=0, width=1, height=1),),
        blocks=(),
        warnings=(title,),
    )
    whole = shell.model_copy(update={"blocks": tuple(blocks)})
    written = Written(shell, iter(blocks))
    assert written.json.decode() == whole.to_json()
    assert written.markdown.decode() == document_text(whole)
    assert written.labels.total() == len(blocks)
