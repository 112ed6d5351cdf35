//! Structured control.

use super::load::{Kernel, load, options};
use super::make::{export, function, module, single};
use pydd_ir::{Builder, ElemOp, Module, OpKind, Type, Value, Version};
use pydd_test_support::runtime::Runtime;

fn run(m: &Module, args: &[i64]) -> Vec<i64> {
    let words: Vec<u64> = args.iter().map(|a| a.cast_unsigned()).collect();
    let both = [0, 3].map(|level| {
        let result = load(m, &options(level)).call("f", &words).unwrap();
        result.iter().map(|w| w.cast_signed()).collect::<Vec<i64>>()
    });
    assert_eq!(both[0], both[1], "unoptimised and optimised code differ");
    both[1].clone()
}

/// Counts the iterations of `range(start, stop, step)` and keeps the last index.
fn counting(step: Option<i64>) -> Module {
    single(&[Type::I64; 3], &[Type::I64; 2], |b, p| {
        let step = step.map_or(p[2], |step| b.int(step));
        let (zero, one) = (b.int(0), b.int(1));
        Some(b.for_loop([p[0], p[1], step], &[zero, zero], |b, i, carried| vec![b.add(carried[0], one), i]))
    })
}

fn python_range(start: i64, stop: i64, step: i64) -> [i64; 2] {
    let (mut n, mut last) = (0, 0);
    let mut i = i128::from(start);
    while if step > 0 { i < i128::from(stop) } else { i > i128::from(stop) } {
        n += 1;
        last = i64::try_from(i).unwrap();
        i += i128::from(step);
    }
    [n, last]
}

const RANGES: &[(i64, i64, i64)] = &[
    (0, 10, 1),
    (0, 10, 3),
    (10, 0, -1),
    (10, 0, -3),
    (0, 0, 1),
    (5, 0, 1),
    (0, 5, -1),
    (-5, 5, 2),
    (i64::MAX - 3, i64::MAX, 1),
    (i64::MAX - 3, i64::MAX, 2),
    (i64::MAX - 10, i64::MAX, i64::MAX),
    (i64::MIN, i64::MIN + 3, 1),
    (i64::MIN + 3, i64::MIN, -1),
    (i64::MIN + 3, i64::MIN, -2),
    (i64::MIN, i64::MAX, i64::MAX),
    (i64::MAX, i64::MIN, i64::MIN),
    (i64::MAX, i64::MIN, -i64::MAX),
    (i64::MIN, i64::MAX, 1 << 62),
    (i64::MAX, i64::MIN, -(1 << 62)),
];

#[test]
fn ranges_are_pythons_for_unknown_steps() {
    let m = counting(None);
    for level in [0, 3] {
        let kernel = load(&m, &options(level));
        for &(start, stop, step) in RANGES {
            let words = [start, stop, step].map(i64::cast_unsigned);
            let got = kernel.call("f", &words).unwrap();
            let want = python_range(start, stop, step);
            assert_eq!([got[0].cast_signed(), got[1].cast_signed()], want, "{start} {stop} {step}");
        }
    }
}

#[test]
fn ranges_are_pythons_for_constant_steps() {
    for &(start, stop, step) in RANGES {
        let got = run(&counting(Some(step)), &[start, stop, step]);
        assert_eq!(got, python_range(start, stop, step), "{start} {stop} {step}");
    }
}

#[test]
fn a_zero_step_raises() {
    for m in [counting(None), counting(Some(0))] {
        let failure = load(&m, &options(3)).call("f", &[0, 5, 0]).unwrap_err();
        assert_eq!(failure.message.as_deref(), Some("range() arg 3 must not be zero"));
        assert_eq!(failure.kind, pydd_abi::ExcKind::ValueError as u32);
    }
}

/// An `if` that gives values.
fn choose(b: &mut Builder<'_>, cond: Value, then: i64, otherwise: i64) -> Value {
    let regions = [then, otherwise].map(|value| {
        b.region(&[], |b, _| {
            let value = b.int(value);
            b.effect(OpKind::Yield, vec![value]);
        })
    });
    let op = b.op(OpKind::If, vec![cond], &[Type::I64], regions.to_vec());
    b.func.result(op)
}

#[test]
fn an_if_gives_the_values_of_its_branch() {
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        let zero = b.int(0);
        let cond = b.elem(ElemOp::Lt, &[p[0], zero]);
        Some(vec![choose(b, cond, -10, 10)])
    });
    assert_eq!(run(&m, &[-3]), [-10]);
    assert_eq!(run(&m, &[3]), [10]);
}

#[test]
fn return_leaves_nested_loops() {
    // for i in range(n): for j in range(n): if i * j == 6: return i, j
    let m = single(&[Type::I64], &[Type::I64; 2], |b, p| {
        let (zero, one, six) = (b.int(0), b.int(1), b.int(6));
        b.for_loop([zero, p[0], one], &[], |b, i, _| {
            b.for_loop([zero, p[0], one], &[], |b, j, _| {
                let product = b.mul(i, j);
                let found = b.elem(ElemOp::Eq, &[product, six]);
                let then = b.region(&[], |b, _| {
                    b.effect(OpKind::Return, vec![i, j]);
                });
                let otherwise = b.region(&[], |b, _| {
                    b.effect(OpKind::Yield, vec![]);
                });
                b.op(OpKind::If, vec![found], &[], vec![then, otherwise]);
                vec![]
            });
            vec![]
        });
        let minus = b.int(-1);
        Some(vec![minus, minus])
    });
    assert_eq!(run(&m, &[10]), [1, 6]);
    assert_eq!(run(&m, &[4]), [2, 3]);
    assert_eq!(run(&m, &[2]), [-1, -1]);
}

/// `if cond { jump } else { }`
fn jump_if(b: &mut Builder<'_>, cond: Value, kind: OpKind, values: Vec<Value>) {
    let then = b.region(&[], |b, _| {
        b.effect(kind, values);
    });
    let otherwise = b.region(&[], |b, _| {
        b.effect(OpKind::Yield, vec![]);
    });
    b.op(OpKind::If, vec![cond], &[], vec![then, otherwise]);
}

#[test]
fn break_and_continue_reach_outer_loops() {
    // total = 0
    // for i in range(n):
    //     for j in range(n):
    //         if j > i: (total += 100) continue outer
    //         if i == 4: (total += 1000) break outer
    //         total += 1
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        let (zero, one, four) = (b.int(0), b.int(1), b.int(4));
        Some(b.for_loop([zero, p[0], one], &[zero], |b, i, outer| {
            b.for_loop([zero, p[0], one], outer, |b, j, inner| {
                let hundred = b.int(100);
                let more = b.add(inner[0], hundred);
                let past = b.elem(ElemOp::Gt, &[j, i]);
                jump_if(b, past, OpKind::Continue(1), vec![more]);
                let thousand = b.int(1000);
                let much = b.add(inner[0], thousand);
                let end = b.elem(ElemOp::Eq, &[i, four]);
                jump_if(b, end, OpKind::Break(1), vec![much]);
                vec![b.add(inner[0], one)]
            })
        }))
    });
    let want = |n: i64| {
        let mut total = 0;
        'outer: for i in 0..n {
            for j in 0..n {
                if j > i {
                    total += 100;
                    continue 'outer;
                }
                if i == 4 {
                    total += 1000;
                    break 'outer;
                }
                total += 1;
            }
        }
        total
    };
    for n in [0, 1, 3, 10] {
        assert_eq!(run(&m, &[n]), [want(n)]);
    }
}

#[test]
fn loops_run_until_break() {
    // Collatz: steps = 0; loop { if x == 1: break; x = x // 2 if x % 2 == 0 else 3 x + 1; steps += 1 }
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        let zero = b.int(0);
        let body = b.region(&[Type::I64; 2], |b, carried| {
            let (x, steps) = (carried[0], carried[1]);
            let (one, two, three) = (b.int(1), b.int(2), b.int(3));
            let done = b.elem(ElemOp::Eq, &[x, one]);
            jump_if(b, done, OpKind::Break(0), vec![steps]);
            let half = b.elem(ElemOp::FloorDiv, &[x, two]);
            let rest = b.elem(ElemOp::Mod, &[x, two]);
            let tripled = b.mul(x, three);
            let more = b.add(tripled, one);
            let zero = b.int(0);
            let even = b.elem(ElemOp::Eq, &[rest, zero]);
            let next = b.select(even, half, more);
            let steps = b.add(steps, one);
            b.effect(OpKind::Continue(0), vec![next, steps]);
        });
        let op = b.op(OpKind::Loop, vec![p[0], zero], &[Type::I64], vec![body]);
        Some(b.func.ops[op].results.clone())
    });
    assert_eq!(run(&m, &[27]), [111]);
    assert_eq!(run(&m, &[1]), [0]);
}

#[test]
fn breaks_leave_scopes() {
    // scope { if p > 0: break 1; break 2 }
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        let body = b.region(&[], |b, _| {
            let (zero, one, two) = (b.int(0), b.int(1), b.int(2));
            let positive = b.elem(ElemOp::Gt, &[p[0], zero]);
            jump_if(b, positive, OpKind::Break(0), vec![one]);
            b.effect(OpKind::Break(0), vec![two]);
        });
        let op = b.op(OpKind::Scope, vec![], &[Type::I64], vec![body]);
        Some(b.func.ops[op].results.clone())
    });
    assert_eq!(run(&m, &[5]), [1]);
    assert_eq!(run(&m, &[-5]), [2]);
}

#[test]
fn code_behind_an_endless_loop_is_dead() {
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        let body = b.region(&[Type::I64], |b, x| {
            let hundred = b.int(100);
            let done = b.elem(ElemOp::Gt, &[x[0], hundred]);
            jump_if(b, done, OpKind::Return, vec![x[0]]);
            let next = b.add(x[0], x[0]);
            b.effect(OpKind::Continue(0), vec![next]);
        });
        b.op(OpKind::Loop, vec![p[0]], &[], vec![body]);
        b.effect(OpKind::Unreachable, vec![]);
        None
    });
    assert_eq!(run(&m, &[3]), [192]);
}

/// `fib(n)` by recursion.
fn fibonacci() -> Module {
    let mut m = module();
    let r = pydd_ir::Entity::new(0);
    let mut f = function("fib", Version::Any, &[Type::I64], &[Type::I64], |b, p| {
        let (one, two) = (b.int(1), b.int(2));
        let small = b.elem(ElemOp::Lt, &[p[0], two]);
        jump_if(b, small, OpKind::Return, vec![p[0]]);
        let calls = [one, two].map(|less| {
            let n = b.sub(p[0], less);
            b.value(OpKind::Call(r), vec![n], Type::I64)
        });
        Some(vec![b.add(calls[0], calls[1])])
    });
    f.recursive = true;
    export(&mut m, f);
    m
}

#[test]
fn functions_call_each_other() {
    let kernel: Kernel = load(&fibonacci(), &options(3));
    assert_eq!(kernel.call("fib", &[20]).unwrap(), [6765]);
}

#[test]
fn endless_recursion_raises() {
    let mut m = module();
    let r = pydd_ir::Entity::new(0);
    let mut f = function("f", Version::Any, &[Type::I64], &[Type::I64], |b, p| {
        let one = b.int(1);
        let n = b.add(p[0], one);
        let deeper = b.value(OpKind::Call(r), vec![n], Type::I64);
        Some(vec![b.add(deeper, one)])
    });
    f.recursive = true;
    export(&mut m, f);
    for level in [0, 3] {
        let failure = load(&m, &options(level)).call("f", &[0]).unwrap_err();
        assert_eq!(failure.kind, pydd_abi::ExcKind::RecursionError as u32);
        assert_eq!(failure.message.as_deref(), Some("maximum recursion depth exceeded"));
    }
}

/// Strips and counters do not change what a loop gives, and do look for Ctrl-C.
#[test]
fn long_loops_poll() {
    let m = counting(Some(1));
    let kernel = load(&m, &options(3));
    let before = Runtime::polls();
    let n = 3_000_000;
    assert_eq!(kernel.call("f", &[0, n, 1]).unwrap(), [n, n - 1]);
    let polls = Runtime::polls() - before;
    assert!((1..100).contains(&polls), "{polls}");
    let before = Runtime::polls();
    kernel.call("f", &[0, 1000, 1]).unwrap();
    assert!(Runtime::polls() - before <= 1);

    // while x > 0: x -= 1
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        let body = b.region(&[Type::I64], |b, x| {
            let (zero, one) = (b.int(0), b.int(1));
            let done = b.elem(ElemOp::Le, &[x[0], zero]);
            jump_if(b, done, OpKind::Break(0), vec![x[0]]);
            let next = b.sub(x[0], one);
            b.effect(OpKind::Continue(0), vec![next]);
        });
        let op = b.op(OpKind::Loop, vec![p[0]], &[Type::I64], vec![body]);
        Some(b.func.ops[op].results.clone())
    });
    for level in [0, 3] {
        let kernel = load(&m, &options(level));
        let before = Runtime::polls();
        assert_eq!(kernel.call("f", &[1_000_000]).unwrap(), [0]);
        assert!(Runtime::polls() - before >= 10);
    }
}

#[test]
fn a_poll_may_fail() {
    let kernel = load(&counting(Some(-1)), &options(3));
    Runtime::interrupt(true);
    let failure = kernel.call("f", &[5_000_000, 0, 0]).unwrap_err();
    assert_eq!((failure.kind, failure.line), (pydd_abi::EXC_PYTHON, 1));
    Runtime::interrupt(false);
}
