//! Structured control to basic blocks.

use crate::CodegenError;
use crate::emit::{Emit, EmitExt, Ty};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::values::{self, Val};
use pydd_ir::{Block, DType, ElemOp, Op, OpKind, Type, Value};

/// A type, and whether the value's strides follow from its dimensions.
pub type Shape = (Type, bool);

/// A place where control and values from several places meet.
pub struct Join<E: Emit> {
    label: E::Label,
    shapes: Vec<Shape>,
    /// The label's parameters: the parts of all values.
    parts: Vec<E::V>,
}

/// An operation that `break` and `continue` refer to.
pub struct Frame<E: Emit> {
    pub exit: Join<E>,
    /// None for a `Scope`.
    pub repeat: Option<Join<E>>,
}

impl<E: Emit> Join<E> {
    /// Whether nothing goes along but truth values.
    pub fn has_only_bools(&self, ir: &E) -> bool {
        self.parts.iter().all(|&part| ir.ty(part) == Ty::I1)
    }

    pub fn new(ir: &E, name: &str, shapes: Vec<Shape>) -> Self {
        let label = ir.label(name);
        let parts = ir.params(label, &part_types(&shapes));
        Self { label, shapes, parts }
    }

    /// Stands at the join and gives the values that arrive.
    pub fn finish(self, ir: &E) -> Vec<Val<E::V>> {
        ir.at(self.label);
        split(ir, &self.shapes, &self.parts)
    }
}

/// The types of all parts.
pub fn part_types(shapes: &[Shape]) -> Vec<Ty> {
    shapes.iter().flat_map(|&(ty, contiguous)| values::free_part_types(ty, contiguous)).collect()
}

/// Cuts parts that follow each other into values.
fn split<E: Emit>(ir: &E, shapes: &[Shape], parts: &[E::V]) -> Vec<Val<E::V>> {
    let mut next = 0;
    let mut values = Vec::with_capacity(shapes.len());
    for &(ty, contiguous) in shapes {
        let n = values::free_part_types(ty, contiguous).len();
        values.push(values::assemble(ir, ty, contiguous, &parts[next..next + n]));
        next += n;
    }
    values
}

impl<E: Emit> FuncCx<'_, E> {
    pub fn shapes(&self, values: &[Value]) -> Vec<Shape> {
        values.iter().map(|&value| self.shape(value)).collect()
    }

    /// A join for values like these.
    pub fn join(&self, name: &str, like: &[Value]) -> Join<E> {
        Join::new(&self.ir, name, self.shapes(like))
    }

    /// The parts of `values` that a join shaped like `shapes` takes.
    fn free_parts(&self, shapes: &[Shape], values: &[Value]) -> Vec<E::V> {
        let pairs = values.iter().zip(shapes);
        pairs.flat_map(|(&value, &(_, contiguous))| self.val(value).free_parts(contiguous)).collect()
    }

    pub fn jump(&self, join: &Join<E>, values: &[Value]) {
        self.ir.br(join.label, &self.free_parts(&join.shapes, values));
    }

    /// Goes on at a join. Where nothing arrives, what follows is dead code.
    pub fn finish_join(&mut self, join: Join<E>, results: &[Value]) {
        let values = join.finish(&self.ir);
        for (&result, value) in results.iter().zip(values) {
            self.bind(result, value);
        }
    }

    /// Binds values to the parts that stand for them.
    pub fn bind_all(&mut self, values: &[Value], parts: &[E::V]) {
        for (&value, val) in values.iter().zip(split(&self.ir, &self.shapes(values), parts)) {
            self.bind(value, val);
        }
    }

    pub fn lower_if(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let (then, otherwise) = (self.ir.label("then"), self.ir.label("else"));
        let join = self.join("endif", &data.results);
        let cond = self.scalar(data.args[0]);
        let [first, second] = [data.regions[0], data.regions[1]];
        let counts_from_end = || self.is_in_bounds(data.args[0]) && self.only_computes(second);
        if self.only_computes(first) && (self.checks(second) || counts_from_end()) {
            self.ir.likely(cond, then, otherwise);
        } else if self.checks(first) && self.only_computes(second) {
            self.ir.likely(self.ir.not(cond), otherwise, then);
        } else {
            self.ir.cond_br(cond, then, otherwise);
        }
        self.yields.push(join);
        for (label, &region) in [then, otherwise].into_iter().zip(&data.regions) {
            self.ir.at(label);
            self.block(region)?;
        }
        let join = self.yields.pop().expect("pushed above");
        self.finish_join(join, &data.results);
        Ok(())
    }

    /// Whether a region is scalar arithmetic and nothing else.
    pub fn only_computes(&self, region: Block) -> bool {
        self.func.blocks[region].ops.iter().all(|&op| is_arithmetic(&self.func.ops[op].kind))
    }

    /// Whether a condition asks for an index that is in bounds, as the pass `split-index` does.
    fn is_in_bounds(&self, condition: Value) -> bool {
        let is_bits = |&value: &Value| {
            let cast = self.func.def_op(value).map(|op| &self.func.ops[op]);
            cast.is_some_and(|op| op.kind == OpKind::Cast && self.func.ty(op.args[0]) == Type::I64)
                && self.func.ty(value) == Type::Scalar(DType::U64)
        };
        let compare = self.func.def_op(condition).map(|op| &self.func.ops[op]);
        compare.is_some_and(|op| op.kind == OpKind::Elem(ElemOp::Lt) && op.args.iter().all(is_bits))
    }

    /// Whether all that a region does is to look at what the other side need not, and arithmetic (see the passes
    /// `split-index` and `split-sums`, and what `int` does with a float).
    pub fn checks(&self, region: Block) -> bool {
        let (mut checks, mut quiet) = (false, true);
        self.func.walk(region, &mut |op| {
            let kind = &self.func.ops[op].kind;
            checks |= matches!(kind, OpKind::Check { .. });
            quiet &= matches!(kind, OpKind::Check { .. } | OpKind::If) || is_arithmetic(kind);
        });
        checks && quiet
    }

    pub fn lower_yield(&mut self, op: Op) {
        let join = self.yields.last().expect("yield ends a region of `if`");
        self.jump(join, &self.func.ops[op].args);
    }

    pub fn lower_break(&mut self, op: Op, depth: u32) {
        let frame = &self.frames[self.frames.len() - 1 - depth as usize];
        self.jump(&frame.exit, &self.func.ops[op].args);
    }

    pub fn lower_continue(&mut self, op: Op, depth: u32) {
        let frame = &self.frames[self.frames.len() - 1 - depth as usize];
        self.jump(frame.repeat.as_ref().expect("a loop"), &self.func.ops[op].args);
    }

    pub fn lower_scope(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let exit = self.join("scope.end", &data.results);
        self.frames.push(Frame { exit, repeat: None });
        self.block(data.regions[0])?;
        let frame = self.frames.pop().expect("pushed above");
        self.finish_join(frame.exit, &data.results);
        Ok(())
    }

    pub fn lower_loop(&mut self, op: Op) -> Lowered {
        let data = &self.func.ops[op];
        let body = data.regions[0];
        let params = &self.func.blocks[body].params;
        let (exit, repeat) = (self.join("loop.end", &data.results), self.join("loop.next", params));
        let shapes = self.shapes(params);
        let init = self.free_parts(&shapes, &data.args);
        let poll = self.poll_counter(op);
        let outside = self.make_dividers(op);
        let header = self.ir.label("loop");
        let carried = self.ir.params(header, &part_types(&shapes));
        self.ir.br(header, &init);
        self.ir.at(header);
        self.bind_all(params, &carried);
        self.frames.push(Frame { exit, repeat: Some(repeat) });
        self.block(body)?;
        let Frame { exit, repeat } = self.frames.pop().expect("pushed above");
        let next = self.end_iteration(repeat.expect("a loop"));
        self.count_down(op, poll);
        self.ir.br(header, &next);
        self.dividers = outside;
        self.finish_join(exit, &data.results);
        Ok(())
    }

    /// The body of the innermost loop once more, in a row with others: gives the parts of what it then carries. Nothing leaves it but by `continue`.
    pub fn body_once(&mut self, body: Block, carried: &[Value]) -> Result<Vec<E::V>, CodegenError> {
        let repeat = self.join("once", carried);
        self.frames.last_mut().expect("a loop").repeat = Some(repeat);
        self.block(body)?;
        let repeat = self.frames.last_mut().and_then(|frame| frame.repeat.take());
        Ok(self.end_iteration(repeat.expect("set above")))
    }

    /// Stands at the end of an iteration, and gives the parts of the next carried values.
    pub fn end_iteration(&self, repeat: Join<E>) -> Vec<E::V> {
        self.ir.at(repeat.label);
        repeat.parts
    }

    pub fn lower_return(&mut self, op: Op) {
        let args = &self.func.ops[op].args;
        for &arg in args {
            self.give_away(arg);
        }
        self.store_words(self.out, args);
        self.leave(false);
    }
}

const fn is_arithmetic(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Elem(_) | OpKind::Cast | OpKind::Const(_) | OpKind::Yield)
}
