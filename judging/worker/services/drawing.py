"""Draw the arm in which a new worker takes part, and refuse new workers if no arm has work."""

from datetime import datetime
from random import Random

from django.utils.translation import gettext as _

from judging.core.selectors.arms import arms_of
from judging.core.selectors.units import no_work_in, study_takes_work
from judging.core.services.errors import RefusedError
from judging.models import Study
from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.states import NoWork
from judging.worker.selectors.offer import no_work_at


class NoWorkError(RefusedError):
    """Nobody new can start, because the study has no unit for them now. `reason` says why."""

    def __init__(self, reason: NoWork) -> None:
        super().__init__(_("This study has no work available at the moment."))
        self.reason = reason


def draw_arm(
    study: Study,
    *,
    now: datetime,
    rng: Random,
    kind: JudgeKind,
    needs_unit: bool,
    arm: Study | None = None,
) -> Study:
    """Return the arm for a new judge of a kind: the study itself, if it has no arms.

    Every arm that has work is equally likely. If none has work, but one gives out work again later, draw from
    the arms that do, unless `needs_unit` is true. If `arm` is given, draw only from this one.

    Raise NoWorkError if no arm has work, and RefusedError if this kind of judge cannot judge in the study.
    """
    arms = arms_of(study) if arm is None else [arm]
    candidates = [arm for arm in arms if no_work_in(arm, now=now, kind=kind.name) is None]
    if not candidates and not needs_unit:
        candidates = [arm for arm in arms if study_takes_work(arm, now=now)]
    if not candidates:
        raise NoWorkError(no_work_at(study, now=now, kind=kind.name) or NoWork.RESERVED)
    if not kind.can_judge(rehearsal=study.simulated):
        raise RefusedError(
            _("Simulated workers do the judging in this study, so real people cannot take part.")
            if study.simulated
            else _("This study is for real workers. Use a separate study to simulate a crowd.")
        )
    return candidates[0] if len(arms) == 1 else rng.choice(candidates)
