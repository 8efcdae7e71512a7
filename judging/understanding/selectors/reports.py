"""Stored reports: finding one, how old its judgments are, and what a study has to make reports of."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Q, Sum
from django.db.models.functions import Coalesce

from judging.core.selectors.attempts import counted_attempts
from judging.models import Job, JobKind, PoolDocument, Report, ReportKind, Study


class Version(NamedTuple):
    """Which units' judgments count: how many units, the sum of their keys, the last completion.

    The names are those of a report's fields.
    """

    seen_units: int
    seen_sum: int
    seen_upto: datetime | None


class Since(NamedTuple):
    """What has changed since a report was made.

    `came` judgments are not in it; judgments of `gone` units are, and count no longer. `changed` is also true
    where both are 0 and yet other units count, as when one is left out and another taken in again.
    """

    came: int
    gone: int
    changed: bool


class Facts(NamedTuple):
    """What a study has to make reports of: `units` judged, in `topics`; `graded` documents of its pools."""

    units: int
    topics: int
    graded: int
    runs: int
    grade_sets: int


def report_key(kind: ReportKind, parameters: Mapping[str, object]) -> str:
    """The same for the same kind and parameters, in whatever order these are given."""
    told = json.dumps([kind.value, parameters], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()


def find_report(study: Study, kind: ReportKind, parameters: Mapping[str, object]) -> Report | None:
    """The stored report of these parameters; None where it was never made."""
    return Report.objects.filter(study=study, key=report_key(kind, parameters)).first()


def judgments_version(study: Study) -> Version:
    """The version of a study's judgments as of now."""
    told = counted_attempts(study).aggregate(units=Count("pk"), sum=Sum("pk"), upto=Max("ended_at"))
    return Version(told["units"], told["sum"] or 0, told["upto"])


def since(report: Report, study: Study) -> Since:
    """What has changed in a study since a report of it was made, in one query."""
    new = Q(ended_at__gt=report.seen_upto or datetime.min.replace(tzinfo=UTC))
    told = counted_attempts(study).aggregate(
        units=Count("pk"),
        sum=Coalesce(Sum("pk"), 0),
        new=Count("pk", filter=new),
        came=Coalesce(Sum("judgment_count", filter=new), 0),
    )
    gone = max(0, report.seen_units + told["new"] - told["units"])
    return Since(told["came"], gone, told["sum"] != report.seen_sum)


def last_job(study: Study, key: str) -> Job | None:
    """The job that was last asked for to make the reports of this key."""
    jobs = Job.objects.filter(study=study, kind=JobKind.REPORT.value, parameters__key=key)
    return jobs.order_by("-pk").first()


def study_facts(study: Study) -> Facts:
    """What there is to make reports of, in four queries."""
    judged = counted_attempts(study).aggregate(units=Count("pk"), topics=Count("topic_id", distinct=True))
    graded = PoolDocument.objects.filter(topic__study=study).exclude(grade="").order_by().count()
    return Facts(judged["units"], judged["topics"], graded, study.runs.count(), study.grade_sets.count())


def folder_of(report: Report) -> Path:
    """Where the files of a figure are."""
    return Path(settings.REPORTS_FOLDER) / report.folder
