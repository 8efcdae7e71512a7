"""A simulated worker's way through the services, as a generator.

A way yields the seconds until its next act, and is sent the time when these have passed. So a worker reads
like one story, while the simulation lets hundreds of them overlap.
"""

from collections.abc import Generator
from datetime import datetime
from random import Random
from typing import TypeVar

from judging.core.services.errors import RefusedError
from judging.crowd.mind import Mind
from judging.crowd.unit import UnitWay, WorkerGoneError
from judging.crowd.world import World
from judging.models import Participation, Study
from judging.protocol.states import ParticipationState
from judging.worker.services.arrival import give_consent
from judging.worker.services.outcome import Kind as OutcomeKind
from judging.worker.services.practice import answer_line, start_practice
from judging.worker.services.reservation import reserve_unit

INFORMATION_WORDS = 300
INSTRUCTION_WORDS = 200
PAUSE = 1.0
"""Seconds until a form that came too soon is sent again."""

Result = TypeVar("Result")
Steps = Generator[float, datetime, Result]


class Way:
    """One worker in one study. `rng` gives all that the seed alone decides, `names` the completion codes."""

    participation: Participation

    def __init__(self, study: Study, world: World, mind: Mind, *, rng: Random, names: Random) -> None:
        self.study = study
        self.world = world
        self.mind = mind
        self.rng = rng
        self.names = names

    def life(self, arrives_after: float) -> Steps[None]:
        """From the first page, reached after so many seconds, to the last."""
        yield arrives_after
        now = yield self.mind.reading(INFORMATION_WORDS)
        try:
            self.participation = self._consent(now)
            if (yield from self._practise()):
                yield from self._work()
        except (RefusedError, WorkerGoneError):
            return  # Refused: the study was paused, or its dates ended, while the crowd was coming.

    def _consent(self, now: datetime) -> Participation:
        return give_consent(
            study=self.study,
            now=now,
            rng=self.rng,
            simulated_kind=self.mind.kind.name,
        )

    def _practise(self) -> Steps[bool]:
        now = yield self.mind.reading(INSTRUCTION_WORDS)
        start_practice(participation=self.participation, now=now, rng=self.rng)
        while self._state() == ParticipationState.PRACTISING:
            attempt = self.participation.practice_attempts.get(passed__isnull=True)
            for line, length in enumerate(attempt.lengths):
                yield from self._line(attempt.number, line, length)
        return self._state() == ParticipationState.READY

    def _line(self, attempt: int, line: int, length: float) -> Steps[None]:
        """Give a line its number. One that comes too soon is sent again after a pause."""
        pause = self.mind.reading(10)
        text = self.mind.line(length)
        while True:
            now = yield pause
            outcome = answer_line(
                participation=self.participation,
                attempt_number=attempt,
                line=line,
                text=text,
                now=now,
                rng=self.rng,
            )
            if outcome.kind != OutcomeKind.INVALID:
                return
            pause = PAUSE

    def _work(self) -> Steps[None]:
        looked_in_again = False
        while self._state() == ParticipationState.READY:
            now = yield self.mind.reading(INSTRUCTION_WORDS)
            assignment = reserve_unit(participation=self.participation, now=now, rng=self.rng)
            if assignment is not None:
                yield from UnitWay(self, assignment, now).work()
                if not self.mind.wants_another():
                    return
                continue
            absence = self.mind.looks_in_again()
            if looked_in_again or absence is None:
                return
            looked_in_again = True
            yield absence

    def _state(self) -> ParticipationState:
        self.participation.refresh_from_db(fields=["state"])
        return ParticipationState(self.participation.state)
