"""What a long compilation shows on a terminal; that pipes get nothing is tested with the command."""

import os
import pty
import subprocess

from pydd import find_compiler

FUNCTION = """
def f{number}(a: Array(float64, 2), b: Array(float64, 2)) -> Array(float64, 2):
    c = a * {number}.5 + b
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[i, j] += a[i, j] * b[j, i]
    return np.sort(c @ b, axis=0)
"""


def test_a_terminal_shows_what_is_done(tmp_path):
    source = tmp_path / "many.pydd"
    source.write_text(
        "import numpy as np\n" + "".join(FUNCTION.format(number=number) for number in range(30))
    )
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    shown = subprocess.Popen([str(find_compiler()), str(source)], stderr=theirs, env=environment)
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # nobody writes any more
            break
        if not part:
            break
        written += part
    os.close(ours)
    assert shown.wait() == 0
    assert b"Compiling many.pydd: " in written
    assert written.endswith(b"\r\x1b[K"), "nothing stays"
