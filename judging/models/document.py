"""Documents: the texts in the pools of a study, and their pictures."""

from django.db import models

from judging.models.fields import choices, one_of
from judging.models.study import Study
from judging.protocol.layout import Layout
from judging.protocol.markup import LONGEST_PICTURE_NAME, Markup, PictureType


class Document(models.Model):
    """A document of a study.

    `text` is the source as it was given, in the document's markup. Pages show it as `core.documents` says.
    `sources` is not empty if the document is an answer: it lists the sources of the answer, each as a dict
    with the fields of `core.documents.citations.SourceText`.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="documents")
    document_id = models.CharField(
        max_length=200, help_text="The id in the collection: text, never a number."
    )
    title = models.TextField(blank=True)
    text = models.TextField(blank=True, help_text="Empty in a study for analysis that has no texts.")
    layout = models.CharField(
        max_length=12,
        choices=choices(Layout),
        blank=True,
        default="",
        db_default="",
        help_text="Empty: the study's.",
    )
    markup = models.CharField(
        max_length=12,
        choices=choices(Markup),
        blank=True,
        default="",
        db_default="",
        help_text="Empty: the study's.",
    )
    sources = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text="The sources that an answer cites, in the order of its markers.",
    )

    class Meta:
        ordering = ("study", "document_id")
        constraints = [
            models.UniqueConstraint(fields=["study", "document_id"], name="document_id_once_per_study"),
            models.CheckConstraint(condition=~models.Q(document_id=""), name="document_id_not_empty"),
            one_of("layout", Layout, name="document_layout_known", empty=True),
            one_of("markup", Markup, name="document_markup_known", empty=True),
        ]

    def __str__(self) -> str:
        return self.document_id


class Picture(models.Model):
    """A picture of the documents of a study: the bytes of its file, unchanged."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="pictures")
    name = models.CharField(max_length=LONGEST_PICTURE_NAME, help_text="As documents write it.")
    media_type = models.CharField(max_length=20, choices=choices(PictureType))
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()

    class Meta:
        ordering = ("study", "name")
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="picture_name_once_per_study"),
            models.CheckConstraint(condition=~models.Q(name=""), name="picture_name_not_empty"),
            one_of("media_type", PictureType, name="picture_media_type_known"),
        ]

    def __str__(self) -> str:
        return self.name
