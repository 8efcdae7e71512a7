"""Reads stored reports, and counts a study's data and the changes in judgments since a report."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from evaluation.report.needs import Facts
from judging.core.selectors.arms import arms_of
from judging.core.selectors.attempts import counted_attempts, counted_attempts_in
from judging.core.selectors.kinds import counted_kinds
from judging.core.selectors.labels import has_labels
from judging.core.selectors.magnitudes import library_scale
from judging.models import Assignment, Job, JobKind, MachineJudge, PoolDocument, Report, ReportKind, Study
from judging.protocol.judges import MACHINE

WITH_LABELS: Final = (ReportKind.JUDGES, ReportKind.WHOLE)
"""The reports that compare labels of judges with the judgments of people."""


class Version(NamedTuple):
    """Identifies the units whose judgments count.

    The fields hold the number of these units, the sum of the keys of their completed attempts, the time when
    the last unit was completed, and a checksum of the labels of judges, which is empty for a report that does
    not use them. The model `Report` has fields with the same names.
    """

    seen_units: int
    seen_sum: int
    seen_upto: datetime | None
    seen_labels: str = ""


class Changes(NamedTuple):
    """Changes in a study's judgments since a report was computed.

    `new_judgments` is the number of judgments that were added. `removed_units` is the number of units in the
    report that no longer count, minus the number of units that were excluded then but count now. It is never
    below 0. `changed` is true if different units count now. Even then, both numbers can be 0, for example if
    a researcher excludes one old unit and includes another. `labels_only` is true if nothing but the labels
    of judges changed.
    """

    new_judgments: int
    removed_units: int
    changed: bool
    labels_only: bool = False


def report_key(kind: ReportKind, parameters: Mapping[str, object]) -> str:
    """Return a key that depends on the kind and the parameters, but not on the order of the parameters."""
    text = json.dumps([kind.value, parameters], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def find_report(study: Study, kind: ReportKind, parameters: Mapping[str, object]) -> Report | None:
    """Return the stored report of this kind with these parameters, or None."""
    return Report.objects.filter(study=study, key=report_key(kind, parameters)).first()


def judgments_version(study: Study, kind: ReportKind | None = None) -> Version:
    """Return the current version of the judgments and labels that a report of this kind is computed from."""
    row = _attempts_for(study, kind).aggregate(
        units=Count("pk"), sum=Coalesce(Sum("pk"), 0), upto=Max("ended_at")
    )
    return Version(row["units"], row["sum"], row["upto"], _checksum_of_labels(study, kind))


def _attempts_for(study: Study, kind: str | None) -> QuerySet[Assignment]:
    """Return the attempts whose judgments a report uses: those of the study, or of all its arms.

    The judgments of machine judges are among them if the report uses labels.
    """
    if kind == ReportKind.ARMS:
        return counted_attempts_in(arms_of(study))
    kinds = [*counted_kinds(study), MACHINE.name] if uses_labels(study, kind) else None
    return counted_attempts(study, kinds)


def uses_labels(study: Study, kind: str | None) -> bool:
    """Return whether a report uses the labels of judges. In a sampled study, they predict gains."""
    return study.is_sampled or kind in WITH_LABELS


def _checksum_of_labels(study: Study, kind: str | None) -> str:
    """Return a checksum of the added labels and of the families of runs, or "" if a report uses none."""
    if kind == ReportKind.ARMS or not uses_labels(study, kind):
        return ""
    added = study.label_sets.order_by("pk").values_list("pk", "name", "sha256", "family")
    machines = MachineJudge.objects.filter(participation__study=study, first=None).order_by("pk")
    families = machines.exclude(family=[]).values_list("name", "family")
    found = [[*map(list, added)], [*map(list, families)]]
    return hashlib.sha256(json.dumps(found).encode()).hexdigest() if any(found) else ""


def changes_since(report: Report, study: Study) -> Changes:
    """Return how the judgments of a report have changed since it was computed. This takes one query.

    For the report that compares arms, this takes two queries, and covers the judgments of all arms. For a
    report that uses labels of judges, it takes three queries.
    """
    new = Q(ended_at__gt=report.seen_upto or datetime.min.replace(tzinfo=UTC))
    row = _attempts_for(study, report.kind).aggregate(
        units=Count("pk"),
        sum=Coalesce(Sum("pk"), 0),
        new_units=Count("pk", filter=new),
        new_judgments=Coalesce(Sum("judgment_count", filter=new), 0),
    )
    removed_units = max(0, report.seen_units + row["new_units"] - row["units"])
    has_other_units = row["sum"] != report.seen_sum
    has_other_labels = _checksum_of_labels(study, report.kind) != report.seen_labels
    return Changes(
        row["new_judgments"],
        removed_units,
        has_other_units or has_other_labels,
        labels_only=has_other_labels and not has_other_units,
    )


def last_job(study: Study, key: str) -> Job | None:
    """Return the latest job for the reports with this key."""
    jobs = Job.objects.filter(study=study, kind=JobKind.REPORT.value, parameters__key=key)
    return jobs.order_by("-pk").first()


def last_jobs(study: Study, keys: Sequence[str]) -> dict[str, Job]:
    """Return the latest job for the reports with each of these keys. This takes one query."""
    jobs = Job.objects.filter(study=study, kind=JobKind.REPORT.value, parameters__key__in=keys)
    return {job.parameters["key"]: job for job in jobs.order_by("pk")}


def study_facts(study: Study) -> Facts:
    """Return how much data a study has for reports. This takes six queries."""
    judged = counted_attempts(study).aggregate(units=Count("pk"), topics=Count("topic_id", distinct=True))
    graded = PoolDocument.objects.filter(topic__study=study).exclude(grade="").order_by().count()
    sets = tuple(study.grade_sets.order_by("place").values_list("name", flat=True))
    return Facts(
        judged["units"],
        judged["topics"],
        graded,
        study.runs.count(),
        sets,
        scale=library_scale(study),
        sampled=study.is_sampled,
        labels=has_labels(study),
    )


def can_be_pilot(study: Study) -> bool:
    """Return whether a study certainly has enough judgments for a plan. This takes two queries.

    A plan needs a document that was judged in two units and is not an anchor. There is such a document if a
    topic, without its anchors, has more judgments than documents. If judgments compare two documents, this
    holds too, because each document of a unit is first in one of its judgments.
    """
    attempts = counted_attempts(study).values_list("topic_id").annotate(Count("pk"), Sum("judgment_count"))
    pools = PoolDocument.objects.filter(topic__study=study, sampled=True).order_by().values_list("topic_id")
    sizes = pools.annotate(documents=Count("pk"), anchors=Count("pk", filter=~Q(anchor="")))
    pooled = {topic: (documents, anchors) for topic, documents, anchors in sizes}
    for topic, units, judgments in attempts:
        documents, anchors = pooled[topic]
        if judgments - anchors * units > documents - anchors:
            return True
    return False


def folder_of(report: Report) -> Path:
    """Return the folder with the files of a report."""
    return Path(settings.REPORTS_FOLDER) / report.folder
