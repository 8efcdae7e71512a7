"""The interface of what a platform can do with its paid workers.

`judging.platforms.services.settling` decides who is approved and paid, and marks the payments. The methods of
`Operations` only ask the platform to act. `judging.management.platforms` turns them into a command.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pkgutil import resolve_name
from typing import Any, ClassVar

from judging.core.services.errors import RefusedError
from judging.models import Study
from judging.platforms.selectors.visits import PaidVisit, platform_studies
from judging.protocol.platforms.base import Platform


class UnansweredError(RefusedError):
    """There was no valid answer, so nobody knows whether the request had an effect."""


@dataclass(frozen=True)
class Submission:
    """A worker's visit as the platform lists it, with the platform's ids of the visit and the worker."""

    id: str
    worker: str
    status: str


@dataclass(frozen=True)
class Bonus:
    """A request that pays the bonuses of some visits, and the line to print after the payment."""

    id: str
    visits: Sequence[PaidVisit]
    paid: str


class Operations(ABC):
    """The operations of a platform for one study. `options` are those of the command.

    All methods raise RefusedError if the platform refuses. Unless `can_repeat_bonus` is set, `pay_bonus` must
    raise UnansweredError if the platform does not answer. If the platform can also reject work or send
    messages to workers, derive from `CanReject`, `CanMessage` or both.
    """

    title: ClassVar[str]
    """The platform's name in sentences."""
    noun: ClassVar[str] = "submission"
    """What the platform calls a visit."""
    currency: ClassVar[str] = ""
    """The only currency in which the platform pays, or "" if it can pay in several."""
    waiting: ClassVar[str]
    """The status of a submission that can be approved."""
    rewarded: ClassVar[Mapping[str, str]]
    """Maps the state of the reward's payment to the status of a submission whose reward is paid."""
    in_progress: ClassVar[Collection[str]] = ()
    """The statuses in which no bonus is paid yet."""
    freeing: ClassVar[Collection[str]] = ()
    """The statuses after which the worker can no longer submit. If there are any, statuses are recorded."""
    can_repeat_bonus: ClassVar[bool] = False
    """Whether a request that pays a bonus can be repeated, because the platform pays it only once."""
    most_bonuses: ClassVar[int | None] = None
    """The maximum number of visits whose bonuses are confirmed together."""
    counts_statuses: ClassVar[bool] = False
    """Whether the list of submissions ends with the number of submissions in each status."""
    further: ClassVar[Mapping[str, str]] = {}
    """Maps the name of each method that only this platform has to its help. It returns lines to print."""
    arguments: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Maps each option that only this platform has to the keyword arguments of `add_argument`."""

    def __init__(self, study: Study, options: Mapping[str, Any]) -> None:
        self.study, self.options = study, options

    def rewards(self) -> Mapping[str, Decimal]:
        """Return the rewards of the study on the platform, by what they belong to. Empty if unknown."""
        return {}

    @abstractmethod
    def submissions(self) -> Iterable[Submission]:
        """Return the submissions of the study on the platform."""

    @abstractmethod
    def approve(self, submission: str) -> None:
        """Approve a submission, so that the platform pays its reward. A second request changes nothing."""

    @abstractmethod
    def prepare_bonuses(self, visits: Sequence[PaidVisit]) -> tuple[str, list[Bonus]]:
        """Return lines that show what the bonuses of these visits cost, and the requests that pay them."""

    @abstractmethod
    def pay_bonus(self, bonus: Bonus) -> None:
        """Send a request that `prepare_bonuses` returned."""

    def ids_there(self, given: Iterable[str], called: str, hint: str) -> list[str]:
        """Return the platform's own ids of the study: those given, or else the id in the workers' links.

        Raise RefusedError if no id is given and the links contain no id or several. Plumbline does not choose
        between several ids, because anybody can change the id in a link.
        """
        if named := list(given):
            return named
        if len(ids := platform_studies(self.study)) == 1:
            return ids
        seen = f"Workers came from the {called} {', '.join(ids)}." if ids else "No worker has come yet."
        raise RefusedError(f"{seen} {hint}")


class CanReject(Operations):
    """Operations of a platform on which Plumbline can reject work. It does so only if somebody asks.

    The command has the option `--reason`, which bonuses can show to workers too.
    """

    @abstractmethod
    def reject(self, submission: str, reason: str) -> None:
        """Reject a submission, with a reason that the worker reads."""


class CanMessage(Operations):
    """Operations of a platform through which Plumbline can write to workers."""

    @abstractmethod
    def message(self, worker: str, text: str) -> None:
        """Send a message to the worker with this platform id."""


def operations_of(platform: Platform) -> type[Operations]:
    """Return the class of operations that a platform declares."""
    operations: type[Operations] = resolve_name(platform.operations)
    return operations
