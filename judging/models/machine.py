"""Machine judges: their settings, the units that are planned for each, and the calls to their models."""

from enum import StrEnum

from django.db import models
from django.db.models import F, Q

from judging.models.fields import choices, one_of
from judging.models.labels import LONGEST_NAME
from judging.models.participation import Participation
from judging.models.topic import PoolDocument, Topic
from judging.models.unit import Unit
from judging.protocol.words import gettext_noop as _

MOST: dict[str, float] = {"money": 1e9, "seconds": 1e9, "temperature": 2.0}
"""The largest amount of money, time and temperature that the database accepts."""


class Purpose(StrEnum):
    """What a call asks about."""

    PRACTICE = _("practice")
    QUESTION = _("question")
    DOCUMENT = _("document")


class Outcome(StrEnum):
    """How a call ended. All but the first are faults of the judge.

    A failed call has no answer, because the server did not give one. Only failed calls are sent again.
    """

    ANSWERED = _("answered")
    REFUSED = _("refused")
    UNPARSABLE = _("unparsable")
    FAILED = _("failed")


class MachineJudge(models.Model):
    """What makes a machine judge: its model, its prompt and its limits, as the judge file gave them.

    A judge meets each topic only once, like every worker. To judge all documents of a topic, it takes part
    several times. Each time is a participation and a row of its own, with the next `sitting`. The rows of one
    judge have the same `name`, and `first` is the row of the first sitting, or None in that row itself.

    The address and the key of the model are never stored.
    """

    participation = models.OneToOneField(Participation, on_delete=models.CASCADE, related_name="machine")
    first = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="later",
        help_text="The row of the first sitting; empty in that row.",
    )
    sitting = models.PositiveSmallIntegerField(default=1, db_default=1, help_text="From 1.")
    name = models.CharField(max_length=LONGEST_NAME)
    model = models.CharField(max_length=200, help_text="As the server of the model knows it.")
    prompt_name = models.CharField(max_length=60)
    prompt_version = models.CharField(max_length=20)
    prompt_text = models.TextField(help_text="The whole prompt file.")
    prompt_sha256 = models.CharField(max_length=64, help_text="SHA-256 of the prompt file.")
    temperature = models.FloatField()
    seed = models.BigIntegerField(null=True, blank=True, help_text="Sent to the model; empty: none.")
    judgments = models.PositiveSmallIntegerField(help_text="Of each document, by this judge.")
    answer_tokens = models.PositiveIntegerField(help_text="The longest answer, in tokens.")
    most_tokens = models.BigIntegerField(null=True, blank=True, help_text="Empty: no limit.")
    most_money = models.DecimalField(
        max_digits=18, decimal_places=8, null=True, blank=True, help_text="Empty: no limit."
    )
    most_seconds = models.BigIntegerField(null=True, blank=True, help_text="Empty: no limit.")
    input_price = models.DecimalField(
        max_digits=18, decimal_places=8, help_text="Of a million tokens that the model reads."
    )
    output_price = models.DecimalField(
        max_digits=18, decimal_places=8, help_text="Of a million tokens that the model writes."
    )
    family = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text="Tags of the runs that come from the same model.",
    )
    asked_at = models.DateTimeField(help_text="When somebody agreed to the cost.")
    began_at = models.DateTimeField(help_text="When this sitting began.")

    class Meta:
        ordering = ("participation",)
        constraints = [
            models.UniqueConstraint(fields=["first", "sitting"], name="machine_sitting_once_per_judge"),
            models.CheckConstraint(
                condition=Q(first__isnull=True, sitting=1) | Q(first__isnull=False, sitting__gt=1),
                name="machine_sittings_counted_from_the_first",
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(model="") & ~Q(prompt_name=""), name="machine_judge_named"
            ),
            models.CheckConstraint(
                condition=Q(prompt_sha256__regex="^[0-9a-f]{64}$"), name="machine_prompt_hashed"
            ),
            models.CheckConstraint(
                condition=Q(temperature__gte=0, temperature__lte=MOST["temperature"]),
                name="machine_temperature_in_range",
            ),
            models.CheckConstraint(
                condition=Q(judgments__gte=1, answer_tokens__gte=1), name="machine_work_at_least_one"
            ),
            models.CheckConstraint(
                condition=Q(input_price__gte=0, output_price__gte=0)
                & (Q(most_money__isnull=True) | Q(most_money__gte=0)),
                name="machine_money_not_negative",
            ),
            models.CheckConstraint(
                condition=(Q(most_tokens__isnull=True) | Q(most_tokens__gte=0))
                & (Q(most_seconds__isnull=True) | Q(most_seconds__gte=0)),
                name="machine_limits_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, sitting {self.sitting}"

    @property
    def root(self) -> "MachineJudge":
        """Return the row of the first sitting."""
        return self.first or self


class MachineUnit(models.Model):
    """A unit that is planned for one machine judge, so that each judge judges every document."""

    judge = models.ForeignKey(MachineJudge, on_delete=models.CASCADE, related_name="units")
    unit = models.OneToOneField(Unit, on_delete=models.CASCADE, related_name="machine")

    class Meta:
        ordering = ("unit",)

    def __str__(self) -> str:
        return f"unit {self.unit_id} of {self.judge_id}"


class MachineCall(models.Model):
    """A call to the model: what it was about, what the model answered, and what it cost.

    `key` is the SHA-256 of the model, the settings and the rendered messages. A call is stored before its
    answer is used, so a judge that goes on after a crash finds the answer here and does not ask again.

    A call about a pair has the document that was shown first in `document`, and the second one in `other`.
    `number` is the number in the answer, as the scale reads it.
    """

    judge = models.ForeignKey(MachineJudge, on_delete=models.CASCADE, related_name="calls")
    key = models.CharField(max_length=64)
    purpose = models.CharField(max_length=8, choices=choices(Purpose))
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    document = models.ForeignKey(
        PoolDocument, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    other = models.ForeignKey(PoolDocument, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    attempt = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="At the practice or at the unit, from 1."
    )
    asked_again = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="How often the judge was asked for the same answer before."
    )
    answer = models.TextField(blank=True)
    number = models.FloatField(null=True, blank=True)
    input_tokens = models.PositiveIntegerField(default=0, db_default=0)
    output_tokens = models.PositiveIntegerField(default=0, db_default=0)
    seconds = models.FloatField(default=0.0, db_default=0.0)
    money = models.DecimalField(max_digits=18, decimal_places=8, default=0, db_default=0)
    outcome = models.CharField(max_length=10, choices=choices(Outcome))
    fault = models.TextField(blank=True, help_text="What was wrong; empty for a usable answer.")
    at = models.DateTimeField()

    class Meta:
        ordering = ("judge", "id")
        constraints = [
            models.UniqueConstraint(fields=["judge", "key"], name="machine_call_once_per_judge"),
            one_of("purpose", Purpose, name="machine_call_purpose_known"),
            one_of("outcome", Outcome, name="machine_call_outcome_known"),
            models.CheckConstraint(condition=Q(key__regex="^[0-9a-f]{64}$"), name="machine_call_hashed"),
            models.CheckConstraint(
                condition=Q(purpose=Purpose.PRACTICE.value, topic__isnull=True)
                | (~Q(purpose=Purpose.PRACTICE.value) & Q(topic__isnull=False)),
                name="machine_call_topic_by_purpose",
            ),
            models.CheckConstraint(
                condition=Q(purpose=Purpose.DOCUMENT.value, document__isnull=False)
                | (~Q(purpose=Purpose.DOCUMENT.value) & Q(document__isnull=True, other__isnull=True)),
                name="machine_call_document_by_purpose",
            ),
            models.CheckConstraint(condition=~Q(other=F("document")), name="machine_call_of_two_documents"),
            models.CheckConstraint(
                condition=Q(outcome=Outcome.ANSWERED.value, fault="")
                | (~Q(outcome=Outcome.ANSWERED.value) & ~Q(fault="")),
                name="machine_call_faulty_exactly_with_a_fault",
            ),
            models.CheckConstraint(
                condition=Q(
                    seconds__gte=0, seconds__lte=MOST["seconds"], money__gte=0, money__lte=MOST["money"]
                ),
                name="machine_call_cost_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id}: {self.purpose} ({self.outcome})"
