"""E-mail that a page sends: an invitation at once, a link to a new password after the answer has gone."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from smtplib import SMTPException
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.http import HttpResponseRedirect

from judging.core.mail import is_set_up

log = logging.getLogger(__name__)
MOST_WAITING: Final = 100
"""E-mails that may wait in a process for a slow mail server; what comes beyond that is not sent."""
_room: Final = BoundedSemaphore(MOST_WAITING)
post: Final = ThreadPoolExecutor(1, thread_name_prefix="mail")
"""Sends one after the other, so that a slow mail server holds up none of the threads that answer."""


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


class RedirectThenPost(HttpResponseRedirect):
    """Makes and sends an e-mail for each of some people in another thread, when the visitor has the answer.

    So neither the time of this answer nor that of the next one says whether there was anybody to write to.
    """

    def __init__(self, to: str, make: Callable[[User], EmailMessage], people: list[User]) -> None:
        super().__init__(to)
        self._make = make
        self._people = people

    def close(self) -> None:
        super().close()
        while self._people:
            _post(self._make, self._people.pop(0))


def _post(make: Callable[[User], EmailMessage], person: User) -> None:
    if not _room.acquire(blocking=False):
        log.warning("An e-mail was not sent: %s others wait for the mail server of EMAIL_URL", MOST_WAITING)
        return
    post.submit(lambda: send(make(person))).add_done_callback(_done)


def _done(posted: Future[bool]) -> None:
    _room.release()
    if error := posted.exception():
        log.error("An e-mail could not be made", exc_info=error)
