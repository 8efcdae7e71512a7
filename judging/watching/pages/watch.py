"""What the overview shows of a study in progress: topics, reservations, money, checks, expected end."""

from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from django.http import HttpRequest
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from judging.core import access
from judging.core.pages.charts import Chart
from judging.core.pages.page_table import Column, ShownTable, Table, moment
from judging.core.selectors.adaptive import Adaptation, adaptation_of, attempts_at
from judging.core.selectors.judgments import unit_id
from judging.core.selectors.ordering import place_of_topic
from judging.core.selectors.payments import totals
from judging.core.selectors.units import study_takes_work
from judging.models import Assignment, Reason, Study
from judging.protocol.pace import WINDOW, Pace
from judging.protocol.settings import SETTINGS
from judging.protocol.states import StudyState
from judging.watching.pages.cells import progress_bar, topic_name, worker_link
from judging.watching.pages.progress_charts import checks_chart, money_chart, period_of, units_chart
from judging.watching.pages.quality import reported_in_words
from judging.watching.selectors.live import activity, pace, reservations
from judging.watching.selectors.progress import Progress, TopicProgress, topic_progress, total
from judging.watching.selectors.quality import failures_over_time
from judging.watching.selectors.topic_quality import failed_of, topic_quality
from judging.watching.selectors.worker_statistics import gated_workers, number_flagged

MOST_RESERVATIONS: Final = 50


class LiveTopic(NamedTuple):
    """A row of the table of topics."""

    part: TopicProgress
    lapsed: int


TOPICS: Final[list[Column[LiveTopic]]] = [
    Column("topic", _("Topic"), lambda row: topic_name(row.part.topic), by=lambda row: row.part.topic.number),
    Column(
        "-done",
        _("Done"),
        lambda row: progress_bar(row.part.topic, row.part.units),
        by=lambda row: row.part.units.percent,
    ),
    Column("-documents", _("Documents"), lambda row: row.part.documents),
    Column("-units", _("Units done"), lambda row: row.part.units.done),
    Column("-reserved", _("Reserved"), lambda row: row.part.units.reserved, muted=True),
    Column("-open", _("Open"), lambda row: row.part.units.open, muted=True),
    Column("-retired", _("Retired"), lambda row: row.part.units.retired, muted=True),
    Column("-excluded", _("Excluded"), lambda row: row.part.units.excluded, muted=True),
    Column("-lapsed", _("Lapsed"), lambda row: row.lapsed, muted=True),
    Column("-judgments", _("Judgments"), lambda row: row.part.units.judgments),
]


def _reservation_columns(study: Study, now: datetime) -> list[Column[Assignment]]:
    def lapses(attempt: Assignment) -> SafeString:
        time = moment(attempt.lapses_at)
        # The periodic job that ends overdue attempts may not have run yet.
        return format_html(gettext("overdue since {time}"), time=time) if attempt.lapses_at <= now else time

    return [
        Column(
            "unit",
            _("Unit"),
            lambda attempt: unit_id(attempt.topic.number, attempt.unit.number),
            order=[partial(place_of_topic, study), "unit__number"],
        ),
        Column(
            "worker",
            _("Worker"),
            lambda attempt: worker_link(study, attempt.participation.pseudonym),
            order=["participation__pseudonym"],
        ),
        Column("state", _("Step"), lambda attempt: gettext(attempt.get_state_display()), order=["state"]),
        Column("begun", _("Started"), lambda attempt: attempt.started_at, order=["started_at"]),
        Column("lapses", _("Lapses"), lapses, order=["lapses_at"]),
    ]


class Watched(NamedTuple):
    """What the overview shows of a study in progress.

    `context` is a template context that includes the tables, and `status` is the HTTP status that the tables
    require. `documents` is the number of pooled documents. `judged_topics` is the number of topics with
    judgments.
    """

    context: dict[str, object]
    charts: list[Chart]
    status: int
    units: Progress
    documents: int
    judged_topics: int

    @property
    def is_early(self) -> bool:
        """Return True if some units are not done yet, or if the study is adaptive and can get more units."""
        adaptation = self.context.get("adaptation")
        can_grow = isinstance(adaptation, Adaptation) and not adaptation.is_over
        return can_grow or self.units.done < self.units.wanted

    @property
    def judgments_per_document(self) -> float:
        return self.units.judgments / max(1, self.documents)


def watched(request: HttpRequest, study: Study, now: datetime) -> Watched:
    """Return what the overview of a study shows. This takes a constant number of queries."""
    quality = topic_quality(study)
    progress = topic_progress(study)
    by_topic = {topic.topic.pk: topic for topic in quality}
    topics = [LiveTopic(part, by_topic[part.topic.pk].lapsed) for part in progress]
    units = total([part.units for part in progress])
    lapsed = sum(topic.lapsed for topic in topics)
    tables = {
        "topics": Table(
            request,
            TOPICS,
            heading="topics",
            key="topics",
            of=_("topics"),
            sort="topic",
            note=_("Documents to judge, units by state, attempts that lapsed, and judgments that count."),
        ).at_hand(
            topics,
            total=(
                gettext("All"),
                f"{units.percent} %",
                sum(part.documents for part in progress),
                units.done,
                units.reserved,
                units.open,
                units.retired,
                units.excluded,
                lapsed,
                units.judgments,
            ),
        ),
    }
    context: dict[str, object] = {"total": units, "study_progress": units}
    charts: list[Chart] = []
    if not study.is_for_analysis:
        recent = activity(study, now=now)
        rate, by = pace(study, recent), period_of(recent)
        periods = failures_over_time(study, recent, by=by)
        money, adaptation = totals(study), adaptation_of(study)
        left = units.open + units.reserved
        end = rate.end(left) if rate and left and study.state == StudyState.OPEN else None
        end = end if end and end > now else None
        charts = [
            units_chart(by, periods, units, end),
            checks_chart(by, periods),
            money_chart(study, money),
        ]
        tables["reservations"] = _reservations(request, study, units, now)
        context |= {
            "now": now,
            "activity": recent,
            "adaptation": adaptation,
            "manages": access.may_manage(request.user, study),
            "attempts": attempts_at(study, adaptation),
            "expected": expected_end(study, units, rate, now, adaptation),
            "money": money,
            "suspects": [topic for topic in quality if topic.bad_anchor or topic.bad_question],
            "reported": reported_in_words(study),
            "flagged": number_flagged(study),
            "gated": gated_workers(study),
            "finished": sum(topic.pair.workers for topic in quality),
            "failed_units": sum(topic.failed_units for topic in quality),
            "failed_checks": failed_of(quality),
            "used_back": sum(topic.used_back for topic in quality),
        }
    status = max(table.status for table in tables.values())
    return Watched(
        {**context, **tables},
        charts,
        status,
        units,
        sum(part.documents for part in progress),
        sum(1 for part in progress if part.units.judgments),
    )


def _reservations(request: HttpRequest, study: Study, units: Progress, now: datetime) -> ShownTable:
    return Table(
        request,
        _reservation_columns(study, now),
        heading="reserved",
        key="reserved",
        of=_("reserved units"),
        sort="lapses",
        css="",
        per_page=0,
        note=gettext(
            "Reserved units: {count}. The table shows at most {most}. Times are in UTC. To free a "
            "unit, go to its worker’s page."
        ).format(most=MOST_RESERVATIONS, count=units.reserved),
    ).stored(
        reservations(study),
        lambda attempts: list(attempts[:MOST_RESERVATIONS]),
        ties=["lapses_at", "pk"],
        count=units.reserved,
    )


def expected_end(
    study: Study, units: Progress, pace: Pace | None, now: datetime, adaptation: Adaptation | None = None
) -> str:
    """Return a sentence that says when the last unit will probably be done, or why there is no estimate.

    For an adaptive study, the estimate is for the planned units. If further units can follow, a second
    sentence says how many.
    """
    left = units.open + units.reserved
    if not units.wanted:
        return gettext("No units are planned yet.")
    if not left:
        return _without_units(study, adaptation)
    planned = _end_of_planned(study, units, pace, now)
    if adaptation is None or not adaptation.further:
        return planned
    further = ngettext(
        "Then at most {units} further unit can follow.",
        "Then at most {units} further units can follow.",
        adaptation.further,
    )
    return format_html("{} {}", planned, further.format(units=adaptation.further))


def _without_units(study: Study, adaptation: Adaptation | None) -> str:
    """Return a sentence about a study without open or reserved units."""
    if adaptation is None or study.state == StudyState.CLOSED:
        return gettext("All units are done.")
    if adaptation.reason == Reason.SETTLED:
        return gettext("All units are done, and the ranking of the runs is settled. You can close the study.")
    if adaptation.is_over:
        return gettext(
            "The study has as many units as it can have. The ranking of the runs is not settled. To go on, "
            "raise “{label}”. Otherwise, close the study."
        ).format(label=gettext(SETTINGS["most_judgments"].label))
    if study.state != StudyState.OPEN:
        sentence = gettext(
            "All planned units are done. When the study is open again, Plumbline decides whether further "
            "units are needed. At most {units} can follow."
        )
    else:
        sentence = gettext(
            "All planned units are done. Plumbline will soon decide whether further units are needed. At "
            "most {units} can follow."
        )
    return sentence.format(units=adaptation.further)


def _end_of_planned(study: Study, units: Progress, pace: Pace | None, now: datetime) -> str:
    left = units.open + units.reserved
    if study.state != StudyState.OPEN:
        sentence = ngettext(
            "The state of the study is “{state}”. {units} unit is left.",
            "The state of the study is “{state}”. {units} units are left.",
            left,
        )
        return sentence.format(state=gettext(study.get_state_display()), units=left)
    if not study_takes_work(study, now=now):
        sentence = ngettext(
            "Workers cannot take units now because of the study’s dates. {units} unit is left.",
            "Workers cannot take units now because of the study’s dates. {units} units are left.",
            left,
        )
        return sentence.format(units=left)
    if pace is None:
        sentence = ngettext(
            "It is too early for an estimate. {units} unit is left.",
            "It is too early for an estimate. {units} units are left.",
            left,
        )
        return sentence.format(units=left)
    end = pace.end(left)
    if end is None:
        sentence = ngettext(
            "No unit was completed recently. {units} unit is left.",
            "No unit was completed recently. {units} units are left.",
            left,
        )
        return sentence.format(units=left)
    if end <= now:
        sentence = ngettext(
            "There is no estimate, because no unit has started or ended since {until} UTC. {units} unit "
            "is left.",
            "There is no estimate, because no unit has started or ended since {until} UTC. {units} units "
            "are left.",
            left,
        )
        return format_html(sentence, until=_time(pace.until), units=left)
    return _estimate(study, pace, end, left, now)


def _estimate(study: Study, pace: Pace, end: datetime, left: int, now: datetime) -> SafeString:
    hours = min(WINDOW, pace.span).total_seconds() / 3600
    if pace.until < now:  # nobody has worked since then
        sentence = ngettext(
            "{end} UTC, at the pace of the {hours} hours before {until} UTC ({pace} units per hour). {units} "
            "unit is left.",
            "{end} UTC, at the pace of the {hours} hours before {until} UTC ({pace} units per hour). {units} "
            "units are left.",
            left,
        )
    else:
        sentence = ngettext(
            "{end} UTC, at the pace of the last {hours} hours ({pace} units per hour). {units} unit is left.",
            "{end} UTC, at the pace of the last {hours} hours ({pace} units per hour)."
            " {units} units are left.",
            left,
        )
    estimate = format_html(
        sentence,
        end=_time(end),
        until=_time(pace.until),
        hours=number_format(f"{hours:.1f}"),
        pace=number_format(f"{pace.per_hour:.1f}"),
        units=left,
    )
    if study.closes_at and study.closes_at < end:
        closing = gettext("The study closes before that, at {time} UTC.")
        return format_html("{} {}", estimate, format_html(closing, time=_time(study.closes_at)))
    return estimate


def _time(value: datetime) -> SafeString:
    text = date_format(value, "DATETIME_FORMAT")
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), text)
