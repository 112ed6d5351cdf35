//! The functions by the names that kernels link to: `pydd_math_NAME_f64` and `_f32`, with `_fma` behind where the
//! processor has fused multiply-add. float32 is computed in double precision and rounded once.

/// Functions of a kind, `name(x, …): function of doubles, function of float32 that were widened`.
macro_rules! export {
    ($fma:literal, $suffix:literal: $($name:ident($($x:ident),+): $wide_in:ident::$wide:ident, $narrow_in:ident::$narrow:ident;)*) => { $(
        pub mod $name {
            #[unsafe(export_name = concat!("pydd_math_", stringify!($name), "_f64", $suffix))]
            pub extern "C" fn wide($($x: f64),+) -> f64 {
                crate::$wide_in::$wide::<$fma>($($x),+)
            }

            #[unsafe(export_name = concat!("pydd_math_", stringify!($name), "_f32", $suffix))]
            pub extern "C" fn narrow($($x: f32),+) -> f32 {
                crate::$narrow_in::$narrow::<$fma>($(f64::from($x)),+) as f32
            }
        }
    )* };
}

macro_rules! functions {
    ($fma:literal, $suffix:literal) => {
        export! {
            $fma, $suffix:
            exp(x): exp::exp, short::exp;
            exp2(x): exp::exp2, short::exp2;
            expm1(x): exp::expm1, short::expm1;
            sinh(x): exp::sinh, short::sinh;
            cosh(x): exp::cosh, short::cosh;
            tanh(x): exp::tanh, short::tanh;
            log(x): log::log, short::log;
            log2(x): log::log2, short::log2;
            log10(x): log::log10, short::log10;
            log1p(x): log::log1p, log::log1p;
            asinh(x): log::asinh, log::asinh;
            acosh(x): log::acosh, log::acosh;
            atanh(x): log::atanh, log::atanh;
            sin(x): trig::sin, short::sin;
            cos(x): trig::cos, short::cos;
            tan(x): trig::tan, short::tan;
            asin(x): inverse::asin, inverse::asin;
            acos(x): inverse::acos, inverse::acos;
            atan(x): inverse::atan, inverse::atan;
            atan2(y, x): inverse::atan2, inverse::atan2;
            pow(x, y): power::pow, power::short_pow;
            cbrt(x): power::cbrt, power::cbrt;
            hypot(x, y): power::hypot, power::hypot;
            fmod(x, y): remainder::fmod, remainder::fmod;
            erf(x): erf::erf, erf::erf;
            erfc(x): erf::erfc, erf::erfc;
        }
    };
}

pub mod plain {
    functions!(false, "");
}

#[cfg(not(pydd_object))]
pub mod fused {
    functions!(true, "_fma");
}

/// Where roundings are functions there is no fused multiply-add.
pub mod roundings {
    export! {
        false, "":
        floor(x): round::floor, round::floor;
        ceil(x): round::ceil, round::ceil;
        trunc(x): round::trunc, round::trunc;
        rint(x): round::rint, round::rint;
    }
}
