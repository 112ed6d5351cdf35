//! What the iterations of a `pfor` do with each value that its body uses: the table that says how the loop
//! may be run.
//!
//! ```text
//! %0: sliced write [%5, :]
//! %1: sliced read [%5 - 1 ..= %5 + 1]
//! %2: invariant
//! %7: reduced sum
//! %8: appended
//! %9: private
//! ```
//!
//! Values are numbered as in the function's text when it is printed compactly.

use std::collections::BTreeMap;
use std::fmt;

use pydd_ir::alias::{MemoryInfo, Origin};
use pydd_ir::rewrite::{Layout, Uses, captures};
use pydd_ir::{ElemOp, Function, Op, OpKind, ReduceOp, Type, Value};

use super::access::{Access, Collector, Extent};
use super::depend::{Relation, all_apart, relate};
use super::examples::{Shown, show};
use super::index::{Indices, Side};
use super::overlap::never_meet;
use super::poly::Poly;
use crate::analysis::shapes::Shapes;

/// How iterations share a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// The same in all iterations, and only read.
    Invariant,
    /// Each iteration touches a part of its own; of what is only read, parts may overlap.
    Sliced { writes: bool, footprint: Footprint },
    /// Made by the iteration for itself.
    Private,
    /// Combined over all iterations.
    Reduced(ReduceOp),
    /// A list that iterations append to, and do nothing else with.
    Appended,
    /// Iterations get in each other's way, or may.
    Contended(Conflict),
}

/// What iteration `i` touches, by axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Footprint(pub Vec<Span>);

/// A part of an axis, both ends included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Span {
    All,
    Range(Poly, Poly),
}

/// Two accesses, of which one writes, that may touch one element in different iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    pub first: Op,
    pub first_writes: bool,
    pub second: Op,
    pub second_writes: bool,
    pub relation: Relation,
    /// Indices of two iterations that touch one element, where some are known.
    pub example: Option<[Poly; 2]>,
}

/// One `pfor` with all that its body uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub rows: Vec<(Value, Sharing)>,
}

/// Classifies what a `pfor` of the function uses. Parameters are taken as different arrays.
#[must_use]
pub fn classify(func: &Function, memory: &MemoryInfo, pfor: Op) -> Table {
    let (layout, shapes) = (Layout::new(func), Shapes::of(func));
    let indices = Indices::new(func, memory, &layout, &shapes, pfor);
    let collector = Collector { func, memory, layout: &layout, shapes: &shapes, indices: &indices, pfor };
    let accesses = collector.collect();
    let mut classifier =
        Classifier { func, memory, layout: &layout, indices: &indices, pfor, accesses, rows: Vec::new() };
    classifier.arrays();
    classifier.scalars();
    classifier.reductions();
    classifier.private();
    Table { rows: classifier.rows }
}

struct Classifier<'a> {
    func: &'a Function,
    memory: &'a MemoryInfo,
    layout: &'a Layout,
    indices: &'a Indices<'a>,
    pfor: Op,
    accesses: Vec<Access>,
    rows: Vec<(Value, Sharing)>,
}

impl Classifier<'_> {
    fn arrays(&mut self) {
        let mut roots: Vec<Value> = self.accesses.iter().map(|access| access.root).collect();
        roots.sort_unstable();
        roots.dedup();
        let updates = updates(self.func, self.layout, self.pfor);
        for root in roots {
            if matches!(self.func.ty(root), Type::List { .. }) {
                let sharing = self.list(root);
                self.rows.push((root, sharing));
                continue;
            }
            let sharing = match self.conflict(root) {
                None => self.slice(root),
                Some(conflict) => {
                    self.reduction(root, &updates).map_or(Sharing::Contended(conflict), Sharing::Reduced)
                }
            };
            self.rows.push((root, sharing));
        }
    }

    /// Items of lists are not told apart.
    fn list(&self, root: Value) -> Sharing {
        let all = self.touching(root);
        let mut writes = all.iter().filter(|a| a.writes);
        let (Some(first), false) = (writes.next(), self.is_single()) else { return self.slice(root) };
        let appends = |a: &&&Access| {
            a.root == root && a.extents.is_some() && self.func.ops[a.op].kind == OpKind::ListAppend
        };
        match all.iter().find(|a| !appends(a)) {
            None => Sharing::Appended,
            Some(other) => {
                let write = all.iter().find(|a| a.writes && a.op != other.op).unwrap_or(first);
                Sharing::Contended(self.between(write, other, Relation::Unknown))
            }
        }
    }

    /// Whether the loop is known to have no two iterations.
    fn is_single(&self) -> bool {
        self.indices.iterations().is_some_and(|count| count < 2)
    }

    /// All accesses that may be to this array or list.
    fn touching(&self, root: Value) -> Vec<&Access> {
        let touches = |a: &&Access| a.root == root || self.memory.may_alias(a.root, root);
        self.accesses.iter().filter(touches).collect()
    }

    /// The pair of accesses that is worst for the loop; nothing where all go well together.
    fn conflict(&self, root: Value) -> Option<Conflict> {
        let all = self.touching(root);
        if self.is_single() || !all.iter().any(|a| a.writes) {
            return None;
        }
        if all.iter().all(|a| a.root == root) && all_apart(self.indices, &all) {
            return None;
        }
        let mut found = None;
        for (i, a) in self.accesses.iter().enumerate().filter(|(_, a)| a.root == root) {
            for b in self.accesses.iter().enumerate().filter(|&(j, b)| j >= i || b.root != root) {
                let b = b.1;
                if !(a.writes || b.writes) {
                    continue;
                }
                let relation = self.relation(a, b);
                if relation.is_certain() {
                    return Some(self.between(a, b, relation));
                }
                if relation == Relation::Unknown {
                    found.get_or_insert((a, b));
                }
            }
        }
        let (a, b) = found?;
        let own: Vec<&Access> = self.accesses.iter().filter(|access| access.root == root).collect();
        match show(self.func, self.layout, self.indices, self.pfor, &own) {
            Shown::Meet { accesses: [a, b], iterations: [i, j] } => {
                Some(self.between(own[a], own[b], Relation::Meet(i, j)))
            }
            Shown::Apart if all.len() == own.len() => None,
            _ => Some(self.between(a, b, Relation::Unknown)),
        }
    }

    fn relation(&self, a: &Access, b: &Access) -> Relation {
        if a.root == b.root {
            let relation = relate(self.indices, a, b);
            let apart = || never_meet(self.func, self.layout, self.indices, self.pfor, [a, b]);
            if relation == Relation::Unknown && self.indices.has_time() && apart() {
                return Relation::Apart;
            }
            relation
        } else if self.memory.may_alias(a.root, b.root) {
            Relation::Unknown
        } else {
            Relation::Apart
        }
    }

    fn between(&self, a: &Access, b: &Access, relation: Relation) -> Conflict {
        let example = self.example(&relation);
        Conflict {
            first: a.op,
            first_writes: a.writes,
            second: b.op,
            second_writes: b.writes,
            relation,
            example,
        }
    }

    /// Two iterations that meet.
    fn example(&self, relation: &Relation) -> Option<[Poly; 2]> {
        let step = |by: i64| self.indices.step()?.mul(&Poly::constant(by));
        let start = || self.indices.start();
        match relation {
            Relation::Same => Some([start()?, start()?.add(&step(1)?)?]),
            Relation::Distance(distance) if *distance > 0 => {
                Some([start()?, start()?.add(&step(*distance)?)?])
            }
            Relation::Distance(distance) => Some([start()?.add(&step(-distance)?)?, start()?]),
            Relation::Meet(first, second) => Some([first.clone(), second.clone()]),
            Relation::Apart | Relation::Unknown => None,
        }
    }

    fn slice(&self, root: Value) -> Sharing {
        let accesses: Vec<&Access> = self.accesses.iter().filter(|a| a.root == root).collect();
        let writes = accesses.iter().any(|access| access.writes);
        let rank = usize::from(self.func.ty(root).rank());
        let spans: Vec<Span> = (0..rank).map(|axis| self.span(&accesses, axis)).collect();
        let index = self.indices.index();
        let moves = |span: &Span| matches!(span, Span::Range(low, _) if low.mentions(index));
        if !writes && !spans.iter().any(moves) {
            return Sharing::Invariant;
        }
        Sharing::Sliced { writes, footprint: Footprint(spans) }
    }

    /// What all accesses together touch of an axis.
    fn span(&self, accesses: &[&Access], axis: usize) -> Span {
        let extents: Option<Vec<&Extent>> =
            accesses.iter().map(|access| access.extents.as_ref().map(|extents| &extents[axis])).collect();
        let all = || {
            let extents = extents?;
            let low = self.extreme(extents.iter().map(|e| e.low.first()), Side::Below)?;
            let high = self.extreme(extents.iter().map(|e| e.high.first()), Side::Above)?;
            Some(Span::Range(low, high))
        };
        all().unwrap_or(Span::All)
    }

    fn extreme<'p>(&self, polys: impl Iterator<Item = Option<&'p Poly>>, side: Side) -> Option<Poly> {
        let mut best: Option<Poly> = None;
        for poly in polys {
            let poly = poly?;
            let beats = |best: &Poly| {
                let ahead = if side == Side::Above { poly.sub(best) } else { best.sub(poly) }?;
                let behind = ahead.neg();
                let certain = |p: &Poly| self.indices.is_never_negative(p);
                (certain(&ahead) || certain(&behind)).then(|| certain(&ahead))
            };
            let take = match &best {
                None => true,
                Some(best) => beats(best)?,
            };
            if take {
                best = Some(poly.clone());
            }
        }
        best
    }

    /// The operator, where all that is done with an array is to combine elements with values.
    fn reduction(&self, root: Value, updates: &BTreeMap<Op, ReduceOp>) -> Option<ReduceOp> {
        let mut ops = self.touching(root).into_iter().map(|access| updates.get(&access.op).copied());
        let first = ops.next()??;
        ops.all(|op| op == Some(first)).then_some(first)
    }

    fn scalars(&mut self) {
        for value in captures(self.func, self.layout, self.pfor) {
            let listed = self.rows.iter().any(|(row, _)| *row == value);
            if self.func.as_const(value).is_none() && !listed && self.memory.classes(value).is_empty() {
                self.rows.push((value, Sharing::Invariant));
            }
        }
    }

    fn reductions(&mut self) {
        let data = &self.func.ops[self.pfor];
        if let OpKind::PFor(parallel) = &data.kind {
            let carried = &self.func.blocks[data.regions[0]].params[1..];
            self.rows.extend(
                carried.iter().zip(&parallel.reduce).map(|(&value, &op)| (value, Sharing::Reduced(op))),
            );
        }
    }

    fn private(&mut self) {
        for (value, data) in self.func.values.iter() {
            let is_memory = data.ty.is_memory();
            let Some(op) =
                self.func.def_op(value).filter(|&op| is_memory && self.layout.is_inside(op, self.pfor))
            else {
                continue;
            };
            let made = |class| matches!(self.memory.origin(class), Origin::Fresh(origin, _) if origin == op);
            if self.memory.classes(value).iter().all(made) {
                self.rows.push((value, Sharing::Private));
            }
        }
    }
}

/// Loads and stores that together are `a[k] = a[k] op x`, and the like for whole arrays, all of it in one iteration. Nobody
/// else sees the old or the new value: iterations before have not all gone into it.
fn updates(func: &Function, layout: &Layout, pfor: Op) -> BTreeMap<Op, ReduceOp> {
    let (uses, mut found) = (Uses::new(func), BTreeMap::new());
    func.walk(func.ops[pfor].regions[0], &mut |op| {
        let data = &func.ops[op];
        let combined = match data.kind {
            OpKind::Store if uses.count(data.args[1]) == 1 => combined(func, data.args[1], |old| {
                let same = |load: Op| {
                    let load = &func.ops[load];
                    load.kind == OpKind::Load
                        && load.args[0] == data.args[0]
                        && load.args[1..] == data.args[2..]
                };
                func.def_op(old).filter(|&load| same(load) && uses.count(old) == 1)
            }),
            OpKind::Assign => {
                let sum = func.def_op(data.args[1]).filter(|_| uses.count(data.args[1]) == 1);
                combined(func, data.args[1], |old| sum.filter(|_| old == data.args[0]))
            }
            _ => None,
        };
        if let Some((read, reduce)) = combined.filter(|&(read, _)| layout.is_inside(read, pfor)) {
            found.insert(op, reduce);
            found.insert(read, reduce);
        }
    });
    found
}

/// The operator of `old op x`, and the operation that reads `old`.
fn combined(func: &Function, value: Value, read: impl Fn(Value) -> Option<Op>) -> Option<(Op, ReduceOp)> {
    let data = &func.ops[func.def_op(value)?];
    let OpKind::Elem(elem) = data.kind else { return None };
    let (reduce, either) = match elem {
        ElemOp::Add => (ReduceOp::Sum, true),
        ElemOp::Sub => (ReduceOp::Sum, false),
        ElemOp::Mul => (ReduceOp::Prod, true),
        ElemOp::Min => (ReduceOp::Min, true),
        ElemOp::Max => (ReduceOp::Max, true),
        ElemOp::And => (ReduceOp::And, true),
        ElemOp::Or => (ReduceOp::Or, true),
        ElemOp::Xor => (ReduceOp::Xor, true),
        _ => return None,
    };
    let from = read(data.args[0]).or_else(|| read(data.args[1]).filter(|_| either))?;
    Some((from, reduce))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|(value, sharing)| writeln!(f, "{value}: {sharing}"))
    }
}

impl fmt::Display for Sharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invariant => f.write_str("invariant"),
            Self::Sliced { writes, footprint } => {
                write!(f, "sliced {} {footprint}", if *writes { "write" } else { "read" })
            }
            Self::Private => f.write_str("private"),
            Self::Reduced(op) => write!(f, "reduced {}", op.name()),
            Self::Appended => f.write_str("appended"),
            Self::Contended(conflict) => write!(f, "contended, {}", conflict.relation),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apart => f.write_str("apart"),
            Self::Same => f.write_str("the same elements"),
            Self::Distance(distance) => write!(f, "distance {distance}"),
            Self::Meet(first, second) => write!(f, "iterations {first} and {second} meet"),
            Self::Unknown => f.write_str("undecided"),
        }
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spans: Vec<String> = self.0.iter().map(Span::to_string).collect();
        write!(f, "[{}]", spans.join(", "))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(":"),
            Self::Range(low, high) if low == high => write!(f, "{low}"),
            Self::Range(low, high) => write!(f, "{low} ..= {high}"),
        }
    }
}
