//! Outlined bodies over random splits of the range: whichever pieces run in whichever order, what they give together is bitwise
//! what one run gives, and each iteration touches only what the table names.

use crate::body::{Body, Random, Run};
use pydd_interp::{Array, Interp, Scalar, Split, Stop, Val};
use pydd_ir::{DType, Module, OpKind};
use pydd_passes::{OptLevel, Options, PIPELINE, Quiet, run_one};

const BODIES: usize = 2_000;
const SPLITS: usize = 20;
const SEED: u64 = 31_000_000;

/// All passes up to the one that outlines; nothing where the program is refused.
pub fn outlined(text: &str) -> Option<Module> {
    let mut module = pydd_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options { opt_level: OptLevel::O0, ..Options::default() };
    for pass in PIPELINE.iter().filter(|pass| pass.need == pydd_passes::Need::Always) {
        run_one(pass, &mut module, &options, &mut Quiet).ok()?;
        if pass.name == "outline" {
            pydd_ir::verify::verify(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            break;
        }
    }
    let launches =
        |func: &pydd_ir::Function| func.ops.values().any(|op| matches!(op.kind, OpKind::Launch(_)));
    let any = module.funcs.values().any(launches);
    any.then_some(module)
}

/// The sum and the arrays' bytes afterwards; nothing where an index was out of range.
fn run(module: &Module, body: &Body, run: Run, split: Split) -> Option<(u64, Vec<Vec<u8>>)> {
    let arrays: Vec<Array> = (0..body.array_params())
        .map(|_| {
            let size: i64 = body.dims().iter().product();
            let items: Vec<Scalar> = (0..size).map(|i| Scalar::float((i as f64).cos(), DType::F64)).collect();
            Array::from_scalars(DType::F64, body.dims(), &items)
        })
        .collect();
    let mut args: Vec<Val> = arrays.iter().cloned().map(Val::Array).collect();
    args.extend([run.n, run.s].map(|number| Val::Scalar(Scalar::i64(number))));
    args.push(Val::Scalar(Scalar::Bool(run.maybe)));
    let f = module.find("f").expect("the function");
    match Interp::new(module).with_split(split).call(f, args) {
        Ok(results) => match results[..] {
            [Val::Scalar(Scalar::Float(sum, _))] => {
                Some((sum.to_bits(), arrays.iter().map(|a| a.bytes.borrow().clone()).collect()))
            }
            _ => panic!("one sum"),
        },
        Err(Stop::Raise(_)) => None,
        Err(stop) => panic!("{stop:?}"),
    }
}

pub fn random_split(random: &mut Random, parts: i64) -> Split {
    let count = random.next() % 6;
    let mut cuts: Vec<f64> = (0..count).map(|_| (random.next() % 1000) as f64 / 999.0).collect();
    // A piece without iterations.
    cuts.extend(cuts.first().copied());
    let order = (0..=cuts.len()).map(|_| random.next()).collect();
    Split { cuts, order, parts }
}

/// Checks every second of the random bodies, until there are enough that are launched.
fn check_bodies(first: u64) -> usize {
    let (mut bodies, mut runs, mut number) = (0, 0, first);
    while bodies < BODIES / 2 {
        number += 2;
        let mut random = Random(SEED + number);
        let body = Body::random(&mut random).small();
        let text = body.summing_ir();
        let Some(module) = outlined(&text) else { continue };
        bodies += 1;
        let mut given = |n: i64, s: i64, maybe: bool, parts: i64| {
            let of = Run { n, s, maybe };
            let Some(whole) = run(&module, &body, of, Split { parts, ..Split::default() }) else { return };
            for _ in 0..SPLITS / 2 {
                let split = random_split(&mut random, parts);
                let got = run(&module, &body, of, split.clone());
                assert_eq!(got.as_ref(), Some(&whole), "body {number} in {of:?}, {split:?}\n{text}");
                runs += 1;
            }
        };
        // Parts of one iteration, whose footprints are looked at, and larger ones.
        given(9, 1, true, i64::MAX);
        given(23, 0, false, 7);
    }
    runs
}

#[test]
fn any_split_gives_the_same_bits_within_the_footprints() {
    let halves = [0, 1].map(|first| std::thread::spawn(move || check_bodies(first)));
    let runs: usize = halves.into_iter().map(|half| half.join().expect("no body fails")).sum();
    assert!(runs > BODIES * SPLITS / 4, "{runs} runs");
}
