"""What imports of study files and of bundles share: the check of the slug, the progress and the result."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from django.core.validators import slug_re

from judging.core.faults import shown
from judging.models import Study
from judging.protocol.settings import SLUG
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

Item = TypeVar("Item")


@dataclass(frozen=True)
class Imported:
    """The imported study, notices about ignored data, and the numbers of imported rows.

    `study` is the front of a study with arms. `arms` is the number of arms, or 0 for a study without arms.
    """

    study: Study
    notices: list[Sentence | str]
    topics: int
    documents: int
    runs: int
    units_planned: int = 0
    judgments: int = 0
    arms: int = 0


Written = Callable[[Imported], None]
"""A function to call inside the transaction of the import. If it raises an error, the import is undone."""


class Progress(Protocol):
    """A function that takes the same arguments as `tqdm`, shows a progress bar and yields the items."""

    def __call__(
        self, items: Iterable[Item], /, *, desc: str, unit: str, total: int | None = None
    ) -> Iterable[Item]: ...


def no_progress(
    items: Iterable[Item], /, *, desc: str, unit: str, total: int | None = None
) -> Iterable[Item]:
    return items


def slug_fault(slug: str) -> Sentence | None:
    """Return why a string cannot be a slug, or None."""
    if slug_re.fullmatch(slug) and len(slug) <= (SLUG.longest or 0):
        return None
    return Sentence(
        _("{slug} cannot be used in a web address. Use up to {number} letters, digits, - and _."),
        {"slug": shown(slug), "number": SLUG.longest},
    )
