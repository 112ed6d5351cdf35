//! What `np.finfo(t)` and `np.iinfo(t)` say of a type.

use crate::types::DType;

/// A limit of a type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// A number of the type itself.
    Float(f64),
    /// A Python integer; the bits of one above the greatest int64 are those of a uint64.
    Int(i128),
}

/// The attribute of `np.finfo(dtype)` or, of an integer type, `np.iinfo(dtype)`.
#[must_use]
pub fn limit(dtype: DType, name: &str) -> Option<Limit> {
    let bits = 8 * i128::from(dtype.size());
    match (dtype, name) {
        (_, "bits") => Some(Limit::Int(bits)),
        (DType::F64, _) => {
            float(name, f64::EPSILON, f64::MAX, f64::MIN_POSITIVE, 1e-15, 52).map(Limit::Float)
        }
        (DType::F32, _) => {
            let (eps, max, tiny) = (f32::EPSILON.into(), f32::MAX.into(), f32::MIN_POSITIVE.into());
            float(name, eps, max, tiny, 1e-6, 23).map(Limit::Float)
        }
        (d, "max") if d.is_unsigned_int() => Some(Limit::Int((1 << bits) - 1)),
        (d, "min") if d.is_unsigned_int() => Some(Limit::Int(0)),
        (d, "max") if d.is_int() => Some(Limit::Int((1 << (bits - 1)) - 1)),
        (d, "min") if d.is_int() => Some(Limit::Int(-(1 << (bits - 1)))),
        _ => None,
    }
}

fn float(name: &str, eps: f64, max: f64, tiny: f64, resolution: f64, mantissa: i32) -> Option<f64> {
    match name {
        "eps" => Some(eps),
        "epsneg" => Some(eps / 2.0),
        "max" => Some(max),
        "min" => Some(-max),
        "tiny" | "smallest_normal" => Some(tiny),
        "smallest_subnormal" => Some(tiny * 2.0_f64.powi(-mantissa)),
        "resolution" => Some(resolution),
        _ => None,
    }
}
