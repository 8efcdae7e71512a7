"""The fields of the answers, for the OpenAPI document: the columns of docs/reference/exports.md."""

from collections.abc import Mapping

from rest_framework import serializers
from rest_framework.fields import (
    BooleanField,
    CharField,
    DateTimeField,
    IntegerField,
    RegexField,
)

from judging.models.fields import choices
from judging.protocol.states import StudyState
from judging.protocol.typed import tidy

Described = serializers.Serializer[Mapping[str, object]]
"""A serializer of rows that are dicts."""


class UnitCountsSerializer(Described):
    open = IntegerField(help_text="To be had.")
    reserved = IntegerField(help_text="Held by a worker.")
    done = IntegerField(help_text="Completed.")
    retired = IntegerField(help_text="Given to nobody any more.")
    excluded = IntegerField(help_text="Of the completed ones, those excluded by a researcher.")


class StudySerializer(Described):
    slug = CharField(help_text="The study's name in addresses.")
    title = CharField()
    state = serializers.ChoiceField(choices=choices(StudyState))
    requester = CharField(help_text="Who asks.")
    contact = CharField(help_text="Where workers can write.")
    created_at = DateTimeField()
    opens_at = DateTimeField(allow_null=True)
    closes_at = DateTimeField(allow_null=True)
    unit_size = IntegerField(help_text="Documents of a unit, the two anchors among them.")
    judgments_per_document = IntegerField(help_text="Wanted.")
    pay_per_unit = CharField(help_text="An amount as text, so that no cent is lost.")
    currency = CharField()
    simulated = BooleanField(help_text="Judged by a simulated crowd.")
    grade_sets = serializers.ListField(child=CharField(), help_text="Names of the sets of known grades.")
    units = UnitCountsSerializer()
    judgments = IntegerField(help_text="Judgments that count.")


class FileSerializer(Described):
    format = CharField()
    url = serializers.URLField(help_text="Where the file is.")
    manifest = serializers.URLField(help_text="Where its manifest is.")


class WrittenFileSerializer(Described):
    name = CharField()
    bytes = IntegerField()
    sha256 = CharField()
    rows = IntegerField(required=False, help_text="Of tables alone.")
    columns = serializers.ListField(
        child=serializers.DictField(child=CharField()), required=False, help_text="Of tables alone."
    )


class ManifestSerializer(Described):
    study = serializers.DictField(help_text="Slug, title, state, seed, consent_version, simulated.")
    export = CharField()
    format = CharField()
    made_at = DateTimeField()
    software = serializers.DictField(child=CharField(), help_text="Name → version.")
    counts = serializers.DictField(child=IntegerField(), help_text="How much the study has of each thing.")
    files = WrittenFileSerializer(many=True)


class ColumnSerializer(Described):
    name = CharField()
    type = CharField(help_text="text, whole number, number, yes or no, time, or amount.")
    unit = CharField(help_text="What the numbers count; empty: nothing that has a unit.")
    meaning = CharField()


class ExportSerializer(Described):
    name = CharField()
    what = CharField(help_text="What it holds.")
    columns = ColumnSerializer(many=True, help_text="Those that every study has; of the bundle none.")
    files = FileSerializer(many=True)


class CredentialsSerializer(Described):
    username = RegexField(r"^[^\x00]*[^\s\x00][^\x00]*$", max_length=150)
    password = RegexField(
        r"^[^\x00]+$", max_length=4096, trim_whitespace=False, style={"input_type": "password"}
    )

    def validate_username(self, typed: str) -> str:
        """Return the name as accounts store it, so that it is looked up as the log-in page does."""
        return tidy(typed)


class TokenSerializer(Described):
    token = CharField(help_text="To be sent as `Authorization: Token …`.")
