"""Which addresses a webhook may have, as far as their text tells."""

import re
from typing import Final
from urllib.parse import urlsplit

LONGEST: Final = 500


def webhook_fault(url: str) -> str:
    """What is wrong with the address of a webhook, as one sentence; "" where nothing is."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or port == 0 or parts.scheme not in ("http", "https") or re.search(r"[^\x21-\x7e]", url):
        return "This is no web address: write it like https://chat.example.org/hooks/1."
    if parts.username is not None or parts.password is not None or parts.fragment:
        return "The address may hold neither a user nor a fragment (#): put a secret into its path."
    if len(url) > LONGEST:
        return f"The address is longer than {LONGEST} characters."
    return ""
