"""What a bundle holds, member by member and field by field: its writer and its reader follow this alone."""

from collections.abc import Iterator
from typing import Final

from judging.archive.bundles.fields import Field, Kind, Member
from judging.models import (
    Assignment,
    Document,
    Event,
    Judgment,
    KnownGrade,
    Participation,
    PoolDocument,
    PracticeAttempt,
    Question,
    Ranking,
    Study,
    Topic,
    Unit,
    Visit,
)
from judging.protocol import settings
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.checks.base import UnitCheck
from judging.protocol.settings import SETTINGS

VERSION: Final = 1
"""Of the layout; a reader refuses one that it does not know."""
MANIFEST: Final = "manifest.json"
GAINS: Final = "gains.txt"
"""The gains as `export --what gains` writes them: for people; a reader makes them anew."""


def _fields(*rows: tuple[str, Kind, str], null: bool = False) -> tuple[Field, ...]:
    return tuple(Field(*row, null=null) for row in rows)


_KINDS: Final = {
    settings.Kind.WHOLE: Kind.WHOLE,
    settings.Kind.NUMBER: Kind.NUMBER,
    settings.Kind.AMOUNT: Kind.AMOUNT,
    settings.Kind.MOMENT: Kind.TIME,
}


def _settings(*, null: bool, later: bool = False) -> Iterator[Field]:
    for setting in SETTINGS.values():
        may_be_null = setting.unlimited or setting.kind == settings.Kind.MOMENT
        if setting.bundled and (may_be_null, setting.later) == (null, later):
            earlier = setting.default if later else None
            kind = _KINDS.get(setting.kind, Kind.TEXT)
            yield Field(setting.key, kind, setting.meaning, null=null, earlier=earlier)


_FACTS: Final = {str: Kind.TEXT, int: Kind.WHOLE, float: Kind.NUMBER}


def failed_field(check: UnitCheck) -> str:
    """Return the name of the field that counts the finishes that failed a check."""
    return f"failed_{check.letter}"


# A study comes out of every version with the same bytes, and so its fields keep their order.
_TITLE, *_OTHERS = _settings(null=False)
_TOPIC: Final = Field("topic", Kind.TEXT, "number of the topic", "topic__number")
_WORKER: Final = Field("worker", Kind.TEXT, "pseudonym of the worker", "participation__pseudonym")

STUDY: Final = Member(
    "study.json",
    "the study: its texts, limits and pay, but nothing of a platform",
    Study,
    (
        Field("slug", Kind.TEXT, "name in addresses"),
        _TITLE,
        Field("state", Kind.TEXT, "state when the bundle was made; it is closed when imported"),
        *_OTHERS,
        *_fields(
            ("simulated", Kind.YES_NO, "judged by a simulated crowd"),
            ("created_at", Kind.TIME, "when the study was made"),
        ),
        *_settings(null=True),
        *_settings(null=False, later=True),
        Field("grade_sets", Kind.TEXTS, "names of the sets of known grades; the first grades the pool"),
        Field("runs", Kind.TEXTS, "tags of the runs, sorted"),
    ),
    one=True,
)
TOPICS: Final = Member(
    "topics.jsonl",
    "the topics in the order of the study file",
    Topic,
    (
        *_fields(
            ("number", Kind.TEXT, "number of the topic"),
            ("title", Kind.TEXT, "title"),
            ("description", Kind.TEXT, "description"),
            ("narrative", Kind.TEXT, "narrative"),
            ("place", Kind.WHOLE, "place among the topics, from 0"),
        ),
        Field(
            "anchor_reason", Kind.TEXT, "why its anchors were named, where known grades disagree", earlier=""
        ),
        Field("retired_at", Kind.TIME, "when it was retired", null=True),
        Field(
            "question",
            Kind.OBJECT,
            "comprehension question",
            null=True,
            model=Question,
            fields=_fields(
                ("text", Kind.TEXT, "the question"),
                ("options", Kind.TEXTS, "four options"),
                ("right_option", Kind.WHOLE, "place of the right one, from 0"),
            ),
        ),
    ),
)
DOCUMENTS: Final = Member(
    "documents.jsonl",
    "the documents of the pools, sorted by id",
    Document,
    (
        Field("id", Kind.TEXT, "id in the collection", "document_id"),
        *_fields(("title", Kind.TEXT, "title"), ("text", Kind.TEXT, "text")),
        Field("layout", Kind.TEXT, "its own layout, or empty: the study's", earlier=""),
    ),
)
POOL: Final = Member(
    "pool.jsonl",
    "which documents are judged for which topic, sorted by place of the topic and id",
    PoolDocument,
    (
        _TOPIC,
        Field("document", Kind.TEXT, "id of the document", "document__document_id"),
        *_fields(
            ("grade", Kind.TEXT, "known level `N`, `M`, `R`, `H`, or empty"),
            ("anchor", Kind.TEXT, "`H` or `N` for an anchor, else empty"),
        ),
    ),
)
GRADES: Final = Member(
    "grades.jsonl",
    "the known grades, by set, topic and document; also of documents outside the pools",
    KnownGrade,
    (
        Field("set", Kind.TEXT, "name of the set of grades", "grade_set__name"),
        _TOPIC,
        Field("document", Kind.TEXT, "id of the document", "document_id"),
        *_fields(("value", Kind.TEXT, "as its file gave it"), ("level", Kind.TEXT, "`N`, `M`, `R` or `H`")),
    ),
)
RUNS: Final = Member(
    "runs.jsonl",
    "what each run answers to each topic, in the order of its file",
    Ranking,
    (
        Field("run", Kind.TEXT, "tag of the run", "run__tag"),
        _TOPIC,
        Field("documents", Kind.TEXTS, "ids of documents", "document_ids"),
        Field("scores", Kind.NUMBERS, "their scores"),
        Field("ranks", Kind.WHOLES, "their ranks"),
    ),
)
UNITS: Final = Member(
    "units.jsonl",
    "the plan: every unit by topic and number; the anchors come to each of them",
    Unit,
    (
        _TOPIC,
        *_fields(
            ("number", Kind.WHOLE, "number within the topic, from 1"),
            ("state", Kind.TEXT, "`open`, `done` or `retired`"),
            ("exclusion_reason", Kind.TEXT, "why it was excluded, or empty"),
        ),
        Field(
            "copy_of",
            Kind.WHOLE,
            "the unit of this topic that it collects again",
            "copy_of__number",
            null=True,
        ),
        Field("excluded_at", Kind.TIME, "when it was excluded", null=True),
        Field("documents", Kind.TEXTS, "ids of its documents without the anchors, in the order of the plan"),
    ),
)
WORKERS: Final = Member(
    "workers.jsonl",
    "the workers by pseudonym",
    Participation,
    (
        Field("worker", Kind.TEXT, "pseudonym", "pseudonym"),
        *_fields(
            ("state", Kind.TEXT, "as in the export of workers"),
            ("consent_version", Kind.TEXT, "of the text agreed to"),
            ("consented_at", Kind.TIME, "when"),
            ("simulated", Kind.YES_NO, "one of a simulated crowd"),
            ("simulated_kind", Kind.TEXT, "the kind of a simulated worker"),
            ("compensation", Kind.AMOUNT, "what being screened out paid"),
        ),
        Field(
            "practice",
            Kind.OBJECTS,
            "goes at the practice task",
            model=PracticeAttempt,
            fields=(
                *_fields(
                    ("number", Kind.WHOLE, "from 1"),
                    ("lengths", Kind.WHOLES, "lengths of the lines in the order shown"),
                    ("magnitudes", Kind.NUMBERS, "magnitudes given"),
                ),
                Field("passed", Kind.YES_NO, "null while it goes on", null=True),
            ),
        ),
    ),
)
ATTEMPTS: Final = Member(
    "attempts.jsonl",
    "every attempt at a unit that has ended, by worker and number",
    Assignment,
    (
        _WORKER,
        Field("attempt", Kind.WHOLE, "the worker's units counted from 1", "number"),
        _TOPIC,
        Field("unit", Kind.WHOLE, "number of the unit in the topic", "unit__number"),
        *_fields(
            ("state", Kind.TEXT, "how it ended"),
            ("option_order", Kind.WHOLES, "place on the page → option of the question"),
            ("lapses_at", Kind.TIME, "when it would have lapsed"),
            ("ended_at", Kind.TIME, "when it ended"),
            ("pay", Kind.AMOUNT, "pay for its completion"),
            ("compensation", Kind.AMOUNT, "pay for its cancellation"),
        ),
        *_fields(
            ("started_at", Kind.TIME, "when the topic was shown; null, as the counts, of imported judgments"),
            ("back_uses", Kind.WHOLE, "uses of back before the first finish"),
            (
                "revisions",
                Kind.WHOLE,
                "uses of back or the list of documents after a failed check",
            ),
            ("failed_finishes", Kind.WHOLE, "finishes that failed a check"),
            *(
                (failed_field(check), Kind.WHOLE, f"finishes that failed ({check.letter})")
                for check in unit_checks()
            ),
            null=True,
        ),
        Field("judgments_deleted_at", Kind.TIME, "when the worker had its judgments deleted", null=True),
    ),
)
JUDGMENTS: Final = Member(
    "judgments.jsonl",
    "the judgments of completed attempts, those of excluded units too, by worker, attempt and position",
    Judgment,
    (
        Field("worker", Kind.TEXT, "pseudonym of the worker", "assignment__participation__pseudonym"),
        Field("attempt", Kind.WHOLE, "the worker's units counted from 1", "assignment__number"),
        Field("document", Kind.TEXT, "id of the document", "pool_document__document__document_id"),
        *_fields(
            ("magnitude", Kind.NUMBER, "the magnitude given"),
            ("raw_input", Kind.TEXT, "as it was typed"),
            ("justification", Kind.TEXT, "the worker's reason"),
        ),
        *_fields(
            ("position", Kind.WHOLE, "place in the unit as shown, from 0; null where unknown"),
            ("visible_seconds", Kind.NUMBER, "seconds with the page visible, as the browser says"),
            ("revisions", Kind.WHOLE, "changes of a whole answer"),
            ("saved_at", Kind.TIME, "when it was last saved"),
            null=True,
        ),
        Field(
            "visits",
            Kind.OBJECTS,
            "stretches of time with the document open",
            model=Visit,
            fields=_fields(
                ("opened_at", Kind.TIME, "from"),
                ("closed_at", Kind.TIME, "to"),
                ("seconds", Kind.NUMBER, "what it counts"),
            ),
        ),
    ),
)
EVENTS: Final = Member(
    "events.jsonl",
    "what went wrong, in the order in which it was recorded",
    Event,
    (
        _WORKER,
        Field(
            "attempt",
            Kind.WHOLE,
            "the worker's unit, where it is of one that has ended",
            "assignment__number",
            null=True,
        ),
        Field("topic", Kind.TEXT, "number of the topic, where it is of one", "topic__number", null=True),
        Field(
            "unit",
            Kind.WHOLE,
            "number of the unit in the topic, where it is of one",
            "unit__number",
            null=True,
        ),
        *_fields(("kind", Kind.TEXT, "what happened"), ("at", Kind.TIME, "when")),
        Field("check", Kind.TEXT, "the letter of the check, or empty", "check_name"),
        Field("try", Kind.WHOLE, "which try", "attempt", null=True),
        *(
            Field(
                fact.name, _FACTS[fact.type], f"({check.letter}): {fact.meaning}", null=fact.type is not str
            )
            for check in CHECKS.values()
            for fact in check.facts
        ),
    ),
)
MEMBERS: Final = (
    STUDY,
    TOPICS,
    DOCUMENTS,
    POOL,
    GRADES,
    RUNS,
    UNITS,
    WORKERS,
    ATTEMPTS,
    JUDGMENTS,
    EVENTS,
)
"""In the order in which they stand in the zip, after the manifest."""
NAMES: Final = (*(member.name for member in MEMBERS), GAINS)


def markdown() -> Iterator[str]:
    """The tables of docs/reference/bundle.md, a member each."""
    for member in MEMBERS:
        yield f"### {member.name}\n{member.what[:1].upper()}{member.what[1:]}.\n\n"
        yield "| field | type | meaning |\n|---|---|---|\n"
        yield from _rows(member.fields, "")
        yield "\n"


def _rows(fields: tuple[Field, ...], prefix: str) -> Iterator[str]:
    for field in fields:
        kind = f"{field.kind} or null" if field.null else field.kind
        yield f"| `{prefix}{field.name}` | {kind} | {field.meaning} |\n"
        yield from _rows(field.fields, f"{prefix}{field.name}.")
