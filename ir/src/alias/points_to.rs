//! Which origins a value's memory may have: a flow-insensitive inclusion analysis (Andersen's, without
//! fields). What lists of lists hold is one origin for each type of list, and what lists of arrays hold is one for all arrays,
//! [`Origin::Held`]: all that is taken out of one has it, and whatever is put into one is taken for it.

use super::set::SortedSet;
use super::summary::Summaries;
use crate::entity::{Entity, Op, Value};
use crate::flow::flows;
use crate::func::Function;
use crate::op::OpKind;
use crate::types::{DType, Type};

/// Where memory comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The caller's memory, by parameter index.
    Param(u32),
    /// Made by an operation: its n-th piece of fresh memory (for most, its n-th result).
    Fresh(Op, u32),
    /// A list that a list of lists holds, or an array that a list of arrays holds: of this type, see [`Origin::held`].
    Held(Type),
}

impl Origin {
    /// What lists hold of such a type. Arrays are all one, since there are views of them that have other types.
    pub(super) const fn held(ty: Type) -> Self {
        Self::Held(held_as(ty))
    }
}

/// The type that stands for all that may be one memory in lists.
pub(super) const fn held_as(ty: Type) -> Type {
    match ty {
        Type::Array { .. } => Type::array(DType::Bool, 0),
        other => other,
    }
}

pub(super) type OriginSet = SortedSet<Origin>;

/// For each value its origins, and all fresh origins in the order in which their operations are printed.
pub(super) struct PointsTo {
    pub sets: Vec<OriginSet>,
    pub fresh: Vec<Origin>,
    /// The origins of what is put into lists; they are the same memory as [`Origin::Held`].
    pub held: OriginSet,
}

impl PointsTo {
    pub(super) fn new(func: &Function, summaries: &Summaries) -> Self {
        let mut builder = Builder {
            func,
            summaries,
            sets: vec![OriginSet::default(); func.values.len()],
            fresh: Vec::new(),
            copies: Vec::new(),
            stored: Vec::new(),
        };
        builder.params();
        flows(func).iter().for_each(|flow| builder.copy(Some(&flow.from), Some(&flow.to)));
        func.walk(func.entry, &mut |op| builder.op(op));
        builder.solve();
        let mut held = OriginSet::default();
        for value in &builder.stored {
            held.union(&builder.sets[value.index()]);
        }
        Self { sets: builder.sets, fresh: builder.fresh, held }
    }
}

struct Builder<'a> {
    func: &'a Function,
    summaries: &'a Summaries,
    sets: Vec<OriginSet>,
    fresh: Vec<Origin>,
    /// `(from, to)`: `to` may be whatever `from` is.
    copies: Vec<(Value, Value)>,
    /// What is put into lists.
    stored: Vec<Value>,
}

impl<'a> Builder<'a> {
    fn params(&mut self) {
        for (i, &param) in self.func.params().iter().enumerate() {
            if self.func.ty(param).is_memory() {
                self.add(param, Origin::Param(u32::try_from(i).expect("fewer than 2^32 parameters")));
            }
        }
    }

    fn add(&mut self, value: Value, origin: Origin) {
        self.sets[value.index()].insert(origin);
    }

    fn add_fresh(&mut self, value: Value, op: Op, piece: u32) {
        let origin = Origin::Fresh(op, piece);
        // Pieces of one operation come one after the other.
        let mut last = self.fresh.iter().rev().take_while(|o| matches!(o, Origin::Fresh(o, _) if *o == op));
        if !last.any(|&o| o == origin) {
            self.fresh.push(origin);
        }
        self.add(value, origin);
    }

    fn copy(&mut self, from: Option<&Value>, to: Option<&Value>) {
        if let (Some(&from), Some(&to)) = (from, to)
            && self.func.ty(to).is_memory()
        {
            self.copies.push((from, to));
        }
    }

    fn op(&mut self, op: Op) {
        let func = self.func;
        let data = &func.ops[op];
        match &data.kind {
            kind if kind.is_view() => {
                self.copy(data.args.first(), data.results.first());
            }
            OpKind::Reshape | OpKind::KeepOrder(_) => {
                self.copy(data.args.first(), data.results.first());
                self.fresh_results(op);
            }
            OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::If | OpKind::Scope => {}
            OpKind::Call(_) | OpKind::Launch(_) => self.call(op),
            OpKind::ListGet => {
                for &item in data.results.iter().filter(|&&item| func.ty(item).is_memory()) {
                    self.add(item, Origin::held(func.ty(item)));
                }
            }
            OpKind::ListSet => self.store(&data.args[2..]),
            OpKind::ListAppend | OpKind::ListPrepend => self.store(&data.args[1..]),
            OpKind::ListNew => {
                self.store(&data.args);
                self.fresh_results(op);
            }
            _ => self.fresh_results(op),
        }
    }

    fn store(&mut self, items: &[Value]) {
        self.stored.extend(items.iter().filter(|&&item| self.func.ty(item).is_memory()));
    }

    fn fresh_results(&mut self, op: Op) {
        let func = self.func;
        for (i, &result) in func.ops[op].results.iter().enumerate() {
            if func.ty(result).is_memory() {
                self.add_fresh(result, op, u32::try_from(i).expect("fewer than 2^32 results"));
            }
        }
    }

    fn call(&mut self, op: Op) {
        let func = self.func;
        let data = &func.ops[op];
        let Some((callee, args, first)) = func.passed(op) else { return };
        let arg = |param: u32| args.get((param as usize).checked_sub(first)?);
        match self.summaries.get(callee) {
            Some(summary) => self.stored.extend(summary.holds.iter().filter_map(arg)),
            None => self.store(args),
        }
        for (i, &result) in data.results.iter().enumerate() {
            if !func.ty(result).is_memory() {
                continue;
            }
            let Some(summary) = self.summaries.result(callee, i) else {
                args.iter().for_each(|arg| self.copy(Some(arg), Some(&result)));
                self.add_fresh(result, op, 0);
                if may_be_held(func, args, func.ty(result)) {
                    self.add(result, Origin::held(func.ty(result)));
                }
                continue;
            };
            if summary.held {
                self.add(result, Origin::held(func.ty(result)));
            }
            summary.params.iter().for_each(|p| self.copy(arg(p), Some(&result)));
            summary.fresh.iter().for_each(|piece| self.add_fresh(result, op, piece));
        }
    }

    fn solve(&mut self) {
        let copies = std::mem::take(&mut self.copies);
        let mut changed = true;
        while changed {
            changed = false;
            for &(from, to) in &copies {
                let source = std::mem::take(&mut self.sets[from.index()]);
                if from != to {
                    changed |= self.sets[to.index()].union(&source);
                }
                self.sets[from.index()] = source;
            }
        }
    }
}

/// Whether a function that nothing is known of may give something of this type that a list of its arguments holds.
fn may_be_held(func: &Function, args: &[Value], ty: Type) -> bool {
    matches!(ty, Type::List { .. }) || args.iter().any(|&arg| func.ty(arg).may_hold(ty))
}
