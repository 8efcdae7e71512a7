"""Topics, their comprehension questions, and their pools of documents to judge."""

from django.db import models
from django.db.models import Q

from judging.models.document import Document
from judging.models.fields import level_field, level_known
from judging.models.sample import SampleDraw
from judging.models.study import Study
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.checks.comprehension import OPTIONS


class Topic(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="topics")
    number = models.CharField(max_length=100)
    title = models.CharField(max_length=500)
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    anchor_reason = models.TextField(
        blank=True,
        default="",
        db_default="",
        help_text="Why its anchors were named, where the known grades disagree.",
    )
    named_h = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="In a set-up; empty: H is drawn."
    )
    named_n = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="In a set-up; empty: N is drawn."
    )
    named_h2 = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="In a set-up; empty: H2 is drawn."
    )
    named_n2 = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="In a set-up; empty: N2 is drawn."
    )
    place = models.PositiveIntegerField(help_text="The order of the topics in the study file, from 0.")
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("study", "place")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="topic_number_once_per_study"),
            models.CheckConstraint(condition=~Q(number=""), name="topic_number_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def named(self) -> dict[Anchor, str]:
        """Return the documents that were chosen as anchors in a set-up. All other anchors are drawn."""
        named = {anchor: getattr(self, named_field(anchor)) for anchor in Anchor}
        return {anchor: document for anchor, document in named.items() if document}


def named_field(anchor: Anchor) -> str:
    """Return the field of a topic that stores the document chosen as this anchor."""
    return f"named_{anchor.value.lower()}"


class Question(models.Model):
    """The comprehension question of a topic. It has four options, and one of them is right.

    During the set-up of a study, options can be empty and the right option can be unknown.
    """

    topic = models.OneToOneField(Topic, on_delete=models.CASCADE, related_name="question")
    text = models.TextField()
    options = models.JSONField(help_text="Four texts, in the order of the study file.")
    right_option = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The place of the right option, from 0."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(right_option__lt=OPTIONS), name="question_right_option_is_an_option"
            )
        ]

    def __str__(self) -> str:
        return self.text


class PoolDocument(models.Model):
    """A document in the pool of a topic. `anchor` is an `Anchor`, or empty for most documents.

    Only sampled documents are judged. `inclusion` is the chance with which the document was sampled. Without
    a sample, all documents count as sampled, with the chance 1.
    """

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="pool")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="pools")
    grade = level_field("Its level in the first set of known grades.", blank=True)
    anchor = models.CharField(
        max_length=2, choices=[(anchor.value, anchor.value) for anchor in Anchor], blank=True
    )
    inclusion = models.FloatField(
        default=1.0, db_default=1.0, help_text="Its chance to be sampled, above 0 and up to 1."
    )
    sampled = models.BooleanField(
        default=True, db_default=True, help_text="Only sampled documents are judged."
    )
    draw = models.ForeignKey(
        SampleDraw,
        null=True,
        blank=True,
        on_delete=models.RESTRICT,  # so that deleting a study still deletes both
        related_name="documents",
        help_text="That gave it its chance; empty without one, and in a topic that replaces another.",
    )

    class Meta:
        ordering = ("topic", "document__document_id")
        constraints = [
            models.UniqueConstraint(fields=["topic", "document"], name="pool_document_once_per_topic"),
            models.UniqueConstraint(
                fields=["topic", "anchor"],
                condition=~Q(anchor=""),
                name="pool_one_anchor_of_a_kind_per_topic",
            ),
            level_known("grade", name="pool_grade_known", empty=True),
            models.CheckConstraint(
                condition=Q(anchor__in=["", *(anchor.value for anchor in Anchor)]), name="pool_anchor_known"
            ),
            models.CheckConstraint(
                condition=Q(inclusion__gt=0, inclusion__lte=1), name="pool_inclusion_is_a_chance"
            ),
            models.CheckConstraint(
                condition=Q(sampled=True) | Q(inclusion__lt=1, anchor=""),
                name="pool_sampled_if_certain_or_an_anchor",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic_id}/{self.document_id}"
