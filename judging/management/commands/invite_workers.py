"""`invite_workers`: create personal links to a study. Each link is for only one worker."""

from secrets import SystemRandom
from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils.http import urlencode

from judging.core.clock import now
from judging.management.base import StudyCommand
from judging.protocol.platforms.base import LINK
from judging.worker.services.links import make_links


class Command(StudyCommand):
    help = (
        'Create personal links for a study whose entry is "invite", and print one per line. One worker can'
        " start with each link. Save them: Plumbline does not store them and cannot print them again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="STUDY", help="the study's name")
        parser.add_argument("--count", type=int, default=1, metavar="N", help="how many (default: 1)")
        parser.add_argument(
            "--site", default="", metavar="URL", help="address of the site, to print complete links"
        )

    def handle(self, *, slug: str, count: int, site: str, **options: Any) -> None:
        study = self.study(slug)
        address = site.rstrip("/") + reverse("worker:information", args=[study.slug])
        for link in make_links(study=study, count=count, now=now(), rng=SystemRandom()):
            self.stdout.write(f"{address}?{urlencode({LINK: link.token})}")
