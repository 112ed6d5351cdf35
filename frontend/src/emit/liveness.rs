//! Which locals must be handed through each loop and `if`: those that are assigned inside and read later.
//!
//! One walk from the end of a function to its start. A loop's body is walked twice: once to see what an
//! iteration reads of the one before, once with that known. Inside the first kind of walk nested loops are
//! walked once, so that the work grows with the depth of nesting and not with its power.

use crate::typed::program::tree::{Copy, EdgeId, Expr, ExprKind, Function, Label, LocalId, Stmt, StmtKind};
use crate::typed::program::visit::{self, Visitor};
use fixedbitset::FixedBitSet;

/// A set of locals, by number.
type Locals = FixedBitSet;

/// Those in both, in order.
fn common(a: &Locals, b: &Locals) -> Vec<LocalId> {
    a.intersection(b).map(|local| LocalId(local as u32)).collect()
}

/// What lowering asks for.
#[derive(Debug)]
pub struct Liveness {
    joins: Vec<Vec<LocalId>>,
    edges: Vec<Vec<bool>>,
}

impl Liveness {
    /// The locals that a loop, scope or `if` hands on, in order.
    pub fn join(&self, label: Label) -> &[LocalId] {
        &self.joins[label.index()]
    }

    /// The conversions of an edge whose targets are read later.
    pub fn copies<'f>(&self, function: &'f Function, edge: EdgeId) -> Vec<&'f Copy> {
        let live = self.edges[edge.index()].iter();
        let copies = function.edges[edge.index()].iter().zip(live);
        copies.filter(|(_, live)| **live).map(|(copy, _)| copy).collect()
    }

    pub fn of(function: &Function) -> Self {
        let labels = function.labels as usize;
        let mut walk = Walk {
            function,
            result: Self { joins: vec![Vec::new(); labels], edges: vec![Vec::new(); function.edges.len()] },
            live: Locals::with_capacity(function.locals.len()),
            on_break: vec![Locals::new(); labels],
            on_continue: vec![Locals::new(); labels],
            collecting: false,
        };
        walk.block(&function.body);
        walk.result
    }
}

struct Walk<'f> {
    function: &'f Function,
    result: Liveness,
    /// What is read behind the place that is looked at.
    live: Locals,
    /// By label, of what is being left; an `if` is not.
    on_break: Vec<Locals>,
    on_continue: Vec<Locals>,
    /// In the first of a loop's two walks.
    collecting: bool,
}

/// From the last to the first.
impl Visitor for Walk<'_> {
    fn block(&mut self, block: &[Stmt]) {
        block.iter().rev().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Set(local, _) => self.live.remove(local.index()),
            StmtKind::If { label, cond, then, orelse } => {
                let mut assigned = self.assigned(then);
                assigned.union_with(&self.assigned(orelse));
                self.result.joins[label.index()] = common(&assigned, &self.live);
                let after = self.live.clone();
                self.block(then);
                let before = std::mem::replace(&mut self.live, after);
                self.block(orelse);
                self.live.union_with(&before);
                return self.expr(cond);
            }
            StmtKind::For { label, range, index, body, .. } => {
                self.repeat(*label, body, true);
                self.live.remove(index.index());
                return self.exprs(&range[..]);
            }
            StmtKind::Loop { label, body } => return self.repeat(*label, body, false),
            StmtKind::Scope { label, body } => {
                self.result.joins[label.index()] = common(&self.assigned(body), &self.live);
                self.on_break[label.index()] = self.live.clone();
            }
            StmtKind::Edge(edge) => self.edge(*edge),
            StmtKind::Break(label) => self.live = self.on_break[label.index()].clone(),
            StmtKind::Continue(label) => self.live = self.on_continue[label.index()].clone(),
            StmtKind::Return(_) | StmtKind::Raise { .. } => self.live.clear(),
            StmtKind::Eval(_) | StmtKind::Effect(..) => {}
        }
        visit::walk_stmt(self, stmt);
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().rev().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Local(local) => self.live.insert(local.index()),
            ExprKind::Checked { local, flag } => {
                self.live.insert(local.index());
                self.live.insert(flag.index());
            }
            ExprKind::If(parts) => self.exprs(&parts[..]),
            ExprKind::Seq(stmts, value) => {
                self.expr(value);
                self.block(stmts);
            }
            _ => visit::walk_expr(self, expr),
        }
    }
}

impl Walk<'_> {
    /// A loop; `ends`: it may end without a `break`.
    fn repeat(&mut self, label: Label, body: &[Stmt], ends: bool) {
        let after = self.live.clone();
        if !ends {
            self.live.clear();
        }
        let at_end = self.live.clone();
        let was_collecting = std::mem::replace(&mut self.collecting, true);
        self.on_break[label.index()] = after.clone();
        self.on_continue[label.index()] = at_end.clone();
        self.block(body);
        self.live.union_with(&at_end);
        self.collecting = was_collecting;
        if !self.collecting {
            let head = self.live.clone();
            self.on_continue[label.index()] = head.clone();
            self.block(body);
            self.live.union_with(&head);
        }
        let mut relevant = self.live.clone();
        relevant.union_with(&after);
        self.result.joins[label.index()] = common(&self.assigned(body), &relevant);
    }

    fn edge(&mut self, edge: EdgeId) {
        let copies = &self.function.edges[edge.index()];
        let mut needed = vec![false; copies.len()];
        for (index, copy) in copies.iter().enumerate().rev() {
            if self.live.contains(copy.target.index()) {
                needed[index] = true;
                self.live.remove(copy.target.index());
                copy.value.iter().for_each(|value| self.expr(value));
            }
        }
        self.result.edges[edge.index()] = needed;
    }

    fn assigned(&self, block: &[Stmt]) -> Locals {
        let set = Locals::with_capacity(self.function.locals.len());
        let mut assigned = Assigned { function: self.function, set };
        assigned.block(block);
        assigned.set
    }
}

/// What statements assign; what expressions assign is theirs alone.
struct Assigned<'f> {
    function: &'f Function,
    set: Locals,
}

impl Visitor for Assigned<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind {
            StmtKind::Set(local, _) => self.set.insert(local.index()),
            StmtKind::Edge(edge) => {
                let copies = &self.function.edges[edge.index()];
                copies.iter().for_each(|copy| self.set.insert(copy.target.index()));
            }
            _ => visit::walk_stmt(self, stmt),
        }
    }

    fn expr(&mut self, _: &Expr) {}
}
