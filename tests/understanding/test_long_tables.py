"""Long tables of reports are compressed; pages and files show the same rows as without compression."""

from typing import Any

import polars as pl
import pytest
from django.test import Client

from judging.models import Report, ReportKind, Study
from judging.understanding.reports import stored_table
from judging.understanding.reports.stored_table import HEAD, LONG, number_of_rows, rows_of, table_to_store
from tests.understanding.conftest import judged
from tests.understanding.reading import base, csv_of, make, tables_in, text_of


def table_of(rows: int) -> dict[str, object]:
    return table_to_store(
        "units", "Units", pl.DataFrame({"unit_id": [f"401-{n}" for n in range(rows)], "ratio": [0.1] * rows})
    )


@pytest.mark.parametrize("rows", [0, 1, LONG, LONG + 1, 3 * LONG])
def test_the_rows_are_those_that_were_kept(rows: int) -> None:
    table = table_of(rows)
    assert ("packed" in table) is (rows > LONG)
    assert number_of_rows(table) == rows
    assert rows_of(table) == [[f"401-{n}", 0.1] for n in range(rows)]
    for stop in (1, HEAD, HEAD + 1, rows):
        assert rows_of(table, stop)[:stop] == rows_of(table)[:stop]


def test_the_first_page_of_a_long_table_unpacks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(2 * LONG)
    monkeypatch.setattr(stored_table.json, "loads", lambda text: pytest.fail("it was unpacked"))
    assert len(rows_of(table, HEAD)) == HEAD


@pytest.mark.django_db(transaction=True)
def test_pages_and_files_are_those_of_short_tables(console: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    study = judged()
    address = f"{base(study)}grades/"
    short = units_of(study)
    keys = [table["key"] for table in Report.objects.get(study=study).content["tables"]]
    place = f"table{1 + keys.index('unit-ratios')}"
    asked = [address, f"{address}?sort_{place}=-ratio", f"{address}?sort_{place}=unit_id"]
    before = [tables_in(text_of(console, item)) for item in asked]
    monkeypatch.setattr(stored_table, "LONG", 2)
    monkeypatch.setattr(stored_table, "HEAD", 1)
    long = units_of(study)
    assert ("packed" in short, "packed" in long) == (False, True)
    assert [tables_in(text_of(console, item)) for item in asked] == before
    report = Report.objects.get(study=study)
    taken = csv_of(console, f"{base(study)}reports/{report.pk}/table.csv?table=unit-ratios")
    assert len(taken) == 1 + len(short["rows"]) > 3


def units_of(study: Study) -> dict[str, Any]:
    """Compute a report, and return its table of the units' ratios."""
    make(study, ReportKind.GRADES)
    content = Report.objects.get(study=study).content
    return next(table for table in content["tables"] if table["key"] == "unit-ratios")
