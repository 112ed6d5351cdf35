//! The rank that the uses of a parameter imply, where its annotation gives none: how many indices it takes,
//! which axes are asked for, how deep it is iterated over, what it is passed to.

use super::annotation::{self, Annotation};
use super::ty::Ty;
use crate::syntax::ast::{Expr, ExprKind, FunctionDef, Stmt, StmtKind, UnaryOp};
use crate::syntax::visit;
use crate::typed::containers::list_ops::is_starred;
use crate::typed::program::unit::{Global, Unit};
use pydd_ir::catalogue::{self, Algebra, Shape, Space};

/// Functions that pass a parameter on are followed this far.
const MAX_DEPTH: usize = 8;

/// The rank that the uses of `name` in `def` imply.
pub fn implied(def: &FunctionDef, name: &str, unit: &Unit) -> Option<u8> {
    let mut uses = Uses { unit, exact: None, least: 0, depth: 0 };
    uses.body(&def.body, name);
    let rank = uses.exact.or((uses.least > 0).then_some(uses.least))?;
    u8::try_from(rank).ok()
}

struct Uses<'u> {
    unit: &'u Unit,
    /// `a, b = x.shape` and the like leave no doubt.
    exact: Option<usize>,
    /// At least so many dimensions are used.
    least: usize,
    depth: usize,
}

impl Uses<'_> {
    fn body(&mut self, body: &[Stmt], name: &str) {
        visit::walk_stmts(body, &mut |stmt| {
            self.stmt(stmt, name);
            for expr in visit::exprs(stmt) {
                visit::walk_expr(expr, &mut |expr| self.expr(expr, name));
            }
        });
    }

    fn at_least(&mut self, rank: usize) {
        self.least = self.least.max(rank);
    }

    fn stmt(&mut self, stmt: &Stmt, name: &str) {
        match &stmt.kind {
            StmtKind::Assign { targets, value, .. } => {
                if let [Expr { kind: ExprKind::Tuple(items), .. }] = targets.as_slice()
                    && !items.iter().any(is_starred)
                    && self.is_shape_of(value, name)
                {
                    self.exact = Some(items.len());
                }
            }
            StmtKind::For(for_) if is_name(&for_.iter, name) => {
                self.at_least(1);
                if let ExprKind::Name(item) = &for_.target.kind
                    && item != name
                {
                    let mut inner = Uses { unit: self.unit, exact: None, least: 0, depth: self.depth };
                    inner.body(&for_.body, item);
                    let inner = inner.exact.unwrap_or(inner.least);
                    self.at_least(1 + inner);
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr, name: &str) {
        match &expr.kind {
            ExprKind::Subscript { value, indices, .. } => {
                if let Some(used) = indexed(value, name) {
                    self.at_least(used + consumed(indices));
                }
                if self.is_shape_of(value, name)
                    && let Some(axis) = indices.first().and_then(axis_number)
                {
                    self.at_least(axis);
                }
            }
            ExprKind::Call { func, args, .. } => self.call(func, args, name),
            _ => {}
        }
    }

    fn call(&mut self, func: &Expr, args: &[Expr], name: &str) {
        if self.shape_function(func) && args.first().is_some_and(|a| is_name(a, name)) {
            if let Some(axis) = args.get(1).and_then(axis_number) {
                self.at_least(axis);
            }
            return;
        }
        let ExprKind::Name(callee) = &func.kind else { return };
        let Some(Global::Function(at)) = self.unit.global(callee) else { return };
        let Some(def) = self.unit.function(at) else { return };
        let Some(position) = args.iter().position(|a| is_name(a, name)) else { return };
        if let Some(rank) = self.parameter_rank(def, position) {
            self.exact = Some(rank);
        }
    }

    /// The rank that a function wants of its parameter.
    fn parameter_rank(&self, def: &FunctionDef, position: usize) -> Option<usize> {
        let param = def.params.get(position)?;
        let written = def.params[position..].iter().find_map(|p| p.annotation.as_ref());
        match written.map(|written| annotation::read(written, self.unit)) {
            // Those of a parameter that may be None are of the array that it else is.
            Some(Ok(allowed)) => {
                match *allowed.iter().filter(|a| **a != Annotation::Type(Ty::None)).collect::<Vec<_>>() {
                    [Annotation::Type(Ty::Array { rank, .. })] => return Some(usize::from(*rank)),
                    [Annotation::Unranked(_)] => {}
                    _ => return None,
                }
            }
            Some(Err(_)) => return None,
            None => {}
        }
        if self.depth >= MAX_DEPTH {
            return None;
        }
        let mut inner = Uses { unit: self.unit, exact: None, least: 0, depth: self.depth + 1 };
        inner.body(&def.body, &param.name.name);
        inner.exact.or((inner.least > 0).then_some(inner.least))
    }

    /// `x.shape`, `shape(x)`.
    fn is_shape_of(&self, expr: &Expr, name: &str) -> bool {
        match &expr.kind {
            ExprKind::Attribute { value, attr } => {
                let found = catalogue::find(Space::Attribute, &attr.name);
                is_name(value, name) && found.is_some_and(|f| f.entry.algebra == Algebra::Shape(Shape::Shape))
            }
            ExprKind::Call { func, args, .. } => {
                args.len() == 1 && is_name(&args[0], name) && self.shape_function(func)
            }
            _ => false,
        }
    }

    fn shape_function(&self, func: &Expr) -> bool {
        let found = match &func.kind {
            ExprKind::Name(name) => match self.unit.global(name) {
                Some(Global::Library(found)) => Some(found),
                _ => None,
            },
            ExprKind::Attribute { attr, .. } => catalogue::find(Space::Numpy, &attr.name),
            _ => None,
        };
        found.is_some_and(|f| matches!(f.entry.algebra, Algebra::Shape(Shape::Shape | Shape::Size)))
    }
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(own) if own == name)
}

/// How many dimensions a chain of subscripts of `name` has used: `x` 0, `x[i]` 1, `x[i, j]` 2.
fn indexed(expr: &Expr, name: &str) -> Option<usize> {
    match &expr.kind {
        ExprKind::Name(own) => (own == name).then_some(0),
        ExprKind::Subscript { value, indices, .. } => {
            let slices = indices.iter().filter(|i| matches!(i.kind, ExprKind::Slice { .. })).count();
            Some(indexed(value, name)? + consumed(indices) - slices)
        }
        _ => None,
    }
}

fn consumed(indices: &[Expr]) -> usize {
    indices.iter().filter(|i| !matches!(i.kind, ExprKind::None | ExprKind::Ellipsis)).count()
}

/// How many axes there must be for this one to exist.
fn axis_number(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Int(axis) => usize::try_from(*axis).ok()?.checked_add(1).filter(|&n| n <= 16),
        ExprKind::Unary { op: UnaryOp::Neg, operand } => match operand.kind {
            ExprKind::Int(axis) => usize::try_from(axis).ok().filter(|&n| n <= 16),
            _ => None,
        },
        _ => None,
    }
}
