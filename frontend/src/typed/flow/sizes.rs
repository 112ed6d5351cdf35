//! The lengths that annotations name, as in `Float64[np.ndarray, "m k"]`: checked where the function begins, for its parameters, and
//! where it returns. Variables are not checked.

use super::infer::Infer;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::sizes::Size;
use crate::syntax::types::{TypeExpr, TypeExprKind};
use crate::typed::program::session::ArgKey;
use crate::typed::program::signature;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::annotation;
use crate::typed::types::ty::Ty;
use pydd_ir::{ElemOp, Exc, OpKind};

/// The first axis that has a name.
#[derive(Clone)]
pub struct Named {
    length: Expr,
    axis: usize,
    whose: String,
}

/// An array and what a message calls it.
struct Subject<'a> {
    whose: String,
    array: Expr,
    function: &'a str,
}

impl Infer<'_, '_> {
    /// Checks the lengths of all parameters.
    pub(super) fn check_sizes_of_parameters(&mut self, args: &[ArgKey]) {
        let def = self.def;
        let own = def.params.len() - def.captures.unwrap_or(0);
        for (index, arg) in args.iter().enumerate().take(own) {
            let Some(written) = signature::written(def, index) else { continue };
            if annotation::has_sizes(written) && arg.ty != Ty::None {
                let (local, param) = (self.local_of(index, &arg.ty), &def.params[index]);
                let value = Expr::new(ExprKind::Local(local), arg.ty.clone(), param.span);
                self.check_sizes(written, value, &format!("argument '{}'", param.name.name));
            }
        }
    }

    /// A result whose lengths are checked, and its types where the annotation leaves a choice.
    pub(super) fn as_annotated(&mut self, result: Expr) -> Expr {
        let Some(written) = &self.def.returns else { return result };
        if annotation::has_choice(written) {
            self.check_choice(written, &result.ty, result.span);
        }
        if !annotation::has_sizes(written) || result.ty.is_silent() || matches!(result.ty, Ty::None) {
            return result;
        }
        let kept = self.keep(result);
        // Names that stand in the result alone are those of one `return`.
        let of_parameters = self.sizes.clone();
        self.check_sizes(written, kept.clone(), "the result");
        self.sizes = of_parameters;
        kept
    }

    /// Says that a result is of none of the types that a class stands for.
    fn check_choice(&mut self, written: &TypeExpr, ty: &Ty, span: Span) {
        match (&written.kind, ty) {
            (_, ty) if ty.is_silent() => {}
            (TypeExprKind::Tuple(written) | TypeExprKind::Apply { args: written, .. }, Ty::Tuple(items))
                if written.len() == items.len() =>
            {
                written
                    .iter()
                    .zip(items.iter())
                    .for_each(|(written, ty)| self.check_choice(written, ty, span));
            }
            (TypeExprKind::Sized { array, .. }, ty) if annotation::allows(array, ty, self.unit) => {}
            _ if annotation::open(written, self.unit).is_ok_and(|promised| is_alike(&promised, ty)) => {}
            _ => {
                let headline = format!("{ty} is returned where the annotation has another type");
                let diagnostic = Diagnostic::error(code::ANNOTATION_CONFLICT, headline)
                    .primary(span, format!("{ty} here"))
                    .secondary(written.span, "this is promised");
                self.report(diagnostic);
            }
        }
    }

    fn check_sizes(&mut self, written: &TypeExpr, value: Expr, whose: &str) {
        for alternative in annotation::alternatives(written) {
            self.check_sizes_of(alternative, value.clone(), whose);
        }
    }

    fn check_sizes_of(&mut self, written: &TypeExpr, value: Expr, whose: &str) {
        match (&written.kind, &value.ty) {
            (TypeExprKind::Sized { array, sizes, .. }, Ty::Array { .. })
                if annotation::allows(array, &value.ty, self.unit) =>
            {
                let function = &self.def.name.name;
                let subject = Subject { whose: whose.to_owned(), array: value, function };
                self.check_axes(&subject, sizes, written.span);
            }
            (TypeExprKind::Tuple(written) | TypeExprKind::Apply { args: written, .. }, Ty::Tuple(items)) => {
                for (at, (written, ty)) in written.iter().zip(items.iter()).enumerate() {
                    let item = ExprKind::Item(Box::new(value.clone()), at as u32);
                    let item = Expr::new(item, ty.clone(), value.span);
                    self.check_sizes(written, item, &format!("item {at} of {whose}"));
                }
            }
            _ => {}
        }
    }

    fn check_axes(&mut self, subject: &Subject<'_>, sizes: &[Size], span: Span) {
        let Subject { whose, array, function } = subject;
        for (axis, size) in sizes.iter().enumerate() {
            let length = || Self::op(OpKind::Dim(axis as u8), vec![array.clone()], Ty::INT, span);
            match size {
                Size::Any => {}
                Size::Fixed(fixed) => {
                    let message =
                        format!("axis {axis} of {whose} of {function}() must have length {fixed}, got {{0}}");
                    self.check_length(length(), Expr::int(*fixed, span), &message, vec![length()]);
                }
                Size::Name(name) => match self.sizes.get(name) {
                    Some(Named { length: first, axis: other, whose: owner }) => {
                        let message = format!(
                            "axis {axis} of {whose} of {function}() has length {{0}}, and axis {other} of {owner} {{1}}: both are '{name}'"
                        );
                        let first = first.clone();
                        self.check_length(length(), first.clone(), &message, vec![length(), first]);
                    }
                    None => {
                        let length = self.keep(length());
                        let named = Named { length, axis, whose: whose.clone() };
                        self.sizes.insert(name.clone(), named);
                    }
                },
            }
        }
    }

    fn check_length(&mut self, length: Expr, wanted: Expr, message: &str, payload: Vec<Expr>) {
        let span = length.span;
        let fits = Self::elem(ElemOp::Eq, vec![length, wanted], true, span);
        self.out.push(Self::check(fits, Exc::ValueError, message, payload, span));
    }
}

/// Whether types are equal, but for whether a number is Python's or NumPy's.
fn is_alike(promised: &Ty, ty: &Ty) -> bool {
    match (promised.num(), ty.num()) {
        (Some(promised), Some(own)) => promised.dtype == own.dtype,
        _ => promised == ty,
    }
}
