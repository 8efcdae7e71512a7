"""Where the link of an invitation leads: accept it with the account that is logged in, or with a new one."""

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.core.clock import now
from judging.core.services.errors import RefusedError
from judging.models import Invitation
from judging.people.services.invitations import accept, accept_as_somebody_new, find_invitation

if TYPE_CHECKING:
    _UserCreationForm = UserCreationForm[User]
else:  # Django's own is not generic where it runs
    _UserCreationForm = UserCreationForm

_BACKEND = "django.contrib.auth.backends.ModelBackend"


class NewAccountForm(_UserCreationForm):
    """A name and a password, by the rules of both."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, auto_id="%s", label_suffix="", **kwargs)
        self.fields["username"].help_text = "Letters, digits and @ . + - _ only; it stands in the audit log."


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    found = find_invitation(token, now=now())
    if found is None:
        return render(request, "people/invitation_over.html", status=404)
    if request.method != "POST":
        return _show(request, found, NewAccountForm())
    try:
        return _accept(request, found)
    except RefusedError as refusal:
        messages.error(request, str(refusal))
        return redirect(request.path)


def _accept(request: HttpRequest, found: Invitation) -> HttpResponseBase:
    if request.user.is_authenticated:
        accept(invitation=found, user=request.user, now=now())
    else:
        form = NewAccountForm(request.POST)
        if not form.is_valid():
            return _show(request, found, form, status=400)
        given = form.cleaned_data
        user = accept_as_somebody_new(
            invitation=found, username=given["username"], password=given["password1"], now=now()
        )
        login(request, user, backend=_BACKEND)
    messages.success(request, "Welcome. This is what you were invited to.")
    return redirect("console:study", found.study.slug) if found.study else redirect("console:studies")


def _show(
    request: HttpRequest, found: Invitation, form: NewAccountForm, *, status: int = 200
) -> HttpResponseBase:
    context = {"invitation": found, "form": form}
    return render(request, "people/invitation.html", context, status=status)
