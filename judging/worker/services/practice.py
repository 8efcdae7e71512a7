"""The practice task, one line at a time (check (a))."""

from datetime import datetime
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.services.ending import screen_out
from judging.core.services.events import record
from judging.core.services.locking import lock_participation
from judging.core.words import decimal_mark, translated
from judging.models import Participation, PracticeAttempt, Study
from judging.protocol.checks import attempts_left, practice
from judging.protocol.scales import judging_of
from judging.protocol.states import ParticipationState
from judging.protocol.timing import is_too_soon, least_on_line
from judging.worker.services import outcome
from judging.worker.services.outcome import MOVED, Outcome


@transaction.atomic
def start_practice(*, participation: Participation, now: datetime, rng: Random) -> None:
    """Start the first attempt, after the instructions. Do nothing if practice has started already.

    If no practice teaches the scale of the study, the worker is ready at once.
    """
    participation = lock_participation(participation)
    if participation.state != ParticipationState.CONSENTED:
        return
    practises = bool(judging_of(participation.study).practice)
    participation.state = ParticipationState.PRACTISING if practises else ParticipationState.READY
    participation.save(update_fields=["state"])
    if practises:
        _next_attempt(participation, number=1, now=now, rng=rng)


@transaction.atomic
def answer_line(
    *, participation: Participation, attempt_number: int, line: int, text: str, now: datetime, rng: Random
) -> Outcome:
    """Store the number for one line. After the last line, pass or fail the attempt.

    `attempt_number` and `line` (counted from 0) identify the form. A form from an earlier page changes
    nothing. If the study pays workers who are screened out, an answer that comes too soon does not count.
    This way, workers cannot get this pay without looking at the lines.
    """
    participation = lock_participation(participation)
    if participation.state != ParticipationState.PRACTISING:
        return MOVED
    attempt = participation.practice_attempts.get(passed__isnull=True)
    if (attempt.number, len(attempt.magnitudes)) != (attempt_number, line):
        return _old_form(participation, attempt_number, line, text)
    study = participation.study
    number = judging_of(study).parse_practice(text, study, mark=decimal_mark())
    if message := number.message:
        return outcome.invalid(magnitude=translated(message))
    if participation.judge.is_timed and _is_too_soon(study, attempt, now):
        too_soon = _("Please take your time and look closely. Then press Next again.")
        return outcome.invalid(magnitude=too_soon)
    attempt.magnitudes.append(number.value)
    attempt.line_since = now
    if len(attempt.magnitudes) == len(attempt.lengths):
        attempt.passed = practice.CHECK.verdict(attempt.lengths, attempt.magnitudes, study).passed
    attempt.save(update_fields=["magnitudes", "line_since", "passed"])
    if attempt.passed:
        participation.state = ParticipationState.READY
        participation.save(update_fields=["state"])
    elif attempt.passed is False:
        _fail(participation, attempt, now=now, rng=rng)
    return MOVED


def _is_too_soon(study: Study, attempt: PracticeAttempt, now: datetime) -> bool:
    # Without this limit, a worker could get the pay for being screened out without looking at the lines.
    least = least_on_line(study.seconds_per_document) if study.pay_screened_out else 0
    return attempt.line_since is not None and is_too_soon(attempt.line_since, now, least=least)


def _old_form(participation: Participation, attempt_number: int, line: int, text: str) -> Outcome:
    attempt = participation.practice_attempts.filter(number=attempt_number).first()
    stored = attempt.magnitudes[line] if attempt and 0 <= line < len(attempt.magnitudes) else None
    study = participation.study
    typed = judging_of(study).parse_practice(text, study)
    return MOVED if typed.value == stored else outcome.STALE


def _fail(participation: Participation, attempt: PracticeAttempt, *, now: datetime, rng: Random) -> None:
    record(practice.CHECK.event, participation=participation, now=now, attempt=attempt.number)
    if attempts_left(participation.study.practice_attempts, failed=attempt.number) == 0:
        screen_out(participation=participation, now=now, attempt=attempt.number)
    else:
        _next_attempt(participation, number=attempt.number + 1, now=now, rng=rng)


def _next_attempt(participation: Participation, *, number: int, now: datetime, rng: Random) -> None:
    lengths = list(practice.draw_lengths(rng))
    PracticeAttempt.objects.create(
        participation=participation, number=number, lengths=lengths, line_since=now
    )
