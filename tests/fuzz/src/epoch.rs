//! A number of inputs in a row, which the seed and the epoch's number determine.

use crate::check::{self, Finding, Traits};
use crate::corpus::Corpus;
use crate::mutate;
use pydd_passes::Options;
use pydd_test_support::rng::Rng;

/// Inputs of an epoch.
pub const INPUTS: usize = 1000;

/// Runs `inputs` inputs of an epoch; gives how many compiled. `before` sees each before it is tried, `found`
/// what did not hold.
pub fn run(
    corpus: &Corpus,
    (seed, epoch): (u64, u64),
    inputs: usize,
    mut before: impl FnMut(&[u8], &Options),
    mut found: impl FnMut(&[u8], &Options, Finding),
) -> usize {
    let mut rng = Rng::stream(seed, epoch);
    let mut pool = corpus.clone();
    let mut seen = Traits::new();
    let mut compiled = 0;
    for number in 0..inputs {
        let input = mutate::mutate(&mut rng, &pool);
        let options = check::options(number);
        before(&input, &options);
        match check::check(&input, &options) {
            // What reached something new is worth mutating again.
            Ok(traits) => {
                let compiles = traits.contains(check::COMPILES);
                compiled += usize::from(compiles);
                let known = seen.len();
                seen.extend(traits);
                if let (true, Ok(text)) = (seen.len() > known && input.len() < 4000, String::from_utf8(input))
                {
                    pool.add(text, compiles);
                }
            }
            Err(finding) => found(&input, &options, finding),
        }
    }
    compiled
}
