"""Assignments: workers' attempts at units."""

from decimal import Decimal

from django.db import models
from django.db.models import Q

from judging.models.fields import choices, one_of, values
from judging.models.participation import Participation
from judging.models.payable import Payable, decision_constraints
from judging.models.topic import Topic
from judging.models.unit import Unit
from judging.protocol.states import COMPENSATED, HOLDING, LIVE, AssignmentState

COUNTS = ("back_uses", "revisions", "failed_finishes", "failed_checks")
"""The fields that count what a worker does while judging. They are empty for imported judgments."""

OF_FAILED = ("failed_numbers", "failed_digest")
"""The fields that describe the answers at failed attempts to finish. They are deleted with the answers."""


def _count(help_text: str = "") -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(null=True, default=0, help_text=help_text)


class Assignment(Payable):
    """A worker's attempt at a unit.

    For imported attempts, `started_at` and the fields in `COUNTS` are None, because their values are unknown.
    """

    participation = models.ForeignKey(Participation, on_delete=models.CASCADE, related_name="assignments")
    unit = models.ForeignKey(Unit, on_delete=models.PROTECT, related_name="assignments")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="assignments")
    state = models.CharField(
        max_length=20, choices=choices(AssignmentState), default=AssignmentState.QUESTION.value
    )
    number = models.PositiveSmallIntegerField(help_text="Within the participation, from 1.")
    option_order = models.JSONField(help_text="Place on the page → option of the question.")
    cursor = models.PositiveSmallIntegerField(default=0, help_text="Position of the document shown, from 0.")
    serial = models.PositiveIntegerField(default=0, help_text="Counts the forms accepted; tells an old one.")
    started_at = models.DateTimeField(null=True, blank=True, help_text="Empty where it came in a file.")
    lapses_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    held_from = models.CharField(
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text="Keyed hash of study and network address, while live; empty where there is no address.",
    )
    claim = models.CharField(
        max_length=26,
        blank=True,
        default="",
        db_default="",
        help_text="Key of the browser that reserved it, if the browser only claimed the worker's id.",
    )
    reinstatements = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Since the last whole answer."
    )
    completion_code = models.CharField(max_length=14, null=True, blank=True, unique=True)
    pay = models.DecimalField(max_digits=8, decimal_places=2)
    compensation = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        default=0,
        db_default=0,
        help_text="What a cancelled unit pays, fixed when a forced closing cancelled it.",
    )
    paid_at = models.DateTimeField(
        null=True, blank=True, help_text="When its payment was handed over to the platform."
    )

    open_seconds = models.FloatField(
        null=True,
        blank=True,
        help_text="How long its documents were open; stays when the visits are deleted. Empty where unknown.",
    )
    lowest_tau = models.FloatField(
        null=True,
        blank=True,
        help_text="Kendall's τ between two attempts to finish it, the lowest; stays without the answers.",
    )

    judgments_deleted_at = models.DateTimeField(
        null=True, blank=True, help_text="After a withdrawal that asked for it: paid, but no longer counted."
    )

    judgment_count = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="Judgments of a completed attempt, for as long as they are there; of any other, 0.",
    )
    answers_kept = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Of an attempt that lapsed: its writer may still see what was typed, or go on.",
    )
    back_uses = _count("Before the first finish.")
    revisions = _count("Uses of back or the list of documents after a failed check.")
    failed_finishes = _count()
    failed_numbers = models.JSONField(
        null=True,
        blank=True,
        help_text="Of each failed finish the numbers by position, as long as the answers are there.",
    )
    failed_digest = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="Hash of the numbers, reasons and documents short of time at the last failed finish.",
    )
    failed_checks = models.JSONField(
        null=True,
        blank=True,
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        help_text="Letter of a check → finishes that failed it; without those that never failed.",
    )
    extended = models.BooleanField(
        default=False, db_default=False, help_text="The worker has asked for more time, which is given once."
    )

    class Meta:
        ordering = ("participation", "number")
        indexes = [
            models.Index(fields=["state", "lapses_at"], name="assignment_by_lapse"),
            models.Index(
                fields=["held_from", "lapses_at"],
                condition=~Q(held_from=""),
                name="assignment_by_address",
            ),
            # Every reservation queries the few attempts whose answers will be deleted after a day.
            models.Index(
                fields=["ended_at"], condition=Q(answers_kept=True), name="assignment_with_kept_answers"
            ),
            models.Index(
                fields=["participation", "state", "started_at", "ended_at"], name="assignment_by_worker"
            ),
            # Pages that count ended attempts read only this index, because it contains all columns they need.
            # An attempt enters the index only when it ends, so the index does not slow down judging.
            models.Index(
                fields=[
                    "topic",
                    "state",
                    "ended_at",
                    "judgments_deleted_at",
                    "unit",
                    "judgment_count",
                    "back_uses",
                    "failed_checks",
                    "failed_finishes",
                    "participation",
                ],
                condition=Q(ended_at__isnull=False),
                name="assignment_ended",
            ),
            models.Index(
                fields=["topic", "state", "pay", "compensation", "pay_decision", "paid_at", "participation"],
                condition=Q(ended_at__isnull=False),
                name="assignment_paid",
            ),
        ]
        constraints = [
            # Imported workers can have several units of a topic. Their attempts have no start.
            models.UniqueConstraint(
                fields=["participation", "topic"],
                condition=Q(started_at__isnull=False),
                name="assignment_topic_once_per_participation",
            ),
            models.UniqueConstraint(
                fields=["participation", "number"], name="assignment_numbered_once_per_participation"
            ),
            models.UniqueConstraint(
                fields=["participation"],
                condition=Q(state__in=values(LIVE)),
                name="assignment_one_live_per_worker",
            ),
            models.UniqueConstraint(
                fields=["unit"],
                condition=Q(state__in=values(HOLDING), judgments_deleted_at__isnull=True),
                name="assignment_one_holder_per_unit",
            ),
            one_of("state", AssignmentState, name="assignment_state_known"),
            models.CheckConstraint(
                condition=Q(state=AssignmentState.COMPLETED.value, completion_code__isnull=False)
                | (~Q(state=AssignmentState.COMPLETED.value) & Q(completion_code__isnull=True)),
                name="assignment_code_exactly_when_completed",
            ),
            models.CheckConstraint(
                condition=Q(state__in=values(LIVE), ended_at__isnull=True)
                | (~Q(state__in=values(LIVE)) & Q(ended_at__isnull=False)),
                name="assignment_ended_exactly_when_not_live",
            ),
            models.CheckConstraint(
                condition=Q(**dict.fromkeys((f"{field}__isnull" for field in (*COUNTS, "started_at")), False))
                | Q(
                    **dict.fromkeys((f"{field}__isnull" for field in (*COUNTS, "started_at")), True),
                    state=AssignmentState.COMPLETED.value,
                ),
                name="assignment_start_and_counts_known_together",
            ),
            models.CheckConstraint(condition=Q(pay__gte=0), name="assignment_pay_not_negative"),
            models.CheckConstraint(
                condition=Q(compensation=0) | Q(compensation__gt=0, state__in=values(COMPENSATED)),
                name="assignment_compensation_only_when_ended_unpaid",
            ),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True)
                | Q(state=AssignmentState.COMPLETED.value)
                | Q(compensation__gt=0),
                name="assignment_paid_only_when_something_is_due",
            ),
            *decision_constraints("assignment"),
            models.CheckConstraint(
                condition=Q(open_seconds__isnull=True) | Q(open_seconds__gte=0, open_seconds__lte=1e9),
                name="assignment_open_seconds_in_range",
            ),
            models.CheckConstraint(
                condition=Q(lowest_tau__isnull=True) | Q(lowest_tau__gte=-1, lowest_tau__lte=1),
                name="assignment_lowest_tau_in_range",
            ),
            models.CheckConstraint(
                condition=Q(judgments_deleted_at__isnull=True) | Q(state=AssignmentState.COMPLETED.value),
                name="assignment_judgments_deleted_only_when_completed",
            ),
            models.CheckConstraint(
                condition=Q(judgment_count=0) | Q(judgments_deleted_at__isnull=True),
                name="assignment_judgments_counted_only_when_there",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participation_id}/{self.number}"

    @property
    def live(self) -> bool:
        return self.state in LIVE

    @property
    def began_judging(self) -> bool:
        """Return whether the worker answered the question correctly and got documents to judge."""
        return self.serial > 0

    def forget_failed(self) -> None:
        """Empty the fields in `OF_FAILED`, without saving."""
        self.failed_numbers, self.failed_digest = None, ""

    @property
    def amount(self) -> Decimal:
        """Return the pay for a completed attempt, or the compensation for an attempt that ended otherwise."""
        return self.pay if self.state == AssignmentState.COMPLETED else self.compensation
