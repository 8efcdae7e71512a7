"""Every address × everybody, and the ways to say who one is."""

import json
from typing import Any

import pytest
from django.test import Client
from rest_framework.authtoken.models import Token

from judging.core import access
from judging.models import Study
from tests.api.conftest import FORM, LISTS, PASSWORD, ROOT, error, logged_in, people, read

GUARDED = [
    f"{ROOT}/studies/",
    f"{ROOT}/studies/study/",
    *(f"{ROOT}/studies/study/{what}/" for what in LISTS),
    f"{ROOT}/studies/study/exports/",
    f"{ROOT}/studies/study/exports/judgments.csv",
    f"{ROOT}/studies/study/exports/gains.qrels",
    f"{ROOT}/studies/study/exports/gains.qrels/manifest/",
    f"{ROOT}/studies/study/exports/bundle.zip",
]
STATUS = {"anonymous": 401, "stranger": 403, "staff": 200, "superuser": 200}
CODE = {401: "not_authenticated", 403: "permission_denied"}


@pytest.fixture
def everybody(study: Study) -> dict[str, Client]:
    return {"anonymous": Client(), **{who: logged_in(user) for who, user in people().items()}}


@pytest.mark.parametrize("address", GUARDED)
def test_who_gets_what(everybody: dict[str, Client], address: str) -> None:
    for who, client in everybody.items():
        if STATUS[who] == 200:
            answer = client.get(address)
            assert answer.status_code == 200, who
            b"".join(answer)
        else:
            assert error(client, address, STATUS[who])["code"] == CODE[STATUS[who]], who


@pytest.mark.parametrize("address", [f"{ROOT}/schema/"])
def test_what_is_for_everybody(everybody: dict[str, Client], address: str) -> None:
    for who, client in everybody.items():
        assert client.get(address).status_code == 200, who


def test_the_table_holds_every_address() -> None:
    from judging.api.urls import urlpatterns

    files = {"export", "manifest", "judgments_export", "judgments_manifest"}
    assert {"schema", "token", "studies", "study", "result", "arms", "exports", *files, *LISTS} == {
        pattern.name for pattern in urlpatterns if pattern.name
    }


def test_a_study_not_to_be_seen_is_like_one_that_is_not_there(
    client: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "may_see", lambda user, found: False)
    for address in GUARDED[1:]:
        hidden = error(client, address, 404)
        absent = error(client, address.replace("/study/", "/another/"), 404)
        assert hidden == absent
        assert hidden["code"] == "not_found"


def test_the_list_holds_the_studies_that_one_may_see(
    client: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "visible_studies", lambda user: Study.objects.none())
    assert read(client, f"{ROOT}/studies/") == {"next": None, "results": []}


def test_data_not_to_be_taken_home_is_neither_offered_nor_given(
    client: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "may_export", lambda user, found, what: what == "units")
    offered = read(client, f"{ROOT}/studies/study/exports/")["results"]
    assert [row["name"] for row in offered] == ["units"]
    assert error(client, f"{ROOT}/studies/study/exports/gains.qrels", 403)["code"] == "permission_denied"


@pytest.mark.parametrize(
    "what", ["payments.csv", "payments.parquet", "payments.csv/manifest/", "nothing.csv", "units.qrels"]
)
def test_what_is_not_offered_is_not_there_for_anybody(everybody: dict[str, Client], what: str) -> None:
    result = error(everybody["superuser"], f"{ROOT}/studies/study/exports/{what}", 404)
    assert result["code"] == "not_found"


# --- tokens ------------------------------------------------------------------------------------------------


def log_in(client: Client, username: str, password: str = PASSWORD, **form: Any) -> Any:
    body = {"username": username, "password": password}
    return client.post(f"{ROOT}/token/", body, content_type="application/json", **form)


def bearing(token: str) -> Client:
    return Client(headers={"Authorization": f"Token {token}"})


def test_a_token_opens_the_api_until_it_is_taken_back(study: Study) -> None:
    people()
    token = log_in(Client(), "ada").json()["token"]
    assert log_in(Client(), "ada").json() == {"token": token}
    client = bearing(token)
    assert read(client, f"{ROOT}/studies/study/")["slug"] == "study"
    answer = client.delete(f"{ROOT}/token/")
    assert (answer.status_code, answer.content) == (204, b"")
    assert error(client, f"{ROOT}/studies/", 401)["code"] == "authentication_failed"
    assert log_in(Client(), "ada").json()["token"] != token


def test_a_form_will_do(db: None) -> None:
    people()
    answer = Client().post(f"{ROOT}/token/", f"username=ada&password={PASSWORD}", content_type=FORM)
    assert set(answer.json()) == {"token"}


def test_a_wrong_name_and_a_wrong_password_sound_alike(db: None) -> None:
    people()
    answers = [log_in(Client(), *pair) for pair in (("ada", "guess"), ("nobody", PASSWORD))]
    assert {answer.status_code for answer in answers} == {401}
    assert {answer.content for answer in answers} == {answers[0].content}
    assert answers[0].json()["error"]["code"] == "authentication_failed"
    assert answers[0]["WWW-Authenticate"] == "Token"


def test_an_account_outside_the_staff_gets_no_token(db: None) -> None:
    people()
    assert log_in(Client(), "eve").status_code == 403
    assert not Token.objects.exists()


def test_a_deactivated_account_is_out_at_once(study: Study) -> None:
    user = people()["staff"]
    client = bearing(log_in(Client(), "ada").json()["token"])
    user.is_active = False
    user.save()
    assert error(client, f"{ROOT}/studies/", 401)["code"] == "authentication_failed"


def test_a_token_is_no_way_into_the_console(study: Study) -> None:
    people()
    assert bearing(log_in(Client(), "ada").json()["token"]).get("/console/").status_code == 302


def test_a_session_cannot_be_made_to_take_a_token_back(study: Study) -> None:
    user = people()["staff"]
    log_in(Client(), "ada")
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    answer = client.delete(f"{ROOT}/token/")
    assert answer.status_code == 403
    assert json.loads(answer.content)["error"]["code"] == "permission_denied"
    assert Token.objects.filter(user=user).exists()


def test_the_admin_shows_no_token(study: Study) -> None:
    root = people()["superuser"]
    token = log_in(Client(), "root").json()["token"]
    admin = logged_in(root)
    assert token not in admin.get("/admin/").content.decode()
    assert admin.get("/admin/authtoken/tokenproxy/").status_code == 404
