//! The modifiers of an instruction, taken one by one; what nobody took is an error.

use crate::arithmetic::{Mode, Rounding};
use crate::parse::{Error, Instruction, Type, error};

pub struct Words<'a> {
    words: Vec<&'a str>,
    instruction: &'a Instruction,
}

impl<'a> Words<'a> {
    pub fn of(instruction: &'a Instruction) -> Self {
        Words { words: instruction.modifiers.iter().map(String::as_str).collect(), instruction }
    }

    pub fn unknown<T>(&self) -> Result<T, Error> {
        error(
            self.instruction.line,
            format!("instruction `{}` is not known to fakecuda", self.instruction.name()),
        )
    }

    pub fn take(&mut self, word: &str) -> bool {
        self.one_of(&[word]).is_some()
    }

    /// The first modifier that is one of `words`, as it stands there.
    pub fn one_of<'b>(&mut self, words: &[&'b str]) -> Option<&'b str> {
        let at = self.words.iter().position(|w| words.contains(w))?;
        let word = self.words.remove(at);
        words.iter().find(|w| **w == word).copied()
    }

    /// The first modifier that `find` knows.
    pub fn find<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, found) = self.words.iter().enumerate().find_map(|(i, w)| Some((i, find(w)?)))?;
        self.words.remove(at);
        Some(found)
    }

    pub fn ty(&mut self) -> Result<Type, Error> {
        match self.find(Type::named) {
            Some(ty) => Ok(ty),
            None => self.unknown(),
        }
    }

    pub fn rounding(&mut self, mode: &mut Mode) -> bool {
        let found = self.find(|w| {
            Some(match w {
                "rn" => (Rounding::Nearest, false),
                "rz" => (Rounding::Zero, false),
                "rm" => (Rounding::Down, false),
                "rp" => (Rounding::Up, false),
                "rna" => (Rounding::Away, false),
                "rni" => (Rounding::Nearest, true),
                "rzi" => (Rounding::Zero, true),
                "rmi" => (Rounding::Down, true),
                "rpi" => (Rounding::Up, true),
                _ => return None,
            })
        });
        if let Some((rounding, integral)) = found {
            mode.rounding = rounding;
            mode.integral = integral;
        }
        found.is_some()
    }

    /// Scopes, orders and cache hints, which change nothing where memory is sequential.
    pub fn skip_memory_order(&mut self) {
        let known = |w: &str| {
            let plain = [
                "relaxed", "acquire", "release", "acq_rel", "sc", "weak", "volatile", "cta", "gpu", "sys",
                "cluster", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "mmio",
            ];
            (plain.contains(&w) || w.starts_with("L1::") || w.starts_with("L2::")).then_some(())
        };
        while self.find(known).is_some() {}
    }

    /// All modifiers were understood.
    pub fn finish(self) -> Result<(), Error> {
        if self.words.is_empty() { Ok(()) } else { self.unknown() }
    }
}
