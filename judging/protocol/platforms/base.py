"""What a platform decides: who may start, how a worker is recognised, and where workers go at the end."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, Protocol

from judging.limits import LONGEST_PLATFORM_ID
from judging.protocol.platforms.ids import IdFault


class Entry(StrEnum):
    """Who may start: everybody with the link, with a personal link, or with a signed link."""

    OPEN = "open"
    INVITE = "invite"
    SIGNED = "signed"


@dataclass(frozen=True)
class Arrival:
    """Who came, as the link says; empty texts where it says nothing."""

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


class Parameters(NamedTuple):
    """The parameters of a link that hold the ids of the worker and of the visit; empty for none."""

    worker: str = ""
    visit: str = ""


class Settings(Protocol):
    """The settings of a study that platforms read, under the keys of the settings."""

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
    """Where workers come from. `name` is the value of the setting, `what` describes it in documents.

    `entries` are the ways of entry that it has. `keys` are the settings that count with it, `needed` those of
    them that it cannot do without. `is_external`: workers come from a site of its own, and go back to it.
    """

    name: ClassVar[str]
    what: ClassVar[str]
    entries: ClassVar[tuple[Entry, ...]]
    keys: ClassVar[tuple[str, ...]] = ()
    needed: ClassVar[Mapping[str, str]] = {}
    """Key → why it is needed."""
    is_external: ClassVar[bool] = True

    @abstractmethod
    def arrival(self, study: Settings, query: Mapping[str, str]) -> Arrival:
        """Return who came, as the query of the link says."""

    def parameters(self, study: Settings) -> Parameters:
        """Return the parameters of its links that hold ids."""
        return Parameters()

    def id_fault(self, arrival: Arrival) -> IdFault | None:
        """Return why nobody could be paid by the ids of a link, None if they are right."""
        return None

    def faults(self, settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield key and fault of settings that do not go together."""
        yield from ()

    def completion_link(self, study: Settings, *, code: str, submission_id: str) -> str:
        """Return where a worker goes who completed a unit; empty if nowhere, as for the other two."""
        return ""

    def no_work_link(self, study: Settings) -> str:
        """Return where a worker goes who completed nothing."""
        return ""

    def screen_out_link(self, study: Settings) -> str:
        """Return where a worker goes who was screened out and completed nothing."""
        return ""
