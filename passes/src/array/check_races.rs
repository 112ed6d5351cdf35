//! Makes each `pfor` run in order and watch what its iterations touch (`--check-races`).
//!
//! ```text
//!                                    %w = zeros (dims of %a); %r = zeros (dims of %a)
//! pfor 0, %n, 1 {                    for 0, %n, 1 {
//! (%i: i64):                         (%i: i64):
//!     store %a, %x, %k         ⇒         check that the stamps of %w[%k] and %r[%k] are 0 or of iteration %i
//! }                                      %w[%k] = this iteration's stamp, if that is the first one
//!                                        store %a, %x, %k
//!                                    }
//! ```
//!
//! Each array that was there before the loop has two arrays of stamps beside it: which iteration wrote an element
//! first, and which one read it first, each with its line. Since iterations run in order, the first one is
//! enough: any other iteration that writes, or reads what was written, is a race, and raises RuntimeError. All of that
//! is ordinary IR, so backends and the interpreter know nothing of it. Views are followed: the same view is taken of the
//! stamps. Loops in loops have stamps of their own.
//!
//! Arrays that are only reduced into are not watched. Lists need not be: `prove-pfor` refuses all but appending to them. Not
//! seen are arrays that an `if` chooses or that are reshaped in the body, what functions touch that call themselves, and
//! arguments that overlap each other.

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, is_defined_inside, position};
use pydd_ir::{
    Builder, DType, ElemOp, Exc, FuncRef, Function, Level, Loc, MapTarget, Module, Op, OpKind, Sharing, Type,
    Value, Version,
};

use crate::array::pfor::param_name;
use crate::array::pfor::table::{Class, classify};
use crate::array::{canonicalize, inline};
use crate::drop_unused;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "check-races",
    summary: "make parallel loops watch what their iterations touch",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

/// A stamp is `iteration * LINES + line`, iterations counted from 1.
const LINES: i64 = 1 << 20;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    if !cx.options.check_races {
        return Ok(());
    }
    // What called functions touch is seen in the loop.
    for pass in [&inline::PASS, &drop_unused::PASS, &canonicalize::PASS] {
        (pass.run)(module, cx)?;
    }
    let summaries = Summaries::of_callees(module);
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    for f in funcs {
        let loops = watched_loops(module, f, &summaries);
        let func = &mut module.funcs[f];
        loops.iter().for_each(|looped| looped.emit(func));
    }
    Ok(())
}

/// One `pfor` and what is watched in it.
struct Watched {
    pfor: Op,
    /// By array from before the loop: what messages call it.
    names: BTreeMap<Value, String>,
    accesses: Vec<Access>,
}

/// An operand of an operation.
struct Access {
    op: Op,
    root: Value,
    /// From the array to the root: the views between.
    views: Vec<Op>,
    /// `None`: all elements.
    indices: Option<Vec<Value>>,
    writes: bool,
    /// In the user's file.
    line: u32,
}

fn watched_loops(module: &Module, f: FuncRef, summaries: &Summaries) -> Vec<Watched> {
    let func = Function { version: Version::Fast, ..module.funcs[f].clone() };
    let is_parallel = |&op: &Op| matches!(func.ops[op].kind, OpKind::PFor(_));
    let loops: Vec<Op> = func.all_ops().into_iter().filter(is_parallel).collect();
    if loops.is_empty() {
        return Vec::new();
    }
    let (memory, layout) = (MemoryInfo::new(&func, summaries), Layout::new(&func));
    let watched = |pfor: Op| {
        let reduced: Vec<Value> = classify(&func, &memory, pfor)
            .rows
            .into_iter()
            .filter(|(_, class)| matches!(class, Class::Shared(Sharing::Reduced(_))))
            .map(|(root, _)| root)
            .collect();
        let mut accesses = Vec::new();
        func.walk(func.ops[pfor].regions[0], &mut |op| touched(&func, &memory, op, &mut accesses));
        accesses.retain(|access| {
            !is_defined_inside(&func, &layout, access.root, pfor) && !reduced.contains(&access.root)
        });
        accesses.iter_mut().for_each(|access| access.line = module.place(func.ops[access.op].loc).line);
        let name = |access: &Access| (access.root, param_name(module, f, &func, access.root));
        let names = accesses.iter().map(name).collect();
        Watched { pfor, names, accesses }
    };
    loops.into_iter().map(watched).collect()
}

/// What an operation touches of arrays.
fn touched(func: &Function, memory: &MemoryInfo, op: Op, found: &mut Vec<Access>) {
    let data = &func.ops[op];
    let mut add = |array: Value, indices: Option<&[Value]>, writes: bool| {
        let (root, views) = root(func, array);
        found.push(Access { op, root, views, indices: indices.map(<[Value]>::to_vec), writes, line: 0 });
    };
    match &data.kind {
        OpKind::Load => add(data.args[0], Some(&data.args[1..]), false),
        OpKind::Store => add(data.args[0], Some(&data.args[2..]), true),
        OpKind::Assign | OpKind::Map(MapTarget::Into) => {
            add(data.args[0], None, true);
            data.args[1..]
                .iter()
                .filter(|&&arg| func.ty(arg).is_array())
                .for_each(|&arg| add(arg, None, false));
        }
        // Which elements a function touches that calls itself is not known.
        OpKind::Call(_) => {}
        kind if data.regions.is_empty() || matches!(kind, OpKind::Map(_)) => {
            let effects = memory.effects(op);
            for &arg in data.args.iter().filter(|&&arg| func.ty(arg).is_array()) {
                let classes = memory.classes(arg);
                let writes = classes.intersects(&effects.writes);
                if writes || classes.intersects(&effects.reads) {
                    add(arg, None, writes);
                }
            }
        }
        _ => {}
    }
}

/// The array that a value is a view of, and the views between, outermost first.
fn root(func: &Function, mut array: Value) -> (Value, Vec<Op>) {
    let mut views = Vec::new();
    while let Some(op) = func.def_op(array) {
        match func.ops[op].kind {
            // Real and imaginary parts count as one element.
            OpKind::Part(_) | OpKind::ReadOnly => array = func.ops[op].args[0],
            OpKind::View(_)
            | OpKind::Transpose(_)
            | OpKind::BroadcastTo
            | OpKind::Diagonal
            | OpKind::Windows => {
                views.push(op);
                array = func.ops[op].args[0];
            }
            _ => break,
        }
    }
    views.reverse();
    (array, views)
}

/// What stands for the current iteration.
#[derive(Clone, Copy)]
struct Iteration {
    start: Value,
    step: Value,
    /// Counted from 1.
    number: Value,
}

impl Watched {
    fn emit(&self, func: &mut Function) {
        let data = func.ops[self.pfor].clone();
        func.ops[self.pfor].kind = OpKind::For;
        func.ops[self.pfor].args.truncate(3 + data.results.len());
        let mut stamps: BTreeMap<Value, [Value; 2]> = BTreeMap::new();
        insert(func, self.pfor, data.loc, |b| {
            for &root in self.names.keys() {
                let of = |b: &mut Builder<'_>| {
                    let rank = b.func.ty(root).rank();
                    let dims = (0..rank).map(|axis| b.dim(root, axis)).collect();
                    b.value(OpKind::Zeros, dims, Type::array(DType::I64, rank))
                };
                stamps.insert(root, [of(b), of(b)]);
            }
        });
        let body = data.regions[0];
        let index = func.blocks[body].params[0];
        let first = func.blocks[body].ops[0];
        let (start, step) = (data.args[0], data.args[2]);
        let mut number = index;
        insert(func, first, data.loc, |b| {
            let gone = b.sub(index, start);
            let before = b.elem(ElemOp::FloorDiv, &[gone, step]);
            let one = b.int(1);
            number = b.add(before, one);
        });
        for access in &self.accesses {
            let watch = Watch {
                iteration: Iteration { start, step, number },
                line: i64::from(access.line).min(LINES - 1),
                name: &self.names[&access.root],
                writes: access.writes,
            };
            let loc = func.ops[access.op].loc;
            insert(func, access.op, loc, |b| {
                let stamps = stamps[&access.root].map(|stamps| access.view(b, stamps));
                match &access.indices {
                    Some(indices) => watch.element(b, stamps, indices),
                    None => watch.all(b, stamps, &mut Vec::new()),
                }
            });
        }
    }
}

impl Access {
    /// The same view of an array of the root's shape.
    fn view(&self, b: &mut Builder<'_>, root: Value) -> Value {
        self.views.iter().fold(root, |array, &op| {
            let data = b.func.ops[op].clone();
            let args = [&[array], &data.args[1..]].concat();
            let rank = b.func.ty(data.results[0]).rank();
            b.value(data.kind, args, Type::array(DType::I64, rank))
        })
    }
}

/// Puts operations before another one.
fn insert(func: &mut Function, op: Op, loc: Loc, build: impl FnOnce(&mut Builder<'_>)) {
    let block = func.new_block();
    let mut b = Builder::new(func, block);
    b.loc = loc;
    build(&mut b);
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (block, index) = position(func, op).expect("the operation stands in a block");
    func.blocks[block].ops.splice(index..index, made);
}

struct Watch<'a> {
    iteration: Iteration,
    line: i64,
    name: &'a str,
    writes: bool,
}

impl Watch<'_> {
    /// All elements of the view, one after the other.
    fn all(&self, b: &mut Builder<'_>, stamps: [Value; 2], indices: &mut Vec<Value>) {
        let axis = u8::try_from(indices.len()).unwrap_or(u8::MAX);
        if axis == b.func.ty(stamps[0]).rank() {
            return self.element(b, stamps, indices);
        }
        let (zero, one) = (b.int(0), b.int(1));
        let length = b.dim(stamps[0], axis);
        b.for_loop([zero, length, one], &[], |b, index, _| {
            indices.push(index);
            self.all(b, stamps, indices);
            indices.pop();
            Vec::new()
        });
    }

    fn element(&self, b: &mut Builder<'_>, [written, read]: [Value; 2], indices: &[Value]) {
        let name = self.name;
        let what = if self.writes { "writes" } else { "reads" };
        let wrote = format!(
            "race in `pfor`: iteration {{0}} {what} an element of {name} that iteration {{1}} wrote in line {{2}}"
        );
        let stamp = self.stamp(b);
        let first_write = self.check(b, written, indices, &wrote);
        if self.writes {
            let was_read = format!(
                "race in `pfor`: iteration {{0}} writes an element of {name} that iteration {{1}} read in line {{2}}"
            );
            self.check(b, read, indices, &was_read);
            put_first(b, written, first_write, stamp, indices);
        } else {
            let args = [&[read], indices].concat();
            let first_read = b.value(OpKind::Load, args, Type::I64);
            put_first(b, read, first_read, stamp, indices);
        }
    }

    fn stamp(&self, b: &mut Builder<'_>) -> Value {
        let (lines, line) = (b.int(LINES), b.int(self.line));
        let shifted = b.mul(self.iteration.number, lines);
        b.add(shifted, line)
    }

    /// Raises if another iteration left its stamp; gives the stamp.
    fn check(&self, b: &mut Builder<'_>, stamps: Value, indices: &[Value], message: &str) -> Value {
        let Iteration { start, step, number } = self.iteration;
        let found = b.value(OpKind::Load, [&[stamps], indices].concat(), Type::I64);
        let (zero, one, lines) = (b.int(0), b.int(1), b.int(LINES));
        let other = b.elem(ElemOp::FloorDiv, &[found, lines]);
        let line = b.elem(ElemOp::Mod, &[found, lines]);
        let (none, own) = (b.elem(ElemOp::Eq, &[found, zero]), b.elem(ElemOp::Eq, &[other, number]));
        let fine = b.elem(ElemOp::Or, &[none, own]);
        let mut index_of = |number: Value| {
            let before = b.sub(number, one);
            let gone = b.mul(before, step);
            b.add(start, gone)
        };
        let payload = [index_of(number), index_of(other), line];
        b.check(fine, Exc::RuntimeError, message, &payload);
        found
    }
}

fn put_first(b: &mut Builder<'_>, stamps: Value, found: Value, stamp: Value, indices: &[Value]) {
    let zero = b.int(0);
    let none = b.elem(ElemOp::Eq, &[found, zero]);
    let first = b.select(none, stamp, found);
    b.effect(OpKind::Store, [&[stamps, first], indices].concat());
}
