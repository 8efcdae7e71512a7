"""E-mails, rendered from templates."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string


def is_set_up() -> bool:
    """Return whether the site can send e-mail."""
    return settings.MAIL_SERVER is not None


def message(template: str, context: Mapping[str, object], to: str, **headers: str) -> EmailMessage:
    """Return an e-mail rendered from a template. The first line of the template is the subject.

    Besides `context`, the template can use `site` (the URL of the site) and `host` (the host in this URL).
    """
    site = {"site": settings.SITE_URL, "host": urlsplit(settings.SITE_URL).netloc}
    subject, _, body = render_to_string(template, {**site, **context}).partition("\n")
    return EmailMessage(
        subject=" ".join(subject.split()),
        body=body.lstrip(),
        to=[to],
        headers={"Auto-Submitted": "auto-generated", **headers},
    )
