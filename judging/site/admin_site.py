"""Django's admin, opened by the same log-in and the same rules as everything else."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from judging.core import access


class AdminSite(admin.AdminSite):
    """For those whom `access` lets in. It has no log-in of its own: guessing is slowed at one door."""

    def has_permission(self, request: HttpRequest) -> bool:
        return access.may_use_admin(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """To the log-in of the console; who is logged in, and may not, is told so."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", request.path))

    def password_change(  # type: ignore[override]  # a redirect, where Django's renders a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The console's page: a new password shuts what the old one opened."""
        return redirect("console:password_change")
