//! Scalar operations. All of them are total: no operand makes undefined behaviour.

mod cast;
mod complex;
mod complex_hyperbolic;
mod divide;
pub mod divider;
mod float;
mod int;
mod power;

use crate::CodegenOptions;
use crate::emit::{Emit, EmitExt, Freedom};
use crate::lower::function::{FuncCx, Lowered};
use crate::lower::module::ModuleCx;
use crate::lower::values::Val;
use crate::math::math_function;
use crate::recurrences::{self, Fused};
use divider::Divider;
use pydd_ir::{DType, ElemOp, Entity, Op, OpKind, Value, Version};

/// What lowers scalar operations at a position.
pub struct Scalars<'a, E: Emit> {
    pub m: &'a ModuleCx<'a, E>,
    pub ir: &'a E,
    /// Of additions, subtractions and multiplications.
    pub freedom: Freedom,
    /// The constant among the operands that may be worth knowing: the last one's.
    pub last: Option<f64>,
    /// Whether a cast is asked whether it worked.
    pub asked: bool,
    /// Whether elementary functions are inlined: in loops of fast code, where they vectorise.
    pub inline: bool,
    /// Whether iterations of the loop around need nothing of each other, but for truth values: what takes long, but not on
    /// vectors, is worth it.
    pub independent: bool,
    /// For a divisor that the loops around do not change.
    pub divider: Option<Divider<E::V>>,
}

/// What a backend may do with float arithmetic. Only accumulations (see [`crate::sums`]) may be reordered.
pub const fn freedom(options: &CodegenOptions, reassociable: bool) -> Freedom {
    match (options.strict_fp, options.fast_math) {
        (true, _) => Freedom::Exact,
        (_, true) => Freedom::Real,
        _ if reassociable => Freedom::Reassociate,
        _ => Freedom::Contract,
    }
}

impl<E: Emit> FuncCx<'_, E> {
    pub fn scalar_op(&mut self, op: Op) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        let result = func.result(op);
        let last = *data.args.last().expect("scalar operations have operands");
        let dtype = self.ty(last).dtype().expect("scalars have a dtype");
        let args: Vec<Val<E::V>> = data.args.iter().map(|&arg| self.val(arg).clone()).collect();
        let mut freedom = freedom(self.m.options, self.facts.sums[op.index()]);
        if freedom == Freedom::Contract {
            match self.facts.fused[op.index()] {
                Fused::Any => {}
                Fused::Nothing => freedom = Freedom::Exact,
                Fused::Second => {
                    let sum = self.fused_with_second(op);
                    self.bind(result, sum);
                    return Ok(());
                }
            }
        }
        let scalars = Scalars {
            m: self.m,
            ir: &self.ir,
            freedom,
            last: func.as_number(last),
            asked: self.facts.asked[op.index()],
            inline: self.inlines_math(),
            independent: self.is_independent(),
            divider: self.dividers.get(&last).copied(),
        };
        let val = match data.kind {
            OpKind::Elem(elem) => match scalars.elem(elem, dtype, &args) {
                Some(val) => val,
                None => return self.unsupported(op, format!("'{}' of {}", elem.name(), dtype.numpy_name())),
            },
            _ => scalars.cast(&args[0], dtype, self.ty(result).dtype().expect("scalars have a dtype")),
        };
        self.bind(result, val);
        Ok(())
    }

    /// A sum, or a difference, of a float and a product.
    fn fused_with_second(&self, op: Op) -> Val<E::V> {
        let (ir, data) = (&self.ir, &self.func.ops[op]);
        let float = |value: Value| match self.val(value) {
            Val::Scalar(value) => *value,
            _ => unreachable!("floats alone are fused"),
        };
        let [a, b] = recurrences::product(self.func, data.args[1]).expect("a product").map(float);
        let a = if data.kind == OpKind::Elem(ElemOp::Sub) { ir.fneg(a) } else { a };
        Val::Scalar(ir.fmuladd(a, b, float(data.args[0])))
    }

    fn inlines_math(&self) -> bool {
        let in_loop = self.frames.iter().any(|frame| frame.repeat.is_some());
        in_loop && self.func.version != Version::General
    }

    fn is_independent(&self) -> bool {
        let around = self.frames.iter().rev().find_map(|frame| frame.repeat.as_ref());
        around.is_some_and(|next| next.has_only_bools(&self.ir)) && self.func.version != Version::General
    }
}

impl<'a, E: Emit> Scalars<'a, E> {
    /// For operations of which nothing is known.
    pub const fn outside_loops(m: &'a ModuleCx<'a, E>, ir: &'a E, freedom: Freedom) -> Self {
        Self { m, ir, freedom, last: None, asked: false, inline: false, independent: false, divider: None }
    }

    /// Applies `op`, whose (last) operand has type `dtype`. None: there is no lowering.
    pub fn elem(&self, op: ElemOp, dtype: DType, args: &[Val<E::V>]) -> Option<Val<E::V>> {
        if op == ElemOp::Select {
            return Some(self.select(args[0].scalar(), &args[1], &args[2]));
        }
        if dtype.is_complex() {
            return self.complex(op, dtype, args);
        }
        let operands: Vec<E::V> = args.iter().map(Val::scalar).collect();
        if op == ElemOp::MakeComplex {
            return Some(Val::Complex(operands[0], operands[1]));
        }
        let value = if dtype.is_float() { self.float(op, &operands) } else { self.int(op, dtype, &operands) };
        value.map(Val::Scalar)
    }

    fn select(&self, cond: E::V, a: &Val<E::V>, b: &Val<E::V>) -> Val<E::V> {
        match (a, b) {
            (Val::Complex(ar, ai), Val::Complex(br, bi)) => {
                Val::Complex(self.ir.select(cond, *ar, *br), self.ir.select(cond, *ai, *bi))
            }
            _ => Val::Scalar(self.ir.select(cond, a.scalar(), b.scalar())),
        }
    }

    /// An elementary function of floats.
    fn math(&self, op: ElemOp, args: &[E::V]) -> E::V {
        let function = math_function(op).expect("an elementary function");
        self.ir.math(function, self.inline, args)
    }
}
