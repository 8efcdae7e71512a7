"""The settings of checks (a)–(d): what they require, and how often a worker can fail them."""

from typing import Final

from judging.protocol.evidence import EVIDENCE
from judging.protocol.record import RECORD_CHECKS
from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Setting
from judging.protocol.words import gettext_noop as _

EARLY_NEXT: Final = ("silent", "warn")
FAILURE_MESSAGES: Final = ("named", "paper")
CHECKS: Final = (
    Setting(
        "seconds_per_document",
        _("Minimum seconds per document"),
        _(
            "Check (d): how long a worker must keep each document open. The times of all visits to the "
            "document are added up."
        ),
        Kind.NUMBER,
        "checks",
        default=20.0,
        most=3600,
        source="[T15] 3.4",
        by_arm=True,
        group=groups.CHECKS,
    ),
    Setting(
        "seconds_announced",
        _("Announcing the minimum seconds"),
        _(
            "Whether workers know the minimum time before they judge. yes: the information page says how many"
            " seconds each document must be open. no: it does not."
        ),
        Kind.CHOICE,
        "checks",
        default="yes",
        options=("yes", "no"),
        later=True,
        by_arm=True,
        group=groups.CHECK_DETAILS,
    ),
    Setting(
        "early_next",
        _("Clicking Next before the minimum time"),
        _(
            "What happens if a worker clicks Next before the minimum time for a document is over. "
            "silent: the worker goes on without a warning, and the time is checked only at the end of the "
            "unit. warn: the page warns once, and the worker can stay or go on."
        ),
        Kind.CHOICE,
        "checks",
        default="silent",
        options=EARLY_NEXT,
        later=True,
        by_arm=True,
        group=groups.CHECK_DETAILS,
    ),
    Setting(
        "failure_message",
        _("Message after a failed check"),
        _(
            "What a worker reads after a failed attempt to finish a unit. named: if only the time check"
            " failed, the page says so. After every other failure, it shows the paper’s sentence, which names"
            " no check. paper: the page always shows the paper’s sentence."
        ),
        Kind.CHOICE,
        "checks",
        default=FAILURE_MESSAGES[0],
        options=FAILURE_MESSAGES,
        later=True,
        by_arm=True,
        group=groups.CHECKS,
    ),
    Setting(
        "evidence",
        _("Evidence from the browser"),
        _(
            "Whether the site records what share of each reason was pasted. none: the site does not record"
            " the share. input: the site records it, and the information page says so. The site never"
            " records which part of a reason was pasted."
        ),
        Kind.CHOICE,
        "checks",
        default="none",
        options=EVIDENCE,
        later=True,
        group=groups.GUESSING,
    ),
    Setting(
        "anchor_ties",
        _("Equal numbers for H and N"),
        _("Check (c): whether a unit fails or passes if both anchors have the same number."),
        Kind.CHOICE,
        "checks",
        default="fail",
        options=("fail", "pass"),
        by_arm=True,
        group=groups.CHECK_DETAILS,
    ),
    Setting(
        "check_attempts",
        _("Attempts to finish a unit"),
        _("A unit ends after this many failed attempts to finish it. Enter “unlimited” for no limit."),
        Kind.WHOLE,
        "checks",
        default=3,
        least=1,
        most=1000,
        unlimited=True,
        group=groups.CHECKS,
    ),
    Setting(
        "record_check",
        _("Workers who seem to guess"),
        _(
            "Whether a worker stops getting units when the record over several units looks like guessing. A"
            " researcher then decides. paid: in studies that pay workers from a crowd platform. on: in any"
            " study. off: never, as in the original study."
        ),
        Kind.CHOICE,
        "checks",
        default=RECORD_CHECKS[0],
        options=RECORD_CHECKS,
        change=Change.ALWAYS,
        later=True,
        more="See [The record over units](../understanding/protocol.md#the-record-over-units).",
        group=groups.GUESSING,
    ),
    Setting(
        "record_units",
        _("Minimum units before a worker is stopped"),
        _("The record of a worker is never held against the worker before this many units."),
        Kind.WHOLE,
        "checks",
        default=4,
        least=2,
        most=1000,
        change=Change.ALWAYS,
        later=True,
        group=groups.GUESSING,
    ),
    Setting(
        "practice_attempts",
        _("Attempts at the practice task"),
        _(
            "Check (a): after this many failed attempts, a worker is screened out. Enter “unlimited” for no"
            " limit."
        ),
        Kind.WHOLE,
        "checks",
        default=3,
        least=1,
        most=1000,
        unlimited=True,
        group=groups.PRACTICE,
    ),
    Setting(
        "comprehension_attempts",
        _("Wrong answers"),
        _(
            "Check (b): after this many wrong answers, counted over all topics, a worker is screened out."
            " Enter “unlimited” for no limit."
        ),
        Kind.WHOLE,
        "checks",
        default=3,
        least=1,
        most=1000,
        unlimited=True,
        group=groups.PRACTICE,
    ),
    Setting(
        "visit_minutes",
        _("Maximum minutes counted per visit to a document"),
        _(
            "A visit to a document counts for at most this many minutes, even if the document is open "
            "for longer."
        ),
        Kind.WHOLE,
        "checks",
        default=15,
        least=1,
        most=1440,
        by_arm=True,
        group=groups.CHECK_DETAILS,
    ),
)
