"""`check_study`: print whether a study can open, how much work it needs, and what it will cost."""

from decimal import Decimal
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Count, Q

from judging.core.clock import now
from judging.core.selectors.anchors import anchor_warnings
from judging.core.selectors.arms import arms_of
from judging.core.selectors.losses import lost_in_study
from judging.core.selectors.pay_rate import pay_warnings
from judging.core.selectors.readiness import Readiness, Work, readiness
from judging.management.study_command import StudyCommand
from judging.models import PoolDocument, Study
from judging.protocol.states import StudyState

_TITLE_WIDTH = 40


class Command(StudyCommand):
    help = (
        "Check whether a study can open: its texts, anchors, questions and pool sizes. Print how many units "
        "and judgments it needs, and what it will cost, for each of its arms. For an adaptive study, print "
        "the planned work and the most that it can need."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")

    def handle(self, *, slug: str, **options: Any) -> None:
        study = self.study(slug)
        faults = [fault for arm in arms_of(study) for fault in self._check(arm)]
        if faults:
            raise CommandError("\n".join(dict.fromkeys(faults)))
        can = "can open" if study.state == StudyState.DRAFT else f"is {study.state}"
        self.stdout.write(f"Study {study.slug} {can}.")

    def _check(self, study: Study) -> list[str]:
        """Print the work and the cost of a study or of one of its arms, and return its faults."""
        if study.has_arms:
            self.stdout.write(f"Arm {study.arm} (study {study.slug}):")
        work = readiness(study, now=now())
        for line in _table(work):
            self.stdout.write(line)
        if study.is_sampled:
            self.stdout.write(_sample(study))
        self.stdout.write(_totals(study, work))
        if study.spending_limit is not None:
            self.stdout.write(_limit(study, study.spending_limit, work))
        for warning in [*anchor_warnings(study), *pay_warnings(study), *lost_in_study(study)]:
            self.stdout.write(f"Warning: {warning}")
        return [f"Arm {study.arm}: {fault}" if study.has_arms else fault for fault in work.faults]


def _table(work: Readiness) -> list[str]:
    width = max([len("topic"), *(len(topic.number) for topic in work.topics)])
    rows = [("topic", "title", "documents*", "units", "judgments")]
    for topic in work.topics:
        title = topic.title if len(topic.title) <= _TITLE_WIDTH else topic.title[: _TITLE_WIDTH - 1] + "…"
        rows.append((topic.number, title, str(topic.documents), str(topic.units), str(topic.judgments)))
    return [
        *(
            f"{number:<{width}}  {title:<{_TITLE_WIDTH}}  {documents:>10}  {units:>6}  {judgments:>9}"
            for number, title, documents, units, judgments in rows
        ),
        "* without the anchors",
    ]


def _sample(study: Study) -> str:
    pool = PoolDocument.objects.filter(topic__study=study, topic__retired_at__isnull=True).order_by()
    numbers = pool.aggregate(sampled=Count("pk", filter=Q(sampled=True)), pooled=Count("pk"))
    return f"Sample: {numbers['sampled']:,} of {numbers['pooled']:,} documents are judged, with the anchors."


def _totals(study: Study, work: Readiness) -> str:
    if work.most is None:
        return _total("Total", study, work.planned)
    return "\n".join([_total("Planned now", study, work.planned), _total("At most", study, work.most)])


def _limit(study: Study, limit: Decimal, work: Readiness) -> str:
    line = f"Spending limit: {study.currency} {limit:,.2f}."
    if (work.most or work.planned).cost <= limit:
        return line
    return f"{line} Warning: the pay for all units is higher, so the study stops before they are done."


def _total(heading: str, study: Study, work: Work) -> str:
    totals = (
        f"{heading}: {work.units:,} units, {work.judgments:,} judgments, about {work.minutes / 60:,.1f} hours"
        f" of work. At {study.currency} {study.pay_per_unit} per unit, the pay is {work.cost:,.2f}."
    )
    if not work.fee:
        return totals
    return f"{totals} With the platform's fee of {study.platform_fee} %, it is {work.total:,.2f}."
