"""Queries about a worker: the participation, the current assignment and the judgments."""

from typing import NamedTuple

from judging.core.selectors.arms import arm_keys
from judging.core.sql import first_row
from judging.models import Assignment, Document, Event, Judgment, Participation, Study, Topic
from judging.protocol.checks import told_of, unit_checks
from judging.protocol.checks.check import Told
from judging.protocol.states import LIVE, AssignmentState


def participation_by_token(slug: str, token: str) -> Participation | None:
    """Return the participation with this token in a study, or in any of its arms. Its study is loaded too."""
    study = first_row(Study, "SELECT * FROM judging_study WHERE slug = %s", slug)
    if study is None:
        return None
    participation = first_row(
        Participation,
        "SELECT * FROM judging_participation WHERE study_id = %s AND token = %s",
        study.pk,
        token,
    )
    if participation is None:
        return _in_another_arm(study, token) if study.has_arms else None
    participation.study = study
    return participation


def _in_another_arm(study: Study, token: str) -> Participation | None:
    workers = Participation.objects.select_related("study").filter(study__in=arm_keys(study), token=token)
    return workers.exclude(study=study).first()


def state_of(participation: Participation) -> str:
    """Return the current state in the database.

    Raise Participation.DoesNotExist if the participation has been deleted.
    """
    return Participation.objects.values_list("state", flat=True).get(pk=participation.pk)


def live_assignment(participation: Participation) -> Assignment | None:
    """Return the worker's live assignment, or None."""
    return participation.assignments.filter(state__in=LIVE).order_by("number").first()


def current_assignment(participation: Participation) -> Assignment | None:
    """Return the live assignment, or else the latest ended assignment, or else None.

    The topic is loaded too.
    """
    assignment = first_row(
        Assignment,
        "SELECT * FROM judging_assignment WHERE participation_id = %s"
        " ORDER BY ended_at IS NULL DESC, number DESC LIMIT 1",
        participation.pk,
    )
    if assignment is None:
        return None
    topic = first_row(Topic, "SELECT * FROM judging_topic WHERE id = %s", assignment.topic_id)
    assert topic is not None, "the database deletes no topic that has assignments"
    assignment.participation, assignment.topic = participation, topic
    return assignment


def judgment_at_cursor(assignment: Assignment) -> Judgment | None:
    """Return the judgment of the document to show, or None if the unit has just ended."""
    return judgment_at(assignment, assignment.cursor)


def documents_of(judgment: Judgment) -> list[Document]:
    """Return the documents that a page shows: the document of a judgment, or both documents of a pair."""
    pooled = [judgment.pool_document_id, judgment.compared_with_id]
    return [_document_in_pool(key) for key in pooled if key is not None]


def _document_in_pool(key: int) -> Document:
    document = first_row(
        Document,
        "SELECT document.* FROM judging_document document"
        " JOIN judging_pooldocument pooled ON pooled.document_id = document.id WHERE pooled.id = %s",
        key,
    )
    assert document is not None, "the database deletes no document that is in a pool"
    return document


def judgment_at(assignment: Assignment, position: int) -> Judgment | None:
    """Return the judgment at a position, or None if there is no such position."""
    judgment = first_row(
        Judgment,
        "SELECT * FROM judging_judgment WHERE assignment_id = %s AND position = %s",
        assignment.pk,
        position,
    )
    if judgment:
        judgment.assignment = assignment
    return judgment


def judgments_of(assignment: Assignment) -> list[Judgment]:
    """Return an assignment's judgments in the order shown, including those without an answer.

    The list is empty before judging has started.
    """
    return list(assignment.judgments.order_by("position"))


class OwnAnswer(NamedTuple):
    """A page of a unit, with what the worker typed on it. Each text can be empty.

    `titles` are the titles of its documents: one, or the two of a pair.
    """

    titles: tuple[str, ...]
    number: str
    reason: str


def own_answers(assignment: Assignment) -> list[OwnAnswer]:
    """Return the pages of an assignment's unit in the order shown, with the answers so far."""
    rows = assignment.judgments.order_by("position").values_list(
        "pool_document__document__title",
        "compared_with__document__title",
        "compared_with",
        "raw_input",
        "justification",
    )
    return [
        OwnAnswer((title,) if compared is None else (title, other), number, reason)
        for title, other, compared, number, reason in rows
    ]


def told_at_last_attempt(assignment: Assignment) -> list[Told]:
    """Return what the page says about the last failed attempt; see `told_of`."""
    study = assignment.participation.study
    if study.failure_message == "paper":
        return []
    checks = {check.event: check for check in unit_checks()}
    failures = Event.objects.filter(
        assignment=assignment, attempt=assignment.failed_finishes, kind__in=list(checks)
    )
    return told_of([checks[kind] for kind in failures.values_list("kind", flat=True)], study)


def previous_numbers(assignment: Assignment, *, shown: str) -> list[tuple[int, str]]:
    """Return the place (counted from 1) and the typed number of each document before the current one.

    `shown` is the setting `show_previous` of the study: "all", "last" (only the last number) or "none".
    """
    if shown == "none":
        return []
    before = assignment.judgments.filter(position__lt=assignment.cursor).exclude(raw_input="")
    numbers = [
        (1 + (position or 0), text)
        for position, text in before.order_by("position").values_list("position", "raw_input")
    ]
    return numbers if shown == "all" else numbers[-1:]


def wrong_answers(participation: Participation) -> int:
    """Return how many questions the worker has answered incorrectly."""
    return participation.assignments.filter(state=AssignmentState.COMPREHENSION_FAILED).count()


def texts_of(assignment: Assignment) -> list[Judgment]:
    """Return the judgments in which the worker typed something. Show their contents only to this worker."""
    return list(
        assignment.judgments.exclude(raw_input="", justification="", highlight="").order_by("position")
    )


def find_by_platform_id(*, study: Study, platform_id: str) -> Participation | None:
    """Return the participation of a person with this id on the platform, in any arm of a study, or None."""
    front = study.front_id or study.pk
    workers = Participation.objects.select_related("study")
    return workers.filter(identity__study=front, identity__platform_id=platform_id).first()
