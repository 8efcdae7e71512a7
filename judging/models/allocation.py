"""Decisions about further units of an adaptive study."""

from enum import StrEnum

from django.db import models
from django.utils.translation import gettext_noop as _

from judging.models.fields import choices, one_of
from judging.models.study import Study


class Reason(StrEnum):
    """Why a study goes on or stops."""

    UNSETTLED = _("unsettled")
    SETTLED = _("settled")
    NO_ROOM = _("no-room")
    """The study has as many units as it may have."""


class AllocationDecision(models.Model):
    """A decision to plan further units, or to plan no more.

    `record` has the version of the rule, the seed, the settings, the numbers that the decision rests on, and
    the documents of the new units. `unit_numbers` has the number of each new unit within its topic, in the
    order in which `record` lists the units. Anybody can repeat the decision from `record` and the exported
    judgments and runs.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="decisions")
    number = models.PositiveSmallIntegerField(help_text="Within the study, from 1.")
    at = models.DateTimeField()
    reason = models.CharField(max_length=9, choices=choices(Reason))
    record = models.JSONField()
    unit_numbers = models.JSONField(default=list)

    class Meta:
        ordering = ("study", "number")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="decision_number_once_per_study"),
            one_of("reason", Reason, name="decision_reason_known"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="decision_number_at_least_one"),
        ]

    def __str__(self) -> str:
        return f"{self.study_id}/{self.number}"
