"""The workflow runs the command of the README, on the versions of Python that the project names."""

import re

import yaml

from tests.packaging.built import VERSIONS
from tests.support.tree import ROOT

WORKFLOW = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
JOBS = yaml.safe_load(WORKFLOW)["jobs"]


def commands(job: str) -> list[str]:
    """Return the commands of a job."""
    return [step["run"] for step in JOBS[job]["steps"] if "run" in step]


def test_the_whole_suite_runs_on_the_lowest_version() -> None:
    assert JOBS["suite"]["container"] == f"python:{VERSIONS[0]}-bookworm"
    (command,) = commands("suite")
    assert f"\n{command}\n" in (ROOT / "README.md").read_text()


def test_the_library_runs_on_the_other_versions() -> None:
    assert JOBS["library"]["strategy"]["matrix"]["python"] == VERSIONS[1:]
    file, test = re.findall(r'"(tests/.+)::(test_\w+)\[\$\{\{ matrix\.python \}\}\]"', WORKFLOW)[0]
    assert f"\ndef {test}(version" in (ROOT / file).read_text()


def test_actions_have_a_version_and_the_workflow_no_secret() -> None:
    actions = [step["uses"] for job in JOBS.values() for step in job["steps"] if "uses" in step]
    assert actions
    assert all(re.fullmatch(r"[\w/-]+@v\d+\.\d+\.\d+", action) for action in actions)
    assert "secrets" not in WORKFLOW
