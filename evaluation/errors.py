"""The error for invalid input."""

from typing import Any


class InputError(ValueError):
    """Invalid input. The message says in one sentence where the error is, what is wrong and how to fix it.

    `code` names the kind of error and stays the same when the sentence is edited. `text` is the English
    sentence with placeholders such as `{measure}`, and `values` has the values of the placeholders. With
    these three, a program can show the error in another language. A value can be another `InputError`, which
    is translated in the same way. `where` is `FILE:LINE` for input from a file, and `row N` (counted from 1)
    for input from columns. It is empty if the error has no single place.
    """

    def __init__(self, code: str, text: str, where: str = "", **values: object) -> None:
        self.code = code
        self.text = text
        self.where = where
        self.values = values
        self.what = text.format(**values)
        super().__init__(f"{where}: {self.what}" if where else self.what)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs to restore the error, for example in the parent of a worker process."""
        return _restored, (type(self), self.code, self.text, self.where, self.values)

    def at(self, where: str) -> "InputError":
        """Return a copy of the error with another `where`."""
        return InputError(self.code, self.text, where, **self.values)


def _restored(
    cls: type[InputError], code: str, text: str, where: str, values: dict[str, object]
) -> InputError:
    return cls(code, text, where, **values)


def shown(text: object, limit: int = 40) -> str:
    """Return a piece of input in quotes and on one line, for an error message. Long input is cut off."""
    quoted = repr(text)
    return quoted if len(quoted) <= limit else f"{quoted[:limit]}…{quoted[0]}"
