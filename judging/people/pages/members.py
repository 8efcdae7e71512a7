"""Page of the members of a study, where owners invite people, change roles and remove members."""

from functools import partial

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import F, Q, Value
from django.db.models.functions import NullIf
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.pages.filtering import FilterForm, TextField
from judging.core.pages.guard import console_page, find_study, refuse, row_key
from judging.core.pages.page_table import Column, Table
from judging.core.services.errors import RefusedError
from judging.core.services.members import remove_member, set_role
from judging.models import Membership, Role, Study
from judging.people.pages.inviting import account_name, change_people, invitation_table

ROLES = {
    Role.VIEWER: gettext_lazy("viewer: can look at the study and download its data"),
    Role.EDITOR: gettext_lazy("editor: can also open, pause and close the study"),
    Role.OWNER: gettext_lazy("owner: can also pay workers and manage members"),
}


class MemberForm(FilterForm):
    """Filters the members of a study."""

    find = TextField(gettext_lazy("Name or e-mail"))
    narrows = {"find": lambda text: Q(user__username__icontains=text) | Q(user__email__icontains=text)}


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def members(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if study.front is not None:
        return redirect("console:members", slug=study.front.slug)
    if request.method != "POST":
        return _show(request, study)
    if not access.may_manage_members(request.user, study):
        return refuse(request, _("Only owners of the study can change its members."))
    refusal = change_people(
        request, study, show=partial(_show, request, study), change=partial(_change, request, study)
    )
    if refusal is not None:
        return refusal
    study = Study.objects.get(pk=study.pk)
    if not access.may_see(request.user, study):
        return redirect("console:studies")
    return redirect("console:members", slug=study.slug)


def _show(request: HttpRequest, study: Study, *, typed: str = "", status: int = 200) -> HttpResponseBase:
    form = MemberForm(request)
    manages = access.may_manage_members(request.user, study)
    table = Table(
        request,
        _columns(request, manages=manages),
        heading="members",
        of=_("members"),
        sort="name",
        form=form,
        css="people",
        note=_(
            "Viewers can look at the study and download its data. Editors can also open, pause and close it. "
            "Owners can also pay workers and manage members."
        ),
    ).stored(
        form.filter(Membership.objects.filter(study=study).select_related("user")),
        list,
        ties=["user__username"],
    )
    context = {
        "study": study,
        "members": table,
        "form": form,
        "manages": manages,
        "invitations": invitation_table(request, study) if manages else None,
        "roles": ROLES,
        "typed": typed,
    }
    return render(request, "people/members.html", context, status=max(table.status, status))


def _columns(request: HttpRequest, *, manages: bool) -> list[Column[Membership]]:
    def change(member: Membership) -> SafeString:
        context = {"member": member, "roles": list(Role)}
        return render_to_string("people/_member_change.html", context, request)

    columns: list[Column[Membership]] = [
        Column("name", _("Name"), lambda member: account_name(member.user), order=["user__username"]),
        Column(
            "email", _("E-mail"), lambda member: member.user.email, order=[NullIf("user__email", Value(""))]
        ),
        Column("role", _("Role"), lambda member: gettext(member.role), order=["role"]),
        Column(
            "-seen",
            _("Last log-in (UTC)"),
            lambda member: member.user.last_login or _("never"),
            order=[F("user__last_login")],
        ),
    ]
    return [*columns, Column("", _("Change"), change)] if manages else columns


def _change(request: HttpRequest, study: Study, action: str) -> str:
    """Change a role or remove a member, and return a message. Raise RefusedError if that is not possible."""
    user = _member(study, request.POST.get("user", ""))
    name = user.get_username()
    if action == "remove":
        remove_member(study=study, user=user, now=now(), actor=access.account_of(request.user))
        return _("{name} is no longer a member of this study.").format(name=name)
    role = request.POST.get("role", "")
    if action != "role" or role not in list(Role):
        raise RefusedError(_("Nothing has changed. Use a button on this page."))
    set_role(study=study, user=user, role=Role(role), now=now(), actor=access.account_of(request.user))
    return _("The role of {name} is now: {role}.").format(name=name, role=gettext(role))


def _member(study: Study, key: str) -> User:
    user = get_user_model().objects.filter(memberships__study=study, pk=row_key(key)).first()
    if user is None:
        raise RefusedError(
            _("This account is no longer a member of the study. Reload the page to see the current list.")
        )
    return user
