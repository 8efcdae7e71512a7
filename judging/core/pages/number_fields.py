"""Form fields for numbers, which people can type with the decimal mark of their country."""

from typing import TYPE_CHECKING, Any

from django import forms

from judging.core.words import decimal_mark, translated
from judging.protocol.numerals import AMBIGUOUS, UnreadError, two_readings, with_point

if TYPE_CHECKING:
    _Base = forms.Field
else:
    _Base = object


def typed_number(text: str) -> str:
    """Return a typed number with the digits 0 to 9 and a point. Return other text unchanged.

    Raise forms.ValidationError if the text is a number that can be read in two ways, such as `1,000`.
    """
    try:
        return with_point(text)
    except UnreadError as error:
        sentence = two_readings(text, decimal_mark()) or AMBIGUOUS[error.key]
        raise forms.ValidationError(translated(sentence), code="ambiguous") from None


class _Typed(_Base):
    """A field that is typed as text: browsers would remove what they do not take for a number."""

    keypad = "decimal"

    def __init__(self, **options: Any) -> None:
        widget = options.pop("widget", None) or forms.TextInput(attrs={"autocomplete": "off"})
        widget.attrs.setdefault("inputmode", self.keypad)
        super().__init__(widget=widget, **options)

    def to_python(self, value: Any) -> Any:
        return super().to_python(typed_number(value) if isinstance(value, str) else value)


class WholeField(_Typed, forms.IntegerField):
    """A field for a whole number."""

    keypad = "numeric"


class NumberField(_Typed, forms.FloatField):
    """A field for any number."""


class AmountField(_Typed, forms.DecimalField):
    """A field for an exact decimal number."""
