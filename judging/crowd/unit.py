"""One unit on a simulated worker's way: the question, the documents one at a time, and revising them."""

from collections.abc import Generator
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Protocol

from judging.crowd.mind import Mind, Opinion, Plan, Reaction
from judging.crowd.world import World
from judging.models import Assignment, Participation
from judging.protocol.states import AssignmentState
from judging.worker.services.comprehension import answer_question
from judging.worker.services.leaving import drop_lapsed_answers, resume_lapsed_unit, return_unit
from judging.worker.services.outcome import Kind as OutcomeKind
from judging.worker.services.submitting import Answer, submit_answer
from judging.worker.services.visits import JUDGING, open_document

Steps = Generator[float, datetime, None]


class WorkerGoneError(Exception):
    """The worker closed the page and never comes back."""


class Worker(Protocol):
    """Whose unit it is (see `way.Way`)."""

    mind: Mind
    world: World
    participation: Participation
    rng: Random
    names: Random


class UnitWay:
    """A worker with a reserved assignment; raises WorkerGoneError where the worker leaves for good."""

    def __init__(self, worker: Worker, assignment: Assignment, now: datetime) -> None:
        self.worker = worker
        self.mind = worker.mind
        self.assignment = assignment
        self.topic = worker.world.topic(assignment.topic_id)
        self.now = now
        self.opinions: dict[int, Opinion] = {}

    def work(self) -> Steps:
        yield from self._answer_question()
        if self._judging():
            self.judgments = list(self.assignment.judgments.order_by("position"))
            yield from self._judge(self.mind.plan(len(self.judgments)))
        while self._judging():
            yield from self._after_failure()
        if self.assignment.state == AssignmentState.LAPSED:
            drop_lapsed_answers(participation=self.worker.participation, number=self.assignment.number)

    def _answer_question(self) -> Steps:
        yield from self._after(self.mind.reading(len(self.topic.text.text.split())))
        shown = [self.topic.options[option] for option in self.assignment.option_order]
        place = self.mind.option(shown, self.topic.right_option)
        while self._choose(place) == OutcomeKind.INVALID:  # too soon
            yield from self._after(1.0)

    def _choose(self, place: int) -> OutcomeKind:
        return answer_question(
            participation=self.worker.participation,
            number=self.assignment.number,
            place=place,
            now=self.now,
            rng=self.worker.rng,
        ).kind

    def _judge(self, plan: Plan) -> Steps:
        """From document to document until the first finish, or until the unit is no longer the worker's."""
        while self._judging() and self.assignment.state == AssignmentState.JUDGING:
            position = self.assignment.cursor
            if position == plan.breaks_off_at:
                yield from self._break_off(plan.absence)
                plan = replace(plan, breaks_off_at=None)
            elif position == plan.gives_back_at:
                yield from self._give_back()
            elif position == plan.back_at:
                yield from self._press_back(position)
                plan = replace(plan, back_at=None)
            else:
                yield from self._send(position, self._opinion(position), "next")

    def _after_failure(self) -> Steps:
        reaction = self.mind.react()
        if reaction == Reaction.LEAVE:
            raise WorkerGoneError
        if reaction == Reaction.GIVE_BACK:
            yield from self._give_back()
        else:
            yield from self._revise(inverting=reaction == Reaction.INVERT)

    def _revise(self, *, inverting: bool) -> Steps:
        """Walk back from the last document to the first with new numbers, and finish there."""
        positions = range(len(self.judgments))
        turned = self.mind.inverted([self.opinions[position] for position in positions]) if inverting else []
        for position in reversed(positions):
            opinion = turned[position] if inverting else self._opinion(position)
            yield from self._send(position, opinion, "back" if position else "finish")
            if not self._judging():
                return

    def _opinion(self, position: int) -> Opinion:
        document = self.topic.documents[self.judgments[position].pool_document_id]
        return self.mind.opinion(self.topic.text, document, again=position in self.opinions)

    def _send(self, position: int, opinion: Opinion, action: str) -> Steps:
        """Open the document, take the opinion's seconds, and send the form; a slip is refused and mended."""
        self.opinions[position] = opinion
        judgment = self.judgments[position]
        open_document(assignment=self.assignment, judgment=judgment, now=self.now)
        yield from self._after(opinion.seconds)
        if opinion.slip and self._submit(position, opinion, opinion.slip, action) == OutcomeKind.INVALID:
            yield from self._after(self.mind.reading(15))
        self._submit(position, opinion, opinion.typed, action)

    def _submit(self, position: int, opinion: Opinion, typed: str, action: str) -> OutcomeKind:
        answer = Answer(
            number=self.assignment.number,
            serial=self.assignment.serial,
            position=position,
            magnitude=typed,
            justification=opinion.justification,
            visible_seconds=opinion.visible_seconds,
        )
        return submit_answer(
            participation=self.worker.participation,
            answer=answer,
            action=action,
            now=self.now,
            rng=self.worker.names,
        ).kind

    def _press_back(self, position: int) -> Steps:
        """Leave the present document untouched, to correct the one before."""
        open_document(assignment=self.assignment, judgment=self.judgments[position], now=self.now)
        yield from self._after(self.mind.reading(5))
        self._submit(position, Opinion(0.0, "", "", 0.0), "", "back")

    def _give_back(self) -> Steps:
        yield from self._after(self.mind.reading(5))
        return_unit(participation=self.worker.participation, now=self.now, number=self.assignment.number)

    def _break_off(self, absence: float | None) -> Steps:
        """Close the page in the middle; come back later to a unit that may have lapsed, or be taken."""
        if absence is None:
            raise WorkerGoneError
        yield from self._after(absence)
        resume_lapsed_unit(
            participation=self.worker.participation, number=self.assignment.number, now=self.now
        )

    def _after(self, seconds: float) -> Steps:
        self.now = yield seconds

    def _judging(self) -> bool:
        """Look at the assignment as it is now: whether its documents are the worker's to judge."""
        self.assignment = Assignment.objects.get(pk=self.assignment.pk)
        return self.assignment.state in JUDGING
