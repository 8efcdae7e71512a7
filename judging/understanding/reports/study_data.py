"""The data behind reports: a study's judgments that count, its grades and its runs, read once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.conventions import SpreadOf
from evaluation.errors import InputError
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import normalise
from evaluation.runs import Run
from evaluation.sampling import Sampling
from judging.core.selectors.copies import replaced_topics
from judging.core.selectors.judgments import counted, in_order, topics_sorted
from judging.core.selectors.magnitudes import judgments_frame
from judging.models import KnownGrade, PoolDocument, ReportKind, Study
from judging.protocol.grades import GAINS
from judging.protocol.scales import scale_of
from judging.understanding.scoring import grade_gains, level_gains, sampling_of, study_runs, without_topics
from judging.understanding.selectors.reports import Version, judgments_version


@dataclass(frozen=True, eq=False)
class StudyData:
    """The data of a study.

    `judgments` are in the same order as in exports, and `pks` are their primary keys, row by row. `pool` has
    a row for each document of a pool: topic, document, grade and anchor. `known` maps the name of each set of
    known grades to its gains, in the order of the sets. `known` leaves out topics that were replaced by a
    copy, so that only the copies count in scores. `all_known` also contains the replaced topics, because
    their judgments can still count. `numbered` names the sets whose levels are numbers. In other sets, the
    gains 0 to 3 stand for N, M, R and H. `sampling` has the chances of the documents, if only a sample of
    them is judged.
    """

    study: Study
    version: Version
    judgments: Judgments
    pks: list[int]
    pool: list[tuple[str, str, str, str]]
    known: dict[str, Gains]
    all_known: dict[str, Gains]
    runs: list[Run]
    numbered: frozenset[str] = frozenset()
    sampling: Sampling | None = None

    @cached_property
    def normalised(self) -> FloatArray:
        return normalise(self.judgments, self.study.normalisation)

    @property
    def spread(self) -> SpreadOf:
        """Return whose judgments give the interval of a gain: in an adaptive study, those of the topic."""
        return "topic" if self.study.normalisation == "additive" else "document"

    @cached_property
    def _pooled(self) -> Gains:
        """The grades that the first set gives to the documents of the pools."""
        return level_gains((topic, document, grade) for topic, document, grade, anchor in self.pool if grade)

    @cached_property
    def grade_sets(self) -> dict[str, Gains]:
        """Return a dict from the name of each set of known grades to its gains. Leave out empty sets.

        The gains of the first set are only those of documents in the pools. They also include
        the gains of pooled documents that have a grade in the study file but not in this set.
        """
        first, *others = self.known or ["grades"]
        sets = {first: self._pooled} | {name: self.all_known[name] for name in others}
        return {name: grades for name, grades in sets.items() if len(grades.table)}

    @property
    def is_random(self) -> bool:
        """Return whether the relevance of every document except the anchors is random.

        `has_random_relevance` gets the same result from the database.
        """
        return self.study.simulated and not any(
            grade for topic, document, grade, anchor in self.pool if not anchor
        )

    @property
    def random(self) -> np.random.Generator:
        """Return a new random generator with the seed of the study.

        NumPy refuses negative seeds, so the seed is taken modulo 2⁶⁴.
        """
        return np.random.default_rng(self.study.seed % 2**64)


def read_study(study: Study, kind: ReportKind | None = None) -> StudyData:
    """Return the data of a study. Raise InputError if the study has no judgments that count.

    Its version is that of a report of this kind.

    The data contains all judgments that count, but not the workers' justifications, to save memory.
    """
    version = judgments_version(study, kind)
    frames = []
    numbers = [topic.number for topic in topics_sorted(study)]
    for rows in counted(study, numbers):
        ordered = in_order(rows)
        frames.append((rows[0].topic, judgments_frame(study, ordered).table, [row.pk for row in ordered]))
    if not frames:
        raise InputError(
            "study-without-judgments",
            "study {study} has no judgments that count yet; try again once workers have completed units",
            study=study.slug,
        )
    frames.sort(key=lambda frame: frame[0])
    pool = PoolDocument.objects.filter(topic__study=study).order_by()
    numbered = KnownGrade.objects.filter(grade_set__study=study).exclude(level__in=GAINS).order_by()
    pooled = pool.values_list("topic__number", "document__document_id", "grade", "anchor")
    all_known = {
        grade_set.name: grade_gains(study, grade_set) for grade_set in study.grade_sets.order_by("place")
    }
    replaced = replaced_topics(study)
    return StudyData(
        study,
        version,
        Judgments.from_checked(pl.concat([table for number, table, pks in frames])).on_scale(
            scale_of(study).library
        ),
        [pk for number, table, pks in frames for pk in pks],
        sorted(pooled.iterator()),
        {name: without_topics(grades, replaced) for name, grades in all_known.items()},
        all_known,
        study_runs(study),
        frozenset(numbered.values_list("grade_set__name", flat=True)),
        sampling_of(study),
    )
