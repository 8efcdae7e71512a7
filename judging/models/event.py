"""Events: what went wrong, when and where, for monitoring. They contain no magnitudes and no typed text."""

from typing import Final, Self

from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from judging.models.assignment import Assignment
from judging.models.participation import Participation
from judging.models.study import Study
from judging.models.topic import PoolDocument, Topic
from judging.models.unit import Unit
from judging.protocol.checks import CHECKS, anchors, letter_of_event
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.reported import Fault
from judging.protocol.words import WordedEnum
from judging.protocol.words import gettext_noop as _


class EventKind(WordedEnum):
    """The kinds of events, except those for failed checks. Each check declares its own kind of event.

    `label` is the name of a kind in the console, and `words` its name in Django's admin.
    """

    label: str

    def __new__(cls, value: str, words: str, label: str) -> Self:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.words = words
        kind.label = label
        return kind

    ORDER_INVERTED = "order_inverted", _("order inverted"), _("Order of the numbers reversed")
    CHECKS_FAILED = "checks_failed", _("checks failed"), _("Too many failed checks")
    LAPSED = "lapsed", _("lapsed"), _("Attempt expired")
    REINSTATED = "reinstated", _("reinstated"), _("Attempt continued after it expired")
    EXTENDED = "extended", _("extended"), _("Time extended")
    REASON_ASKED = "reason_asked", _("reason asked"), _("Better reason requested")
    RETURNED = "returned", _("returned"), _("Unit returned")
    RETURNED_LATE = "returned_late", _("returned late"), _("Unit returned late")
    CANCELLED = "cancelled", _("cancelled"), _("Attempt cancelled")
    REPORTED = "reported", _("reported"), _("Document reported")
    SCREENED_OUT = "screened_out", _("screened out"), _("Worker screened out")
    BLOCKED = "blocked", _("blocked"), _("Worker blocked")
    WITHDRAWN = "withdrawn", _("withdrawn"), _("Worker withdrew")
    SAME_BROWSER = "same_browser", _("same browser"), _("Another worker in the same browser")
    GATED = "gated", _("gated"), _("Record looks like guessing")


def event_kinds() -> list[str]:
    """Return all kinds of events, starting with the kinds for failed checks."""
    return [*letter_of_event(), *(kind.value for kind in EventKind)]


def kind_choices() -> list[tuple[str, Promise]]:
    """Return the kinds with their words. Installed packages can add kinds, so migrations do not list them."""
    words = {check.event: check.event_words for check in CHECKS.values()}
    words |= {kind.value: kind.words for kind in EventKind}
    return [(kind, gettext_lazy(words[kind])) for kind in event_kinds()]


def check_of_kind(kind: str) -> str:
    """Return the letter of the check that a kind of event belongs to, or an empty string."""
    return (letter_of_event() | {EventKind.ORDER_INVERTED.value: anchors.CHECK.letter}).get(kind, "")


class Event(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    participation = models.ForeignKey(
        Participation,
        on_delete=models.CASCADE,
        related_name="events",
        db_index=False,  # the index event_by_worker starts with this column
    )
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.CASCADE, related_name="events")
    unit = models.ForeignKey(Unit, null=True, blank=True, on_delete=models.CASCADE, related_name="events")
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.CASCADE, related_name="events"
    )
    kind = models.CharField(max_length=20, choices=kind_choices)
    check_name = models.CharField(max_length=1, blank=True, help_text="The check a–d, where it is one.")
    at = models.DateTimeField()
    attempt = models.PositiveIntegerField(null=True, blank=True)
    option = models.PositiveSmallIntegerField(null=True, blank=True, help_text="(b): the option chosen.")
    anchors = models.CharField(max_length=20, blank=True, help_text="(c): tied or inverted, for each pair.")
    tau = models.FloatField(
        null=True,
        blank=True,
        help_text="(c): Kendall's τ with the try before; if inverted, the lowest with an earlier try.",
    )
    short = models.PositiveSmallIntegerField(null=True, blank=True, help_text="(d): documents short of time.")
    facts = models.JSONField(
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
        help_text="Of checks from installed packages: the facts without a column, by name.",
    )
    document = models.ForeignKey(
        PoolDocument,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="events",
        help_text="What a worker could not judge.",
    )
    fault = models.CharField(
        max_length=8,
        choices=[(fault.value, fault.value) for fault in Fault],
        blank=True,
        help_text="Why a worker could not judge the document.",
    )

    class Meta:
        ordering = ("study", "id")
        indexes = [
            models.Index(fields=["study", "kind", "at"], name="event_by_study_kind_time"),
            models.Index(fields=["study", "at", "id"], name="event_by_study_time"),
            models.Index(fields=["participation", "kind", "at"], name="event_by_worker"),
            models.Index(
                fields=["study", "topic", "kind", "anchors", "option", "check_name", "participation"],
                name="event_counted",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=~Q(kind=""), name="event_kind_not_empty"),
            models.CheckConstraint(
                condition=Q(anchors__in=["", *anchors.FAILURES]), name="event_anchors_known"
            ),
            models.CheckConstraint(
                condition=Q(tau__isnull=True) | Q(tau__gte=-1, tau__lte=1), name="event_tau_in_range"
            ),
            models.CheckConstraint(
                condition=Q(fault="", document__isnull=True)
                | Q(fault__in=[fault.value for fault in Fault], document__isnull=False),
                name="event_fault_of_a_document",
            ),
            models.CheckConstraint(
                condition=Q(option__isnull=True) | Q(option__lt=OPTIONS), name="event_option_is_an_option"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}"


def path_of_fact(name: str) -> str:
    """Return the path with which queries find a fact of a check: its column, or its key in `facts`."""
    return name if name in _COLUMNS else f"{IN_FACTS}{name}"


IN_FACTS: Final = "facts__"
_COLUMNS: Final = {name for field in Event._meta.concrete_fields for name in (field.name, field.attname)}
