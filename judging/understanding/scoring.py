"""System scores from a study's own gains, or from the known grades of its documents."""

from collections.abc import Callable, Iterable, Sequence
from math import nan
from typing import Final, NamedTuple, TextIO

import numpy as np

from evaluation.errors import InputError, shown
from evaluation.files import read_runs as read_runs  # also for commands, which do not open the library
from evaluation.files import write_scores
from evaluation.files.scores import FORMATS as FORMATS
from evaluation.files.scores import Format
from evaluation.frames import Gains, Run, Scores
from evaluation.measures import parse
from evaluation.scores import score
from judging.core.intake.columns import MAGNITUDES
from judging.core.selectors.magnitudes import study_gains
from judging.models import GradeSet, KnownGrade, PoolDocument, Ranking, Study
from judging.protocol.states import Grade

LETTERS: Final = {0.0: "N", 1.0: "M", 2.0: "R", 3.0: "H", None: "U"}
"""What a known grade is worth → its letter; a document without one is U."""
GAIN_OF_LEVEL: Final = {Grade(letter): gain for gain, letter in LETTERS.items() if gain is not None}


class GradeMedians(NamedTuple):
    """What workers gave to the documents of one known grade: quartiles of the documents' medians."""

    grade: str
    documents: int
    lower: float
    median: float
    upper: float


def study_runs(study: Study) -> list[Run]:
    """The runs that the study file names, sorted by tag, as their files rank the documents."""
    rankings = Ranking.objects.filter(run__study=study).order_by()
    rows = rankings.values_list("run__tag", "topic__number", "document_ids", "scores", "ranks")
    columns: dict[str, tuple[list[str], list[str], list[float], list[float]]] = {}
    # Sorted here, by code point: databases sort texts by a collation of theirs.
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
    """Gains from known grades: N, M, R, H are worth 0, 1, 2, 3, whatever numbers the file writes for them.

    All graded documents of the study's topics enter, those outside the pool too: they are part of the recall
    base.
    """
    grades = KnownGrade.objects.filter(grade_set=grade_set, topic__study=study).order_by()
    return level_gains(sorted(grades.values_list("topic__number", "document_id", "level").iterator()))


def level_gains(rows: Iterable[tuple[str, str, str]]) -> Gains:
    """Return the gains of rows, each a topic, a document and the level of its known grade."""
    rows = list(rows)
    return Gains.from_columns(
        [topic for topic, _, _ in rows],
        [document for _, document, _ in rows],
        np.array([GAIN_OF_LEVEL[Grade(level)] for _, _, level in rows], dtype=float),
    )


def named_gains(study: Study, name: str) -> Gains:
    """The gains from the judgments (`magnitudes`) or from the grade set of that name.

    Raises `InputError` for an unknown name, and where there is nothing to make gains of.
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
        gains = grade_gains(study, grade_set)
    if gains.table.is_empty():
        if name == MAGNITUDES:
            raise InputError(
                "study-without-judgments-to-score-by",
                "study {study} has no judgments that count yet, so there is nothing to score by",
                study=study.slug,
            )
        raise InputError(
            "study-without-grades-to-score-by",
            "study {study} has no grades in {grades}, so there is nothing to score by",
            study=study.slug,
            grades=name,
        )
    return gains


def evaluate_study(
    study: Study,
    measures: Sequence[str],
    runs: Sequence[Run] | None = None,
    gains: str = MAGNITUDES,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Scores:
    """Scores of `runs` (default: those of the study) by the study's own gains, or by a set of known grades.

    `progress` is told the steps done, and how many there are: runs read, gains made, all scored.
    Raises `InputError` for an unknown measure or gains, without runs, and where there are no gains.
    """
    for measure in measures:
        parse(measure)  # before the judgments are read, so that a slip of the pen costs no time
    scored = study_runs(study) if runs is None else runs
    if not scored:
        raise InputError(
            "study-without-runs-to-score",
            "study {study} names no runs; give run files with --runs",
            study=study.slug,
        )
    progress(1, 3)
    worth = named_gains(study, gains)
    progress(2, 3)
    scores = score(worth, scored, measures)
    progress(3, 3)
    return scores


def tau_between(one: Scores, other: Scores, measure: str) -> float | None:
    """Kendall's τ_b between the rankings of the same systems by the means of a measure under two gains."""
    from evaluation.compare import tau_b  # brings scipy along, which takes a second

    def means(scores: Scores) -> list[float]:
        found = {row.run: row.value for row in scores.means() if row.measure == measure}
        return [nan if (mean := found[run]) is None else mean for run in one.runs]

    return tau_b(means(one), means(other))


def print_scores(scores: Scores, out: TextIO, *, per_topic: bool, form: Format, digits: int = 4) -> None:
    """The means, with `per_topic` after each run's topics, as `python -m evaluation score` prints them."""
    write_scores(scores.by_run(per_topic=per_topic), out, form, digits)


def medians_by_grade(study: Study) -> list[GradeMedians]:
    """The documents' median normalised magnitudes by grade of the pool, N M R H, then U for ungraded ones.

    Quartiles are interpolated linearly; grades without a judged document are left out.
    """
    from evaluation.analyses import boxes  # brings scipy along, which takes a second

    pool = PoolDocument.objects.filter(topic__study=study).exclude(grade="").order_by()
    grades = level_gains(pool.values_list("topic__number", "document__document_id", "grade").iterator())
    table = boxes(study_gains(study), grades).select("grade", "documents", "q1", "median", "q3")
    return [GradeMedians(LETTERS[grade], *numbers) for grade, *numbers in table.iter_rows()]
