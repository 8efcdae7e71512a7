"""Pages for passwords.

People can change their password. If they have forgotten it, they can request an e-mail with a link to the
page where they set a new password. The link works once and expires after `PASSWORD_RESET_TIMEOUT`. The pages
use Django's views, forms and tokens.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import (
    PasswordChangeView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from judging.core import access, mail
from judging.core.clock import now
from judging.core.observing.address import address_of
from judging.core.services.pace import RESETS_FOR_EMAIL, RESETS_FROM_ADDRESS
from judging.people.pages.mail import RedirectThenPost
from judging.people.services.accounts import after_new_password


class AskForPassword(PasswordResetView):
    """Page to ask for a new password. Its response is the same whether or not the address has an account."""

    template_name = "people/password_ask.html"
    http_method_names = ["get", "head", "post"]
    success_url = reverse_lazy("console:password_asked")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(sends=mail.is_set_up(), **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not mail.is_set_up():
            return self.get(request)
        if RESETS_FROM_ADDRESS.exceeded(address_of(request)):
            text = _("Too many requests from your network. Wait an hour, then try again.")
            messages.error(request, text)
            return self.render_to_response(self.get_context_data(), status=429)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        email = form.cleaned_data["email"]
        people = list(form.get_users(email))
        if RESETS_FOR_EMAIL.exceeded(email):
            people = []
        return RedirectThenPost(str(self.success_url), reset_message, people)


def reset_message(user: User) -> EmailMessage:
    """Return the e-mail with the link to set a new password."""
    context = {
        "user": user,
        "uid": urlsafe_base64_encode(force_bytes(user.pk)),
        "token": default_token_generator.make_token(user),
    }
    return mail.message("people/password.txt", context, str(user.email))


class SetPassword(PasswordResetConfirmView):
    """Page to set a new password. Links from e-mails and from `manage.py reset_link` lead here.

    After setting the password, the page also logs the person in.
    """

    template_name = "people/password_set.html"
    http_method_names = ["get", "head", "post"]
    success_url = reverse_lazy("console:studies")
    post_reset_login = True

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        answer = super().form_valid(form)
        assert self.user is not None
        after_new_password(user=self.user, now=now(), actor=self.user)
        messages.success(self.request, _("Your new password has been set, and you are logged in."))
        return answer


class ChangePassword(PasswordChangeView):
    template_name = "people/password_change.html"
    http_method_names = ["get", "head", "post"]
    success_url = reverse_lazy("console:studies")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        answer = super().form_valid(form)
        user = access.account_of(self.request.user)
        after_new_password(user=user, now=now(), actor=user)
        messages.success(
            self.request, _("Your password has been changed. You have been logged out of all other browsers.")
        )
        return answer
