"""The error that services raise to refuse an action."""


class RefusedError(Exception):
    """The current state does not allow the action. The message says why, in the active language."""
