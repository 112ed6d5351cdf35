//! The typed program as text, for `--emit=types`: each function with its parameters, variables and calls.

use super::tree::{Copy, Export, Expr, ExprKind, Function, Program, Stmt, StmtKind};
use crate::typed::types::ty::Ty;
use pydd_ir::Message;
use std::fmt::Write;

/// The program as text.
pub fn dump(program: &Program) -> String {
    let mut text = String::new();
    for (index, function) in program.functions.iter().enumerate() {
        let export = program.exports.iter().find(|e| e.function.index() == index);
        Dumper { program, function, text: &mut text, indent: 1 }.function(export);
    }
    text
}

struct Dumper<'a> {
    program: &'a Program,
    function: &'a Function,
    text: &'a mut String,
    indent: usize,
}

impl Dumper<'_> {
    fn function(&mut self, export: Option<&Export>) {
        let function = self.function;
        let params: Vec<String> =
            function.params.iter().map(|&p| self.parameter(p.index(), export)).collect();
        let word = if export.is_some() { "export def" } else { "def" };
        let _ =
            writeln!(self.text, "{word} {}({}) -> {}:", function.name, params.join(", "), function.result);
        self.block(&function.body);
        self.text.push('\n');
    }

    /// A parameter, with the lengths that its annotation names: `x: Array(float64, 2, "m k")`.
    fn parameter(&self, local: usize, export: Option<&Export>) -> String {
        let declaration = self.declaration(local);
        let mut params = export.iter().flat_map(|export| &export.params);
        let param = params.find(|param| param.name == self.function.locals[local].name);
        match param.filter(|param| !param.sizes.is_empty()) {
            Some(param) => format!("{}, {:?})", declaration.trim_end_matches(')'), param.sizes),
            None => declaration,
        }
    }

    fn declaration(&self, local: usize) -> String {
        format!("{}: {}", self.local(local), self.function.locals[local].ty)
    }

    fn local(&self, local: usize) -> String {
        let name = &self.function.locals[local].name;
        let same = self.function.locals[..local].iter().filter(|l| l.name == *name).count();
        if same == 0 { name.clone() } else { format!("{name}.{same}") }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(self.indent));
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn nested(&mut self, block: &[Stmt]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(local, value) => {
                let line = format!("{} = {}", self.declaration(local.index()), self.expr(value));
                self.line(&line);
            }
            StmtKind::Eval(value) => {
                let line = self.expr(value);
                self.line(&line);
            }
            StmtKind::Effect(kind, args) => {
                let line = self.operation(&format!("{kind:?}"), args);
                self.line(&line);
            }
            StmtKind::If { cond, then, orelse, .. } => {
                let line = format!("if {}:", self.expr(cond));
                self.line(&line);
                self.nested(then);
                self.line("else:");
                self.nested(orelse);
            }
            StmtKind::For { range, index, body, parallel, label } => {
                let word = if parallel.is_some() { "pfor" } else { "for" };
                let range: Vec<String> = range.iter().map(|part| self.expr(part)).collect();
                let index = self.local(index.index());
                let line = format!("{word} {index} in range({}):  # loop {}", range.join(", "), label.0);
                self.line(&line);
                for reduction in parallel.iter().flatten() {
                    let line =
                        format!("    # {} by {}", self.local(reduction.local.index()), reduction.op.name());
                    self.line(&line);
                }
                self.nested(body);
            }
            StmtKind::Loop { body, label } => {
                self.line(&format!("loop:  # loop {}", label.0));
                self.nested(body);
            }
            StmtKind::Scope { body, label } => {
                self.line(&format!("once:  # loop {}", label.0));
                self.nested(body);
            }
            StmtKind::Edge(edge) => {
                // Loops whose variables do not settle are given up, with their edges.
                let copies = self.function.edges.get(edge.index());
                for Copy { target, value } in copies.into_iter().flatten() {
                    let value = value.as_ref().map_or_else(|| "unbound".to_owned(), |v| self.expr(v));
                    let line = format!("{} := {value}", self.declaration(target.index()));
                    self.line(&line);
                }
            }
            StmtKind::Break(label) => self.line(&format!("break {}", label.0)),
            StmtKind::Continue(label) => self.line(&format!("continue {}", label.0)),
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|v| self.expr(v)).unwrap_or_default();
                self.line(&format!("return {value}"));
            }
            StmtKind::Raise { exc, message, .. } => {
                self.line(&format!("raise {}({:?})", exc, message.as_ref().map_or("", Message::template)));
            }
        }
    }

    fn operation(&self, name: &str, args: &[Expr]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
        format!("{name}({})", args.join(", "))
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Error => "error".to_owned(),
            ExprKind::Anything => "anything".to_owned(),
            ExprKind::Static => expr.ty.to_string(),
            ExprKind::Text(text) => format!("{text:?}"),
            ExprKind::Literal(literal) => literal_text(literal, &expr.ty),
            ExprKind::Local(local) => self.local(local.index()),
            ExprKind::Checked { local, .. } => format!("{}?", self.local(local.index())),
            ExprKind::Op(kind, args) => self.operation(&operation_name(kind, &expr.ty), args),
            ExprKind::If(parts) => {
                let [cond, then, orelse] = parts.each_ref().map(|part| self.expr(part));
                format!("({then} if {cond} else {orelse})")
            }
            ExprKind::Call(id, args) => {
                let name = self.program.functions.get(id.index()).map_or("?", |f| f.name.as_str());
                self.operation(name, args)
            }
            ExprKind::Tuple(items) => self.operation("", items),
            ExprKind::Range(parts) => self.operation("range", parts.as_slice()),
            ExprKind::Item(tuple, index) => format!("{}.{index}", self.expr(tuple)),
            ExprKind::Seq(stmts, value) => {
                let mut text = String::new();
                let mut inner =
                    Dumper { program: self.program, function: self.function, text: &mut text, indent: 0 };
                inner.block(stmts);
                let lines: Vec<&str> = text.lines().map(str::trim).collect();
                format!("{{{}; {}}}", lines.join("; "), self.expr(value))
            }
        }
    }
}

fn operation_name(kind: &pydd_ir::OpKind, ty: &Ty) -> String {
    match kind {
        pydd_ir::OpKind::Elem(op) => op.name().to_owned(),
        pydd_ir::OpKind::Cast => ty.to_string(),
        other => format!("{other:?}"),
    }
}

fn literal_text(literal: &pydd_ir::Literal, ty: &Ty) -> String {
    use pydd_ir::Literal;
    let plain = match literal {
        Literal::Bool(value) => (if *value { "True" } else { "False" }).to_owned(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
        Literal::Complex(re, im) => format!("complex({:?}, {:?})", f64::from_bits(*re), f64::from_bits(*im)),
        Literal::Str(text) => format!("{text:?}"),
    };
    match ty {
        Ty::Scalar(num) if !num.weak => format!("{}({plain})", num.name()),
        _ => plain,
    }
}
