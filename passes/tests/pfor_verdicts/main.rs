//! What `prove-pfor` says of random loops, against plain enumeration of what their iterations touch.

mod body;

use std::cell::RefCell;

use body::{Body, Random, Run};
use pydd_passes::{Options, PassContext, find};

const BODIES: u64 = 10_000;
/// Long enough for each race of these bodies.
const LONG: i64 = 80;
const SEED: u64 = 20_260_101;

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
