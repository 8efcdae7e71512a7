"""Labels that were made elsewhere, such as by a language model, to compare with the judgments of people."""

from django.db import models
from django.db.models import Q

from judging.models.study import Study
from judging.models.topic import Topic

LONGEST_NAME = 60
"""The most characters in the name of a judge."""


class LabelSet(models.Model):
    """The labels of one judge, on any scale. Unlike known grades, they grade no pool and draw no anchor.

    `family` has the tags of the runs that come from the same model as the labels.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="label_sets")
    name = models.CharField(max_length=LONGEST_NAME)
    file = models.CharField(max_length=200, help_text="The name of the file.")
    sha256 = models.CharField(max_length=64, help_text="SHA-256 of the file.")
    family = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    added_at = models.DateTimeField()

    class Meta:
        ordering = ("study", "name")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="label_set_name_once_per_study"),
            models.CheckConstraint(condition=~Q(name=""), name="label_set_named"),
            models.CheckConstraint(condition=Q(sha256__regex="^[0-9a-f]{64}$"), name="label_set_hashed"),
        ]

    def __str__(self) -> str:
        return self.name


class TopicLabels(models.Model):
    """The labels of the documents of one topic, in the order of the ids of the documents."""

    label_set = models.ForeignKey(LabelSet, on_delete=models.CASCADE, related_name="topics")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="labels")
    document_ids = models.JSONField()
    labels = models.JSONField()

    class Meta:
        ordering = ("label_set", "topic")
        constraints = [
            models.UniqueConstraint(fields=["label_set", "topic"], name="topic_labels_once_per_set")
        ]

    def __str__(self) -> str:
        return f"{self.label_set_id}/{self.topic_id}"
