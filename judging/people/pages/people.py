"""Everybody with an account, for admins of the site, and inviting somebody to it."""

from typing import TYPE_CHECKING, Final

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.pages.filtering import ChosenField, FilterForm, TextField
from judging.core.pages.guard import console_page, refuse
from judging.core.pages.tables import Column, Table, tagged
from judging.core.services.errors import RefusedError
from judging.models import SiteRole
from judging.people.pages.inviting import invitation_table, invite_from, revoke_from
from judging.people.selectors.members import ANYBODY, RIGHTS, AccountFilter, accounts

if TYPE_CHECKING:
    from judging.people.selectors.members import Account

ROLES = {
    SiteRole.STAFF: "staff: sees and runs the studies that have no members",
    SiteRole.ADMIN: "admin: may do everything",
}
RIGHTS_IN_WORDS = {"member": "member of studies"}


def _right(account: User) -> str:
    if account.is_superuser:
        return "admin"
    return "staff" if account.is_staff else RIGHTS_IN_WORDS["member"]


COLUMNS: Final["list[Column[Account]]"] = [
    Column(
        "name",
        "Name",
        lambda account: tagged(account.get_username(), "" if account.is_active else "deactivated"),
    ),
    Column("email", "E-mail", lambda account: account.email),
    Column("", "On the site", _right),
    Column("-studies", "Studies with a role", lambda account: account.studies),
    Column("-seen", "Last log-in (UTC)", lambda account: account.last_login or "never"),
]


class PeopleForm(FilterForm):
    """Who is looked for among the accounts."""

    find = TextField("Name or e-mail")
    rights = ChosenField("On the site", [(name, RIGHTS_IN_WORDS.get(name, name)) for name in RIGHTS])

    @property
    def wanted(self) -> AccountFilter:
        """What a valid form asks for; nothing of one at fault."""
        return AccountFilter(**self.cleaned_data) if self.is_valid() else ANYBODY


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def people(request: HttpRequest) -> HttpResponseBase:
    if not access.may_administer(request.user):
        return refuse(request, "Only admins of the site may see all accounts.")
    if request.method != "POST":
        return _show(request)
    try:
        messages.success(request, _do(request))
    except RefusedError as refusal:
        invites = request.POST.get("action") == "invite"
        messages.error(request, str(refusal), extra_tags="email" if invites else "")
        if invites:
            return _show(request, typed=request.POST.get("email", ""), status=400)
    return redirect("console:people")


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
    )
    found = accounts(sort=table.sorting.key, descending=table.sorting.descending, wanted=form.wanted)
    shown = table.read(found.count, lambda order, places: list(found[places.start : places.stop]))
    context = {
        "people": shown,
        "form": form,
        "invitations": invitation_table(request, None),
        "roles": {role.value: words for role, words in ROLES.items()},
        "typed": typed,
    }
    return render(request, "people/people.html", context, status=max(shown.status, status))


def _do(request: HttpRequest) -> str:
    action = request.POST.get("action", "")
    if action == "invite":
        return invite_from(request, None, {role.value: role for role in SiteRole})
    if action == "revoke":
        return revoke_from(request, None)
    raise RefusedError("Nothing was changed: use one of the buttons.")
