//! The functions by the names that kernels link to: `pydd_math_NAME_f64` and `_f32`, with `_fma` behind where the
//! processor has fused multiply-add. There float32 is computed in float32, elsewhere in double precision and rounded once.

macro_rules! narrow {
    (widened, $fma:literal, $function:path, $($x:ident),+) => {{
        use $function as function;
        function::<$fma>($(f64::from($x)),+) as f32
    }};
    (single, $fma:literal, $function:path, $($x:ident),+) => {{
        use $function as function;
        function($($x),+)
    }};
}

/// Functions of a kind, `name(x, …): function of doubles, function of float32`. What stands behind the name of a function of float32
/// is what it computes with: `widened`, doubles that are rounded once, or `single`, float32.
macro_rules! export {
    ($fma:literal, $suffix:literal: $($name:ident($($x:ident),+): $wide_in:ident::$wide:ident, $how:ident $($narrow:ident)::+;)*) => { $(
        pub mod $name {
            #[unsafe(export_name = concat!("pydd_math_", stringify!($name), "_f64", $suffix))]
            pub extern "C" fn wide($($x: f64),+) -> f64 {
                crate::$wide_in::$wide::<$fma>($($x),+)
            }

            #[unsafe(export_name = concat!("pydd_math_", stringify!($name), "_f32", $suffix))]
            pub extern "C" fn narrow($($x: f32),+) -> f32 {
                narrow!($how, $fma, crate::$($narrow)::+, $($x),+)
            }
        }
    )* };
}

pub mod plain {
    export! {
        false, "":
        exp(x): exp::exp, widened short::exp;
        exp2(x): exp::exp2, widened short::exp2;
        expm1(x): exp::expm1, widened short::expm1;
        sinh(x): exp::sinh, widened short::sinh;
        cosh(x): exp::cosh, widened short::cosh;
        tanh(x): exp::tanh, widened short::tanh;
        log(x): log::log, widened short::log;
        log2(x): log::log2, widened short::log2;
        log10(x): log::log10, widened short::log10;
        log1p(x): log::log1p, widened log::log1p;
        asinh(x): log::asinh, widened log::asinh;
        acosh(x): log::acosh, widened log::acosh;
        atanh(x): log::atanh, widened log::atanh;
        sin(x): trig::sin, widened short::sin;
        cos(x): trig::cos, widened short::cos;
        tan(x): trig::tan, widened short::tan;
        asin(x): inverse::asin, widened inverse::asin;
        acos(x): inverse::acos, widened inverse::acos;
        atan(x): inverse::atan, widened inverse::atan;
        atan2(y, x): inverse::atan2, widened inverse::atan2;
        pow(x, y): power::pow, widened power::short_pow;
        cbrt(x): power::cbrt, widened power::cbrt;
        hypot(x, y): power::hypot, widened power::short_hypot;
        fmod(x, y): remainder::fmod, widened remainder::fmod;
        erf(x): erf::erf, widened erf::erf;
        erfc(x): erf::erfc, widened erf::erfc;
    }
}

#[cfg(not(pydd_object))]
pub mod fused {
    export! {
        true, "_fma":
        exp(x): exp::exp, single single::exp::exp;
        exp2(x): exp::exp2, single single::exp::exp2;
        expm1(x): exp::expm1, single single::exp::expm1;
        sinh(x): exp::sinh, single single::exp::sinh;
        cosh(x): exp::cosh, single single::exp::cosh;
        tanh(x): exp::tanh, single single::exp::tanh;
        log(x): log::log, single single::log::log;
        log2(x): log::log2, single single::log::log2;
        log10(x): log::log10, single single::log::log10;
        log1p(x): log::log1p, single single::log::log1p;
        asinh(x): log::asinh, single single::log::asinh;
        acosh(x): log::acosh, single single::log::acosh;
        atanh(x): log::atanh, single single::log::atanh;
        sin(x): trig::sin, single single::trig::sin;
        cos(x): trig::cos, single single::trig::cos;
        tan(x): trig::tan, single single::trig::tan;
        asin(x): inverse::asin, single single::inverse::asin;
        acos(x): inverse::acos, single single::inverse::acos;
        atan(x): inverse::atan, single single::inverse::atan;
        atan2(y, x): inverse::atan2, single single::inverse::atan2;
        pow(x, y): power::pow, single single::power::pow;
        cbrt(x): power::cbrt, single single::inverse::cbrt;
        hypot(x, y): power::hypot, widened power::short_hypot;
        fmod(x, y): remainder::fmod, widened remainder::fmod;
        erf(x): erf::erf, widened erf::erf;
        erfc(x): erf::erfc, widened erf::erfc;
    }
}

/// Where roundings are functions there is no fused multiply-add.
pub mod roundings {
    export! {
        false, "":
        floor(x): round::floor, widened round::floor;
        ceil(x): round::ceil, widened round::ceil;
        trunc(x): round::trunc, widened round::trunc;
        rint(x): round::rint, widened round::rint;
    }
}
