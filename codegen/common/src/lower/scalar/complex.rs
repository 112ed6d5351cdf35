//! Complex numbers, as NumPy computes them.
//!
//! Products are not contracted: with multiply-adds `z * conj(z)` would have an imaginary part.

use super::Scalars;
use crate::emit::{Emit, EmitExt, FloatCmp, FloatFn, Freedom, Ty};
use crate::lower::values::Val;
use pydd_ir::{DType, ElemOp};

impl<E: Emit> Scalars<'_, E> {
    pub(super) fn complex(&self, op: ElemOp, dtype: DType, args: &[Val<E::V>]) -> Option<Val<E::V>> {
        if dtype == DType::C64 && is_transcendental(op) {
            // In double precision, so that the formulas round once.
            let wide: Vec<Val<E::V>> = args.iter().map(|a| self.cast(a, dtype, DType::C128)).collect();
            return Some(self.cast(&self.complex(op, DType::C128, &wide)?, DType::C128, dtype));
        }
        match args {
            [a] => self.complex_unary(op, a),
            [a, b] => self.complex_binary(op, a, b),
            _ => None,
        }
    }

    /// Flags of arithmetic that must not be contracted.
    fn plain(&self) -> Freedom {
        if self.freedom == Freedom::Real { Freedom::Real } else { Freedom::Exact }
    }

    fn complex_unary(&self, op: ElemOp, a: &Val<E::V>) -> Option<Val<E::V>> {
        let ir = self.ir;
        let (re, im) = a.complex();
        Some(match op {
            ElemOp::Re => Val::Scalar(re),
            ElemOp::Im => Val::Scalar(im),
            ElemOp::Conj => Val::Complex(re, ir.fneg(im)),
            ElemOp::Neg => Val::Complex(ir.fneg(re), ir.fneg(im)),
            ElemOp::Abs => Val::Scalar(self.complex_size(re, im)),
            ElemOp::IsNan => Val::Scalar(ir.fcmp(FloatCmp::Uno, re, im)),
            ElemOp::IsInf => Val::Scalar(ir.or(self.is_infinite(re), self.is_infinite(im))),
            ElemOp::IsFinite => Val::Scalar(ir.and(self.is_finite(re), self.is_finite(im))),
            ElemOp::Sqrt => self.complex_sqrt(a),
            ElemOp::Exp => self.complex_exp(a),
            ElemOp::Log => self.complex_log(a),
            ElemOp::Sinh => self.complex_sinh(re, im),
            ElemOp::Cosh => self.complex_cosh(re, im),
            ElemOp::Tanh => self.complex_tanh(re, im),
            // sin z = -i sinh iz, cos z = cosh iz, tan z = -i tanh iz.
            ElemOp::Sin => self.turned(&self.complex_sinh(ir.fneg(im), re)),
            ElemOp::Cos => self.complex_cosh(ir.fneg(im), re),
            ElemOp::Tan => self.turned(&self.complex_tanh(ir.fneg(im), re)),
            _ => return None,
        })
    }

    fn complex_binary(&self, op: ElemOp, a: &Val<E::V>, b: &Val<E::V>) -> Option<Val<E::V>> {
        let ir = self.ir;
        let ((ar, ai), (br, bi)) = (a.complex(), b.complex());
        Some(match op {
            ElemOp::Add => Val::Complex(ir.fadd(ar, br, self.freedom), ir.fadd(ai, bi, self.freedom)),
            ElemOp::Sub => Val::Complex(ir.fsub(ar, br, self.freedom), ir.fsub(ai, bi, self.freedom)),
            ElemOp::Mul => self.complex_mul(a, b),
            ElemOp::Div => self.complex_div(a, b),
            ElemOp::Pow => self.complex_pow(a, b),
            ElemOp::Eq => Val::Scalar(self.complex_eq(a, b)),
            ElemOp::Ne => Val::Scalar(ir.not(self.complex_eq(a, b))),
            ElemOp::Lt => Val::Scalar(self.complex_order(FloatCmp::Olt, FloatCmp::Olt, a, b)),
            ElemOp::Le => Val::Scalar(self.complex_order(FloatCmp::Olt, FloatCmp::Ole, a, b)),
            ElemOp::Gt => Val::Scalar(self.complex_order(FloatCmp::Ogt, FloatCmp::Ogt, a, b)),
            ElemOp::Ge => Val::Scalar(self.complex_order(FloatCmp::Ogt, FloatCmp::Oge, a, b)),
            _ => return None,
        })
    }

    fn complex_eq(&self, a: &Val<E::V>, b: &Val<E::V>) -> E::V {
        let ((ar, ai), (br, bi)) = (a.complex(), b.complex());
        let ir = self.ir;
        ir.and(ir.fcmp(FloatCmp::Oeq, ar, br), ir.fcmp(FloatCmp::Oeq, ai, bi))
    }

    /// By real, then by imaginary part; false where an imaginary part is NaN.
    fn complex_order(&self, real: FloatCmp, imaginary: FloatCmp, a: &Val<E::V>, b: &Val<E::V>) -> E::V {
        let ((ar, ai), (br, bi)) = (a.complex(), b.complex());
        let ir = self.ir;
        let by_real = ir.and(ir.fcmp(real, ar, br), ir.fcmp(FloatCmp::Ord, ai, bi));
        let by_imaginary = ir.and(ir.fcmp(FloatCmp::Oeq, ar, br), ir.fcmp(imaginary, ai, bi));
        ir.or(by_real, by_imaginary)
    }

    pub(super) fn complex_is_zero(&self, a: &Val<E::V>) -> E::V {
        let (re, im) = a.complex();
        let zero = |part| self.ir.fcmp_const(FloatCmp::Oeq, part, 0.0);
        self.ir.and(zero(re), zero(im))
    }

    pub(super) fn complex_mul(&self, a: &Val<E::V>, b: &Val<E::V>) -> Val<E::V> {
        let ((ar, ai), (br, bi)) = (a.complex(), b.complex());
        let (ir, flags) = (self.ir, self.plain());
        let re = ir.fsub(ir.fmul(ar, br, flags), ir.fmul(ai, bi, flags), flags);
        let im = ir.fadd(ir.fmul(ar, bi, flags), ir.fmul(ai, br, flags), flags);
        Val::Complex(re, im)
    }

    /// Smith's algorithm (1962), with NumPy's answer for a divisor of zero.
    pub(super) fn complex_div(&self, a: &Val<E::V>, b: &Val<E::V>) -> Val<E::V> {
        let ((ar, ai), (br, bi)) = (a.complex(), b.complex());
        let (ir, flags) = (self.ir, self.plain());
        let size = |part| ir.fabs(part);
        let (br_size, bi_size) = (size(br), size(bi));
        let real_is_big = ir.fcmp(FloatCmp::Oge, br_size, bi_size);
        let (big, small) = (ir.select(real_is_big, br, bi), ir.select(real_is_big, bi, br));
        let (x, y) = (ir.select(real_is_big, ar, ai), ir.select(real_is_big, ai, ar));
        let ratio = ir.fdiv(small, big, flags);
        let scale = ir.fdiv(ir.float_like(1.0, ar), ir.fadd(big, ir.fmul(small, ratio, flags), flags), flags);
        let re = ir.fmul(ir.fadd(x, ir.fmul(y, ratio, flags), flags), scale, flags);
        let over_real = ir.fsub(ai, ir.fmul(ar, ratio, flags), flags);
        let over_imaginary = ir.fsub(ir.fmul(ai, ratio, flags), ar, flags);
        let im = ir.fmul(ir.select(real_is_big, over_real, over_imaginary), scale, flags);
        let by_zero = Val::Complex(ir.fdiv(ar, br_size, flags), ir.fdiv(ai, br_size, flags));
        self.select(self.complex_is_zero(b), &by_zero, &Val::Complex(re, im))
    }

    pub(super) fn complex_exp(&self, a: &Val<E::V>) -> Val<E::V> {
        const BIG: f64 = 700.0;
        let (re, im) = a.complex();
        let (ir, none) = (self.ir, Freedom::Exact);
        let constant = |value| ir.float_like(value, re);
        // A big power may be in range once it is multiplied by a small sine.
        let big = ir.fcmp_const(FloatCmp::Ogt, re, BIG);
        let less = ir.select(big, constant(BIG), constant(0.0));
        let scale = ir.select(big, constant(BIG.exp()), constant(1.0));
        let size = self.math(ElemOp::Exp, &[ir.fsub(re, less, none)]);
        let times = |part| ir.fmul(ir.fmul(size, part, none), scale, none);
        let general =
            Val::Complex(times(self.math(ElemOp::Cos, &[im])), times(self.math(ElemOp::Sin, &[im])));
        // A real exponent has a real power, and a vanishing power no direction.
        let real = ir.fcmp_const(FloatCmp::Oeq, im, 0.0);
        let zero = constant(0.0);
        let vanishes = ir.fcmp_const(FloatCmp::Oeq, re, f64::NEG_INFINITY);
        let directionless = ir.and(vanishes, ir.not(self.is_finite(im)));
        let general = self.select(directionless, &Val::Complex(zero, zero), &general);
        self.select(real, &Val::Complex(ir.fmul(size, scale, none), im), &general)
    }

    pub(super) fn complex_log(&self, a: &Val<E::V>) -> Val<E::V> {
        let (re, im) = a.complex();
        let (ir, none) = (self.ir, Freedom::Exact);
        let size = self.math(ElemOp::Hypot, &[re, im]);
        // Near 1 the logarithm of the rounded size would be far off: log1p(size ** 2 - 1) / 2.
        let fabs = |part| ir.fabs(part);
        let (x, y) = (fabs(re), fabs(im));
        let real_is_big = ir.fcmp(FloatCmp::Oge, x, y);
        let (big, small) = (ir.select(real_is_big, x, y), ir.select(real_is_big, y, x));
        let one = ir.float_like(1.0, re);
        let product = ir.fmul(ir.fsub(big, one, none), ir.fadd(big, one, none), none);
        let excess = ir.fadd(product, ir.fmul(small, small, none), none);
        let precise = ir.fmul(self.math(ElemOp::Log1p, &[excess]), ir.float_like(0.5, re), none);
        let near = ir.and(ir.fcmp_const(FloatCmp::Ogt, size, 0.5), ir.fcmp_const(FloatCmp::Olt, size, 2.0));
        let log = ir.select(near, precise, self.math(ElemOp::Log, &[size]));
        Val::Complex(log, self.math(ElemOp::Atan2, &[im, re]))
    }

    /// The root of the sum of squares, to one unit in the last place as NumPy has it; `hypot` takes three times as long to be nearer.
    /// Parts are scaled by a power of two where squares would overflow or vanish.
    fn complex_size(&self, re: E::V, im: E::V) -> E::V {
        let (ir, none) = (self.ir, Freedom::Exact);
        if ir.ty(re) != Ty::F64 {
            return self.math(ElemOp::Hypot, &[re, im]);
        }
        let constant = |x: f64| ir.float_like(x, re);
        let (x, y) = (ir.fabs(re), ir.fabs(im));
        let big = ir.select(ir.fcmp(FloatCmp::Oge, x, y), x, y);
        let (huge, tiny) =
            (ir.fcmp_const(FloatCmp::Ogt, big, 1e150), ir.fcmp_const(FloatCmp::Olt, big, 1e-140));
        let scale = |large: f64, small: f64| {
            ir.select(huge, constant(small), ir.select(tiny, constant(large), constant(1.0)))
        };
        let (up, down) = (2.0_f64.powi(600), 2.0_f64.powi(-600));
        let factor = scale(up, down);
        let (a, b) = (ir.fmul(x, factor, none), ir.fmul(y, factor, none));
        let squares = ir.fadd(ir.fmul(a, a, self.freedom), ir.fmul(b, b, self.freedom), self.freedom);
        let size = ir.fmul(ir.float_fn(FloatFn::Sqrt, squares), scale(down, up), none);
        let infinite = ir.or(self.is_infinite(re), self.is_infinite(im));
        ir.select(infinite, constant(f64::INFINITY), size)
    }

    /// The formula of Hull, Fairgrieve and Tang (1994), with C99's special values.
    fn complex_sqrt(&self, a: &Val<E::V>) -> Val<E::V> {
        let (re, im) = a.complex();
        let (ir, none) = (self.ir, Freedom::Exact);
        let constant = |value| ir.float_like(value, re);
        let size = |part| ir.fabs(part);
        // A quarter of the number has half its root, and no overflow on the way.
        let quarter = |part| ir.fmul(part, constant(0.25), none);
        let (x, y) = (quarter(re), quarter(im));
        let sum = ir.fadd(size(x), self.math(ElemOp::Hypot, &[x, y]), none);
        let half_root = ir.float_fn(FloatFn::Sqrt, ir.fmul(sum, constant(0.5), none));
        let root = ir.fmul(half_root, constant(2.0), none);
        let other = ir.fdiv(ir.fmul(im, constant(0.5), none), root, none);
        let right = ir.fcmp_const(FloatCmp::Oge, re, 0.0);
        let general =
            self.select(right, &Val::Complex(root, other), &Val::Complex(size(other), ir.copysign(root, im)));

        let nan = ir.fsub(im, im, none);
        let inf = constant(f64::INFINITY);
        let left_end = self.select(
            ir.fcmp_const(FloatCmp::Oeq, re, f64::NEG_INFINITY),
            &Val::Complex(size(nan), ir.copysign(inf, im)),
            &general,
        );
        let right_end = self.select(
            ir.fcmp_const(FloatCmp::Oeq, re, f64::INFINITY),
            &Val::Complex(inf, ir.copysign(nan, im)),
            &left_end,
        );
        let im_is_infinite = ir.fcmp_const(FloatCmp::Oeq, size(im), f64::INFINITY);
        let with_infinite = self.select(im_is_infinite, &Val::Complex(inf, im), &right_end);
        self.select(self.complex_is_zero(a), &Val::Complex(constant(0.0), im), &with_infinite)
    }
}

const fn is_transcendental(op: ElemOp) -> bool {
    use ElemOp::{Cos, Cosh, Exp, Log, Pow, Sin, Sinh, Sqrt, Tan, Tanh};
    matches!(op, Sqrt | Exp | Log | Sin | Cos | Tan | Sinh | Cosh | Tanh | Pow)
}
