"""Workers arrive through a plain link or a personal link, and do not go back to another site."""

from collections.abc import Mapping
from typing import Final

from judging.protocol.platforms.base import LINK, Arrival, Entry, Platform, Settings
from judging.protocol.words import gettext_noop as _


class Direct(Platform):
    name = "direct"
    description = _("direct: a plain link.")
    entries = (Entry.OPEN, Entry.INVITE)
    is_external = False

    def arrival(self, study: Settings, query: Mapping[str, str]) -> Arrival:
        return Arrival(link=query.get(LINK, "")) if study.entry == Entry.INVITE else Arrival()


PLATFORM: Final = Direct()
