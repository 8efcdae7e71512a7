"""What the settings name: read by the framework before its own views exist, so none is imported."""

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
from rest_framework.throttling import AnonRateThrottle, BaseThrottle, UserRateThrottle

from judging.core import access
from judging.core.observing.address import address_of

if TYPE_CHECKING:
    from rest_framework.views import APIView

_LONGEST: Final = 1 << 16
"""Bytes of a request: a name and a password are all that is ever sent."""
_signer: Final = Signer(salt="plumbline.api")


class FirstRenderer(BaseContentNegotiation):
    """There is one form of each answer; what else a client would accept does not matter."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        content_type = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


class SmallJSONParser(JSONParser):
    """Reads what a log-in sends: what is longer than a form of ours, or nested without end, is refused.

    The framework asks neither for the length nor for the depth, and Django's own limit is not asked here.
    """

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """The object sent. Raises ParseError where there is none."""
        try:
            return super().parse(_bounded(stream), media_type, parser_context)
        except RecursionError:
            raise ParseError("JSON parse error: it is nested too deeply.") from None


class SmallFormParser(FormParser):
    """The same for a form."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """The fields sent. Raises ParseError where there are too many."""
        try:
            return super().parse(_bounded(stream), media_type, parser_context)
        except TooManyFieldsSent:
            raise ParseError("There are too many fields in the form.") from None


def _bounded(stream: IO[bytes]) -> BytesIO:
    read = stream.read(_LONGEST + 1)
    if len(read) > _LONGEST:
        raise ParseError(f"The request is longer than {_LONGEST} bytes.")
    return BytesIO(read)


class _ByNetwork(BaseThrottle):
    """Counts visitors without an account by the network that every other limit counts by."""

    def get_ident(self, request: Request) -> str:
        """Return what a visitor's address counts as."""
        return address_of(request)


class AnonymousLimit(_ByNetwork, AnonRateThrottle):
    """How often one network may ask without an account."""


class AccountLimit(_ByNetwork, UserRateThrottle):
    """How often one account may ask."""


def handed_out(token: Token) -> str:
    """What the account's owner gets and sends; only the key in it is stored."""
    return _signer.sign(token.key)


class SignedTokenAuthentication(TokenAuthentication):
    """`Authorization: Token KEY:SIGNATURE`: by the key alone, as the database has it, nobody gets in."""

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        """The account and its token. Raises AuthenticationFailed for what was not handed out like this."""
        try:
            stored = _signer.unsign(key)
        except BadSignature:
            raise AuthenticationFailed("This token is not one that was handed out here.") from None
        account, token = super().authenticate_credentials(stored)
        return account, token


class MayUseConsole(BasePermission):
    """The API shows what the console shows, to the same people."""

    message = "This account may not use the API. Ask an administrator of the site."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        return access.may_use_console(request.user)
