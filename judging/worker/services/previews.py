"""Previews, which show a researcher the study as its workers see it.

A preview is a small temporary copy of the study, with its own address. It uses the same pages, services and
checks as any study. Only one person can open a preview. `Study.objects` does not contain previews.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final, TypeVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import Model
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from judging.core.selectors.plans import right_option
from judging.core.selectors.readiness import faults_by_topic
from judging.core.services.deleting import end_previews
from judging.core.services.locking import lock_study
from judging.limits import KEPT_PREVIEW
from judging.models import (
    Assignment,
    Document,
    Participation,
    PoolDocument,
    Question,
    Study,
    Topic,
    Unit,
    UnitDocument,
)
from judging.protocol.anchor_pairs import gold
from judging.protocol.platforms.base import Arrival, Entry
from judging.protocol.scales import judging_of
from judging.protocol.states import StudyState
from judging.protocol.steps import Step
from judging.worker.services.arrival import give_consent
from judging.worker.services.comprehension import answer_question
from judging.worker.services.practice import answer_line, start_practice
from judging.worker.services.reservation import reserve_unit
from judging.worker.services.submitting import Answer, submit_answer
from judging.worker.services.visits import open_document

_STEPS: Final = tuple(Step)
_LINE: Final = timedelta(seconds=3)
_QUESTION: Final = timedelta(seconds=6)
"""The times spent on a practice line (`_LINE`) and on a question (`_QUESTION`).

Both are longer than `protocol.timing` requires.
"""
_Row = TypeVar("_Row", bound=Model)


@transaction.atomic
def begin_preview(
    *, study: Study, person: AbstractBaseUser, now: datetime, topic: str = "", waits: bool = True
) -> Study:
    """Create and return a preview of a study for a person. It replaces the person's earlier preview.

    The preview has the study's settings and one unit for each complete topic. If `topic` is the number of
    one of these topics, the preview has only this topic. If `waits` is False, the time check is off. The
    preview is always open and never simulated. It does not check who can start, because only this person can
    open it.
    """
    lock_study(study)  # makes the second of two clicks wait
    end_previews(Study.with_hidden.filter(preview_of=study, previewer=person.pk))
    topics = [complete for complete, faults in faults_by_topic(study).items() if not faults]
    preview = _copy(
        study,
        slug=_slug(study, person),
        state=StudyState.OPEN.value,
        entry=Entry.OPEN.value,
        entry_key="",
        opens_at=None,
        closes_at=None,
        simulated=False,
        judgments_per_document=1,
        seconds_per_document=study.seconds_per_document if waits else 0,
        front_id=None,
        arm="",
        preview_of_id=study.pk,
        previewer_id=person.pk,
        created_at=now,
    )
    preview.save(force_insert=True)
    chosen = [candidate for candidate in topics if candidate.number == topic]
    _copy_topics(preview, chosen or topics)
    return preview


def _slug(study: Study, person: AbstractBaseUser) -> str:
    """Return a name that nobody can guess.

    The name depends only on the study and the person, so the same cookie works for all of the person's
    previews of the study.
    """
    secret = salted_hmac("plumbline.preview", f"{study.pk}/{person.pk}", algorithm="sha256")
    return f"preview-{secret.hexdigest()[:32]}"


def _copy(row: _Row, **changes: object) -> _Row:
    """Return an unsaved copy of a row, with some values changed."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    return type(row)(**{field.attname: getattr(row, field.attname) for field in fields} | changes)


def _copy_topics(preview: Study, topics: Sequence[Topic]) -> None:
    """Copy topics, their questions, and enough of each pool for one unit."""
    copies = Topic.objects.bulk_create(_copy(topic, study_id=preview.pk) for topic in topics)
    by_topic = {topic.pk: copy for topic, copy in zip(topics, copies, strict=True)}
    questions = Question.objects.filter(topic__in=topics).order_by("pk")
    Question.objects.bulk_create(
        _copy(question, topic_id=by_topic[question.topic_id].pk) for question in questions
    )
    pooled = [entry for topic in topics for entry in _sample(topic, preview.others_per_unit)]
    originals = {entry.document_id: entry.document for entry in pooled}
    texts = Document.objects.bulk_create(_copy(text, study_id=preview.pk) for text in originals.values())
    documents = dict(zip(originals, texts, strict=True))
    pool = PoolDocument.objects.bulk_create(
        _copy(
            entry,
            topic_id=by_topic[entry.topic_id].pk,
            document_id=documents[entry.document_id].pk,
            draw_id=None,
        )
        for entry in pooled
    )
    units = Unit.objects.bulk_create(Unit(topic=copy, number=1) for copy in copies)
    unit_of = {unit.topic_id: unit for unit in units}
    UnitDocument.objects.bulk_create(
        UnitDocument(unit=unit_of[entry.topic_id], pool_document=entry) for entry in pool if not entry.anchor
    )


def _sample(topic: Topic, others: int) -> list[PoolDocument]:
    pool = PoolDocument.objects.filter(topic=topic, sampled=True).select_related("document").order_by("pk")
    return [*pool.exclude(anchor=""), *pool.filter(anchor="")[:others]]


def forget_old_previews(*, now: datetime) -> None:
    """Delete previews that are older than `KEPT_PREVIEW`."""
    end_previews(Study.with_hidden.filter(created_at__lte=now - KEPT_PREVIEW))


@transaction.atomic
def carry_to(*, preview: Study, step: Step, arrival: Arrival, now: datetime, rng: Random) -> Participation:
    """Create a worker in a preview, let the worker pass every step before `step`, and return the worker.

    The worker's actions are dated in the past, so that no answer comes too soon. The worker stops at an
    earlier step if there is no unit, or if a unit would lapse before the time check can pass.
    """
    judges = step == Step.UNITS
    seconds = timedelta(seconds=preview.seconds_per_document)
    moment = now - 3 * _LINE - _QUESTION - (seconds * preview.unit_size if judges else timedelta())
    worker = give_consent(
        study=preview,
        platform_id=arrival.platform_id,
        submission_id=arrival.submission_id,
        platform_study=arrival.study_id,
        now=moment,
        rng=rng,
    )
    past = _STEPS[: _STEPS.index(step)]
    if Step.INSTRUCTIONS in past:
        start_practice(participation=worker, now=moment, rng=rng)
    if Step.PRACTICE in past:
        moment = _pass_practice(worker, moment, rng)
    if Step.TASK in past and (assignment := reserve_unit(participation=worker, now=moment, rng=rng)):
        moment += _QUESTION
        if Step.TOPIC in past:
            place = assignment.option_order.index(right_option(assignment))
            answer_question(participation=worker, number=assignment.number, place=place, now=moment, rng=rng)
        if Step.JUDGE in past:
            _judge(worker, assignment, moment, rng)
    return worker


def _pass_practice(worker: Participation, moment: datetime, rng: Random) -> datetime:
    """Give the right answer for each line. Return the time after the last line.

    There are no lines if no practice teaches the scale of the study.
    """
    attempt = worker.practice_attempts.first()
    practice = judging_of(worker.study).practice
    if attempt is None or practice is None:
        return moment
    for line in range(len(attempt.lengths)):
        moment += _LINE
        answer_line(
            participation=worker,
            attempt_number=attempt.number,
            line=line,
            text=practice.right(attempt.lengths, line, worker.study),
            now=moment,
            rng=rng,
        )
    return moment


def _judge(worker: Participation, assignment: Assignment, moment: datetime, rng: Random) -> None:
    judgments = assignment.judgments.select_related("pool_document").order_by("position")
    for position, judgment in enumerate(judgments):
        assignment.refresh_from_db()
        open_document(assignment=assignment, judgment=judgment, now=moment)
        moment += timedelta(seconds=worker.study.seconds_per_document)
        answer = Answer(
            number=assignment.number,
            serial=assignment.serial,
            position=position,
            raw_input=judging_of(worker.study).examples[gold(judgment.pool_document.anchor)],
            justification=_("Filled in by the preview: document {place}.").format(place=position + 1),
        )
        submit_answer(participation=worker, answer=answer, action="next", now=moment, rng=rng)
