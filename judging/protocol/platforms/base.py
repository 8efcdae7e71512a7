"""What a platform decides: who can start, how a worker is recognised, and where workers go at the end."""

from abc import ABC
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, Protocol

from judging.limits import LONGEST_PLATFORM_ID
from judging.protocol.platforms.ids import IdFault, id_fault
from judging.protocol.words import Sentence

LINK: Final = "invite"
"""The parameter of a personal link."""


class Entry(StrEnum):
    """Who can start: anybody with the link, workers with a personal link, or workers with a signed link."""

    OPEN = "open"
    INVITE = "invite"
    SIGNED = "signed"


@dataclass(frozen=True)
class Arrival:
    """The ids in the link that a worker followed. An id is empty if the link does not contain it."""

    platform_id: str = ""
    submission_id: str = ""
    study_id: str = ""
    """The platform's id for its own study, from which the worker came."""
    link: str = ""
    """The token of a personal link."""

    @property
    def anonymous(self) -> bool:
        """Return True if the link does not identify the worker."""
        return not (self.platform_id or self.link)

    @property
    def too_long(self) -> bool:
        ids = (self.platform_id, self.submission_id, self.study_id, self.link)
        return max(map(len, ids)) > LONGEST_PLATFORM_ID


class Parameters(NamedTuple):
    """The names of the link parameters for the ids of the worker, the visit and the study. Each can be ""."""

    worker: str = ""
    visit: str = ""
    study: str = ""


_IN_WORDS: Final = Parameters("WORKER_ID", "VISIT_ID", "STUDY_ID")


class LeastPay(NamedTuple):
    """A platform's minimum pay per hour, by currency, and a sentence that says whose it is.

    Currencies that are missing use the figure for USD.
    """

    hourly: Mapping[str, Decimal]
    source: str


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
    @property
    def completion_code(self) -> str: ...
    @property
    def no_work_code(self) -> str: ...
    @property
    def screen_out_code(self) -> str: ...
    @property
    def pay_screened_out(self) -> Decimal: ...
    @property
    def pay_checks_failed(self) -> Decimal: ...
    @property
    def pay_cancelled(self) -> Decimal: ...
    @property
    def max_units_per_visit(self) -> int | None: ...


class Platform(ABC):
    """A place where workers come from.

    `name` is the value of the setting `platform`, and `description` explains this value in a sentence.
    `entries` are the values of the setting `entry` that the platform supports. `keys` are the settings that
    the platform uses. `is_external` is True if workers come from another site and return there.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    entries: ClassVar[tuple[Entry, ...]]
    keys: ClassVar[tuple[str, ...]] = ()
    needed: ClassVar[Mapping[str, str]] = {}
    """Maps each required setting to the error message that is shown if it is missing."""
    codes: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Maps each setting for a code that only this platform has to its label and help. Such a setting needs a
    column of the model `Study`, so installed packages declare their settings by themselves."""
    least_pay: ClassVar[LeastPay | None] = None
    """The platform's minimum pay, or None if studies are compared with the default."""
    is_external: ClassVar[bool] = True
    placeholders: ClassVar[Parameters | None] = None
    """The placeholders that the platform replaces with ids in a link, or None if they are unknown."""
    adds_ids: ClassVar[bool] = False
    """Whether the platform itself adds the parameters to a link."""
    secret_visits: ClassVar[bool] = False
    """Whether the id of a visit is random, so that only this worker and the platform know it."""
    framed_by: ClassVar[tuple[str, ...]] = ()
    """The origins that may show the first page of the study in a frame. Workers go on in a separate tab."""
    submits_to: ClassVar[tuple[str, ...]] = ()
    """The origins to which the form in the frame can go."""
    operations: ClassVar[str] = ""
    """The class of `judging.platforms.operations` with which workers are paid, as `module:class`, or ""."""

    def arrival(self, study: Settings, query: Mapping[str, str]) -> Arrival:
        """Return the ids in the query of a link."""
        given = (query.get(name, "") if name else "" for name in self.parameters(study))
        return Arrival(*(text.replace("\0", "").strip() for text in given))

    def parameters(self, study: Settings) -> Parameters:
        """Return the names of the link parameters that hold ids."""
        return Parameters()

    def link_query(self, study: Settings) -> list[tuple[str, str]]:
        """Return the name and the placeholder of each parameter in the link that you give to the platform."""
        if self.adds_ids:
            return []
        pairs = zip(self.parameters(study), self.placeholders or _IN_WORDS, strict=True)
        return [(name, placeholder) for name, placeholder in pairs if name]

    def id_fault(self, arrival: Arrival) -> IdFault | None:
        """Return why the ids of a link cannot be used to pay a worker, or None if they can."""
        return id_fault(arrival.platform_id, arrival.submission_id) if self.is_external else None

    def is_preview(self, query: Mapping[str, str]) -> bool:
        """Return whether the link of a frame is for a worker who is only previewing the task."""
        return False

    def submit_address(self, query: Mapping[str, str]) -> str | None:
        """Return where the form in the frame goes. Return None if the link names another origin."""
        return None

    def notices(self, study: Settings) -> Iterator[Sentence]:
        """Yield messages that a researcher should read before the launch."""
        yield from ()

    def faults(self, settings: Mapping[str, str]) -> Iterator[tuple[str, Sentence]]:
        """Yield the key and the problem of each setting that conflicts with another setting."""
        yield from ()

    def completion_link(self, study: Settings, *, code: str, submission_id: str) -> str:
        """Return the URL for a worker who completed a unit, or "" if the worker stays on this site."""
        return ""

    def no_work_link(self, study: Settings) -> str:
        """Return the URL for a worker without a completed unit, or "" if the worker stays on this site."""
        return ""

    def screen_out_link(self, study: Settings) -> str:
        """Return the URL for a screened-out worker without a completed unit, or "" if no such URL is set."""
        return ""
