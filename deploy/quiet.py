"""What the log does not say: addresses of pages hold tokens of workers, invitations and new passwords."""

import logging
from typing import Any, Final

_WITH_PATHS: Final = ("django.request", "django.security")


class WithoutPaths(logging.Filter):
    """Writes the name of the route where Django writes the path that somebody asked for."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record; it is never left out."""
        if record.name.startswith(_WITH_PATHS):
            match: Any = getattr(getattr(record, "request", None), "resolver_match", None)
            status = getattr(record, "status_code", 500)
            record.msg, record.args = "%s at %s", (status, match.view_name if match else "no known address")
        return True
