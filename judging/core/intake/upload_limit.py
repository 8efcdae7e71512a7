"""How much may be sent to the site at once; no form and no archive takes more."""

from django.conf import settings


def most_bytes() -> int:
    """What may be sent at once, and what the files of one draft may take."""
    return int(settings.UPLOAD_MEGABYTES) * 1024 * 1024


def too_large() -> str:
    """The sentence for what is larger than that."""
    return (
        f"That is more than the {settings.UPLOAD_MEGABYTES} MB that this site takes; compress the files with"
        " gzip, or ask its administrators to raise PLUMBLINE_UPLOAD_MB."
    )
