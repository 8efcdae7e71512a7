"""Which kinds of judges a study counts. Every query whose result is a number or a list starts here.

Without `kinds`, a function counts what the study counts: people, or the simulated crowd in a rehearsal. Other
kinds of judges, such as machine judges beside people, enter a number only if a caller asks for them.
"""

from collections.abc import Collection, Sequence

from django.db.models import Q, QuerySet

from judging.models import Assignment, Event, Participation, Study, Unit
from judging.protocol.judges import kinds_in

Kinds = Collection[str] | None
"""The names of the kinds of judges to count, or None for the kinds that the study counts."""


def counted_in(*, rehearsal: bool) -> list[str]:
    """Return the names of the kinds that count in a rehearsal, or else in a real study."""
    return [kind.name for kind in kinds_in(rehearsal=rehearsal) if kind.counts]


def counted_kinds(study: Study, kinds: Kinds = None) -> list[str]:
    """Return the names of the kinds that a study counts, or the kinds that a caller asks for."""
    return counted_in(rehearsal=study.simulated) if kinds is None else sorted(kinds)


def kinds_with_pay(study: Study) -> list[str]:
    """Return the names of the kinds whose pay a study counts: all that are paid, and those that it counts."""
    kinds = kinds_in(rehearsal=study.simulated)
    return [kind.name for kind in kinds if kind.is_paid or kind.counts]


def planned_kind(study: Study) -> str:
    """Return the name of the kind that the study's units are planned for."""
    return study.judges.name


def workers_of(study: Study, kinds: Kinds = None) -> QuerySet[Participation]:
    """Return the workers of a study that count."""
    return Participation.objects.filter(study=study, kind__in=counted_kinds(study, kinds))


def units_of(study: Study, kinds: Kinds = None) -> QuerySet[Unit]:
    """Return the units of a study that count."""
    return Unit.objects.filter(topic__study=study, kind__in=counted_kinds(study, kinds))


def attempts_of(study: Study, kinds: Kinds = None) -> QuerySet[Assignment]:
    """Return the attempts of the workers that count."""
    return Assignment.objects.filter(by_counted(study, kinds=kinds), topic__study=study)


def events_of(study: Study, kinds: Kinds = None) -> QuerySet[Event]:
    """Return the events of the workers that count."""
    return Event.objects.filter(by_counted(study, kinds=kinds), study=study)


def by_counted(study: Study, path: str = "", *, kinds: Kinds = None) -> Q:
    """Return the condition that rows of a study belong to workers that count.

    `path` is the lookup from the rows to the model that has the field `participation`, such as
    `assignment__`. The condition leaves out the workers that do not count. Nearly every study has none, so
    this is faster than a join with all workers.
    """
    others = Participation.objects.filter(study=study).exclude(kind__in=counted_kinds(study, kinds))
    return ~Q(**{f"{path}participation__in": others.order_by()})


def by_counted_in(studies: QuerySet[Study] | Sequence[Study]) -> Q:
    """Return the condition that rows of several studies belong to workers that their studies count."""
    others = Participation.objects.filter(study__in=studies).exclude(counting())
    return ~Q(participation__in=others.order_by())


def counting(path: str = "", study: str = "study__") -> Q:
    """Return the condition that rows belong to a kind that their study counts.

    `path` is the lookup from the rows to the model that has the field `kind`, a participation or a unit.
    `study` is the lookup from there to the study.
    """
    real, rehearsed = ({f"{path}{study}simulated": rehearsal} for rehearsal in (False, True))
    return Q(**real, **{f"{path}kind__in": counted_in(rehearsal=False)}) | Q(
        **rehearsed, **{f"{path}kind__in": counted_in(rehearsal=True)}
    )
