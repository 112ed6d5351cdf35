//! Parameters: what their annotations allow, and which functions are exported.

use super::tree::{self, Expr};
use super::unit::{Global, Unit};
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, FunctionDef};
use crate::syntax::types::{Passing, TypeExpr};
use crate::typed::flow::infer;
use crate::typed::types::annotation::{self, Annotation, rank_needed};
use crate::typed::types::convert;
use crate::typed::types::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::Literal;
use pydd_ir::catalogue::{self, Algebra, Found};
use std::fmt;

/// More versions of one function are refused.
pub const MAX_OVERLOADS: usize = 32;

/// So many at most are of arrays whose ranks differ from each other where none is written.
const MAX_RANKS: usize = 16;

/// The ranks that arrays may have whose annotation and uses say none.
const RANKS: [u8; 3] = [1, 2, 3];

/// What a parameter is in a version of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub ty: Ty,
    /// The one value that it has, of those that a `Literal` lists.
    pub value: Option<Literal>,
}

impl Choice {
    pub fn of_type(ty: Ty) -> Self {
        Self { ty, value: None }
    }

    pub fn of_value(value: &Literal, span: Span) -> Self {
        Self { ty: Expr::of_literal(value.clone(), span).ty, value: Some(value.clone()) }
    }

    /// What stands for the parameter in the version, where it is no variable there.
    pub fn constant(&self, span: Span) -> Option<Expr> {
        let none = (self.ty == Ty::None).then(|| Expr::none(span));
        none.or_else(|| self.value.clone().map(|value| Expr::of_literal(value, span)))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => f.write_str(&value.python()),
            None => self.ty.fmt(f),
        }
    }
}

/// What the parameters of a function allow.
pub struct Signature {
    /// For each parameter the types it may have and where they are written; `None`: any (a template).
    pub params: Vec<Option<(Vec<Annotation>, Span)>>,
    /// How each parameter takes arrays.
    pub passing: Vec<Passing>,
    /// The annotated result, unless it leaves something open.
    pub result: Option<Ty>,
}

impl Signature {
    /// A function in which no parameter is annotated, but has some, is made for the types of each call.
    pub fn is_template(def: &FunctionDef) -> bool {
        let written = &def.params[..def.params.len() - def.captures.unwrap_or(0)];
        let some = def.captures.is_some() || !written.is_empty();
        some && written.iter().all(|p| p.annotation.is_none())
    }

    /// Whether some parameter is an array whose rank is not written.
    pub fn has_unranked(&self) -> bool {
        let mut allowed = self.params.iter().flatten().flat_map(|(allowed, _)| allowed);
        allowed.any(|a| matches!(a, Annotation::Unranked(_)))
    }

    /// Whether some parameter is a random generator.
    pub fn takes_generator(&self) -> bool {
        let mut allowed = self.params.iter().flatten().flat_map(|(allowed, _)| allowed);
        allowed.any(|a| matches!(a, Annotation::Type(Ty::Generator)))
    }

    pub fn of(def: &FunctionDef, unit: &Unit) -> Result<Self, Diagnostic> {
        let result = match &def.returns {
            Some(returns) => annotation::result(returns, unit)?.filter(|ty| !ty.is_open()),
            None => None,
        };
        if Self::is_template(def) {
            let count = def.params.len();
            return Ok(Self { params: vec![None; count], passing: vec![Passing::default(); count], result });
        }
        let (mut params, mut passing) = (Vec::new(), Vec::new());
        let captured_from = def.params.len() - def.captures.unwrap_or(0);
        for (index, param) in def.params.iter().enumerate() {
            if index >= captured_from {
                params.push(None);
                passing.push(Passing::default());
                continue;
            }
            let written = written(def, index);
            if let Some(span) = written.and_then(|written| annotation::sized_twice(written, unit)) {
                return Err(sizes_differ(span));
            }
            let (mut allowed, span) = match written {
                Some(written) => (annotation::read(written, unit)?, written.span),
                None => (vec![Annotation::Type(from_default(param, unit)?)], param.span),
            };
            // What is left out is what the default is, as in Python.
            let none = Annotation::Type(Ty::None);
            if is_none(param, unit) && !allowed.contains(&none) {
                allowed.push(none);
            }
            let how = written.map_or(Passing::default(), annotation::passing);
            if how.cast && allowed.iter().filter(|a| is_array(a)).count() > 1 {
                return Err(several_casts(span));
            }
            params.push(Some((allowed, span)));
            passing.push(how);
        }
        Ok(Self { params, passing, result })
    }
}

fn is_array(annotation: &Annotation) -> bool {
    matches!(annotation, Annotation::Unranked(_) | Annotation::Type(Ty::Array { .. }))
}

fn sizes_differ(span: Span) -> Diagnostic {
    let headline = "arrays of one type have the same lengths in all parts of an annotation";
    Diagnostic::error(code::ANNOTATION_ARGUMENTS, headline)
        .primary(span, "the same type stands before, with other lengths")
        .help("write it once, with `_` for what may be anything")
}

fn several_casts(span: Span) -> Diagnostic {
    Diagnostic::error(code::ANNOTATION_ARGUMENTS, "a parameter with `cast=True` has one type of arrays")
        .primary(span, "what another array is converted to is not clear")
        .help("write one of the types, or leave `cast=True` out")
}

/// Whether the default of a parameter is None.
fn is_none(param: &ast::Param, unit: &Unit) -> bool {
    let default = param.default.as_ref().and_then(|default| constant(default, unit));
    default.is_some_and(|value| value.ty == Ty::None)
}

/// The default as a value of what a parameter is, where it is one: a number, None, or the one value.
pub fn default_as(default: &Expr, choice: &Choice) -> Option<Literal> {
    if let Some(value) = &choice.value {
        return default.as_literal().filter(|default| default == value);
    }
    match (&choice.ty, &default.ty) {
        // That there is one is all there is to say.
        (Ty::None, Ty::None) => Some(Literal::Bool(false)),
        (Ty::Scalar(to), Ty::Scalar(from))
            if promote::same_kind(*from, to.dtype) && fits(default, to.dtype) =>
        {
            match convert::constant(default.clone(), *to).kind {
                tree::ExprKind::Literal(literal) => Some(literal),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an integer type holds a constant.
fn fits(value: &Expr, dtype: pydd_ir::DType) -> bool {
    let (least, greatest) = promote::int_range(dtype);
    value.as_wide_int().is_none_or(|value| !dtype.is_int() || (least..=greatest).contains(&value))
}

/// The annotation of a parameter: its own, or the next to its right.
pub fn written(def: &FunctionDef, index: usize) -> Option<&TypeExpr> {
    def.params[index..].iter().find_map(|param| param.annotation.as_ref())
}

/// A parameter without annotation after the last annotation has the type of its default.
fn from_default(param: &ast::Param, unit: &Unit) -> Result<Ty, Diagnostic> {
    if let Some(value) = param.default.as_ref().and_then(|default| constant(default, unit)) {
        return Ok(value.ty);
    }
    let name = &param.name.name;
    Err(Diagnostic::error(code::CANNOT_INFER_TYPE, format!("parameter `{name}` has no type"))
        .primary(param.span, "no annotation here or to its right")
        .help(format!("annotate it: `{name}: float64`")))
}

/// Constants that defaults refer to, this deep at most.
const MAX_DEPTH: usize = 50;

/// The value of a constant expression, as defaults are.
pub fn constant(expr: &ast::Expr, unit: &Unit) -> Option<Expr> {
    constant_in(expr, unit, 0)
}

fn constant_in(expr: &ast::Expr, unit: &Unit, depth: usize) -> Option<Expr> {
    let span = expr.span;
    let constant = |part: &ast::Expr| constant_in(part, unit, depth + 1);
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match &expr.kind {
        ast::ExprKind::Name(name) => match unit.global(name)? {
            Global::Constant(at) if !unit.is_bad_constant(at) => {
                as_annotated(constant(unit.constant(at, name)?)?, unit.annotation_of_constant(at, name), unit)
            }
            Global::Library(found) => number_of(found, span)?,
            Global::Function(at) => Expr::function(unit.index, at, span),
            _ => return None,
        },
        ast::ExprKind::Attribute { value, attr } => {
            let ast::ExprKind::Name(module) = &value.kind else { return None };
            let Global::Module(space) = unit.global(module)? else { return None };
            number_of(catalogue::find(space, &attr.name)?, span)?
        }
        ast::ExprKind::Int(value) => Expr::int(i64::try_from(*value).ok()?, span),
        ast::ExprKind::Float(value) => Expr::float(*value, span),
        ast::ExprKind::Imaginary(value) => {
            let literal = tree::ExprKind::Literal(Literal::Complex(0, value.to_bits()));
            Expr::new(literal, Ty::Scalar(Num::COMPLEX), span)
        }
        ast::ExprKind::Bool(value) => Expr::bool(*value, span),
        ast::ExprKind::None => Expr::none(span),
        ast::ExprKind::Str(text) => Expr::new(tree::ExprKind::Text(text.clone()), Ty::Str, span),
        ast::ExprKind::Unary { op: ast::UnaryOp::Neg, operand } => {
            let value = constant(operand)?;
            match value.kind {
                tree::ExprKind::Literal(Literal::Int(v)) => Expr::int(v.checked_neg()?, span),
                tree::ExprKind::Literal(Literal::Float(bits)) => Expr::float(-f64::from_bits(bits), span),
                _ => return None,
            }
        }
        ast::ExprKind::Binary { op, left, right } => {
            arithmetic(*op, constant(left)?, constant(right)?, span)?
        }
        ast::ExprKind::Tuple(items) => {
            let items = items.iter().map(constant).collect::<Option<Vec<_>>>()?;
            infer::Infer::tuple(items, span)
        }
        _ => return None,
    })
}

/// A number of the type that its annotation says.
fn as_annotated(value: Expr, annotation: Option<&TypeExpr>, unit: &Unit) -> Expr {
    let declared = annotation.and_then(|annotation| annotation::one(annotation, unit).ok());
    match (declared, &value.ty) {
        (Some(Ty::Scalar(to)), Ty::Scalar(from)) if promote::same_kind(*from, to.dtype) => {
            convert::constant(value, to)
        }
        _ => value,
    }
}

/// `np.inf` and its like.
fn number_of(found: Found, span: Span) -> Option<Expr> {
    match found.entry.algebra {
        Algebra::Constant(value) => Some(Expr::float(value, span)),
        _ => None,
    }
}

/// Arithmetic of two constants of Python's own.
fn arithmetic(op: ast::BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
    use ast::BinaryOp;
    if let (Some(a), Some(b)) = (left.as_int(), right.as_int())
        && op != BinaryOp::Div
    {
        return Some(match op {
            BinaryOp::Add => Expr::int(a.checked_add(b)?, span),
            BinaryOp::Sub => Expr::int(a.checked_sub(b)?, span),
            BinaryOp::Mul => Expr::int(a.checked_mul(b)?, span),
            BinaryOp::Pow => Expr::int(a.checked_pow(u32::try_from(b).ok()?)?, span),
            _ => return None,
        });
    }
    let float = |value: Expr| match convert::constant(value, Num::FLOAT).kind {
        tree::ExprKind::Literal(Literal::Float(bits)) => Some(f64::from_bits(bits)),
        _ => None,
    };
    let (a, b) = (float(left)?, float(right)?);
    Some(Expr::float(
        match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div if b != 0.0 => a / b,
            _ => return None,
        },
        span,
    ))
}

/// All combinations of parameter types of an exported function. An array without a rank takes the rank that
/// its uses imply, and where they imply none, there is a version for each of the first three.
pub fn overloads(
    def: &FunctionDef,
    signature: &Signature,
    unit: &Unit,
    implied: &mut dyn FnMut(&str) -> Option<u8>,
) -> Result<Vec<Vec<Choice>>, Diagnostic> {
    let all = all_overloads(def, signature, implied)?;
    // The first version has the signature that Python shows, with all defaults.
    let defaults: Vec<Option<Expr>> =
        def.params.iter().map(|p| p.default.as_ref().and_then(|default| constant(default, unit))).collect();
    let lacks = |choices: &[Choice]| {
        let pairs = choices.iter().zip(&defaults);
        pairs
            .filter(|(choice, default)| default.as_ref().is_some_and(|d| default_as(d, choice).is_none()))
            .count()
    };
    let mut sorted = all;
    sorted.sort_by_key(|choices| lacks(choices));
    Ok(sorted)
}

fn all_overloads(
    def: &FunctionDef,
    signature: &Signature,
    implied: &mut dyn FnMut(&str) -> Option<u8>,
) -> Result<Vec<Vec<Choice>>, Diagnostic> {
    let most = if signature.has_unranked() { MAX_RANKS } else { MAX_OVERLOADS };
    match combinations(def, signature, (&RANKS, most), implied) {
        Ok(all) => Ok(all),
        // Then all arrays whose rank is open have the same.
        Err(why) if signature.has_unranked() => {
            let mut all = Vec::new();
            for rank in RANKS {
                let more = combinations(def, signature, (&[rank], MAX_OVERLOADS), implied);
                let more = more.map_err(|_| why.clone())?;
                all.extend(more.into_iter().filter(|types| !all.contains(types)).collect::<Vec<_>>());
            }
            if all.len() > MAX_OVERLOADS { Err(why) } else { Ok(all) }
        }
        Err(why) => Err(why),
    }
}

/// All combinations of parameter types, arrays whose rank is open being of one of `ranks`; an error where they are more than `most`.
fn combinations(
    def: &FunctionDef,
    signature: &Signature,
    (ranks, most): (&[u8], usize),
    implied: &mut dyn FnMut(&str) -> Option<u8>,
) -> Result<Vec<Vec<Choice>>, Diagnostic> {
    let mut all: Vec<Vec<Choice>> = vec![Vec::new()];
    for (param, allowed) in def.params.iter().zip(&signature.params) {
        let Some((allowed, span)) = allowed else { return Ok(Vec::new()) };
        let mut choices = Vec::new();
        for annotation in allowed {
            match annotation {
                Annotation::Type(ty) => choices.push(Choice::of_type(ty.clone())),
                Annotation::Value(value) => choices.push(Choice::of_value(value, *span)),
                Annotation::Unranked(dtype) => match implied(&param.name.name) {
                    Some(rank) => choices.push(Choice::of_type(Ty::array(*dtype, rank))),
                    None => {
                        choices.extend(ranks.iter().map(|&rank| Choice::of_type(Ty::array(*dtype, rank))))
                    }
                },
            }
        }
        all = all
            .iter()
            .flat_map(|prefix| {
                let fitting = choices.iter().filter(|choice| same_indices(prefix, &choice.ty));
                fitting.map(|choice| prefix.iter().cloned().chain([choice.clone()]).collect::<Vec<_>>())
            })
            .collect();
        if all.len() > most {
            return Err(too_many(def, signature, allowed, *span));
        }
    }
    Ok(all)
}

/// The indices of all sparse matrices of a version are of one type, which those of the call are widened to.
fn same_indices(prefix: &[Choice], ty: &Ty) -> bool {
    let Some(own) = ty.sparse_type() else { return true };
    prefix.iter().filter_map(|choice| choice.ty.sparse_type()).all(|other| other.index == own.index)
}

fn too_many(def: &FunctionDef, signature: &Signature, allowed: &[Annotation], span: Span) -> Diagnostic {
    let unranked = allowed.iter().find_map(|a| match a {
        Annotation::Unranked(dtype) => Some(*dtype),
        _ => None,
    });
    if let Some(dtype) = unranked {
        return rank_needed(dtype, span);
    }
    let factors = def.params.iter().zip(&signature.params).filter_map(|(param, allowed)| {
        let count = allowed.as_ref().map_or(1, |(allowed, _)| allowed.len());
        (count > 1).then(|| format!("{count} of `{}`", param.name.name))
    });
    Diagnostic::error(
        code::TOO_MANY_SPECIALIZATIONS,
        format!("function `{}` has more than {MAX_OVERLOADS} versions", def.name.name),
    )
    .primary(span, format!("a version for each combination: {}", factors.collect::<Vec<_>>().join(" times ")))
    .help(
        "take `int` or `bool` for a value that may be looked at when the program runs, or split the function",
    )
}
