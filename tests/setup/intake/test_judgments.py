"""Judgments collected elsewhere: what comes in goes out again, to the bit, and faults are told by line."""

import csv
import gzip
import io
import math
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from evaluation.parsing.detect import NO_TEXT, OTHER_FORMS, kind_of
from judging.core.faults import InputError, StudyRefusedError
from judging.core.services.errors import RefusedError
from judging.core.services.studies import open_study
from judging.models import (
    Assignment,
    AuditEntry,
    Judgment,
    Participation,
    PlatformIdentity,
    Study,
    Unit,
)
from judging.setup.judgments.importing import ImportedJudgments, import_judgments
from tests.factories import NOW
from tests.setup.intake.error_lines import assert_error_line
from tests.setup.intake.folder import LETTERS, TOPICS, StudyFolder
from tests.setup.intake.test_detection import workbook
from tests.support.library import library
from tests.support.named import assert_names, numbers_in

pytestmark = pytest.mark.django_db
Row = dict[str, str]


OTHER_KINDS = {
    "pdf": b"%PDF-1.7\n",
    "html": b"<!DOCTYPE html>\n<html>",
    "json-array": b'[{"topic_id": 1}]',
    "jsonl": b'{"topic_id": 1}\n',
    "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n",
    "parquet": b"PAR1" + bytes(99),
}


@pytest.fixture
def study(folder: StudyFolder) -> Study:
    return folder.imported().study


def judged(workers: int = 6, *, seed: int = 1) -> list[Row]:
    """Workers who come in pairs to the same unit of a topic, each with a scale of their own."""
    rng = Random(seed)
    return [
        {
            "topic_id": topic,
            "unit_id": f"u{number // 2}",
            "document_id": f"{topic}-{letter}",
            "gold": letter if letter in "HN" else "",
            "doc_pos": str(place),
            "worker_id": f"worker {number}",
            "relevance_score": repr(10 ** rng.uniform(-30, 30)),
            "cumulative_time": repr(round(rng.uniform(20, 90), 6)),
            "comment": f'=1+1, "so"\nsays {number}',
            "relevance_scale": "magnitude",
        }
        for topic in TOPICS
        for number in range(workers)
        for place, letter in enumerate(rng.sample(LETTERS, 8 if number else 3))
    ]


def write(path: Path, rows: list[Row]) -> Path:
    """The rows as CSV; what the first row has are the columns."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), newline="")
    return path


def bring_in(study: Study, path: Path) -> ImportedJudgments:
    return import_judgments(study, path, now=NOW, rng=Random(f"{study.slug}/{path}"))


def exported(study: Study, what: str) -> str:
    out = StringIO()
    call_command("export", study.slug, what=what, stdout=out)
    return out.getvalue()


def no_rows() -> bool:
    return not any(model.objects.exists() for model in (Participation, Unit, Assignment, Judgment))


@pytest.mark.parametrize("left_out", [(), ("worker_id",), ("gold", "doc_pos", "cumulative_time", "comment")])
def test_gains_are_those_of_the_file_to_the_bit(
    study: Study, tmp_path: Path, left_out: tuple[str, ...]
) -> None:
    rows = judged()
    if "worker_id" in left_out:  # then a unit is one worker's
        rows = [row | {"unit_id": f"{row['unit_id']} {row['worker_id']}"} for row in rows]
    rows = [{name: cell for name, cell in row.items() if name not in left_out} for row in rows]
    file = write(tmp_path / "judgments.csv", rows)

    done = bring_in(study, file)

    normalised = tmp_path / "normalised.csv"
    library("normalise", file, "-o", normalised)
    assert exported(study, "gains") == library("gains", normalised)
    theirs = sorted(
        (row["topic_id"], row["document_id"], row["relevance_score"], row["normalized_relevance_score"])
        for row in csv.DictReader(normalised.open(newline=""))
    )
    ours = sorted(
        (row["topic_id"], row["document_id"], row["relevance_score"], row["normalized_relevance_score"])
        for row in csv.DictReader(io.StringIO(exported(study, "judgments"), newline=""))
    )
    assert ours == theirs
    assert (done.judgments, done.units, done.topics) == (len(rows), 12, 2)
    assert done.workers == (12 if "worker_id" in left_out else 6)


def test_an_export_comes_in_and_goes_out_the_same(folder: StudyFolder, tmp_path: Path) -> None:
    first, second = folder.imported(slug="first").study, folder.imported(slug="second").study
    bring_in(first, write(tmp_path / "a.csv", judged()))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(exported(first, "judgments").encode()))

    bring_in(second, tmp_path / "b.csv.gz")

    assert exported(second, "judgments") == exported(first, "judgments")
    assert exported(second, "units") == exported(first, "units")


def test_a_shared_unit_becomes_one_unit_for_each_worker(study: Study, tmp_path: Path) -> None:
    bring_in(study, write(tmp_path / "j.csv", judged()))

    assert Unit.objects.filter(topic__number="007").count() == 6
    assert not Unit.objects.exclude(state="done").exists()
    codes = set(Assignment.objects.values_list("completion_code", flat=True))
    assert len(codes) == Assignment.objects.count() == 12
    assert not Assignment.objects.exclude(state="completed", pay=0).exists()
    (entry,) = AuditEntry.objects.filter(verb="judgments_imported")
    assert entry.detail["units_in_the_file"]["007-0003"] == "u1"
    assert (entry.detail["file"], entry.detail["judgments"]) == ("j.csv", 86)
    worker = Participation.objects.get(pseudonym="worker 3")
    assert (worker.consent_version, worker.kind) == ("imported", "person")


def test_ids_too_long_for_a_pseudonym_are_not_stored(study: Study, tmp_path: Path) -> None:
    rows = [row | {"worker_id": f"{row['worker_id']} of a crowd platform"} for row in judged(2)]

    bring_in(study, write(tmp_path / "j.csv", rows))

    assert not PlatformIdentity.objects.exists()
    workers = set(Participation.objects.values_list("pseudonym", flat=True))
    assert len(workers) == 2
    assert all(len(worker) == 9 for worker in workers)
    assert "crowd platform" not in exported(study, "judgments")
    assert Assignment.objects.filter(participation__pseudonym=workers.pop()).count() == 2


def test_judgments_of_a_simulated_crowd_stay_marked(study: Study, tmp_path: Path) -> None:
    bring_in(study, write(tmp_path / "j.csv", [row | {"simulated": "1"} for row in judged(2)]))

    study.refresh_from_db()
    assert study.simulated
    rows = csv.DictReader(io.StringIO(exported(study, "judgments"), newline=""))
    assert {row["simulated"] for row in rows} == {"1"}


def test_the_study_can_open_afterwards_and_lacks_so_much_less(folder: StudyFolder, tmp_path: Path) -> None:
    empty, judged_one = folder.imported(slug="empty").study, folder.imported(slug="judged").study
    bring_in(judged_one, write(tmp_path / "j.csv", judged(2)))
    for study in (empty, judged_one):
        open_study(study=study, now=NOW)

    planned = Unit.objects.filter(state="open")
    assert planned.filter(topic__study=judged_one).count() < planned.filter(topic__study=empty).count()


FAULTS = {
    "another scale": ("relevance_scale", "S100", ["'S100'", "magnitude"]),
    "unknown topic": ("topic_id", "7", ["'7'"]),
    "no topic": ("topic_id", "", []),
    "outside the pool": ("document_id", "unpooled", ["'unpooled'", "007"]),
    "zero": ("relevance_score", "0", ["'0'", "magnitude", "0"]),
    "negative": ("relevance_score", "-3", ["'-3'"]),
    "not a number": ("relevance_score", "much", ["'much'"]),
    "nothing": ("relevance_score", "", ["''"]),
    "NaN": ("relevance_score", "nan", ["'nan'"]),
    "infinite": ("relevance_score", "inf", ["'inf'"]),
    "too small": ("relevance_score", "1e-101", ["'1e-101'"]),
    "too large": ("relevance_score", "1e101", ["'1e101'"]),
    "other gold": ("gold", "X", ["'X'", "H", "N"]),
    "place that is none": ("doc_pos", "-1", ["'-1'", "0", "32767"]),
    "time that is none": ("cumulative_time", "-1", ["'-1'"]),
    "endless time": ("cumulative_time", "inf", ["'inf'"]),
    "NUL": ("comment", "a\0b", ["NUL"]),
    "long worker": ("worker_id", "w" * 201, ["200"]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_by_line_and_nothing_is_written(study: Study, tmp_path: Path, name: str) -> None:
    field, cell, named = FAULTS[name]
    rows = judged()
    rows[4][field] = cell  # 4 rows before it of two lines each, and the header: line 10
    file = write(tmp_path / "j.csv", rows)

    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)

    assert_error_line(refused.value.lines[0], f"{file}:10: {field}", *named)
    assert no_rows()


def test_gold_that_contradicts_the_anchors(study: Study, tmp_path: Path) -> None:
    rows = judged()
    wrong = next(place for place, row in enumerate(rows) if row["document_id"] == "007-R")
    rows[wrong]["gold"] = "H"

    file = write(tmp_path / "j.csv", rows)

    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)

    (line,) = refused.value.lines
    assert_error_line(line, f"{file}:{2 + 2 * wrong}: gold", "H", "007-R", "007")


@pytest.mark.parametrize(
    ("change", "field", "named"),
    [
        ({"unit_id": "u0"}, "document_id", ["2"]),
        ({"unit_id": "u9"}, "worker_id", ["'worker 0'", "007", "'u0'"]),
        ({"document_id": "007-X"}, "document_id", ["'007-X'"]),
    ],
)
def test_what_contradicts_another_row(
    study: Study, tmp_path: Path, change: Row, field: str, named: list[str]
) -> None:
    rows = judged()
    rows.append(rows[0] | {"doc_pos": "7"} | change)
    file = write(tmp_path / "j.csv", rows)

    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)

    (line,) = refused.value.lines
    assert_error_line(line, f"{file}:{2 * len(rows)}: {field}", *named)
    assert no_rows()


def test_places_twice_or_missing(study: Study, tmp_path: Path) -> None:
    rows = judged(2)
    rows[1]["doc_pos"] = rows[0]["doc_pos"]
    rows[5]["doc_pos"] = ""

    file = write(tmp_path / "j.csv", rows)

    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)

    first, second = refused.value.lines
    assert_error_line(first, f"{file}:4: doc_pos", "0", "2")
    assert_error_line(second, f"{file}:12: doc_pos")


def test_simulated_and_real_judgments_never_mix(study: Study, tmp_path: Path) -> None:
    rows = [row | {"simulated": str(place % 2)} for place, row in enumerate(judged())]

    file = write(tmp_path / "j.csv", rows)

    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)

    assert_error_line(refused.value.lines[0], f"{file}:2: simulated")
    assert no_rows()


def test_a_fault_that_repeats_is_counted(study: Study, tmp_path: Path) -> None:
    rows = [row | {"topic_id": f"9{place}"} for place, row in enumerate(judged())]
    file = write(tmp_path / "j.csv", rows)

    with pytest.raises(StudyRefusedError) as refused:
        bring_in(study, file)

    (line,) = refused.value.lines
    assert_error_line(line, f"{file}:2: topic_id", "'90'", str(len(rows) - 1))


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        ("topic_id,unit_id,document_id\n1,1,1\n", 1, ["relevance_score"]),
        ("", 1, []),
        ("topic_id,unit_id,document_id,relevance_score\n007,1\n", 2, ["2", "4"]),
    ],
)
def test_a_file_that_is_no_table_of_judgments(
    study: Study, tmp_path: Path, text: str, line: int, named: list[str]
) -> None:
    file = tmp_path / "j.csv"
    file.write_text(text)

    with pytest.raises(InputError) as refused:
        bring_in(study, file)

    assert refused.value.where == f"{file}:{line}"
    assert_names(refused.value.what, *named)
    assert no_rows()


def test_only_a_draft_in_which_nobody_took_part(folder: StudyFolder, tmp_path: Path) -> None:
    file = write(tmp_path / "j.csv", judged(2))
    opened, twice = folder.imported(slug="opened").study, folder.imported(slug="twice").study
    open_study(study=opened, now=NOW)
    bring_in(twice, file)

    opened.refresh_from_db()
    for study in (opened, twice):
        stored = Judgment.objects.count(), Participation.objects.count()
        with pytest.raises(RefusedError) as refused:
            bring_in(study, file)
        assert_names(str(refused.value), study.slug)
        assert (Judgment.objects.count(), Participation.objects.count()) == stored


def test_the_command(study: Study, tmp_path: Path) -> None:
    file = write(tmp_path / "j.csv", judged())
    out = StringIO()

    call_command("import_judgments", study.slug, str(file), stdout=out)

    imported, after = out.getvalue().splitlines()
    assert numbers_in(imported) == ["86", "12", "6", "2"]
    assert_names(imported, study.slug)
    assert_names(after, "python manage.py export small --what gains -o small.gains")
    with pytest.raises(CommandError):
        call_command("import_judgments", study.slug, str(file))
    assert Judgment.objects.count() == 86


def table_of(rows: list[Row]) -> list[list[str]]:
    return [list(rows[0]), *(list(row.values()) for row in rows)]


@pytest.mark.parametrize("form", ["semicolons", "tabs", "workbook"])
def test_tables_of_other_forms_are_read_as_csv(study: Study, tmp_path: Path, form: str) -> None:
    rows = [{**row, "comment": "as it is"} for row in judged()]
    bring_in(study, write(tmp_path / "a.csv", rows))
    before = exported(study, "judgments")
    file = tmp_path / "b.csv"
    if form == "workbook":
        file.write_bytes(workbook(table_of(rows)))
    else:
        mark = {"semicolons": ";", "tabs": "\t"}[form]
        file.write_text("".join(f"{mark.join(cells)}\n" for cells in table_of(rows)))
    import_judgments(study, file, now=NOW, rng=Random(f"{study.slug}/{tmp_path / 'a.csv'}"), replace=True)
    codes = {"completion_code", "unit_id"}
    assert without(exported(study, "judgments"), codes) == without(before, codes)


def without(text: str, columns: set[str]) -> list[Row]:
    rows = csv.DictReader(StringIO(text))
    return [{name: cell for name, cell in row.items() if name not in columns} for row in rows]


@pytest.mark.parametrize("content", [OTHER_KINDS[kind] for kind in OTHER_KINDS if kind != "jsonl"])
def test_a_file_of_another_kind_is_named_as_what_it_is(study: Study, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "j.csv"
    file.write_bytes(content)
    with pytest.raises((InputError, StudyRefusedError)) as refused:
        bring_in(study, file)
    kind = kind_of(content)
    assert str(refused.value) == f"{file}:1: {NO_TEXT.get(kind) or OTHER_FORMS[kind]}"


def test_replaced_judgments_are_those_of_the_corrected_file_alone(study: Study, tmp_path: Path) -> None:
    """The law: to import a file and then its correction is to import the correction."""
    wrong, right = write(tmp_path / "a.csv", judged(seed=1)), write(tmp_path / "b.csv", judged(seed=2))
    bring_in(study, right)
    only = exported(study, "judgments")
    import_judgments(study, wrong, now=NOW, rng=Random(0), replace=True)
    assert exported(study, "judgments") != only
    rng = Random(f"{study.slug}/{right}")
    counts = import_judgments(study, right, now=NOW, rng=rng, replace=True)
    assert without(exported(study, "judgments"), {"completion_code"}) == without(only, {"completion_code"})
    assert (Judgment.objects.count(), Participation.objects.count()) == (counts.judgments, counts.workers)
    assert Unit.objects.count() == Assignment.objects.count() == counts.units
    assert AuditEntry.objects.filter(verb="judgments_imported").latest("pk").detail["replaced"] == 86


def test_a_faulty_correction_replaces_nothing(study: Study, tmp_path: Path) -> None:
    bring_in(study, write(tmp_path / "j.csv", judged()))
    before = exported(study, "judgments")
    file = write(tmp_path / "j.csv", [{**row, "relevance_score": "much"} for row in judged()])
    with pytest.raises(StudyRefusedError):
        import_judgments(study, file, now=NOW, rng=Random(0), replace=True)
    assert exported(study, "judgments") == before


def test_judgments_of_workers_stay_and_the_workers_are_named(study: Study, tmp_path: Path) -> None:
    file = write(tmp_path / "j.csv", judged())
    with pytest.raises(RefusedError, match="no imported judgments"):
        import_judgments(study, file, now=NOW, rng=Random(0), replace=True)
    bring_in(study, file)
    worker = Participation.objects.create(
        study=study, pseudonym="here", token="t", consent_version="1", consented_at=NOW
    )
    with pytest.raises(RefusedError) as refused:
        import_judgments(study, file, now=NOW, rng=Random(0), replace=True)
    assert_names(str(refused.value), worker.pseudonym, study.slug)
    assert Judgment.objects.count() == 86


@pytest.mark.parametrize("option", ["--replac", "--repl", "--replaced"])
def test_a_mistyped_option_is_refused(study: Study, tmp_path: Path, option: str) -> None:
    file = write(tmp_path / "j.csv", judged())
    with pytest.raises(CommandError, match=r"import_judgments: .*Run it with --help"):
        call_command("import_judgments", study.slug, str(file), option)
    assert not Judgment.objects.exists()


def test_magnitudes_are_stored_to_the_last_bit(study: Study, tmp_path: Path) -> None:
    rows = judged(1)
    for row, value in zip(rows, (0.1 + 0.2, math.nextafter(1, 2), 1e-100), strict=False):
        row["relevance_score"] = repr(value)

    bring_in(study, write(tmp_path / "j.csv", rows))

    stored = Judgment.objects.filter(pool_document__topic__number="007").order_by("position")
    assert list(stored.values_list("number", flat=True)) == [0.1 + 0.2, math.nextafter(1, 2), 1e-100]
