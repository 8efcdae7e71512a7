"""Logging in to the console; who guesses passwords has to wait, ever longer than it is worth."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from judging.core import access
from judging.core.observing.address import address_of
from judging.core.services.pace import WRONG_FROM_ADDRESS, note_log_in, note_right_password

_WAIT = "Too many wrong passwords were tried. Wait for half an hour, or ask for a new password."
_WAIT_HERE = "Too many wrong passwords were tried from where you are. Wait for a minute, then try again."


class ConsoleLoginForm(AuthenticationForm):
    """Name and password; an account that may not use the console is told so here, not on the next page."""

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if not access.may_use_console(user):
            why = "This account may not use the console. Ask an administrator of the site."
            raise ValidationError(why, code="not_allowed")


def _is_invitation(path: str) -> bool:
    try:
        return resolve(path).view_name == "console:invitation"
    except Resolver404:
        return False


class ConsoleLogin(LoginView):
    template_name = "people/login.html"
    http_method_names = ["get", "head", "post"]

    def get_form_class(self) -> type[AuthenticationForm]:
        """An account that is invited, and may not use the console yet, may log in to accept."""
        return AuthenticationForm if _is_invitation(self.get_redirect_url()) else ConsoleLoginForm

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refuse to look at the password if too many were wrong."""
        exceeded = note_log_in(**self._who())
        if exceeded is None:
            return super().post(request, *args, **kwargs)
        return self._wait(_WAIT_HERE if exceeded == WRONG_FROM_ADDRESS else _WAIT)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        note_right_password(**self._who())
        return super().form_valid(form)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        if form.get_user() is not None:  # the right password, of an account that may not come in
            note_right_password(**self._who())
        return super().form_invalid(form)

    def _who(self) -> dict[str, str]:
        return {"name": self.request.POST.get("username", ""), "address": address_of(self.request)}

    def _wait(self, why: str) -> HttpResponse:
        typed = {"username": self.request.POST.get("username", "")}
        form = self.get_form_class()(self.request, initial=typed)
        messages.error(self.request, why)
        return self.render_to_response(self.get_context_data(form=form), status=429)
