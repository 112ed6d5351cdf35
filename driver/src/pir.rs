//! `.pir` files: IR text in place of a source, for work on passes and backends.

use pydd_ir::{Level, Module};
use std::path::Path;

/// Whether a file holds IR text.
#[must_use]
pub fn is_pir(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pir")
}

/// The module that the text describes.
///
/// # Errors
/// What is wrong with the text, a line each.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Module, String> {
    let shown = path.display();
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{shown}: error: the file is not UTF-8"))?;
    let module = pydd_ir::text::parse(text)
        .map_err(|e| format!("{shown}:{}:{}: error: {}", e.line, e.column, e.message))?;
    match pydd_ir::verify::verify(&module) {
        Ok(()) => Ok(module),
        Err(errors) => {
            Err(errors.iter().map(|e| format!("{shown}: error: {e}")).collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Whether the passes have run already: `--emit=loops` prints such modules.
#[must_use]
pub fn is_lowered(module: &Module) -> bool {
    module.funcs.values().all(|f| f.level == Level::Loop)
}
