//! Library functions that call a function: `np.apply_along_axis(f, 0, a)`, `np.fromfunction(lambda i, j: i + j, shape)`.
//!
//! A function is what the program writes there. The parameters of a lambda become variables that are seen in its body alone, as
//! those of comprehensions are; anything else by name is called with such variables: `f` is `lambda x: f(x)`.

use crate::diagnostics::{Diagnostic, code, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{self, Keyword};
use crate::typed::flow::env::{Binding, NameId};
use crate::typed::flow::hidden::Hidden;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::program::unit::Global;
use crate::typed::types::ty::{self, Ty};
use pydd_ir::OpKind;
use pydd_ir::catalogue::{self, Algebra, Applied, Default, Found};

/// What a function by name may be called with.
const MOST_VALUES: usize = 16;

/// The arguments of such a call, as they are written.
pub struct Given<'e> {
    /// Of each parameter but the last, which takes the rest.
    pub named: Vec<Option<&'e ast::Expr>>,
    /// What is passed on to the function.
    pub rest: Vec<Expr>,
    pub keywords: Vec<Keyword>,
}

impl<'e> Given<'e> {
    /// A required argument.
    pub fn required(&self, index: usize) -> Option<&'e ast::Expr> {
        self.named.get(index).copied().flatten()
    }
}

impl Infer<'_, '_> {
    pub(in crate::typed) fn applied_call(
        &mut self,
        found: &Found,
        applied: Applied,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let mut result = Expr::error(span);
        let before = self.block(|s| {
            let Some(given) = s.given(found, args, keywords, span) else { return };
            result = match applied {
                Applied::AlongAxis => s.along_axis(&given, span),
                Applied::FromFunction => s.indices_applied(&given, span),
                Applied::Piecewise => s.piecewise(&given, span),
                Applied::Reduce => s.reduced_by(&given, span),
            };
        });
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// Binds arguments to parameters; those that are passed on are evaluated.
    fn given<'e>(
        &mut self,
        found: &Found,
        args: &'e [ast::Expr],
        keywords: &'e [Keyword],
        span: Span,
    ) -> Option<Given<'e>> {
        let params = found.entry.params;
        let takes_rest = params.iter().any(|param| param.default == Default::Rest);
        let own = params.iter().filter(|param| param.default != Default::Rest).count();
        let name = Self::shown_name(found);
        let mut given = Given { named: vec![None; own], rest: Vec::new(), keywords: Vec::new() };
        for (at, arg) in args.iter().enumerate() {
            if let ast::ExprKind::Starred(_) = arg.kind {
                self.later(arg.span, &format!("unpacking among the arguments of `{name}`"));
                return None;
            }
            match given.named.get_mut(at) {
                Some(place) => *place = Some(arg),
                None if takes_rest => {
                    let value = self.either_expr(arg);
                    let value = self.keep(value);
                    if value.ty.is_silent() {
                        return None;
                    }
                    given.rest.push(value);
                }
                None => {
                    self.error(
                        code::WRONG_ARGUMENT_COUNT,
                        arg.span,
                        format!("`{name}` takes {own} arguments at most"),
                        "",
                    );
                    return None;
                }
            }
        }
        for keyword in keywords {
            let at = params.iter().take(own).position(|param| param.name == keyword.name.name);
            match at {
                Some(at) if given.named[at].is_none() => given.named[at] = Some(&keyword.value),
                None if takes_rest => given.keywords.push(keyword.clone()),
                _ => {
                    let near = did_you_mean(&keyword.name.name, params.iter().map(|param| param.name));
                    let diagnostic = Diagnostic::error(
                        code::KEYWORD_ARGUMENT_UNKNOWN,
                        format!("`{name}` does not take `{}=` here", keyword.name.name),
                    )
                    .primary(keyword.name.span, "")
                    .maybe_help(near.map(|near| format!("did you mean `{near}`?")));
                    self.report(diagnostic);
                    return None;
                }
            }
        }
        let missing = params
            .iter()
            .zip(&given.named)
            .find(|(param, value)| param.default == Default::Required && value.is_none());
        if let Some((param, _)) = missing {
            let headline = format!("`{name}` is missing argument `{}`", param.name);
            self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "not enough arguments");
            return None;
        }
        Some(given)
    }

    /// What a function that is written as an argument gives for these values.
    pub(in crate::typed) fn apply(
        &mut self,
        function: &ast::Expr,
        values: &[Expr],
        given: &Given<'_>,
    ) -> Expr {
        let span = function.span;
        let values: Vec<Expr> = values.iter().chain(&given.rest).cloned().collect();
        let variables: Vec<Hidden> = match &function.kind {
            ast::ExprKind::Lambda { params, .. } => {
                if params.len() != values.len() || !given.keywords.is_empty() {
                    let headline = format!(
                        "this lambda has {} parameters, and is called with {}",
                        params.len(),
                        values.len()
                    );
                    return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "");
                }
                params.iter().map(|param| Hidden::Named(param.name.clone())).collect()
            }
            ast::ExprKind::Name(_) | ast::ExprKind::Attribute { .. } if values.len() <= MOST_VALUES => {
                (0..values.len()).map(Hidden::Argument).collect()
            }
            _ => return self.no_function(span),
        };
        let variables: Vec<NameId> =
            variables.into_iter().map(|variable| self.hidden(span, variable)).collect();
        for (&variable, value) in variables.iter().zip(values) {
            if value.is_constant() {
                self.constants.push(value);
                self.bind(variable, Binding::Constant(self.constants.len() - 1));
            } else {
                self.assign(variable, value, span);
            }
        }
        let result = match &function.kind {
            ast::ExprKind::Lambda { params, body } => {
                let outer = self.shadow(span, params.iter().map(|param| param.name.as_str()));
                let result = self.either_expr(body);
                self.unshadow(outer);
                result
            }
            _ => {
                let values = variables.iter().map(|&variable| self.variable(variable, span)).collect();
                let result = self.call_on(function, values, &[], &given.keywords, span);
                self.checked(result, span)
            }
        };
        variables.into_iter().for_each(|variable| self.unbind(variable));
        if result.ty == Ty::None { self.none_value(&Expr { span, ..result }) } else { self.keep(result) }
    }

    /// What a function is applied to, looked at more than once: an array, where it is a number one without axes.
    pub(in crate::typed) fn applied_to(&mut self, array: &ast::Expr, span: Span) -> Expr {
        let array = self.expr(array);
        let array = self.as_operand(array);
        let array = match array.ty {
            Ty::Scalar(_) => self.array_of(array, None, span),
            _ => array,
        };
        self.keep(array)
    }

    fn no_function(&mut self, span: Span) -> Expr {
        let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, "a function is expected here")
            .primary(span, "no lambda, and no function by name")
            .help("write a lambda: `lambda x: x * 2`");
        self.fail(diagnostic)
    }

    /// As [`apply`](Self::apply), what NumPy makes an array of: numbers and arrays as they are.
    pub(in crate::typed) fn apply_for_array(
        &mut self,
        function: &ast::Expr,
        values: &[Expr],
        given: &Given<'_>,
    ) -> Expr {
        let value = self.apply(function, values, given);
        if value.ty.has_either() {
            let headline = "this function gives numbers of several types, by what it is called with";
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, headline)
                .primary(function.span, format!("gives {}", value.ty))
                .help("give all results one type: `float(…)`, `np.float64(…)`");
            return self.fail(diagnostic);
        }
        let value = self.as_operand(value);
        let value = Self::number_of_rank_zero(value);
        let value = self.keep(value);
        match value.ty.num() {
            Some(_) if value.ty.is_array() || value.ty.scalar().is_some() => value,
            _ if value.ty.is_silent() => value,
            _ => {
                let headline = format!("a function that gives {} is not supported yet here", value.ty);
                self.error(code::UNSUPPORTED_YET, function.span, headline, "numbers and arrays only")
            }
        }
    }

    /// Whether an argument is a function, where it may be a number as well.
    pub(in crate::typed) fn is_function(&mut self, expr: &ast::Expr) -> bool {
        let of_library = |found: Found| !matches!(found.entry.algebra, Algebra::Constant(_));
        match &expr.kind {
            ast::ExprKind::Lambda { .. } => true,
            ast::ExprKind::Name(name) if self.name_index(name).is_none() => match self.unit.global(name) {
                Some(Global::Function(_)) => true,
                Some(Global::Library(found)) => of_library(found),
                Some(Global::Constant(_)) => self.names_function(expr),
                _ => false,
            },
            ast::ExprKind::Name(_) => self.names_function(expr),
            ast::ExprKind::Attribute { value, attr } => match self.static_module(value) {
                Some(space) => catalogue::find(space, &attr.name).is_some_and(of_library),
                None => false,
            },
            _ => false,
        }
    }

    /// Whether a name stands for a function of the program, or for a type.
    fn names_function(&mut self, name: &ast::Expr) -> bool {
        let mark = self.mark();
        let mut ty = Ty::Error;
        self.block(|s| ty = s.either_expr(name).ty);
        self.back_to(mark);
        matches!(ty, Ty::Function { .. } | Ty::Library(..) | Ty::DType(_) | Ty::TypeOf(_))
    }

    /// `np.fromfunction(f, shape, dtype)`: one call, with arrays of indices.
    fn indices_applied(&mut self, given: &Given<'_>, span: Span) -> Expr {
        let (Some(function), Some(shape)) = (given.required(0), given.required(1)) else {
            return Expr::error(span);
        };
        let shape = self.display(shape);
        let shape = self.keep(shape);
        let count = match &shape.ty {
            Ty::Tuple(items) => items.len(),
            ty if ty.is_silent() => return shape,
            ty => {
                let headline = format!("the shape is a tuple, not {ty}");
                return self.error(code::TYPE_MISMATCH, shape.span, headline, "not a tuple");
            }
        };
        let dtype = match given.named[2] {
            Some(dtype) => self.type_argument(dtype),
            None => Expr::new(ExprKind::Static, Ty::DType(ty::Num::FLOAT), span),
        };
        let indices = self.prelude_call("creation", "indices_of", vec![shape, dtype], span);
        let indices = self.keep(indices);
        let Ty::Array { dtype, .. } = indices.ty else { return Expr::silent([&indices], span) };
        let rank = ty::clamped_rank(count);
        let values: Vec<Expr> = (0..count)
            .map(|at| {
                let operands = vec![indices.clone(), Expr::int(at as i64, span)];
                let items = vec![pydd_ir::IndexItem::At];
                let view = Self::op(OpKind::View(items), operands, Ty::array(dtype, rank), span);
                self.keep(view)
            })
            .collect();
        self.apply(function, &values, given)
    }
}
