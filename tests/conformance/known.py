"""The recorded list of failures, which can only become shorter.

A line for each function and kind of failure: how many cells fail so in the whole matrix, how many of them in the sample,
and the shortest example. A run that finds more, or fewer, is an error; `--shrink` writes smaller numbers down.
"""

from collections import defaultdict
from pathlib import Path

import cells

PATH = Path(__file__).with_name("known.txt")
HEADER = """\
# Known failures of the conformance matrix: function | kind | cells | of these in the sample | an example.
# The list can only shrink: `python tests/conformance --shrink`, with `--sample` for the numbers of the sample alone.
"""


def load():
    """{(function, kind): [cells, cells in the sample, example]}"""
    out = {}
    for line in PATH.read_text().splitlines() if PATH.exists() else []:
        if line and not line.startswith("#"):
            function, kind, whole, sample, example = line.split(" | ", 4)
            out[function, kind] = [int(whole), int(sample), example]
    return out


def write(known):
    lines = [f"{f} | {k} | {a} | {b} | {text}\n" for (f, k), (a, b, text) in sorted(known.items()) if a or b]
    PATH.write_text(HEADER + "".join(lines))


def count(records):
    """{(function, kind): (number of failing cells, the shortest example)}"""
    groups = defaultdict(list)
    for record in records:
        if record[3] in (cells.FAILURE, cells.BLANK):
            groups[record[0], record[4]].append(record)
    return {key: (len(found), example(found)) for key, found in groups.items()}


def example(found):
    record = min(found, key=lambda r: (len(r[1]), r[1], r[2]))
    return f"{record[1]} | {record[2]}"


def problems(records, functions, sample):
    """What the list does not say, or says and is not so."""
    known, found = load(), count(records)
    labels = {function.label for function in functions}
    out = []
    for key in sorted(set(known) | set(found)):
        if key[0] not in labels:
            continue
        number, text = found.get(key, (0, ""))
        listed = known.get(key, [0, 0, ""])[1 if sample else 0]
        if number > listed:
            out.append(
                f"{key[0]}: {key[1]}: {number} cells fail, {listed} are known, e.g. {text}\n  {rerun(key[0], text)}"
            )
        elif number < listed:
            out.append(
                f"{key[0]}: {key[1]}: {listed} cells are listed in known.txt, {number} fail: run with --shrink"
            )
    return out


def rerun(function, text):
    kernel = text.rsplit(" | ", 1)[0]
    return f'python tests/conformance --function "{function}" --cell "{kernel}" --verbose'


def shrink(records, functions, sample, grow=False):
    """Writes the numbers that became smaller (with `grow` all, for the list's first version)."""
    known, found = load(), count(records)
    labels = {function.label for function in functions}
    place = 1 if sample else 0
    for key in set(known) | (set(found) if grow else set()):
        if key[0] in labels:
            number, text = found.get(key, (0, ""))
            entry = known.setdefault(key, [0, 0, text])
            if grow or number < entry[place]:
                entry[place] = number
            if text and not sample:
                entry[2] = text
    write(known)
