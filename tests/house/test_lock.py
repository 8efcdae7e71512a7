"""The locked requirements are those that pyproject.toml asks for, pinned by hash, from no named place."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from deploy.launcher import group_requirements

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.txt", "requirements-server.txt", "requirements-uv.txt"]


def blocks(lock: str) -> list[str]:
    """Return the entries of a lock file, each with its hashes."""
    text = (ROOT / "deploy" / lock).read_text()
    return [block.strip() for block in re.split(r"\n(?=\S)", text) if block.strip()]


def pins(lock: str) -> set[str]:
    """Return the entries without the platforms that they are for: a test tool may need more than a site."""
    return {re.sub(r" ; .+(?= \\\n)", "", block) for block in blocks(lock)}


def direct_requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    optional = project["project"]["optional-dependencies"]
    return [
        *project["project"]["dependencies"],
        *(requirement for extra in optional.values() for requirement in extra),
        *group_requirements(project["dependency-groups"], "server"),
        *group_requirements(project["dependency-groups"], "test"),
        *group_requirements(project["dependency-groups"], "docs"),
    ]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_by_hash_and_names_no_address(lock: str) -> None:
    assert blocks(lock)
    for block in blocks(lock):
        assert re.match(r"[a-z0-9.-]+==[\w.+!]+", block), block
        assert "--hash=sha256:" in block, block
        assert "://" not in block
        assert not re.search(r"^--(index|extra|find|trusted)", block, flags=re.MULTILINE)


def test_a_site_has_the_versions_that_were_tested_and_nothing_of_the_tests() -> None:
    assert pins("requirements-server.txt") < pins("requirements.txt")
    locked = {re.match(r"[\w.-]+", block)[0] for block in blocks("requirements-server.txt")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    server = named(project["project"]["dependencies"], groups["server"])
    assert server <= locked, "run deploy/lock.py"
    assert not locked & (named(*(group_requirements(groups, name) for name in ("test", "docs"))) - server)


def named(*lists: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(asked).name) for asked in chain(*lists)}


@pytest.mark.parametrize("asked", direct_requirements())
def test_every_direct_requirement_is_locked_at_a_version_it_allows(asked: str) -> None:
    requirement = Requirement(asked)
    pinned = [Requirement(block.split(" \\")[0]) for block in blocks("requirements.txt")]
    versions = [
        str(pin.specifier).removeprefix("==")
        for pin in pinned
        if canonicalize_name(pin.name) == canonicalize_name(requirement.name)
    ]
    assert versions, f"{asked} is not locked: run deploy/lock.py"
    assert all(requirement.specifier.contains(version) for version in versions), (
        f"{asked} does not allow {versions}"
    )
