"""Units: documents of one topic that one worker judges for pay. Every unit also contains the anchors."""

from django.db import models

from judging.models.fields import choices, judge_kind_field, one_of
from judging.models.topic import PoolDocument, Topic
from judging.protocol.states import UnitState


class Unit(models.Model):
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="units")
    number = models.PositiveIntegerField(help_text="Within the topic, from 1, in the order of the plan.")
    state = models.CharField(max_length=8, choices=choices(UnitState), default=UnitState.OPEN.value)
    kind = judge_kind_field("Of the judges that can reserve it.")
    documents = models.ManyToManyField(PoolDocument, through="UnitDocument", related_name="units")
    copy_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="copies"
    )
    excluded_at = models.DateTimeField(null=True, blank=True)
    exclusion_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("topic", "number")
        indexes = [
            models.Index(fields=["topic", "kind", "state", "excluded_at"], name="unit_by_topic_kind_state"),
            models.Index(
                fields=["topic"], condition=models.Q(excluded_at__isnull=False), name="unit_excluded"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["topic", "number"], name="unit_number_once_per_topic"),
            one_of("state", UnitState, name="unit_state_known"),
            models.CheckConstraint(condition=~models.Q(kind=""), name="unit_kind_set"),
            models.CheckConstraint(
                condition=models.Q(excluded_at__isnull=True) | models.Q(state=UnitState.DONE.value),
                name="unit_excluded_only_when_done",
            ),
            models.CheckConstraint(
                condition=models.Q(excluded_at__isnull=True, exclusion_reason="")
                | (models.Q(excluded_at__isnull=False) & ~models.Q(exclusion_reason="")),
                name="unit_excluded_exactly_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic_id}/{self.number}"


class UnitDocument(models.Model):
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="unit_documents")
    pool_document = models.ForeignKey(PoolDocument, on_delete=models.PROTECT, related_name="unit_documents")

    class Meta:
        ordering = ("unit", "id")
        constraints = [
            models.UniqueConstraint(fields=["unit", "pool_document"], name="unit_document_once_per_unit")
        ]

    def __str__(self) -> str:
        return f"{self.unit_id}/{self.pool_document_id}"
