"""The numeric fields of the console: any country's decimal mark, and no number with two values is guessed."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django import forms
from django.http import QueryDict
from django.urls import get_resolver

from judging.core.pages.number_fields import AmountField, NumberField, WholeField
from judging.models import Study
from judging.protocol.settings import Kind, Setting
from judging.setup.pages.settings_form import SettingsForm
from judging.setup.steps import SECTIONS

NUMBERS = (forms.IntegerField, forms.FloatField, forms.DecimalField)
READ = {
    "0,35": "0.35",
    "0.35": "0.35",
    "٠٫٣٥": "0.35",
    "０．３５": "0.35",
    "\u200e0,35": "0.35",
    ",35": "0.35",
}
AMBIGUOUS = ("1,000", "1.000", "0,350", "1٬000", "1.000,5")
"""Numbers whose mark can separate thousands. IntegerField would read 1.000 as 1."""


@pytest.mark.parametrize(("typed", "value"), READ.items())
def test_a_decimal_mark_of_any_country_is_read(typed: str, value: str) -> None:
    assert AmountField().clean(typed) == Decimal(value)
    assert NumberField().clean(typed) == float(value)


@pytest.mark.parametrize("typed", AMBIGUOUS)
@pytest.mark.parametrize("kind", [AmountField, NumberField, WholeField])
def test_a_number_with_two_values_is_asked_again(kind: type[forms.Field], typed: str) -> None:
    with pytest.raises(forms.ValidationError) as refused:
        kind().clean(typed)
    assert [error.code for error in refused.value.error_list] == ["ambiguous"]


@pytest.mark.parametrize("typed", ["1,5", "10²", "½", "1 000", "ten", "0x10"])
def test_a_whole_number_is_whole(typed: str) -> None:
    with pytest.raises(forms.ValidationError):
        WholeField().clean(typed)
    assert WholeField().clean(" ١٢ ") == 12
    assert WholeField().clean("-3") == -3


def every_form(kind: type[forms.Form] = forms.Form) -> Iterator[type[forms.Form]]:
    for form in kind.__subclasses__():
        yield form
        yield from every_form(form)


def test_every_number_that_people_type_in_a_form_is_read_alike() -> None:
    assert get_resolver().reverse_dict, "the pages of the site are imported, and their forms with them"
    typed = [
        (form.__name__, name)
        for form in every_form()
        if form.__module__.startswith("judging.")
        for name, field in form.base_fields.items()
        if isinstance(field, NUMBERS) and not field.widget.is_hidden
    ]
    ours = (WholeField, NumberField, AmountField)
    of_plan = {
        ("GoalsForm", "tau"),
        ("AssumptionsForm", "documents"),
        ("WatchForm", "spent"),
        ("DepthForm", "depth"),
    }
    assert of_plan <= set(typed)
    forms_by_name = {form.__name__: form for form in every_form()}
    assert [each for each in typed if not isinstance(forms_by_name[each[0]].base_fields[each[1]], ours)] == []


NUMERIC = [(section, setting) for section in SECTIONS for setting in SECTIONS[section] if setting.is_number]


@pytest.mark.parametrize(("section", "setting"), NUMERIC, ids=lambda value: getattr(value, "key", value))
def test_the_settings_of_a_study_are_read_alike(section: str, setting: Setting, db: None) -> None:
    for typed in AMBIGUOUS:
        form = SettingsForm(section, Study(), sent(**{setting.name: typed}))
        assert not form.is_valid()
        assert setting.name in form.errors
        assert form[setting.name].value() == typed, "nothing typed is lost"
    if setting.kind != Kind.WHOLE and setting.least == 0:
        for typed, value in READ.items():
            form = SettingsForm(section, Study(), sent(**{setting.name: typed}))
            form.is_valid()
            assert form.values[setting.key] == type(setting.default or Decimal())(value), form.errors


def test_a_stored_number_is_not_ambiguous_in_its_form(db: None) -> None:
    study = Study(seconds_per_document=12.125)
    form = SettingsForm("terms", study, sent())
    form.is_valid()
    assert "checks.seconds_per_document" not in form.errors
    assert form.values["seconds_per_document"] == 12.125


def sent(**fields: str) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(fields)
    return query
