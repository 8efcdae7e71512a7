"""However a study file is garbled, it is imported or refused in lines of text, never with another error."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judging.models import Study
from tests.setup.intake.folder import StudyFolder

MARKS = ("[", "]", "[[run]]\n", "{", "}", "{x}", '"', "'", '"""', "=", "\n", "#", ".", "[" * 2000)
VALUES = ("nan", "-1", "true", "[]", '""', "1979-05-27", "0001-01-01T00:00:00+23:59", "\\u0000", "\\ud800")
NUMBERS = ("0x" + "f" * 5000, "9" * 5000, "1e99999999999999999999")
PIECES = st.text(max_size=4) | st.sampled_from((*MARKS, *VALUES, *NUMBERS))
NAMES = ("study.toml", "topics.txt", "documents.jsonl", "qrels.txt", "good.run")


@pytest.mark.django_db
@given(
    name=st.sampled_from(NAMES[:1] * 4 + NAMES[1:]),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES, st.booleans()), min_size=1, max_size=3
    ),
)
@example(name="study.toml", cuts=[(0.0, 10**6, "[" * 5000, False)])
@example(name="study.toml", cuts=[(0.0, 10**6, "seed = 0x" + "f" * 9000, False)])
@example(name="study.toml", cuts=[(0.0, 0, "opens_at = 0001-01-01T00:00:00+23:59\n", False)])
@example(name="study.toml", cuts=[(0.0, 10**6, "[pay]\npay_per_unit = 1e99999999999999999999", False)])
def test_a_garbled_file_never_gives_a_traceback(
    tmp_path: Path, name: str, cuts: list[tuple[float, int, str, bool]]
) -> None:
    Study.objects.all().delete()
    folder = StudyFolder(tmp_path / "small")
    text = folder.read(name)
    for place, length, piece, repeat in cuts:
        at = int(place * len(text))
        text = text[:at] + piece + (text[at : at + length] * 2 if repeat else text[at + length :])
    folder.write(name, text.encode(errors="surrogatepass"))
    lines = folder.faults()  # any other error than a refusal comes through

    assert all(line and "\n" not in line for line in lines)
    assert Study.objects.exists() is (not lines)
