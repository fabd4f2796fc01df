#!/usr/bin/env python
"""The command line of the site; see docs/operations.md for the commands it offers."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
    from nardy_platform import environment

    environment.prepare(sys.argv)
    environment.read_settings()
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
