"""What makes archives the same each time."""

from __future__ import annotations

import os

from ._project import BuildError

# 2020-02-02, as other backends have it.
_DEFAULT = 1580601600
# Zip files hold no times before 1980, gzip's none of more than 32 bits.
_EARLIEST, _LATEST = 315532800, 2**32 - 1


def timestamp() -> int:
    """The time of all files, in seconds: `SOURCE_DATE_EPOCH`, or one that is always the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        return _DEFAULT
    if not given.isdecimal():
        raise BuildError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {given!r}")
    return min(max(int(given), _EARLIEST), _LATEST)


def mode(executable: bool) -> int:
    """Permissions that do not depend on the umask."""
    return 0o755 if executable else 0o644
