//! Which memory arrays and lists may stand for, and how it is laid out.
//!
//! A value's **roots** are the parameters and allocations that it may be (a view of). Roots make the
//! alias classes: each allocation has its own; parameters have one each in `Version::Fast` functions
//! and share one in all others.

use crate::bits::Bits;
use crate::flow;
use pydd_ir::{Entity, Function, Op, OpKind, Type, Value, Version};

/// What is known of each value that refers to memory.
pub struct Memory {
    roots: Vec<Bits>,
    contiguous: Vec<bool>,
    aligned: Vec<bool>,
    params: usize,
    /// How many roots there are: parameters first.
    count: usize,
    shared_params: bool,
}

impl Memory {
    #[must_use]
    pub fn new(func: &Function) -> Self {
        let n = func.values.len();
        let mut memory = Self {
            roots: vec![Bits::default(); n],
            contiguous: vec![true; n],
            aligned: vec![true; n],
            params: func.params().len(),
            count: func.params().len(),
            shared_params: func.version != Version::Fast,
        };
        let ops = func.all_ops();
        memory.start(func, &ops);
        memory.solve(func, &ops);
        memory
    }

    /// The parameters and allocations that a value may refer to.
    #[must_use]
    pub fn roots(&self, value: Value) -> &Bits {
        &self.roots[value.index()]
    }

    /// The parameters among the roots.
    pub fn param_roots(&self, value: Value) -> impl Iterator<Item = usize> {
        self.roots(value).iter().filter(|&root| root < self.params)
    }

    /// The alias classes that an access through this value touches.
    #[must_use]
    pub fn classes(&self, value: Value) -> Bits {
        self.roots(value).iter().map(|root| self.class(root)).collect()
    }

    /// All classes are below this.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.count
    }

    fn class(&self, root: usize) -> usize {
        if self.shared_params && root < self.params { 0 } else { root }
    }

    /// Whether an array is surely row-major without gaps, so that its strides follow from its dimensions.
    #[must_use]
    pub fn is_contiguous(&self, value: Value) -> bool {
        self.contiguous[value.index()]
    }

    /// Whether an array's elements surely lie at multiples of their natural alignment.
    #[must_use]
    pub fn is_aligned(&self, value: Value) -> bool {
        self.aligned[value.index()]
    }

    fn start(&mut self, func: &Function, ops: &[Op]) {
        for (i, &param) in func.params().iter().enumerate() {
            self.roots[param.index()].insert(i);
            let fast = func.version == Version::Fast;
            self.contiguous[param.index()] = fast;
            self.aligned[param.index()] = fast;
        }
        for &op in ops {
            let data = &func.ops[op];
            for &result in data.results.iter().filter(|&&r| refers(func.ty(r))) {
                if makes_memory(&data.kind) {
                    self.roots[result.index()].insert(self.count);
                    self.count += 1;
                }
                let fresh = makes_memory(&data.kind) && !matches!(data.kind, OpKind::Call(_));
                self.contiguous[result.index()] = fresh || forwards(&data.kind);
            }
        }
    }

    /// Carries facts along views, calls and control flow until nothing changes.
    fn solve(&mut self, func: &Function, ops: &[Op]) {
        let mut edges: Vec<Edge> = flow::copies(func)
            .iter()
            .filter(|copy| refers(func.ty(copy.to)))
            .map(|copy| Edge { from: copy.from, to: copy.to, same_layout: true })
            .collect();
        for &op in ops {
            let data = &func.ops[op];
            let sources = match data.kind {
                OpKind::RawView => &data.args[..1],
                OpKind::Call(_) => &data.args[..],
                _ => continue,
            };
            for &to in data.results.iter().filter(|&&r| refers(func.ty(r))) {
                let from = sources.iter().filter(|&&a| refers(func.ty(a)));
                edges.extend(from.map(|&from| Edge { from, to, same_layout: false }));
            }
        }
        while edges.iter().fold(false, |changed, edge| self.pass(edge) | changed) {}
    }

    fn pass(&mut self, edge: &Edge) -> bool {
        let (from, to) = (edge.from.index(), edge.to.index());
        let roots = std::mem::take(&mut self.roots[from]);
        let mut changed = from != to && self.roots[to].union(&roots);
        self.roots[from] = roots;
        if edge.same_layout && self.contiguous[to] && !self.contiguous[from] {
            self.contiguous[to] = false;
            changed = true;
        }
        if self.aligned[to] && !self.aligned[from] {
            self.aligned[to] = false;
            changed = true;
        }
        changed
    }
}

struct Edge {
    from: Value,
    to: Value,
    /// The very same value, not a view of it.
    same_layout: bool,
}

/// Whether values of this type refer to memory.
#[must_use]
pub fn refers(ty: Type) -> bool {
    matches!(ty, Type::Array { .. } | Type::List(_))
}

fn makes_memory(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Empty | OpKind::Zeros | OpKind::ListNew | OpKind::Lib(_) | OpKind::Call(_))
}

/// Whether an operation's results are values that its regions or operands pass on unchanged.
fn forwards(kind: &OpKind) -> bool {
    matches!(kind, OpKind::If | OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::Scope)
}
