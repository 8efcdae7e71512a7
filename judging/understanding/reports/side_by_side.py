"""The report `arms`: the arms of a study side by side, on equal terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.errors import InputError
from evaluation.runs import Runs
from evaluation.side_by_side import Arm, Work, compare_arms
from evaluation.side_by_side.result import TITLES
from judging.core.selectors.arms import arms_of
from judging.models import Study
from judging.understanding.reports.stored_table import table_to_store, words_to_store
from judging.understanding.reports.study_data import StudyData, read_study
from judging.understanding.selectors.arm_work import work_of


@dataclass(frozen=True)
class ReadArm:
    """The data of an arm, and the work behind it."""

    data: StudyData
    work: Work


def read_arms(front: Study) -> list[ReadArm]:
    """Return the data of all arms that have judgments. Raise InputError if fewer than two have any."""
    arms = arms_of(front)
    read = [ReadArm(data, work_of(arm)) for arm in arms if (data := _read(arm)) is not None]
    if len(read) < 2:
        raise InputError(
            "too-few-judged-arms",
            "of the {arms} arms of study {study}, only {number} can be compared; try again once workers have"
            " completed units in two arms",
            number=len(read),
            arms=len(arms),
            study=front.slug,
        )
    return read


def _read(arm: Study) -> StudyData | None:
    try:
        return read_study(arm)
    except InputError as error:
        if error.code != "study-without-judgments":
            raise
        return None


def compared_arms(study: Study) -> list[Arm]:
    """Return the arms of a front that have judgments, or an empty list if there is nothing to compare."""
    if not study.has_arms or study.front is not None:
        return []
    try:
        return [_arm(read) for read in read_arms(study)]
    except InputError:
        return []


def _arm(read: ReadArm) -> Arm:
    study = read.data.study
    return Arm(study.arm, read.data.judgments, read.work, study.normalisation)


def arms_content(arms: Sequence[ReadArm]) -> dict[str, Any]:
    """Compare arms, and return the content of the report: its sentences, its tables, and its summary.

    The measure, the runs and the seed are those of the front.
    """
    front = arms[0].data
    runs = Runs(front.runs) if len(front.runs) > 1 and not front.is_random else None
    result = compare_arms(
        [_arm(read) for read in arms],
        runs,
        front.study.ranked_by,
        seed=front.study.seed % 2**64,
    )
    return {
        "sentences": words_to_store(result.sentences),
        "tables": [table_to_store(part, TITLES[part], result.to_polars(part)) for part in result.parts],
        "summary": result.to_dict(),
    }
