//! What bodies of parallel loops are called for debuggers and profilers: `kernel.pfor:12`, by the function and the line of the loop.

use pydd_ir::{Entity, FuncRef, Loc, Module, OpKind};

use super::module::source;
use crate::emit::SourceFunction;

pub struct Names {
    /// Among all functions of the module.
    pub symbol: String,
    pub shown: String,
    pub loc: Loc,
}

impl Names {
    /// The function as debuggers are told.
    pub fn source<'a>(&'a self, module: &'a Module) -> SourceFunction<'a> {
        let place = module.place(self.loc);
        SourceFunction { name: &self.shown, file: place.file.unwrap_or(&module.file), line: place.line }
    }
}

/// The names of a region's function; nothing for other functions.
pub fn readable(module: &Module, r: FuncRef) -> Option<Names> {
    let (version, loc) = version_and_place(module, r)?;
    let line = module.place(loc).line;
    // Of one loop there may be several bodies, such as one without checks.
    let known = Some((version, loc.line));
    let same = |&other: &FuncRef| version_and_place(module, other).map(|(v, loc)| (v, loc.line)) == known;
    let earlier = (0..r.index()).map(FuncRef::new).filter(same).count();
    let count = if earlier == 0 { String::new() } else { format!(".{}", earlier + 1) };
    let function = source(module, &module.funcs[r])?.name;
    Some(Names {
        symbol: format!("{version}.pfor:{line}{count}"),
        shown: format!("{function}.pfor:{line}{count}"),
        loc,
    })
}

/// The name of the function that launches a region's body, and where the loop stands.
fn version_and_place(module: &Module, r: FuncRef) -> Option<(&str, Loc)> {
    let func = &module.funcs[r];
    func.region.as_ref()?;
    let ops = func.blocks[func.entry].ops.iter().map(|&op| &func.ops[op]);
    let mut loops = ops.filter(|data| data.kind == OpKind::For).map(|data| data.loc);
    let loc = loops.find(|loc| loc.line != 0)?;
    let (version, _) = func.name.rsplit_once('.')?;
    Some((version, loc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_called_by_function_and_line() {
        let region = |number: u32, line: u32| {
            format!(
                "func @f.fast.region{number} loop fast region[| ] (%0: i64, %1: i64, %2: i64, %3: i64) -> () {{\n  \
                 for %0, %1, %3 at {line}:5 in \"f\" {{\n  (%4: i64):\n    continue[0]\n  }}\n  return\n}}\n"
            )
        };
        let text =
            format!("module \"m\" file \"m.pydd\"\n{}{}{}", region(0, 12), region(1, 20), region(2, 12));
        let module = pydd_ir::text::parse(&text).unwrap();
        let names: Vec<Names> = module.funcs.keys().filter_map(|r| readable(&module, r)).collect();
        let symbols: Vec<&str> = names.iter().map(|names| names.symbol.as_str()).collect();
        assert_eq!(symbols, ["f.fast.pfor:12", "f.fast.pfor:20", "f.fast.pfor:12.2"]);
        assert_eq!((names[2].shown.as_str(), names[2].loc.line), ("f.pfor:12.2", 12));
    }
}
