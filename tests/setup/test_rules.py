"""The rules of a set-up that need no page: estimates, advice on questions, names and formats of files."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from pytest_django import Settings

from judging.models import Setup
from judging.protocol.estimates import Terms, estimate
from judging.protocol.planning import plan_units, unit_rng
from judging.protocol.questions import question_advice
from judging.protocol.setup_files import FileKind
from judging.setup.files import attach, detach, guess_format, set_depth
from judging.setup.intake.column_maps import Format
from judging.setup.making import begin_setup, free_slug
from judging.setup.pages.settings_form import as_number
from judging.setup.steps import step_of
from judging.setup.study_files.uploads import safe_name
from tests.factories import NOW, make_study

TERMS = Terms(
    unit_size=8,
    anchors=2,
    judgments_per_document=10,
    seconds_per_document=20,
    expected_minutes=8,
    pay_per_unit=Decimal("0.20"),
)


def test_an_estimate_is_what_the_plan_comes_to() -> None:
    result = estimate([7, 9], TERMS)
    planned = [len(plan_units(range(size), judgments=10, others=6, rng=unit_rng(1, "1"))) for size in (7, 9)]
    assert planned == [12, 15]
    assert (result.units, result.judgments, result.documents, result.workers) == (27, 216, 16, 15)
    assert (result.cost, result.hourly) == (Decimal("5.40"), Decimal("1.50"))
    assert result.hours == pytest.approx(27 * 8 / 60)
    assert result.least_hours == pytest.approx(27 * 8 * 20 / 3600)


def test_without_topics_an_estimate_is_nothing() -> None:
    result = estimate([], TERMS)
    assert (result.units, result.cost, result.workers) == (0, 0, 0)


GOOD = ["the first of them", "a second answer", "some third thing", "yet a fourth one"]


@pytest.mark.parametrize(
    ("options", "right", "holds"),
    [
        (GOOD, 1, [True] * 6),
        (GOOD, None, [True, True, False, True]),
        ([*GOOD[:3], ""], 1, [True, False, True, True]),
        ([*GOOD[:3], "A  SECOND answer"], 1, [True, False, True, True, True, True]),
        ([*GOOD[:3], "none of these"], 1, [True, True, True, False, True, True]),
        ([*GOOD[:3], GOOD[3] * 3], 3, [True, True, True, True, False, True]),
        ([*GOOD[:3], "sour bread dough"], 3, [True, True, True, True, True, False]),
    ],
)
def test_advice_on_a_question(options: list[str], right: int | None, holds: list[bool]) -> None:
    advice = question_advice("What?", options, right, "Sour bread: what the dough needs")
    assert [item.holds for item in advice] == holds


def test_no_question_is_no_good_question() -> None:
    assert [item.holds for item in question_advice(" ", ["", "", "", ""], None, "")] == [False] * 4


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("run.txt", "run.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\files\\my run.gz", "my-run.gz"),
        ("...", "file"),
        ("", "file"),
        ("study.toml", "file-study.toml"),
        (".hidden", "hidden"),
        ("a\x00b\n", "a-b"),
        ("x" * 300 + ".run", "x" * 76 + ".run"),
    ],
)
def test_uploaded_files_get_safe_names(given: str, made: str) -> None:
    assert safe_name(given) == made


@pytest.mark.parametrize(
    ("kind", "text", "form"),
    [
        ("documents", '{"id": "1", "text": "x"}', "jsonl"),
        ("documents", "id,text\n1,x", "csv"),
        ("documents", "<DOC>\n<DOCNO> 1 </DOCNO>", "trec"),
        ("documents", ".I 1\n.T\nx", "cranfield"),
        ("topics", "<top>\n<num> 1", "trec"),
        ("topics", ".I 001\n.W\nx", "cranfield"),
        ("run", "1 Q0 d 1 2 t", ""),
        ("documents", "", ""),
    ],
)
def test_formats_are_taken_by_the_look(tmp_path: Path, kind: str, text: str, form: str) -> None:
    (tmp_path / "file").write_text(text)
    assert guess_format(tmp_path / "file", kind) == form


def files_of(setup: Setup) -> dict[str, list[tuple[str, str]]]:
    """Return kind → format or name, and path, of the files of a set-up."""
    results: dict[str, list[tuple[str, str]]] = {}
    for file in setup.files.order_by("pk"):
        results.setdefault(file.kind, []).append((file.format or file.name, file.path))
    return results


@pytest.mark.django_db
def test_a_free_name_stays_free_where_names_are_cut_short() -> None:
    names = []
    for _ in range(4):
        names.append(free_slug("x" * 52 + "-copy"))
        make_study(slug=names[-1])
    assert len(set(names)) == 4


@pytest.mark.django_db
def test_files_are_attached_and_removed_again(tmp_path: Path, settings: Settings) -> None:
    settings.DRAFTS_FOLDER = tmp_path
    owner = get_user_model().objects.create_user("ada")
    setup = begin_setup(title="New", owner=owner, now=NOW)
    for name in ("a.jsonl", "b.jsonl"):
        attach(setup, FileKind.DOCUMENTS, name, form=Format("jsonl"))
    for name in ("my qrels.txt", "my qrels.gz"):
        attach(setup, FileKind.GRADES, name)
    assert setup.pool_depth is None
    for name in ("one.run", "two.run"):
        attach(setup, FileKind.RUN, name)
    assert setup.pool_depth == 10
    assert files_of(setup) == {
        "documents": [("jsonl", "a.jsonl"), ("jsonl", "b.jsonl")],
        "grades": [("my-qrels", "my qrels.txt"), ("my-qrels-2", "my qrels.gz")],
        "run": [("", "one.run"), ("", "two.run")],
    }
    attach(setup, FileKind.DOCUMENTS, "c.csv", form=Format("csv"), encoding="latin-1")
    assert files_of(setup)["documents"] == [("csv", "c.csv")]
    attach(setup, FileKind.POOL, "pool.txt")
    assert (setup.pool_depth, files_of(setup)["pool"]) == (None, [("", "pool.txt")])
    set_depth(setup, 5)
    assert "pool" not in files_of(setup)
    for name in ("c.csv", "one.run", "two.run", "my qrels.txt", "my qrels.gz", "absent"):
        detach(setup, name)
    assert files_of(setup) == {}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("0.5", Decimal("0.5")),
        ("07", "07"),
        ("1e3", "1e3"),
        ("٣", "٣"),
        ("9" * 30, "9" * 30),
    ],
)
def test_what_is_no_number_stays_as_it_was_typed(typed: str, value: object) -> None:
    assert as_number(typed) == value


@pytest.mark.parametrize(
    ("place", "field", "step"),
    [
        ("topic 1", "topic.title", "topics"),
        ("topic 1", "question", "topics"),
        ("topic 1", "anchor.H", "anchors"),
        ("topic 1", "document", "anchors"),
        ("topics.txt", "question", "files"),
        ("a.run", "", "files"),
        ("", "documents.path", "files"),
        ("", "pay.pay_per_unit", "terms"),
        ("", "consent", "texts"),
        ("", "topic", "topics"),
        ("", "", "files"),
    ],
)
def test_faults_are_told_at_the_step_that_mends_them(place: str, field: str, step: str) -> None:
    assert step_of(place, field) == step
