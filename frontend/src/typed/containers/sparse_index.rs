//! Sparse matrices by indices. What each of the two indices takes is handed to the prelude in the form that
//! `prelude/sparse_index.pydd` describes.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::expressions::index::Index;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::Expr;
use crate::typed::types::ty::Ty;
use pydd_ir::catalogue;

const FILE: &str = "sparse_index";

/// An index of a matrix.
enum Part {
    Plain(Index),
    /// Positions of which each is taken with each of the other axis: `rows[:, None]`, an argument of `np.ix_`.
    Outer(Index),
}

/// What an index takes of an axis.
struct Taken {
    /// As the prelude takes it.
    value: Expr,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    One,
    Slice { stepped: bool },
    Several { outer: bool },
}

impl Infer<'_, '_> {
    /// `A[i, j]`: an element, zero where none is stored; or a new matrix of rows and columns.
    pub(in crate::typed) fn sparse_subscript(
        &mut self,
        base: Expr,
        indices: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let mut result = Expr::error(span);
        let before = self.block(|s| {
            if let Some([row, column]) = s.sparse_indices(&base, indices, span) {
                result = match (row, column) {
                    (Part::Plain(Index::At(row)), Part::Plain(Index::At(column))) => {
                        s.prelude_call("sparse", "element", vec![base, row, column], span)
                    }
                    (row, column) => s.sparse_selected(base, row, column, span),
                };
            }
        });
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// The indices of the rows and of the columns.
    fn sparse_indices(&mut self, base: &Expr, indices: &[ast::Expr], span: Span) -> Option<[Part; 2]> {
        let mut all = Vec::new();
        match indices {
            [index] if let Some(args) = self.open_mesh_args(index) => {
                for arg in args {
                    let index = match self.index_by_expr(arg)? {
                        // Of any length.
                        Index::Mask(mask) if mask.ty.rank() == Some(1) => {
                            Index::Array(self.prelude_call("indexing", "flatnonzero", vec![mask], span))
                        }
                        index => index,
                    };
                    all.push(Part::Outer(index));
                }
            }
            _ => {
                for index in indices {
                    match self.as_column(index) {
                        Some(inner) => all.push(Part::Outer(self.index_by_expr(inner)?)),
                        None => all
                            .extend(self.indices_of(index, indices.len() == 1)?.into_iter().map(Part::Plain)),
                    }
                }
            }
        }
        let is_ellipsis = |part: &Part| matches!(part, Part::Plain(Index::Ellipsis));
        let given = all.iter().filter(|part| !is_ellipsis(part)).count();
        if given > 2 {
            let headline = format!("too many indices: {} has 2 dimensions", base.ty);
            self.error(code::INDEX_COUNT, span, headline, "too many indices");
            return None;
        }
        let at = all.iter().position(is_ellipsis).unwrap_or(all.len());
        all.retain(|part| !is_ellipsis(part));
        while all.len() < 2 {
            all.insert(at, Part::Plain(Index::Slice([None, None, None])));
        }
        <[Part; 2]>::try_from(all).ok()
    }

    /// The arguments of `np.ix_(rows, columns)`.
    fn open_mesh_args<'e>(&self, index: &'e ast::Expr) -> Option<&'e [ast::Expr]> {
        let ast::ExprKind::Call { func, args, keywords } = &index.kind else { return None };
        let ast::ExprKind::Attribute { value, attr } = &func.kind else { return None };
        let found = catalogue::find(self.static_module(value)?, &attr.name)?;
        (found.gives_combinations() && args.len() == 2 && keywords.is_empty()).then_some(args)
    }

    /// `i` of `i[:, None]`.
    fn as_column<'e>(&self, index: &'e ast::Expr) -> Option<&'e ast::Expr> {
        let ast::ExprKind::Subscript { value, indices, .. } = &index.kind else { return None };
        let [whole, new] = indices.as_slice() else { return None };
        let is_whole = matches!(whole.kind, ast::ExprKind::Slice { lower: None, upper: None, step: None });
        let is_new = matches!(new.kind, ast::ExprKind::None) || self.is_newaxis(new);
        (is_whole && is_new).then_some(value)
    }

    fn index_by_expr(&mut self, expr: &ast::Expr) -> Option<Index> {
        let value = self.expr(expr);
        if value.ty.is_silent() { None } else { self.index_by(value, expr.span) }
    }

    fn sparse_selected(&mut self, base: Expr, row: Part, column: Part, span: Span) -> Expr {
        let base = self.keep(base);
        let [rows, columns] = [0, 1].map(|axis| {
            let shape = self.sparse_part(catalogue::SparsePart::Shape, base.clone(), span);
            self.item_of(&shape, axis)
        });
        let Some(row) = self.taken(row, rows, span) else { return Expr::error(span) };
        let Some(column) = self.taken(column, columns, span) else { return Expr::error(span) };
        let Some(sparse) = base.ty.sparse_type() else { return Expr::error(span) };
        let kinds = (row.kind, column.kind);
        let function = match kinds {
            (Kind::One, _) | (_, Kind::One) if sparse.array => return self.row_of_array(span),
            (Kind::Several { outer: false }, Kind::Several { .. }) => "elements",
            // SciPy takes these for pairs.
            (Kind::Several { .. }, Kind::Slice { stepped: true }) if !sparse.csc => {
                return self.later_expr(span, "rows by an array and columns by a step");
            }
            _ => "selected",
        };
        if row.value.ty == Ty::None && column.value.ty == Ty::None {
            return self.prelude_call("sparse", "copy", vec![base], span);
        }
        if matches!(kinds.1, Kind::Several { outer: true }) && kinds.0 != (Kind::Several { outer: true }) {
            return self.later_expr(span, "a column of positions as the second index of a sparse matrix");
        }
        self.prelude_call(FILE, function, vec![base, row.value, column.value], span)
    }

    /// What an index takes of an axis of this length.
    fn taken(&mut self, part: Part, count: Expr, span: Span) -> Option<Taken> {
        let (index, outer) = match part {
            Part::Plain(index) => (index, false),
            Part::Outer(index) => (index, true),
        };
        let (value, kind) = match index {
            Index::Slice([None, None, None]) if !outer => (Expr::none(span), Kind::Slice { stepped: false }),
            Index::Slice([start, stop, step]) if !outer => {
                let stepped = step.as_ref().is_some_and(|step| step.as_int() != Some(1));
                let [start, stop] = [start, stop].map(|part| part.unwrap_or_else(|| Expr::none(span)));
                let value = match step.filter(|_| stepped) {
                    Some(step) => self.prelude_call(FILE, "steps", vec![start, stop, step, count], span),
                    None => self.prelude_call(FILE, "bounds", vec![start, stop, count], span),
                };
                (value, Kind::Slice { stepped })
            }
            Index::At(at) if !outer => {
                (self.prelude_call(FILE, "position", vec![at, count], span), Kind::One)
            }
            Index::Array(at) if at.ty.rank() == Some(1) => {
                (self.prelude_call(FILE, "positions", vec![at, count], span), Kind::Several { outer })
            }
            Index::Mask(mask) if mask.ty.rank() == Some(1) && !outer => {
                (self.prelude_call(FILE, "true_positions", vec![mask, count], span), Kind::Several { outer })
            }
            _ => {
                self.later(span, "this index of a sparse matrix");
                return None;
            }
        };
        let value = self.keep(value);
        (!value.ty.is_silent()).then_some(Taken { value, kind })
    }

    /// A row or column of a sparse array has one axis.
    fn row_of_array(&mut self, span: Span) -> Expr {
        let headline = "a row or column of a sparse array, which has one dimension, is not supported yet";
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
            .primary(span, "of one dimension in SciPy")
            .help("take it as a matrix of one row: `A[[i]]`, of one column: `A[:, [j]]`");
        self.fail(diagnostic)
    }
}
