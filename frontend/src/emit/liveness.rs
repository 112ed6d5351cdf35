//! Which locals must be handed through each loop and `if`: those that are assigned inside and read later.
//!
//! One walk from the end of a function to its start. A loop's body is walked twice: once to see what an
//! iteration reads of the one before, once with that known. Inside the first kind of walk nested loops are
//! walked once, so that the work grows with the depth of nesting and not with its power.

use crate::typed::program::tree::{Copy, EdgeId, Expr, ExprKind, Function, Label, LocalId, Stmt, StmtKind};

/// A set of locals.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Set(Vec<u64>);

impl Set {
    fn empty(locals: usize) -> Self {
        Self(vec![0; locals.div_ceil(64)])
    }

    fn insert(&mut self, local: LocalId) {
        self.0[local.index() / 64] |= 1 << (local.index() % 64);
    }

    fn remove(&mut self, local: LocalId) {
        self.0[local.index() / 64] &= !(1 << (local.index() % 64));
    }

    fn contains(&self, local: LocalId) -> bool {
        self.0[local.index() / 64] >> (local.index() % 64) & 1 == 1
    }

    fn union(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn common(&self, other: &Self) -> Vec<LocalId> {
        let words = self.0.iter().zip(&other.0).map(|(a, b)| a & b);
        let mut locals = Vec::new();
        for (index, mut word) in words.enumerate() {
            while word != 0 {
                locals.push(LocalId(index as u32 * 64 + word.trailing_zeros()));
                word &= word - 1;
            }
        }
        locals
    }
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
        let empty = Set::empty(function.locals.len());
        let labels = function.labels as usize;
        let mut walk = Walk {
            function,
            result: Self { joins: vec![Vec::new(); labels], edges: vec![Vec::new(); function.edges.len()] },
            on_break: vec![Set(Vec::new()); labels],
            on_continue: vec![Set(Vec::new()); labels],
            empty: empty.clone(),
            collecting: false,
        };
        walk.block(&function.body, &mut empty.clone());
        walk.result
    }
}

struct Walk<'f> {
    function: &'f Function,
    result: Liveness,
    /// By label, of what is being left; an `if` is not.
    on_break: Vec<Set>,
    on_continue: Vec<Set>,
    empty: Set,
    /// In the first of a loop's two walks.
    collecting: bool,
}

impl Walk<'_> {
    fn block(&mut self, block: &[Stmt], live: &mut Set) {
        for stmt in block.iter().rev() {
            self.stmt(stmt, live);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, live: &mut Set) {
        match &stmt.kind {
            StmtKind::Set(local, value) => {
                live.remove(*local);
                self.expr(value, live);
            }
            StmtKind::Eval(value) => self.expr(value, live),
            StmtKind::Effect(_, args) => self.exprs(args, live),
            StmtKind::If { label, cond, then, orelse } => {
                let mut assigned = self.assigned(then);
                assigned.union(&self.assigned(orelse));
                self.result.joins[label.index()] = assigned.common(live);
                let mut other = live.clone();
                self.block(then, live);
                self.block(orelse, &mut other);
                live.union(&other);
                self.expr(cond, live);
            }
            StmtKind::For { label, range, index, body, .. } => {
                self.repeat(*label, body, true, live);
                live.remove(*index);
                self.exprs(range.as_slice(), live);
            }
            StmtKind::Loop { label, body } => self.repeat(*label, body, false, live),
            StmtKind::Scope { label, body } => {
                self.result.joins[label.index()] = self.assigned(body).common(live);
                self.on_break[label.index()] = live.clone();
                self.block(body, live);
            }
            StmtKind::Edge(edge) => self.edge(*edge, live),
            StmtKind::Break(label) => *live = self.on_break[label.index()].clone(),
            StmtKind::Continue(label) => *live = self.on_continue[label.index()].clone(),
            StmtKind::Return(value) => {
                *live = self.empty.clone();
                value.iter().for_each(|value| self.expr(value, live));
            }
            StmtKind::Raise { payload, .. } => {
                *live = self.empty.clone();
                self.exprs(payload, live);
            }
        }
    }

    /// A loop; `ends`: it may end without a `break`.
    fn repeat(&mut self, label: Label, body: &[Stmt], ends: bool, live: &mut Set) {
        let after = std::mem::replace(live, self.empty.clone());
        let at_end = if ends { after.clone() } else { self.empty.clone() };
        let was_collecting = std::mem::replace(&mut self.collecting, true);
        self.on_break[label.index()] = after.clone();
        self.on_continue[label.index()] = at_end.clone();
        *live = at_end.clone();
        self.block(body, live);
        live.union(&at_end);
        self.collecting = was_collecting;
        if !self.collecting {
            let mut head = live.clone();
            self.on_continue[label.index()] = head.clone();
            self.block(body, live);
            head.union(live);
            *live = head;
        }
        let mut relevant = live.clone();
        relevant.union(&after);
        self.result.joins[label.index()] = self.assigned(body).common(&relevant);
    }

    fn edge(&mut self, edge: EdgeId, live: &mut Set) {
        let copies = &self.function.edges[edge.index()];
        let mut needed = vec![false; copies.len()];
        for (index, copy) in copies.iter().enumerate().rev() {
            if live.contains(copy.target) {
                needed[index] = true;
                live.remove(copy.target);
                copy.value.iter().for_each(|value| self.expr(value, live));
            }
        }
        self.result.edges[edge.index()] = needed;
    }

    fn exprs(&mut self, exprs: &[Expr], live: &mut Set) {
        for expr in exprs.iter().rev() {
            self.expr(expr, live);
        }
    }

    fn expr(&mut self, expr: &Expr, live: &mut Set) {
        match &expr.kind {
            ExprKind::Error
            | ExprKind::Static
            | ExprKind::Anything
            | ExprKind::Text(_)
            | ExprKind::Literal(_) => {}
            ExprKind::Local(local) => live.insert(*local),
            ExprKind::Checked { local, flag } => {
                live.insert(*local);
                live.insert(*flag);
            }
            ExprKind::Op(_, args) | ExprKind::Call(_, args) | ExprKind::Tuple(args) => self.exprs(args, live),
            ExprKind::If(parts) | ExprKind::Range(parts) => self.exprs(parts.as_slice(), live),
            ExprKind::Item(tuple, _) => self.expr(tuple, live),
            ExprKind::Seq(stmts, value) => {
                self.expr(value, live);
                self.block(stmts, live);
            }
        }
    }

    fn assigned(&self, block: &[Stmt]) -> Set {
        let mut set = self.empty.clone();
        self.add_assigned(block, &mut set);
        set
    }

    fn add_assigned(&self, block: &[Stmt], set: &mut Set) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Set(local, _) => set.insert(*local),
                StmtKind::If { then, orelse, .. } => {
                    self.add_assigned(then, set);
                    self.add_assigned(orelse, set);
                }
                StmtKind::For { body, .. } | StmtKind::Loop { body, .. } | StmtKind::Scope { body, .. } => {
                    self.add_assigned(body, set);
                }
                StmtKind::Edge(edge) => {
                    self.function.edges[edge.index()].iter().for_each(|copy| set.insert(copy.target));
                }
                _ => {}
            }
        }
    }
}
