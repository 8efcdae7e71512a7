"""System scores from a study's own gains, or from the known grades of its documents."""

from collections.abc import Callable, Iterable, Sequence
from math import nan
from statistics import fmean
from typing import NamedTuple, cast

import numpy as np

from evaluation.conventions import Design, Unjudged
from evaluation.errors import InputError, shown
from evaluation.frames import Gains
from evaluation.measures import parse
from evaluation.runs import Run
from evaluation.sampling import Sampling
from evaluation.score_table import Scores
from evaluation.scores import score
from judging.core.published.gains import MAGNITUDES
from judging.core.selectors.copies import replaced_topics
from judging.core.selectors.labels import predictions_of
from judging.core.selectors.magnitudes import study_gains
from judging.core.selectors.sampling import inclusion_of
from judging.models import GradeSet, KnownGrade, PoolDocument, Ranking, Study
from judging.protocol.grades import gain_of, shown_letter


class GradeMedians(NamedTuple):
    """The quartiles of median magnitudes over all documents whose known grade is `grade`."""

    grade: str
    documents: int
    lower: float
    median: float
    upper: float


def study_runs(study: Study, tags: Iterable[str] | None = None) -> list[Run]:
    """Return the runs of a study, sorted by tag, and each run sorted by topic number.

    With `tags`, return only these runs.

    For each topic, the documents are in the order in which the run file lists them.
    """
    rankings = Ranking.objects.filter(run__study=study).order_by()
    if tags is not None:
        rankings = rankings.filter(run__tag__in=tags)
    rows = rankings.values_list("run__tag", "topic__number", "document_ids", "scores", "ranks")
    columns: dict[str, tuple[list[str], list[str], list[float], list[float]]] = {}
    # Sort here, by code point, because databases sort text by their own collations.
    for tag, topic, documents, scores, ranks in sorted(rows.iterator(), key=lambda row: row[:2]):
        topics, ids, all_scores, all_ranks = columns.setdefault(tag, ([], [], [], []))
        topics += [topic] * len(documents)
        ids += documents
        all_scores += scores
        all_ranks += ranks
    return [
        Run.from_columns(tag, topics, documents, np.array(scores, dtype=float), np.array(ranks, dtype=float))
        for tag, (topics, documents, scores, ranks) in columns.items()
    ]


def grade_gains(study: Study, grade_set: GradeSet) -> Gains:
    """Return the gains of a set of known grades.

    If the levels of the set are numbers, these numbers are the gains. Otherwise, the levels are N, M, R and
    H. Their gains are always 0, 1, 2 and 3, even if the file uses other values for these levels. Graded
    documents outside the pools have gains too, because they are part of the recall base.
    """
    grades = KnownGrade.objects.filter(grade_set=grade_set, topic__study=study).order_by()
    return level_gains(sorted(grades.values_list("topic__number", "document_id", "level").iterator()))


def without_topics(gains: Gains, topics: frozenset[str]) -> Gains:
    """Return `gains` without the gains of `topics`."""
    if not topics:
        return gains
    return Gains.from_checked(gains.table.filter(~gains.table["topic_id"].is_in(sorted(topics))))


def level_gains(rows: Iterable[tuple[str, str, str]]) -> Gains:
    """Return the gains for rows of the form (topic, document, level of the known grade)."""
    rows = list(rows)
    return Gains.from_columns(
        [topic for topic, document, level in rows],
        [document for topic, document, level in rows],
        np.array([gain_of(level) for topic, document, level in rows], dtype=float),
    )


def named_gains(study: Study, name: str) -> Gains:
    """Return the gains called `name`, from the judgments (`magnitudes`) or from a set of known grades.

    Leave out the known grades of topics that were replaced by a copy. This way, each information need counts
    only once in a mean. Raise `InputError` if the name is unknown, or if there are no judgments or grades.
    """
    if name == MAGNITUDES:
        gains = study_gains(study)
    else:
        grade_set = study.grade_sets.filter(name=name).first()
        if grade_set is None:
            names = [MAGNITUDES, *study.grade_sets.order_by("place").values_list("name", flat=True)]
            raise InputError(
                "unknown-gains",
                "study {study} has no gains named {gains}; choose from {known}",
                study=study.slug,
                gains=shown(name),
                known=", ".join(names),
            )
        gains = without_topics(grade_gains(study, grade_set), replaced_topics(study))
    if gains.table.is_empty() and name == MAGNITUDES:
        raise InputError(
            "study-without-judgments",
            "study {study} has no judgments that count yet; try again once workers have completed units",
            study=study.slug,
        )
    if gains.table.is_empty():
        raise InputError(
            "study-without-grades-to-score-by",
            "study {study} has no grades in the set {grades}; add grades, or choose another set",
            study=study.slug,
            grades=name,
        )
    return gains


def sampling_of(study: Study) -> Sampling | None:
    """Return the chances of the documents of a sampled study, or None if every document is judged.

    The numbers of machine judges that judged the whole pools are its predictions. They enter no result in any
    other way.
    """
    inclusion = inclusion_of(study)
    if inclusion is None:
        return None
    predictions = list(predictions_of(study).values())
    return Sampling(inclusion, predictions, design=cast(Design, study.sample_design))


def evaluate_study(
    study: Study,
    measures: Sequence[str],
    runs: Sequence[Run] | None = None,
    gains: str = MAGNITUDES,
    unjudged: Unjudged = "zero",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Scores:
    """Return the scores of `runs`, based on the study's own gains or on a set of known grades.

    By default, `runs` are the runs of the study. With `unjudged="N"`, an unjudged document has the gain of
    its topic's N anchor. If only a sample is judged, the scores by the study's own gains are estimated from
    it. `progress` is called after each step with the number of finished steps and the
    number of all steps. The steps are reading the runs, computing the gains, and scoring the runs. Raise
    `InputError` if a measure or the gains are unknown, or if there are no runs or no gains.
    """
    for measure in measures:
        parse(measure)  # before reading the judgments, so that a typing error costs no time
    scored = study_runs(study) if runs is None else runs
    if not scored:
        raise InputError(
            "study-without-runs-to-score",
            "study {study} has no runs; name runs in its study file, or give run files with --runs",
            study=study.slug,
        )
    progress(1, 3)
    gain_table = named_gains(study, gains)
    progress(2, 3)
    floors = anchor_floors(study, gain_table) if unjudged == "N" else None
    sampling = sampling_of(study) if gains == MAGNITUDES else None
    scores = score(
        gain_table,
        scored,
        measures,
        unjudged=unjudged,
        floors=floors,
        **({} if sampling is None else vars(sampling)),
    )
    progress(3, 3)
    return scores


def anchor_floors(study: Study, gains: Gains) -> dict[str, float]:
    """Return a dict from each topic to the gain of its N anchor. Leave out topics without such a gain.

    If a topic has two N anchors, use the mean of their gains.
    """
    anchors = PoolDocument.objects.filter(topic__study=study, anchor__in=["N", "N2"]).order_by()
    documents = set(anchors.values_list("topic__number", "document__document_id").iterator())
    floors: dict[str, list[float]] = {}
    for topic, document, gain in gains.table.iter_rows():
        if (topic, document) in documents:
            floors.setdefault(topic, []).append(gain)
    return {topic: fmean(of_topic) for topic, of_topic in floors.items()}


def tau_between(first: Scores, second: Scores, measure: str) -> float | None:
    """Return Kendall's τ_b between two rankings of the same systems.

    `first` and `second` are scores based on two kinds of gains. Each ranking sorts the systems by their means
    of `measure`.
    """
    from evaluation.comparison import tau_b  # loads scipy, which takes a second

    def means(scores: Scores) -> list[float]:
        by_run = {row.run: row.value for row in scores.means() if row.measure == measure}
        return [nan if (mean := by_run[run]) is None else mean for run in first.runs]

    return tau_b(means(first), means(second))


def medians_by_grade(study: Study) -> list[GradeMedians]:
    """Return the quartiles of the documents' median magnitudes for each of the grades N, M, R, H and U.

    U stands for documents without a known grade. Quartiles are interpolated linearly. Grades without a
    judged document are left out.
    """
    from evaluation.analyses import boxes  # loads scipy, which takes a second

    pool = PoolDocument.objects.filter(topic__study=study).exclude(grade="").order_by()
    grades = level_gains(pool.values_list("topic__number", "document__document_id", "grade").iterator())
    table = boxes(study_gains(study), grades).select("grade", "documents", "q1", "median", "q3")
    return [GradeMedians(shown_letter(grade), *numbers) for grade, *numbers in table.iter_rows()]
