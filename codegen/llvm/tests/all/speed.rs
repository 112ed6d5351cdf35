//! That hot loops become what they should: seen in LLVM's text.

use crate::backends::load::options;
use crate::backends::make::{F64_1, F64_2, Ops, single, with_version};
use pydd_codegen_llvm::{Stage, assembly, llvm_text};
use pydd_ir::{Builder, DType, ElemOp, Module, Type, Value, Version};

fn optimised(m: &Module, change: impl FnOnce(&mut pydd_codegen::CodegenOptions)) -> String {
    let mut options = options(3);
    "x86-64-v3".clone_into(&mut options.cpu);
    change(&mut options);
    llvm_text(m, &options, Stage::AfterPasses).unwrap()
}

fn is_vector(text: &str) -> bool {
    text.contains("<4 x double>")
}

/// Sums `of` each element of a vector.
fn sum(of: impl FnOnce(&mut Builder<'_>, Value) -> Value) -> Module {
    single(&[F64_1], &[Type::F64], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let start = b.number(0.0, DType::F64);
        let n = b.dim(p[0], 0);
        Some(b.for_loop([zero, n, one], &[start], |b, i, acc| {
            let x = b.load(p[0], &[i]);
            let x = of(b, x);
            vec![b.add(acc[0], x)]
        }))
    })
}

#[test]
fn sums_vectorise_with_multiply_adds() {
    let text = optimised(&sum(|b, x| b.mul(x, x)), |_| {});
    assert!(is_vector(&text) && text.contains("vector.reduce.fadd"), "{text}");
}

#[test]
fn functions_take_the_widest_vectors_and_end_under_a_mask() {
    let of = |elem, cpu: &str| {
        let m = sum(|b, x| b.elem(elem, &[x]));
        optimised(&m, |options| cpu.clone_into(&mut options.cpu))
    };
    let is_wide = |text: &str| text.contains("<8 x double>") && text.contains("llvm.masked.load");
    assert!(is_wide(&of(ElemOp::Exp, "x86-64-v4")));
    // What waits for memory gains nothing, and without masks the last elements would take longer.
    for text in [of(ElemOp::Neg, "x86-64-v4"), of(ElemOp::Exp, "x86-64-v3")] {
        assert!(is_vector(&text) && !text.contains("llvm.masked.load"), "{text}");
    }
}

#[test]
fn sums_keep_their_order_under_strict_fp() {
    let text = optimised(&sum(|b, x| b.mul(x, x)), |options| options.strict_fp = true);
    assert!(!text.contains("vector.reduce.fadd") && !text.contains("reassoc"), "{text}");
}

#[test]
fn minima_vectorise() {
    let m = single(&[F64_1], &[Type::F64], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let start = b.number(f64::INFINITY, DType::F64);
        let n = b.dim(p[0], 0);
        Some(b.for_loop([zero, n, one], &[start], |b, i, acc| {
            let x = b.load(p[0], &[i]);
            vec![b.elem(ElemOp::Min, &[acc[0], x])]
        }))
    });
    assert!(is_vector(&optimised(&m, |_| {})));
}

/// Of two zeros it is the second, which is what the instruction gives.
#[test]
fn maxima_of_pairs_are_an_instruction() {
    let m = single(&[F64_1, F64_1], &[Type::F64], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let start = b.number(0.0, DType::F64);
        let n = b.dim(p[0], 0);
        Some(b.for_loop([zero, n, one], &[start], |b, i, acc| {
            let (x, y) = (b.load(p[0], &[i]), b.load(p[1], &[i]));
            let greater = b.elem(ElemOp::Max, &[x, y]);
            vec![b.add(acc[0], greater)]
        }))
    });
    let mut options = options(3);
    "x86-64-v3".clone_into(&mut options.cpu);
    let text = assembly(&m, &options).unwrap();
    assert!(text.contains("vmaxpd") && !text.contains("vcmpltpd"), "{text}");
}

#[test]
fn conditional_sums_vectorise() {
    let m = sum(|b, x| {
        let zero = b.number(0.0, DType::F64);
        let positive = b.elem(ElemOp::Gt, &[x, zero]);
        b.select(positive, x, zero)
    });
    assert!(is_vector(&optimised(&m, |_| {})));
}

/// Kahan's summation reads its running sum twice, so nothing may be reordered.
#[test]
fn compensated_sums_are_not_reordered() {
    let m = single(&[F64_1], &[Type::F64], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let start = b.number(0.0, DType::F64);
        let n = b.dim(p[0], 0);
        Some(vec![
            b.for_loop([zero, n, one], &[start, start], |b, i, acc| {
                let x = b.load(p[0], &[i]);
                let y = b.sub(x, acc[1]);
                let t = b.add(acc[0], y);
                let high = b.sub(t, acc[0]);
                vec![t, b.sub(high, y)]
            })[0],
        ])
    });
    let text = llvm_text(&m, &options(3), Stage::BeforePasses).unwrap();
    assert!(!text.contains("reassoc"), "{text}");
}

/// `y = a x + y` over separate arguments: no test for overlap is needed.
fn saxpy(version: Version) -> Module {
    with_version(version, &[F64_1, F64_1, Type::F64], &[], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let n = b.dim(p[0], 0);
        b.for_loop([zero, n, one], &[], |b, i, _| {
            let (x, y) = (b.load(p[0], &[i]), b.load(p[1], &[i]));
            let ax = b.mul(x, p[2]);
            let sum = b.add(ax, y);
            b.store(p[1], sum, &[i]);
            vec![]
        });
        Some(vec![])
    })
}

#[test]
fn separate_arguments_need_no_overlap_test() {
    let text = optimised(&saxpy(Version::Fast), |_| {});
    assert!(is_vector(&text) && !text.contains("vector.memcheck"), "{text}");
}

#[test]
fn general_versions_stay_small() {
    let text = optimised(&saxpy(Version::General), |_| {});
    let is_f = |f: &&str| f.lines().next().is_some_and(|head| head.contains("@pydd.f.entry("));
    let general = text.split("define ").find(is_f).unwrap();
    assert!(!general.contains(" x double>"), "{general}");
}

/// Column sums: the inner loop runs over rows of a matrix and updates an array.
#[test]
fn updates_of_array_elements_vectorise() {
    let m = single(&[F64_2, F64_1], &[], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let (rows, columns) = (b.dim(p[0], 0), b.dim(p[0], 1));
        b.for_loop([zero, rows, one], &[], |b, i, _| {
            b.for_loop([zero, columns, one], &[], |b, j, _| {
                let (x, old) = (b.load(p[0], &[i, j]), b.load(p[1], &[j]));
                let sum = b.add(old, x);
                b.store(p[1], sum, &[j]);
                vec![]
            });
            vec![]
        });
        Some(vec![])
    });
    let text = optimised(&m, |_| {});
    assert!(is_vector(&text) && !text.contains("vector.memcheck"), "{text}");
}

/// A function of each element of a vector, summed up.
fn sum_of(op: ElemOp) -> Module {
    sum(|b, x| b.elem(op, &[x]))
}

#[test]
fn elementary_functions_vectorise() {
    use ElemOp::*;
    let ops = [
        Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Asinh,
        Acosh, Atanh, Cbrt, Erf, Erfc,
    ];
    for op in ops {
        let text = optimised(&sum_of(op), |_| {});
        assert!(text.contains("call <4 x double> @llvm.fma.v4f64"), "{}: {text}", op.name());
    }
}

#[test]
fn elementary_functions_call_nothing_on_old_processors() {
    for op in [ElemOp::Exp, ElemOp::Log, ElemOp::Sin, ElemOp::Erf, ElemOp::Floor, ElemOp::Rint] {
        let text = optimised(&sum_of(op), |options| "generic".clone_into(&mut options.cpu));
        assert!(text.contains("<2 x double>"), "{}: {text}", op.name());
        assert!(!text.contains("@llvm.fma") && !text.contains("@llvm.floor"), "{}: {text}", op.name());
        let calls =
            text.lines().find(|line| line.starts_with("declare double @") && !line.contains("@llvm.vector"));
        assert_eq!(calls.filter(|line| !line.contains("@llvm.fabs")), None, "{}", op.name());
    }
}

/// Only sines of huge angles leave the loop, and vectors have a variant for that.
#[test]
fn huge_angles_are_behind_a_mask() {
    let text = optimised(&sum_of(ElemOp::Sin), |_| {});
    assert!(text.contains("@pydd_math_sin_huge.v4(") && !text.contains("@pydd_math_sin_huge.v16("), "{text}");
    assert!(!text.contains("llvm.compiler.used"), "{text}");
}

#[test]
fn general_versions_call_elementary_functions() {
    let two = |version| {
        with_version(version, &[F64_1, F64_1], &[Type::F64], |b, p| {
            let mut acc = b.number(0.0, DType::F64);
            for &p in p {
                let (zero, one) = (b.int(0), b.int(1));
                let n = b.dim(p, 0);
                acc = b.for_loop([zero, n, one], &[acc], |b, i, acc| {
                    let x = b.load(p, &[i]);
                    let x = b.elem(ElemOp::Erf, &[x]);
                    vec![b.add(acc[0], x)]
                })[0];
            }
            Some(vec![acc])
        })
    };
    let general = optimised(&two(Version::General), |_| {});
    assert!(general.contains("double @pydd_math_erf_f64_fma("), "{general}");
    assert!(!optimised(&two(Version::Fast), |_| {}).contains("@pydd_math_erf_f64_fma("));
}

/// `y[i] = x[i]` for all elements, of two arguments or of one.
fn copying(params: &[Type]) -> Module {
    single(params, &[], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let n = b.dim(p[0], 0);
        b.for_loop([zero, n, one], &[], |b, i, _| {
            let x = b.load(p[0], &[i]);
            b.store(p[p.len() - 1], x, &[i]);
            vec![]
        });
        Some(vec![])
    })
}

#[test]
fn loops_that_only_copy_are_copies_of_memory() {
    let copies = |params: &[Type]| optimised(&copying(params), |_| {}).contains("llvm.memcpy");
    assert!(copies(&[F64_1, F64_1]));
    // Within one array the places may overlap.
    assert!(!copies(&[F64_1]));
    // A bool that is neither 0 nor 1 becomes 1.
    let bools = Type::Array { dtype: DType::Bool, rank: 1 };
    assert!(!copies(&[bools, bools]));
}
