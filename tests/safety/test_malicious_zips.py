"""Archives made to harm, in the set-up and as bundles: refused in a sentence, nothing is left behind."""

import errno
import gzip
import io
import os
import struct
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from judging.archive.bundles.archive import Archive
from judging.core.faults import StudyRefusedError
from judging.core.zip_limit import too_many_entries
from judging.setup.study_files.uploads import unpack
from tests.support.named import assert_names

STUDY: Final = b'title = "x"\n'
LINK: Final = 0o120777 << 16
DEVICE: Final = 0o020666 << 16


def packed(*entries: tuple[str, bytes], mode: int = 0) -> bytes:
    """A zip of these entries below a sound study file; `mode` is that of the last of them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, (name, content) in enumerate((("study.toml", STUDY), *entries)):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode if place == len(entries) else 0
            archive.writestr(entry, content)
    return buffer.getvalue()


def refused(content: bytes, folder: Path) -> str:
    """What is said of an archive, in one line without a path of the server; nothing is beside its folder."""
    (folder / "in").mkdir(parents=True)
    with pytest.raises(StudyRefusedError) as refusal:
        unpack(io.BytesIO(content), folder / "in")
    (line,) = refusal.value.lines
    assert str(folder) not in line
    assert "\n" not in line
    assert [path.name for path in folder.iterdir()] == ["in"]
    return line


@pytest.mark.parametrize(
    "name",
    [
        "../up.txt",
        "a/../../up.txt",
        "a/..",
        "/etc/cron.d/x",
        "//host/share/x",
        "C:\\x.txt",
        "C:x.txt",
        "..\\up.txt",
        "a\\b.txt",
        "x:stream",
        "line\nend.txt",
        "bell\x07.txt",
        "n" * 300,
        "d/" * 150 + "x",
        "ü" * 150,
    ],
    ids=lambda name: ascii(name)[:16],
)
def test_names_that_lead_elsewhere(tmp_path: Path, name: str) -> None:
    assert repr(name[:60]) in refused(packed((name, b"x")), tmp_path / "t")


@pytest.mark.parametrize("mode", [LINK, DEVICE, 0o010666 << 16, 0o140666 << 16])
def test_links_devices_and_pipes(tmp_path: Path, mode: int) -> None:
    assert "'runs.txt'" in refused(packed(("runs.txt", b"/etc/passwd"), mode=mode), tmp_path / "t")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("runs/A.txt", "runs/a.txt"),
        ("é.txt", unicodedata.normalize("NFD", "é.txt")),
        ("ﬁle.txt", "file.txt"),
        ("twice.txt", "twice.txt"),
        ("./twice.txt", "twice.txt"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_some_disks_take_for_one(tmp_path: Path, one: str, other: str) -> None:
    assert repr(other) in refused(packed((one, b"1"), (other, b"2")), tmp_path / "t")


def test_a_file_where_another_needs_a_folder(tmp_path: Path) -> None:
    assert os.strerror(errno.EEXIST) in refused(packed(("a", b"1"), ("a/b", b"2")), tmp_path / "t")


def test_names_of_devices_are_files_like_others(tmp_path: Path) -> None:
    unpack(io.BytesIO(packed(("CON", b"1"), ("nul.txt", b"2"), (".hidden/x", b"3"))), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["CON", "nul.txt", "study.toml"]


def test_an_archive_in_an_archive_is_a_file(tmp_path: Path) -> None:
    inner = packed(("deep.txt", b"0" * 1_000_000))
    unpack(io.BytesIO(packed(("inner.zip", inner))), tmp_path)
    assert (tmp_path / "inner.zip").read_bytes() == inner
    assert {path.name for path in tmp_path.iterdir()} == {"inner.zip", "study.toml"}


def test_a_bomb_is_unpacked_no_further_than_the_site_allows(tmp_path: Path, settings: Any) -> None:
    settings.UPLOAD_MEGABYTES = 2
    bomb = packed(("bomb.txt", b"0" * (50 << 20)))
    assert len(bomb) < 100_000
    assert_names(refused(bomb, tmp_path / "t"), "2 MB")
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 2 << 20


@pytest.mark.parametrize("says", [0, 1])
def test_a_directory_that_lies_about_sizes(tmp_path: Path, says: int) -> None:
    content = bytearray(packed(("a.txt", b"0" * 100_000)))
    at = content.rindex(b"PK\x01\x02")
    struct.pack_into("<L", content, at + 24, says)
    assert refused(bytes(content), tmp_path / "t")


def directory_of(entries: int) -> bytes:
    """A zip that is nothing but a directory of so many entries, all of one stored file."""
    record = (
        struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0) + b"x" * 8
    )
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 8, 0) + b"x" * 8
    size = len(record) * entries
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, size, len(local), 0)
    return local + record * entries + end


READERS: Final[dict[str, Callable[[Path, Path], object]]] = {
    "set-up": lambda path, folder: unpack(path.open("rb"), folder),
    "bundle": lambda path, folder: Archive(path),
}


@pytest.mark.parametrize("where", READERS)
def test_a_directory_of_a_million_entries_is_not_read(tmp_path: Path, where: str) -> None:
    """It says that it has one; read, each of the others would take a thousand bytes of memory."""
    path = tmp_path / "many.zip"
    path.write_bytes(directory_of(1_000_000))
    tracemalloc.start()
    with pytest.raises(StudyRefusedError) as refusal:
        READERS[where](path, tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 5 << 20
    tracemalloc.stop()
    assert "files" in refusal.value.lines[0]


def test_what_is_asked_of_a_directory_is_what_the_reader_believes() -> None:
    few, many = directory_of(10), directory_of(100_000)
    assert not too_many_entries(io.BytesIO(few))
    assert too_many_entries(io.BytesIO(many))
    assert too_many_entries(io.BytesIO(many[:-2] + struct.pack("<H", 9) + b"a comment"[:9]))
    for content in (b"", b"PK\x05\x06", few[:-3]):
        assert not too_many_entries(io.BytesIO(content))


def test_five_thousand_files_are_enough(tmp_path: Path) -> None:
    entries = [(f"{number}.txt", b"") for number in range(5000)]
    assert_names(refused(packed(*entries), tmp_path / "t"), "5000")


def test_a_study_file_that_is_packed_itself_is_read(tmp_path: Path) -> None:
    """A gzip file is told by its content, whatever its name: also the study file of a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("study.toml", gzip.compress(STUDY))
    unpack(io.BytesIO(buffer.getvalue()), tmp_path)
    assert gzip.decompress((tmp_path / "study.toml").read_bytes()) == STUDY
