//! Loops over rows that lie between pointers, over random splits: with pointers that rise, that fall, that are negative or lead
//! out of the array, what pieces give together is bitwise what the loop in order gives.

use crate::body::Random;
use crate::splits::{outlined, random_split};
use pydd_interp::{Array, Interp, Scalar, Split, Stop, Val};
use pydd_ir::{DType, Module, OpKind, Sharing};

const BODIES: u64 = 400;
const SPLITS: usize = 10;
const SEED: u64 = 77_000_000;
const ROWS: i64 = 12;
const LENGTH: i64 = 40;

/// `a[j, k] = a[j, k] * 0.5 + i` for `j` from `p[i + first]` up to `p[i + first + width]`.
fn text(rank: usize, first: i64, width: i64, step: i64, slices: bool) -> String {
    let array = |rank: usize| format!("array<f64, {rank}>");
    let second = if rank == 2 { ", %3" } else { "" };
    let inside = if slices {
        let all = array(rank);
        format!(
            "    %20: {all} = view[start:stop] %0, %15, %17\n    %22: {all} = mul %20, %6\n    %23: f64 = cast %12\n    \
             %24: {all} = add %22, %23\n    assign %20, %24\n"
        )
    } else {
        format!(
            "    for %15, %17, %9 {{\n    (%30: i64):\n      %31: f64 = load %0, %30{second}\n      %32: f64 = mul %31, %6\n      \
             %33: f64 = cast %12\n      %34: f64 = add %32, %33\n      store %0, %34, %30{second}\n      continue[0]\n    }}\n"
        )
    };
    format!(
        "module \"m\" file \"m.pydd\"\nfunc @f array (%0: {}, %1: array<i64, 1>, %2: i64) -> () {{\n  %3: i64 = const 0\n  \
         %4: i64 = const 1\n  %5: i64 = const {first}\n  %6: f64 = const 0.5\n  %8: i64 = const {}\n  %9: i64 = const {step}\n  \
         pfor %4, %2, %4 {{\n  (%12: i64):\n    %14: i64 = add %12, %5\n    %15: i64 = load %1, %14\n    %16: i64 = add %12, %8\n    \
         %17: i64 = load %1, %16\n{inside}    continue[0]\n  }}\n  return\n}}\n",
        array(rank),
        first + width,
    )
}

fn pointers(random: &mut Random, kind: u64) -> Vec<i64> {
    let mut all: Vec<i64> = (0..ROWS + 4).map(|_| (random.next() % (LENGTH as u64 + 1)) as i64).collect();
    if kind != 1 {
        all.sort_unstable();
    }
    match kind {
        2 => all[0] = -3,
        3 => *all.last_mut().expect("some") = LENGTH + 3,
        _ => {}
    }
    all
}

/// The array's bytes afterwards, and whether an index was out of range.
fn run(module: &Module, rank: usize, pointers: &[i64], split: Split) -> (Vec<u8>, bool) {
    let dims: &[i64] = if rank == 1 { &[LENGTH] } else { &[LENGTH, 2] };
    let items: Vec<Scalar> =
        (0..dims.iter().product()).map(|i: i64| Scalar::float((i as f64).cos(), DType::F64)).collect();
    let array = Array::from_scalars(DType::F64, dims, &items);
    let numbers: Vec<Scalar> = pointers.iter().map(|&at| Scalar::i64(at)).collect();
    let pointers = Array::from_scalars(DType::I64, &[numbers.len() as i64], &numbers);
    let args = vec![Val::Array(array.clone()), Val::Array(pointers), Val::Scalar(Scalar::i64(ROWS))];
    let f = module.find("f").expect("the function");
    match Interp::new(module).with_split(split).call(f, args) {
        Ok(_) => (array.bytes.borrow().clone(), false),
        Err(Stop::Raise(_)) => (array.bytes.borrow().clone(), true),
        Err(stop) => panic!("{stop:?}"),
    }
}

fn has_segments(module: &Module) -> bool {
    let rows =
        module.funcs.values().filter_map(|func| func.region.as_ref()).flat_map(|region| &region.captures);
    rows.map(|capture| &capture.sharing)
        .filter(|row| row.writes())
        .any(|row: &Sharing<_>| row.segments().count() > 0)
}

#[test]
fn rows_between_pointers() {
    let (mut segmented, mut in_order) = (0, 0);
    for number in 0..BODIES {
        let random = &mut Random(SEED + number);
        let mut pick = |count: u64| random.next() % count;
        let (rank, first, width) = (1 + pick(2) as usize, pick(3) as i64 - 1, 1 + pick(5) as i64 / 4);
        let (step, slices) = (1 + pick(4) as i64 / 3, pick(4) == 0);
        let text = text(rank, first, width, step, slices);
        let Some(module) = outlined(&text) else {
            assert!(width > 1, "body {number} runs in order\n{text}");
            in_order += 1;
            continue;
        };
        assert!(width == 1 && has_segments(&module), "body {number} is launched\n{text}");
        segmented += 1;
        for kind in 0..4 {
            let pointers = pointers(random, kind);
            for parts in [i64::MAX, 5] {
                let whole = run(&module, rank, &pointers, Split::default());
                for _ in 0..SPLITS {
                    let split = random_split(random, parts);
                    let got = run(&module, rank, &pointers, split.clone());
                    // Where an iteration raises, others may have run.
                    let same = got == whole || got.1 && whole.1;
                    assert!(same, "body {number} with {pointers:?} in {split:?}\n{text}");
                }
            }
        }
    }
    assert!(segmented > 200 && in_order > 40, "{segmented} launched, {in_order} in order");
    let launches = |module: &Module| {
        module
            .funcs
            .values()
            .flat_map(|func| func.ops.values())
            .filter(|op| matches!(op.kind, OpKind::Launch(_)))
            .count()
    };
    assert_eq!(outlined(&text(1, 0, 1, 1, false)).map(|module| launches(&module)), Some(1));
}
