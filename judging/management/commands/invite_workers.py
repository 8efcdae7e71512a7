"""`invite_workers`: create personal links to a study. Each link is for only one worker."""

from secrets import SystemRandom
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils.http import urlencode

from judging.core.clock import now
from judging.management.study_command import StudyCommand
from judging.protocol.judges import KINDS, PERSON
from judging.protocol.platforms.base import LINK
from judging.worker.services.links import make_links


class Command(StudyCommand):
    help = (
        'Create personal links for a study whose entry is "invite", and print one per line. One worker can'
        " start with each link. Save them: Plumbline does not store them and cannot print them again. With"
        " --kind, the links are for another kind of judge, and the command plans units for it. Its judgments"
        " count only where you ask for them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="STUDY", help="the study's name")
        parser.add_argument("--count", type=int, default=1, metavar="N", help="how many (default: 1)")
        parser.add_argument(
            "--site", default="", metavar="URL", help="address of the site, to print complete links"
        )

        parser.add_argument(
            "--kind",
            choices=[kind.name for kind in KINDS.values() if kind.has_browser],
            default=PERSON.name,
            help=f"the kind of judge (default: {PERSON.name})",
        )
        parser.add_argument(
            "--judgments",
            type=int,
            metavar="N",
            help="with --kind: how many judgments of this kind each document gets (default: 1)",
        )

    def handle(
        self, *, slug: str, count: int, site: str, kind: str, judgments: int | None, **options: Any
    ) -> None:
        study = self.study(slug)
        if judgments is not None and kind == study.judges.name:
            raise CommandError("--judgments works only with --kind and another kind of judge. Remove it.")
        address = site.rstrip("/") + reverse("worker:information", args=[study.slug])
        links = make_links(
            study=study,
            count=count,
            now=now(),
            rng=SystemRandom(),
            kind=KINDS[kind],
            judgments=1 if judgments is None else judgments,
        )
        for link in links:
            self.stdout.write(f"{address}?{urlencode({LINK: link.token})}")
