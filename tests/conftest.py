"""What every test can ask for; the fixtures themselves stand in `tests/support/`, a file a subject.

`live_server` (pytest-django's) serves the site with its static files on a free port of 127.0.0.1.
"""

pytest_plugins = [
    # The first four come first because the others import them.
    "tests.support.empty_database",
    "tests.support.run",
    "tests.support.speeds",
    "tests.support.times",
    "tests.support.browser",
    "tests.support.collections",
    "tests.support.compiled",
    "tests.support.cached_counts",
    "tests.support.databases",
    "tests.support.garbage_collection",
    "tests.support.http_client",
    "tests.support.installed",
    "tests.support.mail",
    "tests.support.no_skips",
    "tests.support.people",
    "tests.support.postgresql",
    "tests.support.reach",
    "tests.support.receiver",
    "tests.support.static_files",
    "tests.support.turns",
    "tests.support.valkey",
]
