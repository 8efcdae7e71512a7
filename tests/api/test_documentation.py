"""docs/reference/api.md names every address and every parameter."""

import re
from pathlib import Path

from django.test import Client

from tests.api.conftest import ROOT, read

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md").read_text()


def test_it_names_every_address_and_parameter(db: None) -> None:
    narrowing = {
        address: set(re.findall(r"`(\w+)`", names))
        for address, names in re.findall(r"^\| `(/api\S+)` \| [^|]* \|([^|]*)\|$", TEXT, re.MULTILINE)
    }
    document = read(Client(), f"{ROOT}/schema/")
    described = {}
    for path, item in document["paths"].items():
        if "get" in item:
            names = {p["name"] for p in item["get"].get("parameters", []) if p["in"] == "query"}
            plain = path.replace("{slug}", "SLUG").replace("{what}", "WHAT").replace("{form}", "FORMAT")
            described[plain] = names - {"cursor", "page_size"}
    assert narrowing == described
