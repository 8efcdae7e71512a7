"""The base class of all commands. It reports faults on stderr, without a traceback, and exits with code 1."""

import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError

from judging.core.faults import InputError, StudyRefusedError
from judging.core.services.errors import RefusedError
from judging.models import Participation, Study, Topic, Unit
from judging.protocol.unit_ids import read_unit_id

_NO_TABLE = ("no such table", "no such column", "does not exist")


class StudyCommand(BaseCommand):
    """A command that reports each fault in one line, without a traceback."""

    requires_system_checks = ("site",)
    """Run only the checks in deploy/checks.py. Other checks import every page, which takes two seconds."""
    _from_shell = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        # A shortened option could be mistaken for another one, so only whole names are accepted.
        parser = super().create_parser(prog_name, subcommand, **{"allow_abbrev": False, **kwargs})

        def error(message: str) -> NoReturn:
            self._refuse(f"{subcommand}: {message}. Run it with --help to see its options.")

        parser.error = error  # type: ignore[method-assign]  # Django chooses the class of the parser
        return parser

    def run_from_argv(self, argv: list[str]) -> None:
        self._from_shell = True
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (InputError, StudyRefusedError, RefusedError, CommandError) as error:
            self._refuse(str(error), error)
        except (OperationalError, ProgrammingError) as error:
            if not any(part in str(error) for part in _NO_TABLE):
                raise
            self._refuse("The database does not fit this version. Run: python manage.py migrate", error)

    def _refuse(self, lines: str, cause: BaseException | None = None) -> NoReturn:
        if not self._from_shell:
            raise CommandError(lines) from cause
        self.stderr.write(lines)
        sys.exit(1)

    def study(self, slug: str) -> Study:
        """Return the study with this slug.

        If there is none, raise CommandError with the slugs of all studies.
        """
        try:
            return Study.objects.get(slug=slug)
        except Study.DoesNotExist:
            slugs = ", ".join(Study.objects.values_list("slug", flat=True))
            hint = f"The studies are: {slugs}." if slugs else "Import one with import_study."
            raise CommandError(f"There is no study named {slug}. {hint}") from None

    def topic(self, slug: str, number: str) -> Topic:
        """Return the topic with this number. If there is none, raise CommandError with all topic numbers."""
        study = self.study(slug)
        numbers = sorted(study.topics.values_list("number", flat=True))
        if number not in numbers:
            hint = f"Its topics are: {', '.join(numbers)}." if numbers else "It has no topics."
            raise CommandError(f"Study {slug} has no topic {number}. {hint}")
        return study.topics.select_related("study").get(number=number)

    def unit(self, slug: str, name: str) -> Unit:
        """Return the unit whose id in exports is `name`. Raise CommandError if there is none."""
        study = self.study(slug)
        if not (parts := read_unit_id(name)):
            raise CommandError(f"{name} is not the id of a unit. Write it as exports do, such as 401-0007.")
        units = Unit.objects.filter(topic__study=study, topic__number=parts.topic)
        if unit := units.filter(number=parts.number).first():
            return unit
        raise CommandError(
            f"Study {slug} has no unit {name}. To list its units, run: export {slug} --what units"
        )

    def worker(self, slug: str, pseudonym: str) -> Participation:
        """Return the worker with this pseudonym. Raise CommandError if there is none."""
        study = self.study(slug)
        if worker := study.participations.filter(pseudonym=pseudonym).first():
            return worker
        raise CommandError(
            f"Study {slug} has no worker {pseudonym}. To list its workers, run: export {slug} --what workers"
        )
