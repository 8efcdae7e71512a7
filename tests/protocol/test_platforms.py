"""The declarations of platforms: they lead to operations, and only a platform's own files name it."""

import ast
import re

import pytest

from judging.platforms.operations import operations_of
from judging.protocol.platforms import PLATFORMS
from judging.protocol.platforms.base import Platform
from tests.support.naming import naming, sources
from tests.support.tree import ROOT

PAYING = [platform for platform in PLATFORMS.values() if platform.operations]
WORDS = re.compile("|".join(platform.name for platform in PAYING), re.IGNORECASE)
EXEMPT = [
    "judging/migrations",
    "judging/protocol/platforms",
    *(f"judging/platforms/{platform.name}" for platform in PAYING),
    *(f"judging/management/commands/{platform.name}.py" for platform in PAYING),
]


@pytest.mark.parametrize("platform", PAYING, ids=lambda platform: platform.name)
def test_a_declaration_leads_to_operations_in_a_folder_of_its_own(platform: Platform) -> None:
    assert operations_of(platform).__module__ == f"judging.platforms.{platform.name}.operations"


def mentions(source: str) -> list[str]:
    """Return the lines that contain the name of a platform with operations.

    Comments and docstrings can name platforms, as examples.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    return [line for line in ast.unparse(tree).splitlines() if WORDS.search(line)]


def test_only_a_platforms_own_files_name_it() -> None:
    named = {
        str(path.relative_to(ROOT)): found
        for path in sources(["judging"], ".py", exempt=EXEMPT)
        if (found := [*mentions(text := path.read_text()), *naming(text, "platform", PLATFORMS)])
    }
    assert named == {}


def test_no_template_or_script_names_one() -> None:
    files = sources(["templates", "static"], ".html", ".txt", ".js", ".css", exempt=["static/vendor"])
    assert [path for path in files if WORDS.search(path.read_text())] == []


@pytest.mark.parametrize(
    "source",
    [
        "from judging.protocol.platforms.mturk import PLATFORM",
        "from judging.platforms import prolific",
        "settings.PROLIFIC_TOKEN",
        'text = "The reward on Prolific"',
    ],
)
def test_a_named_platform_is_found(source: str) -> None:
    assert mentions(source)
    assert not mentions(repr(source))
