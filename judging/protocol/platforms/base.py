"""What a platform decides: who can start, how a worker is recognised, and where workers go at the end."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

from judging.limits import LONGEST_PLATFORM_ID
from judging.protocol.platforms.ids import IdFault
from judging.protocol.words import Sentence


class Entry(StrEnum):
    """Who can start: anybody with the link, workers with a personal link, or workers with a signed link."""

    OPEN = "open"
    INVITE = "invite"
    SIGNED = "signed"


@dataclass(frozen=True)
class Arrival:
    """The ids in the link that a worker followed; empty if the link has none."""

    platform_id: str = ""
    submission_id: str = ""
    link: str = ""
    """The token of a personal link."""

    @property
    def anonymous(self) -> bool:
        """Return whether the link does not identify the worker."""
        return not (self.platform_id or self.link)

    @property
    def too_long(self) -> bool:
        return max(len(self.platform_id), len(self.submission_id), len(self.link)) > LONGEST_PLATFORM_ID


class Parameters(NamedTuple):
    """The parameters of a link that hold the ids of the worker and of the visit; empty for none."""

    worker: str = ""
    visit: str = ""


class Settings(Protocol):
    """The settings that platforms read from a study. Each property has the name of its setting."""

    @property
    def platform(self) -> str: ...
    @property
    def entry(self) -> str: ...
    @property
    def id_parameter(self) -> str: ...
    @property
    def submission_parameter(self) -> str: ...
    @property
    def completion_url(self) -> str: ...
    @property
    def no_work_url(self) -> str: ...
    @property
    def screen_out_url(self) -> str: ...


class Platform(ABC):
    """A place where workers come from.

    `name` is the value of the setting `platform`, and `description` is for the documentation. `entries` are
    the values of the setting `entry` that it supports. `keys` are the settings that it uses, and `needed`
    those that it requires. `is_external` is True if workers come from another site and return to it.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    entries: ClassVar[tuple[Entry, ...]]
    keys: ClassVar[tuple[str, ...]] = ()
    needed: ClassVar[Mapping[str, str]] = {}
    """Maps each required setting to the error message that is shown if it is missing."""
    is_external: ClassVar[bool] = True

    @abstractmethod
    def arrival(self, study: Settings, query: Mapping[str, str]) -> Arrival:
        """Return the ids in the query of a link."""

    def parameters(self, study: Settings) -> Parameters:
        """Return the names of the link parameters that hold ids."""
        return Parameters()

    def id_fault(self, arrival: Arrival) -> IdFault | None:
        """Return why the ids of a link cannot be used to pay a worker; None if they can."""
        return None

    def faults(self, settings: Mapping[str, str]) -> Iterator[tuple[str, Sentence]]:
        """Yield the key and the problem of each setting that conflicts with another one."""
        yield from ()

    def completion_link(self, study: Settings, *, code: str, submission_id: str) -> str:
        """Return the URL for a worker who completed a unit; empty if the worker stays on this site."""
        return ""

    def no_work_link(self, study: Settings) -> str:
        """Return the URL for a worker without a completed unit; empty if the worker stays on this site."""
        return ""

    def screen_out_link(self, study: Settings) -> str:
        """Return the URL for a screened-out worker without a completed unit; empty if there is none."""
        return ""
