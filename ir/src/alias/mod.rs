//! What is known of memory: where each array and list comes from, and what operations read and write.
//!
//! Every value that refers to memory has *origins* (a parameter, or an operation that made it) and lies in
//! *alias classes*. Memory of different classes never overlaps. A fresh origin is a class of its own, which
//! all memory shares that the operation makes, in each iteration of the loops around it. Parameters:
//!
//! - in a [`Version::Fast`] function each is a class of its own: whoever calls it has tested that no memory
//!   that is written through one parameter ([`FuncSummary::writes`]) is reached through another;
//! - in a [`Region`](crate::Region) the captures that have one number are one class, and lists hold those alone that are said to
//!   be held;
//! - in other functions all arrays are one class, and all lists of one type are one class.
//!
//! All lists of one type that lists of lists hold are one class as well, and so are all arrays that lists hold; parameters are
//! in such a class where one of these lists may hold them when it is passed.
//!
//! Arrays of different element types may overlap (NumPy has such views), arrays and lists never do.
//!
//! Nothing is stored in the IR: passes make a [`MemoryInfo`] when they need one and drop it when they change
//! the function. [`Summaries`] stay right when functions lose effects.

mod effects;
mod fresh;
mod points_to;
mod set;
mod summary;
#[cfg(test)]
mod tests;
mod turns;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use crate::entity::{AliasClass, Block, Entity, Op, PrimaryMap, Slot, Value};
use crate::func::{Function, Module};
use crate::op::{OpKind, Version};
use crate::types::Type;

pub use effects::Effects;
use fresh::Fresh;
pub use points_to::Origin;
use points_to::{OriginSet, PointsTo, held_as};
pub use set::{ClassSet, SortedSet};
pub use summary::{FuncSummary, ResultSummary, Summaries};
use turns::Turns;
pub use written::{note_written, written_params};

/// The memory of one function.
#[derive(Clone, Debug)]
pub struct MemoryInfo {
    /// By value.
    classes: Vec<ClassSet>,
    /// By value, for those that the function had when it was looked at.
    sets: Vec<OriginSet>,
    /// By class, the first origin in it.
    origins: PrimaryMap<AliasClass, Origin>,
    /// By operation; nothing for those that stand in no block.
    effects: Vec<Effects>,
    /// By slot, the fresh memory that it may own.
    owned: BTreeMap<Slot, ClassSet>,
    turns: Turns,
    fresh: Fresh,
    written: ClassSet,
    returned: ClassSet,
}

impl MemoryInfo {
    /// The memory of a function of a module.
    #[must_use]
    pub fn of(module: &Module, func: crate::FuncRef) -> Self {
        Self::new(&module.funcs[func], &Summaries::of_callees(module))
    }

    /// The memory of a function, given what is known of its callees.
    #[must_use]
    pub fn new(func: &Function, summaries: &Summaries) -> Self {
        Self::build(func, summaries, func.version == Version::Fast)
    }

    /// As [`Self::new`], each array parameter taken to be memory of its own: what is a view of which of them.
    #[must_use]
    pub fn with_own_params(func: &Function, summaries: &Summaries) -> Self {
        Self::build(func, summaries, true)
    }

    fn build(func: &Function, summaries: &Summaries, own_params: bool) -> Self {
        let points_to = PointsTo::new(func, summaries);
        let numbering = Numbering::new(func, &points_to, own_params);
        let owned = owned(func, &points_to, &numbering);
        let classes: Vec<ClassSet> =
            points_to.sets.iter().map(|set| set.iter().map(|o| numbering.class(o)).collect()).collect();
        let overlap = |turns: &Turns, a: Value, b: Value| {
            classes[a.index()].intersects(&classes[b.index()]) && !turns.apart(a, b)
        };
        let turns = Turns::new(func, overlap);
        let mut info = Self {
            turns,
            fresh: Fresh::new(func),
            classes,
            sets: points_to.sets,
            origins: numbering.origins,
            effects: vec![Effects::default(); func.ops.len()],
            owned,
            written: ClassSet::default(),
            returned: ClassSet::default(),
        };
        let (all, _) = effects::EffectsBuilder { func, summaries, memory: &mut info }.block(func.entry);
        info.written = all.writes;
        func.walk(func.entry, &mut |op| {
            if func.ops[op].kind == OpKind::Return {
                func.ops[op].args.iter().for_each(|&arg| {
                    info.returned.union(&info.classes[arg.index()]);
                });
            }
        });
        info
    }

    /// The classes that a value's memory may be in; empty for what refers to no memory.
    #[must_use]
    pub fn classes(&self, value: Value) -> &ClassSet {
        &self.classes[value.index()]
    }

    /// How many classes there are.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.origins.len()
    }

    /// Where a class's memory comes from; for parameters that share a class, the first of them.
    #[must_use]
    pub fn origin(&self, class: AliasClass) -> Origin {
        self.origins[class]
    }

    /// Whether all memory that a value may be is made by such operations, and did not come out of a list.
    #[must_use]
    pub fn is_made_by(&self, value: Value, by: impl Fn(Op) -> bool) -> bool {
        let is_made = |origin| matches!(origin, Origin::Fresh(op, _) if by(op));
        self.sets.get(value.index()).is_some_and(|origins| origins.iter().all(is_made))
    }

    /// Whether the memory of two values may overlap, at any place where both are defined.
    #[must_use]
    pub fn may_alias(&self, a: Value, b: Value) -> bool {
        self.classes(a).intersects(self.classes(b)) && !self.turns.apart(a, b) && !self.fresh.apart(a, b)
    }

    /// Whether lists may hold what a value is.
    #[must_use]
    pub fn is_held(&self, func: &Function, value: Value) -> bool {
        self.classes(value).iter().any(|class| self.origin(class) == Origin::held(func.ty(value)))
    }

    /// What an operation with all that is nested in it does.
    #[must_use]
    pub fn effects(&self, op: Op) -> &Effects {
        &self.effects[op.index()]
    }

    /// What all operations of a block do together.
    #[must_use]
    pub fn block_effects(&self, func: &Function, block: Block) -> Effects {
        let mut all = Effects::default();
        func.blocks[block].ops.iter().for_each(|&op| all.merge(self.effects(op)));
        all
    }

    /// The classes that anything in the function writes.
    #[must_use]
    pub fn written(&self) -> &ClassSet {
        &self.written
    }

    /// The classes that callers can reach afterwards: those of parameters and of results.
    #[must_use]
    pub fn escapes(&self, class: AliasClass) -> bool {
        !matches!(self.origin(class), Origin::Fresh(..)) || self.returned.contains(class)
    }

    /// Whether nobody can tell if two such values are one array or two equal ones: all memory is made here,
    /// never written after it was filled, and never returned. What may be hoisted or shared, must be this.
    #[must_use]
    pub fn is_value_like(&self, value: Value) -> bool {
        self.classes(value).iter().all(|class| !self.written.contains(class) && !self.escapes(class))
    }

    /// Whether all memory is made here and never written after it was filled. Of two equal such values one may stand for both unless both are returned.
    #[must_use]
    pub fn is_unchanged(&self, value: Value) -> bool {
        let is_own = |class| matches!(self.origin(class), Origin::Fresh(..));
        self.classes(value).iter().all(|class| !self.written.contains(class) && is_own(class))
    }

    /// The legality query: whether `a` directly before `b` may as well stand behind it. Operands are the
    /// caller's matter. What an exception leaves behind in memory that the caller can see counts.
    #[must_use]
    pub fn may_swap(&self, a: Op, b: Op) -> bool {
        self.may_swap_effects(self.effects(a), self.effects(b))
    }

    /// Whether the second of two neighbours may as well stand before the first, as [`Self::may_swap`]; a check that stands
    /// earlier than before still stands before what relies on it.
    #[must_use]
    pub fn may_hoist(&self, first: &Effects, second: &Effects) -> bool {
        self.may_swap_effects(&Effects { guarded: first.guarded && !second.raises, ..first.clone() }, second)
    }

    /// As [`Self::may_swap`], for the effects of several operations.
    #[must_use]
    pub fn may_swap_effects(&self, a: &Effects, b: &Effects) -> bool {
        let memory = !a.writes.intersects(&b.writes)
            && !a.writes.intersects(&b.reads)
            && !a.reads.intersects(&b.writes)
            && !a.touches(&b.frees)
            && !b.touches(&a.frees);
        memory && !(a.io && b.io) && !(a.owns && b.owns) && self.exit_allows(a, b) && self.exit_allows(b, a)
    }

    /// Whether `other` may be done or not when `exit` ends otherwise than by going on.
    fn exit_allows(&self, exit: &Effects, other: &Effects) -> bool {
        let seen = !self.writes_fresh(other);
        // A path that jumps goes on in this function, where any memory may be read.
        let seen = seen || (exit.leaves && !other.writes.is_empty());
        !exit.may_exit() || !(other.may_exit() || other.io || other.guarded || other.owns || seen)
    }

    /// Whether nothing is written but memory of the function's own: what would be a result is none when an error ends the function.
    #[must_use]
    pub fn writes_fresh(&self, effects: &Effects) -> bool {
        effects.writes.iter().all(|class| matches!(self.origin(class), Origin::Fresh(..)))
    }

    /// The classes of what lists of lists or arrays hold.
    fn held(&self) -> ClassSet {
        let held = self.origins.iter().filter(|(_, origin)| matches!(origin, Origin::Held(_)));
        held.map(|(class, _)| class).collect()
    }

    /// Finds out anew what an operation with all that is nested in it does, after code was moved. Values that were made
    /// since are no memory, unless [`note_same`](Self::note_same) was told of them.
    pub fn refresh(&mut self, func: &Function, summaries: &Summaries, op: Op) {
        self.effects.resize(func.ops.len(), Effects::default());
        self.classes.resize(func.values.len(), ClassSet::default());
        let (effects, _) = effects::EffectsBuilder { func, summaries, memory: self }.op(op);
        self.set_effects(op, effects);
    }

    /// A value that was made since has the memory of another one.
    pub fn note_same(&mut self, new: Value, old: Value) {
        let most = self.classes.len().max(new.index() + 1);
        self.classes.resize(most, ClassSet::default());
        self.classes[new.index()] = self.classes[old.index()].clone();
        self.turns.note_same(new, old);
        self.fresh.note_same(new, old);
    }

    fn set_effects(&mut self, op: Op, effects: Effects) {
        self.effects[op.index()] = effects;
    }

    fn owned(&self, slot: Slot) -> ClassSet {
        self.owned.get(&slot).cloned().unwrap_or_default()
    }
}

/// Classes for origins.
struct Numbering {
    origins: PrimaryMap<AliasClass, Origin>,
    /// By parameter.
    params: Vec<Option<AliasClass>>,
    /// What lists of lists or arrays hold, by type.
    held: BTreeMap<Type, AliasClass>,
    /// Sorted by origin.
    fresh: Vec<(Origin, AliasClass)>,
}

impl Numbering {
    fn new(func: &Function, points_to: &PointsTo, own_params: bool) -> Self {
        let mut numbering = Self {
            origins: PrimaryMap::default(),
            params: Vec::new(),
            held: BTreeMap::new(),
            fresh: Vec::new(),
        };
        numbering.number_held(func, points_to);
        numbering.number_params(func, points_to, own_params);
        for &origin in &points_to.fresh {
            if let (true, Some(class)) =
                (points_to.held.contains(origin), numbering.held_class(origin_type(func, origin)))
            {
                numbering.fresh.push((origin, class));
            } else {
                let class = numbering.origins.push(origin);
                numbering.fresh.push((origin, class));
            }
        }
        numbering.fresh.sort_unstable_by_key(|&(origin, _)| origin);
        numbering
    }

    /// The class of what lists hold of a type, if they hold any.
    fn held_class(&self, ty: Type) -> Option<AliasClass> {
        self.held.get(&held_as(ty)).copied()
    }

    /// The types of what the function's lists of lists or arrays hold, or those of functions that it calls.
    fn number_held(&mut self, func: &Function, points_to: &PointsTo) {
        let held = |origin| match origin {
            Origin::Held(ty) => Some(ty),
            _ => None,
        };
        let mut types: BTreeSet<Type> =
            points_to.sets.iter().flat_map(|set| set.iter().filter_map(held)).collect();
        let mut add = |values: &[Value]| {
            for &value in values {
                let inner = std::iter::successors(func.ty(value).list_item(), |ty| ty.list_item());
                types.extend(inner.filter(|ty| ty.is_memory()).map(held_as));
            }
        };
        add(func.params());
        // Of operations that stand in no block any more nothing is left in the text.
        func.walk(func.entry, &mut |op| {
            let data = &func.ops[op];
            add(&data.results);
            data.regions.iter().for_each(|&region| add(&func.blocks[region].params));
        });
        for ty in types {
            let class = self.origins.push(Origin::Held(ty));
            self.held.insert(ty, class);
        }
    }

    fn number_params(&mut self, func: &Function, points_to: &PointsTo, own_params: bool) {
        // What a region captures is numbered; else arrays of any types may overlap.
        let kind = |i: usize, ty: Type| {
            let number = func.region.as_ref().and_then(|region| Some(region.capture(i)?.memory));
            (number, (!ty.is_array() && number.is_none()).then_some(ty))
        };
        let params = || func.params().iter().map(|&param| func.ty(param)).enumerate();
        let memory = || params().filter(|&(_, ty)| ty.is_memory());
        let held = memory().filter(|&(i, _)| may_be_held(func, points_to, i));
        let held: BTreeSet<_> = held.filter(|_| !own_params).map(|(i, ty)| kind(i, ty)).collect();
        let mut shared = BTreeMap::new();
        for (i, ty) in params() {
            if !ty.is_memory() {
                self.params.push(None);
                continue;
            }
            let kind = kind(i, ty);
            if let Some(class) = self.held_class(ty)
                && (held.contains(&kind) || may_be_held(func, points_to, i))
            {
                self.params.push(Some(class));
                continue;
            }
            let class = match shared.get(&kind) {
                Some(&class) if !own_params => class,
                _ => {
                    let origin = Origin::Param(u32::try_from(i).expect("fewer than 2^32 parameters"));
                    self.origins.push(origin)
                }
            };
            shared.insert(kind, class);
            self.params.push(Some(class));
        }
    }

    fn class(&self, origin: Origin) -> AliasClass {
        match origin {
            Origin::Param(index) => self.params[index as usize].expect("a parameter that is memory"),
            Origin::Fresh(..) => find(&self.fresh, origin).expect("all fresh origins are listed"),
            Origin::Held(ty) => self.held[&ty],
        }
    }
}

fn find(fresh: &[(Origin, AliasClass)], origin: Origin) -> Option<AliasClass> {
    fresh.binary_search_by_key(&origin, |&(o, _)| o).ok().map(|at| fresh[at].1)
}

/// The type of the values that come from there.
fn origin_type(func: &Function, origin: Origin) -> Type {
    match origin {
        Origin::Param(index) => func.ty(func.params()[index as usize]),
        Origin::Fresh(op, piece) => func.ty(func.ops[op].results[piece as usize]),
        Origin::Held(ty) => ty,
    }
}

/// Whether a parameter may be what a list holds: it is put into one here, or comes beside one that may hold it already.
fn may_be_held(func: &Function, points_to: &PointsTo, index: usize) -> bool {
    let (ty, params) = (func.ty(func.params()[index]), func.params());
    let origin = Origin::Param(u32::try_from(index).expect("fewer than 2^32 parameters"));
    let by_others = match func.region.as_ref().and_then(|region| region.capture(index)) {
        Some(capture) => capture.held,
        None => params.iter().any(|&other| func.ty(other).may_hold(ty)),
    };
    points_to.held.contains(origin) || by_others
}

/// For each slot the memory that it may release. Parameters' memory is the caller's and stays.
fn owned(func: &Function, points_to: &PointsTo, numbering: &Numbering) -> BTreeMap<Slot, ClassSet> {
    let mut owned = BTreeMap::<Slot, ClassSet>::new();
    func.walk(func.entry, &mut |op| {
        if let (OpKind::Own { slot, .. }, Some(&arg)) = (&func.ops[op].kind, func.ops[op].args.first()) {
            let released = points_to.sets[arg.index()].iter().filter(|o| !matches!(o, Origin::Param(_)));
            let released = released.map(|o| numbering.class(o));
            // With a list goes what only it holds.
            let inner = numbering.held.iter().filter(|&(&ty, _)| func.ty(arg).may_hold(ty)).map(|(_, &c)| c);
            owned.entry(slot.to_owned()).or_default().union(&released.chain(inner).collect());
        }
    });
    owned
}
