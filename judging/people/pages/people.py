"""Everybody with an account, for admins of the site, and inviting somebody to it."""

from functools import partial
from typing import TYPE_CHECKING, Final, TypedDict

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, Value
from django.db.models.functions import NullIf
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, refuse
from judging.core.pages.tables import Column, Table
from judging.models import SiteRole
from judging.people.pages.inviting import account_name, change_people, invitation_table

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Studies(TypedDict):
        studies: int

    Account = WithAnnotations[User, _Studies]
    """An account that knows its number of studies."""

ROLES = {
    SiteRole.STAFF: "staff: sees and runs the studies that have no members",
    SiteRole.ADMIN: "admin: may do everything",
}
RIGHTS: Final = {
    "admin": Q(is_superuser=True),
    "staff": Q(is_superuser=False, is_staff=True),
    "member": Q(is_superuser=False, is_staff=False),
    "deactivated": Q(is_active=False),
}
"""What accounts may be on the site."""
RIGHTS_IN_WORDS = {"member": "member of studies"}


def _right(account: User) -> str:
    if account.is_superuser:
        return "admin"
    return "staff" if account.is_staff else RIGHTS_IN_WORDS["member"]


COLUMNS: Final["list[Column[Account]]"] = [
    Column("name", "Name", account_name, order=["username"]),
    Column("email", "E-mail", lambda account: account.email, order=[NullIf("email", Value(""))]),
    Column("", "On the site", _right),
    Column("-studies", "Studies with a role", lambda account: account.studies, order=["studies"]),
    Column(
        "-seen", "Last log-in (UTC)", lambda account: account.last_login or "never", order=[F("last_login")]
    ),
]


class PeopleForm(FilterForm):
    """Who is looked for among the accounts."""

    find = TextField("Name or e-mail")
    rights = ChosenField("On the site", [(name, RIGHTS_IN_WORDS.get(name, name)) for name in RIGHTS])
    narrows = {
        "find": lambda text: Q(username__icontains=text) | Q(email__icontains=text),
        "rights": RIGHTS.__getitem__,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def people(request: HttpRequest) -> HttpResponseBase:
    if not access.may_administer(request.user):
        return refuse(request, "Only admins of the site may see all accounts.")
    if request.method != "POST":
        return _show(request)
    return change_people(request, None, show=partial(_show, request)) or redirect("console:people")


def _show(request: HttpRequest, *, typed: str = "", status: int = 200) -> HttpResponseBase:
    form = PeopleForm(request)
    table = Table(
        request,
        COLUMNS,
        heading="people",
        of="people",
        sort="name",
        form=form,
        css="people",
        note="Everybody with an account",
    ).stored(form.filter(User.objects.annotate(studies=Count("memberships"))), list, ties=["username"])
    context = {
        "people": table,
        "form": form,
        "invitations": invitation_table(request, None),
        "roles": ROLES,
        "typed": typed,
    }
    return render(request, "people/people.html", context, status=max(table.status, status))
