"""Tests on both databases: a test that asks for `database` runs on SQLite and on PostgreSQL.

`database` gives the name, "sqlite" or "postgresql", and makes it the alias `default` of Django in every
thread, the live server's too. Its tests run without an enclosing transaction, as with `transactional_db`. Ask
for one of the two by `@pytest.mark.parametrize("database", ["postgresql"], indirect=True)`. All other tests
run on the database that DATABASE_URL names, else on SQLite in a file, as `deploy/settings.py` sets it.
"""

import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connections
from pytest_django import DjangoDbBlocker

SETTINGS = Path(__file__).resolve().parents[2] / "deploy" / "settings.py"


def configured(url: str) -> dict[str, Any]:
    """Return what `deploy/settings.py` makes of a DATABASE_URL; of "", the embedded database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", url)
        databases = runpy.run_path(str(SETTINGS))["DATABASES"]
    return connections.configure_settings(databases)[DEFAULT_DB_ALIAS]


@contextmanager
def as_default(settings: dict[str, Any]) -> Iterator[None]:
    """Make a database the alias `default`, in every thread, inside this block."""
    connection, kept = connections[DEFAULT_DB_ALIAS], connections.settings[DEFAULT_DB_ALIAS]
    del connections[DEFAULT_DB_ALIAS]
    connections.settings[DEFAULT_DB_ALIAS] = settings
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS].close()
        connections.settings[DEFAULT_DB_ALIAS] = kept
        connections[DEFAULT_DB_ALIAS] = connection


@contextmanager
def migrated(url: str, test_name: str, blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    """Create a test database with all migrations, remove it after the block; gives its settings."""
    settings = configured(url)
    settings["TEST"]["NAME"] = test_name
    original = settings["NAME"]
    with blocker.unblock(), as_default(settings):
        connections[DEFAULT_DB_ALIAS].creation.create_test_db(verbosity=0, autoclobber=True)
    yield settings
    with blocker.unblock(), as_default(settings):
        connections[DEFAULT_DB_ALIAS].creation.destroy_test_db(original, verbosity=0)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep SQLite's test database in a folder of this process: two runs at once never share it."""
    settings = connections.settings[DEFAULT_DB_ALIAS]
    if "sqlite" in settings["ENGINE"]:
        settings["TEST"]["NAME"] = str(tmp_path_factory.mktemp("sqlite") / "test.sqlite3")


@pytest.fixture(scope="session")
def sqlite_settings(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """A migrated SQLite test database in a file, for runs whose own database is another."""
    name = str(tmp_path_factory.mktemp("sqlite") / "second.sqlite3")
    with migrated("", name, django_db_blocker) as settings:
        yield settings


@pytest.fixture(scope="session")
def postgresql_settings(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, postgresql_server: str, worker_id: str
) -> Iterator[dict[str, Any]]:
    """A migrated PostgreSQL test database, for runs whose own database is another."""
    with migrated(postgresql_server, f"test_plumbline_{worker_id}", django_db_blocker) as settings:
        yield settings


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, django_db_setup: None) -> Iterator[str]:
    """The name of the database that this test runs on; see the top of this file."""
    if connections[DEFAULT_DB_ALIAS].vendor == request.param:
        yield request.param
    else:
        with as_default(request.getfixturevalue(f"{request.param}_settings")):
            yield request.param


def pytest_itemcollected(item: pytest.Item) -> None:
    """Set `database` up before everything else that touches the database, and take it down after it."""
    names = getattr(item, "fixturenames", [])
    if "database" in names:
        names.remove("database")
        names.insert(0, "database")
        item.add_marker(pytest.mark.django_db(transaction=True))
