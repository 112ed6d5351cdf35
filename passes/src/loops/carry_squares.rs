//! Compares squares where loops carry the least or the greatest of roots.
//!
//! ```text
//! %m, %k = for %i in 0, %n, inf, 0 {                %q, %k = for %i in 0, %n, inf, 0 {
//!     %x = sqrt %s                                      %c = if %s is near %q {
//!     %c = lt %x, %m                            ⇒           lt (sqrt %s), (sqrt %q)
//!     continue (select %c, %x, %m), …                   } else { lt %s, %q }
//! }                                                     continue (select %c, %s, %q), …
//!                                                   }
//!                                                   %m = sqrt %q
//! ```
//!
//! The nearest of points, by whatever loop or operation: a root for each takes longer than all else. Rounded roots rise with what they are the
//! roots of, but two numbers next to each other may have one root, and then the first of them stays. So numbers that differ
//! by less than a few places are decided by their roots, and so is what has no root. What a loop carries besides the square is the bound from
//! which on a square surely decides. Of least roots alone (`min`) the root of the least square is taken.
//!
//! Where the least of sums of squares is searched from infinity on, and the first NaN ends that, one number says all: the least square, or
//! minus infinity behind NaN. What is less than it, or NaN, is asked further where it is near or NaN, which is rare:
//!
//! ```text
//! %m, %k, %numbers = for %i in 0, %n, inf, 0, true {          %q, %k = for %i in 0, %n, inf, 0 {
//!     %x = sqrt %s                                                %c = not (ge %s, %q)
//!     %c = and (not (ge %x, %m)), %numbers             ⇒          %t, %c = if %c and %s is near %q { by roots } else { less of both, %c }
//!     continue (select %c, %x, %m), …,                            continue %t, …
//!              (and %numbers, (not (isnan %x)))               }
//! }                                                           %m = select (eq %q, -inf), nan, (sqrt %q)
//! ```
//!
//! A first root `%b` goes into the loop as `%b * %b`, whose root is `%b` where it neither overflows nor vanishes; any other one as NaN, near
//! which everything is, with a bound of NaN. With NaN that the loop itself chose goes another bound.

use pydd_ir::rewrite::{Layout, Replacements, Uses, build_before, erase_op, index_in};
use pydd_ir::{Builder, DType, ElemOp, Function, Level, Literal, Module, Op, OpKind, Type, Value};

use super::fast_functions;
use crate::analysis::jumps::runs_to_its_end;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "carry-squares",
    summary: "carry the least of squares in place of the least of roots",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::From(OptLevel::O2),
    run,
};

/// Two numbers that differ by more than so many units of their last place have different roots.
const PLACES: f64 = 4.0;
/// How deep sums of squares are looked into.
const DEPTH: usize = 16;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in fast_functions(module) {
        let roots: Vec<Op> = func.all_ops().into_iter().filter(|&op| is_root(func, op)).collect();
        carry(func, &roots, |found| found.extreme.is_none());
    }
    Ok(())
}

/// Carries squares in a loop that becomes [lanes](super::lanes), where they may decide: in others a step would wait for the one before.
pub fn in_loop(func: &mut Function, looped: Op) {
    let body = &func.blocks[func.ops[looped].regions[0]].ops;
    let roots: Vec<Op> = body.iter().copied().filter(|&op| is_root(func, op)).collect();
    carry(func, &roots, |_| true);
}

fn carry(func: &mut Function, roots: &[Op], wanted: impl Fn(&Found) -> bool) {
    for &root in roots {
        let uses = Uses::new(func);
        if let Some(found) = find(func, &uses, &Layout::new(func), root).filter(&wanted) {
            square(func, &uses, &found);
        }
    }
}

fn is_root(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let float = |value: &Value| matches!(func.ty(*value), Type::Scalar(DType::F64 | DType::F32));
    data.kind == OpKind::Elem(ElemOp::Sqrt) && data.results.iter().all(float)
}

/// Which of the roots a loop carries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Least,
    Greatest,
}

/// A root that a loop compares with the one that it carries.
struct Found {
    looped: Op,
    root: Op,
    extreme: Option<Extreme>,
    /// Asks whether the root is NaN.
    nans: Vec<Op>,
    /// Minima that the loop carries, by their places.
    minima: Vec<(usize, Op)>,
}

/// The carried root that decides.
struct Extreme {
    place: usize,
    side: Side,
    /// Comparisons, as with the new root on their left.
    comparisons: Vec<(Op, ElemOp)>,
    /// Takes the new root or the carried one.
    choice: Op,
    /// Whether the new one where its condition holds.
    if_true: bool,
}

fn find(func: &Function, uses: &Uses, layout: &Layout, root: Op) -> Option<Found> {
    let body = layout.block_of(root)?;
    let looped = layout.parent_of_block(body)?;
    let data = &func.ops[looped];
    if data.kind != OpKind::For || !runs_to_its_end(func, body) {
        return None;
    }
    let params = &func.blocks[body].params[1..];
    let end = func.terminator(body)?;
    let next = &func.ops[end].args;
    let x = func.result(root);
    let place_of = |value: Value| params.iter().position(|&param| param == value);
    let (mut comparisons, mut nans, mut minima, mut choices) = (vec![], vec![], vec![], vec![]);
    for used in uses.of(x) {
        let user = &func.ops[used.op];
        let at = usize::try_from(used.index).ok()?;
        match user.kind {
            OpKind::Elem(by @ (ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge)) => {
                let by = if at == 0 { by } else { by.exchanged() };
                comparisons.push((place_of(user.args[1 - at])?, used.op, by));
            }
            OpKind::Elem(ElemOp::IsNan) => nans.push(used.op),
            OpKind::Elem(ElemOp::Min) => {
                let place = place_of(user.args[1 - at])?;
                let start = func.as_number(data.args[3 + place])?;
                let alone = uses.count(params[place]) == 1 && uses.count(func.result(used.op)) == 1;
                (alone && start == f64::INFINITY && next[place] == func.result(used.op)).then_some(())?;
                minima.push((place, used.op));
            }
            OpKind::Elem(ElemOp::Select) if at > 0 => {
                let place = place_of(user.args[3 - at])?;
                (next[place] == func.result(used.op)).then_some(())?;
                choices.push((place, used.op, at == 1));
            }
            OpKind::Yield => {
                let branch = layout.parent(used.op).filter(|&op| func.ops[op].kind == OpKind::If)?;
                let first = func.terminator(func.ops[branch].regions[0])?;
                let second = func.terminator(func.ops[branch].regions[1])?;
                let other = if used.op == first { second } else { first };
                (func.ops[other].kind == OpKind::Yield).then_some(())?;
                let place = place_of(func.ops[other].args[at])?;
                let is_body = layout.block_of(branch) == Some(body);
                (is_body && next[place] == func.ops[branch].results[at]).then_some(())?;
                choices.push((place, branch, used.op == first));
            }
            _ => return None,
        }
    }
    let extreme = match choices[..] {
        [] if comparisons.is_empty() => None,
        [(place, choice, if_true)] => {
            let side_of =
                |by| if matches!(by, ElemOp::Lt | ElemOp::Ge) { Side::Least } else { Side::Greatest };
            let side = side_of(comparisons.first()?.2);
            let same = comparisons.iter().all(|&(at, _, by)| at == place && side_of(by) == side);
            // Nobody else asks what is carried.
            let others = uses.count(params[place]) - comparisons.len();
            (same && others == 1 && uses.count(next[place]) == 1).then_some(())?;
            let comparisons = comparisons.into_iter().map(|(_, op, by)| (op, by)).collect();
            Some(Extreme { place, side, comparisons, choice, if_true })
        }
        _ => return None,
    };
    let gains = extreme.is_some() || !minima.is_empty();
    gains.then_some(Found { looped, root, extreme, nans, minima })
}

/// A search for the least of sums of squares that the first NaN ends.
struct Ended {
    /// The place of what is carried beside it: whether there was no NaN yet.
    numbers: usize,
    /// Whether the new root is better, and there was none.
    wins: Op,
}

/// What a loop does with its flag, if it is such a search.
fn ended_by_nan(func: &Function, uses: &Uses, found: &Found) -> Option<Ended> {
    let Extreme { place, side: Side::Least, comparisons, choice, if_true: true } = found.extreme.as_ref()?
    else {
        return None;
    };
    let (&[(stays, ElemOp::Ge)], &[nan]) = (&comparisons[..], &found.nans[..]) else { return None };
    let data = &func.ops[found.looped];
    let body = data.regions[0];
    let single = |op: Op, kind: ElemOp| {
        let user = uses.single(func.result(op))?.op;
        (func.ops[user].kind == OpKind::Elem(kind)).then_some(user)
    };
    let beside = |op: Op, value: Value| func.ops[op].args.iter().copied().find(|&arg| arg != value);
    let (better, number) = (single(stays, ElemOp::Not)?, single(nan, ElemOp::Not)?);
    let (wins, still) = (single(better, ElemOp::And)?, single(number, ElemOp::And)?);
    let flag = beside(wins, func.result(better))?;
    let numbers = func.blocks[body].params[1..].iter().position(|&param| param == flag)?;
    let next = func.ops[func.terminator(body)?].args[numbers];
    let starts = func.as_const(data.args[3 + numbers]) == Some(&Literal::Bool(true))
        && func.as_number(data.args[3 + place]) == Some(f64::INFINITY);
    let is_it = beside(still, func.result(number)) == Some(flag)
        && next == func.result(still)
        && uses.count(flag) == 2
        && uses.count(next) == 1
        && uses.is_unused(data.results[numbers])
        && func.ops[*choice].args[0] == func.result(wins)
        && is_sum_of_squares(func, func.ops[found.root].args[0], DEPTH);
    (starts && is_it).then_some(Ended { numbers, wins })
}

/// Carries the least square alone, of which minus infinity says that NaN was there.
fn decide_by_one(
    func: &mut Function,
    uses: &Uses,
    found: &Found,
    (extreme, ended): (&Extreme, &Ended),
    replacements: &mut Replacements,
) {
    let &Found { looped, root, .. } = found;
    let body = func.ops[looped].regions[0];
    let s = func.ops[root].args[0];
    let dtype = func.ty(s).dtype().expect("a number");
    let loc = func.ops[root].loc;
    let carried = func.blocks[body].params[1 + extreme.place];
    let at = following(func, root);
    let made = build_before(func, at, |b| {
        b.loc = loc;
        decide_among_numbers(b, s, carried, dtype)
    });
    // Who else asks is gone.
    replacements.replace(func.result(root), made[0]);
    replacements.replace(func.result(ended.wins), made[1]);
    let flag = func.blocks[body].params[1 + ended.numbers];
    let end = func.terminator(body).expect("bodies end");
    func.ops[end].args[extreme.place] = made[0];
    func.ops[end].args[ended.numbers] = flag;
    let result = func.ops[looped].results[extreme.place];
    root_behind(func, uses, looped, result, |b| root_or_nan(b, result, dtype));
}

/// The root of the least square; NaN of minus infinity.
fn root_or_nan(b: &mut Builder<'_>, least: Value, dtype: DType) -> Value {
    let [none, nan] = [f64::NEG_INFINITY, f64::NAN].map(|number| b.number(number, dtype));
    let ended = b.elem(ElemOp::Eq, &[least, none]);
    let root = b.elem(ElemOp::Sqrt, &[least]);
    b.elem(ElemOp::Select, &[ended, nan, root])
}

/// The next least one, and whether it is new.
fn decide_among_numbers(b: &mut Builder<'_>, s: Value, least: Value, dtype: DType) -> Vec<Value> {
    let factor = b.number(factor(Side::Least, dtype), dtype);
    let stays = b.elem(ElemOp::Ge, &[s, least]);
    let wins = b.elem(ElemOp::Not, &[stays]);
    let bound = b.elem(ElemOp::Mul, &[least, factor]);
    let surely = b.elem(ElemOp::Lt, &[s, bound]);
    let unsure = b.elem(ElemOp::Not, &[surely]);
    let near = b.elem(ElemOp::And, &[wins, unsure]);
    // That of equal ones is an instruction that need not wait for the comparison.
    let more = b.elem(ElemOp::Gt, &[s, least]);
    let other = b.elem(ElemOp::Not, &[more]);
    let less = b.elem(ElemOp::Select, &[other, s, least]);
    let by_roots = b.region(&[], |b, _| {
        let (x, best) = (b.elem(ElemOp::Sqrt, &[s]), root_or_nan(b, least, dtype));
        let [is_nan, ended] = [x, best].map(|root| b.elem(ElemOp::IsNan, &[root]));
        let stays = b.elem(ElemOp::Ge, &[x, best]);
        let stays = b.elem(ElemOp::Or, &[stays, ended]);
        let wins = b.elem(ElemOp::Not, &[stays]);
        let none = b.number(f64::NEG_INFINITY, dtype);
        let value = b.elem(ElemOp::Select, &[is_nan, none, s]);
        let next = b.elem(ElemOp::Select, &[wins, value, least]);
        b.effect(OpKind::Yield, vec![next, wins]);
    });
    let by_squares = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![less, wins]);
    });
    let types = [Type::Scalar(dtype), Type::BOOL];
    let either = b.op(OpKind::If, vec![near], &types, vec![by_roots, by_squares]);
    b.func.ops[either].results.clone()
}

fn square(func: &mut Function, uses: &Uses, found: &Found) {
    let &Found { looped, root, .. } = found;
    let (s, x) = (func.ops[root].args[0], func.result(root));
    let mut replacements = Replacements::default();
    for &(place, min) in &found.minima {
        func.ops[min].args.iter_mut().filter(|arg| **arg == x).for_each(|arg| *arg = s);
        let result = func.ops[looped].results[place];
        root_behind(func, uses, looped, result, |b| b.elem(ElemOp::Sqrt, &[result]));
    }
    if let (Some(extreme), Some(ended)) = (&found.extreme, ended_by_nan(func, uses, found)) {
        decide_by_one(func, uses, found, (extreme, &ended), &mut replacements);
    } else if let Some(extreme) = &found.extreme {
        decide_by_squares(func, uses, found, extreme, &mut replacements);
    } else {
        let at = following(func, root);
        let asked = build_before(func, at, |b| no_root(b, s));
        for &nan in &found.nans {
            replacements.replace(func.result(nan), asked);
            erase_op(func, nan);
        }
    }
    erase_op(func, root);
    replacements.apply(func);
}

/// Whether a number has NaN for a root.
fn no_root(b: &mut Builder<'_>, s: Value) -> Value {
    let zero = b.number(0.0, b.func.ty(s).dtype().expect("a number"));
    let has = b.elem(ElemOp::Ge, &[s, zero]);
    b.elem(ElemOp::Not, &[has])
}

/// The operation behind one.
fn following(func: &Function, op: Op) -> Op {
    let block = Layout::new(func).block_of(op).expect("stands in a block");
    let at = index_in(func, block, op).expect("stands in its block");
    func.blocks[block].ops[at + 1]
}

/// Puts what is built of a loop's result behind the loop, for those who use the result.
fn root_behind(
    func: &mut Function,
    uses: &Uses,
    looped: Op,
    result: Value,
    build: impl FnOnce(&mut Builder<'_>) -> Value,
) {
    if uses.is_unused(result) {
        return;
    }
    let at = following(func, looped);
    let root = build_before(func, at, build);
    for used in uses.of(result) {
        func.ops[used.op].args[used.index as usize] = root;
    }
}

/// The squares of a loop's first root, and the bound beside it.
struct Start {
    root: Value,
    square: Value,
    bound: Value,
    /// Whether the square has that root, so that NaN is a root that the loop chose.
    plain: bool,
}

fn decide_by_squares(
    func: &mut Function,
    uses: &Uses,
    found: &Found,
    extreme: &Extreme,
    replacements: &mut Replacements,
) {
    let &Found { looped, root, .. } = found;
    let &Extreme { place, side, .. } = extreme;
    let body = func.ops[looped].regions[0];
    let s = func.ops[root].args[0];
    let dtype = func.ty(s).dtype().expect("a number");
    let loc = func.ops[root].loc;

    let first = func.ops[looped].args[3 + place];
    let start = build_before(func, looped, |b| {
        b.loc = loc;
        start_of(b, side, first, dtype)
    });
    func.ops[looped].args[3 + place] = start.square;
    func.ops[looped].args.push(start.bound);
    let carried = func.blocks[body].params[1 + place];
    let bound = func.add_param(body, Type::Scalar(dtype));
    let last_bound = func.add_result(looped, Type::Scalar(dtype));

    let has_root = is_sum_of_squares(func, s, DEPTH);
    let at = following(func, root);
    let made = build_before(func, at, |b| {
        b.loc = loc;
        decide(b, found, extreme, &start, [s, carried, bound], has_root)
    });
    let (chosen, asked) = made.split_at(2);
    let answers = extreme.comparisons.iter().map(|&(op, _)| op).chain(found.nans.iter().copied());
    for (op, &answer) in answers.zip(asked) {
        replacements.replace(func.result(op), answer);
        erase_op(func, op);
    }
    replacements.replace(func.result(root), chosen[0]);

    let end = func.terminator(body).expect("bodies end");
    let condition = func.ops[extreme.choice].args[0];
    let next = build_before(func, end, |b| {
        let [a, b_] = if extreme.if_true { [chosen[1], bound] } else { [bound, chosen[1]] };
        b.elem(ElemOp::Select, &[condition, a, b_])
    });
    func.ops[end].args.push(next);

    let result = func.ops[looped].results[place];
    root_behind(func, uses, looped, result, |b| start.root_of(b, dtype, [result, last_bound]));
}

impl Start {
    /// The root of what is carried.
    fn root_of(&self, b: &mut Builder<'_>, dtype: DType, [square, bound]: [Value; 2]) -> Value {
        let root = b.elem(ElemOp::Sqrt, &[square]);
        if self.plain {
            return root;
        }
        let nan = b.number(f64::NAN, dtype);
        let [no_square, no_bound] = [square, bound].map(|value| b.elem(ElemOp::IsNan, &[value]));
        let other = b.elem(ElemOp::Select, &[no_bound, self.root, nan]);
        b.elem(ElemOp::Select, &[no_square, other, root])
    }
}

/// Roots whose squares neither overflow nor lose places.
const fn safe_roots(dtype: DType) -> [f64; 2] {
    if matches!(dtype, DType::F32) { [1e-18, 1e18] } else { [1e-150, 1e150] }
}

/// What a square times this is surely has another root than it.
fn factor(side: Side, dtype: DType) -> f64 {
    let epsilon = if dtype == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    match side {
        Side::Least => 1.0 - PLACES * epsilon,
        Side::Greatest => 1.0 + PLACES * epsilon,
    }
}

fn start_of(b: &mut Builder<'_>, side: Side, root: Value, dtype: DType) -> Start {
    let [low, high] = safe_roots(dtype);
    let end = if side == Side::Least { f64::INFINITY } else { 0.0 };
    let factor = b.number(factor(side, dtype), dtype);
    let plain = b.func.as_number(root).map(|root| root == end || (low..=high).contains(&root));
    if plain == Some(false) {
        let nan = b.number(f64::NAN, dtype);
        return Start { root, square: nan, bound: nan, plain: false };
    }
    let square = b.elem(ElemOp::Mul, &[root, root]);
    let bound = b.elem(ElemOp::Mul, &[square, factor]);
    if plain == Some(true) {
        return Start { root, square, bound, plain: true };
    }
    let [low, high, end, nan] = [low, high, end, f64::NAN].map(|number| b.number(number, dtype));
    let above = b.elem(ElemOp::Ge, &[root, low]);
    let below = b.elem(ElemOp::Le, &[root, high]);
    let between = b.elem(ElemOp::And, &[above, below]);
    let at_end = b.elem(ElemOp::Eq, &[root, end]);
    let safe = b.elem(ElemOp::Or, &[between, at_end]);
    let [square, bound] = [square, bound].map(|value| b.elem(ElemOp::Select, &[safe, value, nan]));
    Start { root, square, bound, plain: false }
}

/// What the loop may choose and the bound that goes with it, then the answers of the comparisons and of the questions for NaN.
fn decide(
    b: &mut Builder<'_>,
    found: &Found,
    extreme: &Extreme,
    start: &Start,
    [s, carried, bound]: [Value; 3],
    has_root: bool,
) -> Vec<Value> {
    let dtype = b.func.ty(s).dtype().expect("a number");
    let (wins, stays) = match extreme.side {
        Side::Least => (ElemOp::Lt, ElemOp::Ge),
        Side::Greatest => (ElemOp::Gt, ElemOp::Le),
    };
    let factor = b.number(factor(extreme.side, dtype), dtype);
    let mut surely = b.elem(wins, &[s, bound]);
    let mut surely_not = b.elem(stays, &[s, carried]);
    if !has_root {
        let zero = b.number(0.0, dtype);
        let has = b.elem(ElemOp::Ge, &[s, zero]);
        surely = b.elem(ElemOp::And, &[surely, has]);
        surely_not = b.elem(ElemOp::And, &[surely_not, has]);
    }
    let known = b.elem(ElemOp::Or, &[surely, surely_not]);
    let near = b.elem(ElemOp::Not, &[known]);
    let own_bound = b.elem(ElemOp::Mul, &[s, factor]);
    let comparisons: Vec<ElemOp> = extreme.comparisons.iter().map(|&(_, by)| by).collect();
    let by_roots = b.region(&[], |b, _| {
        let x = b.elem(ElemOp::Sqrt, &[s]);
        let best = start.root_of(b, dtype, [carried, bound]);
        let is_nan = b.elem(ElemOp::IsNan, &[x]);
        let nan = b.number(f64::NAN, dtype);
        // Not the bound of a start, and nothing is beyond it.
        let end = if extreme.side == Side::Least { f64::NEG_INFINITY } else { f64::INFINITY };
        let marked = b.number(end, dtype);
        let mut values = vec![
            b.elem(ElemOp::Select, &[is_nan, nan, s]),
            b.elem(ElemOp::Select, &[is_nan, marked, own_bound]),
        ];
        values.extend(comparisons.iter().map(|&by| b.elem(by, &[x, best])).collect::<Vec<_>>());
        values.extend(found.nans.iter().map(|_| is_nan));
        b.effect(OpKind::Yield, values);
    });
    let by_squares = b.region(&[], |b, _| {
        let number = b.bool(false);
        let mut values = vec![s, own_bound];
        values.extend(comparisons.iter().map(|&by| if by == wins { surely } else { surely_not }));
        values.extend(found.nans.iter().map(|_| number));
        b.effect(OpKind::Yield, values);
    });
    let mut types = vec![Type::Scalar(dtype); 2];
    types.resize(2 + comparisons.len() + found.nans.len(), Type::BOOL);
    let either = b.op(OpKind::If, vec![near], &types, vec![by_roots, by_squares]);
    b.func.ops[either].results.clone()
}

/// Whether a number is at least zero, or NaN.
fn is_sum_of_squares(func: &Function, value: Value, depth: usize) -> bool {
    let Some(data) = func.def_op(value).map(|op| &func.ops[op]) else { return false };
    let within = |arg: &Value| depth > 0 && is_sum_of_squares(func, *arg, depth - 1);
    match data.kind {
        // The root of a negative zero is one, and another number than that of the equal zero.
        OpKind::Const(Literal::Float(bits)) => {
            let number = f64::from_bits(bits);
            number >= 0.0 && number.is_sign_positive()
        }
        OpKind::Elem(ElemOp::Add) => data.args.iter().all(within),
        OpKind::Elem(ElemOp::Mul) => data.args[0] == data.args[1] || data.args.iter().all(within),
        OpKind::Elem(ElemOp::Abs) => true,
        _ => false,
    }
}
