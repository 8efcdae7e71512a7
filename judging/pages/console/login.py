"""Logging in to the console."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError

from judging import access


class ConsoleLoginForm(AuthenticationForm):
    """Name and password; an account that may not use the console is told so here, not on the next page."""

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        super().confirm_login_allowed(user)
        if not access.may_use_console(user):
            raise ValidationError("This account may not use the console. Ask an administrator of the site.")


class ConsoleLogin(LoginView):
    template_name = "console/login.html"
    form_class = ConsoleLoginForm
