"""Say who works on a study, and as what, from the command line."""

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.services.members import remove_member, set_role
from judging.management.base import StudyCommand
from judging.models import Role

_NONE: Final = "none"
_OPEN_TO_STAFF: Final = "It has no members now: the whole staff may see and manage it."


class Command(StudyCommand):
    help = (
        "Give an account a role in a study, or take it away. Owners pay the workers and say who is a member,"
        " editors open, pause and close the study, viewers look. A study with members is for these alone, and"
        " superusers."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the study's name")
        parser.add_argument("user", metavar="USER", help="the user's name")
        parser.add_argument("role", choices=[*(role.value for role in Role), _NONE])

    def handle(self, *, slug: str, user: str, role: str, **options: Any) -> None:
        study = self.study(slug)
        model = get_user_model()
        account = model.objects.filter(**{model.USERNAME_FIELD: user}).first()
        if account is None:
            raise CommandError(
                f"There is no user named {user}; make one in the admin, or by createsuperuser."
            )
        if role == _NONE:
            changed = remove_member(study=study, user=account, now=now())
            said = f"{user} has no role in study {slug}{' any more' if changed else ''}."
        else:
            changed = set_role(study=study, user=account, role=Role(role), now=now())
            article = "a" if role == Role.VIEWER else "an"
            said = f"{user} is {article} {role} of study {slug}{'' if changed else ' already'}."
        self.stdout.write(said if study.memberships.exists() else f"{said} {_OPEN_TO_STAFF}")
