//! Takes the least element for the one that stands where `argmin` found it, and likewise the greatest.
//!
//! ```text
//! %p = reduce[argmin axes 1] %d                 %p = reduce[argmin axes 1] %d
//! for %i in 0, %n {                             %m = reduce[min axes 1] %d
//!     %j = load %p, %i                     ⇒    for %i in 0, %n {
//!     %x = load %d, %i, %j                          %x = load %m, %i
//!     …                                             …
//! ```
//!
//! `k = d.argmin(); d[k]`, `D[np.arange(n), at]` and `np.take_along_axis` are so: then nothing asks for an element at a place that follows from all others, and the
//! array need not be there as a whole, but joins the loop that searches it. A place that was put into an array goes with it (`number[i] = k`).
//!
//! The array is one of the function's own that is used for nothing else, does not change between the search and the element, and has numbers of which equal ones
//! are alike: integers, and floats that are [positive](crate::analysis::positive). Of zeros of both signs the first one would be the element, and any of them the least.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, Uses, build_before, erase_ops, position};
use pydd_ir::{
    DType, Function, IndexItem, Level, LibOp, MapTarget, Module, Op, OpData, OpKind, ReduceOp, ReduceSpec,
    Type, Value, ValueDef, Version,
};

use crate::analysis::positive::Positive;
use crate::analysis::shapes::{Length, Shapes};
use crate::array::canonicalize;
use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "at-extremes",
    summary: "take the least element for the one where argmin found it",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// Views of views that are looked through.
const DEPTH: usize = 8;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let searches = |func: &Function| {
        // Versions for any arguments walk over memory for each reduction.
        func.version != Version::General && func.all_ops().iter().any(|&op| search(func, op).is_some())
    };
    // What the places found are broadcast to is known by its shape alone.
    let asked = module.funcs.values_mut().filter(|func| searches(func) && stretches(func));
    if asked.fold(false, |changed, func| changed | follow_lengths(func)) {
        (canonicalize::PASS.run)(module, &PassContext::quiet(cx.options))?;
    }
    each_function(module, |func, summaries| {
        if !searches(func) {
            return;
        }
        let (mut replacements, mut gone) = (Replacements::default(), BTreeSet::new());
        for (op, elements) in Finder::new(func, summaries).all() {
            gone.extend(elements.iter().map(|(load, _)| *load));
            rewrite(func, op, elements, &mut replacements);
        }
        erase_ops(func, &gone);
        replacements.apply(func);
    });
    Ok(())
}

fn stretches(func: &Function) -> bool {
    func.all_ops().iter().any(|&op| func.ops[op].kind == OpKind::BroadcastTo)
}

/// Has equal lengths be one value, as far as shapes tell. Whether there were any.
fn follow_lengths(func: &mut Function) -> bool {
    let (shapes, layout) = (Shapes::of(func), Layout::new(func));
    let mut known: BTreeMap<Length, Vec<Value>> = BTreeMap::new();
    let mut replacements = Replacements::default();
    for op in func.all_ops() {
        if !matches!(func.ops[op].kind, OpKind::Dim(_)) {
            continue;
        }
        let own = func.result(op);
        let length = shapes.length(own);
        let same = match length {
            Length::Scalar(value) if value != own => Some(value),
            _ => known
                .get(&length)
                .and_then(|all| all.iter().copied().find(|&value| layout.dominates(func, value, op))),
        };
        match same {
            Some(value) => replacements.replace(own, value),
            None => known.entry(length).or_default().push(own),
        }
    }
    replacements.apply(func);
    !replacements.is_empty()
}

/// What an operation searches, if it gives the place of an extreme element along one axis.
fn search(func: &Function, op: Op) -> Option<(&ReduceSpec, u8)> {
    let data = &func.ops[op];
    let OpKind::Reduce(spec) = &data.kind else { return None };
    let axis = match spec.axes.as_deref() {
        Some(&[axis]) => axis,
        None if func.ty(data.args[0]).rank() == 1 => 0,
        _ => return None,
    };
    let is_real = func.ty(data.args[0]).dtype().is_some_and(|dtype| !dtype.is_complex());
    (is_real && matches!(spec.op, ReduceOp::ArgMin | ReduceOp::ArgMax)).then_some((spec, axis))
}

/// An element of an array, by operands that count from the end where they are negative.
#[derive(Clone, PartialEq, Eq)]
struct Element {
    array: Value,
    indices: Vec<Value>,
}

struct Finder<'f> {
    func: &'f Function,
    shapes: Shapes<'f>,
    memory: MemoryInfo,
    layout: Layout,
    uses: Uses,
}

/// Loads of the elements where a search found them, with the indices of the extremes that they are.
type Elements = Vec<(Op, Vec<Value>)>;

impl<'f> Finder<'f> {
    fn new(func: &'f Function, summaries: &Summaries) -> Self {
        let (memory, layout, uses) = (MemoryInfo::new(func, summaries), Layout::new(func), Uses::new(func));
        Self { func, shapes: Shapes::of(func), memory, layout, uses }
    }

    fn all(&self) -> BTreeMap<Op, Elements> {
        let mut searches: BTreeMap<Value, Vec<Op>> = BTreeMap::new();
        for op in self.func.all_ops().into_iter().filter(|&op| search(self.func, op).is_some()) {
            searches.entry(self.func.ops[op].args[0]).or_default().push(op);
        }
        let found = searches.iter().filter_map(|(&array, searches)| self.elements(array, searches));
        found.flatten().collect()
    }

    /// By search, the elements of an array that are loaded where the search found them, if it is used for nothing else.
    fn elements(&self, array: Value, searches: &[Op]) -> Option<BTreeMap<Op, Elements>> {
        let loads = self.loads(array, searches)?;
        let positive =
            Positive { func: self.func, memory: &self.memory, layout: &self.layout, uses: &self.uses };
        let is_exact = self.func.ty(array).dtype().is_some_and(DType::is_int) || positive.holds(array);
        if loads.is_empty() || !is_exact {
            return None;
        }
        let mut found: BTreeMap<Op, Elements> = BTreeMap::new();
        for load in loads {
            let (op, indices) = searches.iter().find_map(|&op| Some((op, self.found_by(op, load)?)))?;
            found.entry(op).or_default().push((load, indices));
        }
        Some(found)
    }

    /// The loads of an array of the function's own and of its views, if it is only searched and reduced besides, along one axis.
    fn loads(&self, array: Value, searches: &[Op]) -> Option<BTreeSet<Op>> {
        let func = self.func;
        let made = &func.ops[func.def_op(array)?].kind;
        let is_own = matches!(
            made,
            OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Map(MapTarget::Fresh)
                | OpKind::Reduce(_)
                | OpKind::Empty
                | OpKind::Zeros
                | OpKind::Lib(LibOp::Matmul)
        );
        let (spec, _) = search(func, *searches.first()?)?;
        let goes_along = |other: &ReduceSpec| {
            let is_extreme =
                matches!(other.op, ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax);
            is_extreme && other.axes == spec.axes
        };
        let (mut loads, mut open) = (BTreeSet::new(), vec![array]);
        while let Some(array) = open.pop() {
            for used in self.uses.of(array) {
                let data = &func.ops[used.op];
                match &data.kind {
                    OpKind::Load => _ = loads.insert(used.op),
                    OpKind::Dim(_) => {}
                    OpKind::Store | OpKind::Assign if used.index == 0 => {}
                    OpKind::View(_) | OpKind::Transpose(_) => open.push(data.results[0]),
                    OpKind::Reduce(other) if goes_along(other) => {}
                    _ => return None,
                }
            }
        }
        is_own.then_some(loads)
    }

    /// The indices of the extreme that a load is, of those that a search found the places of.
    fn found_by(&self, op: Op, load: Op) -> Option<Vec<Value>> {
        let func = self.func;
        let (spec, axis) = search(func, op)?;
        let (searched, places) = (func.ops[op].args[0], func.result(op));
        let mut element = self.element(load)?;
        (element.array == searched && self.is_kept(searched, op, load)).then_some(())?;
        let place = self.stands_for(element.indices.remove(usize::from(axis)));
        if !func.ty(places).is_array() {
            return (place == places).then(Vec::new);
        }
        let at = self.element(func.def_op(place)?)?;
        let is_same = |(one, other): (&Value, &Value)| self.stands_for(*one) == self.stands_for(*other);
        let mut beside = at.indices.clone();
        if spec.keepdims {
            beside.remove(usize::from(axis));
        }
        let alike = beside.len() == element.indices.len() && beside.iter().zip(&element.indices).all(is_same);
        let is_fixed = !self.memory.classes(places).intersects(self.memory.written());
        (at.array == places && alike && is_fixed).then_some(at.indices)
    }

    /// The element that an operation loads, of the array that a view is of.
    fn element(&self, load: Op) -> Option<Element> {
        let data = &self.func.ops[load];
        (data.kind == OpKind::Load).then_some(())?;
        let mut element = Element { array: data.args[0], indices: data.args[1..].to_vec() };
        for _ in 0..DEPTH {
            let Some(view) = self.func.def_op(element.array).map(|op| &self.func.ops[op]) else { break };
            let indices = match view.kind {
                OpKind::BroadcastTo => self.is_as_it_was(view).then(|| element.indices.clone()),
                _ => before_view(&view.kind, &view.args[1..], &element.indices),
            };
            let Some(indices) = indices else { break };
            element = Element { array: view.args[0], indices };
        }
        Some(element)
    }

    /// Whether an array is stretched to the lengths that it has.
    fn is_as_it_was(&self, stretched: &OpData) -> bool {
        let [own, to] =
            [stretched.args[0], stretched.results[0]].map(|array| &self.shapes.layout(array).dims);
        own == to
    }

    /// What a number surely is: what was put where it is loaded from, or the index of an element of `arange`.
    fn stands_for(&self, value: Value) -> Value {
        let stored = || {
            let load = self.func.def_op(value)?;
            let element = self.element(load)?;
            self.stored(load, &element).or_else(|| self.of_range(&element))
        };
        stored().unwrap_or(value)
    }

    /// What was put into an element in the same block, where nothing else is written to its memory since.
    fn stored(&self, load: Op, element: &Element) -> Option<Value> {
        let func = self.func;
        let before = &func.blocks[self.layout.block_of(load)?].ops[..self.layout.index_of(load)?];
        let classes = self.memory.classes(element.array);
        let last = before.iter().rev().find(|&&op| self.memory.effects(op).changes().intersects(classes))?;
        let data = &func.ops[*last];
        let is_it =
            data.kind == OpKind::Store && data.args[0] == element.array && data.args[2..] == element.indices;
        is_it.then(|| data.args[1])
    }

    /// The index of an element of `arange(n)`, where that is the index of a loop that counts up.
    fn of_range(&self, element: &Element) -> Option<Value> {
        let func = self.func;
        let range = &func.ops[func.def_op(element.array)?];
        let &[index] = &element.indices[..] else { return None };
        let counts = range.kind == OpKind::Iota
            && func.ty(range.args[0]) == Type::I64
            && func.as_int(range.args[0]) == Some(0)
            && func.as_int(range.args[1]) == Some(1)
            && !self.memory.classes(element.array).intersects(self.memory.written());
        let ValueDef::Param(block, 0) = func.values[index].def else { return None };
        let looped = &func.ops[self.layout.parent_of_block(block)?];
        let counts_up = looped.kind == OpKind::For
            && func.as_int(looped.args[0]).is_some_and(|start| start >= 0)
            && func.as_int(looped.args[2]).is_some_and(|step| step > 0);
        (counts && counts_up).then_some(index)
    }

    /// Whether nothing is written to an array from an operation up to a later one, or within what holds that one.
    fn is_kept(&self, array: Value, from: Op, to: Op) -> bool {
        let Some(block) = self.layout.block_of(from) else { return false };
        let mut around = std::iter::once(to).chain(self.layout.ancestors(to));
        let behind = around.find(|&op| self.layout.block_of(op) == Some(block));
        let places = self.layout.index_of(from).zip(behind.and_then(|op| self.layout.index_of(op)));
        let between = places.and_then(|(from, to)| self.func.blocks[block].ops.get(from + 1..=to));
        let classes = self.memory.classes(array);
        between
            .is_some_and(|ops| ops.iter().all(|&op| !self.memory.effects(op).changes().intersects(classes)))
    }
}

/// Where an element of a view stands in the array that the view is of.
fn before_view(kind: &OpKind, operands: &[Value], indices: &[Value]) -> Option<Vec<Value>> {
    match kind {
        OpKind::Transpose(axes) => {
            let mut before = indices.to_vec();
            axes.iter().zip(indices).for_each(|(&axis, &index)| before[usize::from(axis)] = index);
            Some(before)
        }
        OpKind::View(items) => {
            let (mut operands, mut own) = (operands.iter(), indices.iter());
            let mut before = Vec::new();
            for item in items {
                match item {
                    IndexItem::At => before.push(*operands.next()?),
                    // The one of one.
                    IndexItem::New => _ = own.next()?,
                    IndexItem::Slice { start: false, stop: false, step: false } => before.push(*own.next()?),
                    IndexItem::Slice { .. } => return None,
                }
            }
            before.extend(own);
            Some(before)
        }
        _ => None,
    }
}

fn rewrite(func: &mut Function, op: Op, elements: Elements, replacements: &mut Replacements) {
    let Some((spec, _)) = search(func, op) else { return };
    let extreme = if spec.op == ReduceOp::ArgMin { ReduceOp::Min } else { ReduceOp::Max };
    let spec = ReduceSpec { op: extreme, ..spec.clone() };
    let (searched, places, loc) = (func.ops[op].args[0], func.result(op), func.ops[op].loc);
    let dtype = func.ty(searched).dtype().expect("arrays have elements");
    let ty = match func.ty(places) {
        Type::Array { rank, .. } => Type::Array { dtype, rank },
        _ => Type::Scalar(dtype),
    };
    let Some((block, at)) = position(func, op) else { return };
    let next = func.blocks[block].ops[at + 1];
    let least = build_before(func, next, |b| {
        b.loc = loc;
        b.value(OpKind::Reduce(spec), vec![searched], ty)
    });
    for (load, indices) in elements {
        let value = if ty.is_array() {
            build_before(func, load, |b| {
                b.value(OpKind::Load, [&[least], &indices[..]].concat(), Type::Scalar(dtype))
            })
        } else {
            least
        };
        replacements.replace(func.result(load), value);
    }
}
