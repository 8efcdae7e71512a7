"""What the operator's page and the alert rules speak of is there."""

import re
from pathlib import Path

from django.test import Client

from judging.core.observing.requests import observe

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/guides/operating.md").read_text()


def named(text: str) -> set[str]:
    names = re.findall(r"\bplumbline_[a-z_]+", text)
    return {re.sub("_(bucket|count|sum|created)$", "", name) for name in names}


def test_the_page_and_the_rules_name_the_metrics_that_there_are(db: None, client: Client) -> None:
    observe("home", 200, 0.1)
    there = named(client.get("/metrics").content.decode())
    (table,) = re.findall(r"^\| name \| what \| labels \|.*?\n\n", GUIDE, re.MULTILINE | re.DOTALL)
    assert named(table) == there - {"plumbline_build"}
    rules = (ROOT / "deploy/prometheus/alerts.yml").read_text()
    assert named(rules) <= there


def test_the_page_names_commands_that_there_are() -> None:
    folder = ROOT / "judging/management/commands"
    ours = {path.stem for path in folder.glob("*.py")} | {"migrate", "collectstatic", "check"}
    assert set(re.findall(r"manage\.py ([a-z_]+)", GUIDE)) <= ours


def test_links_to_parts_of_the_page_lead_somewhere() -> None:
    lines = [line.lstrip("# ") for line in GUIDE.splitlines() if line.startswith("#")]
    there = {re.sub("[^a-z -]", "", line.lower()).replace(" ", "-") for line in lines}
    there |= set(re.findall(r'<a id="([a-z-]+)">', GUIDE))
    linked = set(re.findall(r"operating\.md#([a-z-]+)", (ROOT / "docs/guides/running.md").read_text()))
    linked |= set(re.findall(r"\]\(#([a-z-]+)\)", GUIDE))
    assert linked
    assert linked <= there
