"""Check the URL of a webhook, without connecting to it."""

import re
from typing import Final
from urllib.parse import urlsplit

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

LONGEST: Final = 500


def webhook_fault(url: str) -> Sentence | None:
    """Return the problem with the URL of a webhook, or None if it is valid."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0 or parts.scheme not in ("http", "https") or re.search(r"[^\x21-\x7e]", url):
        return Sentence(_("Enter a web address such as https://chat.example.org/hooks/1."))
    if parts.username is not None or parts.password is not None or parts.fragment:
        return Sentence(
            _(
                "Remove the user name, the password and any part after # from the address. If you "
                "need a secret, put it in the path."
            )
        )
    if len(url) > LONGEST:
        return Sentence(_("Enter an address of at most {longest} characters."), {"longest": LONGEST})
    return None
