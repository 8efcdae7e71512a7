"""Give a topic to nobody any more."""

from typing import Any

from django.core.management.base import CommandParser

from judging.core.clock import now
from judging.core.services.studies import retire_topic
from judging.management.base import StudyCommand
from judging.models import Unit
from judging.protocol.states import UnitState


class Command(StudyCommand):
    help = "Retire a topic for good: nobody gets it any more, and its study file may leave it out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("topic", metavar="TOPIC", help="the topic's number")

    def handle(self, *, slug: str, topic: str, **options: Any) -> None:
        retired = self.topic(slug, topic)
        retire_topic(topic=retired, now=now())
        units = Unit.objects.filter(topic=retired)
        done = units.filter(state=UnitState.DONE).count()
        live = units.filter(state=UnitState.RESERVED).count()
        self.stdout.write(
            f"Topic {topic} of study {slug} is retired: nobody gets it any more. Its units: {done} done,"
            f" which still count, and {live} in work, which may be finished."
        )
