"""Page of all accounts, where admins of the site invite people."""

from functools import partial
from typing import TYPE_CHECKING, Final, TypedDict

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, Value
from django.db.models.functions import NullIf
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, refuse
from judging.core.pages.page_table import Column, Table
from judging.models import SiteRole
from judging.people.pages.inviting import account_name, change_people, invitation_table

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Studies(TypedDict):
        studies: int

    Account = WithAnnotations[User, _Studies]
    """An account with its number of studies."""

ROLES = {
    SiteRole.STAFF: gettext_lazy("staff: can see and run the studies that have no members"),
    SiteRole.ADMIN: gettext_lazy("admin: can do everything"),
}
RIGHTS: Final = {
    "admin": Q(is_superuser=True),
    "staff": Q(is_superuser=False, is_staff=True),
    "member": Q(is_superuser=False, is_staff=False),
    "deactivated": Q(is_active=False),
}
"""Maps each right on the site to the condition that selects the accounts with this right."""
RIGHTS_IN_WORDS: Final = {
    "admin": gettext_lazy("admin"),
    "staff": gettext_lazy("staff"),
    "member": gettext_lazy("member of studies"),
    "deactivated": gettext_lazy("deactivated"),
}


def _right(account: User) -> str:
    if account.is_superuser:
        return str(RIGHTS_IN_WORDS["admin"])
    return str(RIGHTS_IN_WORDS["staff" if account.is_staff else "member"])


def _columns() -> "list[Column[Account]]":
    return [
        Column("name", _("Name"), account_name, order=["username"]),
        Column("email", _("E-mail"), lambda account: account.email, order=[NullIf("email", Value(""))]),
        Column("", _("Site role"), _right),
        Column("-studies", _("Study memberships"), lambda account: account.studies, order=["studies"]),
        Column(
            "-seen",
            _("Last log-in (UTC)"),
            lambda account: account.last_login or _("never"),
            order=[F("last_login")],
        ),
    ]


class PeopleForm(FilterForm):
    """Filters the accounts."""

    find = TextField(gettext_lazy("Name or e-mail"))
    rights = ChosenField(gettext_lazy("Site role"), list(RIGHTS_IN_WORDS.items()))
    narrows = {
        "find": lambda text: Q(username__icontains=text) | Q(email__icontains=text),
        "rights": RIGHTS.__getitem__,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def people(request: HttpRequest) -> HttpResponseBase:
    if not access.may_administer(request.user):
        return refuse(request, _("Only admins of the site can see all accounts."))
    if request.method != "POST":
        return _show(request)
    return change_people(request, None, show=partial(_show, request)) or redirect("console:people")


def _show(request: HttpRequest, *, typed: str = "", status: int = 200) -> HttpResponseBase:
    form = PeopleForm(request)
    table = Table(
        request,
        _columns(),
        heading="people",
        of=_("people"),
        sort="name",
        form=form,
        css="people",
        note=_("All accounts"),
    ).stored(form.filter(User.objects.annotate(studies=Count("memberships"))), list, ties=["username"])
    context = {
        "people": table,
        "form": form,
        "invitations": invitation_table(request, None),
        "roles": ROLES,
        "typed": typed,
    }
    return render(request, "people/people.html", context, status=max(table.status, status))
