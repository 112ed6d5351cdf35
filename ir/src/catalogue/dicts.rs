//! Dicts and sets. What they do is written in the language, in `frontend/src/prelude/dicts.pydd`; only what they are
//! made of is built in.

use super::{Algebra, Builtin, Default, DictOp, Entry, Param, Test, entry, opt, req, rest};
use crate::op::Exc;

const D: &[Param] = &[req("d")];
const D_K: &[Param] = &[req("d"), req("key")];
const D_K_DEFAULT: &[Param] = &[req("d"), req("key"), opt("default")];
const D_POP: &[Param] = &[req("d"), req("key"), rest("default")];
const D_AT: &[Param] = &[req("d"), req("entry")];
const S: &[Param] = &[req("s")];
const S_X: &[Param] = &[req("s"), req("x")];
const S_OTHER: &[Param] = &[req("s"), req("other")];
const FROM: &[Param] = &[opt("x")];

const fn own(params: &'static [Param], op: DictOp, doc: &'static str) -> Entry {
    entry(params, Algebra::Builtin(Builtin::Dict(op)), doc)
}

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    entry(params, Algebra::Prelude { file: "dicts", function }, doc)
}

const fn changed(function: &'static str, doc: &'static str) -> Entry {
    make(S_OTHER, function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    own(FROM, DictOp::Dict, "A new dict, empty or with the items of another one.").bare(&["dict"]).makes(),
    own(FROM, DictOp::Set, "A new set, empty or with the items of a list, range, array, set or dict.")
        .bare(&["set"]).makes(),
    own(
        &[Param { default: Default::Required, ..super::dtype() }],
        DictOp::DefaultDict,
        "An empty dict that gives a missing key the zero of a type: `defaultdict(int)`.",
    )
    .collections(&["defaultdict"]).makes(),
    own(FROM, DictOp::Counter, "Counts by key, of the items of a list, range, array or set, or those of a dict; a missing key's count is 0.")
        .collections(&["Counter"]).makes(),
    entry(
        &[opt("iterable"), opt("maxlen")],
        Algebra::Builtin(Builtin::Deque),
        "A new list, empty or with the items of a list, range or array; `.popleft()` and the like work on it.",
    )
    .collections(&["deque"]),
    // Methods of dicts.
    own(D, DictOp::Keys, "The keys, to iterate over.").dict(&["keys"]),
    own(D, DictOp::Values, "The values, to iterate over.").dict(&["values"]),
    own(D, DictOp::Items, "Pairs of key and value, to iterate over.").dict(&["items"]),
    own(D_K_DEFAULT, DictOp::Get, "The value of a key, or the default, which must be given.").dict(&["get"]),
    own(D_K_DEFAULT, DictOp::SetDefault, "The value of a key, which is stored first if it is missing.")
        .dict(&["setdefault"]).changes(),
    own(D_POP, DictOp::Pop, "Takes a key out and gives its value; KeyError unless it or a default is there.")
        .dict(&["pop"]).changes(),
    make(D, "pop_item", "Takes the last item out and gives it; KeyError if there is none.")
        .dict(&["popitem"]).changes(),
    make(&[req("d"), req("other")], "update", "Stores all items of another dict; a Counter adds up.")
        .dict(&["update"]).changes(),
    make(&[req("d"), opt("n")], "most_common", "A list of a Counter's items in descending order of counts, the first n.")
        .dict(&["most_common"]),
    make(D, "counted", "The sum of a Counter's counts.").dict(&["total"]),
    make(D, "clear", "Takes all items out.").dict(&["clear"]).changes(),
    make(D, "copied", "A new dict with the same items.").dict(&["copy"]).makes(),
    // Methods of sets.
    own(S_X, DictOp::Add, "Puts an item in.").set(&["add"]).changes(),
    own(S_X, DictOp::Remove, "Takes an item out; KeyError unless it is there.").set(&["remove"]).changes(),
    own(S_X, DictOp::Discard, "Takes an item out if it is there.").set(&["discard"]).changes(),
    make(S, "pop_some", "Takes the item that was put in last out and gives it; KeyError if there is none.")
        .set(&["pop"]).changes(),
    changed("extend", "Puts in all items of a set, list, range or array.").set(&["update"]).changes(),
    changed("keep_only", "Takes out what is not in another set.").set(&["intersection_update"]).changes(),
    changed("take_out", "Takes out what is in another set.").set(&["difference_update"]).changes(),
    changed("toggle", "Takes out what is in another set, and puts in the rest of it.")
        .set(&["symmetric_difference_update"]).changes(),
    changed("union", "A new set with the items of both.").set(&["union"]).makes(),
    changed("intersection", "A new set with the items that are in both.").set(&["intersection"]).makes(),
    changed("difference", "A new set with the items that are not in the other.").set(&["difference"]).makes(),
    changed("symmetric_difference", "A new set with the items that are in one of both.")
        .set(&["symmetric_difference"]).makes(),
    changed("is_subset", "Whether all items are in another set.").set(&["issubset"]),
    changed("is_superset", "Whether all items of another set are in it.").set(&["issuperset"]),
    changed("is_disjoint", "Whether no item is in both.").set(&["isdisjoint"]),
    make(S, "clear", "Takes all items out.").set(&["clear"]).changes(),
    make(S, "copied", "A new set with the same items.").set(&["copy"]).makes(),
    // For the functions in the prelude.
    own(D, DictOp::Table, "The table that finds entries.").internal(&["dict_table"]),
    own(D, DictOp::Gone, "Which entries were deleted.").internal(&["dict_gone"]),
    own(D, DictOp::Count, "How many entries there are, deleted ones too.").internal(&["dict_count"]),
    own(D_AT, DictOp::Key, "The key of an entry.").internal(&["dict_key"]),
    own(D_AT, DictOp::Value, "The value of an entry.").internal(&["dict_value"]),
    own(D_K, DictOp::PushKey, "Adds the key of a new entry.").internal(&["dict_push_key"]),
    own(&[req("d"), req("value")], DictOp::PushValue, "Adds the value of a new entry.")
        .internal(&["dict_push_value"]),
    own(
        &[req("d"), req("from"), req("entry")],
        DictOp::CopyEntry,
        "Adds an entry of another dict of the same type.",
    )
    .internal(&["dict_copy_entry"]),
    own(&[req("d"), req("entry"), req("to")], DictOp::MoveEntry, "Writes an entry over another one.")
        .internal(&["dict_move_entry"]),
    own(&[req("d"), req("entry"), req("value")], DictOp::SetValue, "Sets the value of an entry.")
        .internal(&["dict_set_value"]),
    own(&[req("d"), req("count")], DictOp::Truncate, "Keeps the first entries.").internal(&["dict_truncate"]),
    own(D, DictOp::Like, "An empty one of the same type.").internal(&["dict_like"]),
    own(D, DictOp::Zero, "What a missing key's value is.").internal(&["dict_zero"]),
    own(&[req("condition"), req("key")], DictOp::Require, "Raises KeyError unless the condition holds.")
        .internal(&["dict_require"]),
    entry(
        &[req("condition"), req("text")],
        Algebra::Builtin(Builtin::Require(Exc::RuntimeError)),
        "Raises RuntimeError unless the condition holds.",
    )
    .internal(&["require_unchanged"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Tuple)), "Whether it is a tuple.")
        .internal(&["is_tuple"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Float)), "Whether it is a float.")
        .internal(&["is_float"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Integer)), "Whether it is an integer.")
        .internal(&["is_integer"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::PythonInteger)), "Whether it is an `int`.")
        .internal(&["is_python_int"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::PythonFloat)), "Whether it is a `float`.")
        .internal(&["is_python_float"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::OfBools)), "Whether it is of bools.")
        .internal(&["of_bools"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::OfIntegers)), "Whether it is of integers.")
        .internal(&["of_integers"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::OfFloats)), "Whether it is of floats.")
        .internal(&["of_floats"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::OfComplex)), "Whether it is of complex numbers.")
        .internal(&["of_complex"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Array)), "Whether it is an array.")
        .internal(&["is_array"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::LeftOut)), "Whether the call leaves it out.")
        .internal(&["is_left_out"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::List)), "Whether it is a list.")
        .internal(&["is_list"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::HoldsDicts)), "Whether there are dicts or sets in it.")
        .internal(&["holds_dicts"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Generator)), "Whether it is a random generator.")
        .internal(&["is_generator"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Set)), "Whether it is a set.")
        .internal(&["is_set"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Dict)), "Whether it is a dict.")
        .internal(&["is_dict"]),
    entry(&[req("x")], Algebra::Builtin(Builtin::Is(Test::Counter)), "Whether it is a Counter.")
        .internal(&["is_counter"]),
];
