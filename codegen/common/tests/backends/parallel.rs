//! Parallel loops.

use super::load::{Entry, load, options};
use super::make::{F64_1, F64_2, Ops, float, single, with_version};
use pydd_ir::sharing::{Footprint, Sharing, Span, Table};
use pydd_ir::{Builder, DType, ElemOp, Exc, Module, OpKind, Parallel, ReduceOp, Type, Value, Version};
use pydd_test_support::chunks::take_costs;
use pydd_test_support::runtime::{Arg, Returned, Runtime};

/// `pfor index in range(…)` with reductions.
fn pfor(
    b: &mut Builder<'_>,
    range: [Value; 3],
    reduce: &[ReduceOp],
    init: &[Value],
    build: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    writing(b, range, reduce, init, &[], build)
}

/// As `pfor`, where iterations write elements of these arrays, or append to these lists.
fn writing(
    b: &mut Builder<'_>,
    range: [Value; 3],
    reduce: &[ReduceOp],
    init: &[Value],
    written: &[Value],
    build: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let types: Vec<Type> = init.iter().map(|&v| b.func.ty(v)).collect();
    let body = b.region(&[&[Type::I64], types.as_slice()].concat(), |b, p| {
        let next = build(b, p[0], &p[1..]);
        b.effect(OpKind::Continue(0), next);
    });
    let row = |&value: &Value| match b.func.ty(value) {
        Type::List { .. } => Sharing::Appended,
        ty => Sharing::Sliced { writes: true, footprint: Footprint(vec![Span::All; usize::from(ty.rank())]) },
    };
    let table = Some(Table { rows: written.iter().map(row).collect() });
    let args = [&range[..], init, written].concat();
    let parallel = Parallel { reduce: reduce.to_vec(), table };
    let op = b.op(OpKind::PFor(parallel), args, &types, vec![body]);
    b.func.ops[op].results.clone()
}

/// Sum, product, minimum, maximum, any and all of something of the index.
fn reductions(step: Option<i64>) -> Module {
    use ReduceOp::{All, Any, Max, Min, Prod, Sum};
    let results = [Type::I64, Type::F64, Type::I64, Type::F64, Type::BOOL, Type::BOOL];
    single(&[Type::I64, Type::I64, Type::I64], &results, |b, p| {
        let step = step.map_or(p[2], |step| b.int(step));
        let (sum, least) = (b.int(1000), b.int(7));
        let (product, most) = (b.number(2.0, DType::F64), b.number(-1e9, DType::F64));
        let (no, yes) = (b.bool(false), b.bool(true));
        let init = [sum, product, least, most, no, yes];
        Some(pfor(b, [p[0], p[1], step], &[Sum, Prod, Min, Max, Any, All], &init, |b, i, acc| {
            let x = b.cast(i, DType::F64);
            let (one, five) = (b.number(1.0, DType::F64), b.int(5));
            let small = b.number(1e-3, DType::F64);
            let factor = b.mul(x, small);
            let factor = b.add(one, factor);
            let is_five = b.elem(ElemOp::Eq, &[i, five]);
            let not_five = b.elem(ElemOp::Not, &[is_five]);
            vec![
                b.add(acc[0], i),
                b.mul(acc[1], factor),
                b.elem(ElemOp::Min, &[acc[2], i]),
                b.elem(ElemOp::Max, &[acc[3], x]),
                b.elem(ElemOp::Or, &[acc[4], is_five]),
                b.elem(ElemOp::And, &[acc[5], not_five]),
            ]
        }))
    })
}

#[test]
fn reductions_combine_chunks_with_the_initial_value() {
    for step in [None, Some(1), Some(-1), Some(3)] {
        let m = reductions(step);
        for level in [0, 3] {
            let kernel = load(&m, &options(level));
            for (start, stop) in [(0, 10), (0, 0), (3, 100), (20, 1), (-50, 3)] {
                let step = step.unwrap_or(-4);
                let words: [u64; 3] = [start, stop, step].map(i64::cast_unsigned);
                let got = kernel.call("f", &words).unwrap();
                let mut indices = Vec::new();
                let mut i = start;
                while if step > 0 { i < stop } else { i > stop } {
                    indices.push(i);
                    i += step;
                }
                assert_eq!(got[0].cast_signed(), 1000 + indices.iter().sum::<i64>());
                let product: f64 = indices.iter().map(|&i| 1.0 + i as f64 * 1e-3).product::<f64>() * 2.0;
                assert!((float(got[1]) - product).abs() <= 1e-12 * product.abs());
                assert_eq!(got[2].cast_signed(), indices.iter().copied().min().unwrap_or(7).min(7));
                let most = indices.iter().copied().max().map_or(-1e9, |i| i as f64);
                assert_eq!(float(got[3]), most);
                assert_eq!(got[4], u64::from(indices.contains(&5)));
                assert_eq!(got[5], u64::from(!indices.contains(&5)));
            }
        }
    }
}

/// Row sums of a matrix, with an array of each iteration's own.
fn row_sums(version: Version) -> Module {
    with_version(version, &[F64_2, F64_1, Type::F64], &[], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let (rows, columns) = (b.dim(p[0], 0), b.dim(p[0], 1));
        b.new_slot();
        writing(b, [zero, rows, one], &[], &[], &[p[1]], |b, i, _| {
            let scratch = b.value(OpKind::Empty, vec![columns], F64_1);
            b.own(scratch, 0);
            b.for_loop([zero, columns, one], &[], |b, j, _| {
                let x = b.load(p[0], &[i, j]);
                let x = b.mul(x, p[2]);
                b.store(scratch, x, &[j]);
                vec![]
            });
            let start = b.number(0.0, DType::F64);
            let sum = b.for_loop([zero, columns, one], &[start], |b, j, acc| {
                let x = b.load(scratch, &[j]);
                vec![b.add(acc[0], x)]
            });
            let positive = b.number(0.0, DType::F64);
            let ok = b.elem(ElemOp::Ge, &[sum[0], positive]);
            b.loc.line = 42;
            b.check(ok, Exc::ValueError, "row {0} is negative", &[i]);
            b.store(p[1], sum[0], &[i]);
            vec![]
        });
        Some(vec![])
    })
}

#[test]
fn bodies_have_their_own_slots() {
    for (version, entry) in [(Version::Fast, Entry::First), (Version::General, Entry::Last)] {
        for level in [0, 3] {
            let kernel = load(&row_sums(version), &options(level));
            let items: Vec<f64> = (0..40).map(f64::from).collect();
            let mut a = Arg::new(&items, &[8, 5]);
            let mut out = Arg::new(&[0.0; 8], &[8]);
            let before = Runtime::alive();
            let words = [a.words(), out.words(), vec![2.0_f64.to_bits()]].concat();
            kernel.call_entry("f", entry, &words).unwrap();
            let want: Vec<f64> = items.chunks(5).map(|row| 2.0 * row.iter().sum::<f64>()).collect();
            assert_eq!(out.items, want);
            assert_eq!(Runtime::alive(), before);
        }
    }
}

#[test]
fn an_error_in_a_body_is_passed_on() {
    let kernel = load(&row_sums(Version::Fast), &options(3));
    let mut items: Vec<f64> = vec![1.0; 40];
    items[5 * 6] = -100.0;
    let mut a = Arg::new(&items, &[8, 5]);
    let mut out = Arg::new(&[0.0; 8], &[8]);
    let before = Runtime::alive();
    let words = [a.words(), out.words(), vec![1.0_f64.to_bits()]].concat();
    let failure = kernel.call("f", &words).unwrap_err();
    assert_eq!((failure.line, failure.payload[0]), (42, 6));
    assert_eq!(failure.message.as_deref(), Some("row {0} is negative"));
    assert_eq!(Runtime::alive(), before);
}

/// Whether a loop is told to run in order, by the arrays that it is given.
fn is_in_order(version: Version, entry: Entry, out: &mut Arg<f64>, a: &mut Arg<f64>) -> bool {
    let kernel = load(&row_sums(version), &options(3));
    take_costs();
    kernel.call_entry("f", entry, &[a.words(), out.words(), vec![1.0_f64.to_bits()]].concat()).unwrap();
    take_costs()[0] < 0
}

#[test]
fn any_arguments_run_in_order_where_they_overlap() {
    let mut out = Arg::new(&[0.0; 4], &[2]);
    let mut apart = Arg::new(&[1.0; 4], &[2, 2]);
    assert!(!is_in_order(Version::General, Entry::Last, &mut out, &mut apart));
    assert!(!is_in_order(Version::Fast, Entry::First, &mut out, &mut apart));
    let mut same = Arg::new(&[1.0; 4], &[2, 2]);
    let words = [same.words(), same.words()[..3].to_vec(), vec![8], vec![1.0_f64.to_bits()]].concat();
    let kernel = load(&row_sums(Version::General), &options(3));
    take_costs();
    kernel.call_entry("f", Entry::Last, &words).unwrap();
    assert!(take_costs()[0] < 0);
}

#[test]
fn costs_grow_with_inner_loops() {
    let kernel = load(&row_sums(Version::Fast), &options(3));
    let cost = |columns: i64| {
        let mut a = Arg::new(&vec![1.0; usize::try_from(2 * columns).unwrap()], &[2, columns]);
        let mut out = Arg::new(&[0.0; 2], &[2]);
        take_costs();
        kernel.call("f", &[a.words(), out.words(), vec![1.0_f64.to_bits()]].concat()).unwrap();
        take_costs()[0]
    };
    assert!(cost(1000) > 50 * cost(1), "{} {}", cost(1000), cost(1));
}

#[test]
fn complex_sums_and_nested_loops() {
    let (c128, i64) = (Type::Scalar(DType::C128), Type::I64);
    let m = single(&[i64], &[c128], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let start = b.number(1.0, DType::C128);
        Some(pfor(b, [zero, p[0], one], &[ReduceOp::Sum], &[start], |b, i, acc| {
            let inner = b.number(0.0, DType::C128);
            let inner = pfor(b, [zero, i, one], &[ReduceOp::Sum], &[inner], |b, j, acc| {
                let (x, y) = (b.cast(i, DType::F64), b.cast(j, DType::F64));
                let z = b.elem(ElemOp::MakeComplex, &[x, y]);
                vec![b.add(acc[0], z)]
            });
            vec![b.add(acc[0], inner[0])]
        }))
    });
    let kernel = load(&m, &options(3));
    let words = kernel.call("f", &[20]).unwrap();
    let (mut re, mut im) = (1.0, 0.0);
    for i in 0..20 {
        for j in 0..i {
            re += f64::from(i);
            im += f64::from(j);
        }
    }
    assert_eq!((float(words[0]), float(words[1])), (re, im));
}

#[test]
fn arrays_made_outside_are_filled_inside() {
    let m = single(&[Type::I64], &[F64_1], |b, p| {
        let out = b.empty(&[p[0]], F64_1);
        let (zero, one) = (b.int(0), b.int(1));
        writing(b, [zero, p[0], one], &[], &[], &[out], |b, i, _| {
            let x = b.cast(i, DType::F64);
            let root = b.elem(ElemOp::Sqrt, &[x]);
            b.store(out, root, &[i]);
            vec![]
        });
        Some(vec![out])
    });
    let words = load(&m, &options(3)).call("f", &[50]).unwrap();
    let want: Vec<f64> = (0..50).map(|i| f64::from(i).sqrt()).collect();
    assert_eq!(Returned::new(&words).items::<f64>(), want);
}

/// Appends to two lists, one of them in a nested loop, and gives both lengths, some items, and a sum.
fn appends() -> Module {
    let results = [Type::I64, Type::I64, Type::I64, Type::F64, Type::I64];
    single(&[Type::I64, Type::I64], &results, |b, p| {
        let (zero, one, two) = (b.int(0), b.int(1), b.int(2));
        let half = b.number(0.5, DType::F64);
        let ints = b.value(OpKind::ListNew, vec![], Type::list(DType::I64));
        b.new_slot();
        b.own(ints, 0);
        let floats = b.value(OpKind::ListNew, vec![half], Type::list(DType::F64));
        b.new_slot();
        b.own(floats, 1);
        let sum = writing(b, [zero, p[0], one], &[ReduceOp::Sum], &[one], &[ints, floats], |b, i, acc| {
            writing(b, [zero, two, one], &[], &[], &[ints], |b, j, _| {
                let ten = b.int(10);
                let item = b.mul(i, ten);
                let item = b.add(item, j);
                b.effect(OpKind::ListAppend, vec![ints, item]);
                vec![]
            });
            let x = b.cast(i, DType::F64);
            b.effect(OpKind::ListAppend, vec![floats, x]);
            let fine = b.elem(ElemOp::Lt, &[i, p[1]]);
            b.check(fine, Exc::ValueError, "iteration {0}", &[i]);
            vec![b.add(acc[0], i)]
        });
        let length = |b: &mut Builder<'_>, list| b.value(OpKind::ListLen, vec![list], Type::I64);
        let lengths = [length(b, ints), length(b, floats)];
        let three = b.int(-3);
        let third = b.value(OpKind::ListGet, vec![ints, three], Type::I64);
        let last = b.int(-1);
        let last = b.value(OpKind::ListGet, vec![floats, last], Type::F64);
        Some(vec![lengths[0], lengths[1], third, last, sum[0]])
    })
}

#[test]
fn lists_are_appended_to_in_the_order_of_iterations() {
    for level in [0, 3] {
        let kernel = load(&appends(), &options(level));
        let before = Runtime::alive();
        let got = kernel.call("f", &[10, 100]).unwrap();
        assert_eq!(got[..3], [20, 11, 81]);
        assert_eq!((float(got[3]), got[4]), (9.0, 46));
        assert!(kernel.call("f", &[10, 7]).is_err());
        assert_eq!(Runtime::alive(), before);
    }
}

#[test]
fn what_comes_along_is_of_the_first_greatest_value() {
    let m = single(&[Type::I64], &[Type::I64, Type::I64, Type::F64], |b, p| {
        let (zero, one, seven) = (b.int(0), b.int(1), b.int(7));
        let (least, none) = (b.int(-5), b.number(-1.0, DType::F64));
        let ops = [ReduceOp::Max, ReduceOp::ArgMax, ReduceOp::ArgMax];
        Some(pfor(b, [zero, p[0], one], &ops, &[least, least, none], |b, i, acc| {
            let value = b.elem(ElemOp::Mod, &[i, seven]);
            let x = b.cast(i, DType::F64);
            let greater = b.elem(ElemOp::Gt, &[value, acc[0]]);
            [(value, acc[0]), (i, acc[1]), (x, acc[2])]
                .map(|(new, old)| b.elem(ElemOp::Select, &[greater, new, old]))
                .to_vec()
        }))
    });
    for level in [0, 3] {
        let kernel = load(&m, &options(level));
        for (n, want) in [(0, (-5, -5, -1.0)), (5, (4, 4, 4.0)), (40, (6, 6, 6.0))] {
            let got = kernel.call("f", &[n]).unwrap();
            assert_eq!((got[0].cast_signed(), got[1].cast_signed(), float(got[2])), want);
        }
    }
}
