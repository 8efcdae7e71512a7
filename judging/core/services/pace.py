"""Rate limits. The cache counts the attempts in each window of time."""

from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from judging import limits
from judging.core.observing.address import networks_of
from judging.protocol.typed import typed_key


class Pace(NamedTuple):
    """A limit of `most` attempts within `seconds` seconds of the first attempt.

    Attempts are counted separately for each `subject`, such as an account.
    """

    name: str
    most: int
    seconds: int

    def used_up(self, subject: str) -> bool:
        """Return whether the subject has no attempts left."""
        return int(cache.get(self._key(subject), 0)) >= self.most

    def count(self, subject: str) -> int:
        """Count an attempt and return the new count, or 0 if the cache is unavailable.

        This calls the cache once, except for the first attempt in a window.
        """
        key = self._key(subject)
        for _ in range(2):
            try:
                return int(cache.incr(key) or 0)
            except ValueError:  # this is the first attempt
                if cache.add(key, 1, self.seconds):
                    return 1
        return 0

    def exceeded(self, subject: str) -> bool:
        """Count an attempt, and return whether it exceeds the limit.

        Return False if the cache is unavailable.
        """
        return self.count(subject) > self.most

    def subtract(self, subject: str) -> None:
        """Subtract an attempt that should not count."""
        with suppress(ValueError):  # the window has ended
            cache.decr(self._key(subject))

    def forget(self, subject: str) -> None:
        """Reset the count to 0."""
        cache.delete(self._key(subject))

    def _key(self, subject: str) -> str:
        # A program can send lone surrogates, which UTF-8 cannot encode.
        typed = typed_key(subject).encode(errors="surrogatepass")
        return f"pace:{self.name}:{sha256(typed).hexdigest()}"


class AddressPace(NamedTuple):
    """A limit on the attempts from each network address, and larger limits for the networks around it.

    Subjects are results of `address_of`. For the arguments, see `Pace`.
    """

    name: str
    most: int
    seconds: int

    def used_up(self, address: str) -> bool:
        """Return whether the address, or a network around it, has no attempts left."""
        return any(pace.used_up(network) for pace, network in self._paces(address))

    def count(self, address: str) -> int:
        """Count an attempt and return the new count of the address, or 0 if the cache is unavailable."""
        count, *_ = [pace.count(network) for pace, network in self._paces(address)]
        return count

    def exceeded(self, address: str) -> bool:
        """Count an attempt, and return whether it exceeds a limit, as `Pace.exceeded` does."""
        results = [pace.exceeded(network) for pace, network in self._paces(address)]
        return any(results)

    def subtract(self, address: str) -> None:
        """Subtract an attempt that should not count."""
        for pace, network in self._paces(address):
            pace.subtract(network)

    def _paces(self, address: str) -> list[tuple[Pace, str]]:
        return [
            (Pace(self.name, self.most * network.factor, self.seconds), network.name)
            for network in networks_of(address)
        ]


WRONG_FROM_ADDRESS = AddressPace("wrong-from", *limits.WRONG_FROM_ADDRESS)
"""Limits the wrong passwords from one network address, for all accounts together."""
WRONG_FOR_ACCOUNT = Pace("wrong-for", *limits.WRONG_FOR_ACCOUNT)
"""Limits the wrong passwords for one account name from all addresses, even if there is no such account.

Setting a new password resets the count.
"""
RESETS_FROM_ADDRESS = AddressPace("resets-from", *limits.RESETS_FROM_ADDRESS)
"""Limits the requests for a password reset from one network address."""
RESETS_FOR_EMAIL = Pace("resets-for", *limits.RESETS_FOR_EMAIL)
"""Limits the e-mails with a reset link to one e-mail address."""
FORMS_OF_WORKER = Pace("forms-of", *limits.FORMS_OF_WORKER)
"""Limits the forms sent by one worker. People never reach this limit, but programs can."""
ARRIVALS_FROM_ADDRESS = AddressPace("arrivals-from", settings.ARRIVALS_PER_HOUR, limits.ARRIVALS.seconds)
"""Limits the workers who start from one network address, which hundreds of people in a lab can share."""
RESERVATIONS_FROM_ADDRESS = AddressPace(
    "reservations-from", settings.RESERVATIONS_PER_HOUR, limits.RESERVATIONS.seconds
)
"""Limits the units reserved from one network address, by all workers together."""
INVITATIONS = Pace("invitations", *limits.INVITATIONS)
"""Limits the invitations sent by one account."""


def note_log_in(*, name: str, address: str) -> Pace | AddressPace | None:
    """Count an attempt to log in. Return the limit that it exceeds, or None.

    Call this before checking the password, so that simultaneous attempts cannot exceed the limit.
    """
    if WRONG_FROM_ADDRESS.exceeded(address):
        return WRONG_FROM_ADDRESS
    return WRONG_FOR_ACCOUNT if WRONG_FOR_ACCOUNT.exceeded(name) else None


def note_right_password(*, name: str, address: str) -> None:
    """Subtract an attempt whose password was right, because the limits apply only to wrong passwords."""
    WRONG_FROM_ADDRESS.subtract(address)
    WRONG_FOR_ACCOUNT.subtract(name)
