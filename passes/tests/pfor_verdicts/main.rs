//! What `prove-pfor` says of random loops, and what `check-races` finds in their runs, against plain enumeration of what
//! their iterations touch.

mod body;
mod segments;
mod splits;

use std::cell::RefCell;

use body::{Body, Random, Run};
use pydd_interp::{Array, Interp, Scalar, Stop, Val};
use pydd_ir::{DType, Exc};
use pydd_passes::{Options, PassContext, find};

const BODIES: u64 = 10_000;
/// Long enough for each race of these bodies.
const LONG: i64 = 80;
const SEED: u64 = 20_260_101;
/// Of so many bodies one is run with `check-races`, unless the tests may take long.
const SAMPLE: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Accepted,
    Refused,
    Undecided,
}

fn verdict(text: &str) -> Verdict {
    let mut module = pydd_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (options, remarks) = (Options::default(), RefCell::default());
    let pass = find("prove-pfor").expect("the pass");
    let cx = PassContext { options: &options, remarks: Some(&remarks) };
    match (pass.run)(&mut module, &cx) {
        Err(finding) => {
            assert_eq!(finding.code, "pfor-race", "{text}");
            Verdict::Refused
        }
        Ok(()) if remarks.borrow().is_empty() => Verdict::Accepted,
        Ok(()) => Verdict::Undecided,
    }
}

/// All runs that a verdict speaks of: short ones and long ones.
fn runs() -> impl Iterator<Item = Run> {
    let ns = [1, 2, 3, 5, LONG];
    ns.into_iter()
        .flat_map(|n| [0, 1, 7].into_iter().flat_map(move |s| [false, true].map(|maybe| Run { n, s, maybe })))
}

/// Whether a run is stopped by a race; `None` where it raises something else.
fn is_caught(body: &Body, text: &str, run: Run) -> Option<bool> {
    let mut module = pydd_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options { check_races: true, ..Options::default() };
    let pass = find("check-races").expect("the pass");
    (pass.run)(&mut module, &PassContext::quiet(&options)).expect("a pass that refuses nothing");
    let arrays = || Val::Array(Array::zeros(DType::F64, body.dims()));
    let mut args: Vec<Val> = (0..body.array_params()).map(|_| arrays()).collect();
    args.extend([run.n, run.s].map(|number| Val::Scalar(Scalar::i64(number))));
    args.push(Val::Scalar(Scalar::Bool(run.maybe)));
    let f = module.find("f").expect("the function");
    match Interp::new(&module).call(f, args) {
        Ok(_) => Some(false),
        Err(Stop::Raise(raised)) if raised.exc == Exc::RuntimeError => Some(true),
        Err(Stop::Raise(_)) => None,
        Err(stop) => panic!("{stop:?}\n{text}"),
    }
}

#[test]
fn races_are_caught_when_they_happen() {
    let mut wrong = Vec::new();
    let all = std::env::var_os("PYDD_LONG").is_some_and(|value| value == "1");
    for number in (0..BODIES).step_by(if all { 1 } else { SAMPLE }) {
        let body = Body::random(&mut Random(SEED + number)).small();
        let text = body.ir();
        let kind = number / SAMPLE as u64;
        let run = Run { n: 12, s: (kind % 4) as i64, maybe: (kind / 4).is_multiple_of(2) };
        let (conflicts, caught) = (body.conflicts(run), is_caught(&body, &text, run));
        // Before an index out of range is met, a race may be.
        let agree = match conflicts {
            Some(conflicts) => caught == Some(conflicts),
            None => caught != Some(false),
        };
        if !agree {
            wrong.push(format!(
                "body {number} in {run:?}: conflicts {conflicts:?}, caught {caught:?}\n{text}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} runs are wrong\n{}", wrong.len(), wrong[..wrong.len().min(4)].join("\n"));
}

#[test]
fn verdicts_agree_with_enumeration() {
    let mut counts = [0; 3];
    let mut wrong = Vec::new();
    for number in 0..BODIES {
        let body = Body::random(&mut Random(SEED + number));
        let text = body.ir();
        let verdict = verdict(&text);
        counts[verdict as usize] += 1;
        // An index out of range raises: no verdict speaks of that. A loop that is refused races as soon as it is
        // long enough.
        let disagrees = |run: &Run| match (verdict, body.conflicts(*run)) {
            (Verdict::Accepted, Some(conflicts)) => conflicts,
            (Verdict::Refused, Some(conflicts)) => run.n == LONG && !conflicts,
            _ => false,
        };
        if let Some(run) = runs().find(disagrees) {
            wrong.push(format!("body {number} is {verdict:?}, and not so in {run:?}:\n{text}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} verdicts are wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(4)].join("\n")
    );
    let [accepted, refused, undecided] = counts;
    println!("{accepted} accepted, {refused} refused, {undecided} undecided");
    assert!(accepted > BODIES / 4 && refused > BODIES / 4, "{counts:?}");
    assert!(undecided * 10 < BODIES, "{counts:?}");
}
