"""Page of an invitation, where people accept it with their account or with a new one."""

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.core.clock import now
from judging.core.services.errors import RefusedError
from judging.models import Invitation
from judging.people.services.invitations import accept, accept_with_new_account, find_invitation

if TYPE_CHECKING:
    _UserCreationForm = UserCreationForm[User]
else:  # Django's class is generic for type checkers only
    _UserCreationForm = UserCreationForm

_BACKEND = "django.contrib.auth.backends.ModelBackend"


class NewAccountForm(_UserCreationForm):
    """Asks for a name and a password that follow Django's rules."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, auto_id="%s", label_suffix="", **kwargs)
        self.fields["username"].help_text = _(
            "Use only letters, digits and @ . + - _. The audit log shows this name."
        )


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    invitation = find_invitation(token, now=now())
    if invitation is None:
        return render(request, "people/invitation_over.html", status=404)
    if request.method != "POST":
        return _show(request, invitation, NewAccountForm())
    try:
        return _accept(request, invitation)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
        return redirect(request.path)


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponseBase:
    if request.user.is_authenticated:
        accept(invitation=invitation, user=request.user, now=now())
    else:
        form = NewAccountForm(request.POST)
        if not form.is_valid():
            return _show(request, invitation, form, status=400)
        data = form.cleaned_data
        user = accept_with_new_account(
            invitation=invitation, username=data["username"], password=data["password1"], now=now()
        )
        login(request, user, backend=_BACKEND)
    if invitation.study is None:
        messages.success(request, _("Welcome to Plumbline. These are the studies you can see."))
        return redirect("console:studies")
    messages.success(request, _("Welcome. You can now work on this study."))
    return redirect("console:study", invitation.study.slug)


def _show(
    request: HttpRequest, invitation: Invitation, form: NewAccountForm, *, status: int = 200
) -> HttpResponseBase:
    context = {"invitation": invitation, "form": form}
    return render(request, "people/invitation.html", context, status=status)
