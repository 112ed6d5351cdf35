//! `--emit=tokens` and `--emit=ast`: text for people.
//!
//! A statement is a line with its position; what it holds is indented below. Expressions are written with the
//! operator first and each operation in parentheses, so that it shows what binds to what.

use super::ast::{Expr, ExprKind, FunctionDef, ImportName, Module, Stmt, StmtKind};
use super::chunks::chunks;
use super::recover::lex_chunk;
use super::scan::scan;
use super::sizes::text_of;
use super::tokens::Mark;
use super::types::{Passing, TypeExpr, TypeExprKind};
use crate::diagnostics::Diagnostics;
use crate::source::{LineColumn, SourceFile, Span};
use crate::stack::on_big_stack;
use pydd_ir::Literal;
use std::fmt::{self, Display, Write};

/// The tokens, one a line: position, kind, text, and the mark of words that the parser sees as others.
pub fn dump_tokens(source: &SourceFile, sink: &mut Diagnostics) -> String {
    if !super::is_readable(source, sink) {
        return String::new();
    }
    let scan = scan(source.text(), sink);
    let mut text = String::new();
    let mut cursor = Cursor::new(source);
    for chunk in chunks(&scan) {
        let (tokens, error) = lex_chunk(&scan, &chunk);
        for token in &tokens.list {
            let mark = match tokens.marks.get(&token.span.start).filter(|_| !token.span.is_empty()) {
                Some(Mark::Pfor) => "  # pfor",
                Some(Mark::Block(kind)) => &format!("  # {}:", kind.keyword()),
                None => "",
            };
            let kind = format!("{:?}", token.tok);
            let kind = kind.split([' ', '{', '(']).next().unwrap_or("");
            let shown = source.slice(token.span).escape_debug();
            let _ = writeln!(text, "{} {kind} {shown}{mark}", cursor.at(token.span));
        }
        if let Some(error) = error {
            let at = Span::at(error.location.into());
            let _ = writeln!(text, "{} error: {}", cursor.at(at), error.error);
        }
    }
    text
}

/// The tree.
pub fn dump_ast(source: &SourceFile, module: &Module) -> String {
    on_big_stack(|| {
        let mut dump = Dump { at: Cursor::new(source), text: String::new(), depth: 0 };
        if let Some(docstring) = &module.docstring {
            dump.line(Span::at(0), format_args!("docstring {docstring:?}"));
        }
        dump.block(&module.body);
        dump.text
    })
}

/// Positions in the order of the source, without counting a long line from its start each time.
struct Cursor<'a> {
    source: &'a SourceFile,
    offset: u32,
    at: LineColumn,
}

impl<'a> Cursor<'a> {
    fn new(source: &'a SourceFile) -> Self {
        Self { source, offset: 0, at: LineColumn { line: 1, column: 1 } }
    }

    fn at(&mut self, span: Span) -> String {
        let line = self.source.line_span(self.at.line);
        let ahead = self.offset <= span.start && span.start < line.end;
        self.at = if ahead {
            let between = self.source.slice(Span::new(self.offset, span.start)).chars().count();
            LineColumn { column: self.at.column + between as u32, ..self.at }
        } else {
            self.source.line_column(span.start)
        };
        self.offset = span.start;
        format!("{}:{}", self.at.line, self.at.column)
    }
}

struct Dump<'a> {
    at: Cursor<'a>,
    text: String,
    depth: usize,
}

impl Dump<'_> {
    fn line(&mut self, span: Span, content: impl Display) {
        let indent = 2 * self.depth;
        let at = self.at.at(span);
        let _ = writeln!(self.text, "{:indent$}{at} {content}", "");
    }

    fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn nested(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        self.block(stmts);
        self.depth -= 1;
    }

    fn orelse(&mut self, stmts: &[Stmt]) {
        if let Some(first) = stmts.first() {
            self.line(first.span, "else");
            self.nested(stmts);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::FunctionDef(function) => self.function(function),
            StmtKind::If { branches, orelse } => {
                for (index, branch) in branches.iter().enumerate() {
                    let word = if index == 0 { "if" } else { "elif" };
                    self.line(branch.span, format_args!("{word} {}", branch.test));
                    self.nested(&branch.body);
                }
                self.orelse(orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.line(span, format_args!("while {test}"));
                self.nested(body);
                self.orelse(orelse);
            }
            StmtKind::For(repeat) => {
                let word = if repeat.parallel { "pfor" } else { "for" };
                let annotation = Annotation(repeat.annotation.as_ref());
                self.line(span, format_args!("{word} {}{annotation} in {}", repeat.target, repeat.iter));
                self.nested(&repeat.body);
                self.orelse(&repeat.orelse);
            }
            StmtKind::Block { kind, body, .. } => {
                self.line(span, kind.keyword());
                self.nested(body);
            }
            simple => self.line(span, Simple(simple)),
        }
    }

    fn function(&mut self, function: &FunctionDef) {
        let mut header = format!("def {}(", function.name.name);
        for (index, param) in function.params.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let _ = write!(header, "{comma}{}{}", param.name.name, Annotation(param.annotation.as_ref()));
            if let Some(default) = &param.default {
                let _ = write!(header, " = {default}");
            }
        }
        header.push(')');
        if let Some(returns) = &function.returns {
            let _ = write!(header, " -> {returns}");
        }
        if function.has_errors {
            header.push_str("  # has errors");
        }
        self.line(function.span, header);
        self.nested(&function.body);
    }
}

struct Annotation<'a>(Option<&'a TypeExpr>);

impl Display for Annotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |annotation| write!(f, ": {annotation}"))
    }
}

/// A statement without blocks.
struct Simple<'a>(&'a StmtKind);

impl Display for Simple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            StmtKind::Alias { name, value, .. } => write!(f, "type {} = {value}", name.name),
            StmtKind::Class { name, base, .. } => write!(f, "class {}({})", name.name, base.name),
            StmtKind::Import(names) => write!(f, "import {}", Names(names)),
            StmtKind::ImportFrom { module, star: true, .. } => write!(f, "from {} import *", module.name),
            StmtKind::ImportFrom { module, names, .. } => {
                write!(f, "from {} import {}", module.name, Names(names))
            }
            StmtKind::Assign { targets, value, annotation } => {
                for target in targets {
                    write!(f, "{target}{} = ", Annotation(annotation.as_ref()))?;
                }
                write!(f, "{value}")
            }
            StmtKind::Declare { target, annotation, value } => {
                write!(f, "{target}: {annotation}")?;
                value.as_ref().map_or(Ok(()), |value| write!(f, " = {value}"))
            }
            StmtKind::AugAssign { target, op, value } => write!(f, "{target} {}= {value}", op.symbol()),
            StmtKind::Expr(value) => write!(f, "expr {value}"),
            StmtKind::Delete(targets) => write!(f, "del{}", List(targets)),
            StmtKind::Return(None) => write!(f, "return"),
            StmtKind::Return(Some(value)) => write!(f, "return {value}"),
            StmtKind::Assert { test, message: None } => write!(f, "assert {test}"),
            StmtKind::Assert { test, message: Some(message) } => write!(f, "assert {test} {message}"),
            StmtKind::Raise(exception) => write!(f, "raise {exception}"),
            StmtKind::Break => write!(f, "break"),
            StmtKind::Continue => write!(f, "continue"),
            StmtKind::Pass => write!(f, "pass"),
            _ => write!(f, "error"),
        }
    }
}

struct Names<'a>(&'a [ImportName]);

impl Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { ", " }, name.path.name)?;
            if let Some(alias) = &name.alias {
                write!(f, " as {alias}")?;
            }
        }
        Ok(())
    }
}

/// Expressions, each after a space.
struct List<'a>(&'a [Expr]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|item| write!(f, " {item}"))
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Name(name) => write!(f, "{name}"),
            ExprKind::Item(0) => write!(f, "item of map"),
            ExprKind::Item(at) => write!(f, "item of map {at}"),
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Float(value) => write!(f, "{value:?}"),
            ExprKind::Imaginary(value) => write!(f, "{value:?}j"),
            ExprKind::Bool(value) => write!(f, "{}", if *value { "True" } else { "False" }),
            ExprKind::Str(text) => write!(f, "{text:?}"),
            ExprKind::Format { values, .. } => write!(f, "(format{})", List(values)),
            ExprKind::None => write!(f, "None"),
            ExprKind::Ellipsis => write!(f, "..."),
            ExprKind::Unary { op, operand } => write!(f, "({} {operand})", op.symbol()),
            ExprKind::Binary { op, left, right } => write!(f, "({} {left} {right})", op.symbol()),
            ExprKind::Logical { op, values } => write!(f, "({}{})", op.symbol(), List(values)),
            ExprKind::Compare { first, rest } => {
                write!(f, "(compare {first}")?;
                rest.iter().try_for_each(|(op, operand)| write!(f, " {} {operand}", op.symbol()))?;
                write!(f, ")")
            }
            ExprKind::Conditional { test, then, orelse } => write!(f, "(if {test} {then} {orelse})"),
            ExprKind::Call { func, args, keywords } => {
                write!(f, "(call {func}{}", List(args))?;
                keywords.iter().try_for_each(|item| write!(f, " {}={}", item.name.name, item.value))?;
                write!(f, ")")
            }
            ExprKind::Attribute { value, attr } => write!(f, "{value}.{}", attr.name),
            ExprKind::Subscript { value, indices, tuple } => {
                write!(
                    f,
                    "(index {value}{}{})",
                    List(indices),
                    if *tuple && indices.len() < 2 { "," } else { "" }
                )
            }
            ExprKind::Slice { lower, upper, step } => {
                write!(f, "(slice {} {} {})", Part(lower), Part(upper), Part(step))
            }
            ExprKind::Tuple(items) => write!(f, "(tuple{})", List(items)),
            ExprKind::List(items) => write!(f, "[list{}]", List(items)),
            ExprKind::Set(items) => write!(f, "{{set{}}}", List(items)),
            ExprKind::Dict(items) => {
                write!(f, "{{dict")?;
                items.iter().try_for_each(|(key, value)| write!(f, " {key}: {value}"))?;
                write!(f, "}}")
            }
            ExprKind::Comprehension { kind, element, clauses } => {
                write!(f, "({kind:?} {element}")?;
                for clause in clauses {
                    write!(f, " for {} in {}", clause.target, clause.iter)?;
                    clause.conditions.iter().try_for_each(|test| write!(f, " if {test}"))?;
                }
                write!(f, ")")
            }
            ExprKind::Starred(value) => write!(f, "(* {value})"),
            ExprKind::Lambda { params, body } => {
                write!(f, "(lambda (")?;
                params.iter().try_for_each(|param| write!(f, " {}", param.name))?;
                write!(f, " ) {body})")
            }
            ExprKind::Error => write!(f, "<error>"),
        }
    }
}

/// A part of a slice, `_` where it is left out.
struct Part<'a>(&'a Option<Box<Expr>>);

impl Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(part) => write!(f, "{part}"),
            None => write!(f, "_"),
        }
    }
}

impl Display for Passing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [(self.cast, "cast"), (self.column_major, "column-major")];
        let words: Vec<&str> = words.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
        write!(f, "{}", words.join(" "))
    }
}

impl Display for TypeExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TypeExprKind::Name(name) => write!(f, "{name}"),
            TypeExprKind::Apply { name, args } => write!(f, "{}({})", name.name, Joined(args, ", ")),
            TypeExprKind::Int(value) => write!(f, "{value}"),
            TypeExprKind::Union(members) => write!(f, "{}", Joined(members, " | ")),
            TypeExprKind::None => write!(f, "None"),
            TypeExprKind::Values(values) => write!(f, "Literal({})", Values(values)),
            TypeExprKind::Passed { array, how } => write!(f, "{how} {array}"),
            TypeExprKind::Sized { array, sizes, .. } => write!(f, "{array} of {:?}", text_of(sizes)),
            TypeExprKind::Tuple(items) => write!(f, "({})", Joined(items, ", ")),
            TypeExprKind::Error => write!(f, "<error>"),
        }
    }
}

struct Values<'a>(&'a [Option<Literal>]);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.0.iter().map(|value| value.as_ref().map_or("None".to_owned(), Literal::python));
        f.write_str(&values.collect::<Vec<_>>().join(", "))
    }
}

struct Joined<'a>(&'a [TypeExpr], &'a str);

impl Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if index == 0 { "" } else { self.1 })?;
        }
        Ok(())
    }
}
