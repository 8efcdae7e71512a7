"""Read the rows of the members about judges that are not people."""

from collections.abc import Iterator

from judging.archive.bundles.machine_members import LABELS
from judging.archive.bundles.reading import Row, read_rows
from judging.models import LabelSet, Study, TopicLabels


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
