"""Coming to a study, coming back, and what is stored of a person."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from judging.core.services.errors import RefusedError
from judging.core.services.studies import mark_simulated, pause_study
from judging.models import Participation, PlatformIdentity, PlatformSubmission, Study
from judging.protocol.judges import SIMULATED
from judging.watching.services.workers import erase_identity
from judging.worker.selectors.participations import find_by_platform_id
from judging.worker.services.arrival import give_consent, link_submission
from judging.worker.services.leaving import withdraw
from tests.factories import NOW, judge_unit, live_assignment, make_study, make_worker
from tests.support.rows import row_counts

pytestmark = pytest.mark.django_db


def consent(study: Study, *, seed: int = 1, **arrival: Any) -> Participation:
    return give_consent(study=study, now=NOW, rng=Random(seed), **arrival)


def test_consent_declined_or_not_yet_given_stores_nothing() -> None:
    study = make_study()
    before = row_counts()
    assert find_by_platform_id(study=study, platform_id="person") is None
    assert row_counts() == before


def test_consent_makes_a_pseudonym_and_remembers_the_version() -> None:
    worker = consent(make_study(consent_version="2026-03"))
    assert (worker.state, worker.consent_version, worker.consented_at) == ("consented", "2026-03", NOW)
    assert len(worker.token) == 26
    assert not PlatformIdentity.objects.exists()


def test_the_platforms_id_stands_in_a_row_of_its_own() -> None:
    worker = consent(make_study(), platform_id="person-17", submission_id="visit-1")
    columns = [field.attname for field in Participation._meta.concrete_fields]
    assert "person-17" not in {str(getattr(worker, column)) for column in columns}
    assert worker.identity.platform_id == "person-17"
    assert list(worker.identity.submissions.values_list("submission_id", flat=True)) == ["visit-1"]


def test_coming_back_by_the_platforms_link_is_the_same_participation() -> None:
    study = make_study()
    worker = make_worker(study, upto="judging", platform_id="person", submission_id="visit-1")
    again = consent(study, seed=2, platform_id="person", submission_id="visit-2")
    assert again == worker
    assert again.state == "ready"
    assert live_assignment(again).state == "judging"
    assert set(PlatformSubmission.objects.values_list("submission_id", flat=True)) == {"visit-1", "visit-2"}


def test_coming_back_is_never_refused() -> None:
    study = make_study()
    worker = consent(study, platform_id="person")
    pause_study(study=study, now=NOW)
    study.refresh_from_db()
    assert consent(study, seed=2, platform_id="person", submission_id="visit-2") == worker
    assert PlatformSubmission.objects.count() == 1
    withdraw(participation=worker, delete_judgments=False, now=NOW)
    assert consent(study, seed=3, platform_id="person").state == "withdrawn"


def test_the_same_submission_twice_is_linked_once_as_of_the_last_time() -> None:
    worker = consent(make_study(), platform_id="person", submission_id="visit-1")
    link_submission(participation=worker, submission_id="visit-1", now=NOW + timedelta(hours=1))
    assert PlatformSubmission.objects.get().linked_at == NOW + timedelta(hours=1)


def test_cookie_lost_the_platforms_id_finds_the_worker_in_this_study_alone() -> None:
    study, other = make_study(), make_study(slug="other")
    worker = make_worker(study, upto="question", platform_id="person")
    assert find_by_platform_id(study=study, platform_id="person") == worker
    assert find_by_platform_id(study=other, platform_id="person") is None
    assert find_by_platform_id(study=study, platform_id="") is None


def test_cookie_lost_the_token_of_the_resume_link_finds_the_worker() -> None:
    study = make_study()
    worker = make_worker(study)
    make_worker(study)
    assert Participation.objects.get(token=worker.token) == worker


def test_without_a_platform_id_everybody_who_consents_is_somebody_new() -> None:
    study = make_study()
    assert consent(study, seed=1) != consent(study, seed=2)


def test_identity_erased_leaves_the_pseudonymous_data_unchanged() -> None:
    study = make_study()
    worker = make_worker(study, platform_id="person", submission_id="visit-1")
    code = judge_unit(worker).completion_code
    before = row_counts()
    erase_identity(participation=worker, now=NOW)
    after = row_counts()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"AuditEntry", "ErasedIdentity", "PlatformIdentity", "PlatformSubmission"}
    assert Participation.objects.get(pk=worker.pk).pseudonym == worker.pseudonym
    assert live_assignment(worker).completion_code == code


@pytest.mark.parametrize(
    "settings",
    [{"opens_at": NOW + timedelta(seconds=1)}, {"closes_at": NOW + timedelta(hours=1)}],
    ids=["before it opens", "after it closes"],
)
def test_outside_its_dates_a_study_takes_nobody(settings: dict[str, object]) -> None:
    study = make_study(**settings)
    moment = NOW if "opens_at" in settings else NOW + timedelta(hours=1)
    with pytest.raises(RefusedError):
        give_consent(study=study, now=moment, rng=Random(1))
    assert not Participation.objects.exists()


def test_a_draft_takes_nobody() -> None:
    with pytest.raises(RefusedError):
        consent(make_study(opened=False))


def test_simulated_and_real_never_mix() -> None:
    study = make_study()
    with pytest.raises(RefusedError):
        consent(study, kind=SIMULATED, behaviour="careful")
    mark_simulated(study=study, now=NOW)
    study.refresh_from_db()
    with pytest.raises(RefusedError):
        consent(study)
    assert not Participation.objects.exists()
    simulated = consent(study, kind=SIMULATED, behaviour="careful")
    assert (simulated.kind, simulated.behaviour) == ("simulated", "careful")


def test_a_study_with_real_participations_is_not_simulated() -> None:
    study = make_study()
    consent(study)
    with pytest.raises(RefusedError):
        mark_simulated(study=study, now=NOW)
    assert not Study.objects.get().simulated


@pytest.mark.parametrize(
    "ids", [{}, {"platform_id": "{{%PID%}}"}, {"platform_id": "a", "submission_id": "${s}"}]
)
def test_nobody_comes_from_a_platform_without_an_id(ids: dict[str, str]) -> None:
    study = make_study(platform="generic", id_parameter="PID")
    with pytest.raises(RefusedError):
        give_consent(study=study, now=NOW, rng=Random(1), **ids)
    assert not Participation.objects.exists()
    mark_simulated(study=study, now=NOW)
    study.refresh_from_db()
    give_consent(study=study, now=NOW, rng=Random(1), kind=SIMULATED, behaviour="careful")


def test_the_form_of_one_person_sent_by_another_makes_another_participation() -> None:
    study = make_study(platform="generic", id_parameter="PID")
    form = "a-token-that-a-form-carried"[:26]
    first, second = (
        give_consent(study=study, now=NOW, rng=Random(seed), platform_id=person, arrival_key=form)
        for seed, person in enumerate(("ann", "bob"))
    )
    assert first.pk != second.pk
    assert give_consent(study=study, now=NOW, rng=Random(9), platform_id="bob", arrival_key=form) == second
