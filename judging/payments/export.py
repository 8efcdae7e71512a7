"""The export of payments. No other export contains the ids that workers have on a platform."""

from collections.abc import Generator
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import Final

from judging.core.formats import export_table
from judging.core.formats.manifest import Tally, counts_of
from judging.core.formats.snapshot import one_snapshot
from judging.core.published.payments import PAYMENTS
from judging.core.services.events import record_export
from judging.models import Actor, Study

_IN_MEMORY: Final = 1_000_000
"""The maximum size of an export in memory, in bytes. Larger exports are stored on the disk."""
_AT_ONCE: Final = 1 << 16


def payment_chunks(
    study: Study, form: str, *, now: datetime, actor: Actor = None, tally: Tally | None = None
) -> Generator[bytes, None, None]:
    """Record the export and its number of rows in the audit log, and then yield the bytes of the export.

    The number of rows is known only once all rows are written. Until then, the bytes wait in a temporary
    file, so that large exports do not fill the memory.
    """
    tally = tally or Tally()
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        with one_snapshot():
            tally.counts = counts_of(study)
            waiting.writelines(tally.chunks(export_table.of(PAYMENTS, study), form))
        record_export(study=study, what=PAYMENTS.name, form=form, now=now, actor=actor, rows=tally.rows)
        waiting.seek(0)
        while chunk := waiting.read(_AT_ONCE):
            yield chunk
