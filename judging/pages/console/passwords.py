"""A new password: asked for by e-mail, set by the link in it, or changed by who knows the old one.

Django's own views, forms and tokens; a link is good once, for `PASSWORD_RESET_TIMEOUT`.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.views import (
    PasswordChangeView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy

from judging.observing.address import address_of
from judging.pages.console import mail
from judging.selectors.clock import now
from judging.services.accounts import password_was_set
from judging.services.pace import RESETS_FOR_EMAIL, RESETS_FROM_ADDRESS


class _ResetForm(PasswordResetForm):
    """Collects the e-mails of those who have the address, for them to go when the answer has gone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.messages: list[EmailMessage] = []

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        self.messages.append(mail.message(email_template_name, context, to_email))


class AskForPassword(PasswordResetView):
    """The same answer, as quickly, whether there is an account with the address or not."""

    template_name = "console/password_ask.html"
    http_method_names = ["get", "head", "post"]
    email_template_name = "notices/password.txt"
    form_class = _ResetForm
    success_url = reverse_lazy("console:password_asked")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(sends=mail.is_set_up(), **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        address = address_of(request)
        if not mail.is_set_up():
            return self.get(request)
        if RESETS_FROM_ADDRESS.used_up(address):
            why = (
                "Too many new passwords were asked for from where you are. Wait for an hour, then try again."
            )
            messages.error(request, why)
            return self.render_to_response(self.get_context_data(), status=429)
        RESETS_FROM_ADDRESS.count(address)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        email = form.cleaned_data["email"]
        answer = super().form_valid(form)
        wanted = [] if RESETS_FOR_EMAIL.used_up(email) else getattr(form, "messages", [])
        RESETS_FOR_EMAIL.count(email)
        return mail.RedirectThenSend(answer["Location"], wanted)


class SetPassword(PasswordResetConfirmView):
    """Behind the link of the e-mail, or of `manage.py reset_link`; logs in."""

    template_name = "console/password_set.html"
    http_method_names = ["get", "head", "post"]
    success_url = reverse_lazy("console:studies")
    post_reset_login = True

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        answer = super().form_valid(form)
        password_was_set(user=self.user, now=now(), actor=self.user)
        messages.success(self.request, "Your new password is set, and you are logged in.")
        return answer


class ChangePassword(PasswordChangeView):
    template_name = "console/password_change.html"
    http_method_names = ["get", "head", "post"]
    success_url = reverse_lazy("console:studies")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        answer = super().form_valid(form)
        password_was_set(user=self.request.user, now=now(), actor=self.request.user)
        messages.success(self.request, "Your password is changed. Other browsers are logged out.")
        return answer
