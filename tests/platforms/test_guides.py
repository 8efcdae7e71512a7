"""The settings in the guides to platforms fit together, and SONA gets its number back."""

import re
import tomllib
from pathlib import Path

import pytest

from judging.models import Study
from judging.protocol.platforms import PLATFORM_KEYS, platform_faults
from tests.factories import judge_unit, later, make_study, make_worker
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent
from tests.worker.pages.conftest import clock

__all__ = ["clock"]

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "guides"


def examples() -> list[dict[str, str]]:
    """The section `[platform]` of each example."""
    texts = [(GUIDES / name).read_text() for name in ("prolific.md", "mturk.md", "other-platforms.md")]
    blocks = [block for text in texts for block in re.findall(r"```toml\n(.*?)```", text, re.S)]
    return [tomllib.loads(block)["platform"] for block in blocks]


@pytest.mark.parametrize("settings", examples())
def test_the_settings_of_a_guide_fit_together(settings: dict[str, str]) -> None:
    assert list(platform_faults({"entry": "open", **dict.fromkeys(PLATFORM_KEYS, ""), **settings})) == []


def test_sona_gets_its_number_back(clock: object) -> None:
    settings = next(example for example in examples() if "sona" in example.get("completion_url", ""))
    make_study(seconds_per_document=0, **settings)
    visitor = Visitor(through_client())
    consent(visitor, "/s/study/?id=4711&visit=4711")
    worker = Study.objects.get().participations.get()
    judge_unit(make_worker(worker.study, platform_id="4711", submission_id="4711"), now=later(hours=1))
    visitor.open("/s/study/units/")
    assert "&amp;survey_code=4711" in visitor.seen[-1].body.decode()
