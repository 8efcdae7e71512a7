"""Topic files of many tracks, each in the tags, labels and encoding in which its track publishes them."""

from pathlib import Path
from typing import Final

import pytest

from judging.core.faults import Faults, Where
from judging.setup.intake.column_maps import Format
from judging.setup.intake.content import TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.topics import read_topic_file

KINDS: Final = {
    "TREC-1": (
        "<top>\n<head> Tipster Topic Description\n<num> Number:  051\n<dom> Domain:  Trade\n"
        "<title> Topic:  Airbus Subsidies\n<desc> Description:\nIt is.\n<smry> Summary:\nIt was.\n"
        "<narr> Narrative:\nRelevant.\n<con> Concept(s):\n1. Airbus\n"
        "<fac> Factor(s):\n<def> Definition(s):\n</top>",
        ("051", "Airbus Subsidies", "It is.", "Relevant."),
        {"head", "dom", "smry", "con", "fac", "def"},
    ),
    "Robust, with closing tags": (
        "<top>\n<num> Number: 301 </num>\n<title> Crime </title>\n<desc> Description:\nFind.\n</desc>\n"
        "<narr> Narrative:\nRelevant.\n</narr>\n</top>",
        ("301", "Crime", "Find.", "Relevant."),
        set(),
    ),
    "an unknown element that is not closed": (
        "<top>\n<num> Number: 1\n<title> X </title>\n<lang> EN\n<desc> Description: D\n</top>",
        ("1", "X", "D", ""),
        {"lang"},
    ),
    "an unknown element inside the narrative": (
        "<top><num>1</num><title>X</title><narr>Before.\n<subtopics>"
        "<sub num='1'>S</sub></subtopics>\n</narr></top>",
        ("1", "X", "", "Before."),
        {"subtopics"},
    ),
    "Web": (
        '<?xml version="1.0"?>\n<!DOCTYPE w [\n <!ELEMENT w (topic)*>\n]>\n<w>\n<!-- a <topic> -->\n'
        '<topic number="51" type="faceted">\n  <query>horse hooves</query>\n'
        "  <description>\n    Find\n    care.\n"
        '  </description>\n  <subtopic number="1" type="inf">\n   Feet.\n  </subtopic>\n</topic></w>',
        ("51", "horse hooves", "Find care.", ""),
        {"subtopic"},
    ),
    "TREC-COVID": (
        '<topics task="COVIDSearch"><topic number="1"><query>origin</query><question>what is it</question>'
        "<narrative>range</narrative></topic></topics>",
        ("1", "origin", "what is it", "range"),
        set(),
    ),
    "Microblog": (
        "<top>\n<num> Number: MB001 </num>\n<title> BBC cuts </title>\n<querytime> Tue Feb 08 </querytime>\n"
        "<querytweettime> 34952 </querytweettime>\n</top>",
        ("MB001", "BBC cuts", "", ""),
        {"querytime", "querytweettime"},
    ),
    "FIRE": (
        "<topics>\n<top lang='bn'>\n<num>176</num>\n<title>মৃত্যু</title>\n"
        "<desc>D</desc>\n<narr>N</narr>\n</top></topics>",
        ("176", "মৃত্যু", "D", "N"),
        set(),
    ),
    "CLEF": (
        "<top>\n<num> C041 </num>\n<EN-title> Pesticides </EN-title>\n<EN-desc> Find. </EN-desc>\n"
        "<EN-narr> Relevant. </EN-narr>\n<DE-title> Pestizide </DE-title>\n"
        "<DE-narr> Relevante. </DE-narr>\n</top>",
        ("C041", "Pesticides", "Find.", "Relevant."),
        {"DE-title", "DE-narr"},
    ),
    "CLEF since 2008": (
        '<topics><topic lang="en"><identifier>10.2452/451-AH</identifier><title>Roman</title>'
        "<description>Find.</description><narrative>R.</narrative></topic></topics>",
        ("10.2452/451-AH", "Roman", "Find.", "R."),
        set(),
    ),
    "CLEF eHealth": (
        "<queries><query><id> qtest1 </id><discharge_summary>1.txt</discharge_summary><title>MI</title>"
        "<desc>D</desc><narr>N</narr><profile>P</profile></query></queries>",
        ("qtest1", "MI", "D", "N"),
        {"discharge_summary", "profile"},
    ),
    "NTCIR": (
        "<TOPIC><NUM>008</NUM><SLANG>CH</SLANG><TITLE>Plan</TITLE><DESC>D</DESC>"
        "<NARR><BACK>B.</BACK><REL>R.</REL></NARR></TOPIC>",
        ("008", "Plan", "D", "B.\n\nR."),
        {"SLANG"},
    ),
    "NTCIR WWW": (
        "<queries><query><qid>0001</qid><content>Halloween</content><description>Find.</description></query></queries>",
        ("0001", "Halloween", "Find.", ""),
        set(),
    ),
    "CACM": (
        "<DOC>\n<DOCNO> 1 </DOCNO>\n\n What articles deal with TSS?\n\n</DOC>\n",
        ("1", "What articles deal with TSS?", "What articles deal with TSS?", ""),
        set(),
    ),
    "Clinical Trials": (
        '<topics><topic number="1">\nA 19-year-old\nmale.\n</topic></topics>',
        ("1", "A 19-year-old male", "A 19-year-old male.", ""),
        set(),
    ),
    "Clinical Trials 2023": (
        '<topics><topic number="1" template="g"><field name="diagnosis">glaucoma</field>'
        '<field name="pressure">&gt; 20</field></topic></topics>',
        ("1", "glaucoma, > 20", "diagnosis: glaucoma\npressure: > 20", ""),
        set(),
    ),
    "Precision Medicine": (
        '<topics><topic number="1"><disease>Melanoma</disease><gene>BRAF (E586K)</gene></topic></topics>',
        ("1", "Melanoma, BRAF (E586K)", "disease: Melanoma\ngene: BRAF (E586K)", ""),
        set(),
    ),
    "Genomics": (
        "<TOPICS><TOPIC><ID>1</ID><TITLE>Ferroportin</TITLE><NEED>N</NEED><CONTEXT>C</CONTEXT></TOPIC></TOPICS>",
        ("1", "Ferroportin", "N", "C"),
        set(),
    ),
    "Background linking": (
        "<top>\n<num> Number: 886 </num>\n<docid>AEQZ</docid>\n<url>https://example.org/?a=1</url>\n</top>",
        ("886", "", "", ""),
        {"docid", "url"},
    ),
    "Question answering": (
        "<top>\n<num> Number: 201\n<desc> Description:\nWhat was the name?\n</top>",
        ("201", "What was the name?", "What was the name?", ""),
        set(),
    ),
    "a quoted character and a CDATA section": (
        '<topic id="1"><title><![CDATA[A & B < C]]></title><desc>AT&amp;T &lt;b&gt; &eacute;</desc></topic>',
        ("1", "A & B < C", "AT&T <b> é", ""),
        set(),
    ),
    "marked words": (
        "<top><num>1</num><title>One <b>bold</b> word</title><desc>First.<p>Second <i>here</i>.</desc></top>",
        ("1", "One bold word", "First.\n\nSecond here.", ""),
        set(),
    ),
    "Million Query": ("1:first query\n2:second: query\n", ("1", "first query", "", ""), set()),
    "Million Query 2009": (
        "20001:1:obama family tree\n20002:4:x\n",
        ("20001", "obama family tree", "", ""),
        set(),
    ),
    "Genomics 2006": ("<160>What is it?\n<161>Why?\n", ("160", "What is it?", "", ""), set()),
}


def read(path: Path, content: str | bytes, form: str = "trec") -> tuple[list[TopicContent], Faults]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    faults = Faults()
    return list(read_topic_file(SourceFile(path, Where("s", 1), "", faults, "utf-8"), Format(form))), faults


@pytest.mark.parametrize(("text", "expected", "left_out"), KINDS.values(), ids=KINDS.keys())
def test_topics_of_all_kinds(
    tmp_path: Path, text: str, expected: tuple[str, str, str, str], left_out: set[str]
) -> None:
    topics, faults = read(tmp_path / "topics", text)
    assert not faults.count
    first = topics[0]
    assert (first.number, first.title, first.description, first.narrative) == expected
    assert {
        str(notice.values["element"]) for notice in faults.notices if "element" in notice.values
    } == left_out


def test_what_is_left_out_is_named_with_its_first_line_and_its_number(tmp_path: Path) -> None:
    text = "<top>\n<num>1\n<title>A\n<lang>EN\n</top>\n<top>\n<num>2\n<title>B\n<lang>FR\n</top>\n"
    topics, faults = read(tmp_path / "topics", text)
    assert [(topic.title, topic.where.line) for topic in topics] == [("A", 2), ("B", 7)]
    [notice] = faults.notices
    assert str(notice.values["place"]).endswith("topics:4")
    assert notice.values["number"] == 2


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8", "windows-1252"])
def test_the_encoding_of_an_xml_declaration_is_used(tmp_path: Path, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n'
    text += '<topics><topic number="1"><title>é</title></topic></topics>'
    topics, faults = read(tmp_path / "topics", text.encode(encoding))
    assert (topics[0].title, faults.count) == ("é", 0)


def test_text_that_does_not_say_that_it_is_not_utf_8_is_a_fault(tmp_path: Path) -> None:
    _topics, faults = read(tmp_path / "topics", "<top><num>1<title>é</top>".encode("latin-1"))
    assert [fault.where.line for fault in faults.listed] == [1]


@pytest.mark.parametrize(
    ("text", "lines"),
    [("<topic><title>No number</title></topic>", [1]), ("1:a\nb\n3:c\n", [2]), ("words\n", [1])],
)
def test_broken_topics_are_named_with_their_lines(tmp_path: Path, text: str, lines: list[int]) -> None:
    _topics, faults = read(tmp_path / "topics", text)
    assert [fault.where.line for fault in faults.listed] == lines


def test_cacm_and_cisi_in_the_format_of_cranfield(tmp_path: Path) -> None:
    text = ".I 1\n.W\n What articles?\n.N\n 1. Richard\n.I 2\n.T\nA title\n.A\nHe\n.W\nThe text.\n.X\n1 2\n"
    topics, faults = read(tmp_path / "query.text", text, "cranfield")
    assert not faults.count
    assert [(topic.title, topic.description) for topic in topics] == [
        ("What articles?", "What articles?"),
        ("A title", "The text."),
    ]
