"""Declare a rule about the data with a decorator, and find the rows that break it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from django.db.models import Model, QuerySet

from judging.models import (
    Assignment,
    DisagreementVerdict,
    Event,
    Judgment,
    KnownGrade,
    MachineCall,
    MachineJudge,
    MachineUnit,
    Participation,
    PlatformIdentity,
    PoolDocument,
    Ranking,
    SampleDraw,
    Study,
    Topic,
    TopicLabels,
    Unit,
    UnitDocument,
    Visit,
    WorkerLink,
)

EXAMPLES: Final = 3


class _RowDescription(NamedTuple):
    """How to describe a row of a model: the path to its study, a template, and the template's fields.

    The path is empty for studies themselves.
    """

    study: str
    template: str
    fields: tuple[str, ...]


_WORKER: Final = "participation__pseudonym"
_ROW_DESCRIPTIONS: Final[dict[type[Model], _RowDescription]] = {
    Study: _RowDescription("", "platform {}", ("platform",)),
    Topic: _RowDescription("study", "topic {}", ("number",)),
    PoolDocument: _RowDescription(
        "topic__study", "document {} of topic {}", ("document__document_id", "topic__number")
    ),
    SampleDraw: _RowDescription("study", "draw {}", ("number",)),
    Unit: _RowDescription("topic__study", "unit {}-{:04d}", ("topic__number", "number")),
    UnitDocument: _RowDescription(
        "unit__topic__study",
        "document {} of unit {}-{:04d}",
        ("pool_document__document__document_id", "unit__topic__number", "unit__number"),
    ),
    Participation: _RowDescription("study", "worker {}", ("pseudonym",)),
    PlatformIdentity: _RowDescription("study", "identity of worker {}", (_WORKER,)),
    WorkerLink: _RowDescription("study", "personal link {}", ("number",)),
    Assignment: _RowDescription(
        "participation__study",
        "attempt {} of worker {} (unit {}-{:04d})",
        ("number", _WORKER, "unit__topic__number", "unit__number"),
    ),
    Judgment: _RowDescription(
        "assignment__participation__study",
        "place {} in attempt {} of worker {}",
        ("position", "assignment__number", f"assignment__{_WORKER}"),
    ),
    Visit: _RowDescription(
        "assignment__participation__study",
        "visit {} in attempt {} of worker {}",
        ("pk", "assignment__number", f"assignment__{_WORKER}"),
    ),
    Event: _RowDescription("study", "event {} ({}) of worker {}", ("pk", "kind", _WORKER)),
    Ranking: _RowDescription("run__study", "run {} on topic {}", ("run__tag", "topic__number")),
    KnownGrade: _RowDescription(
        "grade_set__study",
        "grade {} of document {} for topic {}",
        ("grade_set__name", "document_id", "topic__number"),
    ),
    TopicLabels: _RowDescription(
        "label_set__study", "labels {} on topic {}", ("label_set__name", "topic__number")
    ),
    MachineJudge: _RowDescription(
        "participation__study", "machine judge {}, sitting {}", ("name", "sitting")
    ),
    MachineUnit: _RowDescription(
        "judge__participation__study",
        "unit {}-{:04d} of machine judge {}",
        ("unit__topic__number", "unit__number", "judge__name"),
    ),
    MachineCall: _RowDescription(
        "judge__participation__study", "call {} of machine judge {}", ("pk", "judge__name")
    ),
    DisagreementVerdict: _RowDescription(
        "grade_set__study",
        "verdict by {} on document {} of topic {}",
        ("grade_set__name", "pool_document__document__document_id", "pool_document__topic__number"),
    ),
}


@dataclass(frozen=True)
class Invariant:
    """A rule, and a query for the rows that break it. The rows' model must be in `_ROW_DESCRIPTIONS`."""

    name: str
    rule: str
    broken: Callable[[], QuerySet[Model]]


INVARIANTS: Final[list[Invariant]] = []
_Broken = TypeVar("_Broken", bound=Callable[[], QuerySet[Model]])


def invariant(rule: str) -> Callable[[_Broken], _Broken]:
    """Return a decorator that declares a rule under the name of the decorated function.

    The decorated function returns the rows that break the rule.
    """

    def declare(broken: _Broken) -> _Broken:
        INVARIANTS.append(Invariant(broken.__name__, rule, broken))
        return broken

    return declare


@dataclass(frozen=True)
class Breach:
    """The rows that break a rule: their number, and descriptions of the first few, with their studies."""

    invariant: Invariant
    number: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        more = ", …" if self.number > len(self.examples) else ""
        return (
            f"{self.invariant.rule} Broken {self.number:,} "
            f"{'time' if self.number == 1 else 'times'}: {'; '.join(self.examples)}{more}"
        )


def breaches(invariants: Iterable[Invariant], study: Study | None = None) -> Iterator[Breach]:
    """Yield a Breach for each rule that is broken in one study or, if `study` is None, on the whole site.

    This takes one query for each rule, and another for each broken rule.
    """
    for invariant in invariants:
        rows = invariant.broken().order_by()
        names = _ROW_DESCRIPTIONS[rows.model]
        if study is not None:
            rows = rows.filter(**{names.study or "pk": study.pk})
        columns = (f"{names.study}__slug" if names.study else "slug", *names.fields)
        if first_rows := list(rows.order_by("pk").values_list(*columns)[:EXAMPLES]):
            examples = tuple(f"{slug}: {names.template.format(*fields)}" for slug, *fields in first_rows)
            # On a site in use, the count may have changed since the first query.
            yield Breach(invariant, max(rows.count(), len(examples)), examples)
