"""Parquet: the very values of the other formats, with types, in bounded memory."""

import io
import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from judging.archive.catalogue import EXPORTS, export_chunks
from judging.core.formats import export_table, parquet
from judging.core.formats.export_table import Table
from judging.core.formats.texts import laid_out
from judging.core.published import PUBLISHED
from judging.core.published.table import Kind, as_objects
from judging.models import Judgment, Study
from judging.payments.export import payment_chunks
from tests.archive.exports.conftest import add_decision, add_grades, make_judged_study
from tests.factories import NOW, answer_wrongly, fail_practice, make_study, make_worker
from tests.support.exports import export_lines

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def study(db: None) -> Study:
    """A judged study of each test alone, as others begin without any."""
    return make_judged_study()


def exported(study: Study, what: str) -> pl.DataFrame:
    return pl.read_parquet(io.BytesIO(b"".join(export_chunks(study, what, "parquet"))))


def as_json(table: pl.DataFrame) -> list[dict[str, object]]:
    """Its rows as JSON Lines have them."""

    def cell(value: object) -> object:
        if isinstance(value, Decimal):
            return str(value)
        return value.isoformat().replace("+00:00", "Z") if hasattr(value, "isoformat") else value

    return [{name: cell(value) for name, value in row.items()} for row in table.iter_rows(named=True)]


@pytest.mark.parametrize("what", [name for name, table in EXPORTS.items() if "parquet" in table.formats])
def test_every_table_holds_the_values_of_its_json_lines(study: Study, what: str) -> None:
    add_grades(study, "trec", place=0)
    add_grades(study, "assessor", place=1)
    add_decision(study)
    fail_practice(make_worker(study, upto="practising"))
    Study.objects.update(judgments_per_document=9)
    Judgment.objects.filter(pool_document__anchor="").update(number=1 / 3, justification="é\n☃,\"'")
    table = exported(study, what)
    rows = [json.loads(line) for line in export_lines(study, what, "jsonl")]
    assert rows
    assert as_json(table) == rows
    assert table.columns == list(rows[0])


@pytest.mark.parametrize("what", [name for name, table in PUBLISHED.items() if "parquet" in table.formats])
def test_types_are_those_of_the_dictionary_without_a_row_too(db: None, what: str) -> None:
    study = make_study(opened=False)
    table = export_table.of(PUBLISHED[what], study)
    data = b"".join(laid_out(table, "parquet"))
    schema = pl.read_parquet_schema(io.BytesIO(data))
    assert dict(schema) == {column.name: parquet.TYPES[column.kind] for column in table.columns}
    metadata = pl.read_parquet_metadata(io.BytesIO(data))
    assert json.loads(metadata[parquet.METADATA]) == as_objects(table.columns)


def test_payments_are_exact_amounts(db: None) -> None:
    study = make_study(comprehension_attempts=1, seconds_per_document=0, pay_screened_out=Decimal("0.10"))
    answer_wrongly(make_worker(study, upto="question", platform_id="person"))
    table = pl.read_parquet(io.BytesIO(b"".join(payment_chunks(study, "parquet", now=NOW))))
    assert table["amount"].to_list() == [Decimal("0.10")]
    assert table["paid_at"].to_list() == [None]


def test_rows_are_held_a_batch_at_a_time_and_the_bytes_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parquet, "ROWS_AT_ONCE", 10)
    held: list[int] = []
    columns = PUBLISHED["gains"].columns()
    assert [column.kind for column in columns] == [*[Kind.TEXT] * 3, *[Kind.NUMBER] * 2]
    real = pl.DataFrame.write_ipc
    monkeypatch.setattr(
        pl.DataFrame, "write_ipc", lambda table, file: held.append(table.height) or real(table, file)
    )

    def made() -> bytes:
        rows = (("401", "0", f"D{number}", number / 7, 1.0) for number in range(95))
        return b"".join(parquet.parquet_chunks(Table(columns, rows)))

    first = made()
    assert held == [*[10] * 9, 5]
    assert pl.read_parquet(io.BytesIO(first))["document_id"].to_list() == [f"D{n}" for n in range(95)]
    assert made() == first


def test_a_columnar_engine_reads_only_the_groups_of_rows_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(parquet, "ROWS_AT_ONCE", 100)
    columns = PUBLISHED["gains"].columns()
    rows = ((f"4{number // 100:02}", "0", f"D{number}", number / 7, 1.0) for number in range(1_000))
    result = b"".join(parquet.parquet_chunks(Table(columns, rows)))
    (tmp_path / "gains.parquet").write_bytes(result)
    asked = "polars.scan_parquet('gains.parquet').filter(polars.col('topic_id') == '403').collect()"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import polars; found = {asked}; print(found.height, set(found['topic_id']))",
        ],
        cwd=tmp_path,
        env=os.environ | {"POLARS_VERBOSE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "100 {'403'}\n"
    assert " 1 / 10 " in done.stderr


def test_the_documented_question_to_the_judgments_gives_the_gains(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("judgments.parquet").write_bytes(b"".join(export_chunks(study, "judgments", "parquet")))
    page = (ROOT / "docs/reference/exports.md").read_text()
    question, *_ = re.findall(r"```python\n(.+?)```", page, re.DOTALL)
    known: dict[str, pl.DataFrame] = {}
    exec(question, known)
    gains = exported(study, "gains").filter(pl.col("topic_id") == "401").sort("document_id")
    assert known["medians"].rows() == gains.select("document_id", "gain").rows()
    assert gains.height > 0
