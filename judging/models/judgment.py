"""Judgments: a worker's answers for the documents of a unit, whether saved, accepted or still empty."""

from django.db import models
from django.db.models import Q

from judging.models.assignment import Assignment
from judging.models.topic import PoolDocument
from judging.protocol.magnitude import LARGEST, SMALLEST


def _bounded(field: str) -> Q:
    # The bounds exclude ∞, and NaN, which PostgreSQL sorts above all numbers and SQLite stores as NULL.
    return Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": SMALLEST, f"{field}__lte": LARGEST})


class Judgment(models.Model):
    """A worker's answer for one document. An assignment has one row for each of its documents.

    The rows are created when judging begins, in the order in which the worker sees the documents.
    `raw_input` and `justification` are stored as typed, even if they are invalid. `number` is set if and
    only if `raw_input` is a valid number. It can be 0 only on some scales.

    On scales that compare pairs, `pool_document` is the document that was shown first, and `compared_with`
    the second one. Such a judgment is about both documents: `of_documents` in core/selectors finds them.

    If an attempt ends before the unit is complete, its rows are deleted: within a day if the attempt has
    lapsed, and otherwise at once.
    """

    assignment = models.ForeignKey(
        Assignment,
        on_delete=models.CASCADE,
        related_name="judgments",
        db_index=False,  # the unique constraints already index this column, and each index slows writes
    )
    pool_document = models.ForeignKey(PoolDocument, on_delete=models.PROTECT, related_name="judgments")
    compared_with = models.ForeignKey(
        PoolDocument,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="compared_judgments",
        db_index=False,  # `judgment_by_compared` holds only rows that have one
        help_text="The document that was shown second; empty on scales without pairs.",
    )
    position = models.PositiveSmallIntegerField(null=True, help_text="From 0; empty where unknown.")
    raw_input = models.TextField(blank=True)
    number = models.FloatField(null=True, blank=True)
    justification = models.TextField(blank=True)
    highlight = models.TextField(
        blank=True, default="", db_default="", help_text="The passage that decided, as typed or marked."
    )
    highlight_start = models.PositiveIntegerField(
        null=True, help_text="Its first character in the shown text, from 0; empty if it is not there."
    )
    highlight_end = models.PositiveIntegerField(null=True, help_text="The character after its last one.")
    visible_seconds = models.FloatField(
        null=True, default=0, help_text="With the page visible, as the browser says; empty where unknown."
    )
    revisions = models.PositiveIntegerField(
        null=True, default=0, help_text="Changes of an answer given before; empty where unknown."
    )
    pasted = models.FloatField(
        null=True, help_text="The share of the reason that was pasted; empty where unknown."
    )
    saved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("assignment", "position")
        indexes = [
            models.Index(
                fields=["compared_with"],
                condition=Q(compared_with__isnull=False),
                name="judgment_by_compared",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "position"], name="judgment_position_once_per_assignment"
            ),
            models.UniqueConstraint(
                fields=["assignment", "pool_document"],
                condition=Q(compared_with__isnull=True),
                name="judgment_document_once_per_assignment",
            ),
            models.UniqueConstraint(
                fields=["assignment", "pool_document", "compared_with"],
                condition=Q(compared_with__isnull=False),
                name="judgment_pair_once_per_assignment",
            ),
            models.CheckConstraint(
                condition=~Q(compared_with=models.F("pool_document")), name="judgment_compares_two_documents"
            ),
            models.CheckConstraint(
                condition=_bounded("number") | Q(number=0), name="judgment_number_bounded"
            ),
            models.CheckConstraint(
                condition=Q(visible_seconds__gte=0, visible_seconds__lte=1e9),
                name="judgment_visible_seconds_in_range",
            ),
            models.CheckConstraint(
                condition=Q(pasted__gte=0, pasted__lte=1), name="judgment_pasted_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}/{self.position}"

    @property
    def is_complete(self) -> bool:
        """Return whether the answer has both a number and a justification."""
        return self.number is not None and bool(self.justification.strip())


class Visit(models.Model):
    """A period of time in which a document was open, according to the server's clock."""

    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="visits")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="visits")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(default=0, help_text="What the visit counts: never negative, capped.")

    class Meta:
        ordering = ("assignment", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(closed_at__isnull=True),
                name="visit_one_open_per_assignment",
            ),
            models.CheckConstraint(
                condition=Q(seconds__gte=0, seconds__lte=1e9), name="visit_seconds_in_range"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}/{self.judgment_id}"
