//! Calls: what is called, with which arguments; functions of the program.

use crate::diagnostics::{Cause, Diagnostic, code, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{self, Ident, Keyword};
use crate::typed::containers::dict_ops::is_dict;
use crate::typed::containers::list_ops::is_list;
use crate::typed::containers::sparse::is_sparse;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{self, Expr, ExprKind};
use crate::typed::program::unit::{Global, not_in_module};
use crate::typed::types::dict_type::Container;
use crate::typed::types::ty::{self, Ty};
use pydd_ir::catalogue::{self, Algebra, Builtin, Form, Found, ListMethod, Space, UfuncMethod};
use std::rc::Rc;

impl Infer<'_, '_> {
    pub(in crate::typed) fn call(
        &mut self,
        func: &ast::Expr,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        self.call_on(func, Vec::new(), args, keywords, span)
    }

    /// As [`call`](Self::call), with values in front of the arguments that are written.
    pub(in crate::typed) fn call_on(
        &mut self,
        func: &ast::Expr,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        match &func.kind {
            ast::ExprKind::Name(name) if self.name_index(name).is_none() => {
                self.call_global(name, func.span, values, args, keywords, span)
            }
            ast::ExprKind::Attribute { value, attr } => match self.ufunc_method(value, attr) {
                Some((found, method)) => self.ufunc_call(found, method, attr, values, args, keywords, span),
                None => self.call_attribute(value, attr, values, args, keywords, span),
            },
            ast::ExprKind::Error => {
                self.look_at(args, keywords);
                Expr::error(span)
            }
            ast::ExprKind::Call { func: inner, args: items, keywords: none }
                if none.is_empty() && self.builtin_named(inner) == Some(Builtin::ItemGetter) =>
            {
                self.items_at(values, items, args, span)
            }
            _ => {
                let callee = self.expr(func);
                self.call_value(callee, values, args, keywords, span)
            }
        }
    }

    /// Arguments of a call that is wrong are looked at for what is wrong in them.
    fn look_at(&mut self, args: &[ast::Expr], keywords: &[Keyword]) {
        for arg in args.iter().chain(keywords.iter().map(|k| &k.value)) {
            self.expr(arg);
        }
    }

    fn call_value(
        &mut self,
        callee: Expr,
        mut values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        match &callee.ty {
            Ty::DType(num) | Ty::TypeOf(num) => {
                let num = *num;
                match (values.pop(), args) {
                    (None, [arg]) if keywords.is_empty() => {
                        let value = self.expr(arg);
                        self.conversion(value, num, span)
                    }
                    (Some(value), []) if values.is_empty() && keywords.is_empty() => {
                        self.conversion(value, num, span)
                    }
                    _ => self.zero_of(num, span),
                }
            }
            Ty::Function { unit, at } => {
                let unit = Rc::clone(&self.session.units[*unit]);
                self.call_function(&unit, *at, values, args, keywords, span)
            }
            &Ty::Library(space, name) => match catalogue::find(space, name) {
                Some(found) => self.call_library(found, values, args, keywords, span),
                None => Expr::error(span),
            },
            ty if ty.is_silent() => {
                self.look_at(args, keywords);
                Expr::error(span)
            }
            other => {
                let headline = format!("{other} is not callable");
                self.error(code::NOT_CALLABLE, callee.span, headline, "not a function")
            }
        }
    }

    fn call_global(
        &mut self,
        name: &str,
        at: Span,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        match self.unit.global(name) {
            Some(Global::Function(function)) => {
                let unit = Rc::clone(&self.session.units[self.unit.index]);
                self.call_function(&unit, function, values, args, keywords, span)
            }
            Some(Global::Library(found)) => self.call_library(found, values, args, keywords, span),
            Some(_) => {
                let callee = self.name(name, at);
                self.call_value(callee, values, args, keywords, span)
            }
            None => match args {
                [what, takes] if !self.unit.user && Form::named(name) == Some(Form::Unsupported) => {
                    self.refused(what, takes, span)
                }
                _ => {
                    self.look_at(args, keywords);
                    Expr { span, ..self.undefined(name, at) }
                }
            },
        }
    }

    /// `unsupported(parameter, "what it takes")` in the prelude: the caller hears which argument does not fit.
    fn refused(&mut self, what: &ast::Expr, takes: &ast::Expr, span: Span) -> Expr {
        let (ast::ExprKind::Name(param), ast::ExprKind::Str(takes)) = (&what.kind, &takes.kind) else {
            return Expr::error(span);
        };
        let value = self.expr(what);
        let is = match &value.kind {
            ExprKind::Text(text) => format!("'{text}'"),
            _ => value.ty.to_string(),
        };
        let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, format!("needs {takes} as `{param}`"))
            .primary(span, format!("this is {is}"))
            .because(Cause::Parameter(param.clone()));
        self.fail(diagnostic)
    }

    /// `itemgetter(k)(value)`; of several indices a tuple.
    fn items_at(
        &mut self,
        mut values: Vec<Expr>,
        indices: &[ast::Expr],
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        values.extend(args.iter().map(|arg| self.expr(arg)));
        let ([value], [_, ..]) = (values.as_slice(), indices) else {
            return self.error(code::WRONG_ARGUMENT_COUNT, span, "`itemgetter` takes items of one value", "");
        };
        let value = self.keep(value.clone());
        let item = |s: &mut Self, index| s.subscript_of(value.clone(), std::slice::from_ref(index), span);
        match indices {
            [index] => item(self, index),
            several => {
                let items = several.iter().map(|index| item(self, index)).collect();
                Self::tuple(items, span)
            }
        }
    }

    /// What is built in and an expression names: `list`, `collections.defaultdict`.
    pub(in crate::typed) fn builtin_named(&self, expr: &ast::Expr) -> Option<Builtin> {
        let found = match &expr.kind {
            ast::ExprKind::Name(name) if self.name_index(name).is_none() => match self.unit.global(name)? {
                Global::Library(found) => found,
                _ => return None,
            },
            ast::ExprKind::Attribute { value, attr } => {
                catalogue::find(self.static_module(value)?, &attr.name)?
            }
            _ => return None,
        };
        match found.entry.algebra {
            Algebra::Builtin(builtin) => Some(builtin),
            _ => None,
        }
    }

    /// The module that an expression names.
    pub(in crate::typed) fn static_module(&self, expr: &ast::Expr) -> Option<Space> {
        match &expr.kind {
            ast::ExprKind::Name(name) if self.name_index(name).is_none() => match self.unit.global(name)? {
                Global::Module(space) => Some(space),
                // A class that has functions, as `itertools.chain`.
                Global::Library(found) => found.space.inside(found.name),
                _ => None,
            },
            ast::ExprKind::Attribute { value, attr } => self.static_module(value)?.inside(&attr.name),
            _ => None,
        }
    }

    /// The function and the method of `np.add.outer` and its like.
    fn ufunc_method(&self, value: &ast::Expr, attr: &Ident) -> Option<(Found, UfuncMethod)> {
        let ast::ExprKind::Attribute { value: module, attr: function } = &value.kind else { return None };
        let method = UfuncMethod::named(&attr.name)?;
        Some((catalogue::find(self.static_module(module)?, &function.name)?, method))
    }

    fn call_attribute(
        &mut self,
        value: &ast::Expr,
        attr: &Ident,
        mut values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        if let Some(digits) = self.binary_digits(value, attr, args) {
            let receiver = self.expr(digits);
            let receiver = self.conversion(receiver, ty::Num::INT, span);
            return match catalogue::find(Space::Method, "bit_count") {
                Some(found) => self.call_library(found, vec![receiver], &[], keywords, span),
                None => Expr::error(span),
            };
        }
        if let Some(space) = self.static_module(value) {
            return match catalogue::find(space, &attr.name) {
                Some(found) => self.call_library(found, values, args, keywords, span),
                None => {
                    self.look_at(args, keywords);
                    self.not_in(space, attr)
                }
            };
        }
        let receiver = self.expr(value);
        if receiver.ty.is_silent() {
            self.look_at(args, keywords);
            return Expr::silent([&receiver], span);
        }
        if receiver.ty == Ty::Str {
            return self.error(
                code::STRING_OPERATION,
                attr.span,
                "strings are for messages only",
                "a string operation",
            );
        }
        if is_list(&receiver.ty)
            && let Some(method) = ListMethod::named(&attr.name)
        {
            return self.list_method(receiver, method, attr, values, args, keywords, span);
        }
        if let (Ty::Tuple(_), [item], []) = (&receiver.ty, args, keywords)
            && values.is_empty()
            && matches!(attr.name.as_str(), "count" | "index")
        {
            let item = self.expr(item);
            return self.places_in_tuple(receiver, item, attr.name == "index", span);
        }
        // The receiver is the first argument.
        values.insert(0, receiver.clone());
        if let Some(found) = Self::dict_method(&receiver.ty, &attr.name) {
            return self.call_library(found, values, args, keywords, span);
        }
        if is_dict(&receiver.ty) && !matches!(self.unit.global(&attr.name), Some(Global::Function(_))) {
            self.look_at(args, keywords);
            return self.unknown_attribute(&receiver, attr);
        }
        if is_sparse(&receiver.ty)
            && let Some(found) = catalogue::find(Space::Sparse, &attr.name)
        {
            return self.call_library(found, values, args, keywords, span);
        }
        if receiver.ty == Ty::Generator {
            return match catalogue::find(Space::Generator, &attr.name) {
                Some(found) => self.call_library(found, values, args, keywords, span),
                None => {
                    self.look_at(args, keywords);
                    self.unknown_attribute(&receiver, attr)
                }
            };
        }
        if let Some(found) = catalogue::find(Space::Method, &attr.name) {
            return self.call_library(found, values, args, keywords, span);
        }
        // Intrepydd's `a.f(…)` for `f(a, …)`.
        match self.unit.global(&attr.name) {
            Some(Global::Function(function)) => {
                let unit = Rc::clone(&self.session.units[self.unit.index]);
                self.call_function(&unit, function, values, args, keywords, span)
            }
            Some(Global::Library(found)) if !found.entry.params.is_empty() => {
                self.call_library(found, values, args, keywords, span)
            }
            _ => match catalogue::find(Space::Numpy, &attr.name) {
                Some(found) if !found.entry.params.is_empty() => {
                    self.call_library(found, values, args, keywords, span)
                }
                _ => self.unknown_attribute(&receiver, attr),
            },
        }
    }

    /// The n of `bin(n).count("1")`.
    fn binary_digits<'e>(
        &self,
        value: &'e ast::Expr,
        attr: &Ident,
        args: &[ast::Expr],
    ) -> Option<&'e ast::Expr> {
        let ast::ExprKind::Call { func, args: of, keywords } = &value.kind else { return None };
        let ast::ExprKind::Name(name) = &func.kind else { return None };
        let is_bin = Form::named(name) == Some(Form::BinaryDigits)
            && self.name_index(name).is_none()
            && self.unit.global(name).is_none();
        let counts = Form::named(&attr.name) == Some(Form::CountOfDigits)
            && matches!(args, [ast::Expr { kind: ast::ExprKind::Str(digit), .. }] if digit == "1");
        match of.as_slice() {
            [number] if is_bin && counts && keywords.is_empty() => Some(number),
            _ => None,
        }
    }

    /// A method of a dict or set.
    fn dict_method(ty: &Ty, name: &str) -> Option<Found> {
        catalogue::find(dict_space(ty)?, name)
    }

    /// The error for a name that a module lacks.
    fn not_in(&mut self, space: Space, attr: &Ident) -> Expr {
        let mut diagnostic = not_in_module(space, space.path(), &attr.name, attr.span);
        if diagnostic.code == code::UNKNOWN_IMPORT {
            diagnostic.code = code::UNKNOWN_FUNCTION;
        }
        self.fail(diagnostic)
    }

    pub(in crate::typed) fn unknown_attribute(&mut self, receiver: &Expr, attr: &Ident) -> Expr {
        let name = attr.name.as_str();
        if catalogue::is_planned(name) || is_list(&receiver.ty) && ListMethod::named(name).is_some() {
            return self.later_expr(attr.span, &format!("`.{name}`"));
        }
        let known = catalogue::names(Space::Method).chain(catalogue::names(Space::Attribute));
        let near = match (&receiver.ty, name) {
            (Ty::List(_) | Ty::EmptyList(_), "push" | "add" | "push_back") => {
                Some("lists grow by `.append(…)`".to_owned())
            }
            (Ty::Array { .. } | Ty::List(_) | Ty::Lists(_), "length" | "len") => {
                Some("write `len(…)`, or `.size` of arrays".to_owned())
            }
            (ty, _) if let Some(space) = dict_space(ty) => match catalogue::find(space, name) {
                Some(_) => Some(format!("call it: `.{name}(…)`")),
                None => {
                    let near = did_you_mean(name, catalogue::names(space));
                    near.map(|near| format!("did you mean `.{near}`?"))
                }
            },
            (Ty::Generator, _) => match catalogue::find(Space::Generator, name) {
                Some(_) => Some(format!("call it: `.{name}(…)`")),
                None => did_you_mean(name, catalogue::names(Space::Generator))
                    .map(|near| format!("did you mean `.{near}`?")),
            },
            (Ty::Array { .. }, _) => did_you_mean(name, known).map(|near| format!("did you mean `.{near}`?")),
            (Ty::Scalar(_), _) if catalogue::find(Space::Attribute, name).is_some() => {
                Some(format!("arrays have `.{name}`"))
            }
            _ => None,
        };
        let headline = format!("{} has no attribute `{}`", receiver.ty, attr.name);
        let diagnostic = Diagnostic::error(code::UNKNOWN_ATTRIBUTE, headline)
            .primary(attr.span, "no such attribute")
            .secondary(receiver.span, format!("this is {}", receiver.ty))
            .maybe_help(near);
        self.fail(diagnostic)
    }

    /// `value.attr`.
    pub(in crate::typed) fn attribute(&mut self, value: &ast::Expr, attr: &Ident, span: Span) -> Expr {
        if let Some(space) = self.static_module(value) {
            return match catalogue::find(space, &attr.name) {
                Some(found) => self.library_value(found, span),
                None if Form::named(&attr.name) == Some(Form::NewAxis) => Expr::none(span),
                None => match space.inside(&attr.name) {
                    Some(inner) => Expr::new(ExprKind::Static, Ty::Module(inner), span),
                    None => self.not_in(space, attr),
                },
            };
        }
        let receiver = self.expr(value);
        if receiver.ty.is_silent() {
            return Expr::silent([&receiver], span);
        }
        if is_sparse(&receiver.ty) {
            return self.sparse_attribute(receiver, attr, span);
        }
        if let (Ty::Slice(_), Some(at)) = (&receiver.ty, of_range(&attr.name)) {
            let mut parts = self.parts_of_slice(receiver);
            return parts[at].take().unwrap_or_else(|| Expr::none(span));
        }
        if let (Ty::Range, Some(at)) = (&receiver.ty, of_range(&attr.name)) {
            let mut before = Vec::new();
            let receiver = self.once(receiver, &mut before);
            let part = self.range_parts(&receiver)[at].clone();
            return Self::seq(before, part);
        }
        if let Ty::DType(num) = receiver.ty {
            // Types have no such attributes, what `.dtype` gives has them.
            let of_value = matches!(&value.kind, ast::ExprKind::Attribute { .. });
            return match catalogue::dtype_attribute(num.dtype, &attr.name) {
                Some(catalogue::DTypeAttribute::Text(text)) if of_value => {
                    Expr::new(ExprKind::Text(text.to_owned()), Ty::Str, span)
                }
                Some(catalogue::DTypeAttribute::Int(number)) if of_value => Expr::int(number, span),
                _ => self.limit(num, attr, span),
            };
        }
        let found = catalogue::find(Space::Attribute, &attr.name);
        if let (Some(num), Some(found)) = (receiver.ty.scalar(), &found)
            && !num.weak
            && let Some(known) = Self::attribute_of_number(found, &receiver, span)
        {
            return known;
        }
        match found {
            Some(found) if receiver.ty.is_array() || is_of_numbers(&found) && receiver.ty.num().is_some() => {
                self.call_library(found, vec![receiver], &[], &[], span)
            }
            _ if catalogue::find(Space::Method, &attr.name).is_some() => {
                let name = &attr.name;
                let diagnostic =
                    Diagnostic::error(code::ASSIGN_TO_FUNCTION, format!("method `{name}` is not called"))
                        .primary(attr.span, "a method")
                        .help(format!("call it: `.{name}(…)`"));
                self.fail(diagnostic)
            }
            _ => self.unknown_attribute(&receiver, attr),
        }
    }

    /// `.size`, `.ndim`, `.shape` and `.T` of one of NumPy's numbers.
    fn attribute_of_number(found: &Found, number: &Expr, span: Span) -> Option<Expr> {
        use catalogue::{Algebra, Shape};
        let Algebra::Shape(shape) = found.entry.algebra else { return None };
        let known = match shape {
            Shape::Size => Expr::int(1, span),
            Shape::Ndim => Expr::int(0, span),
            Shape::Shape => Self::tuple(Vec::new(), span),
            Shape::Transpose => return Some(number.clone()),
            _ => return None,
        };
        Some(Self::seq(vec![tree::Stmt::new(tree::StmtKind::Eval(number.clone()), span)], known))
    }

    /// Finishes a library call whose result is of NumPy's family.
    pub(in crate::typed) fn strong(&self, value: Expr) -> Expr {
        match value.ty {
            Ty::Scalar(num) if num.weak => Expr { ty: Ty::strong(num.dtype), ..value },
            _ => value,
        }
    }

    /// What a library function found by this name is called by.
    pub(in crate::typed) fn shown_name(found: &Found) -> String {
        found.space.spelled(found.name)
    }
}

/// Where the methods of dicts or sets are.
const fn dict_space(ty: &Ty) -> Option<Space> {
    match ty {
        Ty::Dict(dict) if dict.is_set() => Some(Space::Set),
        Ty::EmptyDict(_, Container::Set) => Some(Space::Set),
        Ty::Dict(_) | Ty::EmptyDict(..) => Some(Space::Dict),
        _ => None,
    }
}

/// Which part of a range or slice an attribute is.
fn of_range(attribute: &str) -> Option<usize> {
    ["start", "stop", "step"].iter().position(|name| *name == attribute)
}

/// Whether an attribute is one that numbers have as well.
fn is_of_numbers(found: &Found) -> bool {
    !matches!(found.entry.algebra, catalogue::Algebra::Shape(_))
}
