"""What a platform has to answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from judging.limits import LONGEST_PLATFORM_ID
from judging.models import Study


@dataclass(frozen=True)
class Arrival:
    """Who came, as the platform's link says; empty texts where it says nothing."""

    platform_id: str = ""
    submission_id: str = ""
    link: str = ""
    """The token of a personal link."""

    @property
    def anonymous(self) -> bool:
        """Whether the link says nothing about who comes."""
        return not (self.platform_id or self.link)

    @property
    def too_long(self) -> bool:
        return max(len(self.platform_id), len(self.submission_id), len(self.link)) > LONGEST_PLATFORM_ID


class Platform(Protocol):
    """The links of a platform; an empty text where it has none.

    `is_external`: workers come from a site of its own, to which they go back.
    """

    is_external: bool

    def arrival(self, study: Study, query: Mapping[str, str]) -> Arrival: ...

    def completion_link(self, study: Study, *, code: str, submission_id: str) -> str: ...

    def no_work_link(self, study: Study) -> str: ...

    def screen_out_link(self, study: Study) -> str: ...
