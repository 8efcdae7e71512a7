"""The text of a document that stands in the pool of at least one topic."""

from django.db import models

from judging.models.study import Study


class Document(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="documents")
    document_id = models.CharField(
        max_length=200, help_text="The id in the collection: text, never a number."
    )
    title = models.TextField(blank=True)
    text = models.TextField()

    class Meta:
        ordering = ("study", "document_id")
        constraints = [
            models.UniqueConstraint(fields=["study", "document_id"], name="document_id_once_per_study"),
            models.CheckConstraint(condition=~models.Q(document_id=""), name="document_id_not_empty"),
            models.CheckConstraint(condition=~models.Q(text=""), name="document_text_not_empty"),
        ]

    def __str__(self) -> str:
        return self.document_id
