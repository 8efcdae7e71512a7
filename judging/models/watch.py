"""A study's thresholds for notices, and the latest statistics of the study's workers."""

from django.db import models
from django.db.models import Q

from judging.models.participation import Participation
from judging.models.study import Study
from judging.protocol.checks import CHECKS
from judging.protocol.checks.check import Check
from judging.protocol.magnitude import LARGEST

FAILED_UNITS = "failed_units"
"""The name of the threshold for units that failed any check at the end. For single checks, see `share_of`."""


def share_of(check: Check[...]) -> str:
    """Return the name of the threshold for failures of a check."""
    return f"failed_{check.letter}"


def shares() -> list[str]:
    """Return the names of the shares for which a threshold can be set."""
    return [FAILED_UNITS, *map(share_of, CHECKS.values())]


class Watch(models.Model):
    """The thresholds of a study. Plumbline does not watch a value whose threshold is empty."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="watch")
    shares = models.JSONField(
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
        help_text="Name of a share → the whole percent of it that is told of.",
    )
    spent = models.DecimalField(
        max_digits=10, decimal_places=2, null=True, blank=True, help_text="Paid and due, in the currency."
    )
    bad_anchor = models.BooleanField(default=False)
    bad_question = models.BooleanField(default=False)
    reported = models.BooleanField(default=False, db_default=False)
    flagged_worker = models.BooleanField(default=False)
    webhook_url = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        verbose_name_plural = "watches"
        constraints = [
            models.CheckConstraint(
                condition=Q(spent__isnull=True) | Q(spent__gt=0), name="watch_spent_is_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"watch of {self.study_id}"


BOUNDS = {
    "seconds": (0, 1e12),
    "range": (1, 1e201),
    "favourites": (0, 1),
    "commonest": (0, LARGEST),
    "commonest_share": (0, 1),
    "agreement": (-1, 1),
    "repeats": (0, 1),
    "failures": (0, 1e9),
}
"""The bounds of each number in `WorkerFigures`. They exclude NaN, which PostgreSQL sorts last."""


class WorkerFigures(models.Model):
    """The statistics of a worker as of `computed_at`. Unknown values are empty.

    `seconds` is the median time per document. For each unit, the largest magnitude is divided by the
    smallest, and `range` is the median of these ratios. `agreement` is a correlation. Shares are between 0
    and 1. `failures` is the number of failed checks (b) to (d) per unit started.
    """

    participation = models.OneToOneField(Participation, on_delete=models.CASCADE, related_name="figures")
    computed_at = models.DateTimeField()
    begun = models.PositiveIntegerField()
    ended = models.PositiveIntegerField(help_text="Attempts that had ended: whether there are more now.")
    completed = models.PositiveIntegerField()
    seconds = models.FloatField(null=True, help_text="Median over documents.")
    range = models.FloatField(null=True, help_text="Median over units.")
    favourites = models.FloatField(null=True, help_text="Share of magnitudes that are 5, 10, 50 or 100.")
    commonest = models.FloatField(null=True, help_text="The magnitude used most often.")
    commonest_share = models.FloatField(null=True)
    agreement = models.FloatField(null=True)
    shared = models.PositiveIntegerField(default=0, help_text="Documents that the agreement is about.")
    repeats = models.FloatField(null=True, help_text="Share of justifications that were used before.")
    failures = models.FloatField(null=True)
    flags = models.JSONField(default=list, help_text="Sentences: why to look at this worker.")
    flagged = models.PositiveSmallIntegerField(default=0, help_text="How many flags.")

    class Meta:
        verbose_name_plural = "worker figures"
        constraints = [
            models.CheckConstraint(
                condition=Q(**{f"{field}__isnull": True})
                | Q(**{f"{field}__gte": least, f"{field}__lte": most}),
                name=f"figures_{field}_in_range",
            )
            for field, (least, most) in BOUNDS.items()
        ]

    def __str__(self) -> str:
        return f"statistics of {self.participation_id}"
