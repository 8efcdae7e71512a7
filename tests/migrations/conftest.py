"""A database without a table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.databases import as_default, configured, unmigrated


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def new_database(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
    worker_id: str,
) -> Iterator[str]:
    """The name of a database without tables, which is Django's default in this test."""
    url = request.getfixturevalue("postgresql_server") if request.param == "postgresql" else ""
    with (
        django_db_blocker.unblock(),
        unmigrated(configured(url), f"new_plumbline_{worker_id}", tmp_path) as settings,
        as_default(settings),
    ):
        yield request.param
