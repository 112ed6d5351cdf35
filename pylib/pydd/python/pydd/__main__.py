"""`pydd cache …` is about the cache, `pydd wheel …` makes wheels of a project; else `pydd …` and `python -m pydd …` are `pyddc …`."""

import os
import subprocess
import sys

from ._find import find_compiler


def main() -> int:
    if sys.argv[1:2] == ["cache"]:
        from ._commands import cache

        return cache(sys.argv[2:])
    if sys.argv[1:2] == ["wheel"]:
        from ._commands import wheel

        return wheel(sys.argv[2:])
    try:
        command = [str(find_compiler()), *sys.argv[1:]]
    except FileNotFoundError as error:
        print(f"pydd: {error}", file=sys.stderr)
        return 2
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
