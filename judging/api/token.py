"""Login for programs: exchange a name and a password for a token, or revoke the token."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from judging.api.base_views import ApiView
from judging.api.defaults import AnonymousLimit, MayUseConsole, signed_token
from judging.api.serializers import CredentialsSerializer, TokenSerializer
from judging.core import access
from judging.core.observing.address import address_of
from judging.core.services.pace import note_log_in, note_right_password

if TYPE_CHECKING:
    from rest_framework.permissions import _SupportsHasPermission


class LoginLimit(AnonymousLimit):
    """Limits the login attempts from one network. Attempts for all accounts count together."""

    scope = "token"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class TokenView(ApiView):
    http_method_names = ["post", "delete"]

    def get_permissions(self) -> "Sequence[_SupportsHasPermission]":
        return [AllowAny()] if self.request.method == "POST" else super().get_permissions()

    def get_throttles(self) -> list[BaseThrottle]:
        return [LoginLimit()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(
        tags=["token"],
        summary="Log in",
        request=CredentialsSerializer,
        responses=TokenSerializer,
        auth=[],
        operation_id="log_in",
    )
    def post(self, request: Request) -> Response:
        """Get the account's token. It is valid until it is revoked or the account is deactivated."""
        credentials = CredentialsSerializer(data=request.data)
        credentials.is_valid(raise_exception=True)
        name, address = credentials.validated_data["username"], address_of(request)
        if exceeded := note_log_in(name=name, address=address):
            raise Throttled(exceeded.seconds)
        user = authenticate(request, **credentials.validated_data)
        if user is None:
            raise AuthenticationFailed("Wrong name or password. Check both, and try again.")
        note_right_password(name=name, address=address)
        if not access.may_use_console(user):
            raise PermissionDenied(MayUseConsole.message)
        token, _created = Token.objects.get_or_create(user=user)
        return Response({"token": signed_token(token)})

    @extend_schema(
        tags=["token"],
        summary="Revoke the token",
        request=None,
        responses={204: None},
        operation_id="log_out",
    )
    def delete(self, request: Request) -> Response:
        """Revoke the account's token. The next login creates a new one."""
        Token.objects.filter(user=access.account_of(request.user)).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
