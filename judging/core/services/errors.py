"""The error of services that refuse an action."""


class RefusedError(Exception):
    """The current state does not allow the action. The message tells people why, in the active language."""
