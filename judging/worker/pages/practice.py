"""The first page of instructions and the practice task."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from judging.core.pages.shown_answers import shown_practice_answer
from judging.core.selectors.units import no_work_for
from judging.limits import LONGEST_NUMBER
from judging.models import Participation, PracticeAttempt, Study
from judging.protocol.checks import attempts_left
from judging.protocol.scales import judging_of
from judging.protocol.scales.answers import LONGEST
from judging.protocol.steps import Step
from judging.worker.pages.number_field import NumberField, read_typed_number
from judging.worker.pages.pay import action_without_work
from judging.worker.pages.progress import Progress, page_of, read_number, system_random, to_step
from judging.worker.services.outcome import Kind
from judging.worker.services.practice import answer_line, start_practice

FRAME_HEIGHT = 60


@page_of(Step.INSTRUCTIONS)
def instructions(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    if stopped := _stop(request, progress, now):
        return stopped
    if request.method == "POST":
        start_practice(participation=progress.participation, now=now, rng=system_random)
        return to_step(progress.participation)
    judging = judging_of(progress.study)
    return progress.show(
        request,
        "worker/instructions.html",
        asked=judging.asked,
        instructions=[getattr(progress.study, key) for key in judging.instructions],
        practises=bool(judging.practice),
    )


@page_of(Step.PRACTICE)
def practice(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse:
    if stopped := _stop(request, progress, now):
        return stopped
    if request.method != "POST":
        return _line(request, progress)
    result = answer_line(
        participation=progress.participation,
        attempt_number=read_number(request, "attempt"),
        line=read_number(request, "line"),
        text=read_typed_number(request),
        now=now,
        rng=system_random,
    )
    if result.kind == Kind.INVALID:
        return _line(request, progress, text=read_typed_number(request), faults=result.faults)
    if result.kind == Kind.STALE:
        typed = shown_practice_answer(read_typed_number(request), progress.study)
        return progress.show(request, "worker/stale.html", magnitude=typed)
    return to_step(progress.participation)


def _stop(request: HttpRequest, progress: Progress, now: datetime) -> HttpResponse | None:
    """Return a page that says why no unit can follow, or None. A preview shows the practice in any case.

    Workers who have passed the practice are not concerned: their next page tells them.
    """
    if progress.step not in {Step.INSTRUCTIONS, Step.PRACTICE} or progress.study.preview_of_id:
        return None
    reason = no_work_for(progress.participation, now=now, claim=progress.claim)
    if reason is None:
        return None
    return progress.show(
        request,
        "worker/no_work.html",
        no_work=reason,
        action=action_without_work(progress.study),
        magnitude=shown_practice_answer(read_typed_number(request), progress.study),
    )


def _line(
    request: HttpRequest, progress: Progress, *, text: str = "", faults: dict[str, str] | None = None
) -> HttpResponse:
    attempt = progress.practice
    task = judging_of(progress.study).practice
    if attempt is None or task is None:  # Another window has just finished the attempt.
        return to_step(progress.participation)
    line, lines = len(attempt.magnitudes), len(attempt.lengths)
    return progress.show(
        request,
        "worker/practice.html",
        task=task,
        attempt=attempt,
        attempts_left=attempts_left(progress.study.practice_attempts, failed=attempt.number - 1),
        line=line,
        length=attempt.lengths[line],
        frame=frame_of(attempt.lengths[line]),
        frames=_frames(progress.study, attempt, line),
        lines=lines,
        place=_(task.place).format(place=line + 1, places=lines),
        drawn=[{"length": each, "frame": frame_of(each)} for each in attempt.lengths],
        number=NumberField(progress.study, text, practises=True),
        faults=faults or {},
        longest_number=LONGEST_NUMBER,
    )


def recap_of(participation: Participation) -> list[dict[str, object]]:
    """Return the answers of the passed practice in the order given, each with the lines that it is about.

    The scale says what the page tells of the lines. The list is empty if no passed practice is stored.
    """
    attempt = PracticeAttempt.objects.filter(participation=participation, passed=True).first()
    task = judging_of(participation.study).practice
    if attempt is None or task is None:
        return []
    told = task.recap(attempt.lengths, attempt.magnitudes)
    return [
        {"frames": _frames(participation.study, attempt, line), "told": of_line, "answer": answer}
        for line, (of_line, answer) in enumerate(told)
    ]


def _frames(study: Study, attempt: PracticeAttempt, line: int) -> list[dict[str, float]]:
    """Return the frame of a line. If pages show pairs, also return that of the next line, in a ring."""
    places = (line, line + 1) if judging_of(study).compares_pairs else (line,)
    return [frame_of(attempt.lengths[place % len(attempt.lengths)]) for place in places]


def frame_of(length: float) -> dict[str, float]:
    """Return the position of a line in its frame. The frames of all lines have the same size."""
    return {
        "length": length,
        "width": LONGEST,
        "height": FRAME_HEIGHT,
        "middle": FRAME_HEIGHT // 2,
        "left": (LONGEST - length) / 2,
        "right": (LONGEST + length) / 2,
    }
