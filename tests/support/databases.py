"""Tests on both databases: a test that asks for `database` runs on SQLite and on PostgreSQL.

`database` gives the name, "sqlite" or "postgresql", and makes it the alias `default` of Django in every
thread, the live server's too. Its tests run without an enclosing transaction, as with `transactional_db`. Ask
for one of the two by `@pytest.mark.parametrize("database", ["postgresql"], indirect=True)`. All other tests
run on the database that DATABASE_URL names, else on SQLite in a file, as `deploy/settings.py` sets it.
"""

import runpy
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.test import modify_settings
from pytest_django import DjangoDbBlocker
from pytest_django.live_server_helper import LiveServer

from tests.support.empty_database import empty_tables
from tests.support.run import sole

LOCAL_HOST = "127.0.0.1"
ROOT = Path(__file__).resolve().parents[2]
SETTINGS = ROOT / "deploy" / "settings.py"
IMAGES = ROOT / ".pytest_cache" / "d" / "plumbline-images"
"""Migrated SQLite databases, kept from run to run until the schema changes."""
ON_SQLITE = pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
"""For a test that `--full` repeats on PostgreSQL."""


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
def migrated(
    settings: dict[str, Any], name: str, run: Path, blocker: DjangoDbBlocker
) -> Iterator[dict[str, Any]]:
    """Create the database `name` with all migrations, remove it after the block; gives its settings.

    It is a copy of an image: the migrations run once for each kind of database in a run of the tests, and on
    SQLite once for each schema.
    """
    if "sqlite" in settings["ENGINE"]:
        file = run / f"{name}.sqlite3"
        with blocker.unblock():
            copy_sqlite_image(settings, file, run)
        yield settings | {"NAME": str(file)}
        return
    with blocker.unblock():
        _copy_postgresql_image(settings, name, run)
    yield settings | {"NAME": name}
    with blocker.unblock():
        _order(settings, f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def unmigrated(settings: dict[str, Any], name: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Create the database `name` without tables, remove it after the block; gives its settings."""
    if "sqlite" in settings["ENGINE"]:
        yield settings | {"NAME": str(folder / f"{name}.sqlite3")}
        return
    _order(settings, f'CREATE DATABASE "{name}"')
    try:
        yield settings | {"NAME": name}
    finally:
        _order(settings, f'DROP DATABASE "{name}" WITH (FORCE)')


def copy_sqlite_image(settings: dict[str, Any], file: Path, run: Path) -> None:
    """Write a SQLite database with all migrations to `file`."""
    image = IMAGES / f"{_schema_digest()}.sqlite3"
    with sole(run, "sqlite") as first:
        if first and not image.exists():
            IMAGES.mkdir(parents=True, exist_ok=True)
            for outdated in IMAGES.iterdir():
                outdated.unlink(missing_ok=True)
            _migrate(settings | {"NAME": str(run / "image.sqlite3")})
            shutil.copyfile(run / "image.sqlite3", image.with_suffix(".part"))
            image.with_suffix(".part").rename(image)
    shutil.copyfile(image, file)


def set_up(run: Path) -> None:
    """Give the new database that is the alias `default` its tables; SQLite is given a copy of the image."""
    if connection.vendor == "sqlite":
        copy_sqlite_image(connection.settings_dict, Path(connection.settings_dict["NAME"]), run)
    else:
        call_command("migrate", verbosity=0)


def _schema_digest() -> str:
    """Return a digest of everything that a migrated database depends on."""
    digest = sha256()
    for pattern in ("judging/migrations/*.py", "judging/models/*.py", "deploy/settings.py", "deploy/*.txt"):
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _copy_postgresql_image(settings: dict[str, Any], name: str, run: Path) -> None:
    image = "test_plumbline_image"
    with sole(run, "postgresql") as first:  # nobody may be connected to a database while it is copied
        if first:
            _order(settings, f'DROP DATABASE IF EXISTS "{image}"', f'CREATE DATABASE "{image}"')
            _migrate(settings | {"NAME": image})
        _order(settings, f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}" TEMPLATE "{image}"')


def _migrate(settings: dict[str, Any]) -> None:
    with as_default(settings):
        call_command("migrate", verbosity=0)


def _order(settings: dict[str, Any], *statements: str) -> None:
    """Run statements about whole databases, which PostgreSQL takes outside of transactions alone."""
    with as_default(settings), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker, run_folder: Path, worker_id: str
) -> Iterator[None]:
    """Make the alias `default` a test database of this process alone, in place of pytest-django's own."""
    settings, name = connections.settings[DEFAULT_DB_ALIAS], f"test_plumbline_{worker_id}"
    with migrated(settings, name, run_folder, django_db_blocker) as own, as_default(own):
        yield


@pytest.fixture(scope="session")
def sqlite_settings(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, run_folder: Path, worker_id: str
) -> Iterator[dict[str, Any]]:
    """The settings of a migrated SQLite database, for runs whose own database is another, or for a second."""
    with migrated(configured(""), f"second_{worker_id}", run_folder, django_db_blocker) as settings:
        yield settings


@pytest.fixture(scope="session")
def postgresql_settings(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    postgresql_server: str,
    run_folder: Path,
    worker_id: str,
) -> Iterator[dict[str, Any]]:
    """The settings of a migrated PostgreSQL database, for runs whose own database is another."""
    server, name = configured(postgresql_server), f"second_plumbline_{worker_id}"
    with migrated(server, name, run_folder, django_db_blocker) as settings:
        yield settings


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for rows that a module makes once, by fixtures of the scope "module" that ask for this.

    Its tests ask for `db` too: what each of them changes is undone, and these rows are deleted at the end.
    They all run in one transaction, so none of them may commit (`transactional_db`, `database`).
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def committed_module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for committed rows that a module makes once, for a server in another thread to read.

    Its tests only look. They ask for `module_server` and never for `db`, `transactional_db` or `live_server`.
    """
    with django_db_blocker.unblock(), modify_settings(ALLOWED_HOSTS={"append": LOCAL_HOST}):
        yield
        empty_tables()


@pytest.fixture(scope="session")
def module_server(django_db_setup: None) -> Iterator[LiveServer]:
    """The site on a free port, as `live_server`, for tests whose rows are from `committed_module_db`."""
    server = LiveServer(LOCAL_HOST)
    yield server
    server.stop()


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
