//! Statements: structured control with values handed on explicitly.

use super::Emitter;
use crate::typed::program::tree::{Expr, Label, LocalId, Reduction, Stmt, StmtKind};
use pydd_ir::{OpKind, Parallel, Type};

impl Emitter<'_> {
    /// Lowers statements; whether the end is never reached.
    pub(super) fn block(&mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().any(|stmt| self.stmt(stmt))
    }

    /// Whether what follows is never reached.
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Set(local, value) => {
                let values = self.expr(value);
                self.set(*local, values);
                false
            }
            StmtKind::Eval(value) => {
                self.expr(value);
                false
            }
            StmtKind::Effect(kind, args) => {
                let args = self.all(args);
                self.at(stmt.span);
                self.effect(kind.clone(), args);
                false
            }
            StmtKind::If { label, cond, then, orelse } => self.branch(stmt, *label, cond, [then, orelse]),
            StmtKind::For { label, range, body, index, parallel } => {
                let mut args = self.all(range.as_slice());
                let joined = match parallel {
                    Some(reductions) => reductions.iter().map(|r| r.local).collect(),
                    None => self.live.join(*label).to_vec(),
                };
                args.extend(self.local_values(&joined));
                let mut params = vec![Type::I64];
                params.extend(self.local_types(&joined));
                let block = self.func.new_block();
                let values: Vec<_> = params.iter().map(|&ty| self.func.add_param(block, ty)).collect();
                self.open(*label, &joined, block, |e| {
                    e.set(*index, vec![values[0]]);
                    e.set_all(&joined, &values[1..]);
                    if !e.block(body) {
                        let next = e.local_values(&joined);
                        e.effect(OpKind::Continue(0), next);
                    }
                });
                self.at(stmt.span);
                let op = self.b().op(loop_kind(parallel.as_deref()), args, &params[1..], vec![block]);
                let results = self.func.ops[op].results.clone();
                self.set_all(&joined, &results);
                false
            }
            StmtKind::Loop { label, body } => self.forever(stmt, *label, body),
            StmtKind::Scope { label, body } => self.scope(stmt, *label, body),
            StmtKind::Edge(edge) => {
                for copy in self.live.copies(self.source, *edge) {
                    let values = match &copy.value {
                        Some(value) => self.expr(value),
                        None => {
                            let types = self.local_types(&[copy.target]);
                            types.into_iter().map(|ty| self.anything(ty)).collect()
                        }
                    };
                    self.set(copy.target, values);
                }
                false
            }
            StmtKind::Break(label) => {
                self.left[label.index()] = true;
                self.leave(*label, OpKind::Break(self.depth(*label)))
            }
            StmtKind::Continue(label) => self.leave(*label, OpKind::Continue(self.depth(*label))),
            StmtKind::Return(value) => {
                let values = value.as_ref().map(|v| self.expr(v)).unwrap_or_default();
                self.at(stmt.span);
                self.effect(OpKind::Return, values);
                true
            }
            StmtKind::Raise { exc, message, payload } => {
                let payload = self.all(payload);
                self.at(stmt.span);
                self.effect(OpKind::Raise { exc: *exc, message: message.clone() }, payload);
                true
            }
        }
    }

    fn branch(&mut self, stmt: &Stmt, label: Label, cond: &Expr, bodies: [&Vec<Stmt>; 2]) -> bool {
        let cond = self.one(cond);
        let joined = self.live.join(label).to_vec();
        let mut ended = true;
        let regions = bodies.map(|body| {
            let block = self.func.new_block();
            self.region(block, |e| {
                if !e.block(body) {
                    ended = false;
                    let values = e.local_values(&joined);
                    e.effect(OpKind::Yield, values);
                }
            });
            block
        });
        self.at(stmt.span);
        let types = if ended { vec![] } else { self.local_types(&joined) };
        let op = self.b().op(OpKind::If, vec![cond], &types, regions.to_vec());
        self.finish(op, &joined, ended)
    }

    fn forever(&mut self, stmt: &Stmt, label: Label, body: &[Stmt]) -> bool {
        let joined = self.live.join(label).to_vec();
        let init = self.local_values(&joined);
        let types = self.local_types(&joined);
        let block = self.func.new_block();
        let values: Vec<_> = types.iter().map(|&ty| self.func.add_param(block, ty)).collect();
        self.open(label, &joined, block, |e| {
            e.set_all(&joined, &values);
            if !e.block(body) {
                let next = e.local_values(&joined);
                e.effect(OpKind::Continue(0), next);
            }
        });
        self.at(stmt.span);
        let op = self.b().op(OpKind::Loop, init, &types, vec![block]);
        let ended = !self.left[label.index()];
        self.finish(op, &joined, ended)
    }

    fn scope(&mut self, stmt: &Stmt, label: Label, body: &[Stmt]) -> bool {
        let joined = self.live.join(label).to_vec();
        let types = self.local_types(&joined);
        let block = self.func.new_block();
        self.open(label, &joined, block, |e| {
            if !e.block(body) {
                e.left[label.index()] = true;
                let values = e.local_values(&joined);
                e.effect(OpKind::Break(0), values);
            }
        });
        self.at(stmt.span);
        let op = self.b().op(OpKind::Scope, vec![], &types, vec![block]);
        let ended = !self.left[label.index()];
        self.finish(op, &joined, ended)
    }

    /// Builds the region of a breakable operation.
    fn open(
        &mut self,
        label: Label,
        joined: &[LocalId],
        block: pydd_ir::Block,
        build: impl FnOnce(&mut Self),
    ) {
        self.joined[label.index()] = joined.to_vec();
        self.labels.push(label);
        self.region(block, build);
        self.labels.pop();
    }

    /// After an operation with regions: its results become the locals, or nothing follows.
    fn finish(&mut self, op: pydd_ir::Op, joined: &[LocalId], ended: bool) -> bool {
        if ended {
            self.effect(OpKind::Unreachable, vec![]);
            return true;
        }
        let results = self.func.ops[op].results.clone();
        self.set_all(joined, &results);
        false
    }

    fn leave(&mut self, label: Label, kind: OpKind) -> bool {
        let joined = self.joined[label.index()].clone();
        let values = self.local_values(&joined);
        self.effect(kind, values);
        true
    }

    fn depth(&self, label: Label) -> u32 {
        self.labels.iter().rev().position(|&l| l == label).unwrap_or(0) as u32
    }
}

fn loop_kind(parallel: Option<&[Reduction]>) -> OpKind {
    match parallel {
        Some(reductions) => OpKind::PFor(Parallel::new(reductions.iter().map(|r| r.op).collect())),
        None => OpKind::For,
    }
}
