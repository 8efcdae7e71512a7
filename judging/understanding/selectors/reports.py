"""Reads stored reports, the changes in judgments since a report, and how much data a study has."""

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
from judging.protocol.settings import Scale


class Version(NamedTuple):
    """Identifies the units whose judgments count.

    The fields hold the number of these units, the sum of their keys, and the time when the last unit was
    completed. The model `Report` has fields with the same names.
    """

    seen_units: int
    seen_sum: int
    seen_upto: datetime | None


class Changes(NamedTuple):
    """Changes in a study's judgments since a report was computed.

    `new_judgments` is the number of judgments that were added. `removed_units` is the number of units in the
    report whose judgments no longer count. `changed` is true if different units count now. Even then, both
    numbers can be 0, for example if a researcher excludes one old unit and includes another.
    """

    new_judgments: int
    removed_units: int
    changed: bool


class Facts(NamedTuple):
    """How much data a study has for reports.

    `units` is the number of judged units, and `topics` the number of topics with such units. `graded` is the
    number of pooled documents that have a known grade. `grade_sets` has the names of the sets of known
    grades, in the order of the study. `can_be_pilot` says whether a plan can be computed from the magnitudes:
    in one topic, there are more of them than documents, so a document besides the anchors has two.
    """

    units: int
    topics: int
    graded: int
    runs: int
    grade_sets: tuple[str, ...]
    can_be_pilot: bool


def report_key(kind: ReportKind, parameters: Mapping[str, object]) -> str:
    """Return a key that depends on the kind and the parameters, but not on the order of the parameters."""
    text = json.dumps([kind.value, parameters], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def find_report(study: Study, kind: ReportKind, parameters: Mapping[str, object]) -> Report | None:
    """Return the stored report of this kind with these parameters, or None."""
    return Report.objects.filter(study=study, key=report_key(kind, parameters)).first()


def judgments_version(study: Study) -> Version:
    """Return the current version of a study's judgments."""
    row = counted_attempts(study).aggregate(units=Count("pk"), sum=Sum("pk"), upto=Max("ended_at"))
    return Version(row["units"], row["sum"] or 0, row["upto"])


def changes_since(report: Report, study: Study) -> Changes:
    """Return how the study's judgments have changed since the report was computed. This takes one query."""
    new = Q(ended_at__gt=report.seen_upto or datetime.min.replace(tzinfo=UTC))
    row = counted_attempts(study).aggregate(
        units=Count("pk"),
        sum=Coalesce(Sum("pk"), 0),
        new_units=Count("pk", filter=new),
        new_judgments=Coalesce(Sum("judgment_count", filter=new), 0),
    )
    removed_units = max(0, report.seen_units + row["new_units"] - row["units"])
    return Changes(row["new_judgments"], removed_units, row["sum"] != report.seen_sum)


def last_job(study: Study, key: str) -> Job | None:
    """Return the latest job for the reports with this key."""
    jobs = Job.objects.filter(study=study, kind=JobKind.REPORT.value, parameters__key=key)
    return jobs.order_by("-pk").first()


def study_facts(study: Study) -> Facts:
    """Return how much data a study has for reports. This takes four queries."""
    attempts = counted_attempts(study).values_list("topic_id").annotate(Count("pk"), Sum("judgment_count"))
    pools = PoolDocument.objects.filter(topic__study=study).order_by().values_list("topic_id")
    counted = pools.annotate(
        documents=Count("pk"),
        anchors=Count("pk", filter=~Q(anchor="")),
        with_grade=Count("pk", filter=~Q(grade="")),
    )
    judged = {topic: (units, judgments) for topic, units, judgments in attempts}
    graded, repeats = 0, False
    for topic, documents, anchors, with_grade in counted:
        graded += with_grade
        units, judgments = judged.get(topic, (0, 0))
        repeats = repeats or judgments - anchors * units > documents - anchors
    sets = tuple(study.grade_sets.order_by("place").values_list("name", flat=True))
    return Facts(
        sum(units for units, _ in judged.values()),
        len(judged),
        graded,
        study.runs.count(),
        sets,
        repeats and Scale(study.scale) is Scale.MAGNITUDE,
    )


def folder_of(report: Report) -> Path:
    """Return the folder with the files of a report."""
    return Path(settings.REPORTS_FOLDER) / report.folder
