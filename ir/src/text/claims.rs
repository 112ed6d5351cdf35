//! What a text says about memory (`in m0`, `!r m0 !w m1`), held against what the analysis finds.

use super::ParseError;
use super::lexer::Pos;
use crate::alias::{ClassSet, MemoryInfo, Summaries};
use crate::entity::{AliasClass, Entity, FuncRef, Op, Value};
use crate::func::Module;

#[derive(Default)]
pub(super) struct Claims {
    values: Vec<(FuncRef, Value, Vec<u32>, Pos)>,
    effects: Vec<(FuncRef, Op, bool, Vec<u32>, Pos)>,
}

impl Claims {
    pub(super) fn value(&mut self, func: FuncRef, value: Value, classes: Vec<u32>, pos: Pos) {
        self.values.push((func, value, classes, pos));
    }

    pub(super) fn effect(&mut self, func: FuncRef, op: Op, reads: bool, classes: Vec<u32>, pos: Pos) {
        self.effects.push((func, op, reads, classes, pos));
    }
}

/// Refuses the first claim that is wrong.
pub(super) fn check(module: &Module, claims: &Claims) -> Result<(), ParseError> {
    if claims.values.is_empty() && claims.effects.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    let memory: Vec<MemoryInfo> =
        module.funcs.values().map(|func| MemoryInfo::new(func, &summaries)).collect();
    for (func, value, classes, pos) in &claims.values {
        compare(memory[func.index()].classes(*value), classes, *pos, "the value is in")?;
    }
    for (func, op, reads, classes, pos) in &claims.effects {
        let effects = memory[func.index()].effects(*op);
        let (found, what) = if *reads {
            (&effects.reads, "the operation reads")
        } else {
            (&effects.changes(), "the operation writes")
        };
        compare(found, classes, *pos, what)?;
    }
    Ok(())
}

fn compare(found: &ClassSet, claimed: &[u32], pos: Pos, what: &str) -> Result<(), ParseError> {
    let claimed: ClassSet = claimed.iter().map(|&c| AliasClass::new(c as usize)).collect();
    if *found == claimed {
        return Ok(());
    }
    let found = if found.is_empty() { "nothing".to_owned() } else { found.to_string() };
    Err(pos.error(format!("the annotation says {claimed}, but {what} {found}")))
}
