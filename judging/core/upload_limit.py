"""The limit on uploads."""

from django.conf import settings
from django.utils.translation import gettext as _


def most_bytes() -> int:
    """Return the limit in bytes. It applies to each upload, and to the total size of a set-up's files."""
    return int(settings.UPLOAD_MEGABYTES) * 1024 * 1024


def too_large() -> str:
    """Return the error message for an upload over the limit."""
    return _(
        "The upload is larger than {number} MB, the limit of this site. Compress the files with gzip, or ask"
        " the site's administrators to raise PLUMBLINE_UPLOAD_MB."
    ).format(number=settings.UPLOAD_MEGABYTES)
