"""A plain link: nobody is known beforehand, and nobody is sent back anywhere."""

from collections.abc import Mapping

from judging.models import Study
from judging.platforms.base import Arrival


class Direct:
    def arrival(self, study: Study, query: Mapping[str, str]) -> Arrival:
        return Arrival()

    def completion_link(self, study: Study, *, code: str, submission_id: str) -> str:
        return ""

    def no_work_link(self, study: Study) -> str:
        return ""

    def screen_out_link(self, study: Study) -> str:
        return ""
