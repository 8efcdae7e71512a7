"""`docs/reference/commands.md` lists every command of the site, and none that does not exist."""

import re

from django.core.management import get_commands

from tests.documents.test_examples import OURS
from tests.support.tree import ROOT

FROM_DJANGO = {"createsuperuser", "migrate"}
"""Django's own that people need here."""


def test_it_lists_every_command_once() -> None:
    page = (ROOT / "docs" / "reference" / "commands.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    ours = {name for name, app in get_commands().items() if app == "judging"}
    assert sorted(listed) == sorted(ours | OURS | FROM_DJANGO)
