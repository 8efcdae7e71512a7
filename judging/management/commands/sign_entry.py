"""`sign_entry`: print a signed link for one worker, like the links that another system can create."""

from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.protocol.platforms.base import Arrival, Entry
from judging.worker.selectors.signed_links import signed_query
from judging.worker.services.links import make_secret

_DAY: Final = 86_400
_MOST_DAYS: Final = 3650


class Command(StudyCommand):
    help = (
        'Print a signed link for a worker of a study whose entry is "signed". If the study has no secret yet,'
        " the command creates and stores one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="STUDY", help="the study's name")
        parser.add_argument("worker", metavar="WORKER_ID", help="the platform's id of the worker")
        parser.add_argument("--visit", default="", metavar="ID", help="the platform's id of the visit")
        parser.add_argument(
            "--days", type=int, default=7, metavar="N", help="days until the link expires (default: 7)"
        )
        parser.add_argument(
            "--site", default="", metavar="URL", help="address of the site, to print a complete link"
        )

    def handle(self, *, slug: str, worker: str, visit: str, days: int, site: str, **options: Any) -> None:
        study = self.study(slug)
        arrival = Arrival(platform_id=worker.strip(), submission_id=visit.strip())
        if not arrival.platform_id or arrival.too_long:
            raise CommandError("WORKER_ID must have 1 to 200 characters, and --visit at most 200.")
        if visit and not study.submission_parameter:
            raise CommandError(f"Study {slug} has no submission_parameter. Leave out --visit.")
        if not 1 <= days <= _MOST_DAYS:
            raise CommandError(f"--days must be between 1 and {_MOST_DAYS}.")
        if study.entry != Entry.SIGNED or not study.entry_key:  # make_secret refuses any other entry
            make_secret(study=study, now=now())
            study.refresh_from_db()
        try:
            query = signed_query(study, arrival, expires=int(now().timestamp()) + days * _DAY)
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{site.rstrip('/')}{reverse('worker:information', args=[study.slug])}?{query}")
