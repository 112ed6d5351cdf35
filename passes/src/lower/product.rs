//! Products of matrices: loops where they are short, else a call of the runtime.
//!
//! ```text
//! %c = lib matmul %a, %b     ⇒     check (eq %k, %l), ValueError "…"     %c = empty %n, %m
//!                                  if (few products) { for %i { for %p { for %j { %c[%i, %j] += … } } } }
//!                                  else              { lib matmul %a, %b, %c }
//! ```
//!
//! In loop IR `matmul` writes its last operand, and all three have the same rank of at least 2 and equal
//! leading axes (stride 0 where stretched). Loops are for stacks, and for what other loops are around. A stack times one matrix is one product, if the stack has no gaps between its
//! matrices. Vector by vector, and vectors by matrices, are loops, which wait for memory as any code does.
//!
//! A product whose rows are searched for their least or greatest element, as those of points and centers are, is made where it is searched: of
//! few coordinates by loops that join the search, so that there is no product. Nothing writes to its operands in between.
//!
//! General versions call the runtime, and so does all code that is to be in source order or made in no time: what it calls is
//! vectorised all the same.

use pydd_ir::rewrite::{Uses, position};
use pydd_ir::{DType, ElemOp, IndexItem, LibOp, MapTarget, Op, OpKind, ReduceOp, Value, Version};

use super::Lower;
use super::array::Array;
use super::broadcast::Shape;
use super::reduce::{Kind, is_position};

const MATMUL_MISMATCH: &str = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc \
     signature (n?,k),(k,m?)->(n?,m?) (size {0} is different from {1})";

/// Multiplications that take no longer than a call.
const FEW: i64 = 512;

/// The same where few of them make an element: the runtime copies operands first, which costs as much.
const FEW_SHORT: i64 = 2048;
const SHORT: i64 = 4;

/// Rows that are added up before their sum joins a row of the result.
const ROWS: i64 = 8;

/// A product that the one search that uses it makes.
#[derive(Clone)]
pub(super) struct Delayed {
    pub search: Op,
    /// What stands for it until then.
    pub out: Array,
    left: Array,
    right: Array,
}

impl Delayed {
    /// How many terms its sums have.
    pub fn terms(&self) -> Value {
        self.left.dims[1]
    }
}

impl Lower<'_> {
    pub(super) fn matmul(&mut self, op: Op) {
        let args = self.args(op);
        let (a, b) = (self.array(args[0]).clone(), self.array(args[1]).clone());
        let inner = b.dims[b.rank().saturating_sub(2)];
        let depth = a.dims[a.rank() - 1];
        if let Some(ok) = self.unless_same(inner, depth) {
            self.check_value(ok, MATMUL_MISMATCH, &[inner, depth]);
        }
        let result = self.src.result(op);
        if a.rank() == 1 && b.rank() == 1 {
            let dot = self.dot(&a, &b);
            return self.define(result, dot);
        }
        let looped = self.loops_for_products && self.src.version != Version::General;
        if looped && let Some(search) = self.search_behind(op) {
            let out = self.empty(self.dtype(a.value), &[a.dims[0], b.dims[1]]);
            self.delayed = Some(Delayed { search, out: out.clone(), left: a, right: b });
            return self.define_array(result, &out);
        }
        let out = match (a.rank(), b.rank()) {
            // A device has a thread for each element of the result.
            (1, 2) if looped && self.src.device => self.matrices(&a, &b, looped),
            (1, rank) if looped && (rank == 2 || b.order.is_empty()) => self.vector_by_matrix(&a, &b),
            (rank, 1) if looped && (rank == 2 || a.order.is_empty()) => self.matrix_by_vector(&a, &b),
            _ => self.matrices(&a, &b, looped),
        };
        self.define_array(result, &out);
    }

    /// The search along the rows of a product of two matrices that alone uses it, in the same block, if its operands are as they were there.
    fn search_behind(&self, op: Op) -> Option<Op> {
        let src = self.src;
        let (memory, uses) = (self.memory.as_ref()?, Uses::new(src));
        if self.delayed.is_some() || src.device || src.ops[op].args.iter().any(|&arg| src.ty(arg).rank() != 2)
        {
            return None;
        }
        let is_dim = |user: Op| matches!(src.ops[user].kind, OpKind::Dim(_));
        let mut users = uses.of(src.result(op)).iter().map(|used| used.op).filter(|&user| !is_dim(user));
        let search = users.next()?;
        if users.next().is_some() {
            return None;
        }
        let (OpKind::Reduce(spec) | OpKind::Map(MapTarget::Reduce(spec))) = &src.ops[search].kind else {
            return None;
        };
        let is_float = src.ty(src.result(op)).dtype().is_some_and(DType::is_float);
        if !is_float || !is_position(spec.op) || spec.axes.as_deref() != Some(&[1][..]) {
            return None;
        }
        // What else each row is made of would have loops of its own beside those that are joined.
        let is_row = |value: Value| {
            let made = src.def_op(value).map(|made| &src.ops[made].kind);
            matches!(made, Some(OpKind::View(items)) if items.first() == Some(&IndexItem::New))
        };
        let others = src.ops[search].args.iter().filter(|&&arg| arg != src.result(op));
        if !others.copied().all(|other| src.ty(other).rank() < 2 || is_row(other)) {
            return None;
        }
        let (block, at) = position(src, op)?;
        let behind = &src.blocks[block].ops[at + 1..];
        let between = &behind[..behind.iter().position(|&other| other == search)?];
        let reads = &memory.effects(op).reads;
        let leaves_be = |&other: &Op| {
            let effects = memory.effects(other);
            !effects.writes.intersects(reads) && !effects.frees.intersects(reads)
        };
        between.iter().all(leaves_be).then_some(search)
    }

    /// Makes a product for the search that alone uses it, element by element where its sums are `short`, so that the loops join.
    pub(super) fn make_delayed(&mut self, delayed: &Delayed, short: bool) -> Array {
        let Delayed { out, left, right, .. } = delayed;
        let target = self.empty(self.dtype(out.value), &out.dims);
        if short {
            self.sums_of_products(&target, left, right);
        } else {
            let batch = self.batch_dims(left, right);
            self.product_into(&target, left, right, &batch);
        }
        target
    }

    fn matrices(&mut self, a: &Array, b: &Array, looped: bool) -> Array {
        let (left, right) = (self.as_row(a), self.as_column(b));
        let batch = self.batch_dims(&left, &right);
        let (rows, columns) = (left.dims[left.rank() - 2], right.dims[right.rank() - 1]);
        let full = [&batch.dims[..], &[rows, columns]].concat();
        let mut dims = batch.dims.clone();
        dims.extend((a.rank() > 1).then_some(rows));
        dims.extend((b.rank() > 1).then_some(columns));
        let out = self.empty(self.dtype(a.value), &dims);
        let target = if dims.len() == full.len() {
            out.clone()
        } else {
            let (zero, unit) = (self.int(0), self.item_size(out.value));
            let strides = self.row_major(&full, unit);
            self.raw_view(out.value, zero, full, strides, true)
        };
        if looped && self.src.device && (a.rank(), b.rank()) == (1, 2) {
            self.sums_of_products(&target, &left, &right);
        } else if looped {
            self.product_into(&target, &left, &right, &batch);
        } else {
            self.call_product(&target, &left, &right);
        }
        out
    }

    /// Fills the product of stacks of matrices.
    fn product_into(&mut self, target: &Array, left: &Array, right: &Array, batch: &Shape) {
        let [.., columns] = target.dims[..] else { unreachable!("matrices have two axes") };
        let depth = left.dims[left.rank() - 1];
        let equal: Vec<Value> = batch.open.iter().filter_map(|&(a, b)| self.unless_same(a, b)).collect();
        let equal = self.all(&equal);
        let by_elements =
            self.b.func.as_int(columns) == Some(1) || self.b.func.as_int(depth).is_some_and(|n| n <= SHORT);
        let by_rows = |lower: &mut Self| {
            let few = lower.is_few(target, left, right);
            let few = lower.both(few, equal);
            lower.choose(
                few,
                |lower| {
                    // Stacks of columns.
                    let column = match lower.b.func.as_int(columns) {
                        None if right.rank() > 2 => Answer::Asked(lower.equals(columns, 1)),
                        _ => Answer::Known(false),
                    };
                    lower.choose(
                        column,
                        |lower| lower.sums_of_products(target, left, right),
                        |lower| lower.products_by_rows(target, left, right),
                    );
                },
                |lower| lower.call_product(target, left, right),
            );
        };
        let short = self.both(Answer::Known(by_elements), equal);
        self.choose(short, |lower| lower.sums_of_products(target, left, right), by_rows);
    }

    /// Whether a product takes no longer than a call of the runtime, or than what that does first.
    fn is_few(&mut self, target: &Array, left: &Array, right: &Array) -> Answer {
        let is_stack = target.rank() > 2;
        let [.., rows, columns] = target.dims[..] else { unreachable!("matrices have two axes") };
        let depth = left.dims[left.rank() - 1];
        let work = self.product(&[rows, depth, columns]);
        if let Some(n) = self.b.func.as_int(work) {
            return Answer::Known(n <= FEW && !(is_deep(target) && n == 0));
        }
        if !is_stack && self.loops_around == 0 {
            // What is called once takes its time.
            return Answer::Known(false);
        }
        // A stack by one matrix is one product, which has rows enough.
        let together =
            if is_stack && right.rank() == 2 { self.lies_together(left) } else { Answer::Known(false) };
        let apart = match together {
            Answer::Known(true) => return Answer::Known(false),
            Answer::Known(false) => None,
            Answer::Asked(together) => Some(self.b.elem(ElemOp::Not, &[together])),
        };
        let (few, many, short) = (self.int(FEW), self.int(FEW_SHORT), self.int(SHORT));
        let is_short = self.b.elem(ElemOp::Le, &[depth, short]);
        let limit = self.b.select(is_short, many, few);
        let mut is_few = self.b.elem(ElemOp::Le, &[work, limit]);
        if is_deep(target) {
            let zero = self.int(0);
            let is_some = self.less(zero, depth);
            is_few = self.b.elem(ElemOp::And, &[is_few, is_some]);
        }
        self.both(Answer::Asked(is_few), apart)
    }

    fn both(&mut self, one: Answer, other: Option<Value>) -> Answer {
        match (one, other) {
            (Answer::Known(false), _) => Answer::Known(false),
            (one, None) => one,
            (Answer::Known(true), Some(other)) => Answer::Asked(other),
            (Answer::Asked(one), Some(other)) => Answer::Asked(self.b.elem(ElemOp::And, &[one, other])),
        }
    }

    fn choose(&mut self, answer: Answer, then: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let condition = match answer {
            Answer::Known(true) => return then(self),
            Answer::Known(false) => return other(self),
            Answer::Asked(condition) => condition,
        };
        let then = |lower: &mut Self| {
            then(lower);
            vec![]
        };
        self.if_else(condition, &[], then, |lower| {
            other(lower);
            vec![]
        });
    }

    /// Element by element.
    fn sums_of_products(&mut self, target: &Array, left: &Array, right: &Array) {
        let stack = target.rank() - 2;
        let (times, sum) = self.ring(target);
        let zero = self.identity(sum, self.dtype(target.value));
        let depth = left.dims[left.rank() - 1];
        let (left, right) = (self.in_stack(left, target), self.in_stack(right, target));
        self.nest(&target.dims, &[], &mut |lower, at, _| {
            let total = lower.for_each(depth, &[zero], |lower, p, total| {
                let x = lower.load_raw(left, &[&at[..=stack], &[p]].concat());
                let y = lower.load_raw(right, &[&at[..stack], &[p, at[stack + 1]]].concat());
                let product = lower.b.elem(times, &[x, y]);
                vec![lower.combine(sum, total[0], product)]
            })[0];
            lower.store_raw(target.value, total, at);
            vec![]
        });
    }

    /// Rows of the right matrix are added up.
    fn products_by_rows(&mut self, target: &Array, left: &Array, right: &Array) {
        let stack = target.rank() - 2;
        let (times, sum) = self.ring(target);
        let zero = self.identity(sum, self.dtype(target.value));
        let (depth, columns) = (left.dims[left.rank() - 1], target.dims[stack + 1]);
        let deep = is_deep(target);
        let (left, right) = (self.in_stack(left, target), self.in_stack(right, target));
        self.nest(&target.dims[..=stack], &[], &mut |lower, at, _| {
            if !deep {
                lower.for_each(columns, &[], |lower, j, _| {
                    lower.store_raw(target.value, zero, &[at, &[j]].concat());
                    vec![]
                });
            }
            lower.for_each(depth, &[], |lower, p, _| {
                let x = lower.load_raw(left, &[at, &[p]].concat());
                lower.for_each(columns, &[], |lower, j, _| {
                    let place = [at, &[j]].concat();
                    let y = lower.load_raw(right, &[&at[..stack], &[p, j]].concat());
                    let product = lower.b.elem(times, &[x, y]);
                    let mut total = lower.load_raw(target.value, &place);
                    if deep {
                        let first = lower.equals(p, 0);
                        total = lower.b.select(first, zero, total);
                    }
                    let total = lower.combine(sum, total, product);
                    lower.store_raw(target.value, total, &place);
                    vec![]
                })
            })
        });
    }

    /// How elements are multiplied and added up.
    fn ring(&self, array: &Array) -> (ElemOp, ReduceOp) {
        match self.dtype(array.value) {
            DType::Bool => (ElemOp::And, ReduceOp::Any),
            _ => (ElemOp::Mul, ReduceOp::Sum),
        }
    }

    /// A matrix for each of the target's stack, whose lengths the operand's are where they are not certainly 1.
    fn in_stack(&mut self, operand: &Array, target: &Array) -> Value {
        let matrix = &operand.dims[operand.rank() - 2..];
        let dims = [&target.dims[..target.rank() - 2], matrix].concat();
        self.stretched(operand, &dims, true).value
    }

    /// Has the runtime fill the product.
    pub(super) fn call_product(&mut self, target: &Array, left: &Array, right: &Array) {
        let stack = target.rank() - 2;
        let together =
            if left.rank() > 2 && right.rank() == 2 { Some(self.lies_together(left)) } else { None };
        let each = |lower: &mut Self| {
            let views = [left, right].map(|operand| {
                let dims = [&target.dims[..stack], &operand.dims[operand.rank() - 2..]].concat();
                lower.stretched(operand, &dims, false).value
            });
            lower.b.effect(OpKind::Lib(LibOp::Matmul), vec![views[0], views[1], target.value]);
        };
        let Some(together) = together else { return each(self) };
        self.choose(
            together,
            |lower| {
                let rows = lower.rows_together(left);
                let target = lower.rows_together(target);
                lower.b.effect(OpKind::Lib(LibOp::Matmul), vec![rows, right.value, target]);
            },
            each,
        );
    }

    /// Whether the rows of all matrices of a stack are one matrix's.
    fn lies_together(&mut self, stack: &Array) -> Answer {
        if stack.contiguous {
            return Answer::Known(true);
        }
        if self.src.version == Version::General {
            return Answer::Known(false);
        }
        let strides = self.strides(stack);
        let conditions: Vec<Value> = (1..stack.rank() - 1)
            .filter_map(|axis| {
                let extent = self.mul(stack.dims[axis], strides[axis]);
                self.unless_same(strides[axis - 1], extent)
            })
            .collect();
        self.all(&conditions).map_or(Answer::Known(true), Answer::Asked)
    }

    fn rows_together(&mut self, stack: &Array) -> Value {
        let (rank, zero, strides) = (stack.rank(), self.int(0), self.strides(stack));
        let rows = self.product(&stack.dims[..rank - 1]);
        let (dims, strides) = (vec![rows, stack.dims[rank - 1]], strides[rank - 2..].to_vec());
        self.raw_view(stack.value, zero, dims, strides, stack.contiguous).value
    }

    fn matrix_by_vector(&mut self, a: &Array, x: &Array) -> Array {
        let (&depth, kept) = a.dims.split_last().expect("it has two axes");
        let out = self.empty(self.dtype(a.value), kept);
        let (times, op) = self.ring(a);
        if !a.order.is_empty() {
            let rows = [depth, kept[0]];
            self.sum_of_rows(&out, rows, &mut |lower, p, i| {
                let (x, y) = (lower.load_raw(a.value, &[i, p]), lower.load_raw(x.value, &[p]));
                lower.b.elem(times, &[x, y])
            });
            return out;
        }
        let zero = self.identity(op, self.dtype(a.value));
        self.nest(kept, &[], &mut |lower, row, _| {
            let total = lower.for_each(depth, &[zero], |lower, p, total| {
                let (x, y) = (lower.load_raw(a.value, &[row, &[p]].concat()), lower.load_raw(x.value, &[p]));
                let product = lower.b.elem(times, &[x, y]);
                vec![lower.combine(op, total[0], product)]
            })[0];
            lower.store_raw(out.value, total, row);
            vec![]
        });
        out
    }

    fn vector_by_matrix(&mut self, x: &Array, b: &Array) -> Array {
        let [stack @ .., depth, columns] = &b.dims[..] else { unreachable!("it has two axes") };
        let (depth, columns) = (*depth, *columns);
        let out = self.empty(self.dtype(b.value), &[stack, &[columns]].concat());
        let (times, op) = self.ring(b);
        if !b.order.is_empty() {
            let zero = self.identity(op, self.dtype(b.value));
            self.for_each(columns, &[], |lower, j, _| {
                let total = lower.for_each(depth, &[zero], |lower, p, total| {
                    let (x, y) = (lower.load_raw(x.value, &[p]), lower.load_raw(b.value, &[p, j]));
                    let product = lower.b.elem(times, &[x, y]);
                    vec![lower.combine(op, total[0], product)]
                })[0];
                lower.store_raw(out.value, total, &[j]);
                vec![]
            });
            return out;
        }
        if stack.is_empty() {
            self.sum_of_rows(&out, [depth, columns], &mut |lower, p, j| {
                let (x, y) = (lower.load_raw(x.value, &[p]), lower.load_raw(b.value, &[p, j]));
                lower.b.elem(times, &[x, y])
            });
            return out;
        }
        let zero = self.identity(op, self.dtype(b.value));
        self.fill(&out, zero);
        self.nest(&b.dims, &[], &mut |lower, at, _| {
            let p = at[at.len() - 2];
            let place = [&at[..at.len() - 2], &at[at.len() - 1..]].concat();
            let (x, y) = (lower.load_raw(x.value, &[p]), lower.load_raw(b.value, at));
            let product = lower.b.elem(times, &[x, y]);
            let total = lower.load_raw(out.value, &place);
            let total = lower.combine(op, total, product);
            lower.store_raw(out.value, total, &place);
            vec![]
        });
        out
    }

    /// Fills a vector with the sum of rows of so many elements, of which `element` makes one. A few at a time: what is stored is
    /// loaded again only some time later.
    fn sum_of_rows(
        &mut self,
        target: &Array,
        [rows, columns]: [Value; 2],
        element: &mut dyn FnMut(&mut Self, Value, Value) -> Value,
    ) {
        let (_, op) = self.ring(target);
        let zero = self.identity(op, self.dtype(target.value));
        self.fill(target, zero);
        let (start, step) = (self.int(0), self.int(ROWS));
        let groups = self.b.elem(ElemOp::FloorDiv, &[rows, step]);
        let grouped = self.mul(groups, step);
        let mut add_rows = |lower: &mut Self, first: Value, count: i64| {
            lower.for_each(columns, &[], |lower, j, _| {
                let mut row = |lower: &mut Self, k: i64| {
                    let k = lower.int(k);
                    let row = lower.add(first, k);
                    element(lower, row, j)
                };
                let mut sum = row(lower, 0);
                for k in (1..count).step_by(2) {
                    let next = row(lower, k);
                    if k + 1 == count {
                        sum = lower.combine(op, sum, next);
                    } else {
                        let other = row(lower, k + 1);
                        let pair = lower.combine(op, next, other);
                        sum = lower.combine(op, sum, pair);
                    }
                }
                let total = lower.load_raw(target.value, &[j]);
                let total = lower.combine(op, total, sum);
                lower.store_raw(target.value, total, &[j]);
                vec![]
            })
        };
        self.for_step([start, grouped, step], &[], |lower, first, _| add_rows(lower, first, ROWS));
        self.for_range(grouped, rows, &[], |lower, first, _| add_rows(lower, first, 1));
    }

    /// The inner product of two vectors of the same length.
    fn dot(&mut self, a: &Array, b: &Array) -> Value {
        let (times, op) = self.ring(a);
        let kind = Kind { op, dtype: self.dtype(a.value), flags: false, bytes: false, total: true };
        self.accumulate_numbers(kind, &a.dims, &mut |lower, indices| {
            let (x, y) = (lower.load_raw(a.value, indices), lower.load_raw(b.value, indices));
            lower.b.elem(times, &[x, y])
        })
    }

    /// A vector as a matrix of one row; else as it is.
    fn as_row(&mut self, array: &Array) -> Array {
        if array.rank() > 1 {
            return array.clone();
        }
        let (zero, one, stride) = (self.int(0), self.int(1), self.strides(array)[0]);
        let pitch = self.mul(stride, array.dims[0]);
        self.raw_view(array.value, zero, vec![one, array.dims[0]], vec![pitch, stride], array.contiguous)
    }

    /// A vector as a matrix of one column; else as it is.
    fn as_column(&mut self, array: &Array) -> Array {
        if array.rank() > 1 {
            return array.clone();
        }
        let (zero, one, stride) = (self.int(0), self.int(1), self.strides(array)[0]);
        let unit = self.item_size(array.value);
        self.raw_view(array.value, zero, vec![array.dims[0], one], vec![stride, unit], array.contiguous)
    }

    /// What the axes before the last two broadcast to.
    fn batch_dims(&mut self, left: &Array, right: &Array) -> Shape {
        let shapes = [left, right].map(|a| &a.dims[..a.rank() - 2]);
        let (shape, ok) = self.broadcast_dims(&shapes);
        if let Some(ok) = ok {
            self.check_value(ok, "operands could not be broadcast together", &[]);
        }
        shape
    }
}

/// Whether a stack has so many axes that a loop over its rows alone, to fill them, would have `short-axes` make too much code of it.
/// The first products then fill them.
fn is_deep(target: &Array) -> bool {
    target.rank() > 3
}

/// What is asked when it runs, or known.
#[derive(Clone, Copy)]
enum Answer {
    Known(bool),
    Asked(Value),
}
