"""The two pages of instructions and the practice task."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse

from judging.limits import LONGEST_NUMBER
from judging.models import PracticeAttempt
from judging.protocol.checks.practice import LONGEST
from judging.protocol.steps import Step
from judging.worker.pages.way import Way, dice, page_of, to_step, typed, whole
from judging.worker.services.outcome import Kind
from judging.worker.services.practice import answer_line, start_practice

FRAME_HEIGHT = 60


@page_of(Step.INSTRUCTIONS)
def instructions(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    if request.method == "POST":
        start_practice(participation=way.participation, now=now, rng=dice)
        return to_step(way.participation)
    return way.show(request, "worker/instructions.html")


@page_of(Step.PRACTICE)
def practice(request: HttpRequest, way: Way, now: datetime) -> HttpResponse:
    if request.method != "POST":
        return _line(request, way)
    result = answer_line(
        participation=way.participation,
        attempt_number=whole(request, "attempt"),
        line=whole(request, "line"),
        text=typed(request, "magnitude"),
        now=now,
        rng=dice,
    )
    if result.kind == Kind.INVALID:
        return _line(request, way, text=typed(request, "magnitude"), faults=result.faults)
    if result.kind == Kind.STALE:
        return way.show(request, "worker/stale.html", magnitude=typed(request, "magnitude"))
    return to_step(way.participation)


def _line(
    request: HttpRequest, way: Way, *, text: str = "", faults: dict[str, str] | None = None
) -> HttpResponse:
    attempt = PracticeAttempt.objects.filter(participation=way.participation, passed__isnull=True).first()
    if attempt is None:  # Another window finished it in this very moment.
        return to_step(way.participation)
    line = len(attempt.magnitudes)
    length = attempt.lengths[line]
    return way.show(
        request,
        "worker/practice.html",
        attempt=attempt,
        attempts_left=way.study.practice_attempts - attempt.number,
        line=line,
        length=length,
        frame=frame_of(length),
        lines=len(attempt.lengths),
        text=text,
        faults=faults or {},
        longest_number=LONGEST_NUMBER,
    )


def frame_of(length: float) -> dict[str, float]:
    """Where a line of that length stands in the frame that is the same for every line."""
    return {
        "width": LONGEST,
        "height": FRAME_HEIGHT,
        "middle": FRAME_HEIGHT // 2,
        "left": (LONGEST - length) / 2,
        "right": (LONGEST + length) / 2,
    }
