"""Begin a machine judge, let it sit the protocol until its units are done, and resume it after a stop."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.clock import now as current_time
from judging.core.file_lock import LockedError, take_lock
from judging.core.selectors.machine import judge_named, sittings_of, units_for
from judging.core.selectors.units import study_takes_work
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.core.services.planning import plan_own_units
from judging.machine.calling import Caller
from judging.machine.client import ModelClient
from judging.machine.judge_file import JudgeFile
from judging.machine.questions import Questions
from judging.machine.walk import End, Walk
from judging.models import Actor, LabelSet, MachineCall, MachineJudge, MachineUnit, Study
from judging.protocol.judges import MACHINE
from judging.worker.services.arrival import give_consent

KIND: Final = MACHINE
_SETTINGS: Final = ("model", "prompt_sha256", "temperature", "seed", "judgments")
"""What a judge keeps from its first call to its last."""


@transaction.atomic
def begin_judge(
    *, study: Study, file: JudgeFile, now: datetime, rng: Random, asked_at: datetime, actor: Actor = None
) -> MachineJudge:
    """Plan the units of a new machine judge, let it give consent, and return it.

    Raise RefusedError if the study does not give out work, or has a judge with this name.
    """
    study = lock_study(study)  # first, so that of two commands at once the second one finds the judge
    check_can_begin(study, file.name, now=now)
    units = plan_own_units(study=study, kind=KIND.name, judgments=file.judgments)
    participation = give_consent(study=study, now=now, rng=rng, kind=KIND, arm=study)
    judge = MachineJudge.objects.create(
        participation=participation,
        name=file.name,
        model=file.model,
        prompt_name=file.prompt.name,
        prompt_version=file.prompt.version,
        prompt_text=file.prompt.text,
        prompt_sha256=file.prompt.sha256,
        temperature=file.temperature,
        seed=file.seed,
        judgments=file.judgments,
        answer_tokens=file.answer_tokens,
        family=file.family,
        asked_at=asked_at,
        began_at=now,
        **_limits(file),
    )
    MachineUnit.objects.bulk_create([MachineUnit(judge=judge, unit=unit) for unit in units], batch_size=1000)
    audit(
        "machine_began", study=study, actor=actor, now=now, worker=participation.pseudonym, units=len(units)
    )
    return judge


def check_can_begin(study: Study, name: str, *, now: datetime) -> None:
    """Raise RefusedError if a machine judge with this name cannot begin in a study."""
    if not study_takes_work(study, now=now):
        raise RefusedError(
            _("Study {study} does not give out work now. Open it before a machine judge begins.").format(
                study=study.slug
            )
        )
    if LabelSet.objects.filter(study=study, name=name).exists():
        raise RefusedError(
            _("Study {study} already has labels named {name}. Choose another name for the judge.").format(
                study=study.slug, name=name
            )
        )
    if judge_named(study, name):
        raise RefusedError(
            _(
                "Study {study} already has a machine judge named {name}. To let it go on, add --resume. For"
                " another judge, choose another name."
            ).format(study=study.slug, name=name)
        )


@transaction.atomic
def resume_judge(*, study: Study, file: JudgeFile, asked_at: datetime) -> MachineJudge:
    """Return the first sitting of a judge that stopped, with the limits and prices of the file.

    Raise RefusedError if there is no judge with this name, or if the file is not the one that it began with.
    """
    judge = judge_named(study, file.name)
    if judge is None:
        raise RefusedError(
            _("Study {study} has no machine judge named {name}. To begin it, leave out --resume.").format(
                study=study.slug, name=file.name
            )
        )
    now = {
        "model": file.model,
        "prompt_sha256": file.prompt.sha256,
        "temperature": file.temperature,
        "seed": file.seed,
        "judgments": file.judgments,
    }
    differing = [name.removesuffix("_sha256") for name in _SETTINGS if getattr(judge, name) != now[name]]
    if differing:
        raise RefusedError(
            _(
                "The judge file is not the one with which {name} began. It differs in: {names}. Restore it,"
                " or give the new judge another name."
            ).format(name=file.name, names=", ".join(differing))
        )
    limits = {**_limits(file), "answer_tokens": file.answer_tokens, "family": file.family}
    sittings_of(judge).update(**limits, asked_at=asked_at)
    judge.refresh_from_db()
    return judge


def _limits(file: JudgeFile) -> dict[str, object]:
    return {
        "most_tokens": file.most_tokens,
        "most_money": file.most_money,
        "most_seconds": file.most_seconds,
        "input_price": file.input_price,
        "output_price": file.output_price,
    }


def judge_all(
    judge: MachineJudge,
    file: JudgeFile,
    client: ModelClient,
    *,
    rng: Random,
    clock: Callable[[], datetime] = current_time,
    told: Callable[[MachineCall], object] = lambda call: None,
) -> str:
    """Let a judge sit until none of its units is left. Return why it did not go on, or "" if it is done.

    Raise StoppedError at a limit, or if the model cannot be reached. Raise RefusedError if another process
    runs the same judge, or if the study does not give out work any more. In all cases, what is done is kept.
    """
    with _alone(judge):
        current = sittings_of(judge).select_related("participation__study", "first").last()
        assert current is not None, "a judge has a first sitting"
        while True:
            questions = Questions(current.participation.study, file.prompt)
            caller = Caller(
                current,
                questions,
                client,
                retries=file.retries,
                is_priced=file.is_priced,
                clock=clock,
                told=told,
            )
            end = Walk(current.participation, questions, caller, clock=clock, rng=rng).sit()
            if end == End.REMOVED:
                return _("The judge was blocked or has withdrawn. It gets no more units.")
            if end == End.SCREENED_OUT:
                return _("The judge was screened out, as a worker would be. It gets no more units.")
            if end == End.STOPPED:
                return _(
                    "The judge gave no answer for a line of the practice, or its record looks like guessing."
                )
            if not units_for(judge).exists():
                return ""
            if not current.participation.assignments.exists():
                return _("The study gives the judge no more units.")
            current = _next_sitting(current, now=clock(), rng=rng)


@transaction.atomic
def _next_sitting(last: MachineJudge, *, now: datetime, rng: Random) -> MachineJudge:
    """Begin and return the next sitting of a judge, which can get topics that it has had before."""
    study = last.participation.study
    participation = give_consent(study=study, now=now, rng=rng, kind=KIND, arm=study)
    following = MachineJudge.objects.get(pk=last.pk)
    following.pk = None
    following.participation, following.first = participation, last.root
    following.sitting, following.began_at = last.sitting + 1, now
    following.save(force_insert=True)
    return following


@contextmanager
def _alone(judge: MachineJudge) -> Iterator[None]:
    """Keep other processes on this machine from running the same judge, which would ask everything twice."""
    path = Path(settings.VAR) / f"machine-judge-{judge.root.pk}.lock"
    try:
        lock = take_lock(path)
    except LockedError:
        raise RefusedError(
            _("Another process runs the machine judge {name} already. Wait until it ends.").format(
                name=judge.name
            )
        ) from None
    with lock:
        yield
