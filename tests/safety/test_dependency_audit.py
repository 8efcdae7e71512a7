"""`python -m deploy.audit`: a flaw is named, and what could not be asked about is never called clean."""

import json
import sys
from pathlib import Path

import pytest

from deploy import audit
from deploy.audit import CLEAN, NOT_AUDITED, VULNERABLE, Finding, read_answer
from tests.support.named import assert_all_name, assert_names, numbers_in

SOUND = {"name": "six", "version": "1.17.0", "vulns": []}
FLAWED = {
    "name": "django",
    "version": "5.2.0",
    "vulns": [
        {"id": "PYSEC-2026-1", "fix_versions": ["5.2.8"], "aliases": ["CVE-2026-1"], "description": "…"},
        {"id": "GHSA-x", "fix_versions": []},
    ],
}
SKIPPED = {"name": "attrs", "skip_reason": "Dependency not found on PyPI and could not be audited: attrs"}


def answer(*packages: object) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_sound_packages_are_clean() -> None:
    found = read_answer(answer(SOUND, SOUND | {"name": "other"}))
    assert (found.status, found.audited) == (CLEAN, 2)
    assert_all_name(found.lines(), ("2",))


def test_flaws_are_named_with_what_mends_them() -> None:
    found = read_answer(answer(SOUND, FLAWED, SKIPPED))
    assert found.status == VULNERABLE
    assert found.findings[0] == Finding("django", "5.2.0", "PYSEC-2026-1", ("5.2.8",))
    first, second, *others = found.lines()
    assert_names(first, "django", "5.2.0", "PYSEC-2026-1", "5.2.8")
    assert_names(second, "django", "5.2.0", "GHSA-x")
    assert ["2", "2"] in [numbers_in(line) for line in others]


@pytest.mark.parametrize("packages", [[], [SKIPPED], [SOUND, SKIPPED], [{"name": "attrs"}], [SKIPPED] * 9])
def test_what_could_not_be_asked_about_is_not_clean(packages: list[object]) -> None:
    found = read_answer(answer(*packages))
    assert found.status == NOT_AUDITED
    assert found.audited == packages.count(SOUND)
    assert any("NOT AUDITED" in line for line in found.lines()) == bool(packages)


@pytest.mark.parametrize(
    "text",
    ["", "no json", "[]", "{}", '{"dependencies": [1]}', '{"dependencies": null}'],
)
def test_another_answer_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"answer|Expecting"):
        read_answer(text)


def uv_that(says: str, *, status: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A uv beside this Python that writes down its words and says this."""
    (folder / "says").write_text(says)
    lines = ("#!/bin/sh", f'echo "$@" > {folder}/words', f"cat {folder}/says", "echo no network >&2")
    script = "\n".join((*lines, f"exit {status}\n"))
    (folder / "uv").write_text(script)
    (folder / "uv").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setattr(sys, "argv", ["audit", "--strict"])
    return folder / "words"


@pytest.mark.parametrize(
    ("says", "ends", "status", "said"),
    [
        (answer(SOUND), 0, CLEAN, "1"),
        (answer(FLAWED), 1, VULNERABLE, "PYSEC-2026-1"),
        (answer(SKIPPED), 0, NOT_AUDITED, "attrs"),
        ("", 1, NOT_AUDITED, "no network"),
    ],
    ids=["clean", "vulnerable", "skipped, and pip-audit calls it clean", "no network"],
)
def test_the_command(
    says: str,
    ends: int,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = uv_that(says, status=ends, folder=tmp_path, monkeypatch=monkeypatch)
    assert audit.main() == status
    output = capsys.readouterr()
    assert_names(output.out if status == CLEAN else output.err, said)
    assert ("NOT AUDITED" in output.err) == (status == NOT_AUDITED)
    text = words.read_text()
    assert text.startswith("tool run --quiet pip-audit --disable-pip --require-hashes")
    assert "deploy/requirements.txt" in text
    assert "deploy/requirements-uv.txt" in text
    assert text.strip().endswith("--strict")


def test_a_uv_that_is_not_there_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "argv", ["audit"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert audit.main() == NOT_AUDITED
    assert_names(capsys.readouterr().err, "NOT AUDITED", "FileNotFoundError")
