//! What is grammatical and has no meaning: `break` outside a loop, `return` out of a `pfor`, code that is never
//! reached, a function defined twice.

use super::ast::{BlockKind, FunctionDef, Module, Stmt, StmtKind};
use super::visit::blocks;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use std::collections::BTreeMap;

/// Checks a module.
pub(super) fn check(module: &Module, sink: &mut Diagnostics) {
    duplicate_functions(module, sink);
    let mut checker = Checker { frames: Vec::new(), in_function: false, sink };
    for stmt in &module.body {
        checker.stmt(stmt);
    }
}

fn duplicate_functions(module: &Module, sink: &mut Diagnostics) {
    let mut first: BTreeMap<&str, &FunctionDef> = BTreeMap::new();
    for function in module.functions() {
        let name = function.name.name.as_str();
        let earlier = *first.entry(name).or_insert(function);
        if earlier.span != function.span {
            Diagnostic::error(code::DUPLICATE_FUNCTION, format!("function `{name}` is defined twice"))
                .primary(function.name.span, "defined again here")
                .secondary(earlier.name.span, "first defined here")
                .emit(sink);
        }
    }
}

/// What surrounds a statement within its function.
#[derive(Clone, Copy)]
enum Frame {
    Loop,
    Pfor(Span),
    Block(BlockKind, Span),
}

struct Checker<'a> {
    frames: Vec<Frame>,
    in_function: bool,
    sink: &'a mut Diagnostics,
}

impl Checker<'_> {
    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.unreachable(stmts);
    }

    fn framed(&mut self, frame: Frame, stmts: &[Stmt]) {
        self.frames.push(frame);
        self.block(stmts);
        self.frames.pop();
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::FunctionDef(function) => {
                self.in_function = true;
                self.block(&function.body);
                self.in_function = false;
            }
            StmtKind::While { body, orelse, .. } => {
                self.framed(Frame::Loop, body);
                self.block(orelse);
            }
            StmtKind::For(repeat) => {
                let frame = if repeat.parallel { Frame::Pfor(repeat.keyword) } else { Frame::Loop };
                self.framed(frame, &repeat.body);
                if let (true, Some(first)) = (repeat.parallel, repeat.orelse.first()) {
                    self.pfor_else(repeat.keyword, first.span);
                }
                self.block(&repeat.orelse);
            }
            StmtKind::Block { kind, keyword, body } => {
                self.enter_block(*kind, *keyword);
                self.framed(Frame::Block(*kind, *keyword), body);
            }
            StmtKind::Break => self.leaves_loop(stmt.span, "break"),
            StmtKind::Continue => self.leaves_loop(stmt.span, "continue"),
            StmtKind::Return(_) => self.returns(stmt.span),
            _ => blocks(stmt).into_iter().for_each(|block| self.block(block)),
        }
    }

    fn pfor_else(&mut self, keyword: Span, orelse: Span) {
        Diagnostic::error(code::BLOCK_ELSE, "a `pfor` loop has no `else`")
            .primary(orelse, "runs when no `break` ends the loop, and a `pfor` has none")
            .secondary(keyword, "parallel loop")
            .help("put the statements after the loop")
            .emit(self.sink);
    }

    fn enter_block(&mut self, kind: BlockKind, keyword: Span) {
        let isolated = self.frames.iter().rev().find_map(|frame| match frame {
            Frame::Block(BlockKind::Isolated, span) => Some(*span),
            _ => None,
        });
        if let (BlockKind::Finish, Some(outer)) = (kind, isolated) {
            Diagnostic::error(code::FINISH_IN_ISOLATED, "`finish:` inside `isolated:`")
                .primary(keyword, "would wait for tasks that may wait for this block")
                .secondary(outer, "runs alone")
                .help("put `isolated:` inside `finish:`")
                .emit(self.sink);
        }
    }

    /// `break` and `continue`.
    fn leaves_loop(&mut self, span: Span, word: &str) {
        match self.frames.last() {
            Some(Frame::Loop) => {}
            Some(Frame::Pfor(_)) if word == "continue" => {}
            Some(Frame::Pfor(keyword)) => Diagnostic::error(code::PFOR_BREAK, "`break` in a `pfor` loop")
                .primary(span, "other iterations may have run already")
                .secondary(*keyword, "iterations run in no fixed order")
                .help("use `for`")
                .emit(self.sink),
            Some(Frame::Block(kind, keyword)) => self.leaves_block(span, word, *kind, *keyword),
            None => Diagnostic::error(code::BREAK_OUTSIDE_LOOP, format!("`{word}` outside a loop"))
                .primary(span, "no loop is around this")
                .emit(self.sink),
        }
    }

    fn returns(&mut self, span: Span) {
        let outer = self.frames.iter().rev().find(|frame| !matches!(frame, Frame::Loop));
        match outer.copied() {
            Some(Frame::Pfor(keyword)) => Diagnostic::error(code::PFOR_RETURN, "`return` in a `pfor` loop")
                .primary(span, "other iterations may have run already")
                .secondary(keyword, "iterations run in no fixed order")
                .help("keep the result in a reduction, as in `found = min(found, i)`, and return it after the loop")
                .emit(self.sink),
            Some(Frame::Block(kind, keyword)) => self.leaves_block(span, "return", kind, keyword),
            Some(Frame::Loop) | None => {}
        }
    }

    fn leaves_block(&mut self, span: Span, word: &str, kind: BlockKind, keyword: Span) {
        let block = kind.keyword();
        Diagnostic::error(code::LEAVES_BLOCK, format!("`{word}` leaves `{block}:`"))
            .primary(span, "jumps out of the block")
            .secondary(keyword, "must run to its end")
            .help(format!("set a variable in the block, and `{word}` after it"))
            .emit(self.sink);
    }

    fn unreachable(&mut self, stmts: &[Stmt]) {
        let leaves = |stmt: &Stmt| leaving_word(stmt).is_some();
        let Some(index) = stmts.iter().position(leaves) else { return };
        let (Some(next), Some(word)) = (stmts.get(index + 1), leaving_word(&stmts[index])) else { return };
        Diagnostic::warning(code::UNREACHABLE_CODE, "this statement is never reached")
            .primary(first_word(next), format!("follows `{word}`"))
            .secondary(first_word(&stmts[index]), "leaves the block here")
            .emit(self.sink);
    }
}

fn leaving_word(stmt: &Stmt) -> Option<&'static str> {
    match &stmt.kind {
        StmtKind::Return(_) => Some("return"),
        StmtKind::Raise(_) => Some("raise"),
        StmtKind::Break => Some("break"),
        StmtKind::Continue => Some("continue"),
        _ => None,
    }
}

/// What to point at for a statement: its keyword where it has blocks, else all of it.
fn first_word(stmt: &Stmt) -> Span {
    match &stmt.kind {
        StmtKind::For(repeat) => repeat.keyword,
        StmtKind::Block { keyword, .. } => *keyword,
        StmtKind::If { branches, .. } => {
            branches.first().map_or(stmt.span, |branch| Span::new(stmt.span.start, branch.test.span.end))
        }
        StmtKind::While { test, .. } => Span::new(stmt.span.start, test.span.end),
        _ => stmt.span,
    }
}
