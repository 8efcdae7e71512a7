"""`platform`: approve and pay workers on any platform that declares operations."""

from django.core.management.base import CommandParser

from judging.management.platforms import PlatformCommand, add_actions
from judging.platforms.operations import operations_of
from judging.protocol.platforms import PLATFORMS


class Command(PlatformCommand):
    help = "Approve and pay workers on a platform, such as a platform of an installed package."

    def add_arguments(self, parser: CommandParser) -> None:
        parsers = parser.add_subparsers(dest="platform", metavar="PLATFORM", required=True)
        for platform in PLATFORMS.values():
            if platform.operations:
                own = parsers.add_parser(platform.name, allow_abbrev=False)
                # `StudyCommand` replaces the method of the main parser only after this.
                own.error = lambda message: parser.error(message)  # type: ignore[method-assign]
                add_actions(own, operations_of(platform))
