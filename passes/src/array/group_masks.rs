//! Finds the elements of all groups at once, instead of with a mask for each.
//!
//! ```text
//! for %c in 0, %k {                            %order, %keys, … = call[@groups] %labels
//!     %m = eq %labels, %c                      for %c in 0, %k {
//!     %i = call[@flatnonzero] %m          ⇒        %from, %to = call[@group] %keys, …, %c
//!     … x[%i] …                                    %i = view[start:stop] %order, %from, %to
//! }                                                … x[%i] …
//!                                              }
//! ```
//!
//! A mask for each of many numbers looks at all elements as often as there are numbers; one counting sort before the loop looks at each
//! twice. The indices of a group are in order, so all that is computed from them is what it was, rounding included. How many elements are
//! by the mask, and whether there are any, is the length of the group. Masks of numbers between two bounds are found likewise (`ranges.rs`).
//!
//! It does so where the loop runs often enough to pay for it, else the loop stays: there are two of it. The array of numbers does not change in
//! the loop, and of the mask nothing is wanted but the indices, or the elements of an array, which nobody writes to or keeps. The functions are
//! of the prelude; the frontend has them made where an array of integers is compared with one, and where an array has two bounds.

mod ranges;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::catalogue::{GroupOperation, MaskOperation};
use pydd_ir::rewrite::{Cloner, Layout, Uses, build_before, position, replace_op};
use pydd_ir::{
    Builder, DType, ElemOp, Exc, FuncRef, Function, IndexItem, Level, Module, Op, OpKind, ReduceOp, Type,
    Value, Version,
};

use self::ranges::{Range, Sorted};
use crate::analysis::patterns::counts_up;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;

pub const PASS: Pass = Pass {
    name: "group-masks",
    summary: "find the elements of all groups at once, instead of with a mask for each",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// Iterations for which the groups pay: where the elements of a group are copied, and where all that is done with a mask is reductions,
/// which then need no copy.
const ITERATIONS: (i64, i64) = (4, 8);
/// The same for ranges, which are to be searched for.
const ITERATIONS_OF_RANGES: (i64, i64) = (4, 14);
/// Operations of a loop that is copied, at most.
const LONGEST: usize = 400;

/// The functions of the prelude.
struct Functions {
    masks: BTreeMap<FuncRef, MaskOperation>,
    numbers: Option<OfNumbers>,
    /// By the type that they compare in.
    ranges: BTreeMap<DType, FuncRef>,
}

#[derive(Clone)]
struct OfNumbers {
    make: FuncRef,
    made: Vec<Type>,
    find: FuncRef,
}

impl Functions {
    fn of(module: &Module) -> Self {
        let of = |wanted| {
            let is_wanted = move |func: &Function| GroupOperation::of(func) == Some(wanted);
            module.funcs.iter().filter(move |(_, func)| is_wanted(func))
        };
        let mut makers = of(GroupOperation::Make).zip(of(GroupOperation::Find));
        let numbers = makers.next().map(|((make, func), (find, _))| {
            let made = func.results.clone();
            OfNumbers { make, made, find }
        });
        let compared = |func: &Function| func.params().first().and_then(|&numbers| func.ty(numbers).dtype());
        let ranges = of(GroupOperation::Ranges)
            .filter_map(|(found, func)| compared(func).map(|dtype| (dtype, found)))
            .collect();
        let masks =
            module.funcs.iter().filter_map(|(r, func)| MaskOperation::of(func).map(|op| (r, op))).collect();
        Self { masks, numbers, ranges }
    }
}

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let functions = Functions::of(module);
    if functions.numbers.is_none() && functions.ranges.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut() {
        if func.version == Version::General || func.device || func.operation.is_some() {
            continue;
        }
        for looped in func.all_ops() {
            if !counts_up(func, looped) {
                continue;
            }
            let found = find_masks(func, &summaries, &functions, looped);
            if !found.is_empty() {
                report::grouped(cx, func, found.iter().map(|found| found.mask));
                rewrite(func, &functions, looped, &found);
            }
        }
    }
    Ok(())
}

/// A mask of a loop, and what is done with it.
struct Found {
    mask: Op,
    /// The numbers, from before the loop, and what they are compared with.
    numbers: Value,
    with: With,
    users: Vec<(Op, Wanted)>,
}

enum With {
    Label(Value),
    Range(Box<Range>),
}

/// What is wanted of a mask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Places,
    /// The elements of this array.
    Elements(Value),
    Length(u8),
    Count,
    IsAny,
}

fn find_masks(func: &Function, summaries: &Summaries, functions: &Functions, looped: Op) -> Vec<Found> {
    let body = func.ops[looped].regions[0];
    let is_mask = |op: &Op| {
        let is_compared = matches!(func.ops[*op].kind, OpKind::Elem(ElemOp::Eq | ElemOp::And));
        is_compared && func.ty(func.result(*op)).is_array()
    };
    if !func.blocks[body].ops.iter().any(is_mask) {
        return Vec::new();
    }
    let mut size = 0;
    func.walk(body, &mut |_| size += 1);
    if size > LONGEST {
        return Vec::new();
    }
    let finder = Finder {
        func,
        functions,
        looped,
        memory: MemoryInfo::new(func, summaries),
        layout: Layout::new(func),
        uses: Uses::new(func),
    };
    func.blocks[body].ops.iter().filter(|op| is_mask(op)).filter_map(|&op| finder.mask(op)).collect()
}

struct Finder<'a> {
    func: &'a Function,
    functions: &'a Functions,
    looped: Op,
    memory: MemoryInfo,
    layout: Layout,
    uses: Uses,
}

impl Finder<'_> {
    fn mask(&self, mask: Op) -> Option<Found> {
        let (numbers, with) = if self.func.ops[mask].kind == OpKind::Elem(ElemOp::Eq) {
            self.label(mask)?
        } else {
            let (numbers, range) = self.range(mask)?;
            (numbers, With::Range(Box::new(range)))
        };
        if self.is_written(numbers) {
            return None;
        }
        let mut users = Vec::new();
        self.users(self.func.result(mask), &mut users)?;
        let finds = |(_, wanted): &(Op, Wanted)| matches!(wanted, Wanted::Places | Wanted::Elements(_));
        users.iter().any(finds).then_some(Found { mask, numbers, with, users })
    }

    /// The numbers, and the one of them that changes with the iteration.
    fn label(&self, mask: Op) -> Option<(Value, With)> {
        let func = self.func;
        let &[a, b] = &func.ops[mask].args[..] else { return None };
        let (array, label) = if func.ty(a).is_array() { (a, b) } else { (b, a) };
        let numbers = self.before_loop(array)?;
        let changes = !self.layout.dominates(func, label, self.looped);
        let suits = is_narrow(func.ty(numbers)) && is_narrow(func.ty(label)) && func.ty(label).is_scalar();
        (suits && changes && self.functions.numbers.is_some()).then_some((numbers, With::Label(label)))
    }

    /// Whether the loop writes to an array.
    fn is_written(&self, array: Value) -> bool {
        self.memory.effects(self.looped).changes().intersects(self.memory.classes(array))
    }

    /// An array from before the loop, of which another one has the same numbers.
    fn before_loop(&self, array: Value) -> Option<Value> {
        if self.layout.dominates(self.func, array, self.looped) {
            return Some(array);
        }
        let data = &self.func.ops[self.func.def_op(array)?];
        let widens = data.kind == OpKind::Cast && self.func.ty(array).dtype() == Some(DType::I64);
        let source = widens.then(|| data.args[0])?;
        self.layout.dominates(self.func, source, self.looped).then_some(source)
    }

    /// All that is done with a mask, or with numbers that are 1 where it is true and 0 elsewhere.
    fn users(&self, value: Value, found: &mut Vec<(Op, Wanted)>) -> Option<()> {
        let func = self.func;
        let is_mask = func.ty(value).dtype() == Some(DType::Bool);
        for one in self.uses.of(value) {
            let data = &func.ops[one.op];
            let operation = match data.kind {
                OpKind::Call(callee) => self.functions.masks.get(&callee),
                _ => None,
            };
            match (&data.kind, operation) {
                (OpKind::Dim(axis), _) => found.push((one.op, Wanted::Length(*axis))),
                (_, Some(MaskOperation::Places)) if self.is_only_read(data.results[0]) => {
                    found.push((one.op, Wanted::Places));
                }
                (_, Some(MaskOperation::Compress)) if one.index == 1 && data.args[0] != value => {
                    found.push((one.op, Wanted::Elements(data.args[0])));
                }
                (OpKind::Reduce(spec), _) if func.ty(data.results[0]).is_scalar() => match spec.op {
                    ReduceOp::Sum if !is_mask => found.push((one.op, Wanted::Count)),
                    ReduceOp::Any if is_mask => found.push((one.op, Wanted::IsAny)),
                    _ => return None,
                },
                (OpKind::Cast, _) if is_mask && func.ty(data.results[0]).dtype() == Some(DType::I64) => {
                    self.users(data.results[0], found)?;
                }
                (OpKind::Elem(ElemOp::Ne), _) if !is_mask && func.as_int(data.args[1]) == Some(0) => {
                    self.users(data.results[0], found)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether elements of an array are looked at and no more: nobody writes to it, and nobody has it behind the iteration.
    fn is_only_read(&self, array: Value) -> bool {
        self.uses.of(array).iter().all(|one| {
            let data = &self.func.ops[one.op];
            match data.kind {
                OpKind::Dim(_) | OpKind::Load | OpKind::Elem(_) | OpKind::Cast | OpKind::Reduce(_) => true,
                OpKind::Assign => one.index == 1,
                OpKind::View(_) => self.is_only_read(data.results[0]),
                _ => false,
            }
        })
    }
}

/// Whether all values of a type are int64.
fn is_narrow(ty: Type) -> bool {
    ty.dtype().is_some_and(|dtype| dtype.is_int() && dtype != DType::U64)
}

/// `if enough iterations { the groups; the loop with them } else { the loop }`
fn rewrite(func: &mut Function, functions: &Functions, looped: Op, found: &[Found]) {
    let data = func.ops[looped].clone();
    let copy = Cloner::default().op(func, None, looped);
    let types: Vec<Type> = data.results.iter().map(|&result| func.ty(result)).collect();
    let (block, at) = position(func, looped).expect("the loop stands in a block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut b = Builder::new(func, block);
    b.loc = data.loc;
    let (enough, sorted) = sort_ranges(&mut b, functions, &data.args, found);
    let mut groups = BTreeMap::new();
    let grouped = b.region(&[], |b, _| {
        groups = sort_numbers(b, functions, found);
        b.func.blocks[b.block].ops.push(looped);
    });
    let plain = b.region(&[], |b, _| b.func.blocks[b.block].ops.push(copy));
    let choice = b.op(OpKind::If, vec![enough], &types, vec![grouped, plain]);
    func.blocks[block].ops.extend(rest.into_iter().skip(1));
    let chosen = func.ops[choice].results.clone();
    let replaced: BTreeMap<Value, Value> = data.results.iter().copied().zip(chosen).collect();
    func.replace_uses(|value| replaced.get(&value).copied().unwrap_or(value));
    for (region, op) in [(grouped, looped), (plain, copy)] {
        let mut b = Builder::new(func, region);
        b.loc = data.loc;
        let results = b.func.ops[op].results.clone();
        b.effect(OpKind::Yield, results);
    }
    for (found, sorted) in found.iter().zip(sorted) {
        let groups = match sorted {
            Some(sorted) => Groups::Ranges(sorted, data.args[0]),
            None => Groups::Numbers(&groups[&found.numbers]),
        };
        write_group(func, functions, found, &groups);
    }
}

/// Finds the elements of all ranges where there are enough iterations. Whether there are, and all was found.
fn sort_ranges(
    b: &mut Builder<'_>,
    functions: &Functions,
    range: &[Value],
    found: &[Found],
) -> (Value, Vec<Option<Sorted>>) {
    let end = b.elem(ElemOp::Max, &[range[1], range[0]]);
    let iterations = b.sub(end, range[0]);
    let least = b.int(least_iterations(found));
    let mut enough = b.elem(ElemOp::Ge, &[iterations, least]);
    let mut all = Vec::new();
    for found in found {
        let With::Range(with) = &found.with else {
            all.push(None);
            continue;
        };
        let sorted = with.sort(b, functions, found.numbers, [range[0], iterations, enough]);
        enough = sorted.made;
        all.push(Some(sorted));
    }
    (enough, all)
}

fn least_iterations(found: &[Found]) -> i64 {
    let copies = found.iter().flat_map(|found| &found.users).any(|(_, wanted)| *wanted == Wanted::Places);
    let ranges = found.iter().any(|found| matches!(found.with, With::Range(_)));
    let (copied, reduced) = if ranges { ITERATIONS_OF_RANGES } else { ITERATIONS };
    if copies { copied } else { reduced }
}

/// The elements of each number, for all arrays of numbers.
fn sort_numbers(b: &mut Builder<'_>, functions: &Functions, found: &[Found]) -> BTreeMap<Value, Vec<Value>> {
    let labelled = found.iter().filter(|found| matches!(found.with, With::Label(_)));
    let all: BTreeSet<Value> = labelled.map(|found| found.numbers).collect();
    let sort = |numbers: Value| {
        let of_numbers = functions.numbers.as_ref().expect("looked for where a mask was found");
        let wide = b.cast(numbers, DType::I64);
        let wide = flat(b, wide);
        let call = b.op(OpKind::Call(of_numbers.make), vec![wide], &of_numbers.made, vec![]);
        (numbers, b.func.ops[call].results.clone())
    };
    all.into_iter().map(sort).collect()
}

/// All elements, one behind the other.
fn flat(b: &mut Builder<'_>, array: Value) -> Value {
    let ty = b.func.ty(array);
    let dtype = ty.dtype().expect("an array has elements");
    if ty.rank() == 1 { array } else { b.value(OpKind::Reshape, vec![array], Type::array(dtype, 1)) }
}

/// What a group is found by.
enum Groups<'a> {
    Numbers(&'a [Value]),
    /// With the loop's first number.
    Ranges(Sorted, Value),
}

impl Groups<'_> {
    /// The order in which the indices of a group stand beside each other, and where they begin and end.
    fn find(&self, b: &mut Builder<'_>, functions: &Functions, with: &With) -> [Value; 3] {
        match (self, with) {
            (Self::Numbers([order, keys @ ..]), With::Label(label)) => {
                let label = b.cast(*label, DType::I64);
                let args = [keys, &[label]].concat();
                let find = functions.numbers.as_ref().expect("looked for where a mask was found").find;
                let ends = b.op(OpKind::Call(find), args, &[Type::I64, Type::I64], vec![]);
                let ends = &b.func.ops[ends].results;
                [*order, ends[0], ends[1]]
            }
            (Self::Ranges(sorted, first), With::Range(range)) => {
                let index = b.sub(range.counter, *first);
                let one = b.int(1);
                let next = b.add(index, one);
                let [from, to] =
                    [index, next].map(|at| b.value(OpKind::Load, vec![sorted.starts, at], Type::I64));
                [sorted.order, from, to]
            }
            _ => unreachable!("numbers are found by number, ranges by range"),
        }
    }
}

/// Finds a group where its mask was made, and puts it in the place of all that is done with the mask.
fn write_group(func: &mut Function, functions: &Functions, found: &Found, groups: &Groups<'_>) {
    let group = build_before(func, found.mask, |b| {
        let [order, from, to] = groups.find(b, functions, &found.with);
        let slice = IndexItem::Slice { start: true, stop: true, step: false };
        let places = b.value(OpKind::View(vec![slice]), vec![order, from, to], Type::array(DType::I64, 1));
        Group { places, count: b.sub(to, from) }
    });
    for &(user, wanted) in &found.users {
        let value = build_before(func, user, |b| match wanted {
            Wanted::Places => group.places,
            Wanted::Elements(array) => group.elements(b, array, found.numbers),
            Wanted::Length(axis) => b.dim(found.numbers, axis),
            Wanted::Count => group.count,
            Wanted::IsAny => {
                let zero = b.int(0);
                b.elem(ElemOp::Gt, &[group.count, zero])
            }
        });
        replace_op(func, user, &[value]);
    }
    // Of two masks it could raise, so it would stay.
    if func.ops[found.mask].kind == OpKind::Elem(ElemOp::And) {
        let either = func.ops[found.mask].args[0];
        replace_op(func, found.mask, &[either]);
    }
}

/// The elements of one number.
struct Group {
    places: Value,
    count: Value,
}

impl Group {
    /// The elements of an array, which has as many as there are numbers.
    fn elements(&self, b: &mut Builder<'_>, array: Value, numbers: Value) -> Value {
        let array = flat(b, array);
        let (length, expected) = (b.dim(array, 0), size(b, numbers));
        let fits = b.elem(ElemOp::Eq, &[length, expected]);
        b.check(fits, Exc::IndexError, "boolean index did not match indexed array", &[]);
        let dtype = b.func.ty(array).dtype().expect("an array has elements");
        let elements = b.value(OpKind::Empty, vec![self.count], Type::array(dtype, 1));
        let (zero, one) = (b.int(0), b.int(1));
        b.for_loop([zero, self.count, one], &[], |b, i, _| {
            let place = b.value(OpKind::Load, vec![self.places, i], Type::I64);
            let element = b.value(OpKind::Load, vec![array, place], Type::Scalar(dtype));
            b.effect(OpKind::Store, vec![elements, element, i]);
            Vec::new()
        });
        elements
    }
}

/// How many elements an array has.
fn size(b: &mut Builder<'_>, array: Value) -> Value {
    let lengths: Vec<Value> = (0..b.func.ty(array).rank()).map(|axis| b.dim(array, axis)).collect();
    lengths.into_iter().reduce(|all, length| b.mul(all, length)).expect("an array has axes")
}
