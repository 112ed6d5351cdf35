//! Shows what the frontend makes of a file: `cargo run --example show -- FILE [types]`.

use pydd_frontend::diagnostics::render;
use pydd_frontend::source::SourceFile;
use pydd_frontend::compile;

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    let bytes = std::fs::read(&path).unwrap_or_default();
    let source = SourceFile::from_bytes(path, &bytes);
    let outcome = compile(&source, "m");
    for diagnostic in outcome.diagnostics.sorted() {
        print!("{}", render::plain(&source, &diagnostic));
    }
    if std::env::args().nth(2).is_some() {
        print!("{}", outcome.typed_dump());
    }
    if let Some(module) = outcome.module {
        if std::env::args().nth(2).is_none() {
            print!("{}", pydd_ir::text::print(&module, &pydd_ir::text::PrintOptions::default()));
        }
        if let Err(errors) = pydd_ir::verify::verify(&module) {
            println!("VERIFY: {errors:#?}");
        }
    }
}
