"""Known grades: earlier judgments by others. A study can have several sets, each with a unique name."""

from django.db import models

from judging.models.fields import level_field, level_known
from judging.models.study import Study
from judging.models.topic import Topic


class GradeSet(models.Model):
    """A set of known grades.

    Plumbline uses only the first set (`place` 0) to grade the pool and to draw anchors.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="grade_sets")
    name = models.SlugField(max_length=60, help_text="The column that bears these grades in an export.")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("study", "place")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="grade_set_name_once_per_study"),
            models.UniqueConstraint(fields=["study", "place"], name="grade_set_place_once_per_study"),
        ]

    def __str__(self) -> str:
        return self.name


class KnownGrade(models.Model):
    """The grade of a document, which can be outside the pool.

    The recall base contains all documents with a grade, including those outside the pool.
    """

    grade_set = models.ForeignKey(GradeSet, on_delete=models.CASCADE, related_name="grades")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="known_grades")
    document_id = models.CharField(max_length=200, help_text="The id in the collection.")
    value = models.CharField(max_length=20, help_text="As the file gives it.")
    level = level_field("N, M, R or H, or a number in a set with levels of its own.")

    class Meta:
        ordering = ("grade_set", "topic", "document_id")
        constraints = [
            models.UniqueConstraint(
                fields=["grade_set", "topic", "document_id"], name="known_grade_once_per_set"
            ),
            level_known("level", name="known_grade_level_known"),
        ]

    def __str__(self) -> str:
        return f"{self.document_id}: {self.value}"
