"""The runs of a study: rankings by retrieval systems, with one row per run and topic."""

from django.db import models

from judging.models.study import Study
from judging.models.topic import Topic


class Run(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="runs")
    tag = models.CharField(max_length=200)

    class Meta:
        ordering = ("study", "tag")
        constraints = [models.UniqueConstraint(fields=["study", "tag"], name="run_tag_once_per_study")]

    def __str__(self) -> str:
        return self.tag


class Ranking(models.Model):
    """The ranking of a run for a topic. The documents are in the order in which the run file lists them."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="rankings")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="rankings")
    document_ids = models.JSONField()
    scores = models.JSONField()
    ranks = models.JSONField()

    class Meta:
        ordering = ("run", "topic")
        constraints = [
            models.UniqueConstraint(fields=["run", "topic"], name="ranking_once_per_run_and_topic")
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.topic_id}"
