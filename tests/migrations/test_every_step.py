"""A database at any old migration reaches the newest schema, with the rows that it has."""

import re
from typing import Any

import pytest
from django.db import connection
from django.db.migrations import RunPython, RunSQL
from pytest_django import DjangoDbBlocker, Settings

from tests.archive.backup.conftest import use_folders
from tests.migrations.conftest import Walked, go_every_step
from tests.migrations.steps import MOVES, check_rows_of_every_age, every_step
from tests.support.databases import as_default

pytestmark = pytest.mark.slow
DEFINITIONS = """
    SELECT table_name || '.' || column_name, concat_ws(' ', data_type, character_maximum_length, is_nullable,
        column_default, is_identity)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION SELECT conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION SELECT tablename || '.' || indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION SELECT tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid)
    FROM pg_trigger WHERE NOT tgisinternal
"""
"""What is in a database on PostgreSQL: columns, constraints, indexes and triggers."""


def test_rows_of_every_age_reach_the_newest_schema_on_sqlite(
    walked: Walked, sqlite_settings: dict[str, Any], settings: Settings, django_db_blocker: DjangoDbBlocker
) -> None:
    use_folders(settings, walked.folder)
    with django_db_blocker.unblock(), as_default(walked.database):
        check_rows_of_every_age()
        result = schema()
    with django_db_blocker.unblock(), as_default(sqlite_settings):
        assert result == schema()


@pytest.mark.parametrize("new_database", ["postgresql"], indirect=True)
def test_rows_of_every_age_reach_the_newest_schema_on_postgresql(
    new_database: str, postgresql_settings: dict[str, Any]
) -> None:
    go_every_step()
    check_rows_of_every_age()
    result = schema()
    with as_default(postgresql_settings):
        assert result == schema()


def test_each_migration_that_moves_rows_has_an_example(db: None) -> None:
    moving = {
        step.name
        for step in every_step()
        if step.app_label == "judging"
        and any(isinstance(operation, RunPython | RunSQL) for operation in step.operations)
    }
    assert moving == set(MOVES)


def schema() -> dict[str, Any]:
    """Return all that the database has, by name; the order of the columns does not matter."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(DEFINITIONS)
            return dict(cursor.fetchall())
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        )
        return {name: sorted(parts(sql)) for name, sql in cursor.fetchall()}


def parts(sql: str) -> list[str]:
    """Split the definition of a table into its columns and constraints; other definitions are one part."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    found, depth = [""], 0
    for piece in re.split(r"([(),])", sql.partition("(")[2].removesuffix(")")):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "," and depth == 0:
            found.append("")
        else:
            found[-1] += piece
    return [part.strip() for part in found]
