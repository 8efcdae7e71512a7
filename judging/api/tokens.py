"""What opens the API: the token's random key with a signature, so that the database alone opens nothing."""

from typing import Final

from django.contrib.auth.models import User
from django.core.signing import BadSignature, Signer
from rest_framework.authentication import TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import AuthenticationFailed

_signer: Final = Signer(salt="plumbline.api")


def handed_out(token: Token) -> str:
    """What the account's owner gets and sends; only the key in it is stored."""
    return _signer.sign(token.key)


class SignedTokenAuthentication(TokenAuthentication):
    """`Authorization: Token KEY:SIGNATURE`; a bare key, as it is stored, opens nothing."""

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        """The account and its token. Raises AuthenticationFailed for what was not handed out like this."""
        try:
            stored = _signer.unsign(key)
        except BadSignature:
            raise AuthenticationFailed("This token is not one that was handed out here.") from None
        account, token = super().authenticate_credentials(stored)
        return account, token
