"""What reports are made of: a study's judgments that count, with its grades and runs, read once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.errors import InputError
from evaluation.frames import Gains, Judgments, Run
from evaluation.magnitudes import gains, normalise
from judging.core.selectors.judgments import counted, in_order, topics_sorted
from judging.core.selectors.magnitudes import judgments_frame
from judging.models import PoolDocument, Study
from judging.understanding.scoring import grade_gains, level_gains, study_runs
from judging.understanding.selectors.reports import Version, judgments_version


@dataclass(frozen=True, eq=False)
class Given:
    """The judgments as their export lists them, `pks` and `topics` by row.

    `pool` has a row for each document of a pool: topic, document, grade and anchor. `known` are the sets of
    known grades by name, in their order, as gains of 0 to 3. `chosen` is the set that `grades` are of: the
    first where it is empty.
    """

    study: Study
    version: Version
    judgments: Judgments
    pks: list[int]
    pool: list[tuple[str, str, str, str]]
    known: dict[str, Gains]
    runs: list[Run]
    chosen: str = ""

    @cached_property
    def normalised(self) -> FloatArray:
        return normalise(self.judgments)

    @cached_property
    def medians(self) -> Gains:
        """The gains of the documents."""
        return gains(self.judgments, self.normalised)

    @cached_property
    def grades(self) -> Gains:
        """The known grades: N, M, R and H are 0, 1, 2 and 3. The first set's are of the pools alone."""
        if self.chosen:
            return self.known[self.chosen]
        return level_gains((topic, document, grade) for topic, document, grade, _ in self.pool if grade)

    @cached_property
    def grade_sets(self) -> dict[str, Gains]:
        """Every set of known grades that grades a document, by name; the first as it grades the pools.

        Documents of the pools that the first set does not list may have a grade by the study file.
        """
        first, *others = self.known or ["grades"]
        sets = {first: self.grades} | {name: self.known[name] for name in others}
        return {name: grades for name, grades in sets.items() if len(grades.table)}

    @property
    def dice(self) -> np.random.Generator:
        """A generator seeded by the study's seed, whatever its sign; a new one each time it is asked for."""
        return np.random.default_rng(self.study.seed % 2**64)


def read_study(study: Study) -> Given:
    """Everything that reports are made of. Raises InputError where no judgment counts yet.

    The columns of all judgments are in memory at once; what workers wrote is not read.
    """
    version = judgments_version(study)
    frames = []
    numbers = [topic.number for topic in topics_sorted(study)]
    for rows in counted(study, numbers):
        ordered = in_order(rows)
        frames.append((rows[0].topic, judgments_frame(ordered).table, [row.pk for row in ordered]))
    if not frames:
        raise InputError(
            "study-without-judgments-to-report",
            "study {study} has no judgments that count yet, so there is nothing to report",
            study=study.slug,
        )
    frames.sort(key=lambda frame: frame[0])
    pool = PoolDocument.objects.filter(topic__study=study).order_by()
    pooled = pool.values_list("topic__number", "document__document_id", "grade", "anchor")
    return Given(
        study,
        version,
        Judgments(pl.concat([table for _, table, _ in frames])),
        [pk for _, _, pks in frames for pk in pks],
        sorted(pooled.iterator()),
        {found.name: grade_gains(study, found) for found in study.grade_sets.order_by("place")},
        study_runs(study),
    )
