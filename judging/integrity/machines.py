"""Rules about machine judges: their sittings, units and calls belong to one study and one kind of judge."""

from django.db.models import F, Q, QuerySet

from judging.integrity.rules import invariant
from judging.models import MachineCall, MachineJudge, MachineUnit
from judging.protocol.judges import MACHINE

_KIND = MACHINE.name


@invariant("A machine judge takes part as a machine judge.")
def machine_judge_of_its_kind() -> QuerySet[MachineJudge]:
    return MachineJudge.objects.exclude(participation__kind=_KIND)


@invariant("All sittings of a machine judge are in one study, under one name, with one prompt.")
def machine_sitting_of_its_judge() -> QuerySet[MachineJudge]:
    same = Q(
        participation__study=F("first__participation__study"),
        name=F("first__name"),
        model=F("first__model"),
        prompt_sha256=F("first__prompt_sha256"),
        first__first=None,
    )
    return MachineJudge.objects.exclude(first=None).exclude(same)


@invariant("A unit that is planned for a machine judge is for machine judges, and in the study of the judge.")
def machine_unit_of_its_judge() -> QuerySet[MachineUnit]:
    own = Q(unit__kind=_KIND, unit__topic__study=F("judge__participation__study"), judge__first=None)
    return MachineUnit.objects.exclude(own)


@invariant("A call to a model is about a topic of the judge’s study, and about documents of this topic.")
def machine_call_of_its_topic() -> QuerySet[MachineCall]:
    other_study = Q(topic__isnull=False) & ~Q(topic__study=F("judge__participation__study"))
    other_topic = Q(document__isnull=False) & ~Q(document__topic=F("topic"))
    second = Q(other__isnull=False) & ~Q(other__topic=F("topic"))
    return MachineCall.objects.filter(other_study | other_topic | second)
