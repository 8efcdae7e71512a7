"""The migration of failures and watched shares to one column each keeps every count, on both databases."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from tests.factories import NOW
from tests.support.databases import as_default, configured

BEFORE, AFTER = [("judging", "0022_anchor_reason")], [("judging", "0023_failed_checks")]
COUNTS = [(3, 2, 1), (0, 0, 0), (2, 0, 2), (2, 2, 0)]
"""Failed finishes, and those that failed (c) and (d)."""


def check_counts() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    old = executor.loader.project_state(BEFORE).apps
    study = old.get_model("judging", "Study").objects.create(slug="old", title="Old", created_at=NOW)
    topic = old.get_model("judging", "Topic").objects.create(study=study, number="1", title="T", place=0)
    attempts = old.get_model("judging", "Assignment").objects
    for number, counts in enumerate([*COUNTS, None], start=1):
        known = counts is not None
        attempts.create(
            participation=old.get_model("judging", "Participation").objects.create(
                study=study, token=f"t{number}", pseudonym=f"w{number}", consented_at=NOW, state="ready"
            ),
            unit=old.get_model("judging", "Unit").objects.create(topic=topic, number=number, state="done"),
            topic=topic,
            state="completed",
            number=1,
            option_order=[0, 1, 2, 3],
            started_at=NOW if known else None,
            lapses_at=NOW,
            ended_at=NOW,
            completion_code=f"AAAA-AAAA-AA0{number}",
            pay=Decimal(1),
            back_uses=0 if known else None,
            revisions=0 if known else None,
            **dict(zip(("failed_finishes", "failed_c", "failed_d"), counts or (None,) * 3, strict=True)),
        )
    old.get_model("judging", "Watch").objects.create(study=study, failed_units=20, failed_c=5)
    executor = MigrationExecutor(connection)
    executor.migrate(AFTER)
    new = executor.loader.project_state(AFTER).apps
    found = new.get_model("judging", "Assignment").objects.order_by("pk")
    assert list(found.values_list("failed_checks", flat=True)) == [
        {"c": 2, "d": 1},
        {},
        {"d": 2},
        {"c": 2},
        None,
    ]
    assert new.get_model("judging", "Watch").objects.get().shares == {"failed_units": 20, "failed_c": 5}


@pytest.mark.slow
def test_on_sqlite(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path) -> None:
    file = {"NAME": str(tmp_path / "old.sqlite3")}
    with django_db_blocker.unblock(), as_default(configured("") | file):
        check_counts()


@pytest.mark.slow
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_on_postgresql(database: str) -> None:
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        check_counts()
    finally:
        MigrationExecutor(connection).migrate(latest)
