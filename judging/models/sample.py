"""Draws of documents to judge: a sample of the pools in which each document has a known chance."""

from django.db import models

from judging.models.fields import choices, one_of
from judging.models.study import Study
from judging.protocol.settings.sampling import DESIGNS


class SampleDraw(models.Model):
    """A draw from the documents that were new to the pools of a study, with its settings.

    The first draw is from all documents. Each further draw is from the documents that later runs or topics
    added. Earlier draws stay as they are. The chances that a draw gave, and the documents that it sampled,
    are in `PoolDocument`. Anybody can repeat the draw from these settings and the runs.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField(help_text="Within the study, from 1.")
    at = models.DateTimeField()
    design = models.CharField(max_length=10, choices=choices(DESIGNS))
    budget = models.PositiveIntegerField(help_text="How many documents to sample, including anchors.")
    seed = models.BigIntegerField()
    measure = models.CharField(max_length=100, help_text="The measure that the chances depend on.")
    depth = models.PositiveIntegerField(help_text="The depth of the pools.")

    class Meta:
        ordering = ("study", "number")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="draw_number_once_per_study"),
            one_of("design", DESIGNS, name="draw_design_known"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1, budget__gte=1, depth__gte=1, seed__gte=0),
                name="draw_numbers_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}/{self.number}"
