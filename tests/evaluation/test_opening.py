"""One function opens whatever the library reads: packed files, pipes, standard input and open files."""

import bz2
import gzip
import io
import lzma
import os
import re
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from evaluation.errors import InputError
from evaluation.files import read_gains, read_judgments, read_run, read_scores
from evaluation.files.ratings import read_ratings
from evaluation.files.schemes import read_scheme
from evaluation.parsing import packing
from evaluation.parsing.detect import kind_of
from evaluation.parsing.packing import MOST_MEMORY, PACKINGS, packing_of, zstd
from evaluation.parsing.text import read_bytes, text_lines
from tests.evaluation.refusals import refused

PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "Zstandard": zstd.compress}
TEXTS = {
    read_run: "t Q0 a 1 2 tag\nt Q0 b 2 1 tag\n",
    read_gains: "t 0 a 1.5\nt 0 b 0\n",
    read_judgments: "topic_id,unit_id,document_id,relevance_score\nt,1,a,5\nt,1,b,7\n",
    read_scores: "run\tt\tAP\t0.5\n",
    read_ratings: "t 0 a -1\nt 0 b 2\n",
    read_scheme: "0 0\n1 2\n",
}


def rows(found: object) -> str:
    """What was read, in words that are the same for the same content."""
    table = getattr(found, "table", None)
    return repr(found if table is None else table.rows())


def test_every_packing_has_a_packer_here():
    assert {each.name for each in PACKINGS} == PACKERS.keys()
    for name, pack in PACKERS.items():
        assert packing_of(pack(b"text")).name == name


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize("read", TEXTS, ids=lambda read: read.__name__)
def test_a_packed_file_is_read_as_its_text(file, read, name):
    text, pack = TEXTS[read].encode(), PACKERS[name]
    plain = rows(read(file(text, "plain")))
    for packed in (pack(text), pack(text[:5]) + pack(text[5:])):
        assert rows(read(file(packed, "packed"))) == plain


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize("read", TEXTS, ids=lambda read: read.__name__)
def test_a_damaged_file_is_named(file, read, name):
    packed = PACKERS[name](TEXTS[read].encode() * 500)
    for broken in (packed[:-5], packed[: len(packed) // 2], packed + b"x" * 40):
        path = file(broken)
        with refused("compressed-file-broken", at=f"{path}:1"):
            read(path)


@pytest.mark.parametrize("name", PACKERS)
def test_lines_of_a_damaged_file_end_with_its_fault(name):
    packed = PACKERS[name](os.urandom(5000).hex().encode() + b"\n")
    with pytest.raises(Exception, match="damaged"):
        list(text_lines(io.BytesIO(packed[:-9]), longest=1 << 20))


@pytest.mark.parametrize("pack", [*PACKERS.values(), zlib.compress])
@pytest.mark.parametrize("read", TEXTS, ids=lambda read: read.__name__)
def test_nothing_packed_reaches_a_parser(file, read, pack):
    """Polars would unpack these by itself, and would read what nobody has checked."""
    for outer in PACKERS.values():
        path = file(outer(pack(TEXTS[read].encode())))
        with refused("file-of-another-kind", at=f"{path}:1"):
            read(path)
    path = file(zlib.compress(TEXTS[read].encode()))
    with refused("file-of-another-kind", at=f"{path}:1"):
        read(path)


def test_a_packing_whose_package_is_missing_says_what_to_install(file, monkeypatch):
    without = tuple(replace(each, start=None) for each in PACKINGS)
    monkeypatch.setattr(packing, "PACKINGS", without)
    path = file(zstd.compress(b"t 0 a 1\n"))
    with refused("packing-without-package", "plumbline-ir[files]", at=f"{path}:1"):
        read_gains(path)


def with_dictionary(size: int) -> bytes:
    """A small xz file whose header asks for a dictionary of 2 to the power of `size` bytes."""
    data = bytearray(lzma.compress(b"t 0 a 1\n"))
    start, length = 12, (data[12] + 1) * 4
    assert data[start + 2 : start + 4] == b"\x21\x01"
    data[start + 4] = 2 * (size - 12)
    crc = zlib.crc32(data[start : start + length - 4])
    data[start + length - 4 : start + length] = crc.to_bytes(4, "little")
    return bytes(data)


def test_unpacking_needs_little_memory(file):
    assert read_bytes(file(with_dictionary(26))) == b"t 0 a 1\n"
    path = file(with_dictionary(30))
    with refused("packing-needs-memory", str(MOST_MEMORY >> 20), at=f"{path}:1"):
        read_gains(path)


def test_text_that_begins_like_a_packed_file_is_text():
    for text in (b"BZh", b"BZh9 0 a 1\n", b"x 0 a 1\n", b"(\xc2\xb5/ 0 a 1\n"):
        assert packing_of(text) is None
        assert kind_of(text) == ""


class Named(os.PathLike):
    """A path that is neither a string nor a `Path`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return self.path


@pytest.mark.parametrize("read", TEXTS, ids=lambda read: read.__name__)
def test_open_files_of_python_are_files(file, read):
    text = TEXTS[read]
    path = file(gzip.compress(text.encode()), "packed")
    plain = file(text, "plain")
    expected = rows(read(plain))
    with Path(path).open("rb") as packed, Path(plain).open() as words, gzip.open(path) as unpacked:
        for source in (Named(path), Path(path), packed, words, unpacked):
            assert rows(read(source)) == expected
    assert rows(read(io.StringIO(text))) == expected
    assert rows(read(io.BytesIO(gzip.compress(text.encode())))) == expected


@pytest.mark.parametrize("read", TEXTS, ids=lambda read: read.__name__)
def test_an_open_file_that_gives_nothing_to_read_is_refused(read):
    closed = io.BytesIO(b"t")
    closed.close()
    with refused("file-unreadable", at="<BytesIO>"):
        read(closed)

    class Numbers:
        def read(self) -> int:
            return 7

    with refused("file-unreadable", "int", at="<Numbers>"):
        read(Numbers())
    with refused(("empty-file", "file-without-scores"), at="<BytesIO>:1"):
        read(io.BytesIO())


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()])
def test_a_pipe_is_a_file(tmp_path, pack):
    path, text = tmp_path / "pipe", TEXTS[read_gains]
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=[pack(text.encode())])
    writer.start()
    assert read_gains(path).table.height == 2
    writer.join()


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()])
def test_a_hyphen_is_standard_input(file, tmp_path, pack):
    qrels = file(TEXTS[read_gains])
    words = [sys.executable, "-m", "evaluation", "score", qrels, "-", "-m", "AP"]
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        words,
        input=pack(TEXTS[read_run].encode()),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "tag\tall\tAP\t1.0000\n", b"")


def test_faults_in_standard_input_say_so(monkeypatch):
    class Input:
        buffer = io.BytesIO(b"t 0 a\n")

    monkeypatch.setattr(sys, "stdin", Input())
    with pytest.raises(InputError) as error:
        read_gains("-")
    assert re.fullmatch(r"standard input:1", error.value.where)
