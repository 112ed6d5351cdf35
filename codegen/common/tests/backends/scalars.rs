//! Every scalar operation on edge values, against the interpreter of the IR.

use super::load::{Entry, Kernel, load, options};
use super::make::{export, function, module};
use pydd_interp::{Scalar, cast, elem};
use pydd_ir::{DType, ElemOp, OpKind, Type, Version};

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    3.0,
    2.0,
    7.25,
    1e300,
    -1e300,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    9.223_372_036_854_776e18,
    4_294_967_296.5,
    -129.0,
    1e-3,
];

fn values(dtype: DType) -> Vec<Scalar> {
    match dtype {
        DType::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        d if d.is_int() => {
            let top = 1_i128 << (d.size() * 8 - 1);
            [0, 1, 2, 3, 5, 7, 8, 13, 31, 63, 64, 100, -1, -2, -3, -7, -8, top, top - 1, -top, top + 1]
                .iter()
                .map(|&v| Scalar::int(v, d))
                .collect()
        }
        d if d.is_float() => FLOATS.iter().map(|&v| Scalar::float(v, d)).collect(),
        d => {
            let parts = [0.0, -0.0, 1.0, -2.5, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.75];
            let pairs = parts.iter().flat_map(|&re| parts.iter().map(move |&im| (re, im)));
            pairs.map(|(re, im)| Scalar::complex(re, im, d)).collect()
        }
    }
}

#[allow(clippy::cast_possible_truncation)]
fn words(value: Scalar) -> Vec<u64> {
    let float = |x: f64, d: DType| match d.real() {
        DType::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    match value {
        Scalar::Bool(b) => vec![u64::from(b)],
        Scalar::Int(v, _) => vec![v as u64],
        Scalar::Float(x, d) => vec![float(x, d)],
        Scalar::Complex(re, im, d) => vec![float(re, d), float(im, d)],
    }
}

#[allow(clippy::cast_possible_truncation)]
fn from_words(words: &[u64], dtype: DType) -> Scalar {
    let float = |word: u64| match dtype.real() {
        DType::F32 => f64::from(f32::from_bits(word as u32)),
        _ => f64::from_bits(word),
    };
    match dtype {
        DType::Bool => Scalar::Bool(words[0] == 1),
        d if d.is_signed_int() => Scalar::Int(i128::from(words[0].cast_signed()), d),
        d if d.is_int() => Scalar::Int(i128::from(words[0]), d),
        d if d.is_float() => Scalar::Float(float(words[0]), d),
        d => Scalar::Complex(float(words[0]), float(words[1]), d),
    }
}

/// How near a result must be, relatively.
fn tolerance(op: ElemOp, dtype: DType) -> f64 {
    use ElemOp::*;
    let inexact = matches!(
        op,
        Cbrt | Exp
            | Exp2
            | Expm1
            | Log
            | Log2
            | Log10
            | Log1p
            | Sin
            | Cos
            | Tan
            | Asin
            | Acos
            | Atan
            | Sinh
            | Cosh
            | Tanh
            | Asinh
            | Acosh
            | Atanh
            | Atan2
            | Hypot
            | Erf
            | Erfc
            | Gamma
            | LogGamma
            | Pow
    );
    // The formulas for complex numbers round more than once.
    let complex = dtype.is_complex() && matches!(op, Div | Sqrt | Abs);
    match (inexact || complex, dtype.real()) {
        (false, _) => 0.0,
        (true, DType::F32) => 1e-5,
        (true, _) => 1e-13,
    }
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    if tolerance == 0.0 {
        return a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    }
    (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1e-300)
}

fn same(got: Scalar, want: Scalar, tolerance: f64) -> bool {
    match (got, want) {
        (Scalar::Float(a, _), Scalar::Float(b, _)) => near(a, b, tolerance),
        (Scalar::Complex(a, b, _), Scalar::Complex(c, d, _)) => {
            near(a, c, tolerance) && near(b, d, tolerance)
        }
        _ => got == want,
    }
}

/// Whether the compiled operation and the interpreter need not agree.
fn is_left_open(op: ElemOp, args: &[Scalar], got: Scalar, want: Scalar) -> bool {
    match (op, got, want) {
        // NumPy 2.4's answers where the interpreter has a formula's: infinite NaN, powers of 0, and the order of NaN.
        (ElemOp::IsInf, ..) => {
            args.iter().any(|&a| matches!(a, Scalar::Complex(re, im, _) if re.is_nan() || im.is_nan()))
        }
        (ElemOp::Pow, Scalar::Complex(..), _) if is_complex_zero(args[0]) => true,
        (ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge, ..) => {
            args.iter().any(|&a| matches!(a, Scalar::Complex(re, im, _) if re.is_nan() || im.is_nan()))
        }
        // Infinite and huge parts meet in formulas that differ; which zero or NaN comes out is left open.
        (_, Scalar::Complex(..), _) => args.iter().any(|&a| match a {
            Scalar::Complex(re, im, _) => [re, im].iter().any(|x| !x.is_finite() || x.abs() > 1e100),
            _ => false,
        }),
        _ => false,
    }
}

fn is_complex_zero(value: Scalar) -> bool {
    matches!(value, Scalar::Complex(re, im, _) if re == 0.0 && im == 0.0)
}

fn cases() -> Vec<(ElemOp, DType)> {
    let all = ElemOp::ALL.iter().flat_map(|&op| DType::ALL.map(|d| (op, d)));
    all.filter(|&(op, d)| op != ElemOp::Select && op.domain().contains(d) && is_meant(op, d)).collect()
}

/// NumPy has no loop for these.
fn is_meant(op: ElemOp, dtype: DType) -> bool {
    use ElemOp::*;
    !(dtype == DType::Bool && matches!(op, FloorDiv | Mod | Fmod | Sign))
}

fn name(op: ElemOp, dtype: DType) -> String {
    format!("{}_{dtype}", op.name())
}

fn kernel(opt_level: u8, cpu: &str) -> Kernel {
    let mut m = module();
    for (op, d) in cases() {
        let params = vec![Type::Scalar(d); op.arity()];
        let result = Type::Scalar(op.result_dtype(d));
        let func =
            function(&name(op, d), Version::Any, &params, &[result], |b, args| Some(vec![b.elem(op, args)]));
        export(&mut m, func);
    }
    let mut options = options(opt_level);
    cpu.clone_into(&mut options.cpu);
    options.strict_fp = true;
    load(&m, &options)
}

fn compare(kernel: &Kernel) {
    let mut wrong = Vec::new();
    for ((op, d), function) in cases().into_iter().zip(kernel.functions()) {
        let operands = values(d);
        let second = if op.arity() == 2 { operands.clone() } else { vec![Scalar::zero(d)] };
        for (&a, &b) in operands.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
            let args = &[a, b][..op.arity()];
            let want = elem(op, args, false).unwrap();
            let input: Vec<u64> = args.iter().flat_map(|&a| words(a)).collect();
            let output = kernel.call_function(function, Entry::First, &input).unwrap();
            let got = from_words(&output, op.result_dtype(d));
            if !same(got, want, tolerance(op, d)) && !is_left_open(op, args, got, want) {
                wrong.push(format!("{} {args:?}: {got:?}, not {want:?}", op.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(4000)].join("\n"));
}

#[test]
fn operations_agree_with_the_interpreter() {
    compare(&kernel(2, "native"));
}

#[test]
fn operations_agree_unoptimised_on_any_cpu() {
    compare(&kernel(0, "generic"));
}

#[test]
fn conversions_agree_with_the_interpreter() {
    let mut m = module();
    let pairs: Vec<(DType, DType)> =
        DType::ALL.iter().flat_map(|&a| DType::ALL.map(|b| (a, b))).filter(|(a, b)| a != b).collect();
    for &(from, to) in &pairs {
        let name = format!("{from}_{to}");
        let func = function(&name, Version::Any, &[Type::Scalar(from)], &[Type::Scalar(to)], |b, args| {
            Some(vec![b.value(OpKind::Cast, vec![args[0]], Type::Scalar(to))])
        });
        export(&mut m, func);
    }
    let kernel = load(&m, &options(1));
    let mut wrong = Vec::new();
    for (&(from, to), function) in pairs.iter().zip(kernel.functions()) {
        for value in values(from) {
            let output = kernel.call_function(function, Entry::First, &words(value)).unwrap();
            let (got, want) = (from_words(&output, to), cast(value, to));
            if !same(got, want, 0.0) {
                wrong.push(format!("{value:?} to {to}: {got:?}, not {want:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn constant_exponents_are_multiplied_out() {
    for exponent in [0, 1, 2, 3, 10, 63] {
        let m = super::make::single(&[Type::I64], &[Type::I64], |b, args| {
            let exponent = b.int(exponent);
            Some(vec![b.elem(ElemOp::Pow, &[args[0], exponent])])
        });
        let kernel = load(&m, &options(1));
        for base in [0_i64, 1, -1, 3, -7] {
            let got = kernel.call("f", &[base.cast_unsigned()]).unwrap()[0].cast_signed();
            assert_eq!(got, base.wrapping_pow(u32::try_from(exponent).unwrap()));
        }
    }
}

#[test]
fn constant_divisors_round_down() {
    for divisor in [1_i64, -1, 2, 8, -8, 3, -3, 1 << 62, i64::MIN, 0] {
        let m = super::make::single(&[Type::I64], &[Type::I64, Type::I64], |b, args| {
            let divisor = b.int(divisor);
            let ops = [ElemOp::FloorDiv, ElemOp::Mod];
            Some(ops.iter().map(|&op| b.elem(op, &[args[0], divisor])).collect())
        });
        let kernel = load(&m, &options(2));
        for value in [0, 1, -1, 7, -7, 8, -8, i64::MAX, i64::MIN] {
            let got = kernel.call("f", &[value.cast_unsigned()]).unwrap();
            let operands = [Scalar::i64(value), Scalar::i64(divisor)];
            let want = [ElemOp::FloorDiv, ElemOp::Mod]
                .map(|op| elem(op, &operands, false).unwrap().as_i64().unwrap());
            assert_eq!([got[0].cast_signed(), got[1].cast_signed()], want, "{value} by {divisor}");
        }
    }
}

/// Checked with NumPy 2.4.
#[test]
fn complex_corner_cases_are_numpys() {
    let c128 = Type::Scalar(DType::C128);
    let mut m = module();
    let less =
        function("less", Version::Any, &[c128; 2], &[Type::BOOL], |b, p| Some(vec![b.elem(ElemOp::Lt, p)]));
    let pow = function("pow", Version::Any, &[c128; 2], &[c128], |b, p| Some(vec![b.elem(ElemOp::Pow, p)]));
    export(&mut m, less);
    export(&mut m, pow);
    let isinf =
        function("isinf", Version::Any, &[c128], &[Type::BOOL], |b, p| Some(vec![b.elem(ElemOp::IsInf, p)]));
    export(&mut m, isinf);
    let kernel = load(&m, &options(3));
    assert_eq!(kernel.call("isinf", &[f64::NAN, f64::NEG_INFINITY].map(f64::to_bits)).unwrap(), [1]);
    let call = |name: &str, parts: [f64; 4]| kernel.call(name, &parts.map(f64::to_bits)).unwrap();
    for (parts, want) in [
        ([0.0, 0.0, 1.0, f64::NAN], 0),
        ([0.0, f64::NAN, 1.0, 0.0], 0),
        ([0.0, 5.0, 1.0, 0.0], 1),
        ([1.0, 0.0, 1.0, 1.0], 1),
    ] {
        assert_eq!(call("less", parts), [want], "{parts:?}");
    }
    let is_nan = |words: &[u64]| words.iter().all(|&w| f64::from_bits(w).is_nan());
    assert!(is_nan(&call("pow", [0.0, 0.0, -2.5, 0.0])) && is_nan(&call("pow", [0.0, 0.0, 0.0, 1.0])));
    assert_eq!(call("pow", [0.0, 0.0, 1.0, -2.5]), [0, 0]);
    assert_eq!(call("pow", [0.0, 1.0, 2.0, 0.0]), [(-1.0_f64).to_bits(), 0]);
}
