//! How the elements of arrays lie in memory, as far as it is known before the program runs.

use crate::flow;
use pydd_ir::{Entity, Function, Literal, OpData, OpKind, Type, Value, Version};

/// What is known of each array of a function.
pub struct Layout {
    contiguous: Vec<bool>,
    aligned: Vec<bool>,
}

impl Layout {
    #[must_use]
    pub fn new(func: &Function) -> Self {
        let n = func.values.len();
        let mut layout = Self { contiguous: vec![true; n], aligned: vec![true; n] };
        layout.start(func);
        layout.solve(func);
        layout
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

    fn start(&mut self, func: &Function) {
        let fast = func.version == Version::Fast;
        for param in func.params() {
            self.contiguous[param.index()] = fast;
            self.aligned[param.index()] = fast;
        }
        for data in func.ops.values() {
            let fresh = matches!(data.kind, OpKind::Empty | OpKind::Zeros) || is_plain_row(func, data);
            let passed_on = data.kind.is_breakable() || matches!(data.kind, OpKind::If);
            for &result in &data.results {
                self.contiguous[result.index()] = fresh || passed_on;
            }
        }
    }

    /// Carries doubts along views, calls and control flow until nothing changes.
    fn solve(&mut self, func: &Function) {
        let mut edges: Vec<Edge> = flow::copies(func)
            .iter()
            .filter(|copy| func.ty(copy.to).is_array())
            .map(|copy| Edge { from: copy.from, to: copy.to, same: true })
            .collect();
        for data in func.ops.values() {
            let sources = match data.kind {
                OpKind::RawView => &data.args[..1],
                // A result may be a view of any argument.
                OpKind::Call(_) => &data.args[..],
                _ => continue,
            };
            for &to in data.results.iter().filter(|&&r| func.ty(r).is_array()) {
                let from = sources.iter().filter(|&&a| func.ty(a).is_array());
                edges.extend(from.map(|&from| Edge { from, to, same: false }));
            }
        }
        while edges.iter().fold(false, |changed, edge| self.pass(edge) | changed) {}
    }

    fn pass(&mut self, edge: &Edge) -> bool {
        let (from, to) = (edge.from.index(), edge.to.index());
        let doubt_contiguous = edge.same && self.contiguous[to] && !self.contiguous[from];
        let doubt_aligned = self.aligned[to] && !self.aligned[from];
        self.contiguous[to] &= !doubt_contiguous;
        self.aligned[to] &= !doubt_aligned;
        doubt_contiguous || doubt_aligned
    }
}

/// A view of one axis whose elements stand side by side.
fn is_plain_row(func: &Function, data: &OpData) -> bool {
    let (OpKind::RawView, &[_, _, _, stride]) = (&data.kind, &data.args[..]) else { return false };
    let size = func.ty(data.results[0]).dtype().map(|dtype| dtype.size() as i64);
    matches!(func.as_const(stride), Some(Literal::Int(stride)) if Some(*stride) == size)
}

struct Edge {
    from: Value,
    to: Value,
    /// The very same array, not a view of it.
    same: bool,
}

/// Whether values of this type refer to memory.
#[must_use]
pub fn refers(ty: Type) -> bool {
    matches!(ty, Type::Array { .. } | Type::List(_))
}
