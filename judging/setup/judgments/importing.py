"""Import a CSV file of judgments with Plumbline's columns. If any row is invalid, nothing is imported."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from random import Random

from django.db import transaction

from evaluation.files.judgments import REQUIRED, JudgmentTable, read_table
from judging.core.intake.faults import Faults
from judging.models import Actor, Study
from judging.protocol.scales import scale_of
from judging.setup.judgments.rows import RowReader
from judging.setup.judgments.units import UnitGatherer
from judging.setup.services.imported import refuse_unless_empty, write_imported


@dataclass(frozen=True)
class ImportedJudgments:
    """The counts of an import. `simulated` is True if the judgments are marked as simulated."""

    judgments: int
    units: int
    workers: int
    topics: int
    simulated: bool


def import_judgments(study: Study, path: str | Path, *, now: datetime, rng: Random) -> ImportedJudgments:
    """Import the CSV file at `path`, which may be compressed (`.gz`), into `study`.

    Raise InputError if the file is not valid CSV. Raise StudyRefusedError, with a line for each problem, if
    rows are invalid. Raise RefusedError as `refuse_unless_empty` does. In all three cases, nothing is
    written.
    """
    refuse_unless_empty(study)
    table = read_table(path)
    for name in REQUIRED:
        table.column(name)
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        return write_judgments(study, table, now=now, rng=rng)


def write_judgments(
    study: Study, table: JudgmentTable, *, now: datetime, rng: Random, actor: Actor = None
) -> ImportedJudgments:
    """Write the judgments of a file with Plumbline's columns into a study.

    Call this function in a transaction. Raise StudyRefusedError or RefusedError as `import_judgments` does.
    """
    faults = Faults()
    gatherer = UnitGatherer(study, faults)
    for row in RowReader(table, faults, scale_of(study)).rows():
        gatherer.add(row)
    gatherer.check_whole()
    faults.raise_if_any()
    units = gatherer.units()
    path = Path(table.origin.path or "")
    workers = write_imported(
        study=study,
        units=units,
        simulated=gatherer.simulated,
        now=now,
        rng=rng,
        actor=actor,
        file=path.name,
        sha256=sha256(path.read_bytes()).hexdigest(),
        judgments=len(table.rows),
        units_in_the_file=gatherer.renamed(),
    )
    topics = len({unit.topic for unit in units})
    return ImportedJudgments(len(table.rows), len(units), workers, topics, gatherer.simulated)
