"""What a command needs from the environment before the settings are read: services, secrets, the database role."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from nardy_platform import address

BASE_DIR = Path(__file__).resolve().parent.parent
# These change the schema, which the application's role may not.
OWNER_COMMANDS = {"migrate"}
# What else is outside: a run with faults would take another site's tasks, and write into its anchors.
NOT_FOR_FAULTS = ("BROKER_URL", "ANCHOR_FILE")


def prepare(argv: list[str]) -> None:
    """Fill os.environ for one run of manage.py: embedded services where no addresses are set, the owner to migrate."""
    if argv[1:2] and argv[1] in OWNER_COMMANDS:
        os.environ["DATABASE_AS_OWNER"] = "1"
    if argv[1:2] == ["serve"]:
        try:
            address.look(data_dir())
        except address.CannotServe as error:
            sys.exit(f"CommandError: {error}")
    given = [name for name in ("DATABASE_URL", "VALKEY_URL") if os.environ.get(name)]
    if len(given) == 1:
        sys.exit(
            f"Only {given[0]} is set. Set both DATABASE_URL and VALKEY_URL, or neither to use the embedded services."
        )
    if not given:
        # Faults are played on services of their own: nobody's site goes down and no demo data is touched.
        breaks_things = argv[1:2] == ["simulate"] and "--faults" in argv
        for name in NOT_FOR_FAULTS if breaks_things else ():
            os.environ.pop(name, None)
        use_embedded(data_dir() / "faults" if breaks_things else data_dir())


def read_settings() -> None:
    """Read the settings now. A variable that holds nonsense ends the process with one line that names it, status 2."""
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from environs import EnvError

    try:
        settings.INSTALLED_APPS  # noqa: B018  (the first look reads them all)
    except (ImproperlyConfigured, EnvError) as error:
        refuse(str(error))


def refuse(reason: str) -> NoReturn:
    """End a process that was told nonsense: one line, status 2."""
    print(reason, file=sys.stderr)
    sys.exit(2)


def data_dir() -> Path:
    """Where embedded services and their secrets live: DATA_DIR, or `.data` beside manage.py."""
    return Path(os.environ.get("DATA_DIR") or BASE_DIR / ".data").resolve()


def use_embedded(data: Path) -> None:
    """Start or join the embedded services and pass their addresses on. This is a demo, unless DEMO says otherwise."""
    from nardy_platform import embedded

    try:
        services = embedded.ensure(data)
        secrets = embedded.secret_keys(data)
    except (embedded.EmbeddedError, OSError) as error:
        sys.exit(f"The embedded services cannot be used: {error}")
    os.environ.update(
        DATA_DIR=str(data),
        DATABASE_URL=services.database_url,
        DATABASE_OWNER_URL=services.owner_url,
        VALKEY_URL=services.valkey_url,
        EMBEDDED="1",
    )
    for name, value in ({"DEMO": "1"} | secrets).items():
        os.environ[name] = os.environ.get(name) or value
