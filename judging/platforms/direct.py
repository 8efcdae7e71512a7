"""A plain link, or a personal one: nobody is sent back anywhere."""

from collections.abc import Mapping
from typing import Final

from judging.models import Study
from judging.platforms.base import Arrival

LINK: Final = "invite"
"""The parameter of a personal link."""


class Direct:
    is_external = False

    def arrival(self, study: Study, query: Mapping[str, str]) -> Arrival:
        return Arrival(link=query.get(LINK, "")) if study.entry == "invite" else Arrival()

    def completion_link(self, study: Study, *, code: str, submission_id: str) -> str:
        return ""

    def no_work_link(self, study: Study) -> str:
        return ""

    def screen_out_link(self, study: Study) -> str:
        return ""
