"""`reset_link`: print a link to set a new password, for sites that send no e-mail."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import default_token_generator
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from judging.core.clock import now
from judging.core.services.events import audit
from judging.limits import RESET_LINK, span
from judging.management.study_command import StudyCommand


class Command(StudyCommand):
    help = (
        "Print a link to set a new password for an account. It works once and expires after "
        f"{span(RESET_LINK)}. Give it only to the owner of the account. The audit log records it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="USER", help="the user's name")

    def handle(self, *, user: str, **options: Any) -> None:
        model = get_user_model()
        account = model.objects.filter(**{model.USERNAME_FIELD: user}).first()
        if account is None:
            raise CommandError(f"There is no user named {user}.")
        if not account.is_active:
            raise CommandError(f"The account {user} is deactivated. Activate it in the admin first.")
        uid = urlsafe_base64_encode(force_bytes(account.pk))
        path = reverse("console:password_set", args=[uid, default_token_generator.make_token(account)])
        audit("reset_link_made", study=None, actor=None, now=now(), user=user)
        self.stdout.write(
            f"Add this to the address of the site. It works once and expires after {span(RESET_LINK)}:"
        )
        self.stdout.write(path)
