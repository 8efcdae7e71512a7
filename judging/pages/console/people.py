"""Everybody with an account, for admins of the site, and inviting somebody to it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging import access
from judging.models import SiteRole
from judging.pages.console.guard import console_page, refuse
from judging.pages.console.inviting import invite_from, listed, revoke_from
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.selectors.members import accounts
from judging.services.errors import RefusedError

ROLES = {
    SiteRole.STAFF: "staff: sees and runs the studies that have no members",
    SiteRole.ADMIN: "admin: may do everything",
}


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
        messages.error(request, str(refusal))
        if request.POST.get("action") == "invite":
            return _show(request, typed=request.POST.get("email", ""), status=400)
    return redirect("console:people")


def _show(request: HttpRequest, *, typed: str = "", status: int = 200) -> HttpResponseBase:
    sorting = sorting_of(request, "name", "email", "-studies", "-seen", default="name")
    found = accounts(sort=sorting.key, descending=sorting.descending)
    page = page_of(request, found.count())
    context = {
        "page": page,
        "sorting": sorting,
        "accounts": found[page.places.start : page.places.stop],
        "invitations": listed(request, None),
        "roles": {role.value: words for role, words in ROLES.items()},
        "typed": typed,
    }
    return render(request, "console/people.html", context, status=max(page.status, sorting.status, status))


def _do(request: HttpRequest) -> str:
    action = request.POST.get("action", "")
    if action == "invite":
        return invite_from(request, None, {role.value: role for role in SiteRole})
    if action == "revoke":
        return revoke_from(request, None)
    raise RefusedError("Nothing was changed: use one of the buttons.")
