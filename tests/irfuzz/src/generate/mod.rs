//! Random well-typed modules of array IR.
//!
//! What is made means the same in every implementation: contents of `empty` are overwritten at once, sums of
//! floats keep their order, views with stretched axes are not written, and no function is called whose last
//! bit differs between libraries. Shapes are followed roughly, so that most operations fit.

mod arrays;
mod control;
mod functions;
mod lists;
mod nests;
mod pivots;
mod recurrences;
mod scalars;
mod scans;
mod searches;
mod states;
mod stencils;
mod tables;
mod views;

use pydd_ir::{Block, Builder, DType, Entity, FuncRef, Function, Loc, Module, Op, OpKind, Type, Value};
use pydd_test_support::rng::Rng;

/// The length of an axis: values with equal ones have equal lengths (for most arguments).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dim {
    One,
    Id(u32),
}

/// Lengths below this one are those of parameters.
pub(crate) const FIRST_DIM: u32 = 10;

pub(crate) type Shape = Vec<Dim>;

/// A value that may be used here.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    value: Value,
    ty: Type,
    /// Of arrays.
    shape: Shape,
    /// Not to be written, carried, returned or passed on.
    fixed: bool,
    /// Row-major without gaps in every implementation.
    contiguous: bool,
    /// Of scalars: an index within an axis of this length.
    indexes: Option<Dim>,
}

/// What a jump to a loop or scope carries.
#[derive(Clone)]
pub(crate) struct Frame {
    kind: FrameKind,
    /// For `continue`.
    carried: Vec<Wanted>,
    /// For `break`.
    results: Vec<Wanted>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameKind {
    For,
    /// The first carried value counts by so much and ends the loop.
    Loop(i64),
    Scope,
    Parallel,
}

/// A value of this type and shape is wanted; `fallback` is one that is always there.
#[derive(Clone)]
pub(crate) struct Wanted {
    ty: Type,
    shape: Option<Shape>,
    fallback: Value,
}

/// A function that calls may go to.
pub(crate) struct Callee {
    func: FuncRef,
    params: Vec<Type>,
    results: Vec<Type>,
    /// The first parameter is a depth, which is passed on less one.
    recursive: bool,
}

pub(crate) struct Gen<'g> {
    rng: &'g mut Rng,
    func: &'g mut Function,
    block: Block,
    env: Vec<Known>,
    frames: Vec<Frame>,
    callees: &'g [Callee],
    returns: Vec<Wanted>,
    dtypes: &'g [DType],
    next_dim: u32,
    line: &'g mut u32,
    scope: u32,
    /// Operations that may still be made.
    budget: i32,
    /// The most axes that arrays are to have.
    most_axes: usize,
    /// In the region of a map: scalars only, and no effects.
    in_map: bool,
    /// The function's own reference and depth parameter, while it recurses.
    myself: Option<(FuncRef, Value)>,
}

/// A module from a seed.
#[must_use]
pub fn module(seed: u64) -> Module {
    functions::module(&mut Rng::new(seed))
}

impl Gen<'_> {
    fn builder(&mut self) -> Builder<'_> {
        *self.line += 1;
        let mut b = Builder::new(self.func, self.block);
        b.loc = Loc { line: *self.line, column: 1, scope: self.scope };
        b
    }

    fn op(&mut self, kind: OpKind, args: Vec<Value>, results: &[Type], regions: Vec<Block>) -> Op {
        self.budget -= 1;
        self.builder().op(kind, args, results, regions)
    }

    fn make(&mut self, kind: OpKind, args: Vec<Value>, ty: Type) -> Value {
        let op = self.op(kind, args, &[ty], vec![]);
        self.func.result(op)
    }

    fn int(&mut self, value: i64) -> Value {
        self.builder().int(value)
    }

    fn ty(&self, value: Value) -> Type {
        self.func.ty(value)
    }

    fn fresh_dim(&mut self) -> Dim {
        self.next_dim += 1;
        Dim::Id(self.next_dim)
    }

    fn fresh_shape(&mut self, rank: u8) -> Shape {
        (0..rank).map(|_| self.fresh_dim()).collect()
    }

    fn know(&mut self, value: Value, shape: Shape, fixed: bool, contiguous: bool) -> Known {
        let known = Known { value, ty: self.ty(value), shape, fixed, contiguous, indexes: None };
        self.env.push(known.clone());
        known
    }

    fn know_scalar(&mut self, value: Value) {
        self.know(value, vec![], false, false);
    }

    /// A random value of the environment for which `wanted` holds; newer ones are likelier.
    fn find(&mut self, wanted: impl Fn(&Known) -> bool) -> Option<Known> {
        let found: Vec<usize> = (0..self.env.len()).filter(|&i| wanted(&self.env[i])).collect();
        if found.is_empty() {
            return None;
        }
        let (a, b) = (self.rng.below(found.len()), self.rng.below(found.len()));
        Some(self.env[found[a.max(b)]].clone())
    }

    fn dtype(&mut self) -> DType {
        let dtypes = self.dtypes;
        self.rng.pick(dtypes)
    }

    /// A value for a jump or the end of a region.
    fn supply(&mut self, wanted: &Wanted) -> Value {
        if self.rng.percent(15) {
            return wanted.fallback;
        }
        let (ty, shape) = (wanted.ty, wanted.shape.clone());
        let fits = |k: &Known| k.ty == ty && !k.fixed && shape.as_ref().is_none_or(|s| *s == k.shape);
        match self.find(fits) {
            Some(known) => known.value,
            None => wanted.fallback,
        }
    }

    fn supply_all(&mut self, wanted: &[Wanted]) -> Vec<Value> {
        wanted.iter().map(|w| self.supply(w)).collect()
    }

    /// Builds a region; what it makes is forgotten afterwards.
    fn region(&mut self, params: &[Type], build: impl FnOnce(&mut Self, &[Value])) -> Block {
        let block = self.func.new_block();
        let values: Vec<Value> = params.iter().map(|&ty| self.func.add_param(block, ty)).collect();
        let outer = std::mem::replace(&mut self.block, block);
        let mark = self.env.len();
        build(self, &values);
        self.env.truncate(mark);
        self.block = outer;
        block
    }

    /// Makes operations until the budget of this block is used up.
    fn body(&mut self, count: usize) {
        for _ in 0..count {
            if self.budget > 0 {
                self.step();
            }
        }
        if !self.in_map && self.rng.percent(35) {
            self.log();
        }
    }

    fn step(&mut self) {
        if self.in_map {
            return match self.rng.below(10) {
                0 => self.map_if(),
                1 => self.load(),
                2 => self.check(),
                _ => self.scalar_op(),
            };
        }
        match self.rng.below(129) {
            0..20 => self.scalar_op(),
            20..24 => self.load(),
            24..29 => self.store(),
            29..35 => self.view(),
            35..37 => self.transpose(),
            37..40 => self.reshape(),
            40 => self.broadcast(),
            41 => self.windows(),
            42..55 => self.elementwise(),
            55..58 => self.cast_array(),
            58..61 => self.create(),
            61..67 => self.assign(),
            67..70 => self.overlapping_assign(),
            70..74 => self.reduce(),
            74..79 => self.map(),
            79..82 => self.list_op(),
            82..85 => self.branch(),
            85..91 => self.loops(),
            91..93 => self.scope_op(),
            93..95 => self.call(),
            95..97 => self.check(),
            97..99 => self.parallel(),
            99 => self.library(),
            100..121 => self.nest(),
            _ => self.log(),
        }
    }
}

/// Whether values of the type refer to memory.
pub(crate) const fn refers(ty: Type) -> bool {
    matches!(ty, Type::Array { .. } | Type::List { .. })
}

pub(crate) fn func_ref(index: usize) -> FuncRef {
    FuncRef::new(index)
}
