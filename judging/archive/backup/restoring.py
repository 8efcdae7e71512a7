"""Putting a backup into an empty site: all of it or nothing."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.db.models import Model

from judging.archive.backup.archive import BackupError, Checked
from judging.archive.backup.files import key_file, put_in_place, site_files
from judging.archive.backup.manifest import KEY, Manifest, Table
from judging.archive.backup.migrating import migrate_to, migrate_to_newest
from judging.archive.backup.tables import (
    FILLED_BY_MIGRATIONS,
    Schema,
    keep_others_from_writing,
    set_last_keys,
)
from judging.archive.backup.values import fields_of, lines_of, load, same
from judging.core.formats.software import plumbline_version
from judging.core.formats.writing import write_file
from judging.models.fields import column_of

_CANNOT_BE_STORED: Final = (
    DatabaseError,
    ValidationError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a row of other values than the table's raises, on its way from JSON to the database."""


def restore_site(backup: Checked) -> None:
    """Write what a checked backup holds, in one transaction, and compare what then stands there with it.

    A database that has fewer migrations than the backup, or none, gets these first, and in the end those that
    are newer than the backup. Raises BackupError where the site is not empty, its database has migrations
    that the backup has not, or something cannot be stored; then no row and no file is there.
    """
    schema = _schema_of(backup.manifest)
    moved: list[Path] = []
    with _staged(backup) as staged:
        try:
            with transaction.atomic():
                _write_tables(backup, schema)
                put_in_place(staged, moved)  # in the transaction still: should this fail, the rows go too
        except BaseException:
            for path in moved:
                path.unlink(missing_ok=True)
            raise
    if backup.manifest.key and not os.environ.get("PLUMBLINE_SECRET_KEY"):
        write_file(key_file(), [backup.archive.read(KEY)])
    migrate_to_newest()


def _schema_of(manifest: Manifest) -> Schema:
    """Bring an empty database to the migrations of the backup; returns its tables then."""
    schema = Schema()
    backed_up = {(app, name) for app, name in manifest.migrations}
    made_by = manifest.versions.get("plumbline", "?")
    if backed_up - schema.known or _number(made_by) > _number(plumbline_version()):
        raise BackupError(
            f"The backup was made by a newer version of Plumbline, {made_by}; this is {plumbline_version()}: "
            "restore it with that version."
        )
    _refuse_where_something_is(schema)
    wanted, applied = schema.in_full(backed_up), schema.in_full(schema.applied)
    if newer := sorted(applied - wanted):
        raise BackupError(
            f"The database has migrations that the backup does not have, such as {' '.join(newer[0])}: "
            "restore into a new database without running manage.py migrate first; restore does that."
        )
    if wanted - applied:
        migrate_to(wanted, schema)
        schema = Schema()
    columns = {
        model._meta.db_table: sorted(column_of(one) for one in fields_of(model)) for model in schema.models
    }
    if {table.table: sorted(table.columns) for table in manifest.tables} != columns:
        raise BackupError("The backup has other tables or columns than the database that it should go into.")
    return schema


def _number(version: str) -> list[int]:
    return [int(part) if part.isdecimal() else 0 for part in version.split(".")]


def _refuse_where_something_is(schema: Schema) -> None:
    found = next(
        (
            model._meta.db_table
            for model in schema.models
            if model._meta.db_table not in FILLED_BY_MIGRATIONS and model._base_manager.exists()
        ),
        None,
    ) or next((f"the folder {path.parent}" for _, path in site_files()), None)
    if found:
        raise BackupError(
            f"This site is not empty: there is something in {found}. Restore into a new one: an empty "
            "PLUMBLINE_VAR and a new database; nothing else may run on it yet."
        )


def _write_tables(backup: Checked, schema: Schema) -> None:
    keep_others_from_writing(schema.models)
    _refuse_where_something_is(schema)
    for model in reversed(schema.models):
        if model._meta.db_table in FILLED_BY_MIGRATIONS:
            model._base_manager.all().delete()
    tables = {table.table: table for table in backup.manifest.tables}
    for model in schema.models:
        name = model._meta.db_table
        try:
            load(model, tables[name].columns, backup.lines(tables[name]))
            connection.check_constraints(table_names=[name])  # now, where a wrong row can still be told
        except _CANNOT_BE_STORED as error:
            why = (str(error).splitlines() or ["no reason given"])[0]
            raise BackupError(f"The table {name} of the backup cannot be stored: {why}") from error
    for model in schema.models:
        _compare(backup, tables[model._meta.db_table], model)
    keys = {name: table.last_key for name, table in tables.items() if table.last_key is not None}
    set_last_keys(schema.models, keys)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # or the questions asked next would be planned for empty tables


def _compare(backup: Checked, table: Table, model: type[Model]) -> None:
    rows = zip_longest(backup.lines(table), lines_of(model, table.columns))
    for number, (line, stored) in enumerate(rows, start=1):
        if line is None or stored is None or not same(line, stored):
            raise BackupError(f"Row {number} of {table.table} does not read back as it stands in the backup.")


@contextmanager
def _staged(backup: Checked) -> Iterator[Path]:
    """The files of the backup in a folder beside those where they belong, gone after the block."""
    folder = Path(tempfile.mkdtemp(dir=settings.VAR, prefix=".restore-"))
    try:
        for member in backup.manifest.files:
            target = folder / member.name.removeprefix("files/")
            target.parent.mkdir(parents=True, exist_ok=True)
            with backup.archive.open(member.name) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)
        yield folder
    except OSError as error:
        raise BackupError(f"The files of the backup cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
