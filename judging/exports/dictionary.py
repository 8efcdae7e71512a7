"""The data dictionary: every column of every export with its type, its unit and its meaning, in one place.

Types of Parquet's columns, the manifest beside an export and the tables of docs/exports.md are made of it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    YES_NO = "yes or no"
    TIME = "time"
    AMOUNT = "amount"


@dataclass(frozen=True)
class Column:
    """A column of an export. `unit` is empty where the numbers count nothing that has one."""

    name: str
    kind: Kind
    unit: str
    meaning: str


def _columns(*rows: tuple[str, Kind, str, str]) -> tuple[Column, ...]:
    return tuple(Column(*row) for row in rows)


_TOPIC: Final = ("topic_id", Kind.TEXT, "", "the topic's number")
_UNIT: Final = (
    "unit_id",
    Kind.TEXT,
    "",
    "the unit: topic number and the unit's number in it, as `401-0007`; unique in the study",
)
_DOCUMENT: Final = ("document_id", Kind.TEXT, "", "the document's id in the collection")
_WORKER: Final = ("worker_id", Kind.TEXT, "", "the worker's pseudonym in this study")
_SIMULATED: Final = ("simulated", Kind.YES_NO, "", "whether the worker is one of a simulated crowd")

JUDGMENTS: Final = _columns(
    _TOPIC,
    _UNIT,
    _DOCUMENT,
    ("gold", Kind.TEXT, "", "`H` or `N` for the two anchors of the topic, else empty"),
    ("doc_pos", Kind.WHOLE, "places", "the place at which this worker met the document, from 0"),
    _WORKER,
    ("relevance_score", Kind.NUMBER, "the worker's own", "the magnitude given, 1e-100 … 1e100"),
    (
        "normalized_relevance_score",
        Kind.NUMBER,
        "the topic's",
        "the magnitude after normalisation by geometric averaging within the topic; empty for excluded units",
    ),
    (
        "cumulative_time",
        Kind.NUMBER,
        "seconds",
        "time on the document by the server's clock, over all visits, a visit counting at most the study's"
        " limit (15 minutes)",
    ),
    ("comment", Kind.TEXT, "", "the worker's justification"),
    ("trec", Kind.TEXT, "", "the known grade in the set of that name; empty where the study has none"),
    ("sormunen", Kind.TEXT, "", "the known grade in the set of that name; empty where the study has none"),
    ("relevance_scale", Kind.TEXT, "", "`magnitude`"),
    ("raw_input", Kind.TEXT, "", "what was typed into the box for the magnitude, as it stood"),
    (
        "visible_time",
        Kind.NUMBER,
        "seconds",
        "time with the page visible, as the browser says; no check uses it",
    ),
    ("visits", Kind.WHOLE, "visits", "how often the document was opened"),
    ("revisions", Kind.WHOLE, "changes", "how often a whole answer was changed afterwards"),
    ("completed_at", Kind.TIME, "", "when the unit was completed"),
    _SIMULATED,
    (
        "excluded",
        Kind.YES_NO,
        "",
        "whether a researcher excluded the unit; always no without `--with-excluded`",
    ),
)
GRADES: Final = Column(
    "",
    Kind.TEXT,
    "",
    "the known grade in a further set: its name, and `…_grade` where that is another column's",
)
"""What is said of the columns that a study's further sets of known grades add to the judgments."""

GAINS: Final = _columns(
    _TOPIC,
    ("iteration", Kind.TEXT, "", "always `0`, as in qrels"),
    _DOCUMENT,
    ("gain", Kind.NUMBER, "the topic's", "the median of the document's normalised magnitudes, in full"),
)
UNITS: Final = _columns(
    _TOPIC,
    _UNIT,
    _WORKER,
    (
        "state",
        Kind.TEXT,
        "",
        "`question`, `judging`, `revising` (going on); `completed`; `comprehension_failed`, `checks_failed`,"
        " `lapsed`, `returned`, `cancelled`",
    ),
    ("started_at", Kind.TIME, "", "when the topic was shown and the clock started"),
    (
        "ended_at",
        Kind.TIME,
        "",
        "when the attempt ended; empty while it goes on; of imported judgments without times, when they were"
        " imported",
    ),
    ("seconds", Kind.NUMBER, "seconds", "from the start to the end; empty while it goes on"),
    ("back", Kind.WHOLE, "uses", "uses of the back button before the first finish"),
    (
        "revisions",
        Kind.WHOLE,
        "uses",
        "uses of back or the list of documents after a failed check",
    ),
    ("failed_c", Kind.WHOLE, "finishes", "finishes that failed check (c), the anchors"),
    ("failed_d", Kind.WHOLE, "finishes", "finishes that failed check (d), the time"),
    ("failed_finishes", Kind.WHOLE, "finishes", "finishes that failed either or both"),
    ("pay", Kind.AMOUNT, "the study's currency", "what the unit pays when completed"),
    (
        "judgments_deleted",
        Kind.YES_NO,
        "",
        "completed and paid, but its judgments were deleted at the worker's wish",
    ),
    ("excluded", Kind.YES_NO, "", "whether a researcher excluded this attempt's judgments"),
    ("exclusion_reason", Kind.TEXT, "", "why, where it was"),
    ("copy_of", Kind.TEXT, "", "the unit that this one collects again, or empty"),
    _SIMULATED,
)
WORKERS: Final = _columns(
    _WORKER,
    (
        "state",
        Kind.TEXT,
        "",
        "`consented`, `practising`, `ready`; ended: `screened_out`, `blocked`, `withdrawn`",
    ),
    _SIMULATED,
    ("simulated_kind", Kind.TEXT, "", "the kind of a simulated worker"),
    ("consented_at", Kind.TIME, "", "when the worker agreed to take part"),
    ("consent_version", Kind.TEXT, "", "the version of the text agreed to"),
    ("practice_attempts", Kind.WHOLE, "attempts", "goes at the practice task"),
    ("units", Kind.WHOLE, "units", "units given to the worker"),
    ("units_completed", Kind.WHOLE, "units", "those of them that were completed"),
    ("comprehension_failures", Kind.WHOLE, "answers", "wrong answers to a comprehension question"),
    ("back", Kind.WHOLE, "uses", "uses of back, summed over the units"),
    (
        "revisions",
        Kind.WHOLE,
        "uses",
        "uses of back or the list of documents after a failed check, summed",
    ),
    ("failed_c", Kind.WHOLE, "finishes", "finishes that failed check (c), summed"),
    ("failed_d", Kind.WHOLE, "finishes", "finishes that failed check (d), summed"),
    ("failed_finishes", Kind.WHOLE, "finishes", "finishes that failed either or both, summed"),
    ("pay", Kind.AMOUNT, "the study's currency", "owed for the completed units"),
)
EVENTS: Final = _columns(
    ("topic_id", Kind.TEXT, "", "the topic's number; empty for what belongs to none: such rows come first"),
    ("unit_id", Kind.TEXT, "", "the unit, as `401-0007`; empty for what belongs to none"),
    _WORKER,
    ("at", Kind.TIME, "", "when it happened"),
    (
        "kind",
        Kind.TEXT,
        "",
        "`practice_failed`, `comprehension_failed`, `anchors_failed`, `time_failed`, `order_inverted`,"
        " `checks_failed`, `lapsed`, `reinstated`, `returned`, `returned_late`, `cancelled`, `screened_out`,"
        " `blocked`, `withdrawn`, `same_browser`",
    ),
    ("check", Kind.TEXT, "", "the check `a`–`d`, where it is one"),
    ("attempt", Kind.WHOLE, "tries", "which try it was, from 1"),
    ("option", Kind.WHOLE, "places", "(b): the option chosen, from 0, in the order of the study file"),
    ("anchors", Kind.TEXT, "", "(c): `tied` or `inverted`"),
    (
        "tau",
        Kind.NUMBER,
        "−1 … 1",
        "(c): Kendall's τ between this try and the one before;"
        " for `order_inverted`, the lowest with any earlier try",
    ),
    ("short", Kind.WHOLE, "documents", "(d): how many documents fell short of their seconds"),
    _SIMULATED,
)
TABLE1: Final = _columns(
    ("topic_id", Kind.TEXT, "", "the topic's number, or `all` in the last row"),
    ("documents", Kind.WHOLE, "documents", "documents in the pool, the two anchors among them"),
    (
        "units",
        Kind.WHOLE,
        "units",
        "units whose judgments count: completed, neither excluded nor deleted",
    ),
    ("h_id", Kind.TEXT, "", "the id of the anchor of grade H"),
    ("n_id", Kind.TEXT, "", "the id of the anchor of grade N"),
    *(
        (f"{name}_{times}", Kind.WHOLE, "units", f"units with {words} {what}")
        for name, what in (
            ("back", "of back"),
            ("failed_c", "of check (c), the anchors"),
            ("failed_d", "of check (d), the time"),
        )
        for times, words in (
            (("0", "no use"), ("1", "one use"), ("2_or_more", "two or more uses"))
            if name == "back"
            else (("0", "no failure"), ("1", "one failure"), ("2_or_more", "two or more failures"))
        )
    ),
)
PAYMENTS: Final = _columns(
    (
        "platform_id",
        Kind.TEXT,
        "",
        "the worker's id on the platform; empty for who came directly, and where the identity was erased",
    ),
    ("submission_id", Kind.TEXT, "", "the platform's id of the worker's last visit"),
    _WORKER,
    ("topic_id", Kind.TEXT, "", "the topic's number; empty for a screen-out"),
    ("unit_id", Kind.TEXT, "", "the unit, as `401-0007`; empty for a screen-out"),
    ("completion_code", Kind.TEXT, "", "of a completed unit; empty for what needs none"),
    (
        "state",
        Kind.TEXT,
        "",
        "`completed`; `screened_out` or `cancelled` (by a forced closing) where the study pays them;"
        " `checks_failed`, `lapsed` or `returned` where an owner compensated a unit lost on bad anchors",
    ),
    (
        "amount",
        Kind.AMOUNT,
        "as `currency`",
        "what is paid, fixed when the unit was given, or when the worker was screened out or the unit"
        " cancelled; a compensated unit pays what it would have paid",
    ),
    ("currency", Kind.TEXT, "", "three letters, as `USD`"),
    ("ended_at", Kind.TIME, "", "when that was"),
    ("paid_at", Kind.TIME, "", "when it was marked as handed over to the platform; empty: it is due"),
)
DICTIONARY: Final = {
    "judgments": JUDGMENTS,
    "gains": GAINS,
    "units": UNITS,
    "workers": WORKERS,
    "events": EVENTS,
    "table1": TABLE1,
    "payments": PAYMENTS,
}
"""Name of an export → its columns, in their order."""


def described(what: str, names: Sequence[str]) -> list[Column]:
    """The columns of an export as it comes; what the dictionary does not name is a further set of grades."""
    known = {column.name: column for column in DICTIONARY[what]}
    return [
        known.get(name) or Column(name, GRADES.kind, GRADES.unit, "the known grade in a further set")
        for name in names
    ]


def as_objects(columns: Sequence[Column]) -> list[dict[str, str]]:
    """`[{"name", "type", "unit", "meaning"}, …]`, for programs."""
    return [
        {"type" if key == "kind" else key: str(value) for key, value in asdict(column).items()}
        for column in columns
    ]


def markdown(what: str) -> str:
    """The table of an export for docs/exports.md."""
    rows = [
        f"| {f'`{column.name}`' if column.name else '*name of a grade set*'} | {column.kind} |"
        f" {column.unit} | {column.meaning} |\n"
        for column in (*DICTIONARY[what], *((GRADES,) if what == "judgments" else ()))
    ]
    return "".join(["| column | type | unit | meaning |\n|---|---|---|---|\n", *rows])
