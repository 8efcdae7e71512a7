"""Say whether a study can open, how many units and judgments it will take, and what it will cost."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.selectors.anchors import anchor_warnings
from judging.core.selectors.readiness import Readiness, readiness
from judging.management.base import StudyCommand
from judging.models import Study
from judging.protocol.states import StudyState

_TITLE_WIDTH = 40


class Command(StudyCommand):
    help = "Say whether a study can open: anchors, questions, pool sizes; and what it will take and cost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")

    def handle(self, *, slug: str, **options: Any) -> None:
        study = self.study(slug)
        found = readiness(study, now=now())
        for line in _table(found):
            self.stdout.write(line)
        self.stdout.write(_totals(study, found))
        for warning in anchor_warnings(study):
            self.stdout.write(f"Warning: {warning}")
        if found.faults:
            raise CommandError("\n".join(found.faults))
        can = "can open" if study.state == StudyState.DRAFT else f"is {study.state}"
        self.stdout.write(f"Study {study.slug} {can}.")


def _table(found: Readiness) -> list[str]:
    width = max([len("topic"), *(len(topic.number) for topic in found.topics)])
    rows = [("topic", "title", "documents*", "units", "judgments")]
    for topic in found.topics:
        title = topic.title if len(topic.title) <= _TITLE_WIDTH else topic.title[: _TITLE_WIDTH - 1] + "…"
        rows.append((topic.number, title, str(topic.documents), str(topic.units), str(topic.judgments)))
    return [
        *(
            f"{number:<{width}}  {title:<{_TITLE_WIDTH}}  {documents:>10}  {units:>6}  {judgments:>9}"
            for number, title, documents, units, judgments in rows
        ),
        "* beside the two anchors",
    ]


def _totals(study: Study, found: Readiness) -> str:
    return (
        f"In all {found.units:,} units, {found.judgments:,} judgments, about {found.minutes / 60:,.1f} hours"
        f" of work; at {study.currency} {study.pay_per_unit} a unit they cost {found.cost:,.2f}"
        f"{_fee(study, found)}."
    )


def _fee(study: Study, found: Readiness) -> str:
    fee = f", and {found.cost + found.fee:,.2f} with the platform's fee of {study.platform_fee} %"
    return fee if found.fee else ""
