"""The layout of a bundle: its members and their fields. Both the writer and the reader use this layout."""

from collections.abc import Iterator
from typing import Final

from judging.archive.bundles.fields import Field, Kind, Member
from judging.models import (
    Assignment,
    DisagreementVerdict,
    Document,
    Event,
    Judgment,
    KnownGrade,
    Participation,
    Picture,
    PoolDocument,
    PracticeAttempt,
    Question,
    Ranking,
    SampleDraw,
    Study,
    Topic,
    Unit,
    Visit,
)
from judging.models.event import path_of_fact
from judging.protocol import settings
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.checks.check import UnitCheck
from judging.protocol.settings import SETTINGS

VERSION: Final = 1
"""The version of the layout. A reader refuses versions that it does not know."""
MANIFEST: Final = "manifest.json"
GAINS: Final = "gains.txt"
"""The member with the gains, as `export --what gains` writes them. An import computes them again."""


def _fields(*rows: tuple[str, Kind, str], null: bool = False) -> tuple[Field, ...]:
    return tuple(Field(*row, null=null) for row in rows)


_KINDS: Final = {
    settings.Kind.WHOLE: Kind.WHOLE,
    settings.Kind.NUMBER: Kind.NUMBER,
    settings.Kind.AMOUNT: Kind.AMOUNT,
    settings.Kind.MOMENT: Kind.TIME,
    settings.Kind.TEXTS: Kind.TEXTS,
}


def _settings(*, null: bool, later: bool = False) -> Iterator[Field]:
    for setting in SETTINGS.values():
        if setting.bundled and (setting.can_be_empty, setting.later) == (null, later):
            earlier = setting.default if later else None
            kind = _KINDS.get(setting.kind, Kind.TEXT)
            yield Field(setting.key, kind, setting.meaning, null=null, earlier=earlier)


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


# Keep the order of the fields, so that every version of Plumbline writes a study as the same bytes.
_TITLE, *_OTHERS = _settings(null=False)
_TOPIC: Final = Field("topic", Kind.TEXT, "the topic's number", "topic__number")
_WORKER: Final = Field("worker", Kind.TEXT, "the worker's pseudonym", "participation__pseudonym")

STUDY: Final = Member(
    "study.json",
    "the study: its texts, limits and pay, without the settings of its platform",
    Study,
    (
        Field("slug", Kind.TEXT, "its name in URLs"),
        _TITLE,
        Field("state", Kind.TEXT, "the state when the bundle was exported; an imported study is closed"),
        *_OTHERS,
        *_fields(
            ("simulated", Kind.YES_NO, "whether a simulated crowd judges the study"),
            ("created_at", Kind.TIME, "when the study was created"),
        ),
        *_settings(null=True),
        *_settings(null=False, later=True),
        *_settings(null=True, later=True),
        Field(
            "grade_sets", Kind.TEXTS, "the names of the sets of known grades; the first one grades the pool"
        ),
        Field("runs", Kind.TEXTS, "the tags of the runs, sorted"),
        Field(
            "decisions",
            Kind.TEXTS,
            "the decisions of an adaptive study, each as JSON: number, at, reason, unit_numbers, record",
            earlier=(),
        ),
        Field(
            "draws",
            Kind.OBJECTS,
            "the draws of the sample, each from the documents that were new to the pools",
            model=SampleDraw,
            fields=_fields(
                ("number", Kind.WHOLE, "the number of the draw, from 1"),
                ("at", Kind.TIME, "when it was drawn"),
                ("design", Kind.TEXT, "`systematic` or `poisson`"),
                ("budget", Kind.WHOLE, "how many documents to sample, including anchors"),
                ("seed", Kind.WHOLE, "the seed"),
                ("measure", Kind.TEXT, "the measure that the chances depend on"),
                ("depth", Kind.WHOLE, "the depth of the pools"),
            ),
            earlier=(),
        ),
        Field(
            "arm",
            Kind.TEXT,
            "the name of the arm, or empty; an imported arm is a study of its own",
            earlier="",
        ),
        Field("front", Kind.TEXT, "the slug of the first arm, or empty for a study without arms", earlier=""),
    ),
    single_line=True,
)
TOPICS: Final = Member(
    "topics.jsonl",
    "the topics in the order of the study file",
    Topic,
    (
        *_fields(
            ("number", Kind.TEXT, "the topic's number"),
            ("title", Kind.TEXT, "its title"),
            ("description", Kind.TEXT, "its description"),
            ("narrative", Kind.TEXT, "its narrative"),
            ("place", Kind.WHOLE, "its position among the topics, from 0"),
        ),
        Field(
            "anchor_reason",
            Kind.TEXT,
            "why its anchors were chosen, if known grades disagree with them",
            earlier="",
        ),
        Field("retired_at", Kind.TIME, "when the topic was retired", null=True),
        Field(
            "question",
            Kind.OBJECT,
            "the comprehension question",
            null=True,
            model=Question,
            fields=_fields(
                ("text", Kind.TEXT, "the question"),
                ("options", Kind.TEXTS, "its four options"),
                ("right_option", Kind.WHOLE, "the index of the right option, from 0"),
            ),
        ),
    ),
)
DOCUMENTS: Final = Member(
    "documents.jsonl",
    "the documents of the pools, sorted by id",
    Document,
    (
        Field("id", Kind.TEXT, "the document's id in the collection", "document_id"),
        *_fields(("title", Kind.TEXT, "its title"), ("text", Kind.TEXT, "its text")),
        Field("layout", Kind.TEXT, "its own layout; if empty, the study's layout applies", earlier=""),
        Field("markup", Kind.TEXT, "its own markup; if empty, the study's markup applies", earlier=""),
        Field(
            "sources",
            Kind.OBJECTS,
            "the sources that it cites, if it is an answer",
            fields=_fields(
                ("id", Kind.TEXT, "the source's id"),
                ("title", Kind.TEXT, "its title"),
                ("text", Kind.TEXT, "its text"),
                ("url", Kind.TEXT, "its address, or empty"),
                ("markup", Kind.TEXT, "its markup, or empty for plain text"),
            ),
            earlier=(),
        ),
    ),
)
PICTURES: Final = Member(
    "pictures.jsonl",
    "the pictures of the documents, sorted by name; missing if there are none",
    Picture,
    _fields(
        ("name", Kind.TEXT, "the name that documents use"),
        ("media_type", Kind.TEXT, "its media type, such as `image/png`"),
        ("sha256", Kind.TEXT, "the checksum of its bytes"),
        ("content", Kind.BYTES, "its bytes"),
    ),
    is_needed=False,
)
POOL: Final = Member(
    "pool.jsonl",
    "the documents in the pool of each topic, in the order of the topics, then by id",
    PoolDocument,
    (
        _TOPIC,
        Field("document", Kind.TEXT, "the document's id", "document__document_id"),
        *_fields(
            ("grade", Kind.TEXT, "the known level `N`, `M`, `R` or `H`, a number, or empty"),
            ("anchor", Kind.TEXT, "`H` or `N` for an anchor, `H2` or `N2` in a second pair, otherwise empty"),
        ),
        Field(
            "inclusion", Kind.NUMBER, "the document's chance to be sampled, 1 without a sample", earlier=1.0
        ),
        Field("sampled", Kind.YES_NO, "whether it is judged; true without a sample", earlier=True),
        Field("draw", Kind.WHOLE, "the number of the draw that gave its chance", "draw__number", null=True),
        Field(
            "verdicts",
            Kind.OBJECTS,
            "the researchers' verdicts on disagreements with known grades, by set of grades",
            model=DisagreementVerdict,
            fields=(
                Field("set", Kind.TEXT, "the name of the set of grades", "grade_set__name"),
                *_fields(
                    ("verdict", Kind.TEXT, "`crowd_wrong`, `expert_wrong` or `topic_unclear`"),
                    ("note", Kind.TEXT, "the researcher's note, or empty"),
                    ("decided_at", Kind.TIME, "when the verdict was last changed"),
                ),
            ),
            earlier=(),
        ),
    ),
)
GRADES: Final = Member(
    "grades.jsonl",
    "the known grades by set, topic and document, including documents outside the pools",
    KnownGrade,
    (
        Field("set", Kind.TEXT, "the name of the set of grades", "grade_set__name"),
        _TOPIC,
        Field("document", Kind.TEXT, "the document's id", "document_id"),
        *_fields(
            ("value", Kind.TEXT, "the grade in its file"),
            ("level", Kind.TEXT, "its level `N`, `M`, `R` or `H`, or a number"),
        ),
    ),
)
RUNS: Final = Member(
    "runs.jsonl",
    "the ranked documents of each run for each topic, in the order of its file",
    Ranking,
    (
        Field("run", Kind.TEXT, "the run's tag", "run__tag"),
        _TOPIC,
        Field("documents", Kind.TEXTS, "the ids of the documents", "document_ids"),
        Field("scores", Kind.NUMBERS, "their scores"),
        Field("ranks", Kind.WHOLES, "their ranks"),
    ),
)
UNITS: Final = Member(
    "units.jsonl",
    "the planned units by topic and number, without the anchors, which are in every unit",
    Unit,
    (
        _TOPIC,
        *_fields(
            ("number", Kind.WHOLE, "the unit's number in the topic, from 1"),
            ("state", Kind.TEXT, "its state: `open`, `done` or `retired`"),
            ("exclusion_reason", Kind.TEXT, "the reason for its exclusion, or empty"),
        ),
        Field(
            "copy_of",
            Kind.WHOLE,
            "the number of the unit of this topic that it repeats",
            "copy_of__number",
            null=True,
        ),
        Field("excluded_at", Kind.TIME, "when the unit was excluded", null=True),
        Field(
            "documents", Kind.TEXTS, "the ids of its documents without the anchors, in the order of the plan"
        ),
    ),
)
WORKERS: Final = Member(
    "workers.jsonl",
    "the workers by pseudonym",
    Participation,
    (
        Field("worker", Kind.TEXT, "the worker's pseudonym", "pseudonym"),
        *_fields(
            ("state", Kind.TEXT, "the state, as in the export of workers"),
            ("consent_version", Kind.TEXT, "the version of the consent text"),
            ("consented_at", Kind.TIME, "when the worker consented"),
            ("simulated", Kind.YES_NO, "whether the worker is simulated"),
        ),
        Field("simulated_kind", Kind.TEXT, "the kind of a simulated worker, or empty", "behaviour"),
        *_fields(
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
                *_fields(
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
        _TOPIC,
        Field("unit", Kind.WHOLE, "the unit's number in the topic", "unit__number"),
        *_fields(
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
        *_fields(
            ("open_seconds", Kind.NUMBER, "for how long its documents were open; null if unknown"),
            ("lowest_tau", Kind.NUMBER, "the lowest τ between two attempts to finish it; null without two"),
            null=True,
        ),
        *_fields(
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
        *_fields(
            ("raw_input", Kind.TEXT, "the number exactly as typed"),
            ("justification", Kind.TEXT, "the worker's justification"),
        ),
        Field("highlight", Kind.TEXT, "the passage that decided, or empty", earlier=""),
        *_fields(
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
            fields=_fields(
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
        *_fields(("kind", Kind.TEXT, "the kind of event"), ("at", Kind.TIME, "when it happened")),
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
MEMBERS: Final = (
    STUDY,
    TOPICS,
    DOCUMENTS,
    PICTURES,
    POOL,
    GRADES,
    RUNS,
    UNITS,
    WORKERS,
    ATTEMPTS,
    JUDGMENTS,
    EVENTS,
)
"""The members in the order in which they follow the manifest in the zip."""
NAMES: Final = (*(member.name for member in MEMBERS), GAINS)
NEEDED: Final = (*(member.name for member in MEMBERS if member.is_needed), GAINS)
"""The files that every bundle has. The other `NAMES` are there only if they have lines."""


def markdown() -> Iterator[str]:
    """Yield the tables of docs/reference/bundle.md, one per member."""
    for member in MEMBERS:
        yield f"### {member.name}\n{member.description[:1].upper()}{member.description[1:]}.\n\n"
        yield "| field | type | meaning |\n|---|---|---|\n"
        yield from _rows(member.fields, "")
        yield "\n"


def _rows(fields: tuple[Field, ...], prefix: str) -> Iterator[str]:
    for field in fields:
        kind = f"{field.kind} or null" if field.null else field.kind
        yield f"| `{prefix}{field.name}` | {kind} | {field.meaning} |\n"
        yield from _rows(field.fields, f"{prefix}{field.name}.")
