"""The fields of the responses and of the login request, for the OpenAPI document."""

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
    open = IntegerField(help_text="Units that a worker can still get.")
    reserved = IntegerField(help_text="Units that a worker holds now.")
    done = IntegerField(help_text="Completed units.")
    retired = IntegerField(help_text="Retired units, which no worker gets.")
    excluded = IntegerField(help_text="Completed units that a researcher excluded.")


class StudySerializer(Described):
    slug = CharField(help_text="The study's name in URLs.")
    title = CharField()
    state = serializers.ChoiceField(choices=choices(StudyState))
    requester = CharField(help_text="The name of the requester.")
    contact = CharField(help_text="The contact address for workers.")
    created_at = DateTimeField()
    opens_at = DateTimeField(allow_null=True)
    closes_at = DateTimeField(allow_null=True)
    unit_size = IntegerField(help_text="The number of documents in a unit, including the anchors.")
    judgments_per_document = IntegerField(help_text="The number of judgments to collect for each document.")
    pay_per_unit = CharField(help_text="The pay for a unit, as text to stay exact.")
    spending_limit = CharField(
        allow_null=True, help_text="The most that all workers get together, as text to stay exact."
    )
    currency = CharField()
    simulated = BooleanField(help_text="Whether a simulated crowd judges the study.")
    grade_sets = serializers.ListField(child=CharField(), help_text="The names of the sets of known grades.")
    units = UnitCountsSerializer()
    judgments = IntegerField(help_text="The number of judgments that count.")


class FileSerializer(Described):
    format = CharField()
    url = serializers.URLField(help_text="The address of the file.")
    manifest = serializers.URLField(help_text="The address of its manifest.")


class WrittenFileSerializer(Described):
    name = CharField()
    bytes = IntegerField()
    sha256 = CharField()
    rows = IntegerField(required=False, help_text="Only for tables.")
    columns = serializers.ListField(
        child=serializers.DictField(child=CharField()), required=False, help_text="Only for tables."
    )


class ManifestSerializer(Described):
    study = serializers.DictField(
        help_text="The study's slug, title, state, seed, consent_version and simulated."
    )
    export = CharField()
    format = CharField()
    made_at = DateTimeField()
    software = serializers.DictField(child=CharField(), help_text="The version of each program, by name.")
    counts = serializers.DictField(
        child=IntegerField(),
        help_text="The number of topics, documents, units, judgments and workers of the study.",
    )
    files = WrittenFileSerializer(many=True)


class ColumnSerializer(Described):
    name = CharField()
    type = CharField(help_text="One of: text, whole number, number, yes or no, time, amount.")
    unit = CharField(help_text="The unit of the numbers, or empty.")
    meaning = CharField()


class ExportSerializer(Described):
    name = CharField()
    what = CharField(help_text="A description of the data.")
    columns = ColumnSerializer(
        many=True, help_text="The columns that are the same in every study; none for the bundle."
    )
    files = FileSerializer(many=True)


class CredentialsSerializer(Described):
    username = RegexField(r"^[^\x00]*[^\s\x00][^\x00]*$", max_length=150)
    password = RegexField(
        r"^[^\x00]+$", max_length=4096, trim_whitespace=False, style={"input_type": "password"}
    )

    def validate_username(self, typed: str) -> str:
        """Return the name as accounts store it. The login page converts names in the same way."""
        return tidy(typed)


class TokenSerializer(Described):
    token = CharField(help_text="Send it as the header `Authorization: Token …`.")
