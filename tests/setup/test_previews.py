"""A preview: the workers' real pages on a throw-away copy, for one person, and counted nowhere."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management import call_command
from django.test import Client

from judging.archive.backup.values import lines_of
from judging.archive.catalogue import OFFERED, export_chunks
from judging.core.clock import now
from judging.core.services.members import set_role
from judging.integrity import INVARIANTS, breaches
from judging.limits import KEPT_PREVIEW
from judging.models import Membership, Participation, PoolDocument, Question, Role, Study, Topic
from judging.protocol.platforms.ids import IdFault
from judging.protocol.steps import Step
from judging.site.counts import site_counts
from judging.understanding.jobs.completing import request_due_reports
from judging.watching.selectors.notices import due_notices
from judging.watching.selectors.worker_statistics import studies_to_compute
from judging.worker.pages.previews import MADE_UP, PAGES
from judging.worker.pages.refusals import ID_FAULTS
from judging.worker.services.previews import begin_preview, forget_old_previews
from tests.archive.exports.conftest import make_judged_study
from tests.factories import NOW, make_study, make_topic
from tests.support.databases import ON_SQLITE
from tests.support.html import compact
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import judge_all, practise, take_topic

AS_WORKER = "/console/studies/study/as-worker/"
CONSOLE = ("", "workers/", "events/", "quality/", "payments/", "table1/", "audit/", "set-up/", "jobs/")


@pytest.fixture
def study(db: None) -> Study:
    return make_study(opened=False)


def the_preview() -> Study:
    return Study.with_hidden.exclude(preview_of=None).get()


def rows() -> dict[str, int]:
    models = list(apps.get_app_config("judging").get_models())
    return {model.__name__: model._base_manager.count() for model in models}


def begin(client: Client, page: str = "information", **fields: str) -> Any:
    return client.post(AS_WORKER, {"page": page, **fields}, follow=True)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("state", ["draft", "open", "paused", "closed"])
def test_each_page_is_the_workers_own(console: Client, page: str, state: str) -> None:
    original = make_study()
    Study.objects.update(state=state)
    answer = begin(console, page)
    preview = the_preview()
    place = {"practice": "1/0/", "topic": "1/", "judge": "1/0/"}
    address = "" if page == "information" else f"{page}/{place.get(page, '')}"
    assert answer.status_code == 200
    assert answer.request["PATH_INFO"] == f"/s/{preview.slug}/{address}"
    shown = "pay" if page == "units" else page
    assert f"worker/{shown}.html" in [template.name for template in answer.templates]
    assert (preview.preview_of, preview.state) == (original, "open")
    assert not list(breaches(INVARIANTS))
    workers = Participation.objects.filter(study=preview)
    assert workers.count() == (page != "information")


def test_the_whole_way_goes_by_the_real_forms(researcher: AbstractBaseUser, study: Study) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(researcher)
    visitor = Visitor(through_client(client))
    visitor.open("/console/studies/study/set-up/")
    button = next(form for form in visitor.page.forms if form.action == AS_WORKER)
    visitor.post(AS_WORKER, visitor.filled(button) | {"waits": "no"})
    consent = visitor.page.form_with("consent")
    visitor.post(visitor.target(consent), visitor.filled(consent) | {"consent": "yes"})
    worker = Participation.objects.get(study=the_preview())
    practise(visitor)
    take_topic(visitor, worker)
    assert visitor.page.step == "judge"
    judge_all(visitor, worker)
    assert visitor.page.step == "units"
    assert worker.assignments.get().completion_code in visitor.page.text
    assert visitor.page.presses().count("next") == 1, "another topic is offered"
    assert not list(breaches(INVARIANTS))


def test_time_counts_as_for_a_worker_unless_told_otherwise(console: Client, study: Study) -> None:
    for fields, seconds in (({}, study.seconds_per_document), ({"waits": "no"}, 0)):
        begin(console, "judge", **fields)
        assert the_preview().seconds_per_document == seconds
        begin(console, "units", **fields)
        assert Participation.objects.get(study=the_preview()).assignments.get().state == "completed"


def test_nothing_comes_too_soon_where_being_screened_out_is_paid(console: Client) -> None:
    make_study(seconds_per_document=200, pay_screened_out="0.50")
    begin(console, "units")
    assert Participation.objects.get(study=the_preview()).assignments.get().state == "completed"


def test_a_topic_can_be_chosen(console: Client, study: Study) -> None:
    topics = list(study.topics.order_by("place"))
    for topic in topics:
        answer = begin(console, "topic", topic=topic.number)
        assert answer.context["topic"].number == topic.number
        assert f'<option value="{topic.number}" selected>' in compact(answer.content.decode())
    begin(console, "topic", topic="no such topic")
    assert the_preview().topics.count() == len(topics)


def test_the_end_of_a_preview_says_that_it_was_one(console: Client, study: Study) -> None:
    page = begin(console, "units", topic=study.topics.get(place=1).number).content.decode()
    assert re.findall(r'data-(?:told|why)="(\w+)"', page) == ["completed", "no_work", "preview_over"]


def test_a_jump_leaves_nothing_of_the_one_before(console: Client, study: Study) -> None:
    begin(console, "units")
    first = rows()
    begin(console, "units", topic="401")
    begin(console, "units")
    assert {**rows(), "Event": 0} == {**first, "Event": 0}
    assert [morsel for morsel in console.cookies if morsel.startswith("plumbline_")] == [
        f"plumbline_{the_preview().slug}"
    ]


def test_a_draft_is_shown_without_its_incomplete_topics(console: Client, study: Study) -> None:
    asked, anchored, small = (make_topic(study, place=place) for place in (2, 3, 4))
    Question.objects.filter(topic=asked).delete()
    PoolDocument.objects.filter(topic=anchored, anchor="H").update(anchor="")
    PoolDocument.objects.filter(topic=small, document__document_id__endswith="005").delete()
    Study.objects.update(information="", consent="")
    answer = begin(console, "judge")
    assert answer.status_code == 200
    assert [topic.number for topic in the_preview().topics.order_by("place")] == ["401", "402"]
    missing = answer.content.decode().partition('<ul id="left-out">')[2].partition("</ul>")[0]
    assert re.findall(r"<li>Topic (\d+) ", missing) == ["403", "404", "405"]


def test_a_study_without_a_complete_topic_is_shown_up_to_its_task(console: Client, study: Study) -> None:
    Topic.objects.filter(study=study).delete()
    assert begin(console).status_code == 200
    answer = begin(console, "judge")
    assert answer.request["PATH_INFO"] == f"/s/{the_preview().slug}/task/"
    page = answer.content.decode()
    assert re.findall(r'data-(?:told|why)="(\w+)"', page) == ["no_work", "no_topic"]
    assert "/console/studies/study/setup/topics/" in page


def test_only_who_began_a_preview_can_open_it(
    console: Client, client: Client, study: Study, outsider: AbstractBaseUser, researcher: AbstractBaseUser
) -> None:
    begin(console, "judge")
    preview = the_preview()
    token = Participation.objects.get(study=preview).token
    colleague, stranger = Client(), Client()
    colleague.force_login(type(researcher).objects.create_superuser("root"))
    stranger.force_login(outsider)
    for other in (client, colleague, stranger):
        other.cookies[f"plumbline_{preview.slug}"] = console.cookies[f"plumbline_{preview.slug}"].value
        for page in ("", "judge/", "units/", "withdraw/", f"resume/{token}/"):
            assert other.get(f"/s/{preview.slug}/{page}").status_code == 404, page
            assert other.post(f"/s/{preview.slug}/{page}").status_code in {404, 405}, page
        del other.cookies[f"plumbline_{preview.slug}"]
        assert other.get(f"/s/{preview.slug}/judge/", follow=True).status_code == 404
    assert console.get(f"/s/{preview.slug}/judge/", follow=True).status_code == 200
    assert client.post(AS_WORKER).status_code == 302
    assert stranger.post(AS_WORKER).status_code == 403
    for page in CONSOLE:
        assert colleague.get(f"/console/studies/{preview.slug}/{page}").status_code == 404
    assert colleague.get(f"/api/v1/studies/{preview.slug}/").status_code == 404


def test_a_role_that_was_taken_away_ends_the_sight_of_it(
    client: Client, study: Study, outsider: AbstractBaseUser
) -> None:
    set_role(study=study, user=outsider, role=Role.VIEWER, now=NOW)
    client.force_login(outsider)
    assert begin(client).status_code == 200
    Membership.objects.all().delete()
    assert client.get(f"/s/{the_preview().slug}/").status_code == 404


def test_it_is_asked_for_by_a_form_alone(console: Client, study: Study) -> None:
    assert console.get(AS_WORKER).status_code == 405
    assert not Study.with_hidden.exclude(preview_of=None).exists()


def sight(study: Study, console: Client) -> dict[str, Any]:
    """Return what the site says of a study and of itself, but for tokens and the time of day."""
    exports = {
        f"{what}.{form}": b"".join(export_chunks(study, what, form))
        for what, offered in OFFERED.items()
        for form in offered.formats
        if what != "bundle"
    }
    addresses = ["/console/", *(f"/console/studies/study/{page}" for page in CONSOLE)]
    addresses += ["/api/v1/studies/", "/api/v1/studies/study/", "/api/v1/studies/study/units/"]
    answers = {address: console.get(address) for address in addresses}
    assert {answer.status_code for answer in answers.values()} == {200}
    passing = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"|<time .*?</time>')
    return {
        "exports": exports,
        "pages": {address: passing.sub(b"", answer.content) for address, answer in answers.items()},
        "figures": site_counts(),
        "notices": due_notices(now=now()),
        "reports": request_due_reports(now=now()),
        "statistics": studies_to_compute(now=now()),
        "breaches": list(breaches(INVARIANTS)),
        "rows": {name: rows()[name] for name in ("AuditEntry", "Job", "Notice", "Membership")},
    }


@ON_SQLITE
def test_it_counts_nowhere(database: str, client: Client, django_user_model: Any) -> None:
    study = make_judged_study()
    client.force_login(django_user_model.objects.create_superuser("root"))
    sight(study, client)  # asks for the reports that are due anyway
    before = sight(study, client)
    begin(client, "units")  # past every other page
    assert sight(study, client) == before
    preview = the_preview()
    assert preview not in Study.objects.all()
    assert Participation.objects.get(study=preview).assignments.get().state == "completed"
    client.post(AS_WORKER, {"action": "end"})
    assert sight(study, client) == before


def test_it_is_in_no_backup_and_not_in_the_admin(
    database: str, client: Client, django_user_model: Any
) -> None:
    study, person = make_study(), django_user_model.objects.create_superuser("root")
    client.force_login(person)
    models = list(apps.get_app_config("judging").get_models())
    lists = ("study", "topic", "participation", "judgment", "platformsubmission", "pooldocument")

    def kept() -> tuple[dict[str, list[bytes]], list[int]]:
        shown = [client.get(f"/admin/judging/{name}/").context["cl"].result_count for name in lists]
        return {model.__name__: list(lines_of(model)) for model in models}, shown

    before = kept()
    begin(client, "units")
    assert Study.with_hidden.count() == 2
    assert kept() == before
    assert str(study.pk).encode() in before[0]["Study"][0]


def test_a_button_ends_it(console: Client, study: Study) -> None:
    before = rows()
    begin(console, "units")
    answer = console.post(AS_WORKER, {"action": "end"})
    assert answer.url == "/console/studies/study/set-up/"
    assert rows() == before


@pytest.mark.parametrize("forget", [lambda: call_command("expire_assignments"), None])
def test_the_clock_ends_it(database: str, django_user_model: Any, forget: Callable[[], None] | None) -> None:
    study, person = make_study(), django_user_model.objects.create_user("ada")
    before = rows()
    begun = begin_preview(study=study, person=person, now=now() - KEPT_PREVIEW + timedelta(minutes=1))
    forget_old_previews(now=now())
    assert the_preview() == begun
    Study.with_hidden.filter(pk=begun.pk).update(created_at=now() - KEPT_PREVIEW)
    if forget:
        forget()
    else:
        forget_old_previews(now=now())
    assert rows() == before


def test_an_account_is_deleted_while_it_looks(
    console: Client, study: Study, researcher: AbstractBaseUser
) -> None:
    begin(console, "judge")
    researcher.delete()
    assert the_preview().previewer is None


def test_two_people_look_at_one_study_each_at_a_copy(
    console: Client, client: Client, study: Study, django_user_model: Any
) -> None:
    client.force_login(django_user_model.objects.create_superuser("root"))
    begin(console, "judge")
    begin(client, "practice")
    assert len({item.slug for item in Study.with_hidden.exclude(preview_of=None)}) == 2
    console.post(AS_WORKER, {"action": "end"})
    assert the_preview().previewer.get_username() == "root"


def test_whoever_may_come_in_the_preview_lets_its_person_in(console: Client) -> None:
    make_study(opened=False, entry="invite", simulated=True, closes_at=NOW)
    assert "/judge/" in begin(console, "judge").request["PATH_INFO"]
    assert 'name="consent"' in begin(console).content.decode()


def test_a_test_visit_shows_what_becomes_of_the_ids(console: Client, study: Study) -> None:
    Study.objects.update(
        platform="generic",
        id_parameter="PID",
        submission_parameter="SID",
        completion_url="https://platform.example/done?cc={code}&sub={submission}",
    )
    page = console.get("/console/studies/study/way-in/").content.decode()
    assert "http://testserver/s/study/?PID=WORKER_ID&amp;SID=VISIT_ID" in page
    assert f'action="{AS_WORKER}"' in page
    answer = begin(console, worker_id="person 1", visit_id="VISIT2")
    assert answer.request["QUERY_STRING"] == "PID=person+1&SID=VISIT2"
    page = answer.content.decode()
    for value, parameter in (("person 1", "PID"), ("VISIT2", "SID")):
        arrived = page.split(f'data-arrived="{value}"')[1].split("</p>")[0]
        assert f"<code>{parameter}</code>" in arrived
    assert "sub=VISIT2</code>" in page
    for typed, fault in (("", IdFault.MISSING), ("{{x}}", IdFault.PLACEHOLDER)):
        answer = begin(console, worker_id=typed)
        page = answer.content.decode()
        assert answer.status_code == 403
        assert page.count(str(ID_FAULTS[fault].reason)) == 2, "on the page, and in what is said of it"
        assert "data-arrived" not in page
    begin(console, Step.JUDGE, worker_id="{{x}}")
    worker = Participation.objects.get(study=the_preview())
    assert worker.identity.platform_id == MADE_UP.platform_id
