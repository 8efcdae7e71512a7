"""The rules on files and ids. Their gains are whole, so that tools without real gains can follow them."""

import gzip
import io

from tests.evaluation.conformance.arithmetic import Topic
from tests.evaluation.conformance.case import RUN, Case, Level, one, rejected

QRELS = "1 0 a 1\n1 0 b 3\n1 0 c 0\n"
SEEN = one("1 3 0", "3 1 0")


def run_of(*documents: str, topic: str = "1") -> str:
    """A run that ranks the documents in this order."""
    return "".join(
        f"{topic} Q0 {document} {rank} {len(documents) - rank + 1} run\n"
        for rank, document in enumerate(documents, start=1)
    )


def gzip_of(text: str) -> bytes:
    """A gzip file of stored blocks: the bytes are the same with every version of Python and of zlib."""
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", compresslevel=0, fileobj=buffer, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


FILES = [
    Case(
        "columns",
        Level.MUST,
        "A file must have four columns (topic, `0`, document and gain) and no header.",
        QRELS,
        SEEN,
    ),
    Case(
        "spaces-and-tabs",
        Level.MUST,
        "Tools must accept one or more spaces or tabs between columns, and ignore those at the ends of a"
        " line.",
        "1\t0\ta\t1\n  1   0 b\t 3  \n1 0 c 0\t\n",
        SEEN,
        run="1\tQ0\ta\t1\t3\trun\n 1  Q0 b 2\t 2 run \n1 Q0 c 3 1 run\t\n",
    ),
    Case(
        "second-column",
        Level.MUST,
        "Tools must also accept `Q0` in the second column.",
        QRELS.replace(" 0 ", " Q0 "),
        SEEN,
    ),
    Case(
        "any-order",
        Level.MUST,
        "Tools must accept lines in any order. The lines of a topic need not be adjacent.",
        "2 0 x 1\n1 0 b 3\n2 0 y 2\n1 0 a 1\n",
        {"1": Topic("1 3", "3 1"), "2": Topic("1 2", "2 1")},
        run="2 Q0 y 2 1 run\n1 Q0 a 1 2 run\n2 Q0 x 1 2 run\n1 Q0 b 2 1 run\n",
    ),
    Case(
        "windows-line-ends",
        Level.MUST,
        "Tools must accept lines that end with a line feed, or with a carriage return and a line feed.",
        QRELS.replace("\n", "\r\n"),
        SEEN,
        run=RUN.replace("\n", "\r\n"),
    ),
    Case(
        "no-final-line-end",
        Level.MUST,
        "Tools must accept a last line without a line end.",
        QRELS.rstrip(),
        SEEN,
        run=RUN.rstrip(),
    ),
    Case(
        "blank-lines",
        Level.SHOULD,
        "Tools should skip blank lines.",
        "\n1 0 a 1\n\n1 0 b 3\n   \n1 0 c 0\n\n",
        SEEN,
        run="\n" + RUN.replace("\n", "\n\n"),
    ),
    Case(
        "comments",
        Level.SHOULD,
        "Tools should skip lines that begin with `#`, as trec_eval 10 does.",
        "# gains\n1 0 a 1\n#1 0 b 9\n1 0 b 3\n1 0 c 0\n",
        SEEN,
        run="# a run\n" + RUN,
    ),
    Case(
        "words-after-the-tag",
        Level.SHOULD,
        "Tools should ignore words after the tag of a run, as trec_eval does.",
        QRELS,
        SEEN,
        run=RUN.replace(" run\n", " run and more\n"),
    ),
    Case(
        "byte-order-mark",
        Level.SHOULD,
        "Tools should skip a byte-order mark at the start of a file.",
        "\ufeff" + QRELS,
        SEEN,
        run="\ufeff" + RUN,
    ),
    Case(
        "gzip",
        Level.MAY,
        "Tools may read files that are compressed with gzip.",
        gzip_of(QRELS),
        SEEN,
        run=gzip_of(RUN),
    ),
    rejected(
        "three-columns",
        Level.MUST,
        "Tools must reject a line with three columns.",
        "1 a 1\n1 b 3\n1 c 0\n",
    ),
    rejected(
        "five-columns",
        Level.MUST,
        "Tools must reject a line with five columns. Otherwise, a space in an id moves another column into "
        "the place of the gain.",
        "1 0 a 1\n1 0 b 2 3\n1 0 c 0\n",
    ),
    rejected(
        "not-utf-8",
        Level.SHOULD,
        "Tools should reject text that is not UTF-8.",
        "1 0 é 1\n1 0 b 3\n".encode("latin-1"),
        run=run_of("é", "b").encode("latin-1"),
    ),
]
IDS = [
    Case(
        "ids-are-text",
        Level.MUST,
        "Tools must treat ids as text: `007` is not `7`, and `1e5` is not `100000`.",
        "01 0 007 3\n01 0 7 0\n01 0 1e5 1\n01 0 100000 2\n1 0 7 2\n1 0 007 0\n",
        {"01": Topic("0 3 1 2", "3 2 1 0"), "1": Topic("0 2", "2 0")},
        run=run_of("7", "007", "1e5", "100000", topic="01") + run_of("007", "7"),
    ),
    Case(
        "ids-like-missing-values",
        Level.MUST,
        "Tools must treat `NA`, `null`, `nan`, `None` and `true` as ids like any other.",
        "nan 0 NA 1\nnan 0 null 3\nnan 0 nan 2\nnan 0 None 0\nnan 0 true 4\n",
        {"nan": Topic("1 3 2 0 4", "4 3 2 1 0")},
        run=run_of("NA", "null", "nan", "None", "true", topic="nan"),
        measures=("nDCG",),
    ),
    Case(
        "punctuation",
        Level.MUST,
        "Tools must not give a special meaning to quotes, commas or backslashes, or to `#` inside a line.",
        '1 0 "a 1\n1 0 #b 3\n1 0 c,d 0\n1 0 e\\ 2\n1 0 \'f" 4\n',
        one("1 3 0 2 4", "4 3 2 1 0"),
        run=run_of('"a', "#b", "c,d", "e\\", "'f\""),
        measures=("nDCG",),
    ),
    Case(
        "unicode",
        Level.MUST,
        "Ids must be UTF-8. They are equal only if their bytes are equal: a composed and a decomposed é are"
        " different.",
        "1 0 文書 1\n1 0 \u00e9 3\n1 0 e\u0301 0\n",
        one("0 1 3", "3 1 0"),
        run=run_of("e\u0301", "文書", "\u00e9"),
    ),
    Case(
        "unicode-spaces",
        Level.SHOULD,
        "Tools should separate columns only at spaces and tabs, and lines only at line feeds. Other"
        " white space is part of an id.",
        "1 0 a\u00a0x 1\n1 0 b\u2028y 3\n1 0 c\u3000z 0\n",
        SEEN,
        run=run_of("a\u00a0x", "b\u2028y", "c\u3000z"),
    ),
]
