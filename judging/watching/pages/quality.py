"""Quality: failures of each check over time, by topic, pair of anchors and worker, and who went back."""

from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.tables import Column, Table, tagged
from judging.core.published.units import UnitRow
from judging.core.selectors.attempts import failures
from judging.core.selectors.ordering import place_of_topic
from judging.core.words import translated
from judging.limits import UNITS_PER_PAGE
from judging.models import Participation, Study
from judging.protocol import bad_anchor, bad_question
from judging.protocol.checks import CHECKS, anchors, comprehension, unit_checks
from judging.protocol.states import AssignmentState
from judging.watching.pages.cells import worker_link
from judging.watching.selectors.periods import HOUR
from judging.watching.selectors.quality import PERIODS, Period, back_rows, failures_over_time, used_back
from judging.watching.selectors.same_browser import same_browsers
from judging.watching.selectors.topic_quality import TopicQuality, topic_quality
from judging.watching.selectors.worker_list import ListedWorker, failures_of, listed_workers

MOST_WORKERS: Final = 10
MOST_SHARED: Final = 10


def _failed(of: Period | ListedWorker, *, letter: str) -> int:
    return of.failures.get(letter, 0)


def _failed_units(topic: TopicQuality, *, letter: str) -> int:
    return topic.failed[letter]


def _failed_finishes(unit: UnitRow, *, place: int) -> int | None:
    return unit.failed[place]


def _period_columns(by: str) -> list[Column[Period]]:
    return [
        Column(
            "-period",
            by.capitalize(),
            lambda period: f"{period.begins:%Y-%m-%d %H:%M}" if by == HOUR else f"{period.begins:%Y-%m-%d}",
            by=lambda period: period.begins,
        ),
        *(
            Column(
                f"-{check.letter}",
                check.heading,
                partial(_failed, letter=check.letter),
                muted=True,
            )
            for check in CHECKS.values()
        ),
        Column("-completed", "Units completed", lambda period: period.completed),
    ]


_OTHER_CHECKS: Final = [check for check in unit_checks() if check is not anchors.CHECK]
"""Checks at the end of a unit that have one column, with the units that failed them."""
_QUESTION: Final = comprehension.CHECK.heading
_PAIR: Final = anchors.CHECK.heading
_TOPICS: Final[list[Column[TopicQuality]]] = [
    Column(
        "topic",
        "Topic",
        lambda one: tagged(
            str(one.topic),
            "retired" if one.topic.retired_at else "",
            "bad anchor?" if one.bad_anchor else "",
            "bad question?" if one.bad_question else "",
        ),
        by=lambda one: one.topic.number,
    ),
    Column("h", "H", lambda one: one.h_id, above="Anchors", css="id"),
    Column("n", "N", lambda one: one.n_id, above="Anchors", css="id"),
    Column("-answered", "Workers", lambda one: one.question.workers, above=_QUESTION),
    Column("-wrong", "Wrong", lambda one: one.question.wrong, above=_QUESTION),
    Column(
        "-wrong-share",
        "Share",
        lambda one: f"{one.question.percent} %",
        by=lambda one: one.question.share,
        above=_QUESTION,
    ),
    Column("-finished", "Workers", lambda one: one.pair.workers, above=_PAIR),
    Column("-failed", "Failed", lambda one: one.pair.failed, above=_PAIR),
    Column(
        "-failed-share",
        "Share",
        lambda one: f"{one.pair.percent} %",
        by=lambda one: one.pair.share,
        above=_PAIR,
    ),
    Column("-inverted", "Inverted", lambda one: one.pair.inverted, above=_PAIR),
    Column("-tied", "Tied", lambda one: one.pair.tied, above=_PAIR),
    *(
        Column(f"-{check.letter}", f"({check.letter}) failed", partial(_failed_units, letter=check.letter))
        for check in _OTHER_CHECKS
    ),
    Column("-back", "Back used", lambda one: one.used_back),
]


def _worker_columns(study: Study) -> list[Column[ListedWorker]]:
    return [
        Column("", "Worker", lambda worker: worker_link(study, worker.participation.pseudonym)),
        *(
            Column("", check.heading, partial(_failed, letter=check.letter), muted=True)
            for check in CHECKS.values()
        ),
        Column("", "Units completed", lambda worker: worker.units.get(AssignmentState.COMPLETED, 0)),
    ]


def _back_columns(study: Study) -> list[Column[UnitRow]]:
    return [
        Column(
            "unit", "Unit", lambda unit: unit.unit_id, order=[partial(place_of_topic, study), "unit__number"]
        ),
        Column(
            "worker",
            "Worker",
            lambda unit: worker_link(study, unit.worker_id),
            css="text",
            order=["participation__pseudonym"],
        ),
        Column("-back", "Back used", lambda unit: unit.back, order=["back_uses"]),
        Column("-revisions", "Revisions", lambda unit: unit.revisions, order=["revisions"]),
        *(
            Column(
                f"-{check.letter}",
                f"({check.letter}) failed",
                partial(_failed_finishes, place=place),
                order=[failures(check.letter)],
            )
            for place, check in enumerate(unit_checks())
        ),
        Column("-ended", "Completed (UTC)", lambda unit: unit.ended_at, order=["ended_at"]),
    ]


@require_safe
@console_page
def quality(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    asked = request.GET.get("by", "day")
    by = asked if asked in PERIODS else "day"
    by_fault = "" if by == asked else f"Failures are counted by hour or by day, not by “{asked[:20]}”."
    topics = topic_quality(study)
    workers = Participation.objects.filter(study=study).order_by(failures_of().desc(), "pseudonym")
    tables = {
        "periods": Table(
            request,
            _period_columns(by),
            heading="time",
            key="time",
            of=f"{by}s",
            sort="-period",
            css="numbers hours",
            per_page=0,
            note=f"{by.capitalize()}s in which nothing happened left out; in UTC. A try that fails several"
            " checks counts in each",
        ).at_hand(failures_over_time(study, by=by)),
        "topics": Table(request, _TOPICS, heading="topics", key="topics", of="topics", sort="topic").at_hand(
            topics
        ),
        "workers": Table(
            request,
            _worker_columns(study),
            heading="failing",
            of="workers",
            css="numbers workers",
            per_page=0,
            note=f"At most {MOST_WORKERS}",
        ).at_hand([worker for worker in listed_workers(workers[:MOST_WORKERS]) if worker.failures]),
        "back": Table(
            request,
            _back_columns(study),
            heading="back",
            key="back",
            of="units that used back",
            sort="-back",
            css="numbers workers",
            per_page=UNITS_PER_PAGE,
            note="Completed units whose worker went back before the first finish",
        ).stored(
            used_back(study),
            back_rows,
            ties=["-ended_at", "pk"],
            count=sum(topic.used_back for topic in topics),
        ),
    }
    shared, shared_count = same_browsers(study, most=MOST_SHARED)
    context = {
        "study": study,
        "now": now(),
        "by": by,
        **tables,
        "names_of_periods": PERIODS,
        "by_fault": by_fault,
        "suspects": [one for one in topics if one.bad_anchor or one.bad_question],
        "shared": shared,
        "shared_count": shared_count,
        "rules": {"anchor": translated(bad_anchor.RULE), "question": translated(bad_question.RULE)},
    }
    status = max(400 if by_fault else 200, *(table.status for table in tables.values()))
    return render(request, "watching/quality.html", context, status=status)
