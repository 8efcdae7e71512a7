"""A study of many judgments made in a minute or two: rows as the services would leave them, written in bulk.

Nothing is judged for it, so its times and magnitudes are drawn; all constraints of the database hold, and so
do the rules of `check_integrity`, which a test checks on a small one.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from random import Random

from judging.models import (
    Assignment,
    Event,
    EventKind,
    Judgment,
    Participation,
    PracticeAttempt,
    Study,
    Topic,
    Unit,
    UnitDocument,
    Visit,
    check_of_kind,
)
from judging.protocol.checks import anchors, comprehension, practice, seconds
from judging.protocol.codes import completion_code, pseudonym, token
from tests.benchmarks import bulk
from tests.factories import NOW, make_study

TOPICS_PER_WORKER = 10
ENDS = {
    "comprehension_failed": [comprehension.CHECK.event],
    "checks_failed": [anchors.CHECK.event, seconds.CHECK.event] * 3 + [EventKind.CHECKS_FAILED],
    "lapsed": [EventKind.LAPSED],
    "returned": [EventKind.RETURNED],
}
FACTS: dict[str, dict[str, object]] = {
    comprehension.CHECK.event: {"option": 2},
    anchors.CHECK.event: {"attempt": 1, "anchors": "tied", "tau": 0.25},
    seconds.CHECK.event: {"attempt": 1, "short": 3},
    practice.CHECK.event: {"attempt": 1},
}


class LargeStudy:
    """Makes one study with `judgments` accepted judgments: whole units, spread evenly over its topics."""

    def __init__(self, *, slug: str = "large", judgments: int = 100_000, topics: int = 50) -> None:
        self.rng = Random(slug)
        self.units_per_topic = judgments // (topics * 8)
        assert self.units_per_topic * topics * 8 == judgments, "not a whole number of units in each topic"
        documents = max(6, self.units_per_topic * 6 // 10)
        self.study = make_study(slug=slug, topics=topics, documents=documents, opened=False)
        times = (self.units_per_topic + 2) * self.study.others_per_unit // documents
        Study.objects.filter(pk=self.study.pk).update(state="open", judgments_per_document=times)
        self.topics = list(self.study.topics.order_by("place"))
        self.workers = self._workers(max(topics * self.units_per_topic // TOPICS_PER_WORKER, self._needed()))
        self.numbers = {worker.pk: count(1) for worker in self.workers}
        for place, topic in enumerate(self.topics):
            self._fill(topic, place)
        self.study.refresh_from_db()

    def _needed(self) -> int:
        """Nobody has a topic twice, so a topic needs a worker for every attempt at one of its units."""
        return self.units_per_topic + self._failures()

    def _failures(self) -> int:
        return max(len(ENDS), self.units_per_topic // 4)

    def _moment(self) -> datetime:
        return NOW + timedelta(seconds=self.rng.randrange(30 * 86_400))

    def _workers(self, number: int) -> list[Participation]:
        names = {pseudonym(self.rng) for _ in range(number * 2)}
        workers = [
            Participation(
                study=self.study,
                pseudonym=name,
                token=token(self.rng),
                state="ready",
                consent_version="1",
                consented_at=NOW,
            )
            for name in sorted(names)[: number + len(self.topics)]
        ]
        assert len(workers) == number + len(self.topics)
        bulk.write(workers)
        bulk.write(
            PracticeAttempt(participation=worker, number=1, lengths=[1, 2], magnitudes=[1, 2], passed=True)
            for worker in workers
        )
        bulk.write(self._event(practice.CHECK.event, worker, NOW) for worker in workers[::3])
        # The last ones are kept for live units, of which nobody has two.
        self.judging = workers[number:]
        return workers[:number]

    def _event(self, kind: str, worker: Participation, at: datetime, **place: object) -> Event:
        check = check_of_kind(kind)
        facts = FACTS.get(kind, {})
        return Event(
            study=self.study, participation=worker, kind=kind, check_name=check, at=at, **facts, **place
        )

    def _fill(self, topic: Topic, place: int) -> None:
        pool = list(topic.pool.order_by("pk"))
        anchors = [document.pk for document in pool if document.anchor]
        others = [document.pk for document in pool if not document.anchor]
        self.anchor_of = {document.pk: document.anchor for document in pool}
        states = ["done"] * self.units_per_topic + ["reserved", "open"]
        units = bulk.write(
            Unit(topic=topic, number=number, state=state) for number, state in enumerate(states, start=1)
        )
        chosen = {
            unit.pk: [others[(6 * turn + step) % len(others)] for step in range(6)]
            for turn, unit in enumerate(units)
        }
        bulk.write(
            UnitDocument(unit_id=unit, pool_document_id=document)
            for unit, documents in chosen.items()
            for document in documents
        )
        first = place * self.units_per_topic
        turn = [self.workers[(first + step) % len(self.workers)] for step in range(self._needed())]
        self._failed(topic, units, turn[self.units_per_topic :])
        done = [
            self._completed(step, worker, unit)
            for step, (worker, unit) in enumerate(zip(turn, units[: self.units_per_topic], strict=False))
        ]
        live = self._attempt(self.judging[place], units[self.units_per_topic], "judging", live=True)
        self.numbers.setdefault(live.participation_id, count(2))
        bulk.write([*done, live])
        bulk.write(self._trouble(done))
        self._judge([*done, live], {unit: [*anchors, *documents] for unit, documents in chosen.items()})

    def _attempt(
        self, worker: Participation, unit: Unit, state: str, *, live: bool = False, **fields: object
    ) -> Assignment:
        begun = self._moment()
        return Assignment(
            participation=worker,
            unit=unit,
            topic=unit.topic,
            state=state,
            number=next(self.numbers.get(worker.pk, count(1))),
            option_order=[0, 1, 2, 3],
            started_at=begun,
            lapses_at=begun + timedelta(hours=1),
            ended_at=None if live else begun + timedelta(minutes=8),
            pay="0.20",
            **fields,
        )

    def _completed(self, step: int, worker: Participation, unit: Unit) -> Assignment:
        """Every third completed unit failed check (c) once on its way, every fourth one check (d)."""
        failed_c, failed_d = int(step % 3 == 0), int(step % 4 == 0)
        return self._attempt(
            worker,
            unit,
            "completed",
            completion_code=completion_code(self.rng),
            judgment_count=self.study.unit_size,
            back_uses=step % 5 % 3,
            failed_checks={letter: 1 for letter, failed in (("c", failed_c), ("d", failed_d)) if failed},
            failed_finishes=max(failed_c, failed_d),
        )

    def _failed(self, topic: Topic, units: list[Unit], workers: list[Participation]) -> None:
        """Attempts that came to nothing before the units were done; their answers are gone."""
        ends = list(ENDS)
        attempts = [
            self._attempt(worker, units[step], ends[step % len(ends)]) for step, worker in enumerate(workers)
        ]
        for attempt in attempts:
            if attempt.state == "checks_failed":
                attempt.failed_finishes, attempt.failed_checks = 3, {"c": 3, "d": 3}
        bulk.write(attempts)
        bulk.write(
            self._event_of(attempt, kind, attempt.ended_at)
            for attempt in attempts
            for kind in ENDS[attempt.state]
        )

    def _event_of(self, attempt: Assignment, kind: str, at: datetime) -> Event:
        place = {"topic": attempt.topic, "unit": attempt.unit, "assignment": attempt}
        return self._event(kind, attempt.participation, at, **place)

    def _trouble(self, done: list[Assignment]) -> Iterator[Event]:
        for attempt in done:
            if "c" in attempt.failed_checks:
                yield self._event_of(attempt, anchors.CHECK.event, attempt.ended_at)
            if "d" in attempt.failed_checks:
                yield self._event_of(attempt, seconds.CHECK.event, attempt.ended_at)

    def _judge(self, attempts: list[Assignment], documents: dict[int, list[int]]) -> None:
        answered = [
            (attempt, self._judgment(attempt, position, document))
            for attempt in attempts
            for position, document in enumerate(documents[attempt.unit_id])
        ]
        bulk.write(judgment for _, judgment in answered)
        bulk.write(self._visits(answered))

    def _judgment(self, attempt: Assignment, position: int, document: int) -> Judgment:
        judgment = Judgment(assignment_id=attempt.pk, pool_document_id=document, position=position)
        if attempt.state == "completed":
            text = {"H": "100", "N": "1"}.get(self.anchor_of[document], str(self.rng.randint(2, 99)))
            judgment.raw_input, judgment.number = text, float(text)
            judgment.justification = "So it seems to me after reading it."
            judgment.saved_at = attempt.ended_at
        return judgment

    def _visits(self, answered: list[tuple[Assignment, Judgment]]) -> Iterator[Visit]:
        """One visit to each document, every fifth a second time; of a live unit the first one is open."""
        for attempt, judgment in answered:
            opened = attempt.started_at + timedelta(minutes=judgment.position)
            place = {"judgment_id": judgment.pk, "assignment_id": attempt.pk, "opened_at": opened}
            if attempt.ended_at is None:
                if judgment.position == 0:
                    yield Visit(**place)
                continue
            for _ in range(2 if self.rng.random() < 0.2 else 1):
                yield Visit(**place, closed_at=opened + timedelta(seconds=25), seconds=25)
