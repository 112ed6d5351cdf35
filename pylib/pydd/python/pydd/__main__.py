"""`python -m pydd …` is `pyddc …`."""

import os
import subprocess
import sys

from ._find import find_compiler


def main() -> int:
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
