"""Everybody with an account, for admins of the site, and inviting somebody to it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging import access
from judging.models import SiteRole
from judging.pages.console.filtering import ChosenField, FilterForm, TextField
from judging.pages.console.guard import console_page, refuse
from judging.pages.console.inviting import invite_from, listed, revoke_from
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.selectors.members import ANYBODY, RIGHTS, AccountFilter, accounts
from judging.services.errors import RefusedError

ROLES = {
    SiteRole.STAFF: "staff: sees and runs the studies that have no members",
    SiteRole.ADMIN: "admin: may do everything",
}
RIGHTS_IN_WORDS = {"member": "member of studies"}


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
    sorting = sorting_of(request, "name", "email", "-studies", "-seen", default="name")
    form = PeopleForm(request)
    found = accounts(sort=sorting.key, descending=sorting.descending, wanted=form.wanted)
    page = page_of(request, found.count())
    context = {
        "page": page,
        "sorting": sorting,
        "form": form,
        "shows_form": form.is_worth(page.paginator.count),
        "accounts": found[page.places.start : page.places.stop],
        "invitations": listed(request, None),
        "roles": {role.value: words for role, words in ROLES.items()},
        "typed": typed,
    }
    status = max(page.status, sorting.status, form.status, status)
    return render(request, "console/people.html", context, status=status)


def _do(request: HttpRequest) -> str:
    action = request.POST.get("action", "")
    if action == "invite":
        return invite_from(request, None, {role.value: role for role in SiteRole})
    if action == "revoke":
        return revoke_from(request, None)
    raise RefusedError("Nothing was changed: use one of the buttons.")
