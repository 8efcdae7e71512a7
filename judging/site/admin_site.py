"""Django's admin, with the log-in and the access rules of the console."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from judging.core import access


class AdminSite(admin.AdminSite):
    """Django's admin. The module `access` says who can use it. People log in on the console's log-in page."""

    def has_permission(self, request: HttpRequest) -> bool:
        return access.may_use_admin(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the console's log-in page.

        Raise PermissionDenied if the person is already logged in, but cannot use the admin.
        """
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", request.path))

    def password_change(  # type: ignore[override]  # Django's method renders a page, this one redirects
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the console's page for changing a password.

        Unlike Django's own page, the console's page also deletes the account's API token after the change.
        """
        return redirect("console:password_change")
