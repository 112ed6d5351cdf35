//! Makes one parallel loop of a parallel loop and the loop that its body is, for devices.
//!
//! ```text
//! pfor[| sliced write [i, …]] %i in 0, %n {        %all = mul %n, %m
//!     %x = load_raw %a, %i                         pfor[| sliced write [v1 + q2, …]] %k in 0, %all : %a, 0, %m {
//!     for %j in 0, %m {                     ⇒          %i = floor_div %k, %m      %j = sub %k, (mul %i, %m)
//!         …                                            %x = load_raw %a, %i
//!     }                                                …
//! }                                                }
//! ```
//!
//! A device has more threads than most outer loops have iterations, and neighbouring threads then touch neighbouring elements.
//! The inner loop has no order, and its range is the same in all iterations of the outer one; what stands before it is computed for each of its
//! iterations, so it neither raises nor reads what the loops write. Ranges are tested before the loop, lest numbers overflow: where they are longer than
//! 2^31, the loop stays as it was.

use std::collections::BTreeMap;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::poly::Poly;
use pydd_ir::rewrite::{Cloner, Layout, choose};
use pydd_ir::sharing::{Footprint, Span, Symbol};
use pydd_ir::{Builder, ElemOp, Function, Level, Module, Op, OpKind, Parallel, Sharing, Table, Type, Value};

use crate::analysis::independent::Finder;
use crate::analysis::jumps::runs_to_its_end;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "flatten-nests",
    summary: "make one parallel loop of two, for devices",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O1),
    run,
};

/// Operations before the inner loop that are worth to be repeated.
const MOST_REPEATED: usize = 40;
/// Products of two numbers up to this do not overflow.
const FURTHEST: i64 = 1 << 30;

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    let is_wanted = |func: &&mut Function| func.level == Level::Loop && func.device;
    for func in module.funcs.values_mut().filter(is_wanted) {
        // A nest of three loops takes two rounds.
        loop {
            let nests = find(func, &summaries, cx.options.strict_fp);
            if nests.is_empty() {
                break;
            }
            nests.iter().for_each(|nest| nest.flatten(func));
        }
    }
    Ok(())
}

/// Two loops that become one.
struct Nest {
    outer: Op,
    inner: Op,
    /// Before the inner loop.
    repeated: Vec<Op>,
    table: Table,
}

/// Nests that do not hold each other.
fn find(func: &Function, summaries: &Summaries, strict_fp: bool) -> Vec<Nest> {
    let outers: Vec<Op> =
        func.hot_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::PFor(_))).collect();
    if outers.is_empty() {
        return Vec::new();
    }
    let finder = Finder::new(func, summaries, strict_fp);
    let memory = MemoryInfo::new(func, summaries);
    let mut nests: Vec<Nest> = Vec::new();
    for outer in outers {
        let is_held = nests.iter().any(|nest| finder.layout.is_inside(outer, nest.outer));
        nests.extend(if is_held { None } else { nest(&finder, &memory, outer) });
    }
    nests
}

fn nest(finder: &Finder<'_>, memory: &MemoryInfo, outer: Op) -> Option<Nest> {
    let func = finder.func;
    let data = &func.ops[outer];
    let OpKind::PFor(Parallel { table: Some(table), .. }) = &data.kind else { return None };
    let is_plain = |table: &Table| !table.reduces() && table.written_segments().next().is_none();
    let appends = table.rows.iter().any(|row| matches!(row, Sharing::Appended));
    if !data.results.is_empty() || appends || !is_plain(table) || func.as_int(data.args[2]) != Some(1) {
        return None;
    }
    let body = data.regions[0];
    let (&end, before) = func.blocks[body].ops.split_last()?;
    let (&inner, repeated) = before.split_last()?;
    let looped = &func.ops[inner];
    if looped.kind != OpKind::For
        || !looped.results.is_empty()
        || func.ops[end].kind != OpKind::Continue(0)
        || !runs_to_its_end(func, body)
        || func.as_int(looped.args[2]) != Some(1)
        || repeated.len() > MOST_REPEATED
    {
        return None;
    }
    let writes = &memory.effects(outer).writes;
    let may_repeat = |&op: &Op| {
        let facts = func.ops[op].kind.facts(Level::Loop);
        let is_pure = matches!(
            func.ops[op].kind,
            OpKind::Const(_)
                | OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Dim(_)
                | OpKind::Stride(_)
                | OpKind::RawView
                | OpKind::LoadRaw
        );
        is_pure && !facts.raises.holds(func, op) && !memory.effects(op).touches(writes)
    };
    if !repeated.iter().all(may_repeat) {
        return None;
    }
    let is_outside = |&value: &Value| is_the_same(func, &finder.layout, value, outer);
    if !looped.args[..2].iter().all(is_outside) {
        return None;
    }
    let independent = finder.independent(inner)?;
    let is_new = is_plain(&independent.table);
    is_new.then(|| Nest { outer, inner, repeated: repeated.to_vec(), table: table.clone() })
}

/// How the iterations of both loops share what those of the outer one do. `start` and `length` are the operands that say where the outer loop starts, and how
/// many iterations the inner one has; `longer` the one of a length times that.
fn of_nest(
    row: &Sharing<Symbol>,
    [start, length]: [u32; 2],
    longer: &mut dyn FnMut(u32) -> u32,
) -> Sharing<Symbol> {
    let mut symbol = |symbol| {
        let quotient = Poly::symbol(Symbol::Quotient(length));
        match symbol {
            Symbol::Index => Poly::symbol(Symbol::Number(start)).add(&quotient),
            // The outer loop is made of two, and starts at 0.
            Symbol::Quotient(inner) => Some(Poly::symbol(Symbol::Quotient(longer(inner)))),
            Symbol::Number(_) | Symbol::Length(..) => Some(Poly::symbol(symbol)),
        }
    };
    let Sharing::Sliced { writes, footprint } = row else { return row.clone() };
    let mut span = |span: &Span<Symbol>| {
        let Span::Range(low, high) = span else { return Span::All };
        match (low.replace(&mut symbol), high.replace(&mut symbol)) {
            (Some(low), Some(high)) => Span::Range(low, high),
            _ => Span::All,
        }
    };
    Sharing::Sliced { writes: *writes, footprint: Footprint(footprint.0.iter().map(&mut span).collect()) }
}

/// Whether a value is the same in all iterations of a loop: it is from outside, or made of what is.
fn is_the_same(func: &Function, layout: &Layout, value: Value, outer: Op) -> bool {
    if layout.dominates(func, value, outer) {
        return true;
    }
    func.def_op(value).is_some_and(|def| {
        matches!(func.ops[def].kind, OpKind::Const(_) | OpKind::Dim(_) | OpKind::Elem(_))
            && func.ops[def].args.iter().all(|&arg| is_the_same(func, layout, arg, outer))
    })
}

impl Nest {
    fn flatten(&self, func: &mut Function) {
        let layout = Layout::new(func);
        let outer = func.ops[self.outer].clone();
        let inner_range = [0, 1].map(|i| func.ops[self.inner].args[i]);
        let operands = func.table_args(self.outer).to_vec();
        choose(
            func,
            self.outer,
            |b| {
                let inner = inner_range.map(|value| made_outside(b, &layout, value, self.outer));
                let ranges = [[outer.args[0], outer.args[1]], inner];
                let fits = ranges.map(|range| fits(b, range));
                (b.elem(ElemOp::And, &fits), ranges)
            },
            |b, ranges| {
                let [n, m] = ranges.map(|[start, stop]| length(b, start, stop));
                let all = b.mul(n, m);
                let (zero, one) = (b.int(0), b.int(1));
                let body = b.region(&[Type::I64], |b, params| {
                    let row = b.elem(ElemOp::FloorDiv, &[params[0], m]);
                    let before = b.mul(row, m);
                    let column = b.sub(params[0], before);
                    let indices = [(ranges[0][0], row), (ranges[1][0], column)].map(|(a, i)| b.add(a, i));
                    self.body(b, indices);
                });
                let (table, operands) = self.table(b, operands, [ranges[0][0], m]);
                let kind = OpKind::PFor(Parallel { reduce: Vec::new(), table: Some(table) });
                b.op(kind, [vec![zero, all, one], operands].concat(), &[], vec![body]);
                Vec::new()
            },
        );
        // The loop as it was is there in case.
        let layout = Layout::new(func);
        if let Some(block) = layout.block_of(self.outer) {
            func.blocks[block].cold = true;
        }
    }

    /// The table of both loops, and its operands.
    fn table(
        &self,
        b: &mut Builder<'_>,
        mut operands: Vec<Value>,
        [start, length]: [Value; 2],
    ) -> (Table, Vec<Value>) {
        let add = |operands: &mut Vec<Value>, value| {
            operands.push(value);
            u32::try_from(operands.len() - 1).expect("few operands")
        };
        let named = [start, length].map(|value| add(&mut operands, value));
        let mut products: BTreeMap<u32, u32> = BTreeMap::new();
        let mut longer = |inner: u32| {
            *products.entry(inner).or_insert_with(|| {
                let product = b.mul(operands[inner as usize], length);
                add(&mut operands, product)
            })
        };
        let rows = self.table.rows.iter().map(|row| of_nest(row, named, &mut longer)).collect();
        (Table { rows }, operands)
    }

    /// What an iteration of both loops does.
    fn body(&self, b: &mut Builder<'_>, [row, column]: [Value; 2]) {
        let [outer_body, inner_body] = [self.outer, self.inner].map(|op| b.func.ops[op].regions[0]);
        let mut cloner = Cloner::default();
        cloner.values.insert(b.func.blocks[outer_body].params[0], row);
        cloner.values.insert(b.func.blocks[inner_body].params[0], column);
        for &op in &self.repeated {
            let copy = cloner.op(b.func, None, op);
            b.func.blocks[b.block].ops.push(copy);
        }
        let block = b.block;
        cloner.ops(b.func, None, inner_body, block);
    }
}

/// The value before the loop, where it is made in it.
fn made_outside(b: &mut Builder<'_>, layout: &Layout, value: Value, outer: Op) -> Value {
    if layout.dominates(b.func, value, outer) {
        return value;
    }
    let def = b.func.def_op(value).expect("made of operations");
    let data = b.func.ops[def].clone();
    let args = data.args.iter().map(|&arg| made_outside(b, layout, arg, outer)).collect();
    let ty = b.func.ty(value);
    b.value(data.kind, args, ty)
}

/// Whether nothing overflows that is computed of a range.
fn fits(b: &mut Builder<'_>, [start, stop]: [Value; 2]) -> Value {
    let (least, most) = (b.int(-FURTHEST), b.int(FURTHEST));
    let tests = [b.elem(ElemOp::Ge, &[start, least]), b.elem(ElemOp::Le, &[stop, most])];
    b.elem(ElemOp::And, &tests)
}

fn length(b: &mut Builder<'_>, start: Value, stop: Value) -> Value {
    let (span, zero) = (b.sub(stop, start), b.int(0));
    b.elem(ElemOp::Max, &[span, zero])
}
