//! Powers.

use super::Scalars;
use crate::builder::{Ir, V, result};
use crate::types::Val;
use inkwell::values::FunctionValue;
use pydd_ir::DType;

/// Constant exponents up to this are multiplied out.
const UNROLLED: u32 = 64;

impl<'c> Scalars<'c, '_> {
    /// The last operand, if it is a small natural number.
    fn natural_exponent(&self) -> Option<u32> {
        let exponent = self.last.filter(|e| e.fract() == 0.0 && (0.0..=f64::from(UNROLLED)).contains(e))?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "just tested")]
        Some(exponent as u32)
    }

    pub(super) fn int_pow(&self, dtype: DType, a: V<'c>, b: V<'c>) -> V<'c> {
        if let Some(n) = self.natural_exponent() {
            return multiplied_out(n, a, &|x, y| self.ir.mul(x, y)).unwrap_or_else(|| self.ir.int_like(1, a));
        }
        let ty = a.into_int_value().get_type();
        let function = self.m.helper(
            &format!("pow.{dtype}"),
            ty.fn_type(&[ty.into(), ty.into()], false),
            |ir, function| int_pow_body(ir, function, dtype.is_signed_int()),
        );
        result(self.ir.call(function, &[a, b]))
    }

    pub(super) fn float_pow(&self, a: V<'c>, b: V<'c>) -> V<'c> {
        match self.last {
            // NumPy squares too; other powers are the library's, whose results are nearer.
            Some(2.0) => self.ir.fmul(a, a, self.flags),
            _ => self.libm("pow", &[a, b]),
        }
    }

    /// `exp(b log a)`, and plain products for constant natural exponents.
    pub(super) fn complex_pow(&self, a: &Val<'c>, b: &Val<'c>) -> Val<'c> {
        let (ar, _) = a.complex();
        let (one, zero) = (self.ir.float_like(1.0, ar), self.ir.float_like(0.0, ar));
        if let Some(n) = self.natural_exponent() {
            let product = multiplied_out(n, a.clone(), &|x, y| self.complex_mul(&x, &y));
            return product.unwrap_or(Val::Complex(one, zero));
        }
        let power = self.complex_exp(&self.complex_mul(b, &self.complex_log(a)));
        let base_is_zero = self.complex_is_zero(a);
        let power = self.select(base_is_zero, &Val::Complex(zero, zero), &power);
        self.select(self.complex_is_zero(b), &Val::Complex(one, zero), &power)
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
fn int_pow_body<'c>(ir: &Ir<'c>, function: FunctionValue<'c>, signed: bool) -> V<'c> {
    let params = function.get_params();
    let (base, exponent) = (params[0], params[1]);
    let (zero, one) = (ir.int_like(0, base), ir.int_like(1, base));
    let (before, header, body, end) = (ir.here(), ir.label("loop"), ir.label("body"), ir.label("end"));
    ir.br(header);
    ir.at(header);
    let [product, square, rest] = [0; 3].map(|_| ir.phi(base.get_type()));
    let (p, s, r) = (product.as_basic_value(), square.as_basic_value(), rest.as_basic_value());
    ir.cond_br(ir.is_zero(r), end, body);
    ir.at(body);
    let odd = ir.ne(ir.and(r, one), zero);
    let next = [ir.select(odd, ir.mul(p, s), p), ir.mul(s, s), ir.lshr(r, one)];
    let body = ir.here();
    ir.br(header);
    for ((phi, first), next) in [product, square, rest].iter().zip([one, base, exponent]).zip(next) {
        phi.add_incoming(&[(&first, before), (&next, body)]);
    }
    ir.at(end);
    if signed { ir.select(ir.is_negative(exponent), zero, p) } else { p }
}
