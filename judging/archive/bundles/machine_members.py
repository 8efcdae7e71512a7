"""The members of a bundle about judges that are not people."""

from typing import Final

from judging.archive.bundles.fields import TOPIC, Field, Kind, Member, fields_of
from judging.models import LabelSet, TopicLabels

LABELS: Final = Member(
    "labels.jsonl",
    "the labels that were added from files, by the name of their judge; missing if there are none",
    LabelSet,
    (
        *fields_of(
            ("name", Kind.TEXT, "the name of the judge"),
            ("file", Kind.TEXT, "the name of the file"),
            ("sha256", Kind.TEXT, "the checksum of the file"),
            ("family", Kind.TEXTS, "the tags of the runs that come from the same model"),
            ("added_at", Kind.TIME, "when the labels were added"),
        ),
        Field(
            "topics",
            Kind.OBJECTS,
            "the labels of each topic, in the order of the topics",
            model=TopicLabels,
            fields=(
                TOPIC,
                Field("documents", Kind.TEXTS, "the ids of the documents, sorted", "document_ids"),
                Field("labels", Kind.NUMBERS, "their labels"),
            ),
        ),
    ),
    is_needed=False,
)
