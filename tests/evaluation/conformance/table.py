"""Compute the results of other evaluators anew, in about three minutes, and store them beside the page.

Run `.venv/bin/python -m tests.evaluation.conformance.table`, and then `python3 manage.py docs --tables`.
The first command installs the evaluators in a temporary environment, because ranx is too heavy for every
checkout.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.evaluation.conformance import page, peers
from tests.packaging import built

PACKAGES = ("pytrec-eval-terrier", "ir-measures", "ranx", "scikit-learn")
EVALUATORS = ("evaluation.conformance:plumbline", *(f"{peers.__name__}:{name}" for name in peers.NAMES))


def main() -> None:
    """Store the results, and the versions of the evaluators."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = prepare(folder)
        words = [
            "-m",
            "evaluation",
            "conformance",
            "--format",
            "json",
            "-o",
            folder / "results.json",
            "--with",
        ]
        # The exit status is 1: some evaluators do not follow every rule.
        subprocess.run([python, *words, *EVALUATORS], cwd=built.ROOT, check=False)
        results = json.loads((folder / "results.json").read_text())
        names = ", ".join(f"{package!r}: version({package!r})" for package in PACKAGES)
        program = f"import json; from importlib.metadata import version; print(json.dumps({{{names}}}))"
        versions = json.loads(subprocess.check_output([python, "-c", program], text=True))
    versions["Python"] = ".".join(map(str, sys.version_info[:2]))
    stored = {"versions": versions, "results": results}
    page.RESULTS.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n")


def prepare(folder: Path) -> Path:
    """Install the library and the evaluators below a folder; return its Python."""
    uv = built.find_uv()
    if uv is None:
        sys.exit("uv is not installed. Install it with `.venv/bin/python -m pip install uv`.")
    version = ".".join(map(str, sys.version_info[:2]))
    if fault := built.make_environment(uv, version, folder / "environment"):
        sys.exit(fault)
    (folder / "wheel").mkdir()
    wheel = built.build(built.ROOT, folder / "wheel", "wheel")
    built.install(uv, folder / "environment", wheel, ("library", "peers"))
    return folder / "environment" / "bin" / "python"


if __name__ == "__main__":
    main()
