"""Footnotes: small type at the foot of a page that starts with a mark.

In: the drafts of one page. Out: footnotes labelled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.drafts import Draft
from ingest.page import PageContent

MARK = re.compile(r"^(?:\d{1,2}|[*†‡§¶]|[①-⑳]|\[\d{1,2}\])\s*\D")
SMALL = 0.92
FOOT = 0.55
"""Footnotes stand in the page's part below this."""


def label(drafts: Sequence[Draft], body: float, page: PageContent) -> None:
    """Footnotes are labelled `footnote` and carry their mark as number afterwards."""
    for one in reversed(drafts):
        if one.label in ("page_footer", "picture", "table"):
            continue
        small = bool(one.lines) and one.size < SMALL * body and one.place[1] > FOOT * page.height
        if not small or one.frame >= 0 or one.label not in ("text", "list_item"):
            return
        match = MARK.match(one.text)
        raised = any(span.style == "superscript" and span.start == 0 for span in one.lines[0].spans)
        if match and (raised or not match.group(0)[0].isdigit()):
            one.label = "footnote"
            one.number = one.text[: match.end() - 1].strip()
