//! In which order the axes of arrays lie in memory, as far as it follows from the program.
//!
//! Axes of length 1 lie anywhere. What functions of the module are passed, and what they give, follows from all their calls.

use pydd_ir::flow::{Flow, flows};
use pydd_ir::{
    Entity, FuncRef, Function, IndexItem, Keep, Module, Op, OpKind, ReduceOp, ReduceSpec, Type, Value,
    Version,
};
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::shapes::{Length, Shapes};

/// How an array's axes lie.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Order {
    /// No way that was seen leads to it.
    #[default]
    Unseen,
    /// As they are numbered, the last one innermost. Where it is not `strict`, some do not move (stride 0).
    Rows { strict: bool },
    /// The axes from the outermost one to the innermost, none of which stands still.
    Axes(Vec<u8>),
    /// The same of a view in which some move in equal steps, as windows and what they are of do: those together, by their numbers.
    Tied(Vec<Vec<u8>>),
    /// Nothing is known.
    Any,
}

impl Order {
    const STRICT: Self = Self::Rows { strict: true };

    pub const fn is_rows(&self) -> bool {
        matches!(self, Self::Rows { .. } | Self::Unseen)
    }

    fn from_axes(axes: Vec<u8>) -> Self {
        if axes.is_sorted() { Self::STRICT } else { Self::Axes(axes) }
    }

    fn from_groups(groups: impl Iterator<Item = Vec<u8>>) -> Self {
        let mut groups: Vec<Vec<u8>> = groups.filter(|group| !group.is_empty()).collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        if groups.iter().all(|group| group.len() == 1) {
            return Self::from_axes(groups.concat());
        }
        Self::Tied(groups)
    }

    /// The axes from the outermost one to the innermost, of equal ones in a row those with lower numbers first, as NumPy's iterator has them, where all move.
    fn axes(&self, rank: u8) -> Option<Vec<u8>> {
        match self {
            Self::Rows { strict: true } => Some((0..rank).collect()),
            Self::Axes(axes) => Some(axes.clone()),
            Self::Tied(groups) => Some(groups.concat()),
            Self::Rows { strict: false } | Self::Unseen | Self::Any => None,
        }
    }

    /// These in groups, those that move in equal steps together.
    fn groups(&self, rank: u8) -> Option<Vec<Vec<u8>>> {
        match self {
            Self::Tied(groups) => Some(groups.clone()),
            other => Some(other.axes(rank)?.into_iter().map(|axis| vec![axis]).collect()),
        }
    }

    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unseen, order) | (order, Self::Unseen) => order,
            (Self::Rows { strict: a }, Self::Rows { strict: b }) => Self::Rows { strict: a && b },
            (a, b) if a == b => a,
            _ => Self::Any,
        }
    }
}

/// Whether an operation's fresh array has its operands' order.
pub(super) fn follows_operands(func: &Function, op: Op) -> bool {
    let data = &func.ops[op];
    let follows = match &data.kind {
        OpKind::Elem(_) | OpKind::Cast | OpKind::KeepOrder(_) => true,
        // NumPy's other reductions go over an array whose axes it has moved.
        OpKind::Reduce(spec) => !matches!(spec.op, ReduceOp::ArgMin | ReduceOp::ArgMax),
        _ => false,
    };
    follows && func.ty(data.results[0]).rank() > 1
}

/// The operands that tell how the result lies.
pub(super) fn telling(func: &Function, op: Op) -> &[Value] {
    let data = &func.ops[op];
    if matches!(data.kind, OpKind::KeepOrder(_)) { &data.args[1..] } else { &data.args }
}

/// Whether it is a copy to NumPy, to which an axis along which nothing moves is the innermost.
pub(super) fn is_copy(func: &Function, op: Op) -> bool {
    matches!(func.ops[op].kind, OpKind::Cast | OpKind::KeepOrder(Keep::Copy))
}

/// The axes of the operand, by those of the result; none where the result's is new.
pub(super) fn kept_axes(spec: &ReduceSpec, rank: u8) -> Vec<Option<u8>> {
    let gone = |axis: &u8| spec.axes.as_ref().is_none_or(|axes| axes.contains(axis));
    (0..rank).filter(|axis| spec.keepdims || !gone(axis)).map(|axis| (!gone(&axis)).then_some(axis)).collect()
}

/// The arrays of a list, or of lists in it. Columns of temporaries may be among them.
pub(super) fn listed(ty: Type) -> Option<Type> {
    match ty {
        Type::List { dtype, rank: Some(rank), .. } => Some(Type::Array { dtype, rank }),
        _ => None,
    }
}

/// All arrays that a function puts into lists.
pub(super) fn put_in_lists(func: &Function) -> impl Iterator<Item = Value> {
    let puts = |op: &Op| {
        let kind = &func.ops[*op].kind;
        matches!(kind, OpKind::ListNew | OpKind::ListSet | OpKind::ListAppend | OpKind::ListPrepend)
    };
    let ops = func.all_ops().into_iter().filter(puts);
    ops.flat_map(|op| func.ops[op].args.iter().copied()).filter(|&v| func.ty(v).is_array())
}

/// By type of array, how those of all lists lie.
type Lists = BTreeMap<Type, Order>;

/// The orders of all arrays of a function.
pub(super) struct Orders {
    by_value: Vec<Order>,
    results: Vec<Order>,
}

impl Orders {
    pub fn at(&self, value: Value) -> &Order {
        &self.by_value[value.index()]
    }
}

/// The orders of the arrays of all functions. It is optimistic: what no call contradicts holds.
pub(super) fn of_module(module: &Module) -> Vec<Orders> {
    let called: BTreeSet<FuncRef> = module.funcs.values().flat_map(callees).collect();
    // What nothing here calls is called from outside.
    let start = |func: FuncRef| if called.contains(&func) { Order::Unseen } else { Order::Any };
    let mut params: Vec<Vec<Order>> =
        module.funcs.iter().map(|(at, func)| vec![start(at); func.params().len()]).collect();
    for export in &module.exports {
        for at in export.funcs() {
            let func = &module.funcs[at];
            let order = if func.version == Version::Fast { Order::STRICT } else { Order::Any };
            params[at.index()].fill(order);
        }
    }
    // Arrays in lists from outside may lie as they want.
    let outside = module.exports.iter().flat_map(|export| export.funcs()).flat_map(|at| {
        let func = &module.funcs[at];
        func.params().iter().filter_map(|&param| listed(func.ty(param)))
    });
    let mut lists: Lists = outside.map(|ty| (ty, Order::Any)).collect();
    let mut results: Vec<Vec<Order>> =
        module.funcs.values().map(|func| vec![Order::Unseen; func.results.len()]).collect();
    let shapes: Vec<(Shapes<'_>, Vec<Flow>)> =
        module.funcs.values().map(|func| (Shapes::of(func), flows(func))).collect();
    loop {
        let (mut passed, mut put) = (params.clone(), lists.clone());
        let mut all = Vec::new();
        for ((func, (shapes, flows)), own) in module.funcs.values().zip(&shapes).zip(&params) {
            let mut walk = Walk {
                func,
                shapes,
                results: &results,
                lists: &lists,
                at: vec![Order::Unseen; func.values.len()],
                changed: true,
            };
            walk.run(own, flows);
            for op in func.all_ops() {
                if let OpKind::Call(callee) = func.ops[op].kind {
                    for (to, &arg) in passed[callee.index()].iter_mut().zip(&func.ops[op].args) {
                        *to = std::mem::take(to).meet(walk.at[arg.index()].clone());
                    }
                }
            }
            for value in put_in_lists(func) {
                let order = put.entry(func.ty(value)).or_default();
                *order = std::mem::take(order).meet(walk.at[value.index()].clone());
            }
            all.push(Orders { results: walk.returned(), by_value: walk.at });
        }
        let next: Vec<Vec<Order>> = all.iter().map(|orders| orders.results.clone()).collect();
        if next == results && passed == params && put == lists {
            return all;
        }
        (results, params, lists) = (next, passed, put);
    }
}

fn callees(func: &Function) -> Vec<FuncRef> {
    let callee = |op: Op| match func.ops[op].kind {
        OpKind::Call(callee) => Some(callee),
        _ => None,
    };
    func.all_ops().into_iter().filter_map(callee).collect()
}

struct Walk<'a> {
    func: &'a Function,
    shapes: &'a Shapes<'a>,
    /// By function, what it gives.
    results: &'a [Vec<Order>],
    lists: &'a Lists,
    at: Vec<Order>,
    changed: bool,
}

impl Walk<'_> {
    fn run(&mut self, params: &[Order], flows: &[Flow]) {
        for (&param, order) in self.func.params().iter().zip(params) {
            self.meet(param, order.clone());
        }
        let ops = self.func.all_ops();
        while std::mem::take(&mut self.changed) {
            ops.iter().for_each(|&op| self.op(op));
            flows.iter().for_each(|flow| self.meet(flow.to, self.at[flow.from.index()].clone()));
        }
    }

    /// What each result is on all ways out.
    fn returned(&self) -> Vec<Order> {
        let mut results = vec![Order::Unseen; self.func.results.len()];
        for op in self.func.all_ops() {
            if self.func.ops[op].kind == OpKind::Return {
                for (result, &value) in results.iter_mut().zip(&self.func.ops[op].args) {
                    *result = std::mem::take(result).meet(self.at[value.index()].clone());
                }
            }
        }
        results
    }

    fn meet(&mut self, value: Value, order: Order) {
        let ty = self.func.ty(value);
        if !ty.is_array() {
            return;
        }
        let order = match order {
            Order::Any | Order::Axes(_) if ty.rank() <= 1 => Order::Rows { strict: false },
            order => order,
        };
        let met = self.at[value.index()].clone().meet(order);
        self.changed |= met != self.at[value.index()];
        self.at[value.index()] = met;
    }

    fn op(&mut self, op: Op) {
        let data = &self.func.ops[op];
        match &data.kind {
            OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::If | OpKind::Scope => {}
            OpKind::Call(callee) => {
                for (i, &result) in data.results.iter().enumerate() {
                    self.meet(result, self.results[callee.index()][i].clone());
                }
            }
            _ => {
                for &result in data.results.iter().filter(|&&result| self.func.ty(result).is_array()) {
                    let order = self.transfer(op, result);
                    self.meet(result, order);
                }
            }
        }
    }

    fn transfer(&self, op: Op, result: Value) -> Order {
        let data = &self.func.ops[op];
        let source = || self.at[data.args[0].index()].clone();
        match &data.kind {
            OpKind::ReadOnly | OpKind::Part(_) => source(),
            OpKind::ListGet => self.lists.get(&self.func.ty(result)).cloned().unwrap_or_default(),
            OpKind::Transpose(axes) => transposed(source(), axes, self.func.ty(data.args[0]).rank()),
            OpKind::View(items) => viewed(source(), items, self.func.ty(result).rank()),
            OpKind::BroadcastTo => match source() {
                Order::Rows { .. } => Order::Rows { strict: false },
                Order::Unseen => Order::Unseen,
                _ => Order::Any,
            },
            OpKind::Windows => match source() {
                Order::Rows { .. } if self.func.ty(data.args[0]).rank() == 1 => Order::Rows { strict: false },
                Order::Unseen => Order::Unseen,
                source => windowed(&source, self.func.ty(data.args[0]).rank()),
            },
            OpKind::Diagonal | OpKind::Reshape => match source() {
                Order::Axes(_) | Order::Tied(_) => Order::Any,
                order => order,
            },
            OpKind::EmptyStrided => Order::Any,
            OpKind::Reduce(spec) if follows_operands(self.func, op) => {
                let rank = self.func.ty(data.args[0]).rank();
                reduced(source(), rank, &kept_axes(spec, rank))
            }
            OpKind::KeepOrder(Keep::Columns) => match &self.at[data.args[1].index()] {
                Order::Axes(_) | Order::Tied(_) | Order::Any => Order::Any,
                rows => rows.clone().meet(Order::STRICT),
            },
            _ if follows_operands(self.func, op) => self.elementwise(op, result),
            _ => Order::STRICT,
        }
    }

    fn elementwise(&self, op: Op, result: Value) -> Order {
        // What a vector says of the order of several axes is nothing.
        let told = telling(self.func, op).iter().copied();
        let arrays: Vec<Value> = told.filter(|&v| self.func.ty(v).rank() > 1).collect();
        let at = |v: &Value| &self.at[v.index()];
        if arrays.iter().any(|v| *at(v) == Order::Unseen) {
            return Order::Unseen;
        }
        let dims = &self.shapes.layout(result).dims;
        let is_whole = |v: &Value| self.shapes.layout(*v).dims == *dims;
        let is_copy = is_copy(self.func, op);
        let rows = |v: &Value| matches!(at(v), Order::Rows { strict } if *strict || !is_copy);
        if arrays.iter().all(rows) || arrays.iter().any(|v| *at(v) == Order::STRICT && is_whole(v)) {
            return Order::STRICT;
        }
        let whole =
            arrays.iter().copied().find(|v| is_whole(v) && at(v).axes(self.func.ty(*v).rank()).is_some());
        let Some(whole) = whole else { return Order::Any };
        let axes = at(&whole).axes(self.func.ty(whole).rank()).expect("found so");
        let others = arrays.iter().filter(|&&v| v != whole);
        // To a copy, axes that do not move are the innermost.
        let agree =
            |v: &Value| if is_copy { *at(v) == *at(&whole) && is_whole(v) } else { self.agrees(*v, &axes) };
        if others.into_iter().all(agree) { Order::from_axes(axes) } else { Order::Any }
    }

    /// Whether an operand has nothing against an order of the result's axes: wherever one lies within another one with a higher number, it is so in the operand as well, or one of both is not there.
    fn agrees(&self, operand: Value, axes: &[u8]) -> bool {
        let rank = self.func.ty(operand).rank();
        let Some(groups) = self.at[operand.index()].groups(rank) else { return false };
        let missing = axes.len() - usize::from(rank);
        let dims = &self.shapes.layout(operand).dims;
        let own =
            |axis: u8| usize::from(axis).checked_sub(missing).filter(|&own| dims[own] != Length::Const(1));
        let place =
            |own: usize| groups.iter().position(|group| group.iter().any(|&axis| usize::from(axis) == own));
        axes.iter().enumerate().all(|(at, &outer)| {
            axes[at + 1..].iter().filter(|&&inner| inner < outer).all(|&inner| {
                match (own(outer), own(inner)) {
                    (Some(outer), Some(inner)) => place(outer) < place(inner),
                    _ => true,
                }
            })
        })
    }
}

fn reduced(source: Order, rank: u8, kept: &[Option<u8>]) -> Order {
    match source {
        Order::Rows { .. } => Order::STRICT,
        Order::Axes(_) | Order::Tied(_) => {
            let axes = source.axes(rank).expect("all move");
            let went = |axis: &u8| kept.iter().position(|kept| kept.as_ref() == Some(axis));
            let left = axes.iter().filter_map(went);
            let new = (0..kept.len()).filter(|&axis| kept[axis].is_none());
            Order::from_axes(new.chain(left).filter_map(|axis| u8::try_from(axis).ok()).collect())
        }
        order => order,
    }
}

/// Windows along the first axis, which a new last one moves like.
fn windowed(source: &Order, rank: u8) -> Order {
    let Some(groups) = source.groups(rank) else { return Order::Any };
    let with_windows = groups.into_iter().map(|mut group| {
        if group.contains(&0) {
            group.push(rank);
        }
        group
    });
    Order::from_groups(with_windows)
}

fn transposed(source: Order, axes: &[u8], rank: u8) -> Order {
    if axes.is_sorted() || source == Order::Unseen {
        return source;
    }
    let Some(groups) = source.groups(rank) else { return Order::Any };
    let went = |axis: &u8| axes.iter().position(|a| a == axis).and_then(|at| u8::try_from(at).ok());
    Order::from_groups(groups.iter().map(|group| group.iter().filter_map(went).collect()))
}

fn viewed(source: Order, items: &[IndexItem], rank: u8) -> Order {
    let groups = match &source {
        Order::Axes(axes) => axes.iter().map(|&axis| vec![axis]).collect(),
        Order::Tied(groups) => groups.clone(),
        Order::Rows { .. } | Order::Unseen | Order::Any => return source,
    };
    let axes: usize = groups.iter().map(Vec::len).sum();
    let (mut went, mut new) = (Vec::new(), Vec::new());
    let mut to = 0;
    for item in items {
        match item {
            IndexItem::At => went.push(None),
            IndexItem::New => {
                new.push(to);
                to += 1;
            }
            IndexItem::Slice { step, .. } => {
                // Steps tell equal ones apart.
                if *step && matches!(source, Order::Tied(_)) {
                    return Order::Any;
                }
                went.push(Some(to));
                to += 1;
            }
        }
    }
    while went.len() < axes {
        went.push(Some(to));
        to += 1;
    }
    debug_assert_eq!(to, rank);
    let kept = groups.iter().map(|group| group.iter().filter_map(|&axis| went[usize::from(axis)]).collect());
    Order::from_groups(new.into_iter().map(|axis| vec![axis]).chain(kept))
}
