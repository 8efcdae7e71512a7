"""Documents: the texts in the pools of a study."""

from django.db import models

from judging.models.fields import choices, one_of
from judging.models.study import Study
from judging.protocol.layout import Layout


class Document(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="documents")
    document_id = models.CharField(
        max_length=200, help_text="The id in the collection: text, never a number."
    )
    title = models.TextField(blank=True)
    text = models.TextField(blank=True, help_text="Empty in a study for analysis that has no texts.")
    layout = models.CharField(
        max_length=12,
        choices=choices(Layout),
        blank=True,
        default="",
        db_default="",
        help_text="Empty: the study's.",
    )

    class Meta:
        ordering = ("study", "document_id")
        constraints = [
            models.UniqueConstraint(fields=["study", "document_id"], name="document_id_once_per_study"),
            models.CheckConstraint(condition=~models.Q(document_id=""), name="document_id_not_empty"),
            one_of("layout", Layout, name="document_layout_known", empty=True),
        ]

    def __str__(self) -> str:
        return self.document_id
