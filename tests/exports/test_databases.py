"""Everything can be exported from either database, with the same result."""

import json

from judging.exports.catalogue import EXPORTS, export_lines
from tests.exports.conftest import add_grades, judge
from tests.factories import answer_wrongly, fail_practice, make_study, make_worker


def test_every_export_has_its_rows_on_both_databases(database: str) -> None:
    study = make_study(judgments_per_document=3)
    judge(study, workers=2)
    add_grades(study, "trec", place=0)
    fail_practice(make_worker(study, upto="practising"))
    answer_wrongly(make_worker(study, upto="question"))
    rows = {what: [json.loads(line) for line in export_lines(study, what, "jsonl")] for what in EXPORTS}
    assert {what: len(found) for what, found in rows.items()} == {
        "judgments": 32,
        "gains": 16,
        "units": 5,
        "workers": 4,
        "events": 2,
        "table1": 3,
    }
    assert {row["cumulative_time"] for row in rows["judgments"]} == {25.0}
    keys = [(row["topic_id"], row["unit_id"], row["worker_id"]) for row in rows["judgments"]]
    assert keys == sorted(keys)
    assert sum(row["units_completed"] for row in rows["workers"]) == 4
    assert [row["worker_id"] for row in rows["workers"]] == sorted(
        row["worker_id"] for row in rows["workers"]
    )
