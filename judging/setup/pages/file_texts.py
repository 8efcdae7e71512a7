"""What the “Files and pool” step says about each kind of file, and the columns of its tables."""

from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.pages.page_table import Column
from judging.protocol.setup_files import FileKind
from judging.setup.files import TOPICS
from judging.setup.reading import RunSummary, TopicSummary

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class KindTexts(NamedTuple):
    """The texts about a kind of file: a heading, a hint, and a note about files that an upload replaces."""

    label: "StrOrPromise"
    hint: "StrOrPromise"
    replaces: "StrOrPromise" = ""


TEXTS: Final = {
    FileKind.DOCUMENTS: KindTexts(
        gettext_lazy("Documents"),
        gettext_lazy("The texts to judge. Plumbline stores only the documents in the pools."),
        gettext_lazy(
            "If you upload a file that differs from these files in format, columns or encoding, it replaces "
            "them."
        ),
    ),
    FileKind.PICTURES: KindTexts(
        gettext_lazy("Pictures"),
        gettext_lazy("The pictures that documents in HTML or Markdown name: PNG, JPEG, GIF or WebP files."),
        gettext_lazy("If you upload a picture with the same name, it replaces the picture."),
    ),
    TOPICS: KindTexts(
        gettext_lazy("Topics"),
        gettext_lazy("A file of topics. You can also write topics by hand in the next step."),
    ),
    FileKind.RUN: KindTexts(
        gettext_lazy("Runs"),
        gettext_lazy("TREC run files of the systems to compare. Their top documents can form the pool."),
    ),
    FileKind.GRADES: KindTexts(
        gettext_lazy("Known grades"),
        gettext_lazy("Earlier judgments of these documents, if you have any. They help you choose anchors."),
    ),
    FileKind.POOL: KindTexts(
        gettext_lazy("Pool list"),
        gettext_lazy("A list with a topic and a document on each line. It replaces the pool depth."),
        gettext_lazy("If you upload another list, it replaces this list."),
    ),
}


def run_columns() -> list[Column[RunSummary]]:
    """Return the columns of the table of runs."""
    return [
        Column("run", _("Run"), itemgetter("tag")),
        Column("file", _("File"), itemgetter("file"), css="text"),
        Column("-topics", _("Topics"), itemgetter("topics")),
        Column("-lines", _("Lines"), itemgetter("documents")),
    ]


def pool_columns() -> list[Column[TopicSummary]]:
    """Return the columns of the table of pools."""

    def name(topic: TopicSummary) -> str:
        return f"{topic['number']} {topic['title']}"

    return [
        Column("topic", _("Topic"), name, by=itemgetter("number")),
        Column("-documents", _("Documents, not counting anchors"), itemgetter("others")),
    ]
