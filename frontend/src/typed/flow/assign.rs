//! Assignments: to names, tuples, elements and slices; in place and declared.

use super::env::Binding;
use super::hidden::Hidden;
use super::infer::Infer;
use super::pfor::is_changed_in_place;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::types::TypeExpr;
use crate::typed::containers::list_ops::is_list;
use crate::typed::expressions::index::Place;
use crate::typed::program::tree::{Expr, ExprKind, StmtKind};
use crate::typed::types::annotation;
use crate::typed::types::promote::same_kind;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{self, Algebra, Builtin, Space};
use pydd_ir::{ComplexPart, OpKind};

/// A type that a target must have, and where it is written.
pub type Declared = Option<(Ty, Span)>;

impl Infer<'_, '_> {
    /// The type of an annotation in a function's body.
    pub(in crate::typed) fn declared_type(&mut self, annotation: Option<&TypeExpr>) -> Declared {
        let annotation = annotation?;
        match annotation::open(annotation, self.unit) {
            Ok(ty) => Some((ty, annotation.span)),
            Err(diagnostic) => {
                self.report(diagnostic);
                Some((Ty::Error, annotation.span))
            }
        }
    }

    pub(in crate::typed) fn assignment(
        &mut self,
        targets: &[ast::Expr],
        value: &ast::Expr,
        annotation: Option<&TypeExpr>,
        span: Span,
    ) {
        let declared = self.declared_type(annotation).or_else(|| match targets {
            [ast::Expr { kind: ast::ExprKind::Name(name), .. }] => {
                self.name_index(name).and_then(|n| self.declared.get(&n).cloned())
            }
            _ => None,
        });
        let mut typed = self.assigned_value(value, declared.as_ref().map(|(ty, _)| ty));
        if targets.len() > 1 {
            typed = self.keep(typed);
        }
        for target in targets {
            self.assign_target(target, typed.clone(), declared.clone());
        }
        let _ = span;
    }

    /// What is assigned to a target, which may be declared to have a type.
    pub(in crate::typed) fn assigned_value(&mut self, value: &ast::Expr, declared: Option<&Ty>) -> Expr {
        let typed = match declared {
            Some(ty) => self.expr_as(value, ty),
            None => self.checked_expr(value),
        };
        let is_nothing = typed.ty == Ty::None && matches!(value.kind, ast::ExprKind::Call { .. });
        if is_nothing { self.none_value(&typed) } else { typed }
    }

    /// The error for using what is None, as what a function without a result gives.
    pub(in crate::typed) fn none_value(&mut self, value: &Expr) -> Expr {
        let (headline, label) = match value.kind {
            ExprKind::Static | ExprKind::Local(_) => ("this is None here", "this is None"),
            _ => ("this function returns nothing", "gives None"),
        };
        self.error(code::NONE_VALUE, value.span, headline, label)
    }

    pub(in crate::typed) fn declaration(
        &mut self,
        target: &ast::Expr,
        annotation: &TypeExpr,
        value: Option<&ast::Expr>,
        span: Span,
    ) {
        match value {
            Some(value) => self.assignment(std::slice::from_ref(target), value, Some(annotation), span),
            None => {
                let declared = self.declared_type(Some(annotation));
                if let (ast::ExprKind::Name(name), Some(declared)) = (&target.kind, declared)
                    && let Some(index) = self.name_index(name)
                {
                    self.declared.insert(index, declared);
                }
            }
        }
    }

    /// Gives a value to a target.
    pub(in crate::typed) fn assign_target(&mut self, target: &ast::Expr, value: Expr, declared: Declared) {
        match &target.kind {
            ast::ExprKind::Name(name) => {
                let Some(index) = self.name_index(name) else { return };
                let value = match declared {
                    Some(declared) if self.contradicts(index, &declared) => Expr::error(value.span),
                    Some((ty, at)) => self.declare(value, &ty, at, "assigned"),
                    None => value,
                };
                self.assign_name(index, value, target.span);
            }
            ast::ExprKind::Item(at) => {
                let item = self.hidden(target.span, Hidden::Mapped(*at));
                self.assign_name(item, value, target.span);
            }
            ast::ExprKind::Tuple(targets) | ast::ExprKind::List(targets) => {
                self.unpack(targets, value, target.span);
            }
            ast::ExprKind::Subscript { value: base, indices, .. } => {
                let value = self.certain(value);
                let value = self.keep(value);
                let base = self.expr(base);
                let base = self.keep(base);
                self.store(base, indices, value, target.span);
            }
            ast::ExprKind::Attribute { value: base, attr } => {
                let value = self.certain(value);
                let value = self.keep(value);
                let base = self.expr(base);
                if let Some(part) = self.part_target(base, attr, target.span) {
                    self.assign_array(part, value, target.span);
                }
            }
            _ => {}
        }
    }

    /// The part of an array that an attribute is: `.real` and `.imag` are assigned to, others are not.
    fn part_target(&mut self, base: Expr, attr: &ast::Ident, span: Span) -> Option<Expr> {
        if base.ty.is_silent() {
            return None;
        }
        let found = catalogue::find(Space::Attribute, &attr.name).map(|found| found.entry.algebra);
        let num = base.ty.num().filter(|_| base.ty.is_array());
        match (found, num) {
            (Some(Algebra::Builtin(Builtin::Real)), Some(num)) if !num.dtype.is_complex() => {
                return Some(self.keep(base));
            }
            (Some(Algebra::Builtin(part @ (Builtin::Real | Builtin::Imag))), Some(num))
                if num.dtype.is_complex() =>
            {
                let part = if part == Builtin::Real { ComplexPart::Real } else { ComplexPart::Imag };
                let view = Self::part_view(base, part, span);
                return Some(self.keep(view));
            }
            (Some(Algebra::Builtin(Builtin::Imag)), Some(_)) => {
                let headline = "a real array does not have an imaginary part to set";
                self.error(code::NOT_WRITABLE, span, headline, "no imaginary part");
            }
            _ => {
                let headline = format!("`.{}` cannot be assigned to", attr.name);
                let mut diagnostic = Diagnostic::error(code::NOT_WRITABLE, headline)
                    .primary(span, "not an element or a variable");
                if base.ty.sparse_type().is_some() {
                    let help = format!("set its elements: `.{}[:] = …`, or make a matrix of it", attr.name);
                    diagnostic = diagnostic.help(help);
                }
                self.report(diagnostic);
            }
        }
        None
    }

    /// The real or imaginary parts of a complex array, in its memory.
    pub(in crate::typed) fn part_view(array: Expr, part: ComplexPart, span: Span) -> Expr {
        let Ty::Array { dtype, rank } = array.ty else { return Expr::error(span) };
        Self::op(OpKind::Part(part), vec![array], Ty::array(dtype.real(), rank), span)
    }

    /// Reports a declaration that differs from an earlier one.
    fn contradicts(&mut self, name: usize, declared: &(Ty, Span)) -> bool {
        let (first, at) = self.declarations.entry(name).or_insert_with(|| declared.clone()).clone();
        if first == declared.0 || first.is_silent() || declared.0.is_silent() {
            return false;
        }
        let name = self.name_of(name);
        let diagnostic =
            Diagnostic::error(code::ANNOTATION_CONFLICT, format!("`{name}` is declared with two types"))
                .primary(declared.1, format!("{} here", declared.0))
                .secondary(at, format!("{first} here"))
                .help("use two variables");
        self.report(diagnostic);
        true
    }

    /// Gives a value to a variable.
    pub(in crate::typed) fn assign_name(&mut self, name: usize, value: Expr, def: Span) {
        match value.kind {
            // Text lives in the compiler only.
            ExprKind::Text(_) => {
                self.constants.push(value);
                self.bind(name, Binding::Constant(self.constants.len() - 1));
            }
            _ => {
                if let Ty::Format(types, _) = &value.ty
                    && !Self::may_keep_format(types)
                {
                    let headline = "an f-string of arrays or lists is printed where it stands";
                    let diagnostic = Diagnostic::error(code::STRING_OPERATION, headline)
                        .primary(value.span, "kept in a variable")
                        .help("pass it to `print`");
                    self.report(diagnostic);
                }
                self.assign(name, value, def);
            }
        }
    }

    /// `target op= value`.
    pub(in crate::typed) fn augmented(
        &mut self,
        target: &ast::Expr,
        op: ast::BinaryOp,
        value: &ast::Expr,
        span: Span,
    ) {
        match &target.kind {
            ast::ExprKind::Name(name) => {
                let old = self.name(name, target.span);
                let value = self.either_expr(value);
                let Some(index) = self.name_index(name) else { return };
                if is_changed_in_place(&old.ty) {
                    return self.change_object(old, op, value, span);
                }
                let is_number = matches!(old.ty, Ty::Scalar(_) | Ty::Either(_) | Ty::Tuple(_));
                let value = if is_number { value } else { self.settle(value) };
                let result = self.binary(op, old, value, span);
                self.assign_name(index, result, target.span);
            }
            ast::ExprKind::Subscript { value: base, indices, .. } => {
                let base = self.expr(base);
                let base = self.keep(base);
                self.augment_element(base, indices, op, value, span);
            }
            ast::ExprKind::Attribute { value: base, attr } => {
                let array = self.expr(base);
                if array.ty.sparse_type().is_none() {
                    let part = self.part_target(array, attr, target.span);
                    let value = self.expr(value);
                    return part.into_iter().for_each(|part| self.in_place(part, op, value.clone(), span));
                }
                let array = self.sparse_attribute(array, attr, target.span);
                let array = self.keep(array);
                let value = self.expr(value);
                if !array.ty.is_array() && !array.ty.is_silent() {
                    let headline = format!("`.{}` cannot be assigned to", attr.name);
                    self.error(code::NOT_WRITABLE, target.span, headline, "not an element or a variable");
                    return;
                }
                self.in_place(array, op, value, span);
            }
            _ => {}
        }
    }

    /// `object op= value`, of what an operator changes in place.
    pub(in crate::typed) fn change_object(
        &mut self,
        object: Expr,
        op: ast::BinaryOp,
        value: Expr,
        span: Span,
    ) {
        if object.ty.is_array() {
            return self.in_place(object, op, value, span);
        }
        let value = self.settle(value);
        if is_list(&object.ty) {
            self.change_list(object, op, value, span);
        } else {
            self.change_dict(object, op, value, span);
        }
    }

    /// `list += values`.
    fn change_list(&mut self, list: Expr, op: ast::BinaryOp, values: Expr, span: Span) {
        if op == ast::BinaryOp::Mul
            && (values.ty.scalar().is_some_and(|num| num.dtype.is_int()) || values.ty.is_silent())
        {
            let times = self.as_index(values);
            let change = self.repeat_in_place(list, times, span);
            if !change.ty.is_silent() {
                self.push(StmtKind::Eval(change), span);
            }
            return;
        }
        if op != ast::BinaryOp::Add {
            return self.later(span, &format!("`{}=` on a list", op.symbol()));
        }
        let change = self.extend_list(list, values, span);
        if !change.is_constant() && !change.ty.is_silent() {
            self.push(StmtKind::Eval(change), span);
        }
    }

    /// `array op= value`, into the same memory; the result must convert by `same_kind`.
    pub(in crate::typed) fn in_place(&mut self, array: Expr, op: ast::BinaryOp, value: Expr, span: Span) {
        if let Some(result) = self.result_in_place(&array, op, value, span) {
            self.effect(OpKind::Assign, vec![array, result], span);
        }
    }

    /// What `array op= value` stores.
    fn result_in_place(&mut self, array: &Expr, op: ast::BinaryOp, value: Expr, span: Span) -> Option<Expr> {
        let Ty::Array { dtype, rank } = array.ty else { return None };
        let result = self.binary(op, array.clone(), value, span);
        let num = result.ty.num()?;
        if !same_kind(num, dtype) {
            let from = Ty::array(num.dtype, rank);
            let headline = format!(
                "the result of `{}=` is {} and cannot be stored in {}",
                op.symbol(),
                num.dtype.numpy_name(),
                array.ty
            );
            let diagnostic = Diagnostic::error(code::INPLACE_DTYPE, headline)
                .primary(span, format!("gives {from}"))
                .secondary(array.span, format!("this is {}", array.ty))
                .help(new_array(op, dtype));
            self.report(diagnostic);
            return None;
        }
        if result.ty.rank().is_some_and(|r| r > rank) {
            let headline = format!("{} does not fit into {}", result.ty, array.ty);
            self.error(code::INPLACE_SHAPE, span, headline, "has more dimensions");
            return None;
        }
        Some(self.convert(result, Num::strong(dtype)))
    }

    /// `base[indices] op= value`.
    fn augment_element(
        &mut self,
        base: Expr,
        indices: &[ast::Expr],
        op: ast::BinaryOp,
        value: &ast::Expr,
        span: Span,
    ) {
        let Some(place) = self.place(base, indices, span) else {
            self.expr(value);
            return;
        };
        if let Place::Entry(dict, key) = place {
            return self.augment_item(&dict, key, op, value, span);
        }
        if let Place::Gather(_) | Place::Masked(..) = place {
            let mut computed = None;
            let before = self.block(|s| computed = Some(s.expr(value)));
            let computed = computed.expect("the block does it");
            // What a function of the program changes comes behind the reading, as in Python.
            let old = (self.calls_program(&computed) || self.call_program(&before)).then(|| {
                let old = self.read_place(&place, span);
                self.keep(old)
            });
            self.out.extend(before);
            return self.augment_gathered(&place, old, op, computed, span);
        }
        let old = self.read_place(&place, span);
        let old = self.keep(old);
        // A slice of a list is a new list.
        if is_changed_in_place(&old.ty) && !matches!(place, Place::Part(..)) {
            let value = self.expr(value);
            return self.change_object(old, op, value, span);
        }
        let value = self.either_expr(value);
        let result = self.binary(op, old, value, span);
        self.write_place(&place, result, span);
    }

    /// `array[indices] op= value` where the indices are arrays: an element that they name twice changes once.
    fn augment_gathered(
        &mut self,
        place: &Place,
        old: Option<Expr>,
        op: ast::BinaryOp,
        value: Expr,
        span: Span,
    ) {
        if let Place::Masked(array, mask) = place
            && old.is_none()
            && value.ty.scalar().is_some()
            && never_raises(op, array)
        {
            // What the others would become is computed as well, and dropped.
            let value = self.keep(value);
            if let Some(result) = self.result_in_place(array, op, value, span) {
                self.select_into(array, mask, result, span);
            }
            return;
        }
        let value = self.keep(value);
        let old = old.unwrap_or_else(|| {
            let old = self.read_place(place, span);
            self.keep(old)
        });
        if let Some(result) = self.result_in_place(&old, op, value, span) {
            self.effect(OpKind::Assign, vec![old.clone(), result], span);
            self.write_place(place, old, span);
        }
    }

    /// `base[indices] = value`.
    pub(in crate::typed) fn store(&mut self, base: Expr, indices: &[ast::Expr], value: Expr, span: Span) {
        if let Some(place) = self.place(base, indices, span) {
            self.write_place(&place, value, span);
        }
    }
}

/// Whether an operator on an array's elements and a number raises for no value of them.
fn never_raises(op: ast::BinaryOp, array: &Expr) -> bool {
    let float = array.ty.num().is_some_and(|num| num.dtype.is_float() || num.dtype.is_complex());
    match op {
        ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Mul => true,
        ast::BinaryOp::BitAnd | ast::BinaryOp::BitOr | ast::BinaryOp::BitXor => true,
        ast::BinaryOp::Div => float,
        _ => false,
    }
}

/// What to write instead of an operation in place whose result has another type.
fn new_array(op: ast::BinaryOp, dtype: pydd_ir::DType) -> String {
    if op == ast::BinaryOp::Div && dtype.is_int() {
        return "divide integers with `//=`, or make a new array: `b = a / …`".to_owned();
    }
    format!("make a new array: `b = a {} …`", op.symbol())
}
