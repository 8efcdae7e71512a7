"""What the commands share: one line on stderr and exit 1 where something is wrong, never a traceback."""

import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError

from judging.core.intake.faults import InputError, StudyRefusedError
from judging.core.services.errors import RefusedError
from judging.models import Participation, Study, Topic, Unit
from judging.protocol.unit_ids import read_unit_id

_NO_TABLE = ("no such table", "no such column", "does not exist")


class StudyCommand(BaseCommand):
    """A command that tells people what is wrong in one line for each fault, and nothing else."""

    requires_system_checks = ("site",)
    """Those of deploy/checks.py alone: importing every address for the others takes two seconds."""
    _from_shell = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)

        def error(message: str) -> NoReturn:
            self._refuse(f"{subcommand}: {message}; see --help")

        parser.error = error  # type: ignore[method-assign]  # the class of the parser is Django's to choose
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
            self._refuse("The database is not set up for this version; run: python manage.py migrate", error)

    def _refuse(self, lines: str, cause: BaseException | None = None) -> NoReturn:
        if not self._from_shell:
            raise CommandError(lines) from cause
        self.stderr.write(lines)
        sys.exit(1)

    def study(self, slug: str) -> Study:
        """The study of that name. Raises CommandError naming those there are."""
        try:
            return Study.objects.get(slug=slug)
        except Study.DoesNotExist:
            slugs = Study.objects.values_list("slug", flat=True)
            there = ", ".join(slugs) or "none yet; import_study makes one"
            raise CommandError(f"There is no study named {slug}; there are: {there}.") from None

    def topic(self, slug: str, number: str) -> Topic:
        """The topic of that number. Raises CommandError naming those there are."""
        study = self.study(slug)
        numbers = sorted(study.topics.values_list("number", flat=True))
        if number not in numbers:
            there = ", ".join(numbers) or "none"
            raise CommandError(f"Study {slug} has no topic {number}; there are: {there}.")
        return study.topics.select_related("study").get(number=number)

    def unit(self, slug: str, name: str) -> Unit:
        """The unit of that name, written as exports write it. Raises CommandError where there is none."""
        study = self.study(slug)
        if not (parts := read_unit_id(name)):
            raise CommandError(f"{name} names no unit; write it as exports do, such as 401-0007.")
        units = Unit.objects.filter(topic__study=study, topic__number=parts.topic)
        if unit := units.filter(number=parts.number).first():
            return unit
        raise CommandError(f"Study {slug} has no unit {name}; export --what units lists those begun.")

    def worker(self, slug: str, pseudonym: str) -> Participation:
        """The worker of that pseudonym. Raises CommandError where there is none."""
        study = self.study(slug)
        if worker := study.participations.filter(pseudonym=pseudonym).first():
            return worker
        raise CommandError(f"Study {slug} has no worker {pseudonym}; export --what workers lists them.")
