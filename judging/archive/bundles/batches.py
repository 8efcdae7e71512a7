"""Rows into the database batch by batch; what the database refuses is told by its line."""

from collections.abc import Sequence
from typing import Final

from django.db import DataError, IntegrityError, transaction
from django.db.models import Model

from judging.archive.bundles.archive import Archive
from judging.archive.bundles.fields import Member

BATCH: Final = 1000
_REFUSED: Final = (IntegrityError, DataError, OverflowError)

Lined = tuple[int, Model]
"""A line of a member, and the row made of it."""


def insert(archive: Archive, member: Member, model: type[Model], made: Sequence[Lined]) -> None:
    """Write rows, which get their keys; one that breaks a rule of the database is a fault of its line."""
    try:
        with transaction.atomic():
            model._default_manager.bulk_create([row for _, row in made])
    except _REFUSED:
        _find(archive, member, made)
        archive.faults.raise_if_any()
        raise


def _find(archive: Archive, member: Member, made: Sequence[Lined]) -> None:
    """Note the first row that cannot be written after those before it."""
    for line, row in made:
        row.pk = None
        try:
            with transaction.atomic():
                row.save(force_insert=True)
        except _REFUSED as error:
            what = "contradicts another row, or itself"
            archive.faults.add(archive.where(member.name, line), "", f"{what}: {_rule(error)}")
            return


def _rule(error: Exception) -> str:
    """What the database calls the rule that was broken."""
    diagnosis = getattr(error.__cause__, "diag", None)
    named = getattr(diagnosis, "constraint_name", None)
    return str(named or str(error).splitlines()[0])
