#!/usr/bin/env python3
"""Plumbline's command line. `python3 manage.py demo` and `python3 manage.py test` work without any set-up."""

import os
import sys


def main() -> None:
    """Find or create the environment that the command needs, then run the command there."""
    if sys.hexversion < 0x030B0000:  # Checked first, because an older Python cannot parse the imports below.
        sys.exit("Plumbline needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + ".")

    from deploy import launcher

    launcher.enter(sys.argv[1:])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

    if sys.argv[1:2] == ["test"]:
        from deploy import suite

        sys.exit(suite.run(sys.argv[2:]))

    if sys.argv[1:2] == ["docs"]:
        from deploy import documents

        sys.exit(documents.run(sys.argv[2:]))

    from deploy import commandline

    commandline.run(sys.argv)


if __name__ == "__main__":
    main()
