//! What passes say to who asks (`pyddc --report`), in the words of the language.
//!
//! Passes change two or three versions of a function and several copies of a loop; the functions here keep to the version that
//! runs for ordinary arguments, and [`PassContext::report`] says each thing once.

pub mod allocations;
pub mod lines;
pub mod picture;
pub mod words;

use std::collections::BTreeMap;

use pydd_ir::rewrite::Uses;
use pydd_ir::{Block, Function, Level, Loc, Op, OpKind, Value, Version};

use crate::analysis::patterns::param_length;
use crate::pass::{Finding, PassContext};
use lines::line;
use picture::{Data, Edge, Node, Picture};
use words::{counted, list, noun, operation, variable};

/// An array stays: [`allocations`] says so where it is still there in the end.
pub const KEPT: &str = "array-made";
/// An array is as small as one iteration's part.
pub const CONTRACTED: &str = "array-contracted";
/// An array's elements are numbers.
pub const IN_REGISTERS: &str = "array-in-registers";

/// Loops of several statements are one.
pub const LOOPS_JOINED: &str = "loops-joined";
/// Several iterations of a loop run side by side.
pub const IN_LANES: &str = "loop-in-lanes";

/// Whether anybody asks about this function.
#[must_use]
pub fn wanted(cx: &PassContext<'_>, func: &Function) -> bool {
    cx.reports() && func.version != Version::General && func.operation.is_none()
}

/// Groups of elementwise operations, each with its root, and why what is left stays an array.
pub fn fusion<'g>(cx: &PassContext<'_>, func: &Function, groups: impl Iterator<Item = (&'g [Op], Op)>) {
    if !wanted(cx, func) {
        return;
    }
    let mut joined: Vec<Op> = Vec::new();
    for (members, root) in groups {
        cx.report(|| fused(func, members, root));
        joined.extend(members);
    }
    let uses = Uses::new(func);
    for op in func.all_ops() {
        let data = &func.ops[op];
        let elementwise = matches!(data.kind, OpKind::Elem(_) | OpKind::Cast);
        if elementwise && func.ty(data.results[0]).is_array() && !joined.contains(&op) {
            let reason = reason_to_keep(func, &uses, data.results[0]);
            if let Some(reason) = reason {
                cx.report(|| Finding::new(KEPT, data.loc, "").label(data.loc, reason));
            }
        }
    }
}

fn fused(func: &Function, members: &[Op], root: Op) -> Finding {
    let ops: Vec<Op> = members.iter().copied().chain([root]).collect();
    let mut shown: Vec<String> = Vec::new();
    for word in ops.iter().filter_map(|&op| operation(func, op)) {
        let word = format!("`{word}`");
        if !shown.contains(&word) {
            shown.push(word);
        }
    }
    let loc = func.ops[root].loc;
    let message = format!(
        "{} ({}) are one loop, without arrays between them",
        counted(ops.len(), "operation"),
        list(&shown)
    );
    let mut finding = Finding::new("operations-fused", loc, message).label(loc, "");
    for &member in members {
        let data = &func.ops[member];
        let known = finding.labels.iter().any(|(loc, _)| *loc == data.loc);
        if let Some(name) = variable(func, data.results[0]).filter(|_| !known && data.loc.line != 0) {
            finding = finding.label(data.loc, format!("`{name}` is never an array"));
        }
    }
    finding.picture = Some(picture::of_group(func, &ops));
    finding
}

/// Why the result of an elementwise operation is an array of its own; nothing where it is wanted as one.
fn reason_to_keep(func: &Function, uses: &Uses, value: Value) -> Option<String> {
    let reads = |op: Op| !matches!(func.ops[op].kind, OpKind::Dim(_));
    let users: Vec<Op> = uses.of(value).iter().map(|one| one.op).filter(|&op| reads(op)).collect();
    let what = noun(func, value);
    let by_whole = |op: Op| match &func.ops[op].kind {
        OpKind::Lib(lib) => Some(format!("`{}`", operation(func, op).unwrap_or(lib.name()))),
        OpKind::Call(_) => Some("a function".to_owned()),
        _ => None,
    };
    if users.iter().any(|&op| func.ops[op].kind.is_terminator()) {
        return Some("it is given back".to_owned());
    }
    if let Some(taker) = users.iter().find_map(|&op| by_whole(op)) {
        return Some(format!("not fused: {taker} takes the whole array"));
    }
    match users[..] {
        [] => None,
        [user] => Some(match func.ops[user].kind {
            OpKind::Load => "not fused: its elements are read one by one".to_owned(),
            OpKind::View(_)
            | OpKind::Transpose(_)
            | OpKind::BroadcastTo
            | OpKind::Windows
            | OpKind::Reshape => "not fused: a view of it is used".to_owned(),
            _ => {
                format!("not fused: {what} would be computed more often, or from memory that changes before")
            }
        }),
        _ => {
            let mut lines: Vec<Loc> = users.iter().map(|&op| func.ops[op].loc).collect();
            lines.retain(|loc| loc.line != 0);
            lines.sort_unstable();
            Some(format!("not fused: it is used {} times, in {}", users.len(), in_words(lines)))
        }
    }
}

/// What a pass moves out of a loop; scalar arithmetic that costs little is left unsaid.
pub fn hoisted(cx: &PassContext<'_>, func: &Function, looped: Op, moved: &[Op]) {
    if !wanted(cx, func) {
        return;
    }
    let mut by_place: BTreeMap<Loc, Vec<String>> = BTreeMap::new();
    for &op in moved {
        let data = &func.ops[op];
        let large = data.results.iter().any(|&result| func.ty(result).is_array())
            && !matches!(
                data.kind,
                OpKind::View(_) | OpKind::Transpose(_) | OpKind::BroadcastTo | OpKind::Windows
            );
        let costly = data.kind.facts(Level::Array).cost >= COSTLY;
        if let Some(word) = operation(func, op).filter(|_| large || costly) {
            by_place.entry(data.loc).or_default().push(format!("`{word}`"));
        }
    }
    for (loc, mut words) in by_place {
        words.dedup();
        let verb = if words.len() == 1 { "is" } else { "are" };
        cx.report(|| {
            let message = format!("{} {verb} computed once, before the loop", list(&words));
            Finding::new("moved-out-of-loop", loc, message)
                .label(loc, "nothing here changes from iteration to iteration")
                .label(func.ops[looped].loc, "this loop")
        });
    }
}

/// The cost of a division.
const COSTLY: i64 = 8;

/// A product of matrices that is computed where a sparse operation looks.
pub fn sampled(cx: &PassContext<'_>, func: &Function, product: Op, call: Op) {
    if wanted(cx, func) {
        let (loc, user) = (func.ops[product].loc, func.ops[call].loc);
        cx.report(|| {
            let message = "this product is computed only where the sparse matrix has entries";
            Finding::new("product-sampled", loc, message)
                .label(loc, "as a whole only where more than one element in eight is wanted")
                .label(user, "this operation looks at no others")
        });
    }
}

/// A sparse matrix of which no entry is stored.
pub fn used_in_place(cx: &PassContext<'_>, func: &Function, choice: Op, user: Op) {
    if wanted(cx, func) {
        let (loc, user) = (func.ops[choice].loc, func.ops[user].loc);
        cx.report(|| {
            let message = "the entries of this sparse matrix are computed where they are used";
            Finding::new("product-sampled", loc, message)
                .label(loc, "no matrix is made")
                .label(user, "used here")
        });
    }
}

/// A product of sparse matrices of which only what it is multiplied by is computed.
pub fn masked_product(cx: &PassContext<'_>, func: &Function, product: Op, call: Op) {
    let what = "this product is computed only where the other matrix has entries";
    for_user(cx, func, [product, call], ("product-masked", what, "this operation looks at no others"));
}

/// A result of which only what is used is computed.
pub fn ranged(cx: &PassContext<'_>, func: &Function, call: Op, user: Op) {
    let what = "of this result only the part is computed that is used";
    for_user(cx, func, [call, user], ("part-computed", what, "this takes a part of it"));
}

/// Says what is done with an operation for the sake of another one: a code, that, and what the other one does.
fn for_user(
    cx: &PassContext<'_>,
    func: &Function,
    ops: [Op; 2],
    (code, what, label): (&'static str, &'static str, &'static str),
) {
    if wanted(cx, func) {
        let [loc, user] = ops.map(|op| func.ops[op].loc);
        cx.report(|| Finding::new(code, loc, what).label(user, label));
    }
}

/// Operations that store or reduce masked elements.
pub fn masked(cx: &PassContext<'_>, func: &Function, sinks: impl Iterator<Item = Op>) {
    let what = "elements by this mask are computed with where they stand";
    each(cx, func, sinks, ("mask-in-place", what, "no copy of them is made"));
}

/// Says the same of operations, one by one: a code, what is done, and what that means.
fn each(
    cx: &PassContext<'_>,
    func: &Function,
    ops: impl Iterator<Item = Op>,
    (code, what, label): (&'static str, &'static str, &'static str),
) {
    if wanted(cx, func) {
        for loc in ops.map(|op| func.ops[op].loc) {
            cx.report(|| Finding::new(code, loc, what).label(loc, label));
        }
    }
}

/// Masks of a loop that groups stand for.
pub fn grouped(cx: &PassContext<'_>, func: &Function, masks: impl Iterator<Item = Op>) {
    let what = "the elements of all numbers are found before the loop";
    let label = "no mask is made where the loop has more than a few iterations";
    each(cx, func, masks, ("masks-grouped", what, label));
}

/// Copies that are not made.
pub fn copies(cx: &PassContext<'_>, func: &Function, copies: impl IntoIterator<Item = Op>) {
    if !wanted(cx, func) {
        return;
    }
    for op in copies {
        let data = &func.ops[op];
        cx.report(|| {
            let of = noun(func, data.args[0]);
            Finding::new("copy-left-out", data.loc, format!("{of} is read in place of a copy of it"))
                .label(data.loc, "nothing changes it while the copy would be used")
        });
    }
}

/// A parallel loop whose parts have arrays of their own.
pub fn privatized(cx: &PassContext<'_>, func: &Function, looped: Op, arrays: impl Iterator<Item = Value>) {
    if wanted(cx, func) {
        let loc = func.ops[looped].loc;
        cx.report(|| {
            let names: Vec<String> = arrays.map(|array| noun(func, array)).collect();
            let message = format!("parts of this loop have copies of {} of their own", list(&names));
            Finding::new("private-copies", loc, message).label(loc, "they are combined behind the loop")
        });
    }
}

/// Lengths of parameters for which, where they are equal, there is code of its own.
pub fn expected_lengths(cx: &PassContext<'_>, func: &Function, equal: &[[Value; 2]], cut: bool) {
    if !wanted(cx, func) {
        return;
    }
    let Some(loc) = first_loc(func) else { return };
    let length = |value: Value| {
        let (array, axis) = param_length(func, value)?;
        let name = variable(func, array).unwrap_or("?");
        Some(if func.ty(array).rank() == 1 {
            format!("len({name})")
        } else {
            format!("{name}.shape[{axis}]")
        })
    };
    let named = |&[a, b]: &[Value; 2]| Some(format!("`{} == {}`", length(a)?, length(b)?));
    let mut usual: Vec<String> = equal.iter().filter_map(named).collect();
    if cut || usual.len() < equal.len() {
        usual.push("slices that do not end beyond their arrays".to_owned());
    }
    cx.report(|| {
        Finding::new("equal-lengths", loc, format!("there is code of its own for {}", list(&usual)))
            .label(loc, "what follows is said of that code, which stretches nothing")
    });
}

/// A nest of loops over points of few coordinates.
pub fn short_axes(cx: &PassContext<'_>, func: &Function, nest: Op, length: Value) {
    if wanted(cx, func) {
        let loc = func.ops[nest].loc;
        cx.report(|| {
            let of = func.def_op(length).and_then(|dim| variable(func, func.ops[dim].args[0]));
            let of = of.map_or_else(|| "an axis".to_owned(), |name| format!("the last axis of `{name}`"));
            Finding::new("short-axis", loc, format!("there is code of its own for 2, 3 and 4 along {of}"))
                .label(loc, "coordinates of a point are then written out, not looped over")
        });
    }
}

/// Loops that `--auto-parallel` leaves in order, with all loops in them.
pub fn in_order(cx: &PassContext<'_>, func: &Function, loops: &[Op]) {
    if !wanted(cx, func) {
        return;
    }
    for &looped in loops {
        // Of a nest the outermost loop is spoken of.
        let holds = |outer: Op| {
            let mut found = false;
            func.walk(func.ops[outer].regions[0], &mut |op| found |= op == looped);
            found
        };
        if !loops.iter().any(|&outer| outer != looped && holds(outer)) {
            let loc = func.ops[looped].loc;
            cx.report(|| {
                Finding::new("loop-in-order", loc, "the iterations of this loop run in order").label(
                    loc,
                    "one may need what another one does, or leaves the loop, prints or raises in an order that shows",
                )
            });
        }
    }
}

/// An array that is made before a loop.
pub fn made_once(cx: &PassContext<'_>, func: &Function, array: Op, looped: Op) {
    if wanted(cx, func) {
        let (loc, outer) = (func.ops[array].loc, func.ops[looped].loc);
        cx.report(|| {
            let what = noun(func, func.result(array));
            Finding::new("made-once", loc, format!("memory for {what} is taken once, before the loop"))
                .label(loc, "used again in each iteration")
                .label(outer, "this loop")
        });
    }
}

/// Iterations side by side, each with a loop of its own within.
pub fn in_lanes(cx: &PassContext<'_>, func: &Function, looped: Op, inner: Loc, lanes: usize) {
    if wanted(cx, func) {
        let loc = func.ops[looped].loc;
        cx.report(|| {
            Finding::new(IN_LANES, loc, format!("{lanes} iterations of this loop run side by side"))
                .label(loc, "in vectors")
                .label(inner, "each until its own loop ends")
        });
    }
}

/// A loop over time within the loop over elements.
pub fn time_inside(cx: &PassContext<'_>, func: &Function, time: Op, elements: Op) {
    if wanted(cx, func) {
        let (loc, inner) = (func.ops[time].loc, func.ops[elements].loc);
        cx.report(|| {
            Finding::new("time-inside", loc, "this loop runs within the loops over elements")
                .label(loc, "elements stay in registers over all steps")
                .label(inner, "each needs nothing but itself")
        });
    }
}

/// Rows of a recurrence that run side by side.
pub fn rows_side_by_side(cx: &PassContext<'_>, func: &Function, rows: Op, columns: Op, count: i64) {
    if wanted(cx, func) {
        let (loc, inner) = (func.ops[rows].loc, func.ops[columns].loc);
        cx.report(|| {
            Finding::new(
                "rows-side-by-side",
                loc,
                format!("{count} iterations of this loop run side by side"),
            )
            .label(loc, "each some steps behind the one before")
            .label(inner, "each step waits for the last one")
        });
    }
}

/// Columns that are gone down side by side.
pub fn columns_side_by_side(cx: &PassContext<'_>, func: &Function, columns: Op, down: Op, count: usize) {
    if wanted(cx, func) {
        let (loc, inner) = (func.ops[columns].loc, func.ops[down].loc);
        cx.report(|| {
            Finding::new(
                "columns-side-by-side",
                loc,
                format!("{count} iterations of this loop run side by side"),
            )
            .label(loc, "in vectors of neighbouring columns")
            .label(inner, "goes down a column")
        });
    }
}

/// A loop whose indices are looked at before it.
pub fn indices_once(cx: &PassContext<'_>, func: &Function, looped: Op, checks: usize) {
    if wanted(cx, func) {
        let loc = func.ops[looped].loc;
        cx.report(|| {
            let what = match checks {
                1 => "the index of one check in it is".to_owned(),
                n => format!("the indices of {n} checks in it are"),
            };
            Finding::new(
                "loop-versioned",
                loc,
                format!("loop compiled twice: {what} looked at once, before it"),
            )
            .label(loc, "runs without them, or with them where an index is negative or too large")
        });
    }
}

/// An array whose elements are numbers.
pub fn scalarized(cx: &PassContext<'_>, func: &Function, array: Op, count: usize) {
    if wanted(cx, func) {
        let loc = func.ops[array].loc;
        cx.report(|| {
            let what = noun(func, func.result(array));
            let message = match count {
                1 => format!("{what} is never stored: one element at a time, in a register"),
                n => format!("{what} is never stored: {n} elements at a time, in registers"),
            };
            Finding::new(IN_REGISTERS, loc, message).label(loc, "")
        });
    }
}

/// Arrays that become as small as one iteration's part, an axis at a time.
#[derive(Default)]
pub struct Contractions(BTreeMap<Loc, Finding>);

impl Contractions {
    pub fn note(&mut self, cx: &PassContext<'_>, func: &Function, array: Op, looped: Op) {
        let (data, outer) = (&func.ops[array], func.ops[looped].loc);
        if !wanted(cx, func) {
            return;
        }
        let what = noun(func, data.results[0]);
        let left = match data.args.len() {
            1 => "an element".to_owned(),
            2 => "a row".to_owned(),
            rank => format!("{} axes", rank - 1),
        };
        let message = format!("{what} is never stored as a whole: {left} at a time");
        let finding = self
            .0
            .remove(&data.loc)
            .unwrap_or_else(|| Finding::new(CONTRACTED, data.loc, "").label(data.loc, ""));
        let finding = if finding.labels.iter().any(|(loc, _)| *loc == outer) {
            finding
        } else {
            finding.label(outer, "in each iteration of this loop")
        };
        self.0.insert(data.loc, Finding { message, ..finding });
    }

    pub fn report(self, cx: &PassContext<'_>) {
        self.0.into_values().for_each(|finding| cx.report(|| finding));
    }
}

/// Loops of a function that become one, and pairs that do not.
#[derive(Default)]
pub struct JoinedLoops {
    /// Groups of places, in the order of the source.
    groups: Vec<Vec<Loc>>,
    passed: Vec<Passed>,
    apart: Vec<[Loc; 2]>,
}

impl JoinedLoops {
    pub fn joined(&mut self, cx: &PassContext<'_>, func: &Function, one: Op, two: Op) {
        if !wanted(cx, func) {
            return;
        }
        let [first, second] = [func.ops[one].loc, func.ops[two].loc];
        if first == second || first.line == 0 || second.line == 0 {
            return;
        }
        for passed in passed_on(func, one, two) {
            if !self.passed.contains(&passed) {
                self.passed.push(passed);
            }
        }
        let mut group = vec![first, second];
        self.groups.retain(|other| {
            let meets = other.iter().any(|loc| group.contains(loc));
            if meets {
                group.extend(other);
            }
            !meets
        });
        group.sort_unstable();
        group.dedup();
        self.groups.push(group);
    }

    /// Two loops over one range that iterations tie to an order.
    pub fn apart(&mut self, cx: &PassContext<'_>, func: &Function, one: Op, two: Op) {
        let places = [func.ops[one].loc, func.ops[two].loc];
        if wanted(cx, func) && places[0] != places[1] && !self.apart.contains(&places) {
            self.apart.push(places);
        }
    }

    pub fn report(self, cx: &PassContext<'_>) {
        let Self { groups, passed, apart } = self;
        for group in &groups {
            cx.report(|| joined(group, &passed));
        }
        for [first, second] in apart {
            if groups.iter().any(|group| group.contains(&first) && group.contains(&second)) {
                continue;
            }
            cx.report(|| {
                let message = format!(
                    "this loop is not joined with the one in line {}, which goes over the same range",
                    line(first)
                );
                Finding::new("loops-apart", second, message)
                    .label(second, "an iteration may need what a later one of the other loop computes")
                    .label(first, "the other loop")
            });
        }
    }
}

/// `line 3`, `lines 3 and 5`, of places in their order.
fn in_words(mut places: Vec<Loc>) -> String {
    places.dedup_by_key(|loc| loc.line);
    let lines: Vec<String> = places.into_iter().map(line).collect();
    format!("line{} {}", if lines.len() == 1 { "" } else { "s" }, list(&lines))
}

fn joined(group: &[Loc], passed: &[Passed]) -> Finding {
    let message = format!("the {} loops of {} are one", group.len(), in_words(group.to_vec()));
    let mut finding = Finding::new(LOOPS_JOINED, group[0], message).label(group[0], "from here");
    for &loc in &group[1..] {
        finding = finding.label(loc, "with this");
    }
    // The place itself, or the first loop of its line, of each of these.
    let place = |locs: &[Loc; 2]| {
        let exact = |loc: &Loc| group.iter().position(|other| other == loc);
        let near = |loc: &Loc| group.iter().position(|other| other.line == loc.line);
        locs.iter().find_map(exact).or_else(|| locs.iter().find_map(near))
    };
    let mut edges: Vec<Edge> = Vec::new();
    for Passed { from, to, name, made } in passed {
        let (Some(from), Some(to)) = (place(from), place(to)) else { continue };
        let edge = Edge { from, to, name: name.clone(), data: Data::Stored(*made) };
        if from < to && !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    let nodes = group.iter().map(|&loc| Node { text: String::new(), loc }).collect();
    finding.picture = Some(Picture { nodes, edges });
    finding
}

/// An array that one loop writes and another one reads.
#[derive(PartialEq, Eq)]
struct Passed {
    /// Where it is written: the statement, and the loop as it stands now.
    from: [Loc; 2],
    to: [Loc; 2],
    name: String,
    /// Where it is made.
    made: Loc,
}

fn passed_on(func: &Function, one: Op, two: Op) -> Vec<Passed> {
    let mut written: BTreeMap<Value, Loc> = BTreeMap::new();
    func.walk(func.ops[one].regions[0], &mut |op| {
        let data = &func.ops[op];
        if data.kind == OpKind::StoreRaw {
            written.insert(data.args[0], data.loc);
        }
    });
    let mut passed = Vec::new();
    func.walk(func.ops[two].regions[0], &mut |op| {
        let data = &func.ops[op];
        if data.kind == OpKind::LoadRaw
            && let Some(&writer) = written.get(&data.args[0])
        {
            let array = data.args[0];
            passed.push(Passed {
                from: [writer, func.ops[one].loc],
                to: [data.loc, func.ops[two].loc],
                name: variable(func, array).unwrap_or_default().to_owned(),
                made: func.def_op(array).map_or_else(Loc::default, |op| func.ops[op].loc),
            });
        }
    });
    passed
}

/// The regions of the operation at a place of a block that usually run: of the choice between bodies for usual lengths and for others (see
/// [`expect_lengths`](crate::loops::expect_lengths)) the first alone.
#[must_use]
pub fn usual_regions(func: &Function, block: Block, at: usize) -> &[Block] {
    let ops = &func.blocks[block].ops;
    let data = &func.ops[ops[at]];
    let ends = ops.get(at + 1).is_some_and(|&end| func.ops[end].kind == OpKind::Unreachable);
    match data.kind {
        OpKind::If if block == func.entry && ends => &data.regions[..1],
        _ => &data.regions,
    }
}

/// The first place of a function's text that is known.
fn first_loc(func: &Function) -> Option<Loc> {
    func.blocks[func.entry].ops.iter().map(|&op| func.ops[op].loc).find(|loc| loc.line != 0)
}
