"""Jobs: work that runs in the background. Each job is a row in the database.

A message to a worker process contains only the id of a job. A message that is lost or delivered twice does no
harm.
"""

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from judging.limits import MOST_ATTEMPTS, MOST_ATTEMPTS_TO_TELL
from judging.models.fields import choices, one_of
from judging.models.study import Study

Result = dict[str, object]
"""The result of a job: a dict of named values, stored as JSON."""


class JobKind(StrEnum):
    """The kinds of jobs.

    An `expire` job belongs to no study, and only one can be queued or running at a time. An `import` belongs
    to the study that it creates. A `notice` about a failed import belongs to no study. A `check` reads a
    set-up. A `rehearse` job creates a copy of a study, lets simulated workers judge it, and belongs to the
    copy.
    """

    EXPORT = "export"
    SCORE = "score"
    EXPIRE = "expire"
    IMPORT = "import"
    NOTICE = "notice"
    WEBHOOK = "webhook"
    STATISTICS = "figures"
    REPORT = "report"
    CHECK = "check"
    REHEARSE = "rehearse"
    ALLOCATE = "allocate"


class JobState(StrEnum):
    """The state of a job: queued, then running, then done or failed.

    If the worker process of a running job is lost, the job is queued again.
    """

    QUEUED = _("queued")
    RUNNING = _("running")
    DONE = _("done")
    FAILED = _("failed")


LIVE_JOBS = (JobState.QUEUED.value, JobState.RUNNING.value)
MESSAGE_JOBS = (JobKind.NOTICE.value, JobKind.WEBHOOK.value)
_STUDY_OR_NONE = (
    JobKind.IMPORT.value,
    JobKind.NOTICE.value,
    JobKind.CHECK.value,
    JobKind.REHEARSE.value,
)

_TITLES: Final[Mapping[str, str]] = {
    JobKind.EXPORT: _("export of {what} as {format}"),
    JobKind.SCORE: _("scores from {gains}"),
    JobKind.EXPIRE: _("clean-up of expired units"),
    JobKind.NOTICE: _("notice: {about}"),
    JobKind.WEBHOOK: _("webhook: {about}"),
    JobKind.STATISTICS: _("worker statistics"),
    JobKind.REPORT: _("report: {title}"),
    JobKind.CHECK: _("check of the set-up"),
    JobKind.REHEARSE: _("dry run of {of}"),
    JobKind.ALLOCATE: _("next units of an adaptive study"),
}
"""Maps each kind of job, except imports, to its title, with placeholders for parameters."""


class Job(models.Model):
    kind = models.CharField(max_length=10, choices=choices(JobKind))
    state = models.CharField(max_length=10, choices=choices(JobState), default=JobState.QUEUED.value)
    study = models.ForeignKey(Study, null=True, blank=True, on_delete=models.CASCADE, related_name="jobs")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Empty: the scheduler or the command line.",
    )
    parameters = models.JSONField(default=dict, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0, help_text="0: not known beforehand.")
    result = models.JSONField(default=dict, blank=True)
    error = models.CharField(max_length=500, blank=True, default="", help_text="One sentence.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Times that a worker has begun it.")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True, help_text="The last time it was begun.")
    heartbeat_at = models.DateTimeField(help_text="The last sign of life: sent to a worker, or worked at.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            one_of("kind", JobKind, name="job_kind_known"),
            one_of("state", JobState, name="job_state_known"),
            models.CheckConstraint(
                condition=Q(kind=JobKind.EXPIRE.value, study__isnull=True)
                | Q(kind__in=_STUDY_OR_NONE)
                | (~Q(kind__in=(JobKind.EXPIRE.value, *_STUDY_OR_NONE)) & Q(study__isnull=False)),
                name="job_study_by_kind",
            ),
            models.CheckConstraint(
                condition=Q(state__in=LIVE_JOBS, finished_at__isnull=True)
                | (~Q(state__in=LIVE_JOBS) & Q(finished_at__isnull=False)),
                name="job_finished_has_its_time",
            ),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING.value) | Q(started_at__isnull=False),
                name="job_running_has_begun",
            ),
            models.CheckConstraint(
                condition=Q(state=JobState.FAILED.value) & ~Q(error="")
                | ~Q(state=JobState.FAILED.value) & Q(error=""),
                name="job_failed_says_why",
            ),
            models.CheckConstraint(
                condition=Q(progress_total=0) | Q(progress_done__lte=F("progress_total")),
                name="job_progress_within_total",
            ),
            models.CheckConstraint(
                condition=Q(attempts__lte=MOST_ATTEMPTS)
                | Q(kind__in=MESSAGE_JOBS, attempts__lte=MOST_ATTEMPTS_TO_TELL),
                name="job_attempts_bounded",
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=Q(kind=JobKind.EXPIRE.value, state__in=LIVE_JOBS),
                name="job_one_expire_at_a_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["heartbeat_at"], condition=Q(state__in=LIVE_JOBS), name="job_live_by_heartbeat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def live(self) -> bool:
        """Return whether the job is queued or running."""
        return self.state in LIVE_JOBS

    @property
    def own_study(self) -> Study:
        """Return the study of the job. Use this only for kinds of jobs that always belong to a study."""
        assert self.study is not None, self
        return self.study

    @property
    def most_attempts(self) -> int:
        """Return the maximum number of times that the job can be started."""
        return MOST_ATTEMPTS_TO_TELL if self.kind in MESSAGE_JOBS else MOST_ATTEMPTS

    @property
    def title(self) -> str:
        """Return a description of the job in the active language."""
        if self.kind != JobKind.IMPORT:
            text = gettext(_TITLES[self.kind])
        elif "changes" in self.parameters:
            text = gettext("changes to {changes}")
        elif "bundle" in self.parameters:
            text = gettext("import of the bundle {slug}")
        elif self.parameters.get("update"):
            text = gettext("update from {path}")
        else:
            text = gettext("import from {path}")
        parameters = dict(self.parameters)
        if "about" in parameters:
            parameters["about"] = gettext(parameters["about"])
        return text.format_map(defaultdict(lambda: None, parameters))
