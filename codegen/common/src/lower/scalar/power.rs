//! Powers.

use super::Scalars;
use crate::emit::{Emit, EmitExt, FloatCmp, FloatFn, Freedom, Signature, Ty};
use crate::lower::values::{Val, scalar_type};
use pydd_ir::{DType, ElemOp, ShortPower};

impl<E: Emit> Scalars<'_, E> {
    /// What the power is with the last operand as its exponent, if it is short.
    fn as_short(&self, dtype: DType) -> Option<ShortPower> {
        ShortPower::of(dtype, self.last?, self.freedom == Freedom::Exact)
    }

    pub(super) fn int_pow(&self, dtype: DType, a: E::V, b: E::V) -> E::V {
        if let Some(ShortPower::Product(n)) = self.as_short(dtype) {
            return multiplied_out(n, a, &|x, y| self.ir.mul(x, y)).unwrap_or_else(|| self.ir.int_like(1, a));
        }
        let ty = scalar_type(dtype);
        let function =
            self.m.helper(&format!("pow.{dtype}"), Signature::new(&[ty, ty], &[ty]), true, |ir, params| {
                vec![int_pow_body(ir, params, dtype.is_signed_int())]
            });
        self.ir.call_one(function, &[a, b])
    }

    pub(super) fn float_pow(&self, a: E::V, b: E::V) -> E::V {
        match self.as_short(DType::F64) {
            Some(short) => self.short_power(a, short),
            None => self.math(ElemOp::Pow, &[a, b]),
        }
    }

    /// With zeros and infinities as C's `pow` has them.
    fn short_power(&self, a: E::V, power: ShortPower) -> E::V {
        let (ir, freedom) = (self.ir, self.freedom);
        let (mul, div) = (|x, y| ir.fmul(x, y, freedom), |x, y| ir.fdiv(x, y, freedom));
        let root = |x| ir.float_fn(FloatFn::Sqrt, x);
        let (zero, one) = (ir.float_like(0.0, a), ir.float_like(1.0, a));
        // Without the sign of a zero, which roots and quotients would keep.
        let unsigned = || ir.fadd(a, zero, Freedom::Exact);
        let of_negative_infinity = |power, value: f64| {
            let is_it = ir.fcmp_const(FloatCmp::Oeq, a, f64::NEG_INFINITY);
            ir.select(is_it, ir.float_like(value, a), power)
        };
        match power {
            ShortPower::Product(n) => multiplied_out(n, a, &mul).unwrap_or(one),
            ShortPower::Root => of_negative_infinity(root(unsigned()), f64::INFINITY),
            ShortPower::RootCubed => of_negative_infinity(mul(a, root(a)), f64::INFINITY),
            ShortPower::InverseRoot => of_negative_infinity(div(one, root(unsigned())), 0.0),
            ShortPower::Inverse => div(one, a),
            ShortPower::InverseRootCubed => {
                let inverse = div(one, unsigned());
                mul(inverse, root(inverse))
            }
        }
    }

    /// As NumPy: products for small whole exponents, else `exp(b log a)`. Operands are complex128.
    pub(super) fn complex_pow(&self, a: &Val<E::V>, b: &Val<E::V>) -> Val<E::V> {
        if let Some(ShortPower::Product(n)) = self.as_short(DType::C128) {
            let power = multiplied_out(n, a.clone(), &|x, y| self.complex_mul(&x, &y)).expect("not empty");
            // Longer products start from 1 in NumPy.
            let one =
                Val::Complex(self.ir.float_like(1.0, a.complex().0), self.ir.float_like(0.0, a.complex().0));
            return if n > 3 { self.complex_mul(&one, &power) } else { power };
        }
        let signature = Signature::new(&[Ty::F64; 4], &[Ty::F64; 2]);
        let function = self.m.helper("pow.c128", signature, true, |ir, params| {
            Scalars::outside_loops(self.m, ir, self.freedom).complex_pow_body(params)
        });
        let power = self.ir.call(function, &[a.parts(), b.parts()].concat());
        Val::Complex(power[0], power[1])
    }

    fn complex_pow_body(&self, params: &[E::V]) -> Vec<E::V> {
        let ir = self.ir;
        let (a, b) = (Val::Complex(params[0], params[1]), Val::Complex(params[2], params[3]));
        let (br, bi) = b.complex();
        let number = |x: f64| ir.float_like(x, br);
        let constant = |re, im| Val::Complex(number(re), number(im));
        let size = self.ir.fabs(br);
        let whole = ir.fcmp(FloatCmp::Oeq, self.ir.float_fn(FloatFn::Trunc, size), size);
        let small = ir.fcmp_const(FloatCmp::Olt, size, 100.0);
        let real = ir.fcmp_const(FloatCmp::Oeq, bi, 0.0);
        let base_is_zero = self.complex_is_zero(&a);
        let (product, general, done) = (ir.label("product"), ir.label("general"), ir.label("done"));
        let result = ir.params(done, &[Ty::F64; 2]);
        let by_product = ir.and(ir.and(whole, small), ir.and(real, ir.not(base_is_zero)));
        ir.cond_br(by_product, product, general);

        ir.at(product);
        let count = ir.float_to_int(size, Ty::I64, false);
        let power = self.whole_power(&a, count);
        let inverse = self.complex_div(&constant(1.0, 0.0), &power);
        // Products of up to three are NumPy's without its start of 1, which makes NaN of infinities.
        let square = self.complex_mul(&a, &a);
        let cube = self.complex_mul(&a, &square);
        let mut power = power;
        for (n, product) in [(1, &a), (2, &square), (3, &cube)] {
            power = self.select(ir.eq(count, ir.i64(n)), product, &power);
        }
        let negative = ir.fcmp_const(FloatCmp::Olt, br, 0.0);
        let power = self.select(negative, &inverse, &power);
        ir.br(done, &power.parts());

        ir.at(general);
        let other = self.complex_exp(&self.complex_mul(&b, &self.complex_log(&a)));
        let vanishes = ir.fcmp_const(FloatCmp::Ogt, br, 0.0);
        let of_zero = self.select(vanishes, &constant(0.0, 0.0), &constant(f64::NAN, f64::NAN));
        let other = self.select(base_is_zero, &of_zero, &other);
        let other = self.select(self.complex_is_zero(&b), &constant(1.0, 0.0), &other);
        ir.br(done, &other.parts());

        ir.at(done);
        result
    }

    /// `a ** count` by squaring, for a count that is not negative.
    fn whole_power(&self, a: &Val<E::V>, count: E::V) -> Val<E::V> {
        let ir = self.ir;
        let (re, im) = a.complex();
        let (header, body, end) = (ir.label("loop"), ir.label("body"), ir.label("end"));
        let parts = ir.params(header, &[Ty::F64, Ty::F64, Ty::F64, Ty::F64, Ty::I64]);
        ir.br(header, &[ir.float_like(1.0, re), ir.float_like(0.0, re), re, im, count]);
        ir.at(header);
        let (product, square, n) =
            (Val::Complex(parts[0], parts[1]), Val::Complex(parts[2], parts[3]), parts[4]);
        ir.cond_br(ir.is_zero(n), end, body);
        ir.at(body);
        let odd = ir.ne(ir.and(n, ir.i64(1)), ir.i64(0));
        let next = self.select(odd, &self.complex_mul(&product, &square), &product);
        let squared = self.complex_mul(&square, &square);
        ir.br(header, &[next.parts(), squared.parts(), vec![ir.lshr(n, ir.i64(1))]].concat());
        ir.at(end);
        product
    }
}

/// `a ** n` by squaring; None for `n == 0`.
fn multiplied_out<T: Clone>(n: u32, a: T, mul: &dyn Fn(T, T) -> T) -> Option<T> {
    let (mut product, mut square) = (None, a);
    let mut rest = n;
    while rest != 0 {
        if rest & 1 != 0 {
            product = Some(match product {
                None => square.clone(),
                Some(product) => mul(product, square.clone()),
            });
        }
        rest >>= 1;
        if rest != 0 {
            square = mul(square.clone(), square);
        }
    }
    product
}

/// Power by squaring; 0 for negative exponents.
fn int_pow_body<E: Emit>(ir: &E, params: &[E::V], signed: bool) -> E::V {
    let (base, exponent) = (params[0], params[1]);
    let (zero, one) = (ir.int_like(0, base), ir.int_like(1, base));
    let (header, body, end) = (ir.label("loop"), ir.label("body"), ir.label("end"));
    let parts = ir.params(header, &[ir.ty(base); 3]);
    let (product, square, rest) = (parts[0], parts[1], parts[2]);
    ir.br(header, &[one, base, exponent]);
    ir.at(header);
    ir.cond_br(ir.is_zero(rest), end, body);
    ir.at(body);
    let odd = ir.ne(ir.and(rest, one), zero);
    let next = ir.select(odd, ir.mul(product, square), product);
    ir.br(header, &[next, ir.mul(square, square), ir.lshr(rest, one)]);
    ir.at(end);
    if signed { ir.select(ir.is_negative(exponent), zero, product) } else { product }
}
