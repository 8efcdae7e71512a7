"""The members of a bundle with what happened: the workers, their attempts and judgments, and the events."""

from typing import Final

from judging.archive.bundles.fields import TOPIC, Field, Kind, Member, fields_of
from judging.models import (
    Assignment,
    Event,
    Judgment,
    Participation,
    PracticeAttempt,
    Visit,
)
from judging.models.event import path_of_fact
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.checks.check import UnitCheck

_FACTS: Final = {str: Kind.TEXT, int: Kind.WHOLE, float: Kind.NUMBER}


def _decision() -> tuple[Field, ...]:
    return (
        Field("pay_decision", Kind.TEXT, "what happens to the pay: `pay`, `hold` or `refuse`", earlier="pay"),
        Field("pay_reason", Kind.TEXT, "why, as in the export of payments", earlier=""),
        Field("pay_note", Kind.TEXT, "what the researcher who refused it told the worker", earlier=""),
    )


def failed_field(check: UnitCheck) -> str:
    """Return the name of the field that counts how many times an attempt failed the check."""
    return f"failed_{check.letter}"


_WORKER: Final = Field("worker", Kind.TEXT, "the worker's pseudonym", "participation__pseudonym")


WORKERS: Final = Member(
    "workers.jsonl",
    "the workers by pseudonym",
    Participation,
    (
        Field("worker", Kind.TEXT, "the worker's pseudonym", "pseudonym"),
        *fields_of(
            ("state", Kind.TEXT, "the state, as in the export of workers"),
            ("consent_version", Kind.TEXT, "the version of the consent text"),
            ("consented_at", Kind.TIME, "when the worker consented"),
            ("simulated", Kind.YES_NO, "whether the worker is simulated"),
        ),
        Field("simulated_kind", Kind.TEXT, "the kind of a simulated worker, or empty", "behaviour"),
        *fields_of(
            ("compensation", Kind.AMOUNT, "the pay for being screened out"),
        ),
        *_decision(),
        Field(
            "gate",
            Kind.TEXT,
            "`closed` if the record looked like guessing, `opened` if the worker could go on then, or empty",
            earlier="",
        ),
        Field("gated_at", Kind.TIME, "when the record looked like guessing; null if never", null=True),
        Field(
            "practice",
            Kind.OBJECTS,
            "the attempts at the practice task",
            model=PracticeAttempt,
            fields=(
                *fields_of(
                    ("number", Kind.WHOLE, "the number of the attempt, from 1"),
                    ("lengths", Kind.WHOLES, "the lengths of the lines, in the order shown"),
                    ("magnitudes", Kind.NUMBERS, "the magnitudes that the worker entered"),
                ),
                Field(
                    "passed", Kind.YES_NO, "whether it was passed; null while it is in progress", null=True
                ),
            ),
        ),
    ),
)
ATTEMPTS: Final = Member(
    "attempts.jsonl",
    "all attempts at units that have ended, by worker and number",
    Assignment,
    (
        _WORKER,
        Field("attempt", Kind.WHOLE, "the number of the attempt among the worker's, from 1", "number"),
        TOPIC,
        Field("unit", Kind.WHOLE, "the unit's number in the topic", "unit__number"),
        *fields_of(
            ("state", Kind.TEXT, "the state in which it ended"),
            (
                "option_order",
                Kind.WHOLES,
                "for each position on the page, the index of the question's option",
            ),
            ("lapses_at", Kind.TIME, "when it would have expired"),
            ("ended_at", Kind.TIME, "when the attempt ended"),
            ("pay", Kind.AMOUNT, "the pay for completing it"),
            ("compensation", Kind.AMOUNT, "the pay for its cancellation"),
        ),
        *_decision(),
        *fields_of(
            ("open_seconds", Kind.NUMBER, "for how long its documents were open; null if unknown"),
            ("lowest_tau", Kind.NUMBER, "the lowest τ between two attempts to finish it; null without two"),
            null=True,
        ),
        *fields_of(
            (
                "started_at",
                Kind.TIME,
                "when the topic was shown; null for imported judgments, like the counts",
            ),
            ("back_uses", Kind.WHOLE, "uses of the back button before the first finish"),
            (
                "revisions",
                Kind.WHOLE,
                "uses of the back button or the list of documents after a failed check",
            ),
            ("failed_finishes", Kind.WHOLE, "finishes at which a check failed"),
            *(
                (failed_field(check), Kind.WHOLE, f"finishes at which check ({check.letter}) failed")
                for check in unit_checks()
            ),
            null=True,
        ),
        Field(
            "judgments_deleted_at",
            Kind.TIME,
            "when its judgments were deleted at the worker's request",
            null=True,
        ),
    ),
)
JUDGMENTS: Final = Member(
    "judgments.jsonl",
    "the judgments of completed attempts, including excluded units, by worker, attempt and position",
    Judgment,
    (
        Field("worker", Kind.TEXT, "the worker's pseudonym", "assignment__participation__pseudonym"),
        Field(
            "attempt",
            Kind.WHOLE,
            "the number of the attempt among the worker's, from 1",
            "assignment__number",
        ),
        Field("document", Kind.TEXT, "the document's id", "pool_document__document__document_id"),
        Field(
            "compared_with",
            Kind.TEXT,
            "the id of the document that was shown second, on scales that compare two documents",
            "compared_with__document__document_id",
            null=True,
        ),
        Field("magnitude", Kind.NUMBER, "the number that the worker entered, on the study's scale", "number"),
        *fields_of(
            ("raw_input", Kind.TEXT, "the number exactly as typed"),
            ("justification", Kind.TEXT, "the worker's justification"),
        ),
        Field("highlight", Kind.TEXT, "the passage that decided, or empty", earlier=""),
        *fields_of(
            ("position", Kind.WHOLE, "the position in the worker's unit, from 0; null if unknown"),
            ("visible_seconds", Kind.NUMBER, "the seconds with the page visible, as reported by the browser"),
            ("revisions", Kind.WHOLE, "changes of a complete answer"),
            ("pasted", Kind.NUMBER, "the share of the justification that was pasted, from 0 to 1"),
            ("highlight_start", Kind.WHOLE, "the passage's first character in the shown text, from 0"),
            ("highlight_end", Kind.WHOLE, "the character after the passage"),
            ("saved_at", Kind.TIME, "when the judgment was last saved"),
            null=True,
        ),
        Field(
            "visits",
            Kind.OBJECTS,
            "the periods during which the document was open",
            model=Visit,
            fields=fields_of(
                ("opened_at", Kind.TIME, "the start of the period"),
                ("closed_at", Kind.TIME, "the end of the period"),
                ("seconds", Kind.NUMBER, "the seconds that count"),
            ),
        ),
    ),
)
EVENTS: Final = Member(
    "events.jsonl",
    "failed checks, withdrawals and other incidents, in the order in which they were recorded",
    Event,
    (
        _WORKER,
        Field(
            "attempt",
            Kind.WHOLE,
            "the number of the attempt, if it is about one that has ended",
            "assignment__number",
            null=True,
        ),
        Field("topic", Kind.TEXT, "the topic's number, if the event has a topic", "topic__number", null=True),
        Field(
            "unit",
            Kind.WHOLE,
            "the unit's number in the topic, if the event has a unit",
            "unit__number",
            null=True,
        ),
        *fields_of(("kind", Kind.TEXT, "the kind of event"), ("at", Kind.TIME, "when it happened")),
        Field("check", Kind.TEXT, "the letter of the check, or empty", "check_name"),
        Field("try", Kind.WHOLE, "the number of the attempt at a task, from 1", "attempt", null=True),
        *(
            Field(
                fact.name,
                _FACTS[fact.type],
                f"({check.letter}): {fact.meaning}",
                path_of_fact(fact.name),
                null=fact.type is not str or path_of_fact(fact.name) != fact.name,
            )
            for check in CHECKS.values()
            for fact in check.facts
        ),
    ),
)
