//! Makes `for` of loops that count.
//!
//! ```text
//! %5: i64, %6: f64 = loop %start, %0 {(%i: i64, %x: f64):       %6: f64 = for %start, %n, 1, %0 {(%i: i64, %x: f64):
//!   %7: bool = lt %i, %n
//!   if %7 { yield } else { break %i, %x }                   ⇒
//!   …                                                             …
//!   %8: i64 = add %i, 1
//!   continue %8, %y                                               continue %y
//! }                                                             }
//!                                                               %5: i64 = max %start, %n
//! ```
//!
//! A `while` is such a loop where its condition compares a number with one that the loop does not change, and all its iterations end
//! with the number one step further. Other ways out of the loop stay `break`; the number is carried on then, for what they give.
//!
//! A loop up to and with the greatest int64 never ends in wrapped arithmetic. Such loops stay as they are, but for those that begin
//! so low that nobody sees the end.

use pydd_ir::alias::MemoryInfo;
use pydd_ir::interval::Interval;
use pydd_ir::rewrite::{Layout, Replacements, erase_op, is_defined_inside, move_before, position};
use pydd_ir::{Block, Builder, ElemOp, Function, Level, Module, Op, OpKind, Type, Value};

use crate::analysis::intervals::of_value;
use crate::analysis::jumps::{End, ends};
use crate::array::each_function;
use crate::array::head::Head;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "count-loops",
    summary: "make `for` of `while` loops that count",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

/// What loops begin with from where nobody counts to the end of int64.
const NEAR: Interval = Interval { low: 0, high: 1 << 62 };

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| {
        let mut loops = func.all_ops();
        loops.retain(|&op| func.ops[op].kind == OpKind::Loop);
        if loops.is_empty() {
            return;
        }
        // It is asked of operations without regions alone, which stay as they are.
        let memory = MemoryInfo::new(func, summaries);
        for op in loops {
            if let Some(counted) = Counted::find(func, &memory, op) {
                counted.rewrite(func);
            }
        }
    });
    Ok(())
}

/// A loop that counts.
struct Counted {
    looped: Op,
    head: Head,
    /// Which of the carried values counts, by how much, and how it compares with the bound while the loop goes on.
    counter: usize,
    step: i64,
    compare: ElemOp,
    bound: Value,
    /// What goes out of the body, in order: the bound is made of it, and what the loop gives.
    moved: Vec<Op>,
    /// The ends of iterations and of the loop, apart from the test.
    jumps: Vec<End>,
}

/// What a `for` carries.
enum Part {
    /// What a result is at the test, where no carried value becomes that result alone; with the carried value that it is, if it is one.
    Result(usize, Option<usize>),
    /// A value that the loop carried, and the result that it becomes where the test ends the loop.
    Param(usize, Option<usize>),
}

impl Counted {
    fn find(func: &Function, memory: &MemoryInfo, looped: Op) -> Option<Self> {
        let body = func.ops[looped].regions[0];
        // What is asked of memory was there before the pass.
        let is_quiet = |op: Op| func.ops[op].regions.is_empty() && memory.effects(op).is_removable();
        let head = Head::of(func, body, is_quiet)?;
        let condition = func.def_op(head.condition(func))?;
        let OpKind::Elem(compare) = func.ops[condition].kind else { return None };
        let compare = if head.goes_on_if { compare } else { compare.opposite()? };
        let &[a, b] = func.ops[condition].args.as_slice() else { return None };
        let counter = |value| param_of(func, body, value).filter(|_| func.ty(value) == Type::I64);
        let (counter, compare, bound) = match (counter(a), counter(b)) {
            (Some(counter), None) => (counter, compare, b),
            (None, Some(counter)) => (counter, compare.exchanged(), a),
            _ => return None,
        };
        let layout = Layout::new(func);
        let mut moved = Vec::new();
        let given = head.given.iter().filter(|&&value| param_of(func, body, value).is_none());
        for &value in given.chain([&bound]) {
            if !goes_out(func, &layout, looped, value, &mut moved) {
                return None;
            }
        }
        let mut jumps = ends(func, body);
        jumps.retain(|jump| jump.op != head.exit);
        let step = step(func, func.blocks[body].params[counter], counter, &jumps)?;
        let found = Self { looped, head, counter, step, compare, bound, moved, jumps };
        found.ends(func).then_some(found)
    }

    /// Whether the number stops as an integer of Python's does.
    fn ends(&self, func: &Function) -> bool {
        let start = of_value(func, func.ops[self.looped].args[self.counter]);
        let bound = of_value(func, self.bound);
        match (self.compare, self.step) {
            (ElemOp::Lt, 1) | (ElemOp::Gt, -1) => true,
            (ElemOp::Lt | ElemOp::Le, 1..) => NEAR.contains(start),
            (ElemOp::Ge, -1) => bound.low > Interval::I64.low,
            (ElemOp::Gt | ElemOp::Ge, ..-1) => NEAR.contains(start) && bound.low >= -NEAR.high,
            _ => false,
        }
    }

    fn has_breaks(&self) -> bool {
        self.jumps.iter().any(|jump| jump.is_break)
    }

    fn parts(&self, params: &[Value]) -> Vec<Part> {
        let given: Vec<Option<usize>> = self.head.given.iter().map(|value| at(params, *value)).collect();
        let claim = |param: usize| given.iter().position(|&given| given == Some(param));
        let has_breaks = self.has_breaks();
        let claims = |result: usize| given[result].is_some_and(|param| claim(param) == Some(result));
        let results = (0..given.len()).filter(|&result| has_breaks && !claims(result));
        let is_carried = |&param: &usize| param != self.counter || (has_breaks && claim(param).is_some());
        let carried = (0..params.len()).filter(is_carried);
        let results = results.map(|result| Part::Result(result, given[result]));
        results.chain(carried.map(|param| Part::Param(param, claim(param)))).collect()
    }

    fn rewrite(self, func: &mut Function) {
        for &op in &self.moved {
            move_before(func, op, self.looped);
        }
        let data = func.ops[self.looped].clone();
        let (start, old_body) = (data.args[self.counter], data.regions[0]);
        let old_params = func.blocks[old_body].params.clone();
        let parts = self.parts(&old_params);
        let before = func.new_block();
        let mut b = Builder::new(func, before);
        b.loc = data.loc;
        let (stop, step) = (self.stop(&mut b), b.int(self.step));
        let last = if self.has_breaks() { None } else { Some(self.last(&mut b, start, stop, step)) };

        let body = func.new_block();
        let index = func.add_param(body, Type::I64);
        let mut map = Replacements::default();
        map.replace(old_params[self.counter], index);
        let mut params = Vec::new();
        for part in &parts {
            let old = part.before(&old_params, &self.head.given);
            let param = func.add_param(body, func.ty(old));
            params.push(param);
            if matches!(part, Part::Param(at, _) if *at != self.counter) {
                func.names.extend(func.names.get(&old).cloned().map(|names| (param, names)));
                map.replace(old, param);
            }
        }
        map.replace_all(&func.ops[self.head.test].results, &self.head.yielded);
        func.blocks[body].ops = std::mem::take(&mut func.blocks[old_body].ops);
        for jump in &self.jumps {
            let old = std::mem::take(&mut func.ops[jump.op].args);
            let next = parts.iter().zip(&params).map(|(part, &param)| match part {
                Part::Result(result, _) | Part::Param(_, Some(result)) if jump.is_break => old[*result],
                Part::Param(..) if jump.is_break => param,
                Part::Result(_, Some(from)) | Part::Param(from, _) => old[*from],
                Part::Result(_, None) => param,
            });
            func.ops[jump.op].args = next.collect();
        }

        let init = parts.iter().map(|part| part.before(&data.args, &self.head.given));
        let args: Vec<Value> = [start, stop, step].into_iter().chain(init).collect();
        let types: Vec<Type> = params.iter().map(|&param| func.ty(param)).collect();
        let made = func.new_op(OpKind::For, args, &types, vec![body], data.loc);
        for (result, &old) in data.results.iter().enumerate() {
            let given = self.head.given[result];
            let param = at(&old_params, given);
            let value = match parts.iter().position(|part| part.becomes(result, param)) {
                Some(part) => func.ops[made].results[part],
                None if param.is_some() => last.expect("a number that is not carried counts"),
                None => given,
            };
            map.replace(old, value);
        }
        let (block, index) = position(func, self.looped).expect("the loop stands in a block");
        let ops = std::mem::take(&mut func.blocks[before].ops);
        func.blocks[block].ops.splice(index..=index, ops.into_iter().chain([made]));
        erase_op(func, self.head.test);
        map.apply(func);
    }

    /// The first number that the loop does not come to.
    fn stop(&self, b: &mut Builder<'_>) -> Value {
        match self.compare {
            ElemOp::Le => {
                let (greatest, one) = (b.int(i64::MAX - 1), b.int(1));
                let bound = b.elem(ElemOp::Min, &[self.bound, greatest]);
                b.add(bound, one)
            }
            ElemOp::Ge => {
                let one = b.int(1);
                b.sub(self.bound, one)
            }
            _ => self.bound,
        }
    }

    /// What the number is behind the loop.
    fn last(&self, b: &mut Builder<'_>, start: Value, stop: Value, step: Value) -> Value {
        let further = if self.step > 0 { ElemOp::Max } else { ElemOp::Min };
        let stop = b.elem(further, &[start, stop]);
        if self.step.abs() == 1 {
            return stop;
        }
        let distance = b.sub(stop, start);
        let steps = b.elem(ElemOp::FloorDiv, &[distance, step]);
        let whole = b.mul(steps, step);
        let (rest, last) = (b.elem(ElemOp::Ne, &[whole, distance]), b.add(start, whole));
        let next = b.add(last, step);
        b.select(rest, next, last)
    }
}

impl Part {
    /// Which of the loop's carried values it is at first, or what the loop gives in the end.
    fn before(&self, carried: &[Value], given: &[Value]) -> Value {
        match *self {
            Self::Result(_, Some(param)) | Self::Param(param, _) => carried[param],
            Self::Result(result, None) => given[result],
        }
    }

    /// Whether a result that is so far the carried value `param` is this.
    fn becomes(&self, result: usize, param: Option<usize>) -> bool {
        match *self {
            Self::Result(own, _) => own == result,
            Self::Param(own, _) => Some(own) == param,
        }
    }
}

fn at(params: &[Value], value: Value) -> Option<usize> {
    params.iter().position(|&param| param == value)
}

/// Which of a body's parameters a value is.
fn param_of(func: &Function, body: Block, value: Value) -> Option<usize> {
    at(&func.blocks[body].params, value)
}

/// Whether a value is there before the loop, or can be; then with the operations that it is made of.
fn goes_out(func: &Function, layout: &Layout, looped: Op, value: Value, moved: &mut Vec<Op>) -> bool {
    if !is_defined_inside(func, layout, value, looped) {
        return true;
    }
    let Some(op) = func.def_op(value) else { return false };
    let data = &func.ops[op];
    let goes = match data.kind {
        OpKind::Const(_) | OpKind::Dim(_) => true,
        OpKind::Cast | OpKind::Elem(_) => func.ty(value).is_scalar(),
        _ => false,
    };
    let goes = goes && data.args.iter().all(|&arg| goes_out(func, layout, looped, arg, moved));
    if goes && !moved.contains(&op) {
        moved.push(op);
    }
    goes
}

/// By how much a number grows in each iteration.
fn step(func: &Function, number: Value, counter: usize, jumps: &[End]) -> Option<i64> {
    let step_of = |jump: &End| {
        let made = &func.ops[func.def_op(func.ops[jump.op].args[counter])?];
        let constant = |at: usize| func.as_int(made.args[at]);
        match made.kind {
            OpKind::Elem(ElemOp::Add) if made.args[0] == number => constant(1),
            OpKind::Elem(ElemOp::Add) if made.args[1] == number => constant(0),
            OpKind::Elem(ElemOp::Sub) if made.args[0] == number => constant(1)?.checked_neg(),
            _ => None,
        }
    };
    let mut steps = jumps.iter().filter(|jump| !jump.is_break).map(step_of);
    let first = steps.next()??;
    (first != 0 && steps.all(|step| step == Some(first))).then_some(first)
}
