"""The list of payments: the one export that says who the workers are on their platform."""

from collections.abc import Generator
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import Final

from judging.exports import tables
from judging.exports.layouts import laid_out
from judging.exports.manifest import Tally, counts_of
from judging.exports.snapshot import one_snapshot
from judging.models import Actor, Study
from judging.selectors.published.payments import PAYMENTS
from judging.services.events import record_export

_IN_MEMORY: Final = 1_000_000
"""Bytes; what is longer waits on the disk."""
_AT_ONCE: Final = 1 << 16


def payment_chunks(
    study: Study, form: str, *, now: datetime, actor: Actor = None, tally: Tally | None = None
) -> Generator[bytes, None, None]:
    """The bytes of the export, given out only after the audit log says who took how many rows of it.

    They wait in a temporary file until the rows are counted: so memory is bounded, and the number exact.
    """
    tally = tally or Tally()
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        with one_snapshot():
            tally.counts = counts_of(study)
            tally.table = tables.counted(tables.of(PAYMENTS, study))
            waiting.writelines(tally.file.watch(laid_out(tally.table, form)))
        rows = tally.table.rows.count
        record_export(study=study, what=PAYMENTS.name, form=form, now=now, actor=actor, rows=rows)
        waiting.seek(0)
        while chunk := waiting.read(_AT_ONCE):
            yield chunk
