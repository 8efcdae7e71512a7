"""The “Quality” page: failed checks by period, topic and worker, and units in which a worker went back."""

from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study
from judging.core.pages.page_table import Column, Table, tagged
from judging.core.published.decisions import DecisionRow, decision_rows
from judging.core.published.units import UnitRow
from judging.core.selectors.adaptive import adaptation_of, attempts_at
from judging.core.selectors.attempts import failures
from judging.core.selectors.kinds import workers_of
from judging.core.selectors.ordering import place_of_topic
from judging.limits import UNITS_PER_PAGE
from judging.models import Reason, Study
from judging.protocol import bad_anchor, bad_question
from judging.protocol.checks import CHECKS, anchors, comprehension, unit_checks
from judging.protocol.reported import FAULTS
from judging.protocol.states import AssignmentState
from judging.protocol.words import gettext_noop
from judging.watching.pages.cells import worker_link
from judging.watching.pages.progress_charts import checks_chart, decisions_chart, period_of
from judging.watching.selectors.live import activity
from judging.watching.selectors.periods import DAY, HOUR, PERIODS
from judging.watching.selectors.quality import back_rows, failures_over_time, used_back
from judging.watching.selectors.reported import Reported, reported_documents
from judging.watching.selectors.same_browser import same_browsers
from judging.watching.selectors.topic_quality import TopicQuality, topic_quality
from judging.watching.selectors.worker_list import ListedWorker, failures_of, listed_workers

MOST_WORKERS: Final = 10
MOST_SHARED: Final = 10
_RESULTS: Final = {
    Reason.UNSETTLED: gettext_noop("more units"),
    Reason.SETTLED: gettext_noop("settled"),
    Reason.NO_ROOM: gettext_noop("as many units as allowed"),
}


def _failed(row: ListedWorker, *, letter: str) -> int:
    return row.failures.get(letter, 0)


def _failed_units(topic: TopicQuality, *, letter: str) -> int:
    return topic.failed[letter]


def _failed_finishes(unit: UnitRow, *, place: int) -> int | None:
    return unit.failed[place]


_OTHER_CHECKS: Final = [check for check in unit_checks() if check is not anchors.CHECK]
"""The checks at the end of a unit, except the anchor check.

Each of them has one column in the table of topics. The column counts the units that failed the check.
"""


def _topic_columns() -> list[Column[TopicQuality]]:
    question, pair = _(comprehension.CHECK.heading), _(anchors.CHECK.heading)
    return [
        Column(
            "topic",
            _("Topic"),
            lambda topic: tagged(
                str(topic.topic),
                _("retired") if topic.topic.retired_at else "",
                _("bad anchors?") if topic.bad_anchor else "",
                _("bad question?") if topic.bad_question else "",
            ),
            by=lambda topic: topic.topic.number,
        ),
        Column("h", _("H"), lambda topic: topic.h_id, above=_("Anchors"), css="id"),
        Column("n", _("N"), lambda topic: topic.n_id, above=_("Anchors"), css="id"),
        Column("-answered", _("Workers"), lambda topic: topic.question.workers, above=question),
        Column("-wrong", _("Wrong"), lambda topic: topic.question.wrong, above=question, muted=True),
        Column(
            "-wrong-share",
            _("Share"),
            lambda topic: f"{topic.question.percent} %",
            by=lambda topic: topic.question.share,
            above=question,
        ),
        Column("-finished", _("Workers"), lambda topic: topic.pair.workers, above=pair),
        Column("-failed", _("Failed"), lambda topic: topic.pair.failed, above=pair, muted=True),
        Column(
            "-failed-share",
            _("Share"),
            lambda topic: f"{topic.pair.percent} %",
            by=lambda topic: topic.pair.share,
            above=pair,
        ),
        Column("-inverted", _("Inverted"), lambda topic: topic.pair.inverted, above=pair, muted=True),
        Column("-tied", _("Tied"), lambda topic: topic.pair.tied, above=pair, muted=True),
        *(
            Column(
                f"-{check.letter}",
                _("({check}) failed").format(check=check.letter),
                partial(_failed_units, letter=check.letter),
                muted=True,
            )
            for check in _OTHER_CHECKS
        ),
        Column("-back", _("“Back” used"), lambda topic: topic.used_back, muted=True),
    ]


def _worker_columns(study: Study) -> list[Column[ListedWorker]]:
    return [
        Column("", _("Worker"), lambda worker: worker_link(study, worker.participation.pseudonym)),
        *(
            Column("", _(check.heading), partial(_failed, letter=check.letter), muted=True)
            for check in CHECKS.values()
        ),
        Column("", _("Units completed"), lambda worker: worker.units.get(AssignmentState.COMPLETED, 0)),
    ]


def _back_columns(study: Study) -> list[Column[UnitRow]]:
    return [
        Column(
            "unit",
            _("Unit"),
            lambda unit: unit.unit_id,
            order=[partial(place_of_topic, study), "unit__number"],
        ),
        Column(
            "worker",
            _("Worker"),
            lambda unit: worker_link(study, unit.worker_id),
            css="text",
            order=["participation__pseudonym"],
        ),
        Column("-back", _("“Back” used"), lambda unit: unit.back, order=["back_uses"]),
        Column("-revisions", _("Revisions"), lambda unit: unit.revisions, muted=True, order=["revisions"]),
        *(
            Column(
                f"-{check.letter}",
                _("({check}) failed").format(check=check.letter),
                partial(_failed_finishes, place=place),
                muted=True,
                order=[failures(check.letter)],
            )
            for place, check in enumerate(unit_checks())
        ),
        Column("-ended", _("Completed (UTC)"), lambda unit: unit.ended_at, order=["ended_at"]),
    ]


def _decision_columns() -> list[Column[DecisionRow]]:
    return [
        Column("", _("Decision"), lambda row: row.decision),
        Column("", _("Made (UTC)"), lambda row: row.decided_at),
        Column("", _("Result"), lambda row: _(_RESULTS[Reason(row.reason)])),
        Column("", _("Expected τ"), lambda row: number_format(row.expected_tau, 3)),
        Column("", _("Expected overlap of top sets"), lambda row: number_format(row.expected_overlap, 3)),
        Column("", _("Judgments so far"), lambda row: row.judgments),
        Column("", _("New units"), lambda row: row.units_planned),
    ]


@require_safe
@console_page
def quality(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    moment = now()
    recent = activity(study, now=moment)
    usual = period_of(recent)
    requested = request.GET.get("by", usual)
    by, by_fault = requested, ""
    if requested not in PERIODS:
        by = usual
        by_fault = _("Unknown period “{period}”. Choose hour or day.").format(period=requested[:20])
    topics = topic_quality(study)
    workers = workers_of(study).order_by(failures_of().desc(), "pseudonym")
    tables = {
        "topics": Table(
            request, _topic_columns(), heading="topics", key="topics", of=_("topics"), sort="topic"
        ).at_hand(topics),
        "workers": Table(
            request,
            _worker_columns(study),
            heading="failing",
            of=_("workers"),
            css="numbers workers",
            per_page=0,
            note=_("The table shows at most {count} workers.").format(count=MOST_WORKERS),
        ).at_hand([worker for worker in listed_workers(workers[:MOST_WORKERS]) if worker.failures]),
        "back": Table(
            request,
            _back_columns(study),
            heading="back",
            key="back",
            of=_("units in which the worker went back"),
            sort="-back",
            css="numbers workers",
            per_page=UNITS_PER_PAGE,
            note=_(
                "The table shows completed units in which the worker went back before the first attempt to "
                "finish."
            ),
        ).stored(
            used_back(study),
            back_rows,
            ties=["-ended_at", "pk"],
            count=sum(topic.used_back for topic in topics),
        ),
    }
    decisions = list(decision_rows(study)) if study.is_adaptive else []
    if study.is_adaptive:
        tables["decisions"] = Table(
            request,
            _decision_columns(),
            heading="decisions",
            of=_("decisions"),
            per_page=0,
            note=_("The exports include all decisions, each with its seed and evidence."),
        ).at_hand(decisions)
    shared, shared_count = same_browsers(study, most=MOST_SHARED)
    context = {
        "study": study,
        "now": moment,
        "manages": access.may_manage(request.user, study),
        "decisions_chart": decisions_chart(study, decisions) if len(decisions) > 1 else None,
        "attempts": attempts_at(study, adaptation_of(study)),
        "by": by,
        "chart": checks_chart(by, failures_over_time(study, recent, by=by)),
        **tables,
        "period_names": [(HOUR, _("hour")), (DAY, _("day"))],
        "by_fault": by_fault,
        "suspects": [topic for topic in topics if topic.bad_anchor or topic.bad_question],
        "reported": reported_in_words(study),
        "shared": shared,
        "shared_count": shared_count,
        "rules": {"anchor": bad_anchor.RULE, "question": bad_question.RULE},
    }
    status = max(400 if by_fault else 200, *(table.status for table in tables.values()))
    return render(request, "watching/quality.html", context, status=status)


def reported_in_words(study: Study) -> list[tuple[Reported, list[tuple[str, int]]]]:
    """Return the documents that workers reported, each with its faults.

    Each fault is a pair: the fault in words, and the number of workers who reported it.
    """
    return [
        (document, [(_(FAULTS[fault]), count) for fault, count in document.faults.items()])
        for document in reported_documents(study)
    ]
