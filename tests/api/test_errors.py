"""Whatever goes wrong has one shape, in JSON, with the headers of every other answer."""

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from judging.api import studies
from judging.models import Study
from tests.api.conftest import FORM, LISTS, PASSWORD, ROOT, error, logged_in, people
from tests.support.named import assert_names

STUDY = f"{ROOT}/studies/study"


def said(answer: object, status: int) -> dict:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    body = json.loads(answer.content)
    assert set(body) == {"error"}
    assert set(body["error"]) <= {"code", "message", "fields"}
    assert body["error"]["message"].strip()
    return body["error"]


@pytest.mark.parametrize(
    "address", ["", "/", "/studies", "/studies/study", "/studies/a b/", "/nothing/", "/studies/study/x.y"]
)
def test_an_address_that_is_not_there(client: Client, study: Study, address: str) -> None:
    if not address:
        assert client.get(ROOT).status_code == 301
        return
    assert said(client.get(ROOT + address), 404)["code"] == "not_found"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
@pytest.mark.parametrize(
    "address", ["studies/", "studies/study/", "studies/study/judgments/", "studies/study/exports/gains.csv"]
)
def test_the_api_is_read_only(client: Client, study: Study, method: str, address: str) -> None:
    answer = getattr(client, method)(f"{ROOT}/{address}")
    assert said(answer, 405)["code"] == "method_not_allowed"
    assert answer["Allow"] == "GET, HEAD"


def test_head_is_allowed(client: Client, study: Study) -> None:
    assert client.head(f"{STUDY}/judgments/").status_code == 200


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        ("{", "application/json", 400, "parse_error"),
        ("[]", "application/json", 400, "invalid"),
        ("{}", "application/json", 400, "invalid"),
        ('{"username": "a\\u0000", "password": "b"}', "application/json", 400, "invalid"),
        ("[" * 60_000, "application/json", 400, "parse_error"),
        ('{"username": NaN, "password": "b"}', "application/json", 400, "parse_error"),
        ('{"username": ' + "9" * 60_000 + "}", "application/json", 400, "parse_error"),
        ('{"username": "' + "a" * 70_000 + '"}', "application/json", 400, "parse_error"),
        ("username=" + "a" * 70_000, "application/x-www-form-urlencoded", 400, "parse_error"),
        ("&".join(f"f{n}=" for n in range(5000)), "application/x-www-form-urlencoded", 400, "parse_error"),
        ("<a/>", "text/xml", 415, "unsupported_media_type"),
    ],
)
def test_a_log_in_that_cannot_be_read(db: None, body: str, content_type: str, status: int, code: str) -> None:
    answer = Client().post(f"{ROOT}/token/", body, content_type=content_type)
    assert said(answer, status)["code"] == code


def test_missing_fields_are_named(db: None) -> None:
    result = said(Client().post(f"{ROOT}/token/", "username=ada", content_type=FORM), 400)
    assert set(result["fields"]) == {"password"}
    assert_names(result["message"], "password")


@pytest.mark.parametrize("what", ["", *(f"study/{name}/" for name in (*LISTS, "exports")), "study/"])
def test_unknown_parameters_are_refused_by_name(client: Client, study: Study, what: str) -> None:
    result = error(client, f"{ROOT}/studies/{what}", 400, colour="red", format="json")
    assert result["code"] == "invalid"
    assert set(result["fields"]) == {"colour", "format"}


def test_a_misspelt_parameter_is_put_right(client: Client, study: Study) -> None:
    result = error(client, f"{STUDY}/judgments/", 400, topics="401")
    assert_names(result["message"], "topics", "topic")


def test_a_parameter_given_twice_is_refused(client: Client, study: Study) -> None:
    result = error(client, f"{STUDY}/judgments/?topic=401&topic=402", 400)
    assert set(result["fields"]) == {"topic"}


@pytest.mark.parametrize(
    ("what", "name", "value"),
    [
        ("judgments", "page_size", "0"),
        ("judgments", "page_size", "1001"),
        ("judgments", "page_size", "ten"),
        ("judgments", "page_size", "-1"),
        ("judgments", "page_size", "²"),
        ("judgments", "page_size", ""),
        ("judgments", "cursor", "no cursor"),
        ("judgments", "cursor", ""),
        ("judgments", "cursor", "1"),  # one number, where three are wanted
        ("judgments", "cursor", "9999999999999999999.1.1"),  # beyond 64 bits
        ("judgments", "cursor", "1.1.1\n"),
        ("judgments", "cursor", "1.1.²"),
        ("judgments", "cursor", "é"),
        ("judgments", "unit", "401"),
        ("judgments", "unit", "401-1"),
        ("judgments", "unit", "401-00001"),
        ("judgments", "unit", "401-99999999999999999999"),
        ("judgments", "unit", "401-0000"),
        ("judgments", "topic", "4\x0001"),
        ("judgments", "topic", ""),
        ("judgments", "unit", ""),
        ("judgments", "excluded", ""),
        ("units", "state", ""),
        ("events", "day", ""),
        ("judgments", "excluded", "perhaps"),
        ("units", "state", "finished"),
        ("events", "check", "?"),
        ("events", "day", "02/03/2026"),
        ("events", "day", "2026-02-30"),
        ("exports/judgments.csv", "with_excluded", "yes"),
        ("exports/gains.csv", "with_excluded", "true"),
    ],
)
def test_a_wrong_value_is_refused_by_name(
    client: Client, study: Study, what: str, name: str, value: str
) -> None:
    address = f"{STUDY}/{what}" + ("" if "." in what else "/")
    result = error(client, address, 400, **{name: value})
    assert result["code"] == "invalid"
    assert set(result["fields"]) == {name}


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (ValidationError("It cannot be."), "It cannot be."),
        (ValidationError({"name": ["Too long."]}), "name: Too long."),
    ],
)
def test_errors_of_django_have_the_shape_too(
    client: Client, study: Study, monkeypatch: pytest.MonkeyPatch, raised: ValidationError, message: str
) -> None:
    def fail(_: object) -> None:
        raise raised

    monkeypatch.setattr(studies, "_rows", fail)
    result = error(client, f"{STUDY}/", 400)
    assert (result["code"], result["message"]) == ("invalid", message)


def test_what_nobody_foresaw_tells_nothing_but_the_log(
    study: Study, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("the secret of the server")

    monkeypatch.setattr(studies, "_rows", fail)
    client = logged_in(people()["staff"])
    client.raise_request_exception = False
    answer = client.get(f"{STUDY}/")
    assert said(answer, 500)["code"] == "error"
    assert b"secret" not in answer.content
    assert "the secret of the server" in caplog.text


@pytest.mark.parametrize("scope", ["anon", "user", "token"])
def test_who_asks_too_often_has_to_wait(
    client: Client, study: Study, monkeypatch: pytest.MonkeyPatch, scope: str
) -> None:
    rates = SimpleRateThrottle.THROTTLE_RATES | {scope: "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    ask = {
        "anon": lambda: Client().get(f"{ROOT}/schema/"),
        "user": lambda: client.get(f"{ROOT}/studies/"),
        # The address that a client claims to come from is not believed.
        "token": lambda: Client().post(
            f"{ROOT}/token/",
            f"username=ada&password={PASSWORD}",
            content_type=FORM,
            headers={"X-Forwarded-For": f"192.0.2.{next(numbers)}"},
        ),
    }[scope]
    numbers = iter(range(10))
    assert [ask().status_code for _ in range(2)] == [200, 200]
    refused = ask()
    assert said(refused, 429)["code"] == "throttled"
    assert 0 < int(refused["Retry-After"]) <= 60
    assert client.get("/console/").status_code == 200


@pytest.mark.parametrize("token", [{}, {"Authorization": "Token made:up"}], ids=["none", "made up"])
def test_a_refused_request_counts_for_its_network(
    study: Study, monkeypatch: pytest.MonkeyPatch, token: dict[str, str]
) -> None:
    rates = SimpleRateThrottle.THROTTLE_RATES | {"anon": "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)

    def ask(address: str) -> int:
        return Client(REMOTE_ADDR=address, headers=token).get(f"{ROOT}/studies/").status_code

    assert [ask(f"2001:db8::{number}") for number in range(1, 4)] == [401, 401, 429]
    assert ask("2001:db8:0:1::1") == 401


@pytest.mark.parametrize(
    "address",
    [
        f"{STUDY}/judgments/",
        f"{STUDY}/exports/gains.csv",
        f"{ROOT}/x/",
        f"{ROOT}/schema/",
        f"{STUDY}/units/?x=1",
    ],
)
def test_every_answer_is_guarded(client: Client, study: Study, address: str) -> None:
    answer = client.get(address)
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert "Content-Security-Policy" in answer


@pytest.mark.parametrize("accepts", ["text/html", "application/xml", "*/*", "nonsense"])
def test_there_is_json_alone(client: Client, study: Study, accepts: str) -> None:
    answer = client.get(f"{STUDY}/", headers={"Accept": accepts})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
