"""The commands `export` and `evaluate`, and the file they write."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from judging.archive.catalogue import OFFERED, export_chunks
from judging.core.formats.texts import TEXTS
from judging.core.formats.writing import CannotWriteError, write_file
from judging.models import Study
from tests.archive.exports.conftest import add_decision, add_grades, add_run, make_judged_study
from tests.factories import fail_practice, make_study, make_worker
from tests.support.library import library

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def study(db: None) -> Study:
    """A judged study of each test alone, as others begin without any."""
    return make_judged_study()


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def unjudged(db: None) -> Study:
    study = make_study(opened=False)
    add_run(study, "good")
    return study


def test_standard_output_and_file_hold_the_same(study: Study, tmp_path: Path) -> None:
    fail_practice(make_worker(study, upto="practising"))  # else there is no event to export
    add_decision(study)
    add_grades(study, "trec", place=0)  # else there is no disagreement
    for what, export in OFFERED.items():
        for form in export.formats:
            path = tmp_path / f"{what}.{form}"
            assert run("export", "study", "--what", what, "--format", form, "-o", str(path)) == ""
            expected = b"".join(export_chunks(study, what, form))
            assert expected
            assert path.read_bytes() == expected
            if form in TEXTS:
                assert run("export", "study", "--what", what, "--format", form) == expected.decode()


def test_the_defaults_are_csv_and_for_gains_qrels(study: Study) -> None:
    assert run("export", "study", "--what", "table1").startswith("topic_id,documents,units,")
    assert run("export", "study", "--what", "gains").startswith("401\t0\tD401-000\t")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--what", "judgments", "--format", "qrels"], "qrels"),
        (["--what", "units", "--with-excluded"], "--with-excluded"),
        (["--what", "judgments", "-o", "/no/such/folder/x.csv"], "/no/such/folder"),
        (["--what", "judgments", "-o", "/tmp"], "/tmp"),
        (["--what", "salaries"], "salaries"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(
    unjudged: Study, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message) as error:
        run("export", "study", *arguments)
    assert len(str(error.value).splitlines()) == 1


def test_gains_of_nothing_are_empty_and_say_why(unjudged: Study) -> None:
    out, err = StringIO(), StringIO()
    call_command("export", unjudged.slug, what="gains", stdout=out, stderr=err)
    assert out.getvalue() == ""
    assert "study" in err.getvalue()


def test_an_unknown_study_is_named(db: None) -> None:
    with pytest.raises(CommandError, match="nope"):
        run("export", "nope", "--what", "gains")


def test_a_failed_export_leaves_the_old_file_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("old\n")

    def broken() -> Iterator[bytes]:
        yield b"new\n"
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_file(path, broken())
    assert path.read_text() == "old\n"
    assert [found.name for found in tmp_path.iterdir()] == ["data.csv"]
    write_file(path, [b"new\n"])
    assert path.read_text() == "new\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_device_is_written_to_and_left_in_place(tmp_path: Path) -> None:
    write_file(Path(os.devnull), [b"gone\n"])
    assert Path(os.devnull).is_char_device()
    with pytest.raises(CannotWriteError):
        write_file(tmp_path / "absent" / "file", [])


def test_evaluate_prints_what_the_library_scores_from_the_exports(study: Study, tmp_path: Path) -> None:
    add_run(study, "good")
    add_run(study, "bad", reverse=True)
    gains, files = tmp_path / "gains.txt", []
    write_file(gains, export_chunks(study, "gains", "qrels"))
    for ranked in study.runs.all():
        lines = [
            f"{ranking.topic.number} Q0 {document} {rank} {score} {ranked.tag}\n".encode()
            for ranking in ranked.rankings.all()
            for document, rank, score in zip(ranking.document_ids, ranking.ranks, ranking.scores, strict=True)
        ]
        files.append(tmp_path / f"{ranked.tag}.run")
        write_file(files[-1], lines)
    measures = ["-m", "nDCG@10", 'ERR(gmax="topic")@10']
    for form in ("tsv", "csv", "json"):
        options = ["--per-topic", "--format", form]
        expected = library("score", gains, *sorted(files), *measures, *options)
        assert expected
        assert run("evaluate", "study", *measures, *options) == expected
        runs = ["--runs", *map(str, sorted(files))]
        assert run("evaluate", "study", *measures, *runs, *options) == expected


def test_evaluate_with_unjudged_documents_at_the_gain_of_the_anchor(study: Study) -> None:
    """A run that retrieves one unjudged document in each topic has the gain of the topic's N anchor."""
    topics = list(study.topics.order_by("number"))
    made = study.runs.create(tag="new")
    for topic in topics:
        made.rankings.create(topic=topic, document_ids=["unjudged"], scores=[1.0], ranks=[1])
    gains = {
        (line.split()[0], line.split()[2]): float(line.split()[3])
        for line in b"".join(export_chunks(study, "gains", "qrels")).decode().splitlines()
    }
    floors = [gains[topic.number, topic.pool.get(anchor="N").document.document_id] for topic in topics]
    options = ["-m", "CG@1", "--format", "json"]
    (zero,) = json.loads(run("evaluate", "study", *options))
    (floored,) = json.loads(run("evaluate", "study", *options, "--unjudged", "N"))
    assert (zero["value"], floored["value"]) == (0, pytest.approx(statistics.mean(floors)))
    assert min(floors) > 0


def test_evaluate_by_grades_and_into_a_file(study: Study, tmp_path: Path) -> None:
    add_run(study, "good")
    add_grades(study, "trec", place=0)
    path = tmp_path / "scores.json"
    run("evaluate", "study", "-m", "CG@1", "--gains", "trec", "--format", "json", "-o", str(path))
    assert json.loads(path.read_text()) == [{"run": "good", "topic": "all", "measure": "CG@1", "value": 3.0}]
    assert (
        run("evaluate", "study", "-m", "CG@1", "--gains", "trec", "--digits", "2")
        == "good\tall\tCG@1\t3.00\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "nonsense"], "nonsense"),
        (["-m", "nDCG@10", "--gains", "trec"], "trec"),
        (["-m", "nDCG@10", "--runs", "/no/such.run"], "/no/such.run"),
        (["-m", "nDCG@10", "--digits", "99"], "--digits"),
    ],
)
def test_what_cannot_be_evaluated_is_said_in_one_line(
    unjudged: Study, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message) as error:
        run("evaluate", "study", *arguments)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.slow
def test_from_a_shell_a_fault_is_one_line(tmp_path: Path) -> None:
    done = shell(["manage.py", "export", "sample", "--what", "nothing"], tmp_path, stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_the_export_quietly(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    emitted = "emit((b'a line\\n' for _ in range(100_000)), OutputWrapper(sys.stdout), None)"
    program = f"""
import sys
import django
django.setup()
from django.core.management.base import OutputWrapper
from judging.management.output import emit
{emitted}
"""
    done = shell(["-c", program], tmp_path, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def shell(arguments: list[str], folder: Path, *, stdout: int) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own, with an embedded default of its own."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "PLUMBLINE_VAR": str(folder),
        "PLUMBLINE_NO_VENV": "1",
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
    )
