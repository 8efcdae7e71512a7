"""A crowd with a spammer and a bad anchor planted in it: both are pointed out, and hardly anybody else."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from evaluation.crowds import CAREFUL
from judging.crowd.kinds import KINDS, SPAMMER
from judging.crowd.mind import Mind, Reaction
from judging.crowd.simulation import START, Crowd, prepare, simulate
from judging.models import PoolDocument, Study, WorkerFigures
from judging.setup.study_files.importing import import_study
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.selectors.topic_quality import topic_quality
from tests.crowd.conftest import SAMPLE

pytestmark = [pytest.mark.django_db, pytest.mark.long]

# One that gets past every check, as only such do harm: it waits, guesses right, and turns its numbers round.
SLY = replace(SPAMMER, eye=0.01, understands=1.0, stays=1.0, breaks_off=0.0)
HONEST = replace(CAREFUL, spammers=0.08, patience=1.0)
"""A careful crowd, and spammers in it."""


@pytest.fixture(scope="module")
def planted(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Study]:
    """The sample study, the anchors of one topic exchanged, judged by honest workers and sly spammers."""
    with (
        pytest.MonkeyPatch.context() as patch,
        django_db_blocker.unblock(),
        transaction.atomic(),
    ):
        patch.setitem(KINDS, "spammer", SLY)
        patch.setattr(Mind, "react", react)
        study = import_study(SAMPLE, slug="planted", now=START - timedelta(days=1)).study
        exchange_anchors(study)
        prepare(study, START)
        simulate(study, Crowd(workers=60, seed=3, model=HONEST), START)
        compute_statistics(study=study, now=START + timedelta(days=9))
        yield study
        transaction.set_rollback(True)


def react(mind: Mind, drawn: Callable[[Mind], Reaction] = Mind.react) -> Reaction:
    return Reaction.INVERT if mind.kind.name == "spammer" else drawn(mind)


def exchange_anchors(study: Study) -> None:
    """The second topic's H document becomes its N document, and the other way round."""
    pool = PoolDocument.objects.filter(topic=study.topics.order_by("place")[1])
    high, low = pool.get(anchor="H"), pool.get(anchor="N")
    pool.exclude(anchor="").update(anchor="")
    PoolDocument.objects.filter(pk=high.pk).update(anchor="N")
    PoolDocument.objects.filter(pk=low.pk).update(anchor="H")


def test_the_bad_anchor_is_found_and_no_other(planted: Study) -> None:
    results = [bool(item.bad_anchor) for item in topic_quality(planted)]
    assert results == [place == 1 for place in range(len(results))]
    assert not any(item.bad_question for item in topic_quality(planted))


def test_the_spammers_are_flagged_and_hardly_anybody_else(planted: Study) -> None:
    rows = WorkerFigures.objects.filter(participation__study=planted, completed__gte=2)
    spammers = rows.filter(participation__behaviour="spammer")
    assert spammers.count() >= 2
    assert all(row.flagged for row in spammers), [row.flags for row in spammers]
    assert any(row.agreement is not None and row.agreement < 0 for row in spammers)
    assert max(row.flagged for row in spammers) > 1, "for their repeated reasons too"
    honest = rows.exclude(participation__behaviour="spammer")
    wrongly = [row for row in honest if row.flagged]
    assert honest.count() >= 15
    assert len(wrongly) <= 2, [row.flags for row in wrongly]
