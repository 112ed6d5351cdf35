//! Which values that a `for` carries are accumulations that any order of its iterations gives.
//!
//! Each is combined with something by one operator, maybe more than once, maybe only under a condition, maybe in loops within, and
//! used for nothing else on the way. So the running value is never seen. Nothing may leave such a loop, or an iteration early.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::rewrite::Uses;
use pydd_ir::{Block, ElemOp, Function, Op, OpKind, ReduceOp, Value};

/// The operator of each carried value; nothing where one of them is no accumulation.
#[must_use]
pub fn of_loop(func: &Function, uses: &Uses, looped: Op) -> Option<Vec<ReduceOp>> {
    let body = func.ops[looped].regions[0];
    let end = func.terminator(body).filter(|&end| func.ops[end].kind == OpKind::Continue(0))?;
    let params = &func.blocks[body].params[1..];
    if params.is_empty() {
        return Some(Vec::new());
    }
    is_plain(func, body).then_some(())?;
    of_each(func, uses, body, end).collect()
}

/// The operator of each value that is an accumulation; nothing where a jump leads out of an iteration.
#[must_use]
pub fn of_values(func: &Function, uses: &Uses, looped: Op) -> Option<Vec<Option<ReduceOp>>> {
    let body = func.ops[looped].regions[0];
    let end = func.terminator(body).filter(|&end| func.ops[end].kind == OpKind::Continue(0))?;
    is_plain(func, body).then(|| of_each(func, uses, body, end).collect())
}

fn of_each(func: &Function, uses: &Uses, body: Block, end: Op) -> impl Iterator<Item = Option<ReduceOp>> {
    let carried = func.blocks[body].params[1..].iter().zip(&func.ops[end].args);
    carried.map(move |(&param, &next)| operator(func, uses, param, next))
}

fn operator(func: &Function, uses: &Uses, param: Value, next: Value) -> Option<ReduceOp> {
    if !func.ty(param).is_scalar() {
        return None;
    }
    let mut chain = Chain { func, op: None, seen: BTreeMap::from([(param, 0)]), others: BTreeSet::new() };
    chain.leads(next)?;
    // What goes on is used once, by the `continue`.
    *chain.seen.get_mut(&next)? += 1;
    let all_seen = chain.seen.iter().all(|(&value, &times)| uses.count(value) == times);
    chain.op.filter(|_| all_seen)
}

/// The values on the way from a carried value to the next one.
struct Chain<'f> {
    func: &'f Function,
    op: Option<ReduceOp>,
    /// How often each is used on the way.
    seen: BTreeMap<Value, usize>,
    /// Values that were followed, most of which are not on the way.
    others: BTreeSet<Value>,
}

/// Values that are followed back at most.
const MOST_FOLLOWED: usize = 4096;

impl Chain<'_> {
    /// Follows a value back to the carried one; nothing where it is made in another way.
    fn leads(&mut self, value: Value) -> Option<()> {
        if self.seen.contains_key(&value) {
            return Some(());
        }
        // What was followed once in vain is not followed again, and what is very long not at all.
        if self.others.len() >= MOST_FOLLOWED || !self.others.insert(value) {
            return None;
        }
        let op = self.func.def_op(value)?;
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Elem(ElemOp::Select) => {
                self.uses(data.args[1])?;
                self.uses(data.args[2])?;
            }
            OpKind::Elem(elem) => self.step(elem, &data.args)?,
            OpKind::If => {
                let which = data.results.iter().position(|&result| result == value)?;
                for &region in &data.regions {
                    self.ends(region, &OpKind::Yield, which)?;
                }
            }
            OpKind::For => {
                let which = data.results.iter().position(|&result| result == value)?;
                self.uses(self.func.init(op)[which])?;
                let body = data.regions[0];
                let param = self.func.blocks[body].params[1 + which];
                self.seen.insert(param, 0);
                self.ends(body, &OpKind::Continue(0), which)?;
            }
            _ => return None,
        }
        self.seen.entry(value).or_insert(0);
        Some(())
    }

    /// The value is an operand on the way.
    fn uses(&mut self, value: Value) -> Option<()> {
        self.leads(value)?;
        *self.seen.get_mut(&value)? += 1;
        Some(())
    }

    fn ends(&mut self, block: Block, kind: &OpKind, which: usize) -> Option<()> {
        let end = self.func.terminator(block).filter(|&end| self.func.ops[end].kind == *kind)?;
        self.uses(self.func.ops[end].args[which])
    }

    fn step(&mut self, elem: ElemOp, args: &[Value]) -> Option<()> {
        let (op, either) = ReduceOp::of_step(elem)?;
        (self.op.replace(op).is_none_or(|before| before == op)).then_some(())?;
        let before = (self.seen.clone(), self.op);
        if self.uses(args[0]).is_some() {
            return Some(());
        }
        (self.seen, self.op) = before;
        if either { self.uses(args[1]) } else { None }
    }
}

/// Whether nothing in a loop's body jumps, but for the ends of loops, its own among them.
fn is_plain(func: &Function, body: Block) -> bool {
    let mut ends = BTreeSet::from_iter(func.terminator(body));
    func.walk(body, &mut |op| {
        if func.ops[op].kind.is_loop() {
            ends.extend(func.terminator(func.ops[op].regions[0]));
        }
    });
    let mut plain = true;
    func.walk(body, &mut |op| {
        let jumps = matches!(func.ops[op].kind, OpKind::Break(_) | OpKind::Continue(_) | OpKind::Return);
        plain &= !jumps || func.ops[op].kind == OpKind::Continue(0) && ends.contains(&op);
    });
    plain
}
