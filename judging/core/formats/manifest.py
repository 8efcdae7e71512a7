"""The manifest beside an export: what it is of, how much there is, and how to tell that it came whole."""

import json
from dataclasses import dataclass, field
from datetime import datetime

from judging.core.formats.dictionary import as_objects
from judging.core.formats.packing import Measure
from judging.core.formats.software import versions
from judging.core.formats.tables import CountedTable, Told, nobody
from judging.core.formats.texts import moment
from judging.core.selectors.judgments import ACCEPTED, accepted_judgments
from judging.models import Assignment, Document, Participation, Study, Unit
from judging.protocol.states import UnitState


@dataclass
class Tally:
    """Filled while an export is read: its table, counting rows, and the size and hash of its bytes.

    `told` is called while the rows are read: a Parquet file, or a bundle, has no bytes before its last row.
    """

    told: Told = nobody
    table: CountedTable | None = None
    counts: dict[str, int] = field(default_factory=dict)
    file: Measure = field(default_factory=Measure)


def counts_of(study: Study) -> dict[str, int]:
    """How much there is of each thing in a study, whatever part of it is exported; in seven queries."""
    units = Unit.objects.filter(topic__study=study)
    completed = Assignment.objects.filter(ACCEPTED, topic__study=study)
    return {
        "topics": study.topics.count(),
        "documents": Document.objects.filter(study=study).count(),
        "units": units.count(),
        "units_completed": completed.count(),
        "units_excluded": units.filter(state=UnitState.DONE, excluded_at__isnull=False).count(),
        "judgments": accepted_judgments().filter(assignment__topic__study=study).count(),
        "workers": Participation.objects.filter(study=study).count(),
    }


def manifest(
    study: Study, what: str, form: str, name: str, tally: Tally, *, now: datetime
) -> dict[str, object]:
    """The manifest of an export that was read to its end; `name` is that of its file."""
    file: dict[str, object] = {"name": name, "bytes": tally.file.bytes, "sha256": tally.file.sha256}
    if tally.table is not None:
        file["rows"] = tally.table.rows.count
        file["columns"] = as_objects(tally.table.columns)
    return {
        "study": {
            "slug": study.slug,
            "title": study.title,
            "state": study.state,
            "seed": study.seed,
            "consent_version": study.consent_version,
            "simulated": study.simulated,
        },
        "export": what,
        "format": form,
        "made_at": moment(now),
        "software": versions(),
        "counts": tally.counts,
        "files": [file],
    }


def as_text(manifest: dict[str, object]) -> bytes:
    """A manifest as its file holds it."""
    return (json.dumps(manifest, ensure_ascii=False, indent=1) + "\n").encode()
