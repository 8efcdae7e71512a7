"""A study for analysis: judgments that others published come in, and everything under Understanding works."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

import evaluation as ev
from judging.archive.bundles.importing import import_bundle
from judging.core.faults import StudyRefusedError
from judging.core.services.errors import RefusedError
from judging.core.services.jobs import request
from judging.core.services.studies import open_study
from judging.core.study_imports import no_progress
from judging.models import Assignment, Job, JobKind, Judgment, Membership, Participation, Report, Study, Unit
from judging.models import ReportKind as Kind
from judging.setup.making import copy_study
from judging.setup.study_files.importing import import_study
from judging.understanding.reports.catalogue import FIGURES, MEASURES
from judging.understanding.selectors.reports import report_key
from tests.factories import NOW
from tests.setup.driving import Driver, zipped
from tests.setup.equal import described
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import StudyFolder
from tests.setup.published import COLUMNS, DOCUMENTS, TOPICS, write_published
from tests.support.exports import export_lines

pytestmark = pytest.mark.django_db
PAGES = (
    *("study", "members", "audit", "search", "quality", "worker_statistics", "table1", "events", "workers"),
    *("understanding", "documents", "grades", "results", "figures", "papers", "jobs"),
)


@pytest.fixture
def published(tmp_path: Path) -> Path:
    return write_published(tmp_path / "published")


@pytest.fixture(autouse=True)
def reports_folder(tmp_path: Path, settings: Settings) -> None:
    settings.REPORTS_FOLDER = tmp_path / "reports"


def imported(folder: Path) -> Study:
    return import_study(folder, now=NOW).study


def library(folder: Path, scale: str = "magnitude") -> ev.Judgments:
    """The same judgments, read by the library alone."""
    layout = ev.layout_of("mturk", COLUMNS, {"AssignmentStatus": "Approved"})
    return ev.read_judgments(folder / "batch.csv", layout=layout, scale=scale)


@pytest.mark.parametrize("scale", ["magnitude", "rating"])
def test_the_gains_are_those_of_the_library_to_the_last_bit(tmp_path: Path, scale: str) -> None:
    folder = write_published(tmp_path / "published", scale=scale)
    study = imported(folder)
    lines = [line.split("\t") for line in export_lines(study, "gains", "qrels")]
    assert [(topic, document, float(gain)) for topic, _, document, gain in lines] == list(
        ev.gains(library(folder, scale)).table.iter_rows()
    )


def test_it_is_closed_and_what_is_not_known_is_empty(published: Path) -> None:
    study = imported(published)
    assert (study.state, study.purpose, study.topics.count()) == ("closed", "analysis", len(TOPICS))
    assert Unit.objects.count() == 11
    assert Judgment.objects.count() == 11 * len(DOCUMENTS)
    assert set(Assignment.objects.values_list("back_uses", "failed_checks", "started_at")) == {(None,) * 3}
    assert set(Judgment.objects.values_list("visible_seconds", "revisions")) == {(None, None)}
    assert Judgment.objects.filter(justification__startswith="because").count() == Judgment.objects.count()
    assert set(study.documents.values_list("text", flat=True)) == {""}
    assert set(study.topics.values_list("title", flat=True)) == {""}


def test_a_worker_can_have_several_units_of_a_topic(published: Path) -> None:
    batch = published / "batch.csv"
    batch.write_text(re.sub(r",W[0-9]+,", ",W,", batch.read_text()))
    imported(published)
    assert Participation.objects.get().assignments.count() == 11


def test_titles_texts_and_anchors_can_be_given(published: Path) -> None:
    file = published / "study.toml"
    (published / "documents.jsonl").write_text('{"id": "d0", "title": "T", "text": "A text."}\n')
    file.write_text(
        file.read_text()
        + '[documents]\nformat = "jsonl"\npath = "documents.jsonl"\n'
        + '[[topic]]\nnumber = "402"\ntitle = "Bread"\n'
        + '[[anchor]]\ntopic = "402"\nH = "d0"\nN = "d4"\n'
    )
    result = import_study(file, now=NOW)
    study = result.study
    assert study.topics.get(number="402").title == "Bread"
    assert study.documents.get(document_id="d0").text == "A text."
    anchors = (
        study.topics.get(number="402").pool.exclude(anchor="").values_list("anchor", "document__document_id")
    )
    assert sorted(anchors) == [("H", "d0"), ("N", "d4")]
    # d0 is N in the letters: a warning that names the topic and the document, and no refusal.
    assert any("402" in str(notice) and "d0" in str(notice) for notice in result.notices)


def test_levels_that_are_numbers_stay_numbers(published: Path) -> None:
    study = imported(published)
    levels = study.grade_sets.get(name="expert").grades.values_list("level", flat=True)
    assert set(levels) == {"0", "1", "2", "3", "4"}
    assert set(study.grade_sets.get(name="letters").grades.values_list("level", flat=True)) == set("NMRH")


def compute(study: Study, kind: Kind, **parameters: object) -> dict[str, object]:
    """Compute a report as its job does, and return its content."""
    about = {"report": kind.value, "parameters": parameters, "key": report_key(kind, parameters)}
    job = Job.objects.get(pk=request(kind=JobKind.REPORT, study=study, parameters=about, now=NOW).pk)
    assert (job.state, job.error) == ("done", "")
    content: dict[str, object] = Report.objects.filter(study=study, kind=kind.value).latest("pk").content
    return content


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scale", ["magnitude", "rating"])
def test_every_report_is_computed(tmp_path: Path, scale: str) -> None:
    study = imported(write_published(tmp_path / "published", scale=scale))
    grades = compute(study, Kind.GRADES)
    keys = {table["key"] for table in grades["tables"]}
    assert keys >= {"boxes", "adjacent", "alpha", "agreement", "cross"}
    assert ("disagreements" in keys, "grade-ratios" in keys) == (True, scale == "magnitude")
    boxes = next(table for table in grades["tables"] if table["key"] == "boxes")
    assert [row[:2] for row in boxes["rows"]] == [
        *(["expert", level] for level in "01234"),
        *(["letters", letter] for letter in "NMRH"),
    ]
    compute(study, Kind.DOCUMENTS)
    of_topics = Report.objects.filter(study=study, kind=Kind.DOCUMENTS.value, parameters__has_key="topic")
    documents = of_topics.latest("pk").content["documents"]
    assert {row["document"] for row in documents} == set(DOCUMENTS)
    assert all(row["spread"] is None for row in documents) == (scale == "rating")
    assert compute(study, Kind.SCORES, measures=list(MEASURES))["tables"]
    for name, figure in FIGURES.items():
        # There are no anchors, and the first set has numbers instead of the letters H, R and M.
        if name not in ("anchor-ratios", "gain-profile", "grade-ratios"):
            more = {"measures": list(figure.measures)} if figure.measures else {}
            assert compute(study, Kind.FIGURE, figure=name, **more)["tables"], name


@pytest.mark.django_db(transaction=True)
def test_every_page_is_shown(published: Path, console: Client) -> None:
    study = imported(published)
    compute(study, Kind.GRADES)
    compute(study, Kind.DOCUMENTS)
    for name in PAGES:
        response = console.get(reverse(f"console:{name}", args=[study.slug]), {"topic": "401"})
        assert response.status_code == 200, name
    worker = Participation.objects.first()
    assert console.get(reverse("console:worker", args=[study.slug, worker.pseudonym])).status_code == 200
    query = {"topic": "401", "id": "d0"}
    assert console.get(reverse("console:document", args=[study.slug]), query).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_what_needs_workers_is_refused(published: Path, console: Client) -> None:
    study = imported(published)
    for name in ("setup_change", "copy", "as_worker"):
        response = console.post(reverse(f"console:{name}", args=[study.slug]))
        assert response.status_code in (302, 403), name
    assert not Study.with_hidden.exclude(pk=study.pk).exists()


def test_the_rules_of_stored_data_hold(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported(published)
    call_command("check_integrity")
    assert capsys.readouterr().err == ""


def test_a_bundle_of_it_rebuilds_the_same_gains(tmp_path: Path) -> None:
    study = imported(write_published(tmp_path / "published", scale="rating"))
    call_command("export", study.slug, "--what", "bundle", "-o", str(tmp_path / "study.zip"))
    again = import_bundle(
        tmp_path / "study.zip", slug="again", now=NOW, progress=no_progress, written=lambda imported: None
    ).study
    assert (again.purpose, again.scale) == ("analysis", "rating")
    for what in ("gains", "judgments"):
        form = "qrels" if what == "gains" else "csv"
        assert list(export_lines(again, what, form)) == list(export_lines(study, what, form))


def test_nobody_can_open_copy_or_update_it(published: Path, researcher: object) -> None:
    study = imported(published)
    with pytest.raises(RefusedError):
        open_study(study=study, now=NOW)
    with pytest.raises(RefusedError):
        copy_study(study=study, slug="copy", owner=researcher, now=NOW)
    with pytest.raises(StudyRefusedError):
        import_study(published, update=True, now=NOW)
    assert Client().get(f"/s/{study.slug}/").status_code in (200, 403, 404)


def edit(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "place", "named"),
    [
        ("study.toml", 'layout = "mturk"', 'layout = "appen"', "study.toml:8: judgments.layout", ("appen",)),
        ("study.toml", "topic_id = ", "topic = ", "study.toml:10: judgments.columns", ("topic",)),
        ("study.toml", "Input.topic", "Input.query", "batch.csv:1", ("Input.query",)),
        ("study.toml", '"Approved"', '"Paid"', "batch.csv:1", ("Paid",)),
        ("study.toml", "batch.csv", "none.csv", "study.toml:7: judgments.path", ("none.csv",)),
        ("study.toml", 'purpose = "analysis"\n', "", "study.toml:5: judgments", ("judgments",)),
        ("study.toml", '"numbers"', '"letters"', "study.toml:15: grades.format", ("letters",)),
        ("study.toml", 'scale = "magnitude"', 'scale = "likert"', "study.toml:4: scale", ("likert",)),
        ("study.toml", 'layout = "mturk"\n', "", "batch.csv:1", ("unit_id",)),
        (
            "study.toml",
            'format = "numbers"',
            'format = "numbers"\nunlisted = "N"',
            "study.toml:16: grades.unlisted",
            (),
        ),
        ("batch.csv", ",d", ",d 0", "batch.csv:2: document_id", ()),
        ("batch.csv", "A0,W0", "A0," + "W" * 201, "batch.csv:2: worker_id", ("200",)),
        ("expert.qrels", "401 0 d0 0", "401 0 d0 good", "expert.qrels:1: grade", ("good",)),
    ],
)
def test_a_problem_is_named_with_its_place(
    published: Path, name: str, old: str, new: str, place: str, named: tuple[str, ...]
) -> None:
    edit(published, name, old, new)
    with pytest.raises(StudyRefusedError) as refused:
        imported(published)
    lines = [line.replace(f"{published}/", "") for line in refused.value.lines]
    assert_error_line(next(line for line in lines if line.startswith(place)), place, *named)
    assert not Study.objects.exists()
    assert not Judgment.objects.exists()


def test_a_rating_cannot_be_below_zero(tmp_path: Path) -> None:
    folder = write_published(tmp_path / "published", scale="rating")
    batch = folder / "batch.csv"
    batch.write_text(re.sub(r"(A0,W0,Approved,401,(?:d\d,){8})\d+", r"\1-1", batch.read_text()))
    with pytest.raises(StudyRefusedError) as refused:
        imported(folder)
    assert_error_line(refused.value.lines[0].replace(f"{folder}/", ""), "batch.csv:2: relevance_score", "-1")


@pytest.mark.django_db(transaction=True)
def test_an_upload_becomes_a_study_of_its_uploader(
    driver: Driver, published: Path, settings: Settings
) -> None:
    driver.upload_study("published.zip", zipped(published))
    job = Job.objects.latest("pk")
    assert (job.state, job.result["judgments"]) == ("done", 11 * len(DOCUMENTS))
    study = Study.objects.get(slug="published")
    assert Membership.objects.get(study=study).role == "owner"
    assert not any(Path(settings.DRAFTS_FOLDER).iterdir())
    driver.get(f"/console/studies/{study.slug}/")
    assert driver.status == 200


@pytest.mark.django_db(transaction=True)
def test_problems_of_an_upload_are_listed_without_paths_of_the_server(
    driver: Driver, published: Path, settings: Settings
) -> None:
    edit(published, "study.toml", "Input.topic", "Input.query")
    driver.upload_study("published.zip", zipped(published))
    job = Job.objects.latest("pk")
    assert job.error
    assert str(settings.DRAFTS_FOLDER) not in str(job.result)
    assert not any(Path(settings.DRAFTS_FOLDER).iterdir())
    assert not Study.objects.exists()


def contents(study: Study) -> tuple[object, ...]:
    return (
        described(study),
        sorted(
            Judgment.objects.filter(assignment__topic__study=study).values_list(
                "assignment__topic__number", "pool_document__document__document_id", "number"
            )
        ),
        Participation.objects.filter(study=study).count(),
    )


def test_replacing_a_study_gives_the_study_that_starts_with_its_files(tmp_path: Path) -> None:
    """The law: to import files and then their corrections is to import the corrections."""
    wrong = write_published(tmp_path / "wrong", units=9)
    (wrong / "good.run").write_text("401 Q0 d1 1 9 wrong\n")
    right = write_published(tmp_path / "right")
    study = imported(wrong)
    only = import_study(right, slug="only", now=NOW).study
    assert contents(study) != contents(only)
    call_command("import_study", str(right), "--replace")
    study.refresh_from_db()
    assert contents(study) == contents(only)
    assert Study.objects.count() == 2


def test_a_correction_with_a_fault_replaces_nothing(published: Path) -> None:
    study = imported(published)
    before = contents(study)
    text = (published / "batch.csv").read_text()
    (published / "batch.csv").write_text(text.replace("d1,", ",", 1).replace("Answer.score2", "Answer.other"))
    with pytest.raises(StudyRefusedError):
        import_study(published, replace=True, now=NOW)
    study_file = published / "study.toml"
    study_file.write_text(study_file.read_text().replace("batch.csv", "good.run"))
    with pytest.raises(StudyRefusedError):
        import_study(published, replace=True, now=NOW)
    assert contents(study) == before


def test_a_study_of_another_purpose_is_not_replaced(published: Path, tmp_path: Path) -> None:
    StudyFolder(tmp_path / "small").imported(slug="published")
    with pytest.raises(StudyRefusedError, match="another purpose"):
        import_study(published, replace=True, now=NOW)
