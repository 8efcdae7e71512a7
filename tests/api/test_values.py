"""The lists hold the very values of the exports: the same names, the same bits."""

import json
from hashlib import sha256

import pytest
from django.core.cache import cache
from django.test import Client

from judging.archive.catalogue import OFFERED, export_chunks
from judging.models import Study, Unit
from tests.api.conftest import ROOT, pages, read, rows
from tests.factories import later
from tests.support.exports import export_lines

EXPORTED = ("judgments", "gains", "units", "events")


def canonical(found: list[dict]) -> list[str]:
    """Rows as text, every float in full, the order of the columns with them."""
    return sorted(json.dumps(row) for row in found)


def exported(study: Study, what: str, **options: bool) -> list[dict]:
    return [json.loads(line) for line in export_lines(study, what, "jsonl", **options)]


@pytest.mark.parametrize("what", EXPORTED)
def test_a_list_is_its_export(client: Client, judged: Study, what: str) -> None:
    content = canonical(exported(judged, what))
    assert content
    for size in (1, 7, 1000):
        assert canonical(rows(client, what, page_size=size)) == content, size


def test_excluded_judgments_are_those_of_the_export_that_has_them(client: Client, judged: Study) -> None:
    whole = exported(judged, "judgments", with_excluded=True)
    assert canonical(rows(client, "judgments", excluded="any")) == canonical(whole)
    alone = rows(client, "judgments", excluded="true")
    assert canonical(alone) == canonical([row for row in whole if row["excluded"]])
    assert len(alone) == 8
    assert {row["normalized_relevance_score"] for row in alone} == {None}


def test_a_filter_changes_no_score(client: Client, judged: Study) -> None:
    scores = {
        (row["unit_id"], row["document_id"]): row["normalized_relevance_score"]
        for row in exported(judged, "judgments")
    }
    for row in rows(client, "judgments", unit="402-0002", page_size=3):
        assert row["normalized_relevance_score"] == scores[row["unit_id"], row["document_id"]]
    gains = {(row["topic_id"], row["document_id"]): row["gain"] for row in exported(judged, "gains")}
    (row,) = rows(client, "gains", document="D402-003")
    assert row["gain"] == gains["402", "D402-003"]


def test_a_document_whose_judgments_are_all_excluded_has_no_gain(client: Client, judged: Study) -> None:
    done = Unit.objects.filter(topic__study=judged, state="done")
    done.update(excluded_at=later(hours=9), exclusion_reason="x")
    cache.clear()
    assert rows(client, "gains") == rows(client, "judgments") == []
    assert len(rows(client, "judgments", excluded="true")) == 8 * done.count() > 0


def test_topics_say_what_table_1_says(client: Client, judged: Study) -> None:
    table = [row for row in exported(judged, "table1") if row["topic_id"] != "all"]
    found = rows(client, "topics")
    names = ("topic_id", "documents", "units", "h_id", "n_id")
    assert [[row[name] for name in names] for row in found] == [
        [row[name] for name in names] for row in table
    ]
    assert found[0]["title"] == "Title of topic 401"
    assert found[0]["retired"] is False


def test_a_study_says_how_far_it_has_come(client: Client, judged: Study) -> None:
    one = read(client, f"{ROOT}/studies/study/")
    assert one["units"] == {"open": 0, "reserved": 0, "done": 6, "retired": 0, "excluded": 1}
    assert one["judgments"] == 40
    assert one["grade_sets"] == ["trec", "units"]
    assert one["pay_per_unit"] == "0.00"
    assert read(client, f"{ROOT}/studies/")["results"] == [one]


@pytest.mark.parametrize("what", OFFERED)
def test_an_export_is_that_of_the_command_line(client: Client, judged: Study, what: str) -> None:
    offered = {row["name"]: row["files"] for row in read(client, f"{ROOT}/studies/study/exports/")["results"]}
    for file in offered[what]:
        answer = client.get(file["url"])
        assert answer["Content-Disposition"].startswith(f'attachment; filename="study-{what}.')
        content = b"".join(answer.streaming_content)
        assert content == b"".join(export_chunks(judged, what, file["format"]))
        manifest = read(client, file["manifest"])
        assert manifest["files"][0]["sha256"] == sha256(content).hexdigest()
        assert manifest["files"][0]["name"] in answer["Content-Disposition"]


def test_an_export_with_excluded_judgments(client: Client, judged: Study) -> None:
    address = f"{ROOT}/studies/study/exports/judgments.csv"
    answer = client.get(address, {"with_excluded": "true"})
    text = b"".join(answer.streaming_content).decode()
    assert text == "".join(export_lines(judged, "judgments", "csv", with_excluded=True))
    assert text != b"".join(client.get(address, {"with_excluded": "false"}).streaming_content).decode()


def test_a_walk_meets_every_row_once_while_rows_come_and_go(client: Client, judged: Study) -> None:
    before = {(row["unit_id"], row["document_id"]) for row in rows(client, "judgments")}
    walk = pages(client, f"{ROOT}/studies/study/judgments/", page_size=5)
    met = [(row["unit_id"], row["document_id"]) for row in next(walk)]
    gone = met[0][0]
    first = judged.topics.get(number="401").units.get(number=int(gone.rpartition("-")[2]))
    type(first).objects.filter(pk=first.pk).update(excluded_at=judged.created_at, exclusion_reason="x")
    cache.clear()
    met += [(row["unit_id"], row["document_id"]) for page in walk for row in page]
    assert len(met) == len(set(met))
    assert {key for key in before if key[0] != gone} <= set(met) <= before
