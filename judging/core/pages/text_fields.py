"""A form field for text that has a maximum length."""

from typing import Any

from django import forms


class UncutField(forms.CharField):
    """A text field whose maximum length is checked on the server.

    The attribute `maxlength` would make browsers cut pasted text in silence. With `data-longest`, a script
    counts the characters instead.
    """

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attrs: dict[str, Any] = super().widget_attrs(widget)
        longest = attrs.pop("maxlength", None)
        return attrs if longest is None else attrs | {"data-longest": longest}
