"""Reports: stored results of an analysis, so that pages do not have to compute them."""

from enum import StrEnum

from django.db import models
from django.db.models import Q

from judging.models.fields import choices, one_of
from judging.models.study import Study


class ReportKind(StrEnum):
    """The kinds of reports.

    `normalised` covers one topic. `documents` covers one topic or, without parameters, all topics. The others
    cover all topics. `whole` is a zip with every analysis of the study. `arms` belongs to the front of a
    study with arms, and compares them. `judges` compares labels with the judgments of people.
    """

    DOCUMENTS = "documents"
    NORMALISED = "normalised"
    GRADES = "grades"
    SCORES = "scores"
    SYSTEMS = "systems"
    FIGURE = "figure"
    PLAN = "plan"
    WHOLE = "whole"
    ARMS = "arms"
    JUDGES = "judges"


WITH_FILES = (ReportKind.FIGURE.value, ReportKind.WHOLE.value)
"""The kinds of reports that have files."""


class Report(models.Model):
    """A report. A new report replaces the study's earlier report of the same kind with the same parameters.

    The fields `seen_…` identify the judgments that the report was computed from. They hold the number of
    judgments, the number of units, the sum of the keys of the completed attempts, and the time when the last
    unit was completed. `seen_labels` is a checksum of the labels of judges, or empty for a report that does
    not use them. Reports contain nothing that workers wrote.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=10, choices=choices(ReportKind))
    parameters = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=64, help_text="SHA-256 of kind and parameters.")
    content = models.JSONField(default=dict)
    folder = models.CharField(
        max_length=60, blank=True, help_text="Of the report's files, below the folder of reports."
    )
    made_at = models.DateTimeField(help_text="When its judgments were read.")
    seen_judgments = models.PositiveIntegerField()
    seen_units = models.PositiveIntegerField()
    seen_sum = models.BigIntegerField()
    seen_upto = models.DateTimeField(null=True, blank=True)
    seen_labels = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        ordering = ("-made_at", "-id")
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="report_once_per_kind_and_parameters"),
            one_of("kind", ReportKind, name="report_kind_known"),
            models.CheckConstraint(
                condition=Q(kind__in=WITH_FILES) & ~Q(folder="") | ~Q(kind__in=WITH_FILES) & Q(folder=""),
                name="report_files_exactly_of_kinds_with_files",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
