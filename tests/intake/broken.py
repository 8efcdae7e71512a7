"""Ways to break a study file in one place, and the line that must tell of each."""

from tests.intake.breaks import (
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

FAULTS: dict[str, tuple[Break, str]] = {
    "unknown key": (
        replaced("study.toml", "requester =", "requestor ="),
        "study.toml:{}: requestor: is not a known key; did you mean requester?",
    ),
    "unknown key in a table": (
        setting("checks", "anchor_tie = 1"),
        "study.toml:{}: checks.anchor_tie: is not a known key; did you mean anchor_ties?",
    ),
    "a single table": (
        appended("study.toml", '[anchor]\ntopic = "007"\nH = "007-H"\n'),
        "study.toml:{}: anchor: is a single table; write [[anchor]] in the place of [anchor]",
    ),
    "unknown table": (appended("study.toml", "[docs]\n"), "study.toml:{}: docs: is not a known key"),
    "not TOML": (
        replaced("study.toml", 'title = "A small study"', "title = A"),
        "study.toml:{}: is not TOML: ",
    ),
    "no TOML value": (
        replaced("study.toml", "seed = 7", "seed = seven"),
        "study.toml:{}: is not TOML: invalid value: 'seven'",
    ),
    "not TOML at the end": (appended("study.toml", "[checks"), "study.toml:{}: is not TOML: "),
    "text for a number": (
        setting("checks", 'practice_attempts = "3"'),
        "study.toml:{}: checks.practice_attempts: is text, and a whole number is meant",
    ),
    "a number for text": (
        appended("study.toml", '[[anchor]]\ntopic = 7\nH = "007-H"\n', 1),
        'study.toml:{}: anchor.topic: is a number, and text is meant; write "7", in quotes',
    ),
    "true is no number": (
        replaced("study.toml", "judgments_per_document = 3", "unit_size = true"),
        "study.toml:{}: units.unit_size: is true or false, and a whole number is meant",
    ),
    "out of range": (
        replaced("study.toml", "judgments_per_document = 3", "judgments_per_document = 0"),
        "study.toml:{}: units.judgments_per_document: 0 is out of range; write a whole number from 1 to 1000",
    ),
    "not a number": (
        setting("checks", "seconds_per_document = nan"),
        "study.toml:{}: checks.seconds_per_document: ",
    ),
    "infinite": (setting("checks", "seconds_per_document = 1e9999999999999999999"), "study.toml:{}: checks."),
    "pay with three decimals": (
        setting("pay", 'pay_per_unit = "0.125"'),
        "study.toml:{}: pay.pay_per_unit: 0.125",
    ),
    "pay that is none": (
        setting("pay", 'pay_per_unit = "a lot"'),
        "study.toml:{}: pay.pay_per_unit: is not a num",
    ),
    "currency": (
        setting("pay", 'currency = "dollars"'),
        "study.toml:{}: pay.currency: 'dollars' is not three",
    ),
    "choice": (
        setting("checks", 'anchor_ties = "maybe"'),
        'study.toml:{}: checks.anchor_ties: \'maybe\' is not known; write "fail" or "pass"',
    ),
    "date without a time": (
        replaced("study.toml", "seed = 7", "closes_at = 2030-01-01"),
        "study.toml:{}: closes_at: is a date or a time, and a date with a time is meant",
    ),
    "dates the wrong way round": (
        replaced(
            "study.toml", "seed = 7", "closes_at = 2030-01-01T00:00:00Z\nopens_at = 2031-01-01T00:00:00Z"
        ),
        "study.toml:{}: closes_at: is not after opens_at",
    ),
    "file address": (
        setting("platform", 'completion_url = "file:///etc"'),
        "study.toml:{}: platform.completion_url: ",
    ),
    "unknown placeholder": (
        setting("platform", 'completion_url = "https://a.example/{worker}"'),
        "study.toml:{}: platform.completion_url: holds {{worker}}, and {{code}} and {{submission}} can",
    ),
    "broken address": (
        setting("platform", 'no_work_url = "http://[a"'),
        "study.toml:{}: platform.no_work_url: is not",
    ),
    "platform without a parameter": (
        appended("study.toml", '[platform]\nplatform = "generic"\n'),
        "study.toml:{}: platform.id_parameter: is needed",
    ),
    "an id that nobody would store": (
        setting("platform", 'id_parameter = "PROLIFIC_PID"'),
        'study.toml:{}: platform.id_parameter: has no effect with platform = "direct"; set platform',
    ),
    "a way back without a platform": (
        setting("platform", 'no_work_url = "https://a.example/none"\nplatform = "direct"'),
        "study.toml:{}: platform.no_work_url: has no effect",
    ),
    "text twice": (
        replaced("study.toml", "consent =", 'consent_file = "x.md"\nconsent ='),
        "study.toml:{}: consent_file: stands beside consent",
    ),
    "bad slug": (
        replaced("study.toml", '"small"', '"my study"'),
        "study.toml:{}: slug: 'my study' cannot stand in an address",
    ),
    "title missing": (
        lambda folder: 0 * folder.replace("study.toml", 'title = "A small study"\n', "") + 1,
        "study.toml:{}: title: is missing; add title = …",
    ),
    "no pool": (
        lambda folder: folder.replace("study.toml", "depth = 8\n", "") - 1,
        "study.toml:{}: pool: says nothing",
    ),
    "missing file": (
        replaced("study.toml", '"documents.jsonl"', '"absent.jsonl"'),
        "study.toml:{}: documents.path: there is no file absent.jsonl",
    ),
    "a folder for a file": (
        replaced("study.toml", '"qrels.txt"', '"."'),
        "study.toml:{}: grades.path: ",
    ),
    "missing run": (
        replaced("study.toml", '"good.run"', '"no.run"'),
        "study.toml:{}: run.path: there is no file",
    ),
    "grades named twice": (
        appended("study.toml", '[[grades]]\nname = "sormunen"\npath = "qrels.txt"\n', 1),
        "study.toml:{}: grades.name: a second set is named sormunen",
    ),
    "grades named as a column": (
        replaced("study.toml", 'name = "sormunen"', 'name = "relevance_score"'),
        "study.toml:{}: grades.name: relevance_score is a column that exports have already",
    ),
    "grades named as the last column": (
        replaced("study.toml", 'name = "sormunen"', 'name = "excluded"'),
        "study.toml:{}: grades.name: excluded is a column that exports have already; choose another",
    ),
    "grades named as the gains of the judgments": (
        replaced("study.toml", 'name = "sormunen"', 'name = "magnitudes"'),
        "study.toml:{}: grades.name: magnitudes is the name of the gains that come from the judgments; ",
    ),
    "unknown level": (
        replaced("study.toml", 'name = "sormunen"', 'levels = {0 = "X"}\nname = "sormunen"'),
        "study.toml:{}: grades.levels: '0' is given 'X'; write one of N, M, R, H, drop",
    ),
    "malformed grade": (
        replaced("qrels.txt", "007 0 007-R 2", "007 0 007-R two"),
        "qrels.txt:{}: grade: 'two' is not one of 0 1 2 3; mend it, or name it in levels",
    ),
    "three columns of grades": (
        replaced("qrels.txt", "007 0 007-R 2", "007 007-R 2"),
        "qrels.txt:{}: 3 columns, and 4",
    ),
    "graded twice": (
        appended("qrels.txt", "007 0 007-R 2\n"),
        "qrels.txt:{}: document: 007-R is graded a second time in topic 007",
    ),
    "cut gzip": (cut_gzip, "qrels.txt:{}: the compressed file is broken or cut short"),
    "no anchor": (without_a_grade, "topics.txt:{}: anchor.H: topic 007 has no H document to draw"),
    "anchor of an unknown topic": (
        appended("study.toml", '[[anchor]]\ntopic = "7"\nH = "007-H"\n', 1),
        "study.toml:{}: anchor.topic: '7' is not a topic of the study",
    ),
    "one document for both anchors": (
        appended("study.toml", '[[anchor]]\ntopic = "007"\nH = "007-H"\nN = "007-H"\n', 3),
        "study.toml:{}: anchor.N: is the same document as H",
    ),
    "duplicate document": (
        appended("documents.jsonl", '{"id": "007-H", "text": "Again."}\n'),
        "documents.jsonl:{}: id: 007-H is the id of the document in ",
    ),
    "document without text": (
        replaced("documents.jsonl", "Text of 007-A.", "  "),
        "documents.jsonl:{}: text: document 007-A has none",
    ),
    "document with no text key": (
        replaced("documents.jsonl", ', "text": "Text of 007-A."', ""),
        'documents.jsonl:{}: text: is missing; add "text"',
    ),
    "document whose id is a number": (
        appended("documents.jsonl", '{"id": 7, "text": "Seven."}\n'),
        "documents.jsonl:{}: id: 7 is not text; write it in quotes",
    ),
    "half a character": (
        replaced("documents.jsonl", "Text of 007-A.", "\\ud800"),
        "documents.jsonl:{}: text: holds half a character",
    ),
    "NUL": (
        replaced("documents.jsonl", "Text of 007-A.", "a\\u0000b"),
        "documents.jsonl:{}: text: holds a NUL",
    ),
    "not JSON": (appended("documents.jsonl", "{oops\n"), "documents.jsonl:{}: is not JSON"),
    "JSON but no object": (appended("documents.jsonl", "[1]\n"), "documents.jsonl:{}: is not an object"),
    "not UTF-8": (
        in_latin_1,
        "documents.jsonl:{}: is not UTF-8 text; convert the file to UTF-8, or say how it is written",
    ),
    "not in the encoding": (
        in_another_encoding,
        "documents.jsonl:{}: is not cp1252 text; mend encoding in study.toml, or convert it to UTF-8",
    ),
    "unknown encoding": (
        replaced("study.toml", 'path = "topics.txt"', 'encoding = "latin-77"\npath = "topics.txt"'),
        "study.toml:{}: topics.encoding: 'latin-77' is no encoding known here; write one such as utf-8",
    ),
    "encoding of two bytes": (
        replaced("study.toml", 'path = "qrels.txt"', 'encoding = "utf-16"\npath = "qrels.txt"'),
        "study.toml:{}: grades.encoding: 'utf-16' cannot be read line by line; convert the file to UTF-8",
    ),
    "UTF-8 that is said to be latin-1": (
        marked_as_utf_8,
        "good.run:{}: begins with the mark of UTF-8 and is not latin-1; leave encoding out",
    ),
    "UTF-16": (in_utf_16("utf-16"), "qrels.txt:{}: is UTF-16 text; save it as UTF-8"),
    "UTF-16 without a mark": (in_utf_16("utf-16-be"), "qrels.txt:{}: is UTF-16 text; save it as UTF-8"),
    "packed by compress": (
        packed_by_compress,
        "qrels.txt:{}: is packed by compress, not by gzip; unpack it first: gzip -d does",
    ),
    "pooled but absent": (
        replaced("good.run", "007-A", "ghost"),
        "good.run:{}: document: ghost, pooled for topic 007, is not in the documents",
    ),
    "broken run": (
        replaced("good.run", "1e5-R 2 98", "1e5-R 2 high"),
        "good.run:{}: score 'high' is not a number",
    ),
    "infinite score": (replaced("good.run", "1e5-R 2 98", "1e5-R 2 inf"), "good.run:1: holds an infinite"),
    "one tag in two runs": (second_tag, "poor.run:{}: tag: good is also that of good.run; give each its own"),
    "run of other topics": (
        lambda folder: folder.write("poor.run", "1 Q0 x 1 1 poor\n") or 1,
        "poor.run:{}: holds none of the study's topics",
    ),
    "topic twice": (
        appended("topics.txt", "<top>\n<num> Number: 007\n<title> again\n</top>\n", 1),
        "topics.txt:{}: number: topic 007 stands already in topics.txt:2",
    ),
    "topic without a title": (
        replaced("topics.txt", "<title> title of 007\n", "\n"),
        "topics.txt:2: title: ",
    ),
    "topic without a number": (
        appended("topics.txt", "<top>\n<title> x\n</top>\n"),
        "topics.txt:{}: num: is missing",
    ),
    "selection of an unknown topic": (
        replaced("study.toml", 'path = "topics.txt"', 'only = ["007", "1e5", "8"]\npath = "topics.txt"'),
        "study.toml:{}: topics.only: there is no topic '8' in the file",
    ),
    "question of an unknown topic": (
        appended("study.toml", f'[[question]]\ntopic = "8"\n{FULL_QUESTION}', 1),
        "study.toml:{}: question.topic: '8' is not a topic of the study",
    ),
    "second question": (
        appended("study.toml", f'[[question]]\ntopic = "007"\n{FULL_QUESTION}', 1),
        "study.toml:{}: question.topic: topic 007 has a question already, in study.toml:",
    ),
    "no question": (
        without_a_question,
        "topics.txt:{}: question: topic 1e5 has none; give it one",
    ),
    "answer that is no option": (
        replaced("study.toml", 'answer = "three"', 'answer = "five"'),
        "study.toml:{}: question.answer: 'five' is none of the options",
    ),
    "two equal options": (
        replaced("study.toml", '["one", "two", "three", "four"]', '["one", "three", "three", "four"]'),
        "study.toml:{}: question.options: two are the same",
    ),
    "three options": (
        replaced("study.toml", '["one", "two", "three", "four"]', '["one", "two", "three"]'),
        "study.toml:{}: question.options: there are 3, and exactly 4 are meant",
    ),
    "no answer": (
        lambda folder: folder.replace("study.toml", 'answer = "three"\n', "") - 4,
        "study.toml:{}: question.answer: is missing",
    ),
}
"""Name → how to break the file, which gives the line of the fault (`{}`), and how the message begins."""
