"""A queue for each kind of work; `test_two_machines.py` has workers at them."""

import re

from django.conf import settings
from django.utils.module_loading import import_string

from deploy.queues import QUEUES
from judging.models import JobKind
from tests.support.processes import ROOT


def test_every_task_has_one_queue() -> None:
    app = import_string(settings.JOBS_APP)
    app.loader.import_default_modules()
    carried = [task for tasks in QUEUES.values() for task in tasks]
    assert len(carried) == len(set(carried))
    assert {f"judging.{task}" for task in carried} == {
        name for name in app.tasks if name.startswith("judging.")
    }
    assert set(carried) == {kind.value for kind in JobKind} | {"tidy"}


def test_the_documentation_tells_the_queue_of_each_kind() -> None:
    text = (ROOT / "docs/guides/running.md").read_text()
    matches = re.findall(r"^\| `([a-z]+)` \| `([a-z]+)` \|", text, re.MULTILINE)
    assert dict(matches) == {
        kind: queue for queue, kinds in QUEUES.items() for kind in kinds if kind != "tidy"
    }
