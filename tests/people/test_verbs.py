"""Every verb that Plumbline writes into the audit log has a label on the page."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from judging.people.selectors.verbs import LABELS


def written_verbs() -> Iterator[str]:
    """Yield the verbs in the calls of `audit`, and of the private helpers that pass a verb on to it."""
    for path in Path(settings.BASE_DIR, "judging").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) not in ("audit", "_audit"):
                continue
            if node.args and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


def test_every_verb_has_a_label() -> None:
    assert set(written_verbs()) == LABELS.keys()
