"""Let simulated workers judge whole studies: all planned units, and the further units of adaptive studies.

In an adaptive study, workers judge in rounds. After each round, the study's own rule either plans further
units or stops the study. New workers judge the further units.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from judging.core.selectors.adaptive import adaptation_of, is_due
from judging.crowd.simulation import Crowd, progress_of, simulate, start_of
from judging.models import AllocationDecision, Reason, Study
from judging.understanding.services.allocating import plan_next_batch

_SPARE: Final = 1.3
"""The minimum number of workers is multiplied by this factor, because some fail and some leave."""
_MOST_PASSES: Final = 10


class Rounds(NamedTuple):
    """The number of rounds in which units of an adaptive study were judged, and the last decision's reason.

    `reason` is "" before the first decision.
    """

    rounds: int
    reason: str


def judge_round(study: Study, crowd: Crowd, *, progress: Callable[[int], object] = lambda done: None) -> None:
    """Let new workers judge all open units. Use as many workers as needed, and ignore `crowd.workers`.

    Some units can stay open, for example if the study's closing date has passed.
    """
    for _pass in range(_MOST_PASSES):
        before = progress_of(study)
        if before.open == 0:
            return
        topics = max(1, study.topics.count())
        workers = round(_SPARE * before.open / topics) + 2
        simulate(study, replace(crowd, workers=workers), start_of(study), progress=progress)
        if progress_of(study).done == before.done:
            return


def judge_further_rounds(
    study: Study,
    crowd: Crowd,
    *,
    progress: Callable[[int], object] = lambda done: None,
    decided: Callable[[AllocationDecision], object] = lambda decision: None,
) -> None:
    """Decide about further units of an adaptive study and let new workers judge them, until the study stops.

    Do nothing if no decision is due. The decisions are made at the simulated time. `decided` is called with
    each decision. Raise InputError if the judgments do not allow a decision.
    """
    while is_due(study):
        decision = plan_next_batch(study=study, now=start_of(study))
        decided(decision)
        progress(progress_of(study).done)
        if decision.reason == Reason.UNSETTLED:
            judge_round(study, crowd, progress=progress)


def rounds_of(study: Study) -> Rounds | None:
    """Return the rounds of an adaptive study, or None for a study that is not adaptive."""
    adaptation = adaptation_of(study)
    if adaptation is None:
        return None
    further = study.decisions.filter(reason=Reason.UNSETTLED.value).count()
    return Rounds(1 + further, adaptation.reason or "")


def most_units_of(study: Study) -> int:
    """Return the largest number of units that the study can have.

    For an adaptive study, include the further units.
    """
    adaptation = adaptation_of(study)
    return adaptation.most if adaptation else progress_of(study).wanted
