"""Restore a backup into an empty site, completely or not at all."""

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

from judging.archive.backup.archive import BackupError, CheckedBackup
from judging.archive.backup.files import key_file, put_in_place, site_files
from judging.archive.backup.manifest import KEY, Manifest, Table
from judging.archive.backup.migrating import migrate_to, migrate_to_newest
from judging.archive.backup.schema import (
    FILLED_BY_MIGRATIONS,
    Schema,
    keep_others_from_writing,
    set_last_keys,
)
from judging.archive.backup.values import fields_of, lines_of, load, same_row
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
"""The exceptions that occur if a row of a backup cannot be converted from JSON or stored in its table."""


def restore_site(backup: CheckedBackup) -> None:
    """Restore a checked backup, and compare the stored rows with the backup.

    First apply the backup's migrations that the database lacks. Then write all rows and files in one
    transaction. At the end, apply all newer migrations.

    Raise BackupError, and leave no row or file behind, in these cases:

    - A newer version of Plumbline made the backup, or one that is older than a squashed migration.
    - The site is not empty.
    - The database has migrations that the backup lacks.
    - The tables or columns of the database differ from those of the backup.
    - A row or file cannot be stored, or a stored row differs from the backup.
    """
    schema = _schema_of(backup.manifest)
    moved: list[Path] = []
    with _staged(backup) as staged:
        try:
            with transaction.atomic():
                _write_tables(backup, schema)
                put_in_place(staged, moved)  # inside the transaction, so that a failure removes the rows too
        except BaseException:
            for path in moved:
                path.unlink(missing_ok=True)
            raise
    if backup.manifest.key and not os.environ.get("PLUMBLINE_SECRET_KEY"):
        write_file(key_file(), [backup.archive.read(KEY)])
    migrate_to_newest()


def _schema_of(manifest: Manifest) -> Schema:
    """Apply the backup's migrations to an empty database, and return the schema of the database."""
    schema = Schema()
    backed_up = {(app, name) for app, name in manifest.migrations}
    made_by = manifest.versions.get("plumbline", "?")
    if backed_up - schema.known or _number(made_by) > _number(plumbline_version()):
        raise BackupError(
            f"A newer version of Plumbline, {made_by}, made this backup, and this is {plumbline_version()}. "
            "Restore it with that version."
        )
    _refuse_unless_empty(schema)
    if partial := schema.begun(backed_up):
        raise BackupError(
            f"This backup is older than the migration {partial[1]}, which replaces many steps of the"
            " development. Restore it with the version that made it, upgrade that site, and back it up again."
        )
    wanted, applied = schema.in_full(backed_up), schema.in_full(schema.applied)
    if newer := sorted(applied - wanted):
        raise BackupError(
            f"The database has migrations that the backup lacks, such as {' '.join(newer[0])}. "
            "Restore into a new database. Do not run manage.py migrate first, because restore does it."
        )
    if wanted - applied:
        migrate_to(wanted, schema)
        schema = Schema()
    columns = {
        model._meta.db_table: sorted(column_of(field) for field in fields_of(model))
        for model in schema.models
    }
    if {table.table: sorted(table.columns) for table in manifest.tables} != columns:
        raise BackupError(
            "The tables or columns of the backup differ from those of the database. Restore "
            "into a new database."
        )
    return schema


def _number(version: str) -> list[int]:
    return [int(part) if part.isdecimal() else 0 for part in version.split(".")]


def _refuse_unless_empty(schema: Schema) -> None:
    occupied = next(
        (
            model._meta.db_table
            for model in schema.models
            if model._meta.db_table not in FILLED_BY_MIGRATIONS and model._base_manager.exists()
        ),
        None,
    ) or next((f"the folder {path.parent}" for _, path in site_files()), None)
    if occupied:
        raise BackupError(
            f"This site is not empty: {occupied} has data. Restore into a new site, with an empty "
            "PLUMBLINE_VAR and a new database, before anything else runs on it."
        )


def _write_tables(backup: CheckedBackup, schema: Schema) -> None:
    keep_others_from_writing(schema.models)
    _refuse_unless_empty(schema)
    for model in reversed(schema.models):
        if model._meta.db_table in FILLED_BY_MIGRATIONS:
            model._base_manager.all().delete()
    tables = {table.table: table for table in backup.manifest.tables}
    for model in schema.models:
        name = model._meta.db_table
        try:
            load(model, tables[name].columns, backup.lines(tables[name]))
            connection.check_constraints(table_names=[name])  # not later, so that an error names the table
        except _CANNOT_BE_STORED as error:
            reason = (str(error).splitlines() or ["unknown reason"])[0]
            raise BackupError(f"The table {name} of the backup cannot be stored: {reason}") from error
    for model in schema.models:
        _compare(backup, tables[model._meta.db_table], model)
    keys = {name: table.last_key for name, table in tables.items() if table.last_key is not None}
    set_last_keys(schema.models, keys)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # so that the next queries are not planned for empty tables


def _compare(backup: CheckedBackup, table: Table, model: type[Model]) -> None:
    rows = zip_longest(backup.lines(table), lines_of(model, table.columns))
    for number, (line, stored) in enumerate(rows, start=1):
        if line is None or stored is None or not same_row(line, stored):
            raise BackupError(f"Row {number} of {table.table} differs from the backup after it was stored.")


@contextmanager
def _staged(backup: CheckedBackup) -> Iterator[Path]:
    """Yield a temporary folder with the files of the backup, on the same disk as the site's folders."""
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
