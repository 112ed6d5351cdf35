//! Comparisons of `setp` and `set`, and the tests of `testp`.

use super::exact::{BFLOAT, DOUBLE, Format, HALF, SINGLE};
use super::float::flush;
use super::{Binary, Comparison, Mode, Unary};
use crate::parse::Type;
use std::cmp::Ordering;

fn holds(comparison: Comparison, ordering: Option<Ordering>) -> bool {
    use Comparison::*;
    match (comparison, ordering) {
        (Num, o) => o.is_some(),
        (Nan, o) => o.is_none(),
        (Eq | Ne | Lt | Le | Gt | Ge, None) => false,
        (_, None) => true,
        (Eq | Equ, Some(o)) => o.is_eq(),
        (Ne | Neu, Some(o)) => o.is_ne(),
        (Lt | Ltu, Some(o)) => o.is_lt(),
        (Le | Leu, Some(o)) => o.is_le(),
        (Gt | Gtu, Some(o)) => o.is_gt(),
        (Ge | Geu, Some(o)) => o.is_ge(),
    }
}

fn ordering(a: u64, b: u64, f: Format, mode: Mode) -> Option<Ordering> {
    let of = |x: u64| {
        let x = x & (f.sign() | (f.sign() - 1));
        if mode.flush { flush(x, f) } else { x }
    };
    let (a, b) = (of(a), of(b));
    let magnitude = f.sign() - 1;
    let key = |x: u64| if x & f.sign() != 0 { -((x & magnitude) as i64) } else { x as i64 };
    (!f.is_nan(a) && !f.is_nan(b)).then(|| key(a).cmp(&key(b)))
}

macro_rules! integers {
    ($t:ty) => {
        |a, b, m| holds(m.comparison, Some((a as $t).cmp(&(b as $t)))).into()
    };
}

/// The comparison of a type: 1 or 0. Untyped bits are compared as unsigned numbers.
pub fn function(ty: Type) -> Option<Binary> {
    Some(match ty {
        Type::U16 | Type::B16 => integers!(u16),
        Type::U32 | Type::B32 => integers!(u32),
        Type::U64 | Type::B64 => integers!(u64),
        Type::S16 => integers!(i16),
        Type::S32 => integers!(i32),
        Type::S64 => integers!(i64),
        Type::F16 => |a, b, m| holds(m.comparison, ordering(a, b, HALF, m)).into(),
        Type::Bf16 => |a, b, m| holds(m.comparison, ordering(a, b, BFLOAT, m)).into(),
        Type::F32 => |a, b, m| holds(m.comparison, ordering(a, b, SINGLE, m)).into(),
        Type::F64 => |a, b, m| holds(m.comparison, ordering(a, b, DOUBLE, m)).into(),
        _ => return None,
    })
}

/// A comparison by its name. `lo`, `ls`, `hi` and `hs` are the unsigned ones.
pub fn named(name: &str) -> Option<Comparison> {
    use Comparison::*;
    Some(match name {
        "eq" => Eq,
        "ne" => Ne,
        "lt" | "lo" => Lt,
        "le" | "ls" => Le,
        "gt" | "hi" => Gt,
        "ge" | "hs" => Ge,
        "equ" => Equ,
        "neu" => Neu,
        "ltu" => Ltu,
        "leu" => Leu,
        "gtu" => Gtu,
        "geu" => Geu,
        "num" => Num,
        "nan" => Nan,
        _ => return None,
    })
}

/// `testp`: a property of a float or a double, whose type is `mode.from`.
pub fn property(name: &str) -> Option<Unary> {
    fn format(mode: Mode) -> Format {
        if mode.from == Type::F64 { DOUBLE } else { SINGLE }
    }
    fn magnitude(a: u64, mode: Mode) -> u64 {
        a & (format(mode).sign() - 1)
    }
    Some(match name {
        "finite" => |a, m| (magnitude(a, m) < format(m).infinity()).into(),
        "infinite" => |a, m| (magnitude(a, m) == format(m).infinity()).into(),
        "number" => |a, m| (magnitude(a, m) <= format(m).infinity()).into(),
        "notanumber" => |a, m| (magnitude(a, m) > format(m).infinity()).into(),
        "normal" => |a, m| (magnitude(a, m) < format(m).infinity() && a & format(m).infinity() != 0).into(),
        "subnormal" => |a, m| (magnitude(a, m) != 0 && a & format(m).infinity() == 0).into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_zeros_and_nan() {
        let f = function(Type::F32).unwrap();
        let bits = |x: f32| u64::from(x.to_bits());
        let is = |a, c, b| f(bits(a), bits(b), Mode { comparison: c, ..Mode::default() }) == 1;
        assert!(is(-0.0, Comparison::Eq, 0.0));
        assert!(is(-2.0, Comparison::Lt, -1.0));
        assert!(!is(f32::NAN, Comparison::Ne, 1.0));
        assert!(is(f32::NAN, Comparison::Neu, 1.0) && is(f32::NAN, Comparison::Nan, 1.0));
        let s = function(Type::S32).unwrap();
        assert_eq!(s(0xffff_ffff, 0, Mode { comparison: Comparison::Lt, ..Mode::default() }), 1);
    }
}
