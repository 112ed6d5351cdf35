//! Equality of operations by structure, for common subexpressions. Places in the source do not count.

use std::collections::BTreeMap;

use crate::entity::{Block, Entity, Op, Value};
use crate::func::Function;
use crate::op::{Literal, OpKind};

/// Whether two operations of a function do the same: equal kinds, operands, types of results, and regions
/// up to the names of what they define. `resolve` gives what stands for an operand.
#[must_use]
pub fn same_op(func: &Function, a: Op, b: Op, resolve: impl Fn(Value) -> Value) -> bool {
    Comparison { func, resolve: &resolve, inner: BTreeMap::new() }.op(a, b)
}

struct Comparison<'a> {
    func: &'a Function,
    resolve: &'a dyn Fn(Value) -> Value,
    /// From values that the first one defines inside to those of the second.
    inner: BTreeMap<Value, Value>,
}

impl Comparison<'_> {
    fn op(&mut self, a: Op, b: Op) -> bool {
        let (x, y) = (&self.func.ops[a], &self.func.ops[b]);
        let shape = x.kind == y.kind
            && x.args.len() == y.args.len()
            && x.results.len() == y.results.len()
            && x.regions.len() == y.regions.len();
        shape
            && x.args.iter().zip(&y.args).all(|(&x, &y)| self.operand(x, y))
            && x.results.iter().zip(&y.results).all(|(&x, &y)| self.func.ty(x) == self.func.ty(y))
            && x.regions.iter().zip(&y.regions).all(|(&x, &y)| self.block(x, y))
    }

    fn operand(&self, a: Value, b: Value) -> bool {
        let (a, b) = ((self.resolve)(a), (self.resolve)(b));
        match self.inner.get(&a) {
            Some(&mapped) => mapped == b,
            None => a == b,
        }
    }

    fn block(&mut self, a: Block, b: Block) -> bool {
        let (x, y) = (&self.func.blocks[a], &self.func.blocks[b]);
        self.define(&x.params, &y.params)
            && x.ops.len() == y.ops.len()
            && x.ops.iter().zip(&y.ops).all(|(&x, &y)| {
                self.op(x, y) && self.define(&self.func.ops[x].results, &self.func.ops[y].results)
            })
    }

    fn define(&mut self, a: &[Value], b: &[Value]) -> bool {
        self.inner.extend(a.iter().copied().zip(b.iter().copied()));
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.func.ty(a) == self.func.ty(b))
    }
}

/// Equal for operations that [`same_op`] finds equal; the same in every run.
#[must_use]
pub fn hash_op(func: &Function, op: Op, resolve: impl Fn(Value) -> Value) -> u64 {
    let mut hash =
        Hashing { func, resolve: &resolve, inner: BTreeMap::new(), hash: Fnv::default(), left: MOST };
    hash.op(op);
    hash.hash.0
}

/// So many operations of regions are looked at: enough to tell most apart.
const MOST: usize = 16;

struct Hashing<'a> {
    func: &'a Function,
    resolve: &'a dyn Fn(Value) -> Value,
    /// Values that are defined inside, numbered as they come.
    inner: BTreeMap<Value, u64>,
    hash: Fnv,
    left: usize,
}

impl Hashing<'_> {
    fn op(&mut self, op: Op) {
        let data = &self.func.ops[op];
        self.kind(&data.kind);
        for &arg in &data.args {
            let arg = (self.resolve)(arg);
            // What is numbered inside is never the number of a value outside: those count from the other end.
            let number = self.inner.get(&arg).map_or(arg.index() as u64, |inner| !inner);
            self.hash.number(number);
        }
        if let Some(dtype) = data.results.first().and_then(|&r| self.func.ty(r).dtype()) {
            self.hash.number(dtype as u64);
        }
        for &region in &data.regions {
            self.define(&self.func.blocks[region].params);
            for &inner in &self.func.blocks[region].ops {
                let Some(left) = self.left.checked_sub(1) else { return };
                self.left = left;
                self.op(inner);
                self.define(&self.func.ops[inner].results);
            }
        }
    }

    fn define(&mut self, values: &[Value]) {
        for &value in values {
            let number = self.inner.len() as u64;
            self.inner.insert(value, number);
        }
    }

    fn kind(&mut self, kind: &OpKind) {
        let hash = &mut self.hash;
        hash.bytes(kind.mnemonic().as_bytes());
        match kind {
            OpKind::Const(Literal::Bool(value)) => hash.number(u64::from(*value)),
            OpKind::Const(Literal::Int(value)) => hash.bytes(&value.to_le_bytes()),
            OpKind::Const(Literal::Float(bits)) => hash.number(*bits),
            OpKind::Const(Literal::Complex(re, im)) => {
                hash.number(*re);
                hash.number(*im);
            }
            OpKind::Const(Literal::Str(text)) => hash.bytes(text.as_bytes()),
            OpKind::Dim(axis) | OpKind::Stride(axis) => hash.number(u64::from(*axis)),
            OpKind::Call(callee) | OpKind::Launch(callee) => hash.number(callee.index() as u64),
            OpKind::View(items) => hash.number(items.len() as u64),
            _ => {}
        }
    }
}

/// FNV-1a.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }
}
