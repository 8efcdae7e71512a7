"""The OpenAPI document is without fault, and every answer is as it says."""

import io
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from judging.archive.catalogue import EXPORTS
from judging.models import Study
from tests.api.conftest import LISTS, ROOT, read
from tests.factories import make_study

PATHS = {
    f"{ROOT}/token/",
    f"{ROOT}/studies/",
    f"{ROOT}/studies/{{slug}}/",
    *(f"{ROOT}/studies/{{slug}}/{what}/" for what in (*LISTS, "exports", "result", "arms")),
    *(
        f"{ROOT}/studies/{{slug}}/exports/{what}.{{form}}{end}"
        for what in ("{what}", "judgments")
        for end in ("", "/manifest/")
    ),
}


ANSWERING = sorted(path for path in PATHS if path.endswith("/") and not re.search("token|result|arms", path))
"""The addresses that answer for every study. What has to be computed first is tested where that is done."""


@pytest.fixture(scope="module")
def document(module_db: None) -> dict[str, Any]:
    return read(Client(), f"{ROOT}/schema/")


def test_it_is_without_fault_and_what_the_site_serves(document: dict[str, Any]) -> None:
    text = io.StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, format="openapi-json", stdout=text)
    assert json.loads(text.getvalue()) == document


def test_it_is_computed_once(document: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    computed = list[object]()
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: computed.append(1))
    assert read(Client(), f"{ROOT}/schema/") == document
    assert not computed


def test_it_holds_every_address_whole(document: dict[str, Any]) -> None:
    assert set(document["paths"]) == PATHS


def test_it_names_every_filter(document: dict[str, Any]) -> None:
    names = {
        path.split("/")[-2]: {p["name"] for p in item["get"].get("parameters", []) if p["in"] == "query"}
        for path, item in document["paths"].items()
        if path.endswith("/") and "get" in item
    }
    paging = {"cursor", "page_size"}
    assert names["judgments"] == {"topic", "unit", "worker", "document", "excluded"} | paging
    assert names["gains"] == {"topic", "document"} | paging
    assert names["units"] == {"topic", "state"} | paging
    assert names["events"] == {"check", "topic", "worker", "day"} | paging
    assert names["topics"] == {"number"} | paging
    assert names["studies"] == paging


def test_a_parameter_stands_where_it_is_taken_alone(document: dict[str, Any]) -> None:
    taking = {
        path
        for path, item in document["paths"].items()
        if "with_excluded" in {p["name"] for p in item.get("get", {}).get("parameters", [])}
    }
    assert taking == {path for path in PATHS if "exports/judgments." in path}


def test_a_cursor_matches_the_pattern_of_the_schema(
    client: Client, judged: Study, document: dict[str, Any]
) -> None:
    for what in ("judgments", "gains", "units", "topics"):
        given = document["paths"][f"{ROOT}/studies/{{slug}}/{what}/"]["get"]["parameters"]
        (pattern,) = (p["schema"]["pattern"] for p in given if p["name"] == "cursor")
        after = read(client, f"{ROOT}/studies/study/{what}/", page_size=1)["next"]
        (cursor,) = parse_qs(urlsplit(after).query)["cursor"]
        assert re.search(pattern, cursor)


def test_its_columns_are_those_of_the_exports(document: dict[str, Any], db: None) -> None:
    study = make_study(slug="plain", opened=False)
    for what in ("judgments", "gains", "units", "events"):
        described = document["components"]["schemas"][what.removesuffix("s").capitalize()]["properties"]
        assert list(described) == [column.name for column in EXPORTS[what].columns(study)]


def validator(document: dict[str, Any], path: str, status: str = "200") -> Draft202012Validator:
    content = document["paths"][path]["get"]["responses"][status]["content"]["application/json"]
    schemas = strict(document["components"]["schemas"])
    return Draft202012Validator({**content["schema"], "components": {"schemas": schemas}})


def strict(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas as they are, but without room for what they do not name."""
    return {
        name: {"additionalProperties": False, **schema} if schema.get("type") == "object" else schema
        for name, schema in schemas.items()
    }


@pytest.mark.parametrize("path", ANSWERING)
def test_answers_are_as_described(client: Client, judged: Study, document: dict[str, Any], path: str) -> None:
    address = path.replace("{slug}", "study").replace("{what}", "gains").replace("{form}", "csv")
    answer = read(client, address)
    validator(document, path).validate(answer)
    assert answer.get("results", [answer])
    refused = client.get(address, {"colour": "red"}).json()
    validator(document, path, "default").validate(refused)


def test_a_wrong_answer_would_be_found(document: dict[str, Any]) -> None:
    result = validator(document, f"{ROOT}/studies/{{slug}}/gains/")
    row = {"topic_id": "401", "iteration": "0", "document_id": "D", "gain": 1.5, "inclusion": 1.0}
    assert result.is_valid({"next": None, "results": [row]})
    assert not result.is_valid({"next": None, "results": [row | {"gain": "1.5"}]})
    assert not result.is_valid({"next": None, "results": [row | {"worker": "x"}]})
    assert not result.is_valid({"results": [row]})
