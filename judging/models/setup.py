"""The set-up of a study: its uploaded files and the depth of its pool."""

from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from judging.models.fields import choices, one_of
from judging.models.job import Job
from judging.models.study import Study
from judging.protocol.setup_files import FileKind
from judging.protocol.states import Grade


class Setup(models.Model):
    """The set-up of a study. A folder holds its uploaded files. Reading the files fills the study's pools.

    `version` counts changes. `read_version` is the last version that was read without problems. The study can
    open only when the two are the same.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="setup")
    pool_depth = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many documents of each run are pooled; empty: a list is."
    )
    version = models.PositiveIntegerField(default=0)
    read_version = models.PositiveIntegerField(null=True, blank=True)
    job = models.ForeignKey(
        Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Its last check."
    )
    changed_at = models.DateTimeField()
    topic_files = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        help_text="Name of each imported file of topics → numbers of its topics.",
    )

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"set-up of {self.study}"

    @property
    def folder(self) -> Path:
        """Return the folder with the uploaded files."""
        return Path(settings.DRAFTS_FOLDER) / f"setup-{self.pk}"

    @property
    def is_read(self) -> bool:
        """Return whether the current version was read without problems."""
        return self.read_version == self.version


class SetupFile(models.Model):
    """An uploaded file or folder of a set-up, or a collection of `ir_datasets`."""

    setup = models.ForeignKey(Setup, on_delete=models.CASCADE, related_name="files")
    kind = models.CharField(max_length=10, choices=choices(FileKind))
    path = models.CharField(
        max_length=200, help_text="In the folder of the set-up; or irds: and the id of a collection."
    )
    format = models.CharField(max_length=20, blank=True, default="")
    encoding = models.CharField(max_length=40, blank=True, default="", help_text="Empty: UTF-8.")
    name = models.CharField(max_length=60, blank=True, default="", help_text="Of grades: their column.")
    columns = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        help_text="Of a file with other columns than ours: field → name or position of its column.",
    )
    levels = models.JSONField(default=dict, blank=True, help_text="Of grades: value → grade, or drop.")
    unlisted = models.CharField(
        max_length=1, blank=True, default="", help_text="Of grades: the grade of pooled documents not listed."
    )

    class Meta:
        ordering = ("setup", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["setup", "path"], condition=~Q(path__startswith="irds:"), name="setup_file_once"
            ),
            models.UniqueConstraint(
                fields=["setup", "kind", "path"],
                condition=Q(path__startswith="irds:"),
                name="setup_dataset_once_per_kind",
            ),
            models.UniqueConstraint(
                fields=["setup", "name"], condition=~Q(name=""), name="setup_grades_name_once"
            ),
            one_of("kind", FileKind, name="setup_file_kind_known"),
            one_of("unlisted", Grade, name="setup_unlisted_grade_known", empty=True),
        ]

    def __str__(self) -> str:
        return self.path
