"""What is said of the cells: totals, failures by function, the page of what is covered."""

import re
from collections import Counter, defaultdict

import cells
from inputs import COMPLEX, DTYPES, FLOATS, INTEGERS, WEAK

STATES = tuple(cells.MEANING)


def counts(records):
    return Counter(record[3] for record in records)


def totals(records):
    count = counts(records)
    lines = [f"{count[state]:9d}  {cells.MEANING[state]}" for state in STATES]
    total = max(len(records), 1)
    share = 100 * count[cells.REFUSED] / total
    return "\n".join([*lines, f"{len(records):9d}  cells; {share:.2f} % refused that NumPy accepts"])


def progress(functions, records):
    count = counts(records)
    name = functions[0].label if len(functions) == 1 else f"{functions[0].label} … {functions[-1].label}"
    return f"{name}: " + ", ".join(f"{count[state]} {state}" for state in STATES if count[state])


def failures(records):
    """Failures grouped by function and kind, the shortest example of each."""
    groups = defaultdict(list)
    for record in records:
        if record[3] in (cells.FAILURE, cells.BLANK):
            groups[record[0], record[4]].append(record)
    lines = []
    for (function, kind), found in sorted(groups.items()):
        lines.append(f"\n## {function}: {kind} ({len(found)} cells)\n")
        shown = set()
        for record in sorted(found, key=lambda r: len(r[1]) + len(r[5] or "") // 4):
            call = record[1].split(" | ")[0]
            if call in shown:
                continue
            shown.add(call)
            lines.append(f"- `{record[1]}` with {record[2]}\n  {' '.join((record[5] or '').split())[:400]}")
            if len(shown) == 4:
                break
    refused = Counter()
    why = {}
    for record in records:
        if record[3] == cells.REFUSED:
            key = (record[0], record[4])
            refused[key] += 1
            if key not in why or len(record[1]) < len(why[key][1]):
                why[key] = record
    lines.append("\n# Refused though NumPy accepts\n")
    for key, number in refused.most_common():
        lines.append(f"- {key[0]}: {number} cells, {key[1]}: `{why[key][1]}`: {why[key][5]}")
    return totals(records) + "\n" + "\n".join(lines) + "\n"


def parts_of(kernel):
    """(names of the parameters that a kernel's text gives by name, the annotation of its first argument)."""
    call, _, kinds = kernel.rpartition(" | ")
    return re.findall(r"(\w+)=(?!=)", call), re.split(r", (?=\w+\(|\w+$)", kinds)[0]


def element(kind):
    """The element type of an annotation, and what holds the elements."""
    found = re.match(r"(\w+)\(([\w ,]+)\)", kind)
    if not found:
        return kind, "number"
    return found[2].split(",")[0].strip(), found[1]


def row(records):
    """(what is taken, what is refused) of one function's cells, as texts."""
    taken, refused, named = set(), defaultdict(set), Counter()
    for _, kernel, _, state, _, _ in records:
        names, kind = parts_of(kernel)
        dtype, holder = element(kind)
        if state in (cells.EQUAL, cells.RULE, cells.ORDER, cells.FAILURE):
            taken.add(dtype)
        elif state in (cells.REFUSED, cells.OUTSIDE):
            if names:
                named.update(f"`{name}=`" for name in set(names))
            else:
                refused[holder].add(dtype)
    lists = [f"{holder} of {types(found)}" for holder, found in sorted(refused.items()) if found]
    return types(taken), "; ".join([*lists, ", ".join(sorted(named))]).strip("; ")


GROUPS = {
    "every type": DTYPES,
    "integers": INTEGERS,
    "signed integers": INTEGERS[:4],
    "unsigned integers": INTEGERS[4:],
    "floats": FLOATS,
    "complex": COMPLEX,
}


def types(found):
    """Names of types, those of a whole group by the group's name."""
    left, out = set(found), []
    for name, group in GROUPS.items():
        if left.issuperset(group):
            out.append(name)
            left -= set(group)
    return ", ".join([*out, *(name for name in [*DTYPES, *WEAK] if name in left)])


COVERAGE = """\
# What the library covers

Made by `make conformance` (`python tests/conformance --coverage docs/coverage.md`): every function of the catalogue, called with each
element type, layout, value and parameter, and compared with NumPy, SciPy and Python. CONTRIBUTING.md says how. A function that is taken
for a type gives what NumPy gives, but for the failures that `tests/conformance/known.txt` lists; what is refused, the compiler says
with an error, where NumPy would give a result.

"""


def coverage(records, functions):
    """The page of what is taken and what is refused."""
    count = counts(records)
    page = [COVERAGE + "| cells | |\n|---:|---|\n"]
    page += [f"| {count[state]} | {cells.MEANING[state]} |\n" for state in STATES]
    share = 100 * count[cells.REFUSED] / max(len(records), 1)
    page.append(f"| {len(records)} | all; {share:.2f} % are refused though NumPy accepts |\n")
    by_label = defaultdict(list)
    for record in records:
        by_label[record[0]].append(record)
    section = None
    for function in functions:
        title = getattr(function, "section", "Operators")
        if title != section:
            section = title
            page.append(
                f"\n## {title}\n\n| | cells | failures | taken | refused though NumPy accepts |\n|---|---:|---:|---|---|\n"
            )
        found = by_label[function.label]
        number = counts(found)
        taken, refused = row(found)
        page.append(
            f"| `{function.label}` | {len(found)} | {number[cells.FAILURE] or ''} | {taken} | {refused} |\n".replace(
                "  |", " |"
            )
        )
    return "".join(page)
