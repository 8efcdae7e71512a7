"""The log-in page of the console. It refuses to log people in after too many wrong passwords."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from judging.core import access
from judging.core.observing.address import address_of
from judging.core.services.pace import WRONG_FROM_ADDRESS, note_log_in, note_right_password
from judging.protocol.words import gettext_noop

_WAIT = gettext_noop("Too many wrong passwords. Wait half an hour, or ask for a new password.")
_WAIT_HERE = gettext_noop("Too many wrong passwords from your network. Wait a minute, then try again.")


class ConsoleLoginForm(AuthenticationForm):
    """A form for a name and a password. It refuses accounts that have no access to the console."""

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if not access.may_use_console(user):
            text = _("This account has no access to the console. Ask an administrator of the site.")
            raise ValidationError(text, code="not_allowed")


def _is_invitation(path: str) -> bool:
    try:
        return resolve(path).view_name == "console:invitation"
    except Resolver404:
        return False


class ConsoleLogin(LoginView):
    template_name = "people/login.html"
    http_method_names = ["get", "head", "post"]

    def get_form_class(self) -> type[AuthenticationForm]:
        """Return the class of the form.

        People who log in to accept an invitation may have no access to the console yet, so their form does
        not require it.
        """
        return AuthenticationForm if _is_invitation(self.get_redirect_url()) else ConsoleLoginForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Log the person in, unless there were too many wrong passwords."""
        exceeded = note_log_in(**self._attempt())
        if exceeded is None:
            return super().post(request, *args, **kwargs)
        return self._refuse(_WAIT_HERE if exceeded == WRONG_FROM_ADDRESS else _WAIT)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        note_right_password(**self._attempt())
        return super().form_valid(form)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        if form.get_user() is not None:  # the password is right, but the account has no access
            note_right_password(**self._attempt())
        return super().form_invalid(form)

    def _attempt(self) -> dict[str, str]:
        return {"name": self.request.POST.get("username", ""), "address": address_of(self.request)}

    def _refuse(self, text: str) -> HttpResponse:
        typed = {"username": self.request.POST.get("username", "")}
        form = self.get_form_class()(self.request, initial=typed)
        messages.error(self.request, _(text))
        return self.render_to_response(self.get_context_data(form=form), status=429)
