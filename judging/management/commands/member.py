"""`member`: give an account a role in a study, or remove the account from the study."""

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError, CommandParser

from judging.core.clock import now
from judging.core.services.members import remove_member, set_role
from judging.management.study_command import StudyCommand
from judging.models import Role

_NONE: Final = "none"
_OPEN_TO_STAFF: Final = "The study has no members now, so all staff can see and manage it."


class Command(StudyCommand):
    help = (
        "Give an account a role in a study, or remove it with the role none. Viewers can see the study,"
        " editors can also open, pause and close it, and owners can also pay workers and manage members. If a"
        " study has members, only they and superusers have access."
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
                f"There is no user named {user}. Create one in the admin or with createsuperuser."
            )
        if role == _NONE:
            is_changed = remove_member(study=study, user=account, now=now())
            result = f"{user} {'no longer has a' if is_changed else 'has no'} role in study {slug}."
        else:
            is_changed = set_role(study=study, user=account, role=Role(role), now=now())
            article = "a" if role == Role.VIEWER else "an"
            result = f"{user} is {'now' if is_changed else 'already'} {article} {role} of study {slug}."
        self.stdout.write(result if study.memberships.exists() else f"{result} {_OPEN_TO_STAFF}")
