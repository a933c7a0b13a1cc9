"""Everything that tasks and products ask of a graph, put together once.

In: a graph, a schema, a language pack. Out: `Material`.
"""

from __future__ import annotations

from dataclasses import dataclass

from derive.pack import Pack
from derive.places import Places
from derive.verbalise import Verbaliser
from derive.view import GraphView
from derive.words import Words
from kg.graph import Graph
from kg.language import Language
from kg.schema import GraphSchema
from kg.sequence import chapter_edges


@dataclass(frozen=True)
class Material:
    """A graph made ready."""

    view: GraphView
    places: Places
    words: Words
    speak: Verbaliser
    pack: Pack
    language: Language


def material_of(graph: Graph, schema: GraphSchema, language: Language, offered: str = "") -> Material:
    """The material; chapter edges are derived where the graph has none. For `offered` see `Verbaliser`.

    Raises SettingsError if the language pack's part does not fit.
    """
    pack = language.part("derive", Pack)
    view = GraphView(graph, schema)
    places = Places(view, pack.stages)
    if not view.linked("sequence"):
        view.add(chapter_edges(view.edges(), places.homes(), places.order, schema))
    return Material(view, places, Words(view, language), Verbaliser(view, places, pack, offered), pack, language)
