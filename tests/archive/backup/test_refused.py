"""What is no whole backup of ours, or has no place to go, is refused in one line; nothing is changed."""

import hashlib
import json
import os
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError

from judging.archive.backup import restoring
from judging.archive.backup.schema import FILLED_BY_MIGRATIONS
from judging.core.formats.software import plumbline_version
from judging.models import Study
from tests.archive.backup.conftest import changed, in_manifest
from tests.factories import make_study
from tests.support.named import assert_names

Members = dict[str, bytes]
JUDGMENTS = "tables/judging_judgment.jsonl"
NOT_STORED = "judging_visit"
"""The table that a backup with a row that cannot be stored is refused for."""


def refused(path: Path, *named: str) -> None:
    """Restoring fails in one line that names these; no table has a row, no folder a file."""
    with pytest.raises(CommandError) as caught:
        call_command("restore", str(path))
    assert "\n" not in str(caught.value)
    assert_names(str(caught.value), *named)
    filled = [
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model._meta.db_table not in FILLED_BY_MIGRATIONS and model._base_manager.exists()
    ]
    assert filled == []


def empty(folder: Path) -> bool:
    return not any(path.is_file() for path in folder.rglob("*"))


def without(name: str) -> Callable[[Members], object]:
    return lambda members: members.pop(name)


def with_more(members: Members) -> None:
    members["files/reports/more.txt"] = b"more"


def flipped(members: Members) -> None:
    members[JUDGMENTS] = members[JUDGMENTS].replace(b"1", b"2", 1)


def set_to(**values: Any) -> Callable[[Members], None]:
    return in_manifest(lambda manifest: manifest.update(values))


def newer_migration(manifest: dict[str, Any]) -> None:
    manifest["migrations"].append(["judging", "9999_not_thought_of"])


def older_migrations(manifest: dict[str, Any]) -> None:
    manifest["migrations"] = [
        [app, name]
        for app, name in manifest["migrations"]
        if app != "judging" or (name < "0012" and "squashed" not in name and "version" not in name)
    ]


def newer_version(manifest: dict[str, Any]) -> None:
    manifest["versions"]["plumbline"] = "99.0"


def outside(members: Members) -> None:
    members["files/reports/../../x"] = members.pop("files/reports/7/figure.svg")
    in_manifest(lambda manifest: manifest["files"][0].update(name="files/reports/../../x"))(members)


def in_visits(change: Callable[[bytes], bytes]) -> Callable[[Members], None]:
    """Makes a backup that is whole by its sums, with other visits in it."""
    name = "tables/judging_visit.jsonl"

    def rewrite_visits(members: Members) -> None:
        members[name] = data = change(members[name])

        def rewrite(manifest: dict[str, Any]) -> None:
            (visits,) = (item for item in manifest["tables"] if item["name"] == name)
            visits.update(sha256=hashlib.sha256(data).hexdigest(), rows=data.count(b"\n"))

        in_manifest(rewrite)(members)

    return rewrite_visits


def first_twice(data: bytes) -> bytes:
    return data.split(b"\n")[0] + b"\n" + data


def first_row(change: Callable[[list[Any]], Any]) -> Callable[[Members], None]:
    """Makes one whose first visit is what `change` makes of its values."""

    def rewrite(data: bytes) -> bytes:
        first, _, rest = data.partition(b"\n")
        return json.dumps(change(json.loads(first))).encode() + b"\n" + rest

    return in_visits(rewrite)


CHANGES: dict[str, tuple[Callable[[Members], object], str]] = {
    "a value": (flipped, JUDGMENTS),
    "a table less": (without(JUDGMENTS), JUDGMENTS),
    "a file more": (with_more, "files/reports/more.txt"),
    "no manifest": (without("manifest.json"), "manifest"),
    "another format": (set_to(format="zip"), "manifest"),
    "a newer format": (set_to(version=2), plumbline_version()),
    "a newer version": (in_manifest(newer_version), "99.0"),
    "a newer migration": (in_manifest(newer_migration), plumbline_version()),
    "older migrations": (in_manifest(older_migrations), "0001_version_0_1_0"),
    "a way out": (outside, "files/reports/../../x"),
    "a row twice": (in_visits(first_twice), NOT_STORED),
    "a row of no JSON": (in_visits(lambda data: b"[1, 2\n" + data), NOT_STORED),
    "a row that is no list": (first_row(lambda row: {"id": row[0]}), NOT_STORED),
    "a row of too few values": (first_row(lambda row: row[:-1]), NOT_STORED),
    "a key too large": (first_row(lambda row: [10**30, *row[1:]]), NOT_STORED),
    "lists for values": (first_row(lambda row: [[one] for one in row]), NOT_STORED),
    "numbers for moments": (
        first_row(lambda row: [7 if type(one) is str else one for one in row]),
        NOT_STORED,
    ),
    "other texts for moments": (
        first_row(lambda row: ["x" if type(one) is str else one for one in row]),
        NOT_STORED,
    ),
    "references to nothing": (
        first_row(lambda row: [row[0], *(10**6 if type(one) is int else one for one in row[1:])]),
        NOT_STORED,
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_backup(what: str, backup: Path, db: None, folder: Path, tmp_path: Path) -> None:
    change, named = CHANGES[what]
    refused(changed(backup, tmp_path / "changed.backup", change), named)
    assert empty(folder)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_backup_that_was_cut_off(
    share: float, backup: Path, db: None, folder: Path, tmp_path: Path
) -> None:
    short = tmp_path / "short.backup"
    short.write_bytes(backup.read_bytes()[: int(backup.stat().st_size * share)])
    refused(short, str(short))
    assert empty(folder)


def test_a_backup_with_a_bad_byte(backup: Path, db: None, folder: Path, tmp_path: Path) -> None:
    bad, data = tmp_path / "bad.backup", bytearray(backup.read_bytes())
    with ZipFile(backup) as archive:
        member = archive.getinfo("tables/judging_document.jsonl")
    middle = member.header_offset + 30 + len(member.filename) + member.compress_size // 2
    data[middle] ^= 0xFF
    bad.write_bytes(data)
    refused(bad, "tables/judging_document.jsonl")
    assert empty(folder)


def test_no_byte_of_its_directory_ends_in_a_traceback(backup: Path, db: None, tmp_path: Path) -> None:
    """Each byte of the entry of the manifest and of the directory's end, which `zipfile` checks by halves."""
    data, bad = backup.read_bytes(), tmp_path / "bad.backup"
    for at in range(len(data) - 85, len(data)):
        for byte in (data[at] ^ 0xFF, data[at] ^ 0x80):
            bad.write_bytes(data[:at] + bytes([byte]) + data[at + 1 :])
            assert "\n" not in refusal(bad)


JUNK: tuple[Any, ...] = (None, -1, 10**400, float("inf"), "a\nb", "\udc80", [[1]], {"a": 1})


def test_no_value_in_the_manifest_ends_in_a_traceback(backup: Path, db: None, tmp_path: Path) -> None:
    with ZipFile(backup) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    places: list[tuple[Any, ...]] = [
        *((key,) for key in manifest),
        ("migrations", 0),
        ("versions", "plumbline"),
    ]
    for kind in ("tables", "files"):
        places += [(kind, 0), *((kind, 0, key) for key in manifest[kind][0])]
    for place in places:
        for junk in JUNK:
            bad = changed(backup, tmp_path / "bad.backup", in_manifest(put(junk, *place)))
            assert "\n" not in refusal(bad)


def put(junk: Any, *place: Any) -> Callable[[dict[str, Any]], None]:
    """Puts something else in that place of a manifest."""

    def change(manifest: dict[str, Any]) -> None:
        part: Any = manifest
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = junk

    return change


def refusal(path: Path) -> str:
    """What `restore --check` says against a file; nothing where the damage does no harm, as to a date."""
    try:
        call_command("restore", "--check", str(path), stdout=StringIO())
    except CommandError as error:
        return str(error)
    return ""


def test_no_file_at_all(db: None, folder: Path) -> None:
    refused(folder / "none.backup", str(folder / "none.backup"))
    assert empty(folder)


def test_a_site_with_something_in_it(backup: Path, db: None, folder: Path) -> None:
    study = make_study(slug="there", opened=False)
    with pytest.raises(CommandError, match="judging_"):
        call_command("restore", str(backup))
    assert list(Study.objects.all()) == [study]
    assert empty(folder)


def test_a_site_with_files_in_it(backup: Path, db: None, folder: Path) -> None:
    (folder / "drafts" / "3").mkdir()
    (folder / "drafts" / "3" / "topics.trec").write_text("there")
    refused(backup, "drafts/3")
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["topics.trec"]


def test_files_that_cannot_be_put_in_place(
    backup: Path, db: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in_place = restoring.put_in_place

    def full(staged: Path, moved: list[Path]) -> None:
        put_in_place(staged, moved)
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(restoring, "put_in_place", full)
    refused(backup, os.strerror(28))
    assert empty(folder)


def test_rows_that_read_back_otherwise(
    backup: Path, db: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = restoring.load

    def forgetful(model: Any, columns: Any, lines: Any) -> None:
        load(model, columns, list(lines)[1:] if model._meta.db_table == "judging_visit" else lines)

    monkeypatch.setattr(restoring, "load", forgetful)
    refused(backup, "1", "judging_visit")
    assert empty(folder)
