"""Personal links by which workers begin a study that is entered by invitation."""

from secrets import SystemRandom
from typing import Any

from django.core.management.base import CommandParser
from django.urls import reverse
from django.utils.http import urlencode

from judging.core.clock import now
from judging.management.base import StudyCommand
from judging.protocol.platforms.direct import LINK
from judging.worker.services.links import make_links


class Command(StudyCommand):
    help = (
        'Make personal links for a study whose entry is "invite" and print them, one a line. Each lets one'
        " worker begin. They are stored nowhere and cannot be printed again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="STUDY", help="the study's name")
        parser.add_argument("--count", type=int, default=1, metavar="N", help="how many (default: 1)")
        parser.add_argument(
            "--site", default="", metavar="URL", help="address of the site, put before each link"
        )

    def handle(self, *, slug: str, count: int, site: str, **options: Any) -> None:
        study = self.study(slug)
        way_in = site.rstrip("/") + reverse("worker:information", args=[study.slug])
        for one in make_links(study=study, count=count, now=now(), rng=SystemRandom()):
            self.stdout.write(f"{way_in}?{urlencode({LINK: one.token})}")
