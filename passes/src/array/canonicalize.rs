//! Brings code into the form that other passes and people expect: constants folded, lengths followed to
//! where they come from, branches that are decided taken, scopes that need none dissolved.
//!
//! ```text
//! %3: array<f64, 1> = zeros %n
//! %4: i64 = dim[0] %3
//! %5: i64 = const 2
//! %6: i64 = mul %5, %5
//!     ⇒
//! %3: array<f64, 1> = zeros %n
//! %6: i64 = const 4        and %n wherever %4 stood
//! ```
//!
//! Lists that are only read are what they were made of. A branch of which one way alone goes on has no results that were there before. Elementwise operations, reductions, assignments and views take `a` in place of `a[:]`. Squares are products. Of integers it adds up constants, and else does not reassociate; it folds no floats: the backends do, with the options for floats at hand.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::facts::is_nonnegative;
use pydd_ir::rewrite::{Replacements, Uses, erase_ops, insert_before, splice_blocks};
use pydd_ir::{Block, DType, ElemOp, Function, IndexItem, Level, Literal, Module, Op, OpKind, Type, Value};

use crate::analysis::patterns::moved_once;
use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

mod lengths;

pub const PASS: Pass = Pass {
    name: "canonicalize",
    summary: "fold constants, follow lengths, take decided branches",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, _| while round(func) {});
    Ok(())
}

/// What an operation turns out to be.
enum Found {
    /// Its one result is this value.
    Value(Value),
    /// Its one result is this constant.
    Const(Literal),
    /// This region of it is run, once, and ends normally.
    Region(Block),
}

/// Goes over all operations once; whether anything changed.
fn round(func: &mut Function) -> bool {
    let mut replacements = Replacements::default();
    let mut gone = lengths::carried(func, &mut replacements);
    let mut spliced = BTreeMap::new();
    let mut changed = !gone.is_empty();
    let lists = read_lists(func);
    for op in func.all_ops().into_iter().filter(|op| !gone.contains(op)).collect::<Vec<_>>() {
        // Operands are looked at as they will be.
        for i in 0..func.ops[op].args.len() {
            func.ops[op].args[i] = replacements.resolve(func.ops[op].args[i]);
        }
        changed |= read_wholes(func, op)
            | one_transposition(func, op)
            | plain_strides(func, op)
            | one_constant(func, op)
            | square(func, op)
            | only_way(func, op, &mut replacements);
        let Some(found) = simplify(func, op).or_else(|| of_list(func, &lists, op)) else { continue };
        changed = true;
        match found {
            Found::Value(value) => {
                replacements.replace(func.result(op), value);
                gone.insert(op);
            }
            Found::Const(literal) => make_const(func, op, literal),
            Found::Region(region) => {
                let end = func.terminator(region).expect("a block ends with a terminator");
                replacements.replace_all(&func.ops[op].results, &func.ops[end].args);
                spliced.insert(op, region);
            }
        }
    }
    splice_blocks(func, &spliced);
    replacements.apply(func);
    erase_ops(func, &gone);
    changed
}

/// Lists that are made of some items and then only read.
fn read_lists(func: &Function) -> BTreeSet<Value> {
    let made: Vec<Value> = func
        .all_ops()
        .into_iter()
        .filter(|&op| func.ops[op].kind == OpKind::ListNew)
        .map(|op| func.result(op))
        .collect();
    if made.is_empty() {
        return BTreeSet::new();
    }
    let uses = Uses::new(func);
    let is_read = |list: &Value| {
        let reads = |kind: &OpKind| matches!(kind, OpKind::ListLen | OpKind::ListGet);
        uses.of(*list).iter().all(|used| reads(&func.ops[used.op].kind))
    };
    made.into_iter().filter(is_read).collect()
}

/// The length, or an item, of a list whose items are known.
fn of_list(func: &Function, lists: &BTreeSet<Value>, op: Op) -> Option<Found> {
    let data = &func.ops[op];
    let list = *data.args.first().filter(|list| lists.contains(list))?;
    let items = &func.ops[func.def_op(list)?].args;
    match data.kind {
        OpKind::ListLen => i64::try_from(items.len()).ok().map(|length| Found::Const(Literal::Int(length))),
        OpKind::ListGet => {
            let at = usize::try_from(func.as_int(data.args[1])?).ok()?;
            items.get(at).map(|&item| Found::Value(item))
        }
        _ => None,
    }
}

/// Elements of `a[:]` are those of `a`, for what asks of an operand nothing but its elements, or makes another view of them.
/// Whether there were any.
fn read_wholes(func: &mut Function, op: Op) -> bool {
    let takes_elements = |kind: &OpKind| {
        matches!(
            kind,
            OpKind::Assign
                | OpKind::Elem(_)
                | OpKind::Cast
                | OpKind::Reduce(_)
                | OpKind::Reshape
                | OpKind::Transpose(_)
        )
    };
    if !takes_elements(&func.ops[op].kind) {
        return false;
    }
    let whole = |value: Value| {
        let made = &func.ops[func.def_op(value)?];
        let full = |item: &IndexItem| *item == IndexItem::Slice { start: false, stop: false, step: false };
        let is_whole = match &made.kind {
            OpKind::View(items) => items.iter().all(full),
            OpKind::Transpose(axes) => axes.iter().enumerate().all(|(at, &axis)| usize::from(axis) == at),
            _ => false,
        };
        is_whole.then(|| made.args[0])
    };
    let wholes: Vec<Option<Value>> = func.ops[op].args.iter().map(|&arg| whole(arg)).collect();
    for (arg, whole) in func.ops[op].args.iter_mut().zip(&wholes) {
        *arg = whole.unwrap_or(*arg);
    }
    wholes.iter().any(Option::is_some)
}

/// `a.T.T` is one transposition of `a`. Whether this was two.
fn one_transposition(func: &mut Function, op: Op) -> bool {
    let OpKind::Transpose(outer) = &func.ops[op].kind else { return false };
    let Some(first) = func.def_op(func.ops[op].args[0]).map(|op| &func.ops[op]) else { return false };
    let OpKind::Transpose(inner) = &first.kind else { return false };
    let axes = outer.iter().map(|&axis| inner[usize::from(axis)]).collect();
    let source = first.args[0];
    func.ops[op].kind = OpKind::Transpose(axes);
    func.ops[op].args[0] = source;
    true
}

/// `x + 1 + 2`, of int64, is `x + 3`, and `x + 1 - 1` is `x + 0`: sums wrap around as they did. Whether there were two constants.
fn one_constant(func: &mut Function, op: Op) -> bool {
    let is_sum = matches!(func.ops[op].kind, OpKind::Elem(ElemOp::Add | ElemOp::Sub));
    if !is_sum || func.ty(func.result(op)) != Type::I64 {
        return false;
    }
    let Some((inner, more)) = moved_once(func, func.result(op)) else { return false };
    let Some((base, before)) = moved_once(func, inner) else { return false };
    if func.as_int(base).is_some() {
        return false;
    }
    let sum = Literal::Int(more.wrapping_add(before));
    let constant = func.new_op(OpKind::Const(sum), vec![], &[Type::I64], vec![], func.ops[op].loc);
    insert_before(func, constant, op);
    func.ops[op].kind = OpKind::Elem(ElemOp::Add);
    func.ops[op].args = vec![base, func.result(constant)];
    true
}

/// `x ** 2` is `x * x`, as NumPy computes it, of integers and floats. Whether it was one.
fn square(func: &mut Function, op: Op) -> bool {
    let data = &func.ops[op];
    if data.kind != OpKind::Elem(ElemOp::Pow) || func.as_number(data.args[1]) != Some(2.0) {
        return false;
    }
    let base = data.args[0];
    let own = func.ty(base).dtype().filter(|dtype| dtype.is_int() || dtype.is_float());
    if own.is_none() || own != func.ty(data.results[0]).dtype() {
        return false;
    }
    func.ops[op].kind = OpKind::Elem(ElemOp::Mul);
    func.ops[op].args = vec![base, base];
    true
}

fn make_const(func: &mut Function, op: Op, literal: Literal) {
    func.ops[op].kind = OpKind::Const(literal);
    func.ops[op].args.clear();
}

fn simplify(func: &Function, op: Op) -> Option<Found> {
    let data = &func.ops[op];
    match &data.kind {
        OpKind::Elem(elem) if func.ty(data.results[0]).is_scalar() => scalar(func, *elem, &data.args),
        OpKind::Cast => cast(func, data.args[0], func.ty(data.results[0])),
        OpKind::Dim(axis) => lengths::length(func, data.args[0], *axis),
        OpKind::If => decided(func, op),
        OpKind::Scope => straight_scope(func, data.regions[0]),
        _ => None,
    }
}

fn int(func: &Function, value: Value) -> Option<i64> {
    func.as_int(value).filter(|_| func.ty(value) == Type::I64)
}

fn boolean(func: &Function, value: Value) -> Option<bool> {
    match func.as_const(value)? {
        Literal::Bool(b) => Some(*b),
        _ => None,
    }
}

fn scalar(func: &Function, elem: ElemOp, args: &[Value]) -> Option<Found> {
    match *args {
        [a] if elem == ElemOp::Not => boolean(func, a).map(|b| Found::Const(Literal::Bool(!b))),
        [a] if elem == ElemOp::Neg => int(func, a).map(|v| Found::Const(Literal::Int(v.wrapping_neg()))),
        [a, b] => match (int(func, a), int(func, b)) {
            (Some(x), Some(y)) => fold_ints(elem, x, y).map(Found::Const),
            (x, y) => neutral(func, elem, [a, b], [x, y])
                .or_else(|| difference(func, elem, a, b))
                .or_else(|| logic(func, elem, a, b)),
        },
        [c, a, b] if elem == ElemOp::Select => match boolean(func, c) {
            Some(c) => Some(Found::Value(if c { a } else { b })),
            None if a == b || int(func, a).is_some() && int(func, a) == int(func, b) => Some(Found::Value(a)),
            // One of two that are equal where it is taken.
            None => compares_equal(func, c, a, b).then_some(Found::Value(b)),
        },
        _ => None,
    }
}

/// Whether a condition is that two integers are equal.
fn compares_equal(func: &Function, condition: Value, a: Value, b: Value) -> bool {
    let Some(data) = func.def_op(condition).map(|op| &func.ops[op]) else { return false };
    let &[x, y] = &data.args[..] else { return false };
    let same = |a: Value, b: Value| a == b || int(func, a).is_some() && int(func, a) == int(func, b);
    data.kind == OpKind::Elem(ElemOp::Eq)
        && func.ty(a) == Type::I64
        && (same(x, a) && same(y, b) || same(x, b) && same(y, a))
}

/// The stride of an axis that is 0 where the axis is of length 1: no stride matters then. Whether there were any.
fn plain_strides(func: &mut Function, op: Op) -> bool {
    let data = &func.ops[op];
    if data.kind != OpKind::RawView {
        return false;
    }
    let rank = usize::from(func.ty(data.results[0]).rank());
    let stride = |axis: usize| {
        let made = &func.ops[func.def_op(data.args[2 + rank + axis])?];
        let &[condition, none, stride] = &made.args[..] else { return None };
        let asked = &func.ops[func.def_op(condition)?];
        let of_length = asked.kind == OpKind::Elem(ElemOp::Eq)
            && asked.args[0] == data.args[2 + axis]
            && int(func, asked.args[1]) == Some(1);
        (made.kind == OpKind::Elem(ElemOp::Select) && int(func, none) == Some(0) && of_length)
            .then_some(stride)
    };
    let found: Vec<(usize, Value)> =
        (0..rank).filter_map(|axis| Some((2 + rank + axis, stride(axis)?))).collect();
    found.iter().for_each(|&(at, stride)| func.ops[op].args[at] = stride);
    !found.is_empty()
}

fn fold_ints(elem: ElemOp, x: i64, y: i64) -> Option<Literal> {
    Some(match elem {
        ElemOp::Add => Literal::Int(x.wrapping_add(y)),
        ElemOp::Sub => Literal::Int(x.wrapping_sub(y)),
        ElemOp::Mul => Literal::Int(x.wrapping_mul(y)),
        ElemOp::Min => Literal::Int(x.min(y)),
        ElemOp::Max => Literal::Int(x.max(y)),
        ElemOp::Eq => Literal::Bool(x == y),
        ElemOp::Ne => Literal::Bool(x != y),
        ElemOp::Lt => Literal::Bool(x < y),
        ElemOp::Le => Literal::Bool(x <= y),
        ElemOp::Gt => Literal::Bool(x > y),
        ElemOp::Ge => Literal::Bool(x >= y),
        ElemOp::And => Literal::Int(x & y),
        ElemOp::Or => Literal::Int(x | y),
        ElemOp::Xor => Literal::Int(x ^ y),
        ElemOp::FloorDiv if y > 0 => Literal::Int(x.div_euclid(y)),
        ElemOp::Mod if y > 0 => Literal::Int(x.rem_euclid(y)),
        _ => return None,
    })
}

/// `x + 0`, `x - 0`, `x * 1`, `x * 0`, `x // 1` of int64, and `max(x, 0)` of a length.
fn neutral(func: &Function, elem: ElemOp, [a, b]: [Value; 2], [x, y]: [Option<i64>; 2]) -> Option<Found> {
    if func.ty(a) != Type::I64 {
        return None;
    }
    match (elem, x, y) {
        (ElemOp::Add | ElemOp::Sub, _, Some(0)) | (ElemOp::Mul | ElemOp::FloorDiv, _, Some(1)) => {
            Some(Found::Value(a))
        }
        (ElemOp::Add, Some(0), _) | (ElemOp::Mul, Some(1), _) => Some(Found::Value(b)),
        (ElemOp::Mul, Some(0), _) | (ElemOp::Mul, _, Some(0)) => Some(Found::Const(Literal::Int(0))),
        (ElemOp::Max, _, Some(0)) if is_nonnegative(func, a) => Some(Found::Value(a)),
        (ElemOp::Max, Some(0), _) if is_nonnegative(func, b) => Some(Found::Value(b)),
        _ => None,
    }
}

/// `x - x`, `(x + y) - x` and `(x - y) + y` of int64, which wraps.
fn difference(func: &Function, elem: ElemOp, a: Value, b: Value) -> Option<Found> {
    if func.ty(a) != Type::I64 || !matches!(elem, ElemOp::Add | ElemOp::Sub) {
        return None;
    }
    let operands = |value: Value, wanted: ElemOp| {
        let data = &func.ops[func.def_op(value)?];
        (data.kind == OpKind::Elem(wanted)).then_some(&data.args[..])
    };
    let found = |value: Value| match int(func, value) {
        Some(number) => Found::Const(Literal::Int(number)),
        None => Found::Value(value),
    };
    if elem == ElemOp::Sub {
        return match operands(a, ElemOp::Add) {
            _ if a == b => Some(Found::Const(Literal::Int(0))),
            Some(&[x, y]) if x == b => Some(found(y)),
            Some(&[x, y]) if y == b => Some(found(x)),
            _ => None,
        };
    }
    [(a, b), (b, a)].into_iter().find_map(|(sum, other)| match operands(sum, ElemOp::Sub) {
        Some(&[x, y]) if y == other => Some(found(x)),
        _ => None,
    })
}

/// `and`, `or` and comparisons of a bool with a constant, and comparisons of an integer with itself.
fn logic(func: &Function, elem: ElemOp, a: Value, b: Value) -> Option<Found> {
    if a == b && func.ty(a) == Type::I64 {
        return match elem {
            ElemOp::Eq | ElemOp::Le | ElemOp::Ge => Some(Found::Const(Literal::Bool(true))),
            ElemOp::Ne | ElemOp::Lt | ElemOp::Gt => Some(Found::Const(Literal::Bool(false))),
            _ => None,
        };
    }
    let (constant, other) = match (boolean(func, a), boolean(func, b)) {
        (Some(c), _) => (c, b),
        (_, Some(c)) => (c, a),
        _ => return None,
    };
    match (elem, constant) {
        (ElemOp::And, true) | (ElemOp::Or, false) => Some(Found::Value(other)),
        (ElemOp::And, false) | (ElemOp::Or, true) => Some(Found::Const(Literal::Bool(constant))),
        _ => None,
    }
}

/// Conversions of a scalar to its own type, and of integer constants to int64 and floats that hold them.
fn cast(func: &Function, from: Value, to: Type) -> Option<Found> {
    if func.ty(from) == to && to.is_scalar() {
        return Some(Found::Value(from));
    }
    // A negative constant of uint64 stands for a great number.
    let unsigned = func.ty(from) == Type::Scalar(DType::U64);
    let exact = |v: i64| v.unsigned_abs() <= 1 << 24 && !(unsigned && v < 0);
    match (func.as_const(from)?, to) {
        #[allow(clippy::cast_precision_loss, reason = "exact by the test")]
        (Literal::Int(v), Type::Scalar(d)) if d.is_float() && exact(*v) => {
            Some(Found::Const(Literal::float(*v as f64)))
        }
        (Literal::Bool(b), Type::Scalar(d)) if d.is_int() => Some(Found::Const(Literal::Int(i64::from(*b)))),
        _ => None,
    }
}

fn decided(func: &Function, op: Op) -> Option<Found> {
    let data = &func.ops[op];
    if let Some(region) = both_ways(func, op) {
        return Some(Found::Region(region));
    }
    let region = data.regions[usize::from(!boolean(func, data.args[0])?)];
    let last = func.terminator(region)?;
    (func.ops[last].kind == OpKind::Yield).then_some(Found::Region(region))
}

/// A region of a branch both of which give the same constants, or what was there before, and do nothing.
fn both_ways(func: &Function, op: Op) -> Option<Block> {
    let given = |region: Block| {
        let (&last, ops) = func.blocks[region].ops.split_last()?;
        let is_const = |&op: &Op| matches!(func.ops[op].kind, OpKind::Const(_));
        let end = &func.ops[last];
        (end.kind == OpKind::Yield && ops.iter().all(is_const)).then_some(&end.args)
    };
    let &[yes, no] = &func.ops[op].regions[..] else { return None };
    let same = |(&a, &b): (&Value, &Value)| {
        a == b || func.as_const(a).is_some() && func.as_const(a) == func.as_const(b)
    };
    given(yes)?.iter().zip(given(no)?).all(same).then_some(yes)
}

/// Where one region of a branch alone goes on behind it, the results are what it passes on, if that was there before. Whether there
/// were any.
fn only_way(func: &mut Function, op: Op, replacements: &mut Replacements) -> bool {
    let data = &func.ops[op];
    if data.kind != OpKind::If || data.results.is_empty() {
        return false;
    }
    let goes_on =
        |&&region: &&Block| func.terminator(region).is_some_and(|last| func.ops[last].kind == OpKind::Yield);
    let ways: Vec<&Block> = data.regions.iter().filter(goes_on).collect();
    let &[&way] = ways.as_slice() else { return false };
    let last = func.terminator(way).expect("it goes on");
    let is_own = |value: &Value| func.blocks[way].ops.iter().any(|&op| func.ops[op].results.contains(value));
    let (results, yielded) = (data.results.clone(), func.ops[last].args.clone());
    let own: Vec<bool> = yielded.iter().map(is_own).collect();
    if own.iter().all(|&own| own) {
        return false;
    }
    func.ops[op].results.clear();
    func.ops[last].args.clear();
    for ((result, value), own) in results.into_iter().zip(yielded).zip(own) {
        let new = if own {
            func.ops[last].args.push(value);
            func.add_result(op, func.ty(result))
        } else {
            value
        };
        replacements.replace(result, new);
    }
    true
}

/// A scope that is left only at its end.
fn straight_scope(func: &Function, region: Block) -> Option<Found> {
    let last = func.terminator(region)?;
    if func.ops[last].kind != OpKind::Break(0) {
        return None;
    }
    // Jumps from within to anything outside count the scope, so there must be none.
    (!jumps_out(func, region, 0, last)).then_some(Found::Region(region))
}

/// Whether an operation other than `except` leaves the breakable operation `depth` up, or one further out.
fn jumps_out(func: &Function, block: Block, depth: u32, except: Op) -> bool {
    func.blocks[block].ops.iter().any(|&op| {
        let data = &func.ops[op];
        let out = match data.kind {
            OpKind::Break(d) | OpKind::Continue(d) => d >= depth && op != except,
            _ => false,
        };
        let inner = depth + u32::from(data.kind.is_breakable());
        out || data.regions.iter().any(|&region| jumps_out(func, region, inner, except))
    })
}
