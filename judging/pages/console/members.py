"""Who works on a study: the list for its members, and for its owners inviting, roles and removal."""

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging import access
from judging.models import Role, Study
from judging.pages.console.filtering import FilterForm, TextField
from judging.pages.console.guard import console_page, find_study, refuse, row_key
from judging.pages.console.inviting import invite_from, listed, revoke_from
from judging.pages.console.paging import page_of
from judging.pages.console.sorting import sorting_of
from judging.selectors.clock import now
from judging.selectors.members import members_of, memberships_of
from judging.services.errors import RefusedError
from judging.services.members import remove_member, set_role

ROLES = {
    Role.VIEWER: "viewer: looks, and takes data home",
    Role.EDITOR: "editor: also opens, pauses and closes",
    Role.OWNER: "owner: also pays the workers, and says who is a member",
}


class MemberForm(FilterForm):
    """Who is looked for among the members of a study."""

    find = TextField("Name or e-mail")

    @property
    def wanted(self) -> str:
        """What a valid form asks for; nothing of one at fault."""
        return self.cleaned_data["find"] if self.is_valid() else ""


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def members(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method != "POST":
        return _show(request, study)
    if not access.may_manage_members(request.user, study):
        return refuse(request, "Only owners of the study may say who its members are.")
    try:
        messages.success(request, _do(request, study))
    except RefusedError as refusal:
        invites = request.POST.get("action") == "invite"
        messages.error(request, str(refusal), extra_tags="email" if invites else "")
        if invites:
            return _show(request, study, typed=request.POST.get("email", ""), status=400)
    study = Study.objects.get(pk=study.pk)
    if not access.may_see(request.user, study):
        return redirect("console:studies")
    return redirect("console:members", slug=study.slug)


def _show(request: HttpRequest, study: Study, *, typed: str = "", status: int = 200) -> HttpResponseBase:
    form = MemberForm(request)
    find = form.wanted
    page = page_of(request, memberships_of(study, find=find).count())
    sorting = sorting_of(request, "name", "email", "role", "-seen", default="name")
    manages = access.may_manage_members(request.user, study)
    context = {
        "study": study,
        "page": page,
        "sorting": sorting,
        "form": form,
        "shows_form": form.is_worth(page.paginator.count),
        "members": members_of(
            study,
            page.places.start,
            page.places.stop,
            sort=sorting.key,
            descending=sorting.descending,
            find=find,
        ),
        "manages": manages,
        "invitations": listed(request, study) if manages else [],
        "roles": {role.value: words for role, words in ROLES.items()},
        "typed": typed,
    }
    return render(
        request, "console/members.html", context, status=max(page.status, sorting.status, form.status, status)
    )


def _do(request: HttpRequest, study: Study) -> str:
    """Do what the form asks for, and say what was done. Raises RefusedError as the services do."""
    action = request.POST.get("action", "")
    if action == "invite":
        return invite_from(request, study, {role.value: role for role in Role})
    if action == "revoke":
        return revoke_from(request, study)
    user = _member(study, request.POST.get("user", ""))
    name = user.get_username()
    if action == "remove":
        remove_member(study=study, user=user, now=now(), actor=request.user)
        return f"{name} has no role in this study any more."
    role = request.POST.get("role", "")
    if action != "role" or role not in list(Role):
        raise RefusedError("Nothing was changed: use one of the buttons.")
    set_role(study=study, user=user, role=Role(role), now=now(), actor=request.user)
    return f"{name} is {role} now."


def _member(study: Study, key: str) -> AbstractBaseUser:
    found = get_user_model().objects.filter(memberships__study=study, pk=row_key(key))
    if not found:
        raise RefusedError("Nothing was changed: that account has no role in this study any more.")
    return found[0]
