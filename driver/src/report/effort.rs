//! Which functions get less of the backend's work.

use std::collections::BTreeSet;

use pydd_codegen::lower::source;
use pydd_codegen::units::{self, Effort};
use pydd_ir::{Loc, Module, Version};
use pydd_passes::Finding;

/// A finding for each function of the source whose fast version is not compiled with all effort.
#[must_use]
pub fn findings(module: &Module) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut lines = BTreeSet::new();
    for unit in units::units(module).iter().filter(|unit| unit.effort < Effort::Full && !unit.light) {
        for &r in &unit.functions {
            let func = &module.funcs[r];
            let place = source(module, func).filter(|_| func.version != Version::General);
            let Some(line) = place.map(|place| place.line).filter(|&line| lines.insert(line)) else {
                continue;
            };
            let loc = Loc { line, column: 1, scope: 0 };
            let message = "this function is compiled with less effort: the file or the function is long";
            let what = match unit.effort {
                Effort::Little => "without vectors",
                _ => "without vectors, and with quick choices of instructions",
            };
            found.push(
                Finding::new("less-effort", loc, message)
                    .label(loc, what)
                    .help("put functions that must be fast into a file of their own"),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with a function of so many operations, from line 7 on.
    fn module(ops: usize) -> Module {
        let body: String = (1..ops).map(|i| format!("  %{i}: f64 = add %0, %0 at 7:5 in \"f\"\n")).collect();
        let text = format!(
            "module \"m\" file \"m.pydd\"\nfunc @f loop fast (%0: f64) -> () {{\n{body}  return\n}}\n"
        );
        pydd_ir::text::parse(&text).unwrap()
    }

    #[test]
    fn long_functions_are_named() {
        assert!(findings(&module(100)).is_empty());
        let found = findings(&module(6_000));
        assert_eq!(
            found.iter().map(|finding| (finding.code, finding.loc.line)).collect::<Vec<_>>(),
            [("less-effort", 7)]
        );
    }
}
