"""The tables of a database, as defined by its applied migrations and not by the newest models."""

from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any, Final

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import AutoField, Model

Migration = tuple[str, str]
FILLED_BY_MIGRATIONS: Final = ("auth_permission", "django_content_type")
"""Tables that already have rows in a new database. A restore replaces these rows."""
LEFT_OUT: Final = ("authtoken_token", "django_session")
"""Tables whose rows are never in a backup, because a thief could use them to log in."""


class Schema:
    """The tables of the connected database, according to the migrations applied to it.

    `known` has the migrations of this version of Plumbline. If one of them is squashed, `known` also has the
    migrations that it replaces.
    """

    def __init__(self) -> None:
        loader = MigrationLoader(connection)
        self._disk: Mapping[Migration, Any] = loader.disk_migrations
        self.applied: set[Migration] = set(loader.applied_migrations)
        self.known: set[Migration] = {*self._disk, *self.in_full(self._disk)}
        apps = loader.project_state(sorted(self.applied & set(loader.graph.nodes))).apps
        models = apps.get_models(include_auto_created=True)
        self.models: list[type[Model]] = _referred_first(
            [model for model in models if model._meta.managed and not model._meta.proxy]
        )

    def in_full(self, migrations: Iterable[Migration]) -> set[Migration]:
        """Return the migrations, but replace each squashed migration with the migrations that it combines."""
        full = set()
        for name in migrations:
            replaced = self._disk[name].replaces if name in self._disk else ()
            full |= self.in_full(map(tuple, replaced)) if replaced else {name}
        return full

    def begun(self, migrations: set[Migration]) -> Migration | None:
        """Return a squashed migration of which `migrations` have only a part, or None."""
        for name, on_disk in self._disk.items():
            if on_disk.replaces and 0 < len(self.in_full([name]) & migrations) < len(self.in_full([name])):
                return name
        return None


def _referred_first(models: list[type[Model]]) -> list[type[Model]]:
    """Return the tables in an order in which no table refers to a later one."""
    by_name = {
        model._meta.db_table: model for model in sorted(models, key=lambda model: model._meta.db_table)
    }
    refers = {
        name: {
            field.related_model._meta.db_table
            for field in model._meta.local_concrete_fields
            if field.related_model is not None and field.related_model is not model
        }
        for name, model in by_name.items()
    }
    return [by_name[name] for name in TopologicalSorter(refers).static_order()]


def last_keys(models: list[type[Model]]) -> dict[str, int]:
    """Return the last key used in each table. Keys of deleted rows also count, as they are never reused."""
    numbered = [model for model in models if isinstance(model._meta.pk, AutoField)]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            keys = dict(cursor.fetchall())
            return {name: keys.get(name, 0) for name in (model._meta.db_table for model in numbered)}
        keys = {}
        for model, sequence in _sequences(numbered):
            # The name of a sequence comes from the database's own catalogue.
            cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")  # noqa: S608
            keys[model._meta.db_table] = cursor.fetchone()[0]
        return keys


def set_last_keys(models: list[type[Model]], keys: dict[str, int]) -> None:
    """Set the last key of each table, so that new rows get larger keys."""
    numbered = [model for model in models if model._meta.db_table in keys]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            tables = [model._meta.db_table for model in numbered]
            cursor.executemany("DELETE FROM sqlite_sequence WHERE name = %s", [(name,) for name in tables])
            rows = [(name, keys[name]) for name in tables]
            cursor.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", rows)
            return
        for model, sequence in _sequences(numbered):
            last = keys[model._meta.db_table]
            cursor.execute("SELECT setval(%s, %s, %s)", [sequence, max(last, 1), last > 0])


def _sequences(models: list[type[Model]]) -> Iterator[tuple[type[Model], str]]:
    with connection.cursor() as cursor:
        for model in models:
            table, column = connection.ops.quote_name(model._meta.db_table), model._meta.pk.column
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, column])
            yield model, cursor.fetchone()[0]


def keep_others_from_writing(models: list[type[Model]]) -> None:
    """Block the writes of other connections until this transaction ends.

    On SQLite, the transaction itself already blocks them.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE")
