"""How to sign a link for a worker. Every program that creates such links must sign them in this way.

The signed text has five lines, separated by line feeds, without a line feed at the end:

    plumbline-entry-1
    the study's name in URLs
    the worker's id
    the id of the visit, or an empty line
    when the link expires, in seconds since 1970 (UTC), as digits

The signature is the HMAC-SHA256 of this text with the study's secret as the key. The text and the secret are
encoded as UTF-8, and the signature is written in lower-case hexadecimal digits. Example: for the secret
`an-example-of-a-secret`, study `tides`, worker `w-17`, visit `v 2` and expiry 1893456000, the signature is

    8781a02ffe06ba7e179ed65e9b8c4e93e409347da7cacf3312dfaed9cf46bb62
"""

import hashlib
import hmac
import re
from typing import Final

PURPOSE: Final = "plumbline-entry-1"
EXPIRES: Final = "exp"
SIGNATURE: Final = "sig"
"""The two parameters that a signed link has in addition to the ids."""
_MOMENT: Final = re.compile(r"[0-9]{1,12}", re.ASCII)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def signature_of(*, secret: str, slug: str, worker: str, visit: str, expires: int) -> str:
    """Return the signature of a link (64 digits). Raise ValueError if an id contains a control character."""
    if _CONTROL.search(worker + visit):
        raise ValueError("An id contains a line break or another control character. Remove it from the id.")
    text = "\n".join((PURPOSE, slug, worker, visit, str(expires)))
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def is_signed(signature: str, *, secret: str, slug: str, worker: str, visit: str, expires: str) -> bool:
    """Return whether the signature matches these values. The comparison takes constant time.

    This does not check whether the link has expired.
    """
    if not _MOMENT.fullmatch(expires) or _CONTROL.search(worker + visit):
        return False
    right = signature_of(secret=secret, slug=slug, worker=worker, visit=visit, expires=int(expires))
    return str(int(expires)) == expires and hmac.compare_digest(right.encode(), signature.encode())
