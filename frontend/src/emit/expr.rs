//! Expressions.

use super::Emitter;
use crate::typed::program::tree::{Expr, ExprKind};
use pydd_ir::{Entity, Exc, FuncRef, Literal, OpKind, Type, Value};

impl Emitter<'_> {
    /// Evaluates an expression of one value.
    pub(super) fn one(&mut self, expr: &Expr) -> Value {
        let values = self.expr(expr);
        match values.first() {
            Some(&value) => value,
            None => self.anything(Type::I64),
        }
    }

    /// Evaluates expressions in order, tuples taken apart.
    pub(super) fn all(&mut self, exprs: &[Expr]) -> Vec<Value> {
        let mut values = Vec::with_capacity(exprs.len());
        for expr in exprs {
            values.extend(self.expr(expr));
        }
        values
    }

    /// The values that an expression's type flattens to.
    pub(super) fn expr(&mut self, expr: &Expr) -> Vec<Value> {
        match &expr.kind {
            ExprKind::Error | ExprKind::Static => vec![],
            ExprKind::Anything => expr.ty.flat().into_iter().map(|ty| self.anything(ty)).collect(),
            ExprKind::Text(text) => {
                let kind = OpKind::Const(Literal::Str(text.clone()));
                vec![self.b().value(kind, vec![], Type::Str)]
            }
            ExprKind::Literal(literal) => {
                self.at(expr.span);
                let ty = expr.ty.flat().first().copied().unwrap_or(Type::I64);
                vec![self.b().value(OpKind::Const(literal.clone()), vec![], ty)]
            }
            ExprKind::Local(local) => self.local_values(&[*local]),
            ExprKind::Checked { local, flag } => {
                self.at(expr.span);
                let bound = self.local_values(&[*flag]);
                let name = &self.source.locals[local.index()].name;
                let message =
                    format!("cannot access local variable '{name}' where it is not associated with a value");
                self.b().check(bound[0], Exc::UnboundLocalError, &message, &[]);
                self.local_values(&[*local])
            }
            ExprKind::Op(kind, args) => self.op(expr, kind, args),
            ExprKind::If(parts) => self.choice(expr, parts),
            ExprKind::Call(function, args) => {
                let args = self.all(args);
                self.at(expr.span);
                let types = expr.ty.flat();
                let call = OpKind::Call(FuncRef::new(function.index()));
                let op = self.b().op(call, args, &types, vec![]);
                self.func.ops[op].results.clone()
            }
            ExprKind::Tuple(items) => self.all(items),
            ExprKind::Range(parts) => self.all(parts.as_slice()),
            ExprKind::Item(tuple, index) => self.item(tuple, *index),
            ExprKind::Seq(stmts, value) => {
                self.block(stmts);
                self.expr(value)
            }
        }
    }

    fn op(&mut self, expr: &Expr, kind: &OpKind, args: &[Expr]) -> Vec<Value> {
        let args = self.all(args);
        self.at(expr.span);
        let types = expr.ty.flat();
        let op = self.b().op(kind.clone(), args, &types, vec![]);
        self.func.ops[op].results.clone()
    }

    fn choice(&mut self, expr: &Expr, [cond, then, orelse]: &[Expr; 3]) -> Vec<Value> {
        let cond = self.one(cond);
        let types = expr.ty.flat();
        let regions = [then, orelse].map(|branch| {
            let block = self.func.new_block();
            self.region(block, |e| {
                let values = e.expr(branch);
                e.effect(OpKind::Yield, values);
            });
            block
        });
        self.at(expr.span);
        let op = self.b().op(OpKind::If, vec![cond], &types, regions.to_vec());
        self.func.ops[op].results.clone()
    }

    fn item(&mut self, tuple: &Expr, index: u32) -> Vec<Value> {
        let values = self.expr(tuple);
        let Some(types) = tuple.ty.parts() else { return values };
        let counts: Vec<usize> = types.iter().map(|ty| ty.flat().len()).collect();
        let index = index as usize;
        let start: usize = counts[..index].iter().sum();
        values[start..start + counts[index]].to_vec()
    }
}
