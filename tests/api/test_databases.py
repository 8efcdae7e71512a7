"""The lists give the same rows on SQLite and on PostgreSQL."""

from tests.api.conftest import fill, logged_in, people, rows
from tests.api.test_values import EXPORTED, canonical, exported
from tests.factories import make_study


def test_it_is_on_both_databases(database: str) -> None:
    study = make_study(judgments_per_document=3)
    fill(study)
    client = logged_in(people()["staff"])
    for what in EXPORTED:
        assert canonical(rows(client, what, page_size=13)) == canonical(exported(study, what))
    found = rows(
        client, "judgments", excluded="any", unit="401-0001", worker=rows(client, "units")[0]["worker_id"]
    )
    assert {row["unit_id"] for row in found} <= {"401-0001"}
