"""Researchers' verdicts on documents whose judgments disagree with a known grade."""

from django.conf import settings
from django.db import models

from judging.models.fields import choices, one_of
from judging.models.grade import GradeSet
from judging.models.topic import PoolDocument
from judging.protocol.verdicts import Verdict


class DisagreementVerdict(models.Model):
    """A verdict on one document of a pool and its grade in one set of known grades.

    `decided_by` is None for the command line, for an imported study, and after the account is deleted.
    """

    pool_document = models.ForeignKey(PoolDocument, on_delete=models.CASCADE, related_name="verdicts")
    grade_set = models.ForeignKey(GradeSet, on_delete=models.CASCADE, related_name="verdicts")
    verdict = models.CharField(max_length=20, choices=choices(Verdict))
    note = models.TextField(blank=True, help_text="Published with the data.")
    decided_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("pool_document", "grade_set")
        constraints = [
            models.UniqueConstraint(
                fields=["pool_document", "grade_set"], name="verdict_once_per_document_and_set"
            ),
            one_of("verdict", Verdict, name="verdict_known"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_document_id}/{self.grade_set_id}: {self.verdict}"
