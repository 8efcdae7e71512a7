"""The default classes of the API, which the setting `REST_FRAMEWORK` names.

This module must not import views.
"""

from collections.abc import Iterable
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import TooManyFieldsSent
from django.core.signing import BadSignature, Signer
from rest_framework.authentication import TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, FormParser, JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from judging.core import access
from judging.core.observing.address import Network, address_of, networks_of

if TYPE_CHECKING:
    from rest_framework.views import APIView

_LONGEST: Final = 1 << 16
"""The maximum size of a request in bytes. Requests contain at most a name and a password."""
_signer: Final = Signer(salt="plumbline.api")


class FirstRenderer(BaseContentNegotiation):
    """Always chooses the first renderer, because each view has only one format for its responses."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        content_type = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


class SmallJSONParser(JSONParser):
    """Parses the JSON of a login, and refuses text that is too long or nested too deeply.

    The framework checks neither length nor depth, and Django's own limit does not apply here.
    """

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the parsed JSON. Raise ParseError if the text is too long, too deeply nested or not JSON."""
        try:
            return super().parse(_bounded(stream), media_type, parser_context)
        except RecursionError:
            raise ParseError("JSON parse error: the JSON is nested too deeply.") from None


class SmallFormParser(FormParser):
    """Parses the form of a login, and refuses text that is too long."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the fields. Raise ParseError if the text is too long or has too many fields."""
        try:
            return super().parse(_bounded(stream), media_type, parser_context)
        except TooManyFieldsSent:
            raise ParseError("The form has too many fields.") from None


def _bounded(stream: IO[bytes]) -> BytesIO:
    read = stream.read(_LONGEST + 1)
    if len(read) > _LONGEST:
        raise ParseError(f"The request is longer than {_LONGEST} bytes.")
    return BytesIO(read)


class _ByNetwork(SimpleRateThrottle):
    """Counts the requests from an address, and from the networks around it."""

    _network: Network
    num_requests: int | None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count the request, and return whether it is within the limits of all networks."""
        most = self.num_requests
        for self._network in networks_of(address_of(request)):
            self.num_requests = most and most * self._network.factor
            if not super().allow_request(request, view):
                return False  # `wait` then looks at this network
        return True

    def get_ident(self, request: Request) -> str:
        """Return the network that is being counted."""
        return self._network.name


class AnonymousLimit(_ByNetwork, AnonRateThrottle):
    """Limits the requests that one network sends without an account."""


class AccountLimit(UserRateThrottle):
    """Limits the requests of one account."""

    def get_ident(self, request: Request) -> str:
        """Return the network of a visitor without an account, which `AnonymousLimit` limits further."""
        return address_of(request)


def signed_token(token: Token) -> str:
    """Return the token that clients send, `KEY:SIGNATURE`. The database stores only the key."""
    return _signer.sign(token.key)


class SignedTokenAuthentication(TokenAuthentication):
    """Authenticates by `Authorization: Token KEY:SIGNATURE`.

    A key from the database is not enough to log in, because the database does not store signatures.
    """

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        """Return the account and its token.

        Raise AuthenticationFailed if the signature or the key is wrong, or if the account is deactivated.
        """
        try:
            stored = _signer.unsign(key)
        except BadSignature:
            raise AuthenticationFailed("Invalid token. Log in again to get a new one.") from None
        account, token = super().authenticate_credentials(stored)
        return account, token


class MayUseConsole(BasePermission):
    """Lets people use the API if they can use the console."""

    message = "This account cannot use the API. Ask an administrator of the site for access."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return access.may_use_console(request.user)
