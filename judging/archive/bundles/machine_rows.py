"""Read the rows of the members about judges that are not people."""

from collections.abc import Callable, Iterator
from operator import itemgetter

from django.db.models.functions import Coalesce

from judging.archive.bundles.machine_members import LABELS, MACHINE_CALLS, MACHINE_JUDGES
from judging.archive.bundles.reading import Row, grouped, read_rows
from judging.models import LabelSet, MachineCall, MachineJudge, Study, TopicLabels


def label_rows(study: Study) -> Iterator[Row]:
    """Yield the sets of labels, sorted by name, with only one of them in memory at a time."""
    sets = LabelSet.objects.filter(study=study).order_by()
    for _, key in sorted(sets.values_list("name", "pk")):
        labels = TopicLabels.objects.filter(label_set=key).order_by("topic__place")
        topics = list(read_rows(LABELS.parts("topics"), labels))
        for topic in topics:
            # PostgreSQL returns large floats as whole numbers.
            topic["labels"] = [float(label) for label in topic["labels"]]
        for row in read_rows(LABELS.fields, sets.filter(pk=key)):
            yield row | {"topics": topics}


def machine_judge_rows(study: Study) -> Iterator[Row]:
    """Yield the machine judges, sorted by name."""
    judges = MachineJudge.objects.filter(participation__study=study).order_by()
    of_judges = judges.annotate(judge=Coalesce("first_id", "pk"))
    sittings = grouped("judge", read_rows(MACHINE_JUDGES.parts("sittings"), of_judges, "judge"))
    rows = read_rows(MACHINE_JUDGES.fields, judges.filter(first=None), "pk")
    for row in sorted(rows, key=itemgetter("name")):
        yield row | {"sittings": sorted(sittings[row.pop("pk")], key=itemgetter("sitting"))}


def machine_call_rows(study: Study) -> Iterator[Row]:
    """Yield the calls of the machine judges, with only the calls of one sitting in memory at a time."""
    judges = MachineJudge.objects.filter(participation__study=study).order_by()
    for _, _, key in sorted(judges.values_list("name", "sitting", "pk")):
        yield from read_rows(MACHINE_CALLS.fields, MachineCall.objects.filter(judge=key).order_by("pk"))


def only_with_machines(reader: Callable[[Study], Iterator[Row]]) -> Callable[[Study], Iterator[Row]]:
    """Return a function that yields the rows of a reader if a study has machine judges, and else none."""

    def read(study: Study) -> Iterator[Row]:
        if MachineJudge.objects.filter(participation__study=study).exists():
            yield from reader(study)

    return read
