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

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use pydd_ir::alias::{MemoryInfo, Origin};
use pydd_ir::rewrite::{Layout, captures, is_defined_inside};
use pydd_ir::sharing::{self, Footprint, Segment, Sharing, Span, Table};
use pydd_ir::{Function, Op, OpKind, ReduceOp, Type, Value};

use super::access::{Access, Collector, Extent};
use super::depend::{Relation, all_apart, relate};
use super::examples::{Shown, show};
use super::index::{Indices, Side};
use super::overlap::never_meet;
use super::segments;
use super::updates::updates;
use crate::analysis::shapes::Shapes;
use crate::analysis::symbol::{Poly, Symbol};

/// What a value is to the iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// From outside, and shared in a way that any order of the iterations keeps.
    Shared(Sharing<Symbol>),
    /// Made by the iteration for itself.
    Private,
    /// Iterations get in each other's way, or may.
    Contended(Conflict),
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

/// All that the body of one `pfor` uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classes {
    pub rows: Vec<(Value, Class)>,
}

/// Classifies what a `pfor` of the function uses. Parameters are taken as different arrays.
#[must_use]
pub fn classify(func: &Function, memory: &MemoryInfo, pfor: Op) -> Classes {
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
    Classes { rows: classifier.rows }
}

struct Classifier<'a> {
    func: &'a Function,
    memory: &'a MemoryInfo,
    layout: &'a Layout,
    indices: &'a Indices<'a>,
    pfor: Op,
    accesses: Vec<Access>,
    rows: Vec<(Value, Class)>,
}

impl Classifier<'_> {
    fn arrays(&mut self) {
        let mut roots: Vec<Value> = self.accesses.iter().map(|access| access.root).collect();
        roots.sort_unstable();
        roots.dedup();
        let updates = updates(self.func, self.layout, self.pfor);
        let updates =
            updates.iter().flat_map(|one| [(one.write, one.reduce), (one.read, one.reduce)]).collect();
        for root in roots {
            if matches!(self.func.ty(root), Type::List { .. }) {
                let sharing = self.list(root);
                self.rows.push((root, sharing));
                continue;
            }
            let sharing = match self.conflict(root) {
                None => self.slice(root),
                Some(conflict) => {
                    let segmented = self.segmented(root).filter(|_| !conflict.relation.is_certain());
                    let reduced = || self.reduction(root, &updates).map(Sharing::Reduced);
                    segmented.or_else(reduced).map_or(Class::Contended(conflict), Class::Shared)
                }
            };
            self.rows.push((root, sharing));
        }
    }

    /// Items of lists are not told apart.
    fn list(&self, root: Value) -> Class {
        let all = self.touching(root);
        let mut writes = all.iter().filter(|a| a.writes);
        let (Some(first), false) = (writes.next(), self.is_single()) else { return self.slice(root) };
        let appends = |a: &&&Access| {
            a.root == root && a.extents.is_some() && self.func.ops[a.op].kind == OpKind::ListAppend
        };
        match all.iter().find(|a| !appends(a)) {
            None => Class::Shared(Sharing::Appended),
            Some(other) => {
                let write = all.iter().find(|a| a.writes && a.op != other.op).unwrap_or(first);
                Class::Contended(self.between(write, other, Relation::Unknown))
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
        if !all.iter().any(|a| a.writes) {
            return None;
        }
        let other = all.iter().find(|a| a.root != root);
        if self.is_single() {
            // Tables tell arrays apart by their memory, however few the iterations.
            let own = all.iter().find(|a| a.root == root)?;
            return other.map(|other| self.between(own, other, Relation::Unknown));
        }
        if other.is_none() && all_apart(self.indices, &all) {
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
            self.indices.assume_reached([a.op, b.op]);
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
        let step = |by: i64| self.indices.step()?.scale(by);
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

    fn slice(&self, root: Value) -> Class {
        let accesses: Vec<&Access> = self.accesses.iter().filter(|a| a.root == root).collect();
        let writes = accesses.iter().any(|access| access.writes);
        let rank = usize::from(self.func.ty(root).rank());
        // A footprint is one of iterations that leave some of the accesses out as well.
        self.indices.assume_nothing();
        let spans: Vec<Span<Symbol>> = (0..rank).map(|axis| self.span(&accesses, axis)).collect();
        let index = self.indices.index();
        let moves = |span: &Span<Symbol>| match span {
            Span::All => false,
            Span::Range(low, _) => low.mentions(index),
            Span::Segment(_) => true,
        };
        if !writes && !spans.iter().any(moves) {
            return Class::Shared(Sharing::Invariant);
        }
        Class::Shared(Sharing::Sliced { writes, footprint: Footprint(spans) })
    }

    /// The array, if each iteration touches a segment of its own along some axis.
    fn segmented(&self, root: Value) -> Option<Sharing<Symbol>> {
        let accesses = self.touching(root);
        let followed = accesses.iter().all(|access| access.root == root && access.extents.is_some());
        let rank = usize::from(self.func.ty(root).rank());
        let axis = (0..rank).filter(|_| followed).find_map(|axis| {
            let segment = self.segment(&accesses, axis).filter(segments::are_apart);
            segment.map(|segment| (axis, segment))
        });
        let (axis, segment) = axis?;
        let mut spans: Vec<Span<Symbol>> = (0..rank).map(|axis| self.span(&accesses, axis)).collect();
        spans[axis] = Span::Segment(segment);
        Some(Sharing::Sliced { writes: true, footprint: Footprint(spans) })
    }

    /// The segment that all accesses lie in along an axis.
    fn segment(&self, accesses: &[&Access], axis: usize) -> Option<Segment<Symbol>> {
        let by_one = self.indices.step().and_then(|step| step.as_i64()) == Some(1);
        let of_access = accesses.iter().map(|access| access.extents.as_ref()?[axis].segment.as_ref());
        if by_one { segments::around(of_access) } else { None }
    }

    /// What all accesses together touch of an axis.
    fn span(&self, accesses: &[&Access], axis: usize) -> Span<Symbol> {
        let extents: Option<Vec<&Extent>> =
            accesses.iter().map(|access| access.extents.as_ref().map(|extents| &extents[axis])).collect();
        let all = || {
            let extents = extents?;
            let low = self.extreme(extents.iter().map(|e| e.low.first()), Side::Below)?;
            let high = self.extreme(extents.iter().map(|e| e.high.first()), Side::Above)?;
            Some(Span::Range(low, high))
        };
        let segment = || self.segment(accesses, axis).map(Span::Segment);
        all().or_else(segment).unwrap_or(Span::All)
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
        let all = self.touching(root);
        // An operation on whole arrays, which reads another part of the array besides the one that it updates.
        let (count, distinct) =
            (all.len(), all.iter().map(|access| access.op).collect::<BTreeSet<_>>().len());
        if distinct < count {
            return None;
        }
        let mut ops = all.into_iter().map(|access| updates.get(&access.op).copied());
        let first = ops.next()??;
        ops.all(|op| op == Some(first)).then_some(first)
    }

    fn scalars(&mut self) {
        for value in captures(self.func, self.layout, self.pfor) {
            let listed = self.rows.iter().any(|(row, _)| *row == value);
            if self.func.as_const(value).is_none() && !listed && self.memory.classes(value).is_empty() {
                self.rows.push((value, Class::Shared(Sharing::Invariant)));
            }
        }
    }

    fn reductions(&mut self) {
        let data = &self.func.ops[self.pfor];
        if let OpKind::PFor(parallel) = &data.kind {
            let carried = &self.func.blocks[data.regions[0]].params[1..];
            self.rows.extend(
                carried
                    .iter()
                    .zip(&parallel.reduce)
                    .map(|(&value, &op)| (value, Class::Shared(Sharing::Reduced(op)))),
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
                self.rows.push((value, Class::Private));
            }
        }
    }
}

impl Classes {
    /// The table that stands with the loop, and its operands; nothing where iterations have to run in order. Lengths are named of
    /// arrays that have a row, or are only read.
    #[must_use]
    pub fn table(
        &self,
        func: &Function,
        memory: &MemoryInfo,
        layout: &Layout,
        pfor: Op,
    ) -> Option<(Table, Vec<Value>)> {
        let outside = |value: Value| !is_defined_inside(func, layout, value, pfor);
        let mut shared: Vec<(Value, &Sharing<Symbol>)> = Vec::new();
        for (value, class) in &self.rows {
            match class {
                Class::Contended(_) => return None,
                Class::Private => {}
                Class::Shared(_) if !func.ty(*value).is_memory() => {}
                Class::Shared(sharing) if outside(*value) => shared.push((*value, sharing)),
                // What is taken out of a list in each iteration, which can have no row.
                Class::Shared(sharing) if sharing.writes() => return None,
                Class::Shared(_) => {}
            }
        }
        // Rows come first, those of arrays whose lengths or elements are named among them; then numbers.
        let is_read = |array: Value| {
            !shared.iter().any(|(value, sharing)| sharing.writes() && memory.may_alias(*value, array))
        };
        let mut operands: Vec<Value> = shared.iter().map(|(value, _)| *value).collect();
        let mut numbers = Vec::new();
        for symbol in shared.iter().flat_map(|(_, sharing)| symbols(sharing)) {
            let (Symbol::Value(value) | Symbol::Length(value, _)) = symbol else { continue };
            let known = !outside(value) || operands.contains(&value) || numbers.contains(&value);
            if known {
                continue;
            }
            if func.ty(value).is_array() && is_read(value) {
                operands.push(value);
            } else if func.ty(value) == Type::I64 {
                numbers.push(value);
            }
        }
        let named_alone = operands.len() - shared.len();
        operands.extend(numbers);
        let index = func.blocks[func.ops[pfor].regions[0]].params[0];
        let operand = |wanted: Value| {
            let at = operands.iter().position(|&value| value == wanted)?;
            Some(u32::try_from(at).expect("few operands"))
        };
        let mut named = |symbol: Symbol| match symbol {
            Symbol::Value(value) if value == index => Some(sharing::Symbol::Index),
            Symbol::Value(value) => operand(value).map(sharing::Symbol::Number),
            Symbol::Length(array, axis) => operand(array).map(|at| sharing::Symbol::Length(at, axis)),
            Symbol::Iteration(_) | Symbol::LastIteration(_) => None,
        };
        let mut rows: Vec<_> = shared.iter().map(|(_, sharing)| sharing.over(&mut named)).collect();
        // Segments are tested before the loop, so none that is written may get lost.
        let lost = |(row, (_, sharing)): (&Sharing<_>, &(Value, &Sharing<Symbol>))| {
            sharing.writes() && row.segments().count() < sharing.segments().count()
        };
        if rows.iter().zip(&shared).any(lost) {
            return None;
        }
        rows.extend(std::iter::repeat_n(Sharing::Invariant, named_alone));
        Some((Table { rows }, operands))
    }
}

/// What the footprint of a row names.
fn symbols(sharing: &Sharing<Symbol>) -> Vec<Symbol> {
    let Sharing::Sliced { footprint, .. } = sharing else { return Vec::new() };
    let pointers = footprint.segments().map(|segment| segment.pointers);
    pointers.chain(footprint.polys().flat_map(|poly| poly.symbols())).collect()
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|(value, class)| writeln!(f, "{value}: {class}"))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shared(sharing) => sharing.fmt(f),
            Self::Private => f.write_str("private"),
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
