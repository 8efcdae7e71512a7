"""E-mail that a page sends: an invitation at once, a link to a new password after the answer has gone."""

import logging
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpResponseRedirect
from django.template.loader import render_to_string

log = logging.getLogger(__name__)


def is_set_up() -> bool:
    """Whether the site can send e-mail."""
    return settings.MAIL_SERVER is not None


def message(template: str, context: dict[str, Any], to: str) -> EmailMessage:
    """An e-mail from a template whose first line is the subject."""
    subject, _, body = render_to_string(template, context).partition("\n")
    return EmailMessage(
        subject=" ".join(subject.split()),
        body=body.lstrip(),
        to=[to],
        headers={"Auto-Submitted": "auto-generated"},
    )


def send(one: EmailMessage) -> bool:
    """Hand an e-mail in; returns whether it was taken. What went wrong goes into the log."""
    if not is_set_up():
        return False
    try:
        one.send()
    except (SMTPException, OSError, ValueError) as error:
        # What it says names the address; the log is to name nobody.
        codes = [code for code, _ in getattr(error, "recipients", {}).values()]
        what = codes or getattr(error, "smtp_code", None) or type(error).__name__
        log.warning("The mail server of EMAIL_URL did not take an e-mail: %s", what)
        return False
    return True


class RedirectThenSend(HttpResponseRedirect):
    """Sends its e-mails when the visitor has the answer, whose time thus tells nothing of them."""

    def __init__(self, to: str, messages: list[EmailMessage]) -> None:
        super().__init__(to)
        self.messages = messages

    def close(self) -> None:
        super().close()
        for one in self.messages:
            send(one)
        self.messages = []
