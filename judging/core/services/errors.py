"""Why a service refuses."""


class RefusedError(Exception):
    """The state of things does not allow it; the message says so in one sentence, fit for people."""
