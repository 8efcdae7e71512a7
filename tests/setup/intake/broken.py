"""Ways to break a study file in one place, and the place and the values that each must be told with."""

from tests.setup.intake.breaks import (
    FULL_QUESTION,
    Break,
    appended,
    cut_gzip,
    in_another_encoding,
    in_latin_1,
    in_utf_16,
    marked_as_utf_8,
    packed_by_compress,
    replaced,
    second_tag,
    setting,
    without_a_grade,
    without_a_question,
)
from tests.setup.intake.broken_columns import COLUMN_FAULTS

FAULTS: dict[str, tuple[Break, str, list[str]]] = {
    "unknown key": (
        replaced("study.toml", "requester =", "requestor ="),
        "study.toml:{}: requestor",
        ["requester"],
    ),
    "unknown key in a table": (
        setting("checks", "anchor_tie = 1"),
        "study.toml:{}: checks.anchor_tie",
        ["anchor_ties"],
    ),
    "a single table": (
        appended("study.toml", '[anchor]\ntopic = "007"\nH = "007-H"\n'),
        "study.toml:{}: anchor",
        ["[[anchor]]", "[anchor]"],
    ),
    "unknown table": (appended("study.toml", "[docs]\n"), "study.toml:{}: docs", []),
    "not TOML": (
        replaced("study.toml", 'title = "A small study"', "title = A"),
        "study.toml:{}",
        ["TOML"],
    ),
    "no TOML value": (
        replaced("study.toml", "seed = 7", "seed = seven"),
        "study.toml:{}",
        ["TOML", "'seven'"],
    ),
    "not TOML at the end": (appended("study.toml", "[checks"), "study.toml:{}", ["TOML"]),
    "text for a number": (
        setting("checks", 'practice_attempts = "3"'),
        "study.toml:{}: checks.practice_attempts",
        [],
    ),
    "a number for text": (
        appended("study.toml", '[[anchor]]\ntopic = 7\nH = "007-H"\n', 1),
        "study.toml:{}: anchor.topic",
        ['"7"'],
    ),
    "true is no number": (
        replaced("study.toml", "judgments_per_document = 3", "unit_size = true"),
        "study.toml:{}: units.unit_size",
        [],
    ),
    "out of range": (
        replaced("study.toml", "judgments_per_document = 3", "judgments_per_document = 0"),
        "study.toml:{}: units.judgments_per_document",
        ["0", "1", "1000"],
    ),
    "not a number": (
        setting("checks", "seconds_per_document = nan"),
        "study.toml:{}: checks.seconds_per_document",
        [],
    ),
    "infinite": (
        setting("checks", "seconds_per_document = 1e9999999999999999999"),
        "study.toml:{}: checks.seconds_per_document",
        [],
    ),
    "pay with three decimals": (
        setting("pay", 'pay_per_unit = "0.125"'),
        "study.toml:{}: pay.pay_per_unit",
        ["0.125"],
    ),
    "pay that is none": (
        setting("pay", 'pay_per_unit = "a lot"'),
        "study.toml:{}: pay.pay_per_unit",
        [],
    ),
    "currency": (
        setting("pay", 'currency = "dollars"'),
        "study.toml:{}: pay.currency",
        ["'dollars'"],
    ),
    "choice": (
        setting("checks", 'anchor_ties = "maybe"'),
        "study.toml:{}: checks.anchor_ties",
        ["'maybe'", '"fail"', '"pass"'],
    ),
    "date without a time": (
        replaced("study.toml", "seed = 7", "closes_at = 2030-01-01"),
        "study.toml:{}: closes_at",
        [],
    ),
    "dates the wrong way round": (
        replaced(
            "study.toml", "seed = 7", "closes_at = 2030-01-01T00:00:00Z\nopens_at = 2031-01-01T00:00:00Z"
        ),
        "study.toml:{}: closes_at",
        ["opens_at"],
    ),
    "file address": (
        setting("platform", 'completion_url = "file:///etc"'),
        "study.toml:{}: platform.completion_url",
        [],
    ),
    "unknown placeholder": (
        setting("platform", 'completion_url = "https://a.example/{worker}"'),
        "study.toml:{}: platform.completion_url",
        ["{worker}", "{code}", "{submission}"],
    ),
    "broken address": (
        setting("platform", 'no_work_url = "http://[a"'),
        "study.toml:{}: platform.no_work_url",
        [],
    ),
    "platform without a parameter": (
        appended("study.toml", '[platform]\nplatform = "generic"\n'),
        "study.toml:{}: platform.id_parameter",
        [],
    ),
    "an id that nobody would store": (
        setting("platform", 'id_parameter = "PROLIFIC_PID"'),
        "study.toml:{}: platform.id_parameter",
        ['"direct"'],
    ),
    "a way back without a platform": (
        setting("platform", 'no_work_url = "https://a.example/none"\nplatform = "direct"'),
        "study.toml:{}: platform.no_work_url",
        [],
    ),
    "text twice": (
        replaced("study.toml", "consent =", 'consent_file = "x.md"\nconsent ='),
        "study.toml:{}: consent_file",
        ["consent"],
    ),
    "bad slug": (
        replaced("study.toml", '"small"', '"my study"'),
        "study.toml:{}: slug",
        ["'my study'"],
    ),
    "title missing": (
        lambda folder: 0 * folder.replace("study.toml", 'title = "A small study"\n', "") + 1,
        "study.toml:{}: title",
        [],
    ),
    "no pool": (
        lambda folder: folder.replace("study.toml", "depth = 8\n", "") - 1,
        "study.toml:{}: pool",
        [],
    ),
    "missing file": (
        replaced("study.toml", '"documents.jsonl"', '"absent.jsonl"'),
        "study.toml:{}: documents.path",
        ["absent.jsonl"],
    ),
    "a folder for a file": (
        replaced("study.toml", '"qrels.txt"', '"."'),
        "study.toml:{}: grades.path",
        [],
    ),
    "missing run": (
        replaced("study.toml", '"good.run"', '"no.run"'),
        "study.toml:{}: run.path",
        ["no.run"],
    ),
    "grades named twice": (
        appended("study.toml", '[[grades]]\nname = "sormunen"\npath = "qrels.txt"\n', 1),
        "study.toml:{}: grades.name",
        ["sormunen"],
    ),
    "grades named as a column": (
        replaced("study.toml", 'name = "sormunen"', 'name = "relevance_score"'),
        "study.toml:{}: grades.name",
        ["relevance_score"],
    ),
    "grades named as the last column": (
        replaced("study.toml", 'name = "sormunen"', 'name = "excluded"'),
        "study.toml:{}: grades.name",
        ["excluded"],
    ),
    "grades named as the gains of the judgments": (
        replaced("study.toml", 'name = "sormunen"', 'name = "magnitudes"'),
        "study.toml:{}: grades.name",
        ["magnitudes"],
    ),
    "unknown level": (
        replaced("study.toml", 'name = "sormunen"', 'levels = {0 = "X"}\nname = "sormunen"'),
        "study.toml:{}: grades.levels",
        ["'0'", "'X'", "N", "M", "R", "H"],
    ),
    "malformed grade": (
        replaced("qrels.txt", "007 0 007-R 2", "007 0 007-R two"),
        "qrels.txt:{}: grade",
        ["'two'", "0", "1", "2", "3"],
    ),
    "three columns of grades": (
        replaced("qrels.txt", "007 0 007-R 2", "007 007-R 2"),
        "qrels.txt:{}",
        ["3", "4"],
    ),
    "graded twice": (
        appended("qrels.txt", "007 0 007-R 2\n"),
        "qrels.txt:{}: document",
        ["007-R", "007"],
    ),
    "cut gzip": (cut_gzip, "qrels.txt:{}", []),
    "no anchor": (without_a_grade, "topics.txt:{}: anchor.H", ["007", "H"]),
    "no known grades": (
        replaced("study.toml", '[[grades]]\nname = "sormunen"\npath = "qrels.txt"\n', ""),
        "study.toml:1: anchor",
        ["2", "007", "1e5"],
    ),
    "anchor outside the collection": (
        appended("study.toml", '[[anchor]]\ntopic = "007"\nN = "nowhere"\nreason = "Mine."\n', 1),
        "study.toml:{}: anchor.N",
        ["nowhere", "007"],
    ),
    "anchor of an unknown topic": (
        appended("study.toml", '[[anchor]]\ntopic = "7"\nH = "007-H"\n', 1),
        "study.toml:{}: anchor.topic",
        ["'7'"],
    ),
    "one document for both anchors": (
        appended("study.toml", '[[anchor]]\ntopic = "007"\nH = "007-H"\nN = "007-H"\n', 3),
        "study.toml:{}: anchor.N",
        ["H"],
    ),
    "anchor of a pair that the study has not": (
        appended("study.toml", '[[anchor]]\ntopic = "007"\nH2 = "007-R"\n', 2),
        "study.toml:{}: anchor.H2",
        ["H2", "anchor_pairs = 2"],
    ),
    "duplicate document": (
        appended("documents.jsonl", '{"id": "007-H", "text": "Again."}\n'),
        "documents.jsonl:{}: id",
        ["007-H", "documents.jsonl:"],
    ),
    "document without text": (
        replaced("documents.jsonl", "Text of 007-A.", "  "),
        "documents.jsonl:{}: text",
        ["007-A"],
    ),
    "document with no text key": (
        replaced("documents.jsonl", ', "text": "Text of 007-A."', ""),
        "documents.jsonl:{}: text",
        ['"text"'],
    ),
    "document whose id is a number": (
        appended("documents.jsonl", '{"id": 7, "text": "Seven."}\n'),
        "documents.jsonl:{}: id",
        ["7"],
    ),
    "half a character": (
        replaced("documents.jsonl", "Text of 007-A.", "\\ud800"),
        "documents.jsonl:{}: text",
        [],
    ),
    "NUL": (
        replaced("documents.jsonl", "Text of 007-A.", "a\\u0000b"),
        "documents.jsonl:{}: text",
        ["NUL"],
    ),
    "not JSON": (appended("documents.jsonl", "{oops\n"), "documents.jsonl:{}", ["JSON"]),
    "JSON but no object": (appended("documents.jsonl", "[1]\n"), "documents.jsonl:{}", []),
    "not UTF-8": (
        in_latin_1,
        "documents.jsonl:{}",
        ["UTF-8"],
    ),
    "not in the encoding": (
        in_another_encoding,
        "documents.jsonl:{}",
        ["cp1252", "UTF-8"],
    ),
    "unknown encoding": (
        replaced("study.toml", 'path = "topics.txt"', 'encoding = "latin-77"\npath = "topics.txt"'),
        "study.toml:{}: topics.encoding",
        ["'latin-77'", "utf-8"],
    ),
    "encoding of two bytes": (
        replaced("study.toml", 'path = "qrels.txt"', 'encoding = "utf-16"\npath = "qrels.txt"'),
        "study.toml:{}: grades.encoding",
        ["'utf-16'", "UTF-8"],
    ),
    "UTF-8 that is said to be latin-1": (
        marked_as_utf_8,
        "good.run:{}",
        ["UTF-8", "latin-1"],
    ),
    "UTF-16": (in_utf_16("utf-16"), "qrels.txt:{}", ["UTF-16", "UTF-8"]),
    "UTF-16 without a mark": (in_utf_16("utf-16-be"), "qrels.txt:{}", ["UTF-16", "UTF-8"]),
    "packed by compress": (
        packed_by_compress,
        "qrels.txt:{}",
        ["compress", "gzip"],
    ),
    "pooled but absent": (
        replaced("good.run", "007-A", "ghost"),
        "good.run:{}: document",
        ["ghost", "007"],
    ),
    "broken run": (
        replaced("good.run", "1e5-R 2 98", "1e5-R 2 high"),
        "good.run:{}",
        ["score", "'high'"],
    ),
    "infinite score": (replaced("good.run", "1e5-R 2 98", "1e5-R 2 inf"), "good.run:1", []),
    "one tag in two runs": (second_tag, "poor.run:{}: tag", ["good", "good.run"]),
    "run of other topics": (
        lambda folder: folder.write("poor.run", "1 Q0 x 1 1 poor\n") or 1,
        "poor.run:{}",
        [],
    ),
    "topic twice": (
        appended("topics.txt", "<top>\n<num> Number: 007\n<title> again\n</top>\n", 1),
        "topics.txt:{}: number",
        ["007", "topics.txt:2"],
    ),
    "topic without a title": (
        replaced("topics.txt", "<title> title of 007\n", "\n"),
        "topics.txt:2: title",
        [],
    ),
    "topic without a number": (
        appended("topics.txt", "<top>\n<title> x\n</top>\n"),
        "topics.txt:{}: num",
        [],
    ),
    "selection of an unknown topic": (
        replaced("study.toml", 'path = "topics.txt"', 'only = ["007", "1e5", "8"]\npath = "topics.txt"'),
        "study.toml:{}: topics.only",
        ["'8'"],
    ),
    "question of an unknown topic": (
        appended("study.toml", f'[[question]]\ntopic = "8"\n{FULL_QUESTION}', 1),
        "study.toml:{}: question.topic",
        ["'8'"],
    ),
    "second question": (
        appended("study.toml", f'[[question]]\ntopic = "007"\n{FULL_QUESTION}', 1),
        "study.toml:{}: question.topic",
        ["007", "study.toml:"],
    ),
    "no question": (
        without_a_question,
        "topics.txt:{}: question",
        ["1e5"],
    ),
    "answer that is no option": (
        replaced("study.toml", 'answer = "three"', 'answer = "five"'),
        "study.toml:{}: question.answer",
        ["'five'"],
    ),
    "two equal options": (
        replaced("study.toml", '["one", "two", "three", "four"]', '["one", "three", "three", "four"]'),
        "study.toml:{}: question.options",
        [],
    ),
    "three options": (
        replaced("study.toml", '["one", "two", "three", "four"]', '["one", "two", "three"]'),
        "study.toml:{}: question.options",
        ["3", "4"],
    ),
    "no answer": (
        lambda folder: folder.replace("study.toml", 'answer = "three"\n', "") - 4,
        "study.toml:{}: question.answer",
        [],
    ),
}
"""Name → how to break the file, which gives the line of the fault (`{}`), its place, the values it names."""
FAULTS |= COLUMN_FAULTS
