//! Text to syntax tree.
//!
//! 1. [`scan`] finds logical lines, comments, unclosed brackets, and what would be too deep.
//! 2. [`chunks`] cuts the file where statements at module level begin, so that an error in one hides none in the next.
//! 3. [`tokens`] reads the tokens of a chunk and recognises `pfor`, `async:`, `finish:` and `isolated:`.
//! 4. [`recover`] parses a chunk; a line with an error is masked and the chunk parsed again.
//! 5. [`convert`] makes the tree of the language from the parser's.
//! 6. [`check`] looks for `break`, `return` and the like in places where they mean nothing, [`order`] for names that a module
//!    reads before it defines them.
//! 7. [`columns`] writes `zip(*rows)` out, [`variadic`] functions with `*args`, [`memo`] functions that keep their results; [`passed`] has functions pass what is no constant.

pub mod ast;
mod check;
mod chunks;
mod columns;
mod comments;
mod convert;
mod dump;
mod errors;
mod fresh;
pub mod limits;
mod memo;
mod nested;
mod order;
mod passed;
mod recover;
mod scan;
pub mod sizes;
mod tokens;
pub mod types;
pub mod ufunc;
mod variadic;
pub mod visit;

pub use dump::{dump_ast, dump_tokens};

use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::{SourceFile, Span};
use crate::stack::on_big_stack;
use ast::Module;
use rustpython_parser::text_size::TextRange;

/// Parses a source file. What is wrong goes to `sink`; the tree holds `Error` nodes in its place. `None` where
/// the file is not text.
pub fn parse(source: &SourceFile, sink: &mut Diagnostics) -> Option<Module> {
    if !is_readable(source, sink) {
        return None;
    }
    on_big_stack(|| Some(parse_text(source, sink)))
}

fn parse_text(source: &SourceFile, sink: &mut Diagnostics) -> Module {
    let mut scan = scan::scan(source.text(), sink);
    let mut comments = comments::TypeComments::new(source, &scan.comments);
    let mut builder = convert::ModuleBuilder::default();
    let chunks = chunks::chunks(&scan);
    let mut budget = recover::Budget::new(source);
    for chunk in chunks {
        match recover::parse_chunk(source, &mut scan, &chunk, &mut budget, sink) {
            Some(parsed) => builder.add_chunk(source, &scan, &mut comments, parsed, sink),
            None => {
                comments.forget_within(chunk.span);
                builder.add_unparsed(source, &scan, &chunk);
            }
        }
    }
    let mut module = builder.finish();
    comments.warn_unused(sink);
    check::check(&module, sink);
    order::check(&mut module, source, sink);
    columns::expand(&mut module);
    variadic::expand(&mut module, sink);
    let memos = memo::expand(&mut module, sink);
    passed::pass_along(&mut module, memos, source, sink);
    module
}

fn is_readable(source: &SourceFile, sink: &mut Diagnostics) -> bool {
    if let Some(offset) = source.invalid_utf8() {
        Diagnostic::error(code::BAD_ENCODING, "the file is not UTF-8")
            .primary(Span::new(offset, offset + 1), "this byte starts no character")
            .help("save the file as UTF-8")
            .emit(sink);
        return false;
    }
    if source.text().len() > limits::SOURCE {
        Diagnostic::error(code::FILE_TOO_LARGE, "the file is too large")
            .note(format!("a source file has at most {} MiB", limits::SOURCE >> 20))
            .emit(sink);
        return false;
    }
    true
}

/// The parser's range as a span.
fn span_of(range: TextRange) -> Span {
    Span::new(u32::from(range.start()), u32::from(range.end()))
}
