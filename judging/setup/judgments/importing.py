"""Judgments collected elsewhere, in the columns in which such data is published: all of a file or nothing."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from random import Random

from django.db import transaction

from evaluation.files.judgments import REQUIRED, read_table
from judging.core.intake.faults import Faults
from judging.models import Study
from judging.setup.judgments.rows import RowReader
from judging.setup.judgments.units import UnitGatherer
from judging.setup.services.imported import refuse_unless_empty, write_imported


@dataclass(frozen=True)
class ImportedJudgments:
    """How much was written; `simulated` as the file says of its judgments."""

    judgments: int
    units: int
    workers: int
    topics: int
    simulated: bool


def import_judgments(study: Study, path: str | Path, *, now: datetime, rng: Random) -> ImportedJudgments:
    """Read the CSV file at `path` (`.gz` too) and write its magnitudes into `study`.

    Raises InputError where the file cannot be read as CSV, StudyRefusedError with a line for every fault, and
    RefusedError unless the study is a draft in which nobody took part; nothing has been written then.
    """
    refuse_unless_empty(study)
    table = read_table(path)
    for name in REQUIRED:
        table.column(name)
    faults = Faults()
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        gathered = UnitGatherer(study, faults)
        for row in RowReader(table, faults).rows():
            gathered.add(row)
        gathered.check_whole()
        faults.raise_if_any()
        units = gathered.units()
        workers = write_imported(
            study=study,
            units=units,
            simulated=gathered.simulated,
            now=now,
            rng=rng,
            file=Path(path).name,
            sha256=sha256(Path(path).read_bytes()).hexdigest(),
            judgments=len(table.rows),
            units_in_the_file=gathered.renamed(),
        )
    topics = len({unit.topic for unit in units})
    return ImportedJudgments(len(table.rows), len(units), workers, topics, gathered.simulated)
