"""What can be exported, and in which formats: the command line and the console offer exactly this."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Final

from judging.exports import tables
from judging.exports.formats import FORMATS
from judging.exports.judgments import gains_table, judgments_table
from judging.exports.payments import payments_table
from judging.exports.snapshot import one_snapshot
from judging.exports.tables import Table
from judging.models import Study
from judging.selectors.events import EventRow, event_rows
from judging.selectors.table1 import Table1Row, table1
from judging.selectors.units_report import UnitRow, unit_rows
from judging.selectors.workers_report import WorkerRow, worker_rows


@dataclass(frozen=True)
class Export:
    """One thing to export. The first of its formats is the default."""

    name: str
    what: str
    table: Callable[[Study], Table]
    formats: tuple[str, ...] = ("csv", "jsonl")


EXPORTS: Final = {
    export.name: export
    for export in (
        Export("judgments", "Magnitudes, normalised too, with times and justifications.", judgments_table),
        Export("gains", "One gain per document, as qrels.", gains_table, ("qrels", "csv", "jsonl")),
        Export(
            "units",
            "Every attempt at a unit: its end, times, uses of back, failed checks.",
            lambda study: tables.of(UnitRow, unit_rows(study)),
        ),
        Export(
            "workers",
            "Every worker by pseudonym: how far they came, and their checks.",
            lambda study: tables.of(WorkerRow, worker_rows(study)),
        ),
        Export(
            "events",
            "What went wrong, where and when.",
            lambda study: tables.of(EventRow, event_rows(study)),
        ),
        Export(
            "table1",
            "Documents, units, anchors, uses of back and failed checks per topic.",
            lambda study: tables.of(Table1Row, table1(study)),
        ),
    )
}

"""What anybody may take who sees the study: workers appear by pseudonym."""

PAYMENTS: Final = Export(
    "payments", "Who is to be paid how much, by their id on the platform.", payments_table
)
"""Not among the others, so that nothing offers it by the way: `exports.payments.payment_lines` writes it."""


def export_lines(
    study: Study, what: str, form: str | None = None, *, with_excluded: bool = False
) -> Iterator[str]:
    """The lines of one export, made while they are read; `form` None is the default format.

    Raises ValueError for what the catalogue does not hold; `with_excluded` is for judgments alone.
    """
    export = EXPORTS.get(what)
    form = form or (export.formats[0] if export else "")
    if export is None or form not in export.formats:
        raise ValueError(f"there is no export of {what} as {form}")
    if with_excluded and what != "judgments":
        raise ValueError("only judgments are exported with excluded units")
    table = judgments_table(study, with_excluded=True) if with_excluded else export.table(study)
    return FORMATS[form](table)


def snapshot_lines(
    study: Study, what: str, form: str, *, with_excluded: bool = False
) -> Generator[str, None, None]:
    """The same lines, all from one state of the study, which is that of the first line asked for.

    Until the last one is read, or the iterator closed, the connection to the database writes nothing.
    """
    with one_snapshot():
        yield from export_lines(study, what, form, with_excluded=with_excluded)


def file_name(study: Study, what: str, form: str) -> str:
    """A name to save an export under."""
    return f"{study.slug}-{what}.{'txt' if form == 'qrels' else form}"
