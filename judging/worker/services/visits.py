"""Open a document with a single SQL statement, so that the pages that show documents stay fast."""

from datetime import datetime
from functools import cache
from typing import Final

from django.db import connection

from judging.models import Assignment, Judgment, Visit
from judging.models.fields import values
from judging.protocol.states import AssignmentState

JUDGING: Final = (AssignmentState.JUDGING, AssignmentState.REVISING)
"""The states in which documents are shown and judged."""


def open_document(*, assignment: Assignment, judgment: Judgment, now: datetime) -> None:
    """Start a visit to the current document. A reload or a second tab continues the same visit.

    Do nothing if another tab has just left the document.
    """
    moment = Visit._meta.get_field("opened_at").get_db_prep_save(now, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            _statement(connection.vendor),
            [judgment.pk, moment, assignment.pk, judgment.position, *values(JUDGING)],
        )


@cache
def _statement(vendor: str) -> str:
    """Return the SQL statement for a database vendor.

    The column `cursor` holds the position of the current document. Every transaction that changes this column
    locks the assignment. PostgreSQL waits for the lock and then reads `cursor` again. SQLite has only one
    writer at a time. If a visit is already open, the unique constraint prevents a second one.
    """
    visit, assignment = Visit._meta.db_table, Assignment._meta.db_table
    lock = "FOR NO KEY UPDATE" if vendor == "postgresql" else ""
    return f"""
        INSERT INTO {visit} (judgment_id, assignment_id, opened_at, closed_at, seconds)
        SELECT %s, id, %s, NULL, 0 FROM {assignment}
        WHERE id = %s AND cursor = %s AND state IN ({", ".join(["%s"] * len(JUDGING))}) {lock}
        ON CONFLICT (assignment_id) WHERE closed_at IS NULL DO NOTHING
    """  # noqa: S608 - names of our own tables
