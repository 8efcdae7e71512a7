"""Add labels that were made elsewhere to a study, and remove them."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from pathlib import PurePath
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from evaluation.files.labels import read_labels
from judging.core.selectors.labels import name_fault, unknown_runs
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.core.storable import unstorable
from judging.core.words import translated
from judging.models import Actor, LabelSet, MachineJudge, PoolDocument, Study, Topic, TopicLabels
from judging.models.labels import LONGEST_NAME

_LONGEST_ID: Final = 200
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of signs that are not seen, or change how others are seen."""


class NamedBytes(BytesIO):
    """The bytes of a file, with its name, which errors mention."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


@dataclass(frozen=True)
class AddedLabels:
    """A new set, and the number of its labels.

    `pooled` of them are labels of documents in the pools. `ignored_topics` is the number of topics in the
    file that the study lacks.
    """

    label_set: LabelSet
    labels: int
    pooled: int
    ignored_topics: int


def add_labels(
    *,
    study: Study,
    name: str,
    data: bytes,
    file_name: str,
    columns: Mapping[str, str | int] | None = None,
    family: Sequence[str] = (),
    replaces: bool = False,
    now: datetime,
    actor: Actor = None,
) -> AddedLabels:
    """Add a set of labels to a study: qrels, or CSV, TSV or JSONL whose columns have names.

    `columns` maps the columns `topic_id`, `document_id` and `label` to those of the file. `family` has the
    tags of the runs of the same model. Labels of topics that the study lacks are left out. With `replaces`, a
    set with the same name is removed first.

    Raise InputError if the file cannot be read. Raise RefusedError for a name that is taken or cannot be
    used, for an unknown run, and for a file without a topic of the study. Nothing is added then.
    """
    name = _written_name(name)
    if unknown := unknown_runs(study, family):
        text = _("The study has no run {runs}. Write the tags of runs as the study has them.")
        raise RefusedError(text.format(runs=", ".join(unknown)))
    ratings = read_labels(NamedBytes(data, file_name), columns)
    topics = dict(Topic.objects.filter(study=study).values_list("number", "pk"))
    kept: dict[int, dict[str, float]] = {}
    ignored = set()
    for topic, document, label in ratings.table.select("topic_id", "document_id", "score").iter_rows():
        if topic not in topics:
            ignored.add(topic)
        elif len(document) <= _LONGEST_ID and not unstorable(document):
            kept.setdefault(topics[topic], {})[document] = label
    if not kept:
        raise RefusedError(
            _(
                "No line of the file belongs to a topic of the study. Check that both use the same topic"
                " numbers."
            )
        )
    pool = PoolDocument.objects.filter(topic__in=kept).values_list("topic_id", "document__document_id")
    pooled = sum(document in kept[topic] for topic, document in pool.order_by().iterator())
    with transaction.atomic():
        study = lock_study(study)  # so that a machine judge cannot begin with this name at the same time
        _refuse_taken(study, name, replaces=replaces)
        if replaces:
            LabelSet.objects.filter(study=study, name=name).delete()
        label_set = LabelSet.objects.create(
            study=study,
            name=name,
            file=PurePath(file_name).name[:200],
            sha256=sha256(data).hexdigest(),
            family=list(family),
            added_at=now,
        )
        TopicLabels.objects.bulk_create(
            [
                TopicLabels(
                    label_set=label_set,
                    topic_id=topic,
                    document_ids=sorted(labels),
                    labels=[labels[document] for document in sorted(labels)],
                )
                for topic, labels in sorted(kept.items())
            ],
            batch_size=100,
        )
        number = sum(map(len, kept.values()))
        audit(
            "labels_added",
            study=study,
            actor=actor,
            now=now,
            name=name,
            file=label_set.file,
            sha256=label_set.sha256,
            labels=number,
        )
    return AddedLabels(label_set, number, pooled, len(ignored))


@transaction.atomic
def remove_labels(*, study: Study, name: str, now: datetime, actor: Actor = None) -> None:
    """Remove a set of labels from a study. Raise RefusedError if there is no set with this name."""
    label_set = LabelSet.objects.select_for_update().filter(study=study, name=name).first()
    if label_set is None:
        raise RefusedError(_("The study has no labels named {name}.").format(name=name))
    audit("labels_removed", study=study, actor=actor, now=now, name=name, sha256=label_set.sha256)
    label_set.delete()


def _written_name(name: str) -> str:
    """Return a name that a judge can have, or raise RefusedError."""
    name = name.strip()
    if not name:
        raise RefusedError(_("The labels have no name. Give them the name of their judge."))
    if len(name) > LONGEST_NAME:
        text = _("The name is too long. Shorten it to at most {count} characters.")
        raise RefusedError(text.format(count=LONGEST_NAME))
    if any(unicodedata.category(sign) in _UNSEEN for sign in name):
        raise RefusedError(_("The name has a sign that cannot be shown. Write it with letters and digits."))
    if fault := name_fault(name):
        raise RefusedError(translated(fault))
    return name


def _refuse_taken(study: Study, name: str, *, replaces: bool) -> None:
    is_added = LabelSet.objects.filter(study=study, name=name).exists()
    is_machine = MachineJudge.objects.filter(participation__study=study, name=name).exists()
    if is_machine or (is_added and not replaces):
        raise RefusedError(_taken(name))


def _taken(name: str) -> str:
    return _("The study already has a judge named {name}. Choose another name, or remove it first.").format(
        name=name
    )
