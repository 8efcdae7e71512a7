"""The list of payments: the one export that says who the workers are on their platform."""

from collections.abc import Generator
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from judging.exports import tables
from judging.exports.formats import FORMATS
from judging.exports.snapshot import one_snapshot
from judging.exports.tables import Table
from judging.models import Study
from judging.selectors.payments import PaymentRow, payment_rows
from judging.services.exporting import record_export

_IN_MEMORY: Final = 1_000_000
"""Bytes; what is longer waits on the disk."""


def payments_table(study: Study) -> Table:
    """Who is to be paid, how much, and for what, as `PaymentRow` names the columns."""
    return tables.of(PaymentRow, payment_rows(study))


def payment_lines(study: Study, form: str, *, now: datetime, actor: Any = None) -> Generator[str, None, None]:
    """The lines of the export, given out only after the audit log says who took how many rows of it.

    They wait in a temporary file until they are counted: so memory is bounded, and the number exact.
    """
    with SpooledTemporaryFile(_IN_MEMORY, mode="w+", encoding="utf-8", newline="\n") as waiting:
        lines = 0
        with one_snapshot():
            for line in FORMATS[form](payments_table(study)):
                waiting.write(line)
                lines += 1
        rows = lines - (form == "csv")  # a header
        record_export(study=study, what="payments", form=form, now=now, actor=actor, rows=rows)
        waiting.seek(0)
        yield from waiting
