"""One page about the trees, and what a model knows of each branch.

In: everything the recipe made. Out: the bytes of `taxonomy/index.html`, which asks for nothing from anywhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape

from derive.page import shell
from derive.statistics import Estimate
from derive.taxonomy.accuracy import BranchRow
from derive.taxonomy.build import Made
from derive.taxonomy.tree import KINDS, Kind, TreeRow

MOST_LEAVES, EXAMPLES = 12, 2
FILES = "structure, concepts, definitions, sheet, questions, dropped, accuracy, gaps (.jsonl); summary.json"


def page(made: Made, least: int) -> bytes:
    """The page; whatever a book says stays text."""
    writer = _Page(made, least)
    title = writer.text("title", subject=made.subject)
    body = [
        f"<h1>{title}</h1>",
        writer.lead(),
        *(writer.tree(kind) for kind in KINDS),
        writer.definitions(),
        writer.questions(),
        writer.coverage(),
        writer.accuracy(),
        f'<p class="dim">{writer.text("files", files=FILES)}</p>',
    ]
    return shell(made.summary.language, title, "\n".join(part for part in body if part))


class _Page:
    """Parts of the page."""

    def __init__(self, made: Made, least: int) -> None:
        self._made, self._least = made, least
        self._models = list(dict.fromkeys(row.model for row in made.branches))
        self._hits: dict[tuple[str, str], dict[str, BranchRow]] = defaultdict(dict)
        for row in made.branches:
            self._hits[row.tree, row.node][row.model] = row

    def text(self, key: str, **fields: object) -> str:
        """A text of the page, escaped; its key where the language has none."""
        return escape(self._made.pack.page.get(key, key).format(**fields))

    def lead(self) -> str:
        """What there is."""
        trees = self._made.summary.trees.values()
        links = sum(sum(tree.links.values()) for tree in trees)
        cut = sum(tree.links.get("loop", 0) for tree in trees)
        return f"<p>{self.text('lead', nodes=sum(tree.nodes for tree in trees), links=links, cut=cut)}</p>"

    def tree(self, kind: Kind) -> str:
        """The layers, and the tree to unfold, with the accuracy of each branch."""
        found = self._made.summary.trees[kind]
        head = [self.text(key) for key in ("level", "nodes", "categories", "leaves")]
        table = [[level, row.nodes, row.categories, row.leaves] for level, row in found.levels.items()]
        rows = list(self._made.trees[kind])
        below: dict[str, list[TreeRow]] = defaultdict(list)
        for row in rows[1:]:
            below[row.parent].append(row)
        links = ", ".join(f"{why} {count}" for why, count in found.links.items()) or self.text("none")
        shown = self._branch(kind, rows[0], below)
        return f"<h2>{self.text(kind)}</h2>{_table(head, table)}<p>{self.text('links')}: {escape(links)}</p>{shown}"

    def _branch(self, kind: Kind, row: TreeRow, below: dict[str, list[TreeRow]]) -> str:
        inner = [one for one in below.get(row.id, ()) if below.get(one.id)]
        leaves = [one for one in below.get(row.id, ()) if not below.get(one.id)]
        named = ", ".join(escape(one.name) for one in leaves[:MOST_LEAVES])
        if len(leaves) > MOST_LEAVES:
            named += f" {self.text('more', count=len(leaves) - MOST_LEAVES)}"
        parts = "".join(self._branch(kind, one, below) for one in inner)
        body = parts + (f"<p>{named}</p>" if named else "")
        scores = self._scores(kind, row.id)
        head = f'{escape(row.name)} <span class="dim">{row.below}{scores}</span>'
        unfolded = " open" if row.level == 0 else ""
        return f"<details{unfolded}><summary>{head}</summary><div>{body}</div></details>"

    def _scores(self, kind: Kind, node: str) -> str:
        found = self._hits.get((kind, node), {})
        return "".join(
            f" · {escape(model)} {_share(found[model].accuracy)}" for model in self._models if model in found
        )

    def definitions(self) -> str:
        """One row per criterion."""
        found = self._made.summary.definitions
        fields = {"given": found.stated, "all": found.things, "good": found.complete_before}
        lead = self.text("definitions_lead", done=found.complete_after, **fields)
        rows = [[escape(name.replace("_", " ")), _share(share)] for name, share in found.before.items()]
        table = _table([self.text("criterion"), self.text("before")], rows)
        return f"<h2>{self.text('definitions')}</h2><p>{lead}</p>{table}"

    def questions(self) -> str:
        """One row per kind, with examples."""
        found = self._made.summary.questions
        dropped = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in found.dropped.items())
        lead = self.text("questions_lead", kept=sum(found.kept.values()), made=found.made, dropped=dropped or "0")
        rows = [[escape(kind.replace("_", " ")), count] for kind, count in found.kept.items()]
        shown = "".join(self._examples(kind) for kind in found.kept)
        table = _table([self.text("kind"), self.text("kept")], rows)
        return f"<h2>{self.text('questions')}</h2><p>{lead}</p>{table}{shown}"

    def _examples(self, kind: str) -> str:
        parts = []
        for item in [item for item in self._made.items if item.task == kind][:EXAMPLES]:
            options = "".join(
                f'<li class="{"right" if letter in item.answer else "wrong"}">{letter}. {escape(text)}</li>'
                for letter, text in item.options.items()
            )
            parts.append(f"<article><p>{escape(item.question)}</p><ul>{options}</ul></article>")
        return f"<details><summary>{escape(kind.replace('_', ' '))}</summary><div>{''.join(parts)}</div></details>"

    def coverage(self) -> str:
        """One row per corpus."""
        if not self._made.summary.coverage:
            return ""
        head = [self.text(key) for key in ("corpus", "texts", "covered")]
        head += [self.text("reverse", tree=self._made.pack.page.get(kind, kind)) for kind in KINDS]
        rows = [
            [escape(row.corpus), row.texts, _share(row.covered), *(_share(row.reverse[kind]) for kind in KINDS)]
            for row in self._made.summary.coverage
        ]
        return f"<h2>{self.text('coverage')}</h2><p>{self.text('coverage_lead')}</p>{_table(head, rows)}"

    def accuracy(self) -> str:
        """The first two layers of branches, one column per model; and how alike models are."""
        if not self._made.branches:
            return ""
        rows = [
            ["&emsp;" * row.level + escape(row.name), *(self._cell(kind, row.id, model) for model in self._models)]
            for kind in KINDS
            for row in self._made.trees[kind]
            if row.level <= 2 and (kind, row.id) in self._hits
        ]
        models = [
            pair for pair in self._made.summary.pairs if pair.other in self._models and pair.pearson.value is not None
        ]
        alike = "".join(
            f"<p>{self.text('correlation', one=pair.one, other=pair.other, value=pair.pearson.value)}</p>"
            for pair in models
        )
        lead = self.text("accuracy_lead", least=self._least)
        table = _table([self.text("branch"), *map(escape, self._models)], rows)
        return f"<h2>{self.text('accuracy')}</h2><p>{lead}</p>{table}{alike}"

    def _cell(self, kind: Kind, node: str, model: str) -> str:
        found = self._hits[kind, node].get(model)
        return f'{_share(found.accuracy)} <span class="dim">n={found.accuracy.n}</span>' if found else "–"


def _share(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return f"{found.value * 100:.0f} % ({found.low * 100:.0f}–{found.high * 100:.0f})"


def _table(head: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """Cells are HTML already."""
    first = "".join(f"<th>{cell}</th>" for cell in head)
    rest = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{first}</tr>{rest}</table></div>'
