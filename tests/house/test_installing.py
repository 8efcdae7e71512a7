"""No text tells anybody to install `plumbline` or `evaluation`: these are other projects on the index."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.tree import ROOT, tree

NAME: Final = r"(?<![\w./-])(?:plumbline|evaluation)(?![\w./-]*[\w/-])"
SPACE: Final = r"(?:[ \t]|\n(?!\s*\n))+"
"""Also the end of a line, but not of a paragraph."""
TOOLS: Final = r"(?:pip[\d.]*|pipx|uvx?|conda|mamba|poetry|pdm|pixi|rye)"
FORMS: Final = (
    # a command, with up to four other words before the name, even across the end of a line
    rf"\b{TOOLS}\s+(?:[a-z]+\s+)?(?:install|add|download|run|wheel)(?:{SPACE}[^\s`]+){{0,4}}?{SPACE}[\"'\\]*{NAME}",
    r"\b(?:uvx|pipx run)\s+(?:plumbline|evaluation)\b(?!-ir)",
    # a sentence, such as: install `plumbline`
    rf"\binstall(?:s|ing)?\s+(?:the\s+package\s+)?[`\"']*{NAME}",
    # extras and versions, as in lists of requirements
    r"(?<![\w./-])plumbline\[[\w,\s-]+\]",
    rf"{NAME}\s*(?:===?|~=|>=)\s*\d",
)
IN_A_CATALOGUE: Final = {".po", ".mo"}
"""Translations follow the sentences of the code, in which this test looks."""
TEXTS: Final = {
    ".py",
    ".md",
    ".html",
    ".txt",
    ".toml",
    ".ipynb",
    ".sh",
    ".cff",
    ".yml",
    ".yaml",
    ".js",
    ".cfg",
    "",
}


def advice(text: str) -> list[str]:
    """What a text tells to install under a name that is somebody else's."""
    return [match[0] for form in FORMS for match in re.finditer(form, text)]


def test_no_text_tells_to_install_a_package_of_others() -> None:
    places = [
        f"{path.relative_to(ROOT)}: {told}"
        for path in tree()
        if path.suffix in TEXTS and path != Path(__file__) and not path.name.startswith("requirements")
        for told in advice(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert places == []


@pytest.mark.parametrize(
    "text",
    [
        "pip install plumbline",
        "pip3 install -U plumbline",
        "pip install 'plumbline[report]'",
        "python -m pip install --quiet plumbline==0.1.0",
        "%pip install evaluation",
        "!pip install numpy polars evaluation",
        "Run `pip install\nplumbline` first.",
        "uv add plumbline",
        "uv pip install evaluation",
        "uv tool install plumbline",
        "pipx run plumbline",
        "uvx plumbline",
        "figures need matplotlib: install plumbline[figures]",
        "Install the site, then install `evaluation`.",
        "plumbline>=0.1",
        "install it with pip install plumbline.",
    ],
)
def test_such_advice_is_noticed(text: str) -> None:
    assert advice(text)


@pytest.mark.parametrize(
    "text",
    [
        "pip install '.[report]'",
        "`pip install .` installs the library. `evaluation` then works everywhere.",
        "pip install plumbline-ir",
        "pip install 'plumbline-ir[report]'",
        "uvx plumbline-ir",
        "pip install plumbline_ir-0.1.0-py3-none-any.whl",
        "install -m 0640 -g plumbline deploy/systemd/plumbline.env /etc/plumbline/",
        "pip install ir_datasets",
        "git clone … /srv/plumbline",
    ],
)
def test_other_advice_is_fine(text: str) -> None:
    assert advice(text) == []
