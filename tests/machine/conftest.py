"""A study, a stand-in model that knows its documents, and judge files."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pytest_django import Settings

from judging.core.clock import now
from judging.machine.client import ModelClient
from judging.machine.judge_file import JudgeFile, read_judge_file
from judging.machine.sittings import begin_judge
from judging.models import MachineJudge, Question, Study
from tests.factories import make_study
from tests.machine.stand_in import KEY, StandIn

FILE = {
    "name": "gauge",
    "model": "stand-in-1",
    "prompt": "magnitude",
    "seed": 7,
    "most_tokens": 1_000_000,
    "most_money": 10,
    "price_per_million_input_tokens": 1,
    "price_per_million_output_tokens": 4,
    "requests_per_minute": 100_000,
    "timeout_seconds": 5,
    "retries": 2,
}


def worth(text: str) -> float:
    """The true value of the documents of the factories: H is 100, N is 1, and the others are between."""
    name = re.search(r"Text of (\w+)\.", text)[1]
    return {"H": 100.0, "H2": 100.0, "N": 1.0, "N2": 1.0}.get(name) or 2.0 + 5 * int(name)


def study_on(scale: str, **settings: Any) -> Study:
    labels = {"labels": ("none", "some", "much", "all")} if scale == "grades" else {}
    return make_study(scale=scale, judgments_per_document=1, **labels, **settings)


@pytest.fixture(autouse=True)
def own_locks(settings: Settings, tmp_path: Path) -> None:
    """Keep the locks of judges apart from those of other processes, whose judges have the same keys."""
    settings.VAR = tmp_path


@pytest.fixture
def study(db: None) -> Study:
    return study_on("magnitude")


@pytest.fixture
def stand_in(db: None, settings: Settings) -> Iterator[StandIn]:
    server = StandIn(worth, {})
    settings.JUDGE_URL, settings.JUDGE_KEY = server.url, KEY
    yield server
    server.stop()


def teach(server: StandIn, study: Study) -> None:
    """Let the stand-in know the scale of a study and the right answers to its questions."""
    server.scale = study.scale
    questions = Question.objects.filter(topic__study=study)
    server.right = {question.text: question.options[question.right_option or 0] for question in questions}


Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Return a function that writes a judge file. Values that are None are left out."""

    def write(**changes: Any) -> Path:
        values = {key: value for key, value in {**FILE, **changes}.items() if value is not None}
        path = tmp_path / "judge.toml"
        lines = (
            f"{key} = {value if not isinstance(value, str) else repr(value)}" for key, value in values.items()
        )
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def client_of(server: StandIn, *, retries: int = 2, timeout: float = 5.0) -> ModelClient:
    return ModelClient(url=server.url, key=KEY, timeout=timeout, retries=retries, per_minute=1e9)


def begun(study: Study, path: Path) -> tuple[MachineJudge, JudgeFile]:
    """Return a judge that has just given consent, and its file."""
    file = read_judge_file(path, study)
    moment = now()
    return begin_judge(study=study, file=file, now=moment, rng=Random(file.name), asked_at=moment), file
