"""Limits on repeated tries, counted in the cache for a window of time."""

from contextlib import suppress
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from judging import limits
from judging.protocol.typed import typed_key


class Pace(NamedTuple):
    """At most `most` tries of one kind within `seconds` from the first, for each whom they are counted of."""

    name: str
    most: int
    seconds: int

    def used_up(self, of: str) -> bool:
        """Whether there may be no further try for now."""
        return int(cache.get(self._key(of), 0)) >= self.most

    def count(self, of: str) -> int:
        """Note one try; returns how many there were, this one among them. 0 where the cache is away.

        One step of the cache, but for the first try of a window.
        """
        key = self._key(of)
        for _ in range(2):
            try:
                return int(cache.incr(key) or 0)
            except ValueError:  # the first try
                if cache.add(key, 1, self.seconds):
                    return 1
        return 0

    def exceeded(self, of: str) -> bool:
        """Note one try; returns whether it is one too many. Never where the cache is away."""
        return self.count(of) > self.most

    def take_back(self, of: str) -> None:
        """Count one try less: it was none of those that are limited."""
        with suppress(ValueError):  # the window has ended since
            cache.decr(self._key(of))

    def forget(self, of: str) -> None:
        """Begin again at nothing."""
        cache.delete(self._key(of))

    def _key(self, of: str) -> str:
        # Half a character, which a program may send, is nothing that UTF-8 can write.
        typed = typed_key(of).encode(errors="surrogatepass")
        return f"pace:{self.name}:{sha256(typed).hexdigest()}"


WRONG_FROM_ADDRESS = Pace("wrong-from", *limits.WRONG_FROM_ADDRESS)
"""Wrong passwords from one network address, whatever the account."""
WRONG_FOR_ACCOUNT = Pace("wrong-for", *limits.WRONG_FOR_ACCOUNT)
"""Wrong passwords for one account, there or not, from wherever. A new password begins it again at nothing."""
RESETS_FROM_ADDRESS = Pace("resets-from", *limits.RESETS_FROM_ADDRESS)
"""Requests for a new password from one network address."""
RESETS_FOR_EMAIL = Pace("resets-for", *limits.RESETS_FOR_EMAIL)
"""E-mails with a link to a new password to one e-mail address."""
FORMS_OF_WORKER = Pace("forms-of", *limits.FORMS_OF_WORKER)
"""Forms that one worker sends, whatever the page: a person never comes near it, a program run wild does."""
ARRIVALS_FROM_ADDRESS = Pace("arrivals-from", settings.ARRIVALS_PER_HOUR, limits.ARRIVALS.seconds)
"""Workers who begin from one network address, which a lab or a carrier may share among hundreds."""
RESERVATIONS_FROM_ADDRESS = Pace(
    "reservations-from", settings.RESERVATIONS_PER_HOUR, limits.RESERVATIONS.seconds
)
"""Units reserved from one network address, whoever the workers are."""
INVITATIONS = Pace("invitations", *limits.INVITATIONS)
"""Invitations by one account."""


def note_log_in(*, name: str, address: str) -> Pace | None:
    """Count a try to log in before its password is looked at; return the limit that it exceeds, if any.

    Counting first keeps tries that come at the same moment within the limit.
    """
    for pace, of in ((WRONG_FROM_ADDRESS, address), (WRONG_FOR_ACCOUNT, name)):
        if pace.exceeded(of):
            return pace
    return None


def note_right_password(*, name: str, address: str) -> None:
    """Take a counted try back: limits are for wrong passwords."""
    WRONG_FROM_ADDRESS.take_back(address)
    WRONG_FOR_ACCOUNT.take_back(name)
