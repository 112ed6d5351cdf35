//! Powers.

use super::Scalars;
use crate::builder::{Ir, V, result};
use crate::types::Val;
use inkwell::FloatPredicate;
use inkwell::types::BasicMetadataTypeEnum;
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

    /// As NumPy: products for small whole exponents, else `exp(b log a)`. Operands are complex128.
    pub(super) fn complex_pow(&self, a: &Val<'c>, b: &Val<'c>) -> Val<'c> {
        if let Some(n) = self.natural_exponent().filter(|&n| n > 0) {
            return multiplied_out(n, a.clone(), &|x, y| self.complex_mul(&x, &y)).expect("not empty");
        }
        let part: BasicMetadataTypeEnum<'c> = self.m.cx.f64_type().into();
        let pair = self.m.cx.struct_type(&[self.m.cx.f64_type().into(); 2], false);
        let function = self.m.helper("pow.c128", pair.fn_type(&[part; 4], false), |ir, function| {
            let scalars = Scalars { m: self.m, ir, flags: self.flags, last: None };
            scalars.complex_pow_body(function)
        });
        let args: Vec<V<'c>> = [a.parts(), b.parts()].concat();
        let power = result(self.ir.call(function, &args));
        Val::Complex(self.ir.part(power, 0), self.ir.part(power, 1))
    }

    fn complex_pow_body(&self, function: FunctionValue<'c>) -> V<'c> {
        let ir = self.ir;
        let params = function.get_params();
        let (a, b) = (Val::Complex(params[0], params[1]), Val::Complex(params[2], params[3]));
        let (br, bi) = b.complex();
        let number = |x: f64| ir.float_like(x, br);
        let constant = |re, im| Val::Complex(number(re), number(im));
        let size = self.intrinsic("llvm.fabs", &[br]);
        let whole = ir.fcmp(FloatPredicate::OEQ, self.intrinsic("llvm.trunc", &[size]), size);
        let small = ir.fcmp_const(FloatPredicate::OLT, size, 100.0);
        let real = ir.fcmp_const(FloatPredicate::OEQ, bi, 0.0);
        let base_is_zero = self.complex_is_zero(&a);
        let (product, general, done) = (ir.label("product"), ir.label("general"), ir.label("done"));
        let by_product = ir.and(ir.and(whole, small), ir.and(real, ir.not(base_is_zero)));
        ir.cond_br(by_product, product, general);

        ir.at(product);
        let count = self.saturate(size, DType::I64);
        let power = self.whole_power(&a, count);
        let inverse = self.complex_div(&constant(1.0, 0.0), &power);
        let negative = ir.fcmp_const(FloatPredicate::OLT, br, 0.0);
        let power = self.select(negative, &inverse, &power);
        let from_product = ir.here();
        ir.br(done);

        ir.at(general);
        let other = self.complex_exp(&self.complex_mul(&b, &self.complex_log(&a)));
        let vanishes = ir.fcmp_const(FloatPredicate::OGT, br, 0.0);
        let of_zero = self.select(vanishes, &constant(0.0, 0.0), &constant(f64::NAN, f64::NAN));
        let other = self.select(base_is_zero, &of_zero, &other);
        let other = self.select(self.complex_is_zero(&b), &constant(1.0, 0.0), &other);
        let from_general = ir.here();
        ir.br(done);

        ir.at(done);
        let joined: Vec<V<'c>> = power
            .parts()
            .iter()
            .zip(other.parts())
            .map(|(x, y)| {
                let phi = ir.phi(x.get_type());
                phi.add_incoming(&[(x, from_product), (&y, from_general)]);
                phi.as_basic_value()
            })
            .collect();
        ir.pair(joined[0], joined[1])
    }

    /// `a ** count` by squaring, for a count that is not negative.
    fn whole_power(&self, a: &Val<'c>, count: V<'c>) -> Val<'c> {
        let ir = self.ir;
        let (re, im) = a.complex();
        let (before, header, body, end) = (ir.here(), ir.label("loop"), ir.label("body"), ir.label("end"));
        ir.br(header);
        ir.at(header);
        let phis = [re; 4].map(|part| ir.phi(part.get_type()));
        let rest = ir.phi(count.get_type());
        let [pr, pi, sr, si] = phis.map(|phi| phi.as_basic_value());
        let (product, square, n) = (Val::Complex(pr, pi), Val::Complex(sr, si), rest.as_basic_value());
        ir.cond_br(ir.is_zero(n), end, body);
        ir.at(body);
        let odd = ir.ne(ir.and(n, ir.i64(1)), ir.i64(0));
        let next = self.select(odd, &self.complex_mul(&product, &square), &product);
        let squared = self.complex_mul(&square, &square);
        let first = [ir.float_like(1.0, re), ir.float_like(0.0, re), re, im];
        let next = [next.parts(), squared.parts()].concat();
        for ((phi, first), next) in phis.iter().zip(first).zip(next) {
            phi.add_incoming(&[(&first, before), (&next, ir.here())]);
        }
        rest.add_incoming(&[(&count, before), (&ir.lshr(n, ir.i64(1)), ir.here())]);
        ir.br(header);
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
