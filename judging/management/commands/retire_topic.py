"""`retire_topic`: stop giving a topic to workers."""

from typing import Any

from django.core.management.base import CommandParser

from judging.core.clock import now
from judging.core.services.studies import retire_topic
from judging.management.study_command import StudyCommand
from judging.models import Unit
from judging.protocol.states import UnitState


class Command(StudyCommand):
    help = "Retire a topic permanently: workers no longer get it, and you can remove it from the study file."

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
            f"Topic {topic} of study {slug} is retired: workers no longer get it. {done} units are done and"
            f" still count. {live} units are in progress, and workers can finish them."
        )
