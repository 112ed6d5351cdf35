//! Scalar operations. All of them are total: no operand makes undefined behaviour.

mod cast;
mod complex;
mod divide;
mod float;
mod int;
mod power;

use crate::builder::{Ir, V};
use crate::function::{FuncCx, Lowered};
use crate::module::ModuleCx;
use crate::types::Val;
use inkwell::types::BasicTypeEnum;
use inkwell::values::FastMathFlags;
use pydd_codegen::CodegenOptions;
use pydd_ir::{DType, ElemOp, Entity, Op, OpKind};

/// What lowers scalar operations at a position.
pub struct Scalars<'c, 'a> {
    pub m: &'a ModuleCx<'c, 'a>,
    pub ir: &'a Ir<'c>,
    /// Of additions, subtractions and multiplications.
    pub flags: FastMathFlags,
    /// The constant among the operands that may be worth knowing: the last one's.
    pub last: Option<f64>,
}

/// What LLVM may do with float arithmetic. `contract` makes multiply-adds. `reassoc`, for accumulations
/// only (see `pydd_codegen::sums`), is enough to vectorise them: NaN, infinities and signed zeros stay,
/// since vectorised sums then start from -0.0.
pub fn flags(options: &CodegenOptions, reassociable: bool) -> FastMathFlags {
    match (options.strict_fp, options.fast_math) {
        (true, _) => FastMathFlags::empty(),
        (_, true) => FastMathFlags::all(),
        _ if reassociable => FastMathFlags::AllowContract | FastMathFlags::AllowReassoc,
        _ => FastMathFlags::AllowContract,
    }
}

impl<'c> FuncCx<'c, '_> {
    pub fn scalar_op(&mut self, op: Op) -> Lowered {
        let func = self.func;
        let data = &func.ops[op];
        let result = func.result(op);
        let last = *data.args.last().expect("scalar operations have operands");
        let dtype = self.ty(last).dtype().expect("scalars have a dtype");
        let args: Vec<Val<'c>> = data.args.iter().map(|&arg| self.val(arg).clone()).collect();
        let scalars = Scalars {
            m: self.m,
            ir: &self.ir,
            flags: flags(self.m.options, self.facts.sums[op.index()]),
            last: self.constant_of(last),
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

    fn constant_of(&self, value: pydd_ir::Value) -> Option<f64> {
        use pydd_ir::Literal;
        match self.func.as_const(value)? {
            #[allow(clippy::cast_precision_loss, reason = "only small constants are looked at")]
            Literal::Int(value) => Some(*value as f64),
            Literal::Float(bits) | Literal::Complex(bits, 0) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }
}

impl<'c> Scalars<'c, '_> {
    /// Applies `op`, whose (last) operand has type `dtype`. None: there is no lowering.
    pub fn elem(&self, op: ElemOp, dtype: DType, args: &[Val<'c>]) -> Option<Val<'c>> {
        if op == ElemOp::Select {
            return Some(self.select(args[0].scalar(), &args[1], &args[2]));
        }
        if dtype.is_complex() {
            return self.complex(op, dtype, args);
        }
        let operands: Vec<V<'c>> = args.iter().map(Val::scalar).collect();
        if op == ElemOp::MakeComplex {
            return Some(Val::Complex(operands[0], operands[1]));
        }
        let value =
            if dtype.is_float() { self.float(op, dtype, &operands) } else { self.int(op, dtype, &operands) };
        value.map(Val::Scalar)
    }

    fn select(&self, cond: V<'c>, a: &Val<'c>, b: &Val<'c>) -> Val<'c> {
        match (a, b) {
            (Val::Complex(ar, ai), Val::Complex(br, bi)) => {
                Val::Complex(self.ir.select(cond, *ar, *br), self.ir.select(cond, *ai, *bi))
            }
            _ => Val::Scalar(self.ir.select(cond, a.scalar(), b.scalar())),
        }
    }

    /// An intrinsic of one type for operands and result.
    fn intrinsic(&self, name: &str, args: &[V<'c>]) -> V<'c> {
        self.m.intrinsic(self.ir, name, &[args[0].get_type()], args)
    }

    /// A function of C's math library, by its name for doubles.
    fn libm(&self, name: &str, args: &[V<'c>]) -> V<'c> {
        let ty = args[0].get_type();
        let single = ty == BasicTypeEnum::FloatType(self.m.cx.f32_type());
        let name = if single { format!("{name}f") } else { name.to_owned() };
        let params = vec![ty.into(); args.len()];
        let function = self.m.math_function(&name, ty.into_float_type().fn_type(&params, false));
        crate::builder::result(self.ir.call(function, args))
    }
}
