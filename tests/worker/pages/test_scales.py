"""Pages for a scale that differs from magnitudes: without practice, and with a parser of its own."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from judging.models import Judgment, Participation, Study
from judging.protocol.magnitude import MESSAGES, Magnitude
from judging.protocol.platforms.base import Arrival
from judging.protocol.scales import DEFAULT, SCALES
from judging.protocol.scales.scale import Judging, Settings
from judging.protocol.steps import Step
from judging.worker.services.previews import carry_to
from tests.factories import NOW, live_assignment
from tests.support.visitor import Visitor
from tests.worker.pages.actions import judge, judge_all, take_topic

Enter = Callable[..., tuple[Visitor, Participation]]


def parse_points(text: str, study: Settings, *, mark: str = ".") -> Magnitude:
    """Read a whole number from 0 to 10."""
    is_valid = text.isdecimal() and int(text) <= 10
    return Magnitude(text, float(text) if is_valid else None, None if is_valid else "range", mark=mark)


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Judging:
    """How workers judge, in all studies of the test."""
    scale = SCALES[DEFAULT]
    assert scale.judging
    judging = replace(
        scale.judging,
        parse=parse_points,
        practice=None,
        instructions=(),
        examples={"H": "9", "N": "0", "": "5"},
    )
    monkeypatch.setitem(SCALES, DEFAULT, replace(scale, judging=judging, smallest=0.0, largest=10.0))
    return judging


def point(judgment: Judgment) -> str:
    return {"H": "10", "N": "0"}.get(judgment.pool_document.anchor, "4")


@pytest.mark.usefixtures("points")
def test_without_practice_the_task_follows_the_instructions(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, upto="consented")
    page = visitor.open(f"/s/{study.slug}/instructions/")
    assert study.instructions_magnitude not in page.text
    assert "practice_pay" not in page.told()
    assert visitor.send("next").step == "task"
    take_topic(visitor, worker)
    judge_all(visitor, worker, magnitude=point)
    worker.refresh_from_db()
    assert worker.assignments.get().state == "completed"


@pytest.mark.usefixtures("points")
def test_the_page_reads_answers_as_the_scale_does(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, upto="consented")
    visitor.open(f"/s/{study.slug}/instructions/")
    visitor.send("next")
    take_topic(visitor, worker)
    page = judge(visitor, worker, magnitude=lambda judgment: "11")
    assert str(MESSAGES["range"]) in page.text
    judge(visitor, worker, magnitude=lambda judgment: "0")
    first = live_assignment(worker).judgments.order_by("position").first()
    assert first is not None
    assert first.number == 0


def test_a_preview_gives_the_examples_of_the_scale(points: Judging, study: Study) -> None:
    worker = carry_to(preview=study, step=Step.UNITS, arrival=Arrival(), now=NOW, rng=Random(1))
    assignment = worker.assignments.get()
    assert assignment.state == "completed"
    typed = assignment.judgments.values_list("pool_document__anchor", "raw_input")
    assert dict(typed) == points.examples
    assert not worker.practice_attempts.exists()
