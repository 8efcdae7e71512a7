"""The model `Study` has every declared setting, and nothing else that a researcher could set."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from judging.models import Study
from judging.models.setting_fields import field_of
from judging.protocol.settings import SETTINGS, SLUG, Kind, Setting
from tests.factories import NOW

KEPT_BY_THE_SOFTWARE = {
    "id",
    "slug",
    "state",
    "changes_to",
    "front",
    "arm",
    "entry_key",
    "further",
    "simulated",
    "created_at",
    "preview_of",
    "previewer",
}
EACH = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


def test_the_model_has_a_field_for_each_setting_and_no_other() -> None:
    assert {field.name for field in Study._meta.concrete_fields} == KEPT_BY_THE_SOFTWARE | set(SETTINGS)
    assert Study._meta.get_field("slug").max_length == SLUG.longest


@EACH
def test_the_field_holds_what_is_declared(setting: Setting) -> None:
    field = Study._meta.get_field(setting.key)
    assert (field.get_default() or None) == (setting.default or None)
    assert field.null == setting.can_be_empty
    if setting.kind in (Kind.LINE, Kind.ADDRESS):
        assert field.max_length == setting.longest
    if setting.kind == Kind.CHOICE:
        assert max(map(len, setting.options)) <= field.max_length
        assert setting.default in setting.options


@EACH
def test_what_is_not_declared_is_refused(setting: Setting) -> None:
    """So a bundle cannot bring it either."""
    field = field_of(setting)
    if setting.kind == Kind.CHOICE:
        assert {value for value, _ in field.flatchoices} == set(setting.options)
    if setting.is_number:
        for value in (setting.least, setting.most):
            field.run_validators(field.to_python(value))
        for value in (setting.least - 1, setting.most + 1):
            with pytest.raises(ValidationError):
                field.run_validators(field.to_python(value))
    if setting.kind == Kind.TEXTS:
        for texts in (setting.default, ("a" * setting.longest, "b"), tuple("abcdefg"[: setting.most])):
            field.run_validators(texts)
        lists = (("a",) * 2, ("a",), tuple("abcdefgh"), ("a", " "), ("a", "A "), ("a", "b\nc"))
        for texts in (*lists, ("a", "b" * (setting.longest + 1))):
            with pytest.raises(ValidationError):
                field.run_validators(texts)
    elif setting.longest:
        field.run_validators("a" * setting.longest)
        with pytest.raises(ValidationError):
            field.run_validators("a" * (setting.longest + 1))


NUMBERS = {key: setting for key, setting in SETTINGS.items() if setting.is_number}


@pytest.mark.parametrize("setting", NUMBERS.values(), ids=NUMBERS)
def test_the_bounds_can_be_stored_and_what_is_beyond_cannot(setting: Setting, db: None) -> None:
    def validate(value: Decimal | int) -> None:
        study = Study(slug="study", created_at=NOW, **{setting.key: value})
        study.clean_fields(exclude={field.name for field in Study._meta.fields} - {setting.key})
        study.validate_constraints()

    validate(setting.least)
    validate(setting.most)
    for value in (setting.least - 1, setting.most + 1):
        with pytest.raises(ValidationError):
            validate(value)
