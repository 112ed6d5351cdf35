//! What may hold of values that loops and branches pass on.

use std::collections::BTreeSet;

use pydd_ir::{ElemOp, Entity, Function, Op, OpKind, Type, Value};

use super::Ranges;
use crate::analysis::known::Known;
use crate::analysis::symbol::Poly;

/// How many upper ends are tried for each value.
const ENDS: usize = 6;

/// A claim about one value that is passed on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Guess {
    NonNegative,
    /// At least what the loop started with.
    Grows,
    /// At most that.
    Shrinks,
    /// Grew by one in each iteration at most.
    Counts,
    Below(Value),
    AtMost(Value),
}

/// What a guess is about: a value that a loop carries, or a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Passed {
    Carried,
    Result,
}

/// A loop or scope that is being walked.
pub(super) struct Frame {
    pub op: Op,
    /// Guesses about carried values, which hold so far: index among them, guess.
    pub carried: Vec<(usize, Guess)>,
    /// Guesses about results, which hold at all exits so far.
    pub results: Vec<(usize, Guess)>,
    /// Whether a guess about a carried value was dropped.
    pub changed: bool,
}

/// The values that something is compared with as an upper end, each once, in order.
pub(super) fn upper_ends(func: &Function) -> Vec<Value> {
    let mut found = BTreeSet::new();
    let mut ends = Vec::new();
    for op in func.all_ops() {
        let data = &func.ops[op];
        let (OpKind::Elem(ElemOp::Lt), &[_, end]) = (&data.kind, &data.args[..]) else { continue };
        let source = match func.def_op(end).map(|op| &func.ops[op]) {
            Some(def) if def.kind == OpKind::Cast => def.args[0],
            _ => end,
        };
        if func.ty(source) == Type::I64 && func.as_const(source).is_none() && found.insert(source) {
            ends.push(source);
        }
    }
    ends
}

impl Ranges<'_> {
    /// The guesses worth a try about a value that `op` passes on.
    fn guesses_at(&self, op: Op) -> Vec<Guess> {
        let mut guesses = vec![Guess::NonNegative];
        let seen = |end: &&Value| self.order[end.index()] != 0 && self.layout.dominates(self.func, **end, op);
        for &end in self.ends.iter().filter(seen).take(ENDS) {
            guesses.extend([Guess::AtMost(end), Guess::Below(end)]);
        }
        guesses
    }

    /// What a guess says of `value`: that this is at least 0. `start` is what the loop began with, `done`
    /// the number of iterations before.
    fn claim(&self, guess: Guess, value: &Poly, start: Option<&Poly>, done: Option<&Poly>) -> Option<Poly> {
        match guess {
            Guess::NonNegative => Some(value.clone()),
            Guess::Grows => value.sub(start?),
            Guess::Shrinks => start?.sub(value),
            Guess::Counts => start?.add(done?)?.sub(value),
            Guess::Below(end) => self.form(end).sub(value)?.shift(-1),
            Guess::AtMost(end) => self.form(end).sub(value),
        }
    }

    /// Guesses about what a loop carries that hold at its start.
    pub(super) fn first_guesses(
        &mut self,
        op: Op,
        params: &[Value],
        init: &[Value],
        counted: bool,
    ) -> Vec<(usize, Guess)> {
        let mut found = Vec::new();
        for (index, (&param, &first)) in params.iter().zip(init).enumerate() {
            if self.func.ty(param) != Type::I64 {
                continue;
            }
            let start = self.form(first);
            let mut guesses = vec![Guess::Grows, Guess::Shrinks];
            if counted {
                guesses.push(Guess::Counts);
            }
            guesses.extend(self.guesses_at(op));
            for guess in guesses {
                let trivial = matches!(guess, Guess::Grows | Guess::Shrinks | Guess::Counts);
                let holds = || self.claim(guess, &start, Some(&start), None).is_some_and(|c| self.proves(&c));
                if self.is_refuted(op, Passed::Carried, index, guess) {
                    continue;
                }
                if trivial || holds() {
                    found.push((index, guess));
                } else {
                    self.refuted.insert((op, Passed::Carried, index, guess));
                }
            }
        }
        found
    }

    /// Guesses about what an operation gives; every exit will have to agree.
    pub(super) fn result_guesses(&self, op: Op) -> Vec<(usize, Guess)> {
        let results = self.func.ops[op].results.iter().enumerate();
        let ints = results.filter(|(_, r)| self.func.ty(**r) == Type::I64);
        let all = ints.flat_map(|(index, _)| self.guesses_at(op).into_iter().map(move |g| (index, g)));
        all.filter(|&(index, guess)| !self.is_refuted(op, Passed::Result, index, guess)).collect()
    }

    /// Whether a guess is not worth a proof: what is not at most an end is not below it either.
    fn is_refuted(&self, op: Op, passed: Passed, index: usize, guess: Guess) -> bool {
        let refuted = |guess| self.refuted.contains(&(op, passed, index, guess));
        refuted(guess) || matches!(guess, Guess::Below(end) if refuted(Guess::AtMost(end)))
    }

    /// Assumes guesses about these values.
    pub(super) fn assume_guesses(
        &mut self,
        guesses: &[(usize, Guess)],
        values: &[Value],
        init: Option<&[Value]>,
        done: Option<&Poly>,
    ) {
        for &(index, guess) in guesses {
            let start = init.map(|init| self.form(init[index]));
            let value = self.form(values[index]);
            if let Some(fact) = self.claim(guess, &value, start.as_ref(), done) {
                self.facts.push(fact);
            }
        }
    }

    /// The guesses about what `op` passes on that hold of these values here. The others are not made again: what is
    /// assumed only becomes less.
    pub(super) fn kept(
        &mut self,
        (op, passed): (Op, Passed),
        mut guesses: Vec<(usize, Guess)>,
        values: &[Value],
        init: Option<&[Value]>,
        done: Option<&Poly>,
    ) -> Vec<(usize, Guess)> {
        guesses.retain(|&(index, guess)| {
            if self.is_refuted(op, passed, index, guess) {
                return false;
            }
            let start = init.map(|init| self.form(init[index]));
            let value = self.form(values[index]);
            let claim = self.claim(guess, &value, start.as_ref(), done);
            let holds = claim.is_some_and(|claim| self.proves(&claim));
            if !holds {
                self.refuted.insert((op, passed, index, guess));
            }
            holds
        });
        guesses
    }
}
