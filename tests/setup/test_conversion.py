"""A study of the console and one of a study file are the same thing, and convert into each other."""

import tomllib
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from hypothesis import given
from hypothesis import strategies as some

from judging.exports.study_folder import write_study_folder
from judging.intake import import_study
from judging.intake.drafting import change_draft, draft_of_folder, folder_of, values_of
from judging.intake.tables import parse_decimal
from judging.intake.toml_writer import toml_text
from judging.models import Draft, Job, JobKind, KnownGrade, Study, Topic
from judging.services import jobs
from judging.services.errors import RefusedError
from judging.services.studies import retire_topic
from tests.factories import NOW
from tests.intake.folder import StudyFolder
from tests.setup.conftest import SAMPLE
from tests.setup.equal import described

TEXT = some.text(some.characters(exclude_categories=["Cs"]), max_size=30)
PLAIN = TEXT | some.integers() | some.booleans() | some.decimals(allow_nan=False) | some.dates()
VALUES = PLAIN | some.lists(PLAIN, max_size=3) | some.dictionaries(TEXT, PLAIN, max_size=3)
TABLES = some.lists(some.dictionaries(TEXT, VALUES, max_size=3), min_size=1, max_size=3)


@given(some.dictionaries(TEXT, VALUES | TABLES, max_size=5))
def test_what_is_written_as_toml_is_read_back_the_same(values: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(values), parse_float=parse_decimal) == values


@pytest.mark.parametrize(
    "text",
    ['"', '""', '"""', 'a\n"""', "a\n\\", "\n", "a\r\nb", "tab\tand\x7f\x00\n\x7f", "ü\n‘’", 'say "yes"\n'],
)
def test_texts_keep_every_character(text: str) -> None:
    written = toml_text({"a": text, "t": {"b": text}, "many": [{"c": [text], "d": {"e": text}}]})
    read = tomllib.loads(written)
    assert (read["a"], read["t"]["b"], read["many"][0]["c"], read["many"][0]["d"]["e"]) == (
        text,
        text,
        [text],
        text,
    )


def test_numbers_and_times_keep_their_kind() -> None:
    values = {
        "whole": 3,
        "exact": Decimal("0.20"),
        "five": Decimal(5),
        "small": Decimal("1E-9"),
        "moment": datetime(2030, 1, 31, 12, tzinfo=UTC),
        "day": date(2030, 1, 31),
        "yes": True,
    }
    assert tomllib.loads(toml_text(values), parse_float=parse_decimal) == values


def study_of(draft: Draft, asker: AbstractBaseUser) -> Study:
    """The study that the console makes of a draft: by the job of its button."""
    job = jobs.request(kind=JobKind.IMPORT, parameters={"draft": draft.pk}, actor=asker, now=NOW)
    Job.objects.filter(pk=job.pk, state="queued").exists() and run(job)
    job.refresh_from_db()
    assert job.state == "done", job.result
    assert job.study is not None
    return job.study


def run(job: Job) -> None:
    """Do a job whose transaction, the test's own, is never committed."""
    from judging.jobs import TASKS

    TASKS[JobKind(job.kind)](job.pk)


@pytest.mark.django_db
def test_from_a_study_file_to_a_draft_to_a_study(researcher: AbstractBaseUser, tmp_path: Path) -> None:
    direct = import_study(SAMPLE, slug="direct", now=NOW).study
    copytree(SAMPLE, tmp_path / "copy")
    draft = draft_of_folder(owner=researcher, folder=tmp_path / "copy", now=NOW)
    made = study_of(draft, researcher)
    assert made.slug == "sample"
    assert described(made) == described(direct)
    draft.refresh_from_db()
    assert draft.study == made
    assert [(one.user, one.role) for one in made.memberships.all()] == [(researcher, "owner")]


@pytest.mark.django_db
@pytest.mark.parametrize("source", ["sample", "small", "awkward"])
def test_from_a_study_to_a_study_file_to_a_study(source: str, folder: StudyFolder, tmp_path: Path) -> None:
    if source == "sample":
        study = import_study(SAMPLE, now=NOW).study
    else:
        if source == "awkward":
            awkward(folder)
        study = folder.imported().study
    place = tmp_path / "written"
    place.mkdir()
    file = write_study_folder(study, place)
    again = import_study(file, slug="again", now=NOW).study
    assert described(again) == described(study)
    assert not import_study(file, slug="again", update=True, now=NOW).units_planned


def awkward(folder: StudyFolder) -> None:
    """A study whose every field has a value that is hard to write."""
    settings = """
[checks]
seconds_per_document = 2.5
check_attempts = "unlimited"

[pay]
pay_per_unit = "0.10"
pay_cancelled = 1.5
currency = "EUR"

[platform]
platform = "generic"
id_parameter = "PID"
completion_url = "https://example.org/?c={code}"

[documents]
layout = "lines"
"""
    folder.replace("documents.jsonl", '"Text of 007-M."', '"  Text\\n\\tof 007-M.", "layout": "preformatted"')
    folder.replace("study.toml", "\n[documents]", settings)
    folder.replace(
        "study.toml", 'information = "What the study is."', 'information = "A\\n\\n\\"b\\" \\\\ c"'
    )
    folder.replace("study.toml", "seed = 7", "seed = -9\nopens_at = 2030-01-31T12:00:00Z")
    folder.replace(
        "study.toml",
        'path = "qrels.txt"',
        'path = "qrels.txt"\nunlisted = "M"\nlevels = {0="N", 1="drop", 3="H"}',
    )
    folder.write("qrels.txt", folder.read("qrels.txt").replace(" 2\n", " 3\n"))


@pytest.mark.django_db
def test_a_retired_topic_is_left_out(folder: StudyFolder, tmp_path: Path) -> None:
    study = folder.imported().study
    retire_topic(topic=Topic.objects.get(number="007"), now=NOW)
    place = tmp_path / "written"
    place.mkdir()
    again = import_study(write_study_folder(study, place), slug="again", now=NOW).study
    assert [topic.number for topic in again.topics.all()] == ["1e5"]


@pytest.mark.django_db
def test_grades_that_no_study_file_can_say_are_refused(folder: StudyFolder, tmp_path: Path) -> None:
    study = folder.imported().study
    KnownGrade.objects.filter(document_id="007-H").update(level="R", value="0")
    with pytest.raises(RefusedError, match=r"sormunen.* R .* N"):
        write_study_folder(study, tmp_path)


@pytest.mark.django_db
def test_a_change_in_the_set_up_changes_the_study_as_update_does(
    researcher: AbstractBaseUser, folder: StudyFolder
) -> None:
    draft = draft_of_folder(owner=researcher, folder=folder.path, now=NOW)
    study = study_of(draft, researcher)
    change_draft(draft=draft, change=lambda values: values.update(title="Another"), now=NOW)
    draft.refresh_from_db()
    assert study_of(draft, researcher) == study
    study.refresh_from_db()
    assert study.title == "Another"
    assert Study.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.txt", "files/../../secret.txt"])
def test_a_draft_reads_no_file_outside_its_folder(
    researcher: AbstractBaseUser, folder: StudyFolder, path: str
) -> None:
    (folder.path.parent / "secret.txt").write_text("the server's own")
    draft = draft_of_folder(owner=researcher, folder=folder.path, now=NOW)

    def point_outside(values: dict[str, Any]) -> None:
        del values["information"]
        values["information_file"] = path
        values["documents"]["path"] = path
        values["run"][0]["path"] = path

    change_draft(draft=draft, change=point_outside, now=NOW)
    job = jobs.request(kind=JobKind.IMPORT, parameters={"draft": draft.pk}, actor=researcher, now=NOW)
    run(job)
    job.refresh_from_db()
    assert job.state == "failed"
    named = [line.split(": ") for line in job.result["faults"] if repr(path) in line]
    assert {where.partition(":")[0] for where, *_ in named} == {"study.toml"}
    assert sorted(field for _, field, *_ in named) == ["documents.path", "information_file", "run.path"]
    assert "the server's own" not in str(job.result)
    assert str(folder_of(draft)) not in str(job.result["faults"])
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_a_study_file_without_a_name_is_given_one(researcher: AbstractBaseUser, folder: StudyFolder) -> None:
    folder.replace("study.toml", 'slug = "small"\n', "")
    draft = draft_of_folder(owner=researcher, folder=folder.path, now=NOW)
    assert values_of(draft)["slug"] == "a-small-study"
