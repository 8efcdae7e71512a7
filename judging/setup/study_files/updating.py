"""Update a study from its file. Almost nothing can change after workers have seen a topic."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from judging.core import access
from judging.core.faults import Faults
from judging.core.selectors.attempts import has_begun
from judging.core.selectors.readiness import readiness
from judging.core.services.deleting import clear_contents, forget_setup
from judging.core.services.events import audit, difference
from judging.core.services.planning import plan_missing_units
from judging.core.study_imports import Progress
from judging.models import Actor, PoolDocument, Run, Study, Topic, Unit
from judging.models.setting_fields import columns_of_settings
from judging.protocol.anchor_pairs import Anchor
from judging.protocol.states import StudyState
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import Chance, FrozenPool, FrozenPools, StudyContent
from judging.setup.study_files.comparing import Comparison, follows_settings
from judging.setup.study_files.describing import describe_fields, describe_topics
from judging.setup.study_files.writing import Writer

Described = tuple[dict[str, str | None], dict[str, dict[str, str]], set[str]]
"""The fields of a study, the parts of its topics, and the tags of its runs."""


def _lock_units_and_check_begun(study: Study) -> bool:
    """Lock all units, so that no worker can reserve one, and return whether a worker has seen a topic."""
    list(
        Unit.objects.select_for_update(of=("self",), no_key=True)
        .filter(topic__study=study)
        .order_by("pk")
        .values_list("pk")
    )
    return has_begun(study)


def frozen_pools(study: Study) -> FrozenPools:
    """Return the pools of topics that workers may have seen, by topic number.

    Until a worker has seen a topic, the dict is empty. After that, it contains all pools of the study.
    """
    if not has_begun(study):
        return {}
    pools: dict[str, set[str]] = {}
    anchors: dict[str, dict[Anchor, str]] = {}
    chances: dict[str, dict[str, Chance]] = {}
    rows = PoolDocument.objects.filter(topic__study=study).values_list(
        "topic__number", "document__document_id", "anchor", "inclusion", "sampled", "draw__number"
    )
    for topic, document, anchor, inclusion, sampled, draw in rows:
        chances.setdefault(topic, {})[document] = Chance(inclusion, sampled, draw)
        pools.setdefault(topic, set()).add(document)
        if anchor:
            anchors.setdefault(topic, {})[Anchor(anchor)] = document
    return {
        topic: FrozenPool(frozenset(documents), anchors.get(topic, {}), chances[topic])
        for topic, documents in pools.items()
    }


@transaction.atomic
def update_study(
    study: Study,
    content: StudyContent,
    faults: Faults,
    *,
    now: datetime,
    progress: Progress,
    actor: Actor = None,
) -> int:
    """Change the study to match `content`, and return the number of planned units.

    `actor` is a user, or None on the command line. The command line can make the same changes as an owner.
    The set-up of the study is deleted, because it is out of date. Raise StudyRefusedError, and change
    nothing, if a change is no longer possible, or if `actor` is not allowed to make it. Also raise
    StudyRefusedError if the study is open or paused, but would no longer meet the conditions for opening a
    study.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    names = sorted(name for name in content.fields if not follows_settings(name, study, content))
    before = _described(study, names)
    if has_begun(study) or _lock_units_and_check_begun(study):
        comparison = Comparison(study, content, faults)
        comparison.compare()
        if actor is not None and not access.may_change_terms(actor, study):
            _refuse_terms(comparison.changed, content, faults)
        faults.raise_if_any()
        changed = comparison.changed
        topics, place = comparison.new_topics, comparison.next_place
        grown = comparison.grown
        for topic in comparison.retitled:
            Topic.objects.filter(study=study, number=topic.number).update(
                title=topic.title, anchor_reason=topic.anchor_reason
            )
    else:
        changed = content.fields
        topics, place, grown = content.topics, 0, []
        clear_contents(study)
        Topic.objects.filter(study=study).delete()
    _change_fields(study, changed)
    writer = Writer(study, content, progress, now=now)
    writer.write_topics(topics, first_place=place)
    if grown:
        numbers = [topic.number for topic in grown]
        stored = Topic.objects.filter(study=study, number__in=numbers)
        writer.write_contents(grown, {topic.number: topic for topic in stored})
    writer.write_runs()
    planned = _plan(study, content, faults)
    forget_setup(study=study)
    audit(
        "updated",
        study=study,
        actor=actor,
        now=now,
        units_planned=planned,
        **_changes(before, _described(Study.objects.get(pk=study.pk), names)),
    )
    return planned


def _refuse_terms(changed: Mapping[str, object], content: StudyContent, faults: Faults) -> None:
    for name in sorted(changed.keys() & access.TERMS):
        text = _(
            "The study has begun, so only its owners can change this. Undo the change, or ask an"
            " owner to make it."
        )
        faults.add(content.where[name], name, text)


def _described(study: Study, names: list[str]) -> Described:
    runs = set(Run.objects.filter(study=study).values_list("tag", flat=True))
    return describe_fields(study, names), describe_topics(study), runs


def _changes(before: Described, after: Described) -> dict[str, object]:
    """Return the changes of an update: topics and runs that were added or removed, and changed values."""
    (fields, topics, runs), (new_fields, new_topics, new_runs) = before, after
    for number in topics.keys() & new_topics.keys():
        fields |= topics[number]
        new_fields |= new_topics[number]
    return {
        "topics_added": [number for number in new_topics if number not in topics],
        "topics_removed": [number for number in topics if number not in new_topics],
        "runs_added": sorted(new_runs - runs),
        "runs_removed": sorted(runs - new_runs),
        **difference(dict(sorted(fields.items())), dict(sorted(new_fields.items()))),
    }


def _change_fields(study: Study, fields: dict[str, object]) -> None:
    for name, value in fields.items():
        setattr(study, name, value)
    study.save(update_fields=columns_of_settings(fields))


def _plan(study: Study, content: StudyContent, faults: Faults) -> int:
    """Plan the units of a study that is open or paused, and return their number."""
    if study.state not in (StudyState.OPEN, StudyState.PAUSED):
        return 0
    text = _(
        "The study is {state}, but with this file it would no longer meet the conditions for "
        "opening a study: {problem}"
    )
    for fault in readiness(study, now=None).faults:
        faults.add(content.file, "", text, state=study.state, problem=fault)
    faults.raise_if_any()
    return plan_missing_units(study=study)
