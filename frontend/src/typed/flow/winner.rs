//! `if x > best: best = x; arg = i` and its like in the body of a `pfor`: a least or greatest value, and what came along
//! with it.
//!
//! The comparison is strict, so the first of equal values wins, and NaN never does. Parts of the loop that start from the
//! values of before it are combined in their order by the same comparison.

use crate::source::Span;
use crate::syntax::ast::{CompareOp, Expr, ExprKind, LogicalOp, Stmt, StmtKind};
use crate::syntax::visit;
use std::collections::{BTreeMap, BTreeSet};

use super::pfor::{mentions, mentions_in, same};

/// Variables that are assigned together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Winner<'a> {
    /// The least or greatest value.
    pub value: &'a str,
    pub is_greatest: bool,
    pub with: BTreeSet<&'a str>,
    /// The last statement that does so.
    pub at: Span,
}

impl<'a> Winner<'a> {
    fn is_alike(&self, other: &Self) -> bool {
        (self.is_greatest, &self.with) == (other.is_greatest, &other.with)
    }

    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        std::iter::once(self.value).chain(self.with.iter().copied())
    }
}

/// What a body does so, and uses in no other way.
pub fn winners(body: &[Stmt]) -> Vec<Winner<'_>> {
    let mut all: BTreeMap<&str, Vec<Winner<'_>>> = BTreeMap::new();
    visit::walk_stmts(body, &mut |stmt| {
        if let Some(winner) = winner(stmt) {
            all.entry(winner.value).or_default().push(winner);
        }
    });
    let used = |name: &str| {
        let mut count = 0;
        visit::walk_stmts(body, &mut |stmt| count += mentions_in(stmt, name));
        count
    };
    all.retain(|value, found| {
        let (first, count) = (&found[0], found.len());
        // The value stands in the comparison and in the assignment.
        found.iter().all(|other| other.is_alike(first))
            && used(value) == 2 * count
            && first.with.iter().all(|name| used(name) == count)
    });
    all.into_values().filter_map(|mut found| found.pop()).collect()
}

fn winner(stmt: &Stmt) -> Option<Winner<'_>> {
    let StmtKind::If { branches, orelse } = &stmt.kind else { return None };
    let ([branch], []) = (branches.as_slice(), orelse.as_slice()) else { return None };
    let mut assigned = Vec::new();
    for stmt in &branch.body {
        assignments(stmt, &mut assigned)?;
    }
    let names: BTreeSet<&str> = assigned.iter().map(|(name, _)| *name).collect();
    let is_free = |expr: &Expr| names.iter().all(|name| mentions(expr, name) == 0);
    let once = names.len() == assigned.len() && assigned.iter().all(|(_, value)| is_free(value));
    let comparison = match &branch.test.kind {
        ExprKind::Logical { op: LogicalOp::And, values } => {
            let mut about: Vec<&Expr> = values.iter().filter(|value| !is_free(value)).collect();
            about.pop().filter(|_| about.is_empty())?
        }
        _ => &branch.test,
    };
    let ExprKind::Compare { first, rest } = &comparison.kind else { return None };
    let [(op, second)] = rest.as_slice() else { return None };
    let (best, candidate, is_greatest) = match (&first.kind, &second.kind, op) {
        (ExprKind::Name(name), _, CompareOp::Lt) if names.contains(name.as_str()) => (name, second, true),
        (ExprKind::Name(name), _, CompareOp::Gt) if names.contains(name.as_str()) => (name, second, false),
        (_, ExprKind::Name(name), CompareOp::Gt) => (name, &**first, true),
        (_, ExprKind::Name(name), CompareOp::Lt) => (name, &**first, false),
        _ => return None,
    };
    let fits = |(name, value): &(&str, &Expr)| name == best && same(value, candidate);
    (once && is_free(candidate) && assigned.iter().any(fits)).then(|| {
        let with = names.into_iter().filter(|name| name != best).collect();
        Winner { value: best, is_greatest, with, at: stmt.span }
    })
}

/// `name = value`, or several at once.
fn assignments<'a>(stmt: &'a Stmt, found: &mut Vec<(&'a str, &'a Expr)>) -> Option<()> {
    let StmtKind::Assign { targets, value, .. } = &stmt.kind else { return None };
    let [target] = targets.as_slice() else { return None };
    match (&target.kind, &value.kind) {
        (ExprKind::Name(name), _) => found.push((name, value)),
        (ExprKind::Tuple(names), ExprKind::Tuple(values)) if names.len() == values.len() => {
            for (name, value) in names.iter().zip(values) {
                let ExprKind::Name(name) = &name.kind else { return None };
                found.push((name, value));
            }
        }
        _ => return None,
    }
    Some(())
}
