"""Import a table of judgments with Plumbline's columns. If any row is invalid, nothing is imported."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from random import Random

from django.db import transaction

from evaluation.parsing.judgment_table import REQUIRED, JudgmentTable, read_table
from judging.core.faults import Faults, Where
from judging.models import Actor, Study
from judging.setup.intake.files import WORKBOOK, SourceFile
from judging.setup.intake.judged import read_workbook
from judging.setup.judgments.rows import RowReader
from judging.setup.judgments.units import UnitGatherer
from judging.setup.services.imported import delete_imported, refuse_unless_empty, write_imported


@dataclass(frozen=True)
class ImportedJudgments:
    """The counts of an import. `simulated` is True if the judgments are marked as simulated."""

    judgments: int
    units: int
    workers: int
    topics: int
    simulated: bool


def import_judgments(
    study: Study, path: str | Path, *, now: datetime, rng: Random, replace: bool = False
) -> ImportedJudgments:
    """Import the file at `path` into `study`: CSV, which may be compressed (`.gz`), or an Excel workbook.

    With `replace`, first delete the judgments that were imported earlier, in the same transaction.

    Raise InputError if the file is of another kind or is not valid CSV. Raise StudyRefusedError, with a line
    for each problem, if the workbook or rows are invalid. Raise RefusedError as `refuse_unless_empty` or
    `delete_imported` does. In all these cases, nothing is written or deleted.
    """
    if not replace:
        refuse_unless_empty(study)
    table = _read(Path(path))
    for name in REQUIRED:
        table.column(name)
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        replaced = delete_imported(study) if replace else 0
        return write_judgments(study, table, now=now, rng=rng, replaced=replaced)


def _read(path: Path) -> JudgmentTable:
    source = SourceFile(path, Where(str(path)), "", Faults())
    if source.kind != WORKBOOK:
        return read_table(path)
    try:
        return read_workbook(source)
    finally:
        source.faults.raise_if_any()


def write_judgments(
    study: Study, table: JudgmentTable, *, now: datetime, rng: Random, actor: Actor = None, replaced: int = 0
) -> ImportedJudgments:
    """Write the judgments of a file with Plumbline's columns into a study.

    `replaced` is the number of judgments that were deleted before, for the audit log.

    Call this function in a transaction. Raise StudyRefusedError or RefusedError as `import_judgments` does.
    """
    faults = Faults()
    gatherer = UnitGatherer(study, faults)
    for row in RowReader(table, faults, study).rows():
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
        **({"replaced": replaced} if replaced else {}),
    )
    topics = len({unit.topic for unit in units})
    return ImportedJudgments(len(table.rows), len(units), workers, topics, gatherer.simulated)
