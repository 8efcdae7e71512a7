"""Send e-mail from a page: invitations at once, and password links after the response."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from smtplib import SMTPException
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.http import HttpResponseRedirect
from django.utils.translation import get_language, override

from judging.core.mail import is_set_up

log = logging.getLogger(__name__)
MOST_WAITING: Final = 100
"""The maximum number of e-mails that wait in a process for a slow mail server. More e-mails are dropped."""
_room: Final = BoundedSemaphore(MOST_WAITING)
post: Final = ThreadPoolExecutor(1, thread_name_prefix="mail")
"""Sends one e-mail at a time, so that a slow mail server does not block the threads of requests."""


def send(email: EmailMessage) -> bool:
    """Send an e-mail, and return whether the mail server accepted it. Errors go to the log."""
    if not is_set_up():
        return False
    try:
        email.send()
    except (SMTPException, OSError, ValueError) as error:
        # The text of the error names the address, and the log must not contain personal data.
        codes = [code for code, _ in getattr(error, "recipients", {}).values()]
        reason = codes or getattr(error, "smtp_code", None) or type(error).__name__
        log.warning("The mail server of EMAIL_URL refused an e-mail: %s", reason)
        return False
    return True


class RedirectThenPost(HttpResponseRedirect):
    """A redirect that sends e-mails in another thread, after the response.

    Plumbline sends an e-mail only if the account exists. Sending it in the thread of the request would delay
    this response or the next one, and the delay would reveal that the account exists.
    """

    def __init__(self, to: str, make: Callable[[User], EmailMessage], people: list[User]) -> None:
        super().__init__(to)
        self._make = make
        self._people = people
        self._language = get_language()

    def close(self) -> None:
        super().close()
        while self._people:
            _post(self._make, self._people.pop(0), self._language)


def _post(make: Callable[[User], EmailMessage], person: User, language: str | None) -> None:
    if not _room.acquire(blocking=False):
        log.warning(
            "An e-mail was dropped because %s others wait for the mail server of EMAIL_URL", MOST_WAITING
        )
        return

    def send_in_language() -> bool:
        with override(language):
            return send(make(person))

    post.submit(send_in_language).add_done_callback(_release)


def _release(posted: Future[bool]) -> None:
    _room.release()
    if error := posted.exception():
        log.error("An e-mail could not be written", exc_info=error)
