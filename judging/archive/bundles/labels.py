"""Write the labels of a bundle that were added from files."""

from collections.abc import Iterator, Mapping

from judging.archive.bundles import layout
from judging.archive.bundles.values import RowFaultError
from judging.archive.bundles.writing import Batch, Lined, MemberWriter, Values, look_up, own
from judging.core.selectors.labels import name_fault
from judging.models import LabelSet, TopicLabels
from judging.protocol.words import gettext_noop as _

_LENGTHS = _("The lists of documents and labels differ in length, or are empty. Export the bundle again.")
_NOT_SORTED = _("The documents are not sorted, or a document is listed twice. Export the bundle again.")


def write_labels(writer: MemberWriter, topics: Mapping[str, int]) -> set[str]:
    """Write the sets of labels, and return their names. `topics` maps the number of each topic to its key."""

    def make(values: Values) -> LabelSet:
        if fault := name_fault(values["name"]):
            raise RowFaultError("name", fault.text, **fault.values)
        for part in values["topics"]:
            _check(part, topics)
        return LabelSet(study=writer.study, **own(layout.LABELS, values))

    def parts(batch: Batch[LabelSet]) -> Iterator[Lined]:
        for row, label_set in batch:
            for part in row.values["topics"]:
                yield (
                    row.line,
                    TopicLabels(
                        label_set=label_set,
                        topic_id=topics[part["topic"]],
                        document_ids=part["documents"],
                        labels=part["labels"],
                    ),
                )

    names = set()
    for batch in writer.write(layout.LABELS, make):
        names |= {row.values["name"] for row, _set in batch}
        writer.write_parts(layout.LABELS, parts(batch))
    return names


def _check(part: Values, topics: Mapping[str, int]) -> None:
    """Raise RowFaultError if the labels of a topic are not those of one sorted list of documents."""
    look_up(topics, part["topic"], "topics.topic", layout.TOPICS)
    documents = part["documents"]
    if not documents or len(documents) != len(part["labels"]):
        raise RowFaultError("topics.labels", _LENGTHS)
    if sorted(set(documents)) != documents:
        raise RowFaultError("topics.documents", _NOT_SORTED)
