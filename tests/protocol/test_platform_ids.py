"""Ids in a platform's links: which cannot be a worker's, and settings that a study without one ignores."""

import pytest

from judging.protocol.platforms import PLATFORM_KEYS, PLATFORMS, ignored_keys
from judging.protocol.platforms.ids import IdFault, id_fault

PLACEHOLDERS = (
    "{{%PROLIFIC_PID%}}",
    "${e://Field/PROLIFIC_PID}",
    "${workerId}",
    "{{worker.id}}",
    "id-{{worker}}",
    "{% worker_id %}",
    "[PROLIFIC_PID]",
    "<worker id>",
    "{id}",
    "%WORKER_ID%",
)
IDS = ("5f9b2c", "A1B2-C3", "person 1/ü", "a{b", "50%", "x[1]", "{0}1", "ü", "%")


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_placeholder_says_nothing_of_who_comes(text: str) -> None:
    assert (
        id_fault(text, "") == id_fault(text, "visit-1") == id_fault("person-1", text) == IdFault.PLACEHOLDER
    )


@pytest.mark.parametrize("text", IDS)
def test_any_other_id_is_accepted(text: str) -> None:
    assert id_fault(text, "") is id_fault(text, text) is None


@pytest.mark.parametrize("visit", ["", "visit-1", "{{visit}}"])
def test_without_an_id_nobody_can_be_paid(visit: str) -> None:
    assert id_fault("", visit) == IdFault.MISSING


@pytest.mark.parametrize("key", PLATFORM_KEYS)
def test_what_only_a_platform_needs_is_ignored_without_one(key: str) -> None:
    settings = {"platform": "direct", **dict.fromkeys(PLATFORM_KEYS, "")}
    assert ignored_keys(settings) == []
    assert ignored_keys(settings | {key: "x"}) == [key]
    for platform in PLATFORMS.values():
        ignored = ignored_keys(settings | {key: "x", "platform": platform.name})
        assert ignored == ([] if key in platform.keys else [key])
