"""The manifest of an export. It describes the study, its counts, and the exported file with its checksum."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from judging.core.formats.export_table import OnRows, Table, ignore_rows
from judging.core.formats.packing import Measure
from judging.core.formats.software import versions
from judging.core.formats.texts import file_name, laid_out, moment
from judging.core.published.table import Cell, Column, as_objects
from judging.core.selectors.judgments import ACCEPTED, accepted_judgments
from judging.core.selectors.kinds import Kinds, attempts_of, units_of, workers_of
from judging.models import Document, Study
from judging.protocol.states import UnitState

_BETWEEN: Final = 100


@dataclass
class Tally:
    """The columns, number of rows, size and checksum of an export.

    These are complete once all bytes of the export have been read. `rows` is None for a bundle, which is not
    a table. `on_rows` reports progress while rows are read. Counting bytes would not show progress, because
    Parquet files and bundles yield no bytes until all their rows have been read.
    """

    on_rows: OnRows = ignore_rows
    columns: Sequence[Column] = ()
    rows: int | None = None
    counts: dict[str, int] = field(default_factory=dict)
    file: Measure = field(default_factory=Measure)

    def chunks(self, table: Table, form: str) -> Iterator[bytes]:
        """Return the bytes of a table in a format. Reading them updates the tally."""
        self.columns, self.rows = table.columns, 0
        return self.file.watch(laid_out(replace(table, rows=self._counted(table.rows)), form))

    def _counted(self, rows: Iterable[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
        for count, row in enumerate(rows, start=1):
            self.rows = count
            if count % _BETWEEN == 0:
                self.on_rows(count)
            yield row


def counts_of(study: Study, kinds: Kinds = None) -> dict[str, int]:
    """Return the numbers of topics, documents, units, judgments and workers of the study."""
    units = units_of(study, kinds)
    completed = attempts_of(study, kinds).filter(ACCEPTED)
    return {
        "topics": study.topics.count(),
        "documents": Document.objects.filter(study=study).count(),
        "units": units.count(),
        "units_completed": completed.count(),
        "units_excluded": units.filter(state=UnitState.DONE, excluded_at__isnull=False).count(),
        "judgments": accepted_judgments(study, kinds=kinds).filter(assignment__topic__study=study).count(),
        "workers": workers_of(study, kinds).count(),
    }


def manifest(
    study: Study,
    export: str,
    form: str,
    tally: Tally,
    *,
    now: datetime,
    name: str = "",
    kinds: Kinds = None,
) -> bytes:
    """Return the manifest of an export as JSON. Call this after all bytes of the export have been read.

    `name` is the export's file name; "" stands for the default name. `kinds` are the kinds of judges, if
    somebody chose them.
    """
    name = name or file_name(study, export, form)
    file: dict[str, object] = {"name": name, "bytes": tally.file.bytes, "sha256": tally.file.sha256}
    if tally.rows is not None:
        file["rows"] = tally.rows
        file["columns"] = as_objects(tally.columns)
    asked = {} if kinds is None else {"judges": sorted(kinds)}
    content: dict[str, object] = {
        "study": {
            "slug": study.slug,
            "title": study.title,
            "state": study.state,
            "seed": study.seed,
            "consent_version": study.consent_version,
            "simulated": study.simulated,
        },
        "export": export,
        "format": form,
        **asked,
        "made_at": moment(now),
        "software": versions(),
        "counts": tally.counts,
        "files": [file],
    }
    return as_text(content)


def as_text(manifest: dict[str, object]) -> bytes:
    """Return a manifest as JSON, encoded in UTF-8."""
    return (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
