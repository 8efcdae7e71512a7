"""What CONTRIBUTING.md tells to write works as it stands there."""

import re
import subprocess
import sys

from tests.support.processes import ROOT

AND_THEN = """
import django
django.setup()
for place, block in enumerate(BLOCKS):
    exec(compile(block, f"block {place}", "exec"), {"__name__": f"block{place}"})
from evaluation.measures import parse
assert str(parse("Miss@10")) == "Miss@10"
"""


def test_its_examples_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert len(blocks) == 7
    subprocess.run([sys.executable, "-c", f"BLOCKS = {blocks!r}\n{AND_THEN}"], cwd=ROOT, check=True)
