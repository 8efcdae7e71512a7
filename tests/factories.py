"""Studies and workers for tests: real rows, and workers who go their way through the real services.

Time and chance are explicit: every function takes `now` (default `NOW`) and `rng` (default a `random.Random`
seeded by worker and moment), so that a test says what it depends on and runs the same every time.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Literal

from django.db.models import F

from judging.core.services.studies import open_study
from judging.models import (
    Assignment,
    Document,
    Judgment,
    MachineJudge,
    Participation,
    PoolDocument,
    Question,
    Study,
    Topic,
)
from judging.protocol.anchor_pairs import gold
from judging.protocol.arm_names import arm_slug
from judging.protocol.scales import DEFAULT, judging_of
from judging.protocol.settings import TEXTS, Kind
from judging.worker.services.arrival import give_consent
from judging.worker.services.comprehension import answer_question
from judging.worker.services.outcome import Outcome
from judging.worker.services.practice import answer_line, start_practice
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.submitting import Answer, submit_answer
from judging.worker.services.visits import open_document

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
GRADES = ("N", "M", "R", "H", "")
Way = Literal["consented", "practising", "ready", "question", "judging"]


def later(seconds: float = 0, *, minutes: float = 0, hours: float = 0) -> datetime:
    """A moment after `NOW`."""
    return NOW + timedelta(seconds=seconds, minutes=minutes, hours=hours)


def dice(worker: Participation, now: datetime) -> Random:
    """Chance that differs between workers and between moments, so that no two codes come out the same."""
    return Random(f"{worker.pseudonym}/{now}")


# --- studies -----------------------------------------------------------------------------------------------


def make_study(
    *, slug: str = "study", topics: int = 2, documents: int = 6, opened: bool = True, **settings: Any
) -> Study:
    """A study of `topics` topics, each with `documents` documents to judge beside its anchors.

    `settings` are fields of `Study`; what is not given keeps the default of the original study. With
    `opened` its units are planned and workers can come at `NOW`.
    """
    texts = {
        name: f"The {name.replace('_', ' ')} of the study."
        for name in (setting.key for setting in TEXTS if setting.kind == Kind.MARKDOWN)
    }
    study = Study.objects.create(
        **{
            "slug": slug,
            "title": f"The study {slug}",
            "requester": "A university",
            "contact": "study@example.org",
            "created_at": NOW - timedelta(days=1),
            "paid_within": 7,
            **texts,
            **settings,
        }
    )
    for place in range(topics):
        make_topic(study, place=place, documents=documents)
    if opened:
        open_study(study=study, now=NOW)
        study.refresh_from_db()
    return study


def make_arms(
    *names: str,
    slug: str = "study",
    opened: bool = True,
    own: dict[str, dict[str, Any]] | None = None,
    **settings: Any,
) -> list[Study]:
    """The arms of a study, the front first. `own` has the settings of single arms, by name."""
    front: Study | None = None
    arms = []
    for name in names:
        of_arm = {**settings, **(own or {}).get(name, {}), "arm": name, "front": front}
        arms.append(make_study(slug=arm_slug(slug, name) if front else slug, opened=False, **of_arm))
        front = front or arms[0]
    if opened:
        open_study(study=arms[0], now=NOW)
        for arm in arms:
            arm.refresh_from_db()
    return arms


def make_topic(study: Study, *, place: int, documents: int = 6) -> Topic:
    """A topic with its question, the study's anchors, and `documents` other documents of mixed grades."""
    number = str(401 + place)
    topic = Topic.objects.create(
        study=study,
        number=number,
        title=f"Title of topic {number}",
        description=f"What topic {number} is about.",
        narrative=f"What is relevant to topic {number}.",
        place=place,
    )
    Question.objects.create(
        topic=topic,
        text=f"What does topic {number} ask for?",
        options=[f"Option {letter} of {number}" for letter in "ABCD"],
        right_option=place % 4,
    )
    grades = {anchor.value: anchor.grade.value for anchor in study.anchors}
    names = [*grades, *(f"{index:03}" for index in range(documents))]
    texts = Document.objects.bulk_create(
        Document(
            study=study, document_id=f"D{number}-{name}", title=f"Document {name}", text=f"Text of {name}."
        )
        for name in names
    )
    PoolDocument.objects.bulk_create(
        PoolDocument(
            topic=topic,
            document=document,
            anchor=name if name in grades else "",
            grade=grades[name] if name in grades else GRADES[int(name) % len(GRADES)],
        )
        for name, document in zip(names, texts, strict=True)
    )
    return topic


# --- workers -----------------------------------------------------------------------------------------------


def make_worker(
    study: Study,
    *,
    upto: Way = "ready",
    now: datetime = NOW,
    rng: Random | None = None,
    **arrival: Any,
) -> Participation:
    """A worker who has gone the way up to a step: consented, practising, ready, question or judging.

    `arrival` is handed to `give_consent`: platform_id (made up where a platform sends the workers),
    submission_id, kind and behaviour. With "question" and
    "judging" the worker holds a unit, at once: `live_assignment(worker)`.
    """
    count = Participation.objects.count()
    rng = rng or Random(f"worker {count}")
    if study.platform != "direct" and "kind" not in arrival:
        arrival.setdefault("platform_id", f"person {count}")
    worker = give_consent(study=study, now=now, rng=rng, **arrival)
    if upto == "consented":
        return worker
    start_practice(participation=worker, now=now, rng=rng)
    if upto != "practising":
        pass_practice(worker, now=now, rng=rng)
    if upto in {"question", "judging"}:
        reserve_unit(participation=worker, now=now, rng=rng)
    if upto == "judging":
        answer_rightly(worker, now=now, rng=rng)
    worker.refresh_from_db()
    return worker


def pass_practice(worker: Participation, *, now: datetime = NOW, rng: Random | None = None) -> None:
    """Answer each line of the attempt under way rightly: for magnitudes, with its true length."""
    attempt = worker.practice_attempts.get(passed__isnull=True)
    task = judging_of(worker.study).practice
    assert task is not None, "no practice teaches the scale"
    for line in range(len(attempt.lengths)):
        answer_line(
            participation=worker,
            attempt_number=attempt.number,
            line=line,
            text=task.right(attempt.lengths, line, worker.study),
            now=now,
            rng=rng or dice(worker, now),
        )


def fail_practice(worker: Participation, *, now: datetime = NOW, rng: Random | None = None) -> None:
    """Answer each line of the attempt under way with the same number."""
    attempt = worker.practice_attempts.get(passed__isnull=True)
    for line in range(len(attempt.lengths)):
        answer_line(
            participation=worker,
            attempt_number=attempt.number,
            line=line,
            text="5",
            now=now,
            rng=rng or dice(worker, now),
        )


def live_assignment(worker: Participation) -> Assignment:
    """The worker's latest assignment, read afresh; named for its use while one is live."""
    assignment = worker.assignments.order_by("-number").first()
    assert assignment is not None, "the worker has had no unit"
    return assignment


def right_place(assignment: Assignment) -> int:
    """Where on the page the right option stands."""
    return assignment.option_order.index(assignment.topic.question.right_option)


def answer_rightly(worker: Participation, *, now: datetime = NOW, rng: Random | None = None) -> Outcome:
    """Choose the right option of the live assignment."""
    assignment = live_assignment(worker)
    return answer_question(
        participation=worker,
        number=assignment.number,
        place=right_place(assignment),
        now=now,
        rng=rng or dice(worker, now),
    )


def answer_wrongly(worker: Participation, *, now: datetime = NOW, rng: Random | None = None) -> Outcome:
    """Choose a wrong option of the live assignment."""
    assignment = live_assignment(worker)
    return answer_question(
        participation=worker,
        number=assignment.number,
        place=(right_place(assignment) + 1) % len(assignment.option_order),
        now=now,
        rng=rng or dice(worker, now),
    )


# --- judging -----------------------------------------------------------------------------------------------


def honest(judgment: Judgment) -> str:
    """An answer that passes check (c). Magnitudes: 100 for an H anchor, 1 for N, 2 and more for others."""
    study = judgment.assignment.participation.study
    if study.scale != DEFAULT:
        return judging_of(study).examples[gold(judgment.pool_document.anchor)]
    return {"H": "100", "N": "1"}.get(gold(judgment.pool_document.anchor), str(2 + judgment.position))


def reason(judgment: Judgment) -> str:
    """A reason that no other document of the unit has."""
    return f"So it seems, {judgment.position + 1}."


def inverted(judgment: Judgment) -> str:
    """A magnitude that fails check (c): the anchors the wrong way round."""
    return {"H": "1", "N": "100"}.get(gold(judgment.pool_document.anchor), str(2 + judgment.position))


def tied(judgment: Judgment) -> str:
    """The same magnitude for every document."""
    return "5"


def current(worker: Participation) -> Judgment:
    """The judgment at the cursor of the worker's assignment."""
    judgments = Judgment.objects.filter(assignment__participation=worker, position=F("assignment__cursor"))
    judgment = judgments.select_related("assignment", "pool_document").order_by("-assignment__number").first()
    assert judgment is not None, "the worker has had no unit"
    judgment.assignment.participation = worker
    return judgment


def form(worker: Participation, magnitude: str | None = None, justification: str | None = None) -> Answer:
    """The form of the document that the worker sees, filled in; by default with the honest magnitude."""
    return _filled_in(current(worker), magnitude, justification)


def _filled_in(judgment: Judgment, magnitude: str | None, justification: str | None = None) -> Answer:
    assignment = judgment.assignment
    return Answer(
        number=assignment.number,
        serial=assignment.serial,
        position=assignment.cursor,
        raw_input=honest(judgment) if magnitude is None else magnitude,
        justification=reason(judgment) if justification is None else justification,
        visible_seconds=3.0,
    )


def see(worker: Participation, *, now: datetime = NOW) -> None:
    """Open the page of the document at the cursor."""
    judgment = current(worker)
    open_document(assignment=judgment.assignment, judgment=judgment, now=now)


def send(
    worker: Participation,
    answer: Answer | None = None,
    *,
    action: str = "next",
    now: datetime = NOW,
    rng: Random | None = None,
) -> Outcome:
    """Send a form, by default the one that the worker sees, filled in honestly."""
    return submit_answer(
        participation=worker,
        answer=answer or form(worker),
        action=action,
        now=now,
        rng=rng or dice(worker, now),
    )


def judge_unit(
    worker: Participation,
    *,
    now: datetime = NOW,
    rng: Random | None = None,
    seconds: float = 25,
    magnitude: Callable[[Judgment], str] = honest,
) -> Assignment:
    """Judge the rest of a unit, one that is reserved first where the worker holds none, up to its finish.

    Each document is open for `seconds`; `magnitude` gives what is typed. Returns the assignment as it stands
    after the checks, at `now` plus `seconds` times the documents.
    """
    rng = rng or dice(worker, now)
    assignment = reserve_unit(participation=worker, now=now, rng=rng)
    assert assignment is not None, "no unit is to be had"
    if assignment.state == "question":
        answer_rightly(worker, now=now, rng=rng)
    size = assignment.judgments.count()
    for position in range(live_assignment(worker).cursor, size):
        judgment = current(worker)
        open_document(assignment=judgment.assignment, judgment=judgment, now=now)
        now += timedelta(seconds=seconds)
        action = "finish" if position == size - 1 else "next"
        send(worker, _filled_in(judgment, magnitude(judgment)), action=action, now=now, rng=rng)
    return live_assignment(worker)


def make_machine(worker: Participation, **fields: Any) -> MachineJudge:
    """Make a machine judge of a participation, as if it had just begun."""
    values = {
        "name": "gauge",
        "model": "m",
        "prompt_name": "magnitude",
        "prompt_sha256": "0" * 64,
        "temperature": 0,
        "judgments": 1,
        "answer_tokens": 1,
        "input_price": 0,
        "output_price": 0,
        "asked_at": NOW,
        "began_at": NOW,
    }
    return MachineJudge.objects.create(participation=worker, **(values | fields))
