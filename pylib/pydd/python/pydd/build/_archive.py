"""What makes archives the same each time."""

from __future__ import annotations

import os

from ._project import BuildError

# 2020-02-02, as other backends have it: archives cannot hold times before 1980.
_DEFAULT = 1580601600
_EARLIEST = 315532800


def timestamp() -> int:
    """The time of all files, in seconds: `SOURCE_DATE_EPOCH`, or one that is always the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        return _DEFAULT
    if not given.isdecimal():
        raise BuildError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {given!r}")
    return max(int(given), _EARLIEST)


def mode(executable: bool) -> int:
    """Permissions that do not depend on the umask."""
    return 0o755 if executable else 0o644
