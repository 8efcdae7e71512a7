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

from judging.core.faults import StudyRefusedError
from judging.core.services.errors import RefusedError
from judging.core.services.studies import retire_topic
from judging.core.storable import parse_decimal
from judging.models import Job, JobKind, KnownGrade, Setup, Study, Topic
from judging.setup.making import setup_from_folder
from judging.setup.services.setups import request_check
from judging.setup.study_files.importing import import_study
from judging.setup.study_files.study_folder import write_setup_folder, write_study_folder
from judging.setup.study_files.toml_writer import toml_text
from tests.factories import NOW
from tests.setup.conftest import SAMPLE
from tests.setup.equal import described
from tests.setup.intake.folder import StudyFolder

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


def run_check(setup: Setup) -> Job:
    """Do a check whose transaction, the test's own, is never committed."""
    from judging.jobs import TASKS

    job = request_check(setup=setup, now=NOW)
    TASKS[JobKind.CHECK](job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.django_db
def test_from_a_study_file_to_a_set_up_and_an_equal_study(
    researcher: AbstractBaseUser, tmp_path: Path
) -> None:
    direct = import_study(SAMPLE, slug="direct", now=NOW).study
    copytree(SAMPLE, tmp_path / "copy")
    setup, _ = setup_from_folder(folder=tmp_path / "copy", owner=researcher, now=NOW)
    assert run_check(setup).result["faults"] == []
    assert setup.study.slug == "sample"
    assert described(setup.study) == described(direct)
    assert [(membership.user, membership.role) for membership in setup.study.memberships.all()] == [
        (researcher, "owner")
    ]


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
@pytest.mark.parametrize("source", ["sample", "small", "awkward"])
def test_a_set_up_is_written_and_read_as_the_same_study(
    source: str, folder: StudyFolder, researcher: AbstractBaseUser, tmp_path: Path
) -> None:
    if source == "awkward":
        awkward(folder)
    place = tmp_path / "copy"
    copytree(SAMPLE if source == "sample" else folder.path, place)
    setup, _ = setup_from_folder(folder=place, owner=researcher, now=NOW)
    assert run_check(setup).result["faults"] == []
    written = tmp_path / "written"
    written.mkdir()
    again = import_study(write_setup_folder(setup, written), slug="again", now=NOW).study
    assert described(again) == described(setup.study)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.txt", "files/../../secret.txt"])
@pytest.mark.parametrize("key", ["documents", "run", "grades", "topics", "information"])
def test_a_set_up_reads_no_file_outside_its_folder(
    researcher: AbstractBaseUser, folder: StudyFolder, path: str, key: str
) -> None:
    (folder.path.parent / "secret.txt").write_text("the server's own")
    named = {
        "documents": 'path = "documents.jsonl"',
        "run": 'path = "good.run"',
        "grades": 'path = "qrels.txt"',
        "topics": 'path = "topics.txt"',
    }
    if key == "information":
        folder.replace("study.toml", 'information = "What the study is."', f'information_file = "{path}"')
    else:
        folder.replace("study.toml", named[key], f'path = "{path}"')
    with pytest.raises(StudyRefusedError) as refused:
        setup_from_folder(folder=folder.path, owner=researcher, now=NOW)
    (line,) = refused.value.lines
    assert repr(path) in line
    assert "the server's own" not in line
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_a_path_that_was_stored_otherwise_is_not_read_either(
    researcher: AbstractBaseUser, folder: StudyFolder
) -> None:
    secret = folder.path.parent / "secret.txt"
    secret.write_text("the server's own")
    setup, _ = setup_from_folder(folder=folder.path, owner=researcher, now=NOW)
    for place, file in enumerate(setup.files.all()):
        setup.files.filter(pk=file.pk).update(path=f"{'./' * place}../../secret.txt")
    result = run_check(setup).result
    assert len(result["faults"]) >= setup.files.count() - 1
    assert "the server's own" not in str(result)


@pytest.mark.django_db
def test_a_study_file_without_a_name_is_given_one(researcher: AbstractBaseUser, folder: StudyFolder) -> None:
    folder.replace("study.toml", 'slug = "small"\n', "")
    setup, _ = setup_from_folder(folder=folder.path, owner=researcher, now=NOW)
    assert setup.study.slug == "a-small-study"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("seed = 7", 'seed = "seven"', "seed"),
        ("seed = 7", "sede = 7", "sede"),
        ('slug = "small"', 'slug = "two words"', "slug"),
        ('answer = "three"', 'answer = "five"', "question.answer"),
        ('options = ["one", "two"', 'options = ["one", "two", "five"', "question.options"),
        ('path = "poor.run"', 'path = "good.run"', "run"),
        ("depth = 8", "depth = 0", "pool.depth"),
        ('format = "jsonl"', 'format = "pdf"', "documents.format"),
        ('name = "sormunen"', 'name = "grade of the pool"', "grades.name"),
    ],
)
def test_a_study_file_with_a_fault_is_refused_whole(
    researcher: AbstractBaseUser, folder: StudyFolder, old: str, new: str, field: str
) -> None:
    folder.replace("study.toml", old, new)
    with pytest.raises(StudyRefusedError) as refused:
        setup_from_folder(folder=folder.path, owner=researcher, now=NOW)
    (line,) = refused.value.lines
    assert line.split(": ")[1] == field
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_what_a_study_file_lacks_is_no_fault_of_it(researcher: AbstractBaseUser, folder: StudyFolder) -> None:
    folder.write(
        "study.toml",
        """
title = "Begun"
[[topic]]
number = "1"
title = "One"
question = "What?"
options = ["a", "b"]
[[anchor]]
topic = "2"
H = "h"
""",
    )
    setup, _ = setup_from_folder(folder=folder.path, owner=researcher, now=NOW)
    topics = Topic.objects.filter(study=setup.study).order_by("place")
    assert list(topics.values_list("number", "title", "named_h")) == [("1", "One", ""), ("2", "", "h")]
    question = topics[0].question
    assert (question.text, question.options, question.right_option) == ("What?", ["a", "b", "", ""], None)
    result = run_check(setup).result
    assert result["missing"] == ["documents", "pool"]
    assert {fault["place"] for fault in result["faults"]} == {"topic 1", "topic 2"}
