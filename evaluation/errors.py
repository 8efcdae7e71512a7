"""The one error that bad input raises."""


class InputError(ValueError):
    """Input that cannot be used, said in one sentence: where it stands, what is wrong, how to mend it.

    `where` is `FILE:LINE` for what came from a file and `row N` (from 1) for what came as columns; it is
    empty where no single place is to blame.
    """

    def __init__(self, what: str, where: str = "") -> None:
        self.what = what
        self.where = where
        super().__init__(f"{where}: {what}" if where else what)


def counted(number: int, thing: str) -> str:
    """A number of things: `1 topic`, `2 topics`."""
    return f"{number} {thing}{'s' * (number != 1)}"


def shown(text: object, limit: int = 40) -> str:
    """Quote a piece of input for a message: on one line, and cut when it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= limit else f"{quoted[:limit]}…{quoted[0]}"
