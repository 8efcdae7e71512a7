"""`<DOC>` collections in the tags of their publishers: what is title, what is text, and what is neither."""

from pathlib import Path

import pytest

from judging.setup.intake.readers.trec_documents import read_trec_documents
from tests.setup.intake.folder import StudyFolder, document_ids
from tests.setup.intake.test_readers import read

WALL_STREET_JOURNAL = """\
<DOC>
<DOCNO> WSJ870324-0001 </DOCNO>
<HL> John Blair Is Near
@  Accord </HL>
<DD> 03/24/87</DD>
<SO> WALL STREET JOURNAL (J)</SO>
<LP>
  Talks go on. </LP>
<TEXT>
   They met.

  R&D and S&P.
</TEXT>
</DOC>
"""
SAN_JOSE = """\
<DOC><DOCNO>SJMN91-06182091</DOCNO>
<LEADPARA>First   para.</LEADPARA>
<TEXT>Second.</TEXT>
<HEADLINE>A headline
of two lines</HEADLINE><CAPTION>PHOTO: A man.</CAPTION></DOC>"""
LOS_ANGELES = """\
<DOC>
<DOCNO> LA010189-0001 </DOCNO>
<DOCID> 1 </DOCID>
<HEADLINE>
<P>
NEW CHIEF
</P>
</HEADLINE>
<BYLINE>
<P>
By A. B.
</P>
</BYLINE>
<TEXT>
<P>
One &amp; two.
</P>
<P>
Three.
</P>
</TEXT>
<GRAPHIC>
<P>
Photo, the &lsqb;new&rsqb; chief
</P>
</GRAPHIC>
</DOC>
"""
FEDERAL_REGISTER = """\
<DOC>
<DOCNO> FR940104-0-00001 </DOCNO>
<TEXT>

<!-- PJG FTAG 4700 -->

<USDEPT>DEPARTMENT OF AGRICULTURE</USDEPT>
&sect;&blank;3.1 Air&hyph;borne, 5 &mu;g &lt; 7 &unheard;.
</TEXT>
</DOC>
"""
CONGRESS = """\
<DOC>
<DOCNO> CR93E-1 </DOCNO>
<TEXT>
<TTL>TRIBUTE TO
ONE</TTL>
<SPEAKER> MR. X </SPEAKER>
Mr. Speaker, I rise.
</TEXT>
</DOC>"""

DOCUMENTS = {
    "The Wall Street Journal": (
        WALL_STREET_JOURNAL,
        ("WSJ870324-0001", "John Blair Is Near @ Accord", "Talks go on.\n\nThey met.\n\nR&D and S&P."),
    ),
    "the San Jose Mercury News": (
        SAN_JOSE,
        ("SJMN91-06182091", "A headline of two lines", "First para.\n\nSecond.\n\nPHOTO: A man."),
    ),
    "the Los Angeles Times": (
        LOS_ANGELES,
        ("LA010189-0001", "NEW CHIEF", "One & two.\n\nThree.\n\nPhoto, the [new] chief"),
    ),
    "the Federal Register": (
        FEDERAL_REGISTER,
        ("FR940104-0-00001", "", "DEPARTMENT OF AGRICULTURE § 3.1 Air-borne, 5 μg < 7 &unheard;."),
    ),
    "the Congressional Record": (CONGRESS, ("CR93E-1", "TRIBUTE TO ONE", "MR. X Mr. Speaker, I rise.")),
    "paragraphs alone": (
        "<doc>\n<docno>a</docno>\n<p>One.\n<p>Two &#233;.</p>\n<date>1999</date>\n</doc>",
        ("a", "", "One.\n\nTwo é."),
    ),
    "a text left open": (
        "<DOC><DOCNO>a</DOCNO><TEXT>One. <GRAPHIC>G.</GRAPHIC>\nTwo.</DOC>",
        ("a", "", "One.\n\nG.\n\nTwo."),
    ),
}


@pytest.mark.parametrize("publisher", DOCUMENTS)
def test_the_tags_of_a_publisher(tmp_path: Path, publisher: str) -> None:
    text, expected = DOCUMENTS[publisher]

    (found,) = read(read_trec_documents, tmp_path / "docs", text)

    assert (found.id, found.title, found.text) == expected


def test_what_stands_between_documents_is_passed_over(tmp_path: Path) -> None:
    rows = read(read_trec_documents, tmp_path / "docs", f"junk\n{SAN_JOSE} more <P>junk</P>\n{CONGRESS}")

    assert [item.id for item in rows] == ["SJMN91-06182091", "CR93E-1"]
    assert "junk" not in "".join(item.text for item in rows)


def test_a_layout_that_shows_line_breaks_finds_them(db: None, folder: StudyFolder) -> None:
    """As code and tables need them; without such a layout they are those of a wrapped file."""
    table = "a   1\n  bb  2\n\nend"
    texts = "".join(
        f"<DOC>\n<DOCNO>{name}</DOCNO>\n<TEXT>\n{table}\n</TEXT>\n</DOC>\n" for name in document_ids()
    )
    folder.write("documents.trec", texts)
    named = 'format = "trec"\npath = "documents.trec"'
    folder.replace("study.toml", 'format = "jsonl"\npath = "documents.jsonl"', named)
    assert folder.imported(slug="joined").study.documents.first().text == "a 1\n\nbb 2\n\nend"
    folder.replace("study.toml", named, f'{named}\nlayout = "preformatted"')
    assert folder.imported(slug="kept").study.documents.first().text == table
