"""What a question is about and what answers it; conditions that show, hide or bend the answer; grading by type."""

from __future__ import annotations

from typing import Any

import pytest

from derive.linker import Linker
from derive.material import Material
from derive.paths.grade import Grader
from derive.paths.ground import Grounder, Reach, Shelf, about
from derive.paths.mine import Literal, Miner, Sentences
from derive.paths.pack import Pack
from derive.paths.questions import open_item
from derive.paths.stage import EDGES
from derive.paths.tell import Teller, preserved
from derive.paths.value import Values
from kg.language import Language
from kg.similarity import HashedNgrams
from tests.derive.test_paths_value import EN, UNITS


def linker(material: Material) -> Linker:
    return Linker(material, HashedNgrams())


def grounder(material: Material, sentences: bool = True) -> Grounder:
    pack = material.language.part("paths", Pack)
    values = Values(pack, UNITS, 0.01)
    return Grounder(
        material, linker(material), Miner(material, EDGES, ("question",), True), values, Reach(3, 2, sentences)
    )


@pytest.mark.parametrize(
    ("question", "answer", "stage"),
    [
        ("What is needed before cobalt cable?", "amber arch", "exact"),
        ("What is needed before cobalt cable?", "Cobalt cable is built on the amber arch.", "added"),
        ("What is needed before cobalt cable?", "amber arch and brittle beam", "mention"),
        ("What is needed before cobalt cable?", "amber arch, since nobody can weld iron without tools", "mention"),
    ],
)
def test_an_answer_means_a_node_only_if_that_is_what_it_says(
    english_material: Material, question: str, answer: str, stage: str
) -> None:
    sentences = Sentences(english_material.view, (), EN)
    found = grounder(english_material).ground(open_item("q", question, [answer], {}), sentences, Shelf((), EN))
    assert [link.stage for link in found.objects if link.node == "k000"] == [stage]
    assert "k002" in [link.node for link in found.subjects]


def test_chinese_answers_are_linked_in_the_same_way(make_graph: Any, make_material: Any) -> None:
    material: Material = make_material(make_graph("zh"), "zh")
    names = [material.view.nodes[node].name for node in ("k002", "k000")]
    item = open_item("q", f"学习{names[0]}的基础是什么？", [f"基础是{names[1]}"], {})
    found = grounder(material).ground(item, Sentences(material.view, (), EN), Shelf((), EN))
    assert [(link.node, link.stage) for link in found.objects][:1] == [("k000", "added")]
    assert found.candidates and found.candidates[0].trail.nodes == ("k002", "k000")


def test_a_question_never_runs_through_itself_nor_from_a_node_to_itself(english_material: Material) -> None:
    item = open_item("q", "?", ["amber arch"], {"subjects": ["k000", "e000"], "objects": ["k000"], "node": "e000"})
    found = grounder(english_material).ground(item, Sentences(english_material.view, (), EN), Shelf((), EN))
    assert found.candidates == [] and {link.stage for link in found.subjects} == {"given"}


def test_paths_without_a_sentence_are_counted_and_left_out_unless_allowed(english_material: Material) -> None:
    item = open_item("q", "?", ["Hall A"], {"subjects": ["s00"], "objects": ["c0"]})
    sentences = Sentences(english_material.view, (), EN)
    strict = grounder(english_material).ground(item, sentences, Shelf((), EN))
    loose = grounder(english_material, sentences=False).ground(item, sentences, Shelf((), EN))
    assert (len(strict.candidates), strict.without_sentence) == (0, 1) and len(loose.candidates) == 1


def test_values_are_found_by_what_they_say() -> None:
    rows = [Literal("a", "quantity", "9.80 m/s²"), Literal("b", "formula", "F = ma"), Literal("c", "examples", "Ice")]
    shelf = Shelf([*rows, Literal("d", "examples", "March 3, 1999"), Literal("e", "quantity", "9.80 N")], EN)
    look = lambda text: [one.node for one in shelf.like({text.casefold()}, [EN.read(text)], EN)]  # noqa: E731
    assert look("980 cm/s²") == ["a"] and look("9.85 N") == ["e"] and look("9.80 J") == []
    assert look("ma=F") == ["b"] and look("ice") == ["c"] and look("1999-03-03") == ["d"] and look("9.7 m/s²") == []


def test_what_a_question_is_about_is_its_names_and_words(english_material: Material) -> None:
    one, other, same = (
        about(open_item("q", text, ["x"], {}), linker(english_material), english_material)
        for text in (
            "What is needed for the amber arch?",
            "What is needed for the brittle beam?",
            "what is needed for amber arches",
        )
    )
    assert one != other and one == same


@pytest.fixture
def grader(english_material: Material) -> Grader:
    return Grader(english_material, EN, HashedNgrams())


@pytest.mark.parametrize(
    ("accepted", "answer", "right"),
    [
        ("United States", "The United States.", True),
        ("United States", "It was in the United States of America", True),
        ("United States", "the united kingdom", False),
        ("United States", None, False),
        ("United States", " ", False),
        ("12 m/s", "The speed is 12 m/s.", True),
        ("12 m/s", "First 10 s, then 12 m/s", True),
        ("12 m/s", "12 m", False),
        ("12 m/s", "43.2 km/h", True),
        ("Yes", "Yes, all mammals are vertebrates", True),
        ("Yes", "No", False),
        ("F = ma", "ma = F", True),
        ("March 14, 1879", "1879-03-14", True),
        ("mass", " ".join(["mass"] + ["word"] * 50), False),
    ],
)
def test_answers_are_graded_by_their_type(grader: Grader, accepted: str, answer: str | None, right: bool) -> None:
    item = open_item(f"{accepted}{answer}", "?", [accepted], {}).model_copy(
        update={"answer_type": EN.read(accepted).kind}
    )
    assert grader.right(item, answer) is right


def test_a_sentence_that_names_the_wrong_thing_too_is_not_right(grader: Grader) -> None:
    item = open_item("q", "?", ["mass"], {"incorrect": ["weight"]})
    assert grader.right(item, "the mass") and not grader.right(item, "the mass or the weight")
    assert not grader.right(item, "the mass or the force", wrong=["force"])
    known = open_item("r", "?", ["It is an arch."], {"sure": ["k000"]})
    assert grader.right(known, "amber arch")


def test_likeness_is_that_of_the_most_alike_accepted_text(grader: Grader) -> None:
    item = open_item("q", "?", ["mass", "amount of matter"], {})
    first, second, third = grader.likeness([(item, "amount of matter"), (item, "mast"), (item, None)])
    assert first == pytest.approx(1) and 0 < second < 1 and third == 0


def test_a_masked_path_has_no_trace_of_the_answer(english_material: Material, languages: Any) -> None:
    packs: dict[str, tuple[Language, Pack]] = {code: (one, one.part("paths", Pack)) for code, one in languages.items()}
    teller = Teller(english_material, packs, {("zh", "amber arch"): "琥珀拱"})
    (trail,) = Miner(english_material, EDGES, (), True).between("k001", "k000", 1)
    assert teller.masked(["Amber arches; the amber arch", "is", "amber arch"], ["arch"], "en") == (
        "Amber arches; the [?]; is; [?]"
    )
    assert teller.tell(trail, "zh").text.endswith("是一种; 琥珀拱") and teller.tell(trail, "zh").left == 1
    assert teller.tell(trail, "en").left == 0 and len(teller.parts(trail, "zh")) == 3
    assert teller.masked(["a", "is", "b"], [], "en") == "a; is; [?]"


@pytest.mark.parametrize(
    ("translated", "kept"),
    [("速度；等于；3 m/s", True), ("速度;等于;3 m/s", True), ("速度；3 m/s", False), ("速度；等于；4 m/s", False),
     ("速度；；3 m/s", False), ("速度；等于；3 m/s\n注", False), ("", False)],
)  # fmt: skip
def test_a_translation_keeps_every_part_and_number(translated: str, kept: bool) -> None:
    assert preserved("speed; is; 3 m/s", translated) is kept


def test_a_node_that_a_number_only_speaks_of_is_no_answer(english_material: Material) -> None:
    sentences, question = Sentences(english_material.view, (), EN), "How long is the cobalt cable?"
    item = open_item("q", question, ["= 2.5 m", "2.5 m of amber arch"], {})
    assert grounder(english_material).ground(item, sentences, Shelf((), EN)).objects == ()
