//! Which arguments of exported functions are written.
//!
//! That decides which arguments are refused when they are read-only, so it must be the same whatever passes do to a function. It is
//! found once, in what the frontend makes, and kept in [`ExportParam::written`](crate::ExportParam). Passes may take writes
//! away and never add one, which the verifier holds them to.

use super::Summaries;
use crate::func::{DICT_LISTS, Export, ExportType, Module};

/// By parameter: whether an entry may write to what the caller passes.
#[must_use]
pub fn written_params(export: &Export, summaries: &Summaries) -> Vec<bool> {
    let mut types = Vec::new();
    let mut written = Vec::new();
    for param in &export.params {
        let first = types.len();
        param.ty.flatten(&mut types);
        // The table of a dict is made anew in each call: no caller sees it.
        let table = matches!(param.ty, ExportType::Dict { .. }).then(|| types.len() - DICT_LISTS.len());
        let writes = |part: usize| {
            let part = u32::try_from(part).expect("few parameters");
            let holds_memory = types[part as usize].holds_memory();
            export.funcs().any(|f| {
                summaries.get(f).is_none_or(|s| s.writes.contains(part) || (holds_memory && s.writes_held))
            })
        };
        written.push((first..types.len()).any(|part| Some(part) != table && writes(part)));
    }
    written
}

/// Notes for each export which of its parameters are written.
pub fn note_written(module: &mut Module) {
    let summaries = Summaries::new(module);
    for export in &mut module.exports {
        let written = written_params(export, &summaries);
        for (param, written) in export.params.iter_mut().zip(written) {
            param.written = written;
        }
    }
}
