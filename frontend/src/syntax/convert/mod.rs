//! The parser's tree to the language's: what is not in the language is reported and becomes an `Error` node.

mod expr;
mod fstring;
mod function;
mod mapped;
mod matching;
mod named;
mod stmt;

use super::ast::{Expr, ExprKind, Module, Stmt, StmtKind};
use super::chunks::Chunk;
use super::comments::TypeComments;
use super::fresh;
use super::nested;
use super::recover::{Parsed, is_masked};
use super::scan::Scan;
use super::span_of;
use super::tokens::Tokens;
use super::ufunc;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::{SourceFile, Span};
use rustpython_parser::ast::Ranged;
use std::collections::BTreeSet;

/// Collects the module from its chunks.
#[derive(Default)]
pub(super) struct ModuleBuilder {
    body: Vec<Stmt>,
    next_id: u32,
    unparsed: Vec<String>,
    incomplete: bool,
    aliases: BTreeSet<String>,
}

impl ModuleBuilder {
    /// Adds the statements of a chunk.
    pub(super) fn add_chunk(
        &mut self,
        source: &SourceFile,
        scan: &Scan,
        comments: &mut TypeComments<'_>,
        parsed: Parsed,
        sink: &mut Diagnostics,
    ) {
        let tokens = &parsed.tokens;
        let mut converter = Converter {
            source,
            scan,
            comments,
            tokens,
            sink,
            next_id: self.next_id,
            error_nodes: 0,
            named: None,
            guarded: Vec::new(),
            aliases: &mut self.aliases,
        };
        for stmt in &parsed.body {
            if is_masked(scan, stmt) {
                self.incomplete = true;
                self.unparsed.extend(defined_function(source, span_of(stmt.range()).start));
            }
            if let Some(stmt) = converter.module_stmt(stmt) {
                nested::lift(stmt, &mut converter.next_id, &mut self.body, converter.sink);
                // The function is the last one, behind those that were inside it.
                let loops = match self.body.last().map(|stmt| &stmt.kind) {
                    Some(StmtKind::FunctionDef(def)) => def.ufunc.as_ref().map(|ufunc| (def, ufunc)),
                    _ => None,
                };
                let loops = loops.map(|(def, ufunc)| ufunc::loops_of(def, ufunc, &mut converter.next_id));
                self.body.extend(loops.unwrap_or_default());
            }
        }
        self.next_id = converter.next_id;
    }

    /// Notes a chunk that could not be parsed.
    pub(super) fn add_unparsed(&mut self, source: &SourceFile, scan: &Scan, chunk: &Chunk) {
        self.incomplete = true;
        for line in &scan.lines[chunk.lines.clone()] {
            self.unparsed.extend(defined_function(source, line.span.start));
        }
        self.body.push(Stmt { span: chunk.span, kind: StmtKind::Error });
    }

    /// The module; a string that opens it is its docstring.
    pub(super) fn finish(mut self) -> Module {
        let docstring = take_docstring(&mut self.body);
        // Any other string is a comment in disguise.
        self.body.retain(|stmt| !matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Pass));
        Module {
            docstring,
            body: self.body,
            expr_count: self.next_id,
            unparsed: self.unparsed,
            incomplete: self.incomplete,
        }
    }
}

/// The name after `def`, where a line begins with that.
fn defined_function(source: &SourceFile, start: u32) -> Option<String> {
    let rest = source.text().get(start as usize..)?.trim_start_matches([' ', '\t']).strip_prefix("def")?;
    let name: String = rest.trim_start().chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// Removes the string that opens a body.
fn take_docstring(body: &mut Vec<Stmt>) -> Option<String> {
    let first = body.first_mut()?;
    let StmtKind::Expr(Expr { kind: ExprKind::Str(text), .. }) = &mut first.kind else { return None };
    let text = std::mem::take(text);
    body.remove(0);
    Some(text)
}

/// Converts the statements of one chunk.
struct Converter<'a, 's> {
    source: &'a SourceFile,
    scan: &'a Scan,
    comments: &'a mut TypeComments<'s>,
    tokens: &'a Tokens,
    sink: &'a mut Diagnostics,
    next_id: u32,
    /// `Error` nodes made so far.
    error_nodes: usize,
    /// Where the `:=` stands whose assignment stands before the statement.
    named: Option<u32>,
    /// What cases with a guard name in the function so far.
    guarded: Vec<matching::Guarded>,
    /// The names of types so far.
    aliases: &'a mut BTreeSet<String>,
}

impl Converter<'_, '_> {
    fn expr_node(&mut self, span: Span, kind: ExprKind) -> Expr {
        fresh::expr(&mut self.next_id, span, kind)
    }

    fn error_expr(&mut self) -> ExprKind {
        self.error_nodes += 1;
        ExprKind::Error
    }

    fn error_stmt(&mut self) -> StmtKind {
        self.error_nodes += 1;
        StmtKind::Error
    }

    /// Reports something of Python that the language does not have.
    fn not_in_language(&mut self, span: Span, what: &str, help: &str) {
        let are = if what.ends_with('s') && !what.ends_with("class") { "are" } else { "is" };
        Diagnostic::error(code::NOT_IN_LANGUAGE, format!("{what} {are} not in the language"))
            .primary(span, "")
            .help(help)
            .emit(self.sink);
    }

    /// The token that starts at `offset`, as far as it lies on the first line of a statement: what a diagnostic
    /// about a whole statement points at.
    fn keyword_span(&self, offset: u32) -> Span {
        match self.tokens.list.get(self.tokens.index_at(offset)) {
            Some(token) if token.span.start == offset => token.span,
            _ => Span::at(offset),
        }
    }

    /// The end of the colon that ends the header of a compound statement.
    fn header_end(&self, span: Span) -> u32 {
        use rustpython_parser::Tok;
        let mut brackets = 0_u32;
        let mut lambdas = 0_u32;
        for token in self.tokens.within(span) {
            match token.tok {
                Tok::Lpar | Tok::Lsqb | Tok::Lbrace => brackets += 1,
                Tok::Rpar | Tok::Rsqb | Tok::Rbrace => brackets = brackets.saturating_sub(1),
                Tok::Lambda if brackets == 0 => lambdas += 1,
                Tok::Colon if brackets == 0 && lambdas > 0 => lambdas -= 1,
                Tok::Colon if brackets == 0 => return token.span.end,
                _ => {}
            }
        }
        span.end
    }
}
