//! What annotations mean.

use super::dict_type::{Container, DictType, is_item, is_key};
use super::ty::{MAX_RANK, Num, Ty};
use crate::diagnostics::{Diagnostic, code, did_you_mean};
use crate::source::Span;
use crate::syntax::sizes::{self, Size};
use crate::syntax::types::{Passing, TypeExpr, TypeExprKind, rank_in};
use crate::typed::program::unit::{Global, Unit};
use pydd_ir::catalogue::{self, Algebra, Space};
use pydd_ir::{DType, Literal, SparseType};

/// One type that an annotation allows.
#[derive(Clone, PartialEq, Debug)]
pub enum Annotation {
    Type(Ty),
    /// `Array(T)`: the rank follows from the uses.
    Unranked(DType),
    /// One of the values of a `Literal`.
    Value(Literal),
}

/// Intrepydd's abbreviations.
const ABBREVIATIONS: [(&str, DType); 4] =
    [("J", DType::I64), ("I", DType::I32), ("D", DType::F64), ("F", DType::F32)];

/// Types of the language that are not compiled yet.
const LATER: [&str; 1] = ["str"];

type Result<T> = std::result::Result<T, Diagnostic>;

/// The types that an annotation allows, in the order written.
pub fn read(expr: &TypeExpr, unit: &Unit) -> Result<Vec<Annotation>> {
    match &expr.kind {
        TypeExprKind::Union(members) => {
            let mut all = Vec::new();
            for member in members {
                for annotation in read(member, unit)? {
                    if !all.contains(&annotation) {
                        all.push(annotation);
                    }
                }
            }
            Ok(all)
        }
        TypeExprKind::Apply { name, args } if is_union(&name.name) => {
            let mut members = args.clone();
            if head(&name.name) == "Optional" {
                members.push(TypeExpr { span: expr.span, kind: TypeExprKind::None });
            }
            read(&TypeExpr { span: expr.span, kind: TypeExprKind::Union(members) }, unit)
        }
        TypeExprKind::Apply { name, args } if is_array(&name.name) => array(expr, args, unit),
        TypeExprKind::Apply { name, args } if is_sparse(&name.name) => sparse(expr, &name.name, args, unit),
        TypeExprKind::Values(values) => Ok(each_value(values)),
        TypeExprKind::Passed { array, .. } | TypeExprKind::Sized { array, .. } => read(array, unit),
        _ => Ok(vec![Annotation::Type(one(expr, unit)?)]),
    }
}

/// Whether an annotation is `str`, which constants may be.
pub fn is_text(expr: &TypeExpr) -> bool {
    matches!(&expr.kind, TypeExprKind::Name(name) if name == "str")
}

/// How an annotation takes arrays: what is said of one of several types holds for all.
pub fn passing(expr: &TypeExpr) -> Passing {
    match &expr.kind {
        TypeExprKind::Passed { how, .. } => *how,
        TypeExprKind::Union(members) | TypeExprKind::Apply { args: members, .. } => {
            members.iter().map(passing).fold(Passing::default(), Passing::or)
        }
        _ => Passing::default(),
    }
}

/// Whether an annotation names lengths.
pub fn has_sizes(expr: &TypeExpr) -> bool {
    match &expr.kind {
        TypeExprKind::Sized { sizes, .. } => !sizes.is_empty(),
        TypeExprKind::Union(members)
        | TypeExprKind::Tuple(members)
        | TypeExprKind::Apply { args: members, .. } => members.iter().any(has_sizes),
        _ => false,
    }
}

/// The members of an annotation that is a union, however it is written; else itself.
pub fn alternatives(expr: &TypeExpr) -> Vec<&TypeExpr> {
    match &expr.kind {
        TypeExprKind::Union(members) => members.iter().flat_map(alternatives).collect(),
        TypeExprKind::Apply { name, args } if is_union(&name.name) => {
            args.iter().flat_map(alternatives).collect()
        }
        _ => vec![expr],
    }
}

/// The lengths that an annotation names for arrays of a type.
pub fn sizes_for<'e>(expr: &'e TypeExpr, ty: &Ty, unit: &Unit) -> &'e [Size] {
    let of_type = alternatives(expr).into_iter().find_map(|member| match &member.kind {
        TypeExprKind::Sized { array, sizes, .. } if allows(array, ty, unit) => Some(sizes.as_slice()),
        _ => None,
    });
    of_type.unwrap_or_default()
}

/// Where an annotation names lengths, and others for the same type before.
pub fn sized_twice(expr: &TypeExpr, unit: &Unit) -> Option<Span> {
    let members = alternatives(expr);
    let sizes = |member: &TypeExpr| match &member.kind {
        TypeExprKind::Sized { sizes, .. } => sizes.clone(),
        _ => Vec::new(),
    };
    let has_type_of = |member: &TypeExpr, other: &TypeExpr| match read(other, unit) {
        Ok(types) => types.iter().any(|ty| matches!(ty, Annotation::Type(ty) if allows(member, ty, unit))),
        Err(_) => false,
    };
    let differs = |at: usize| {
        let mut before = members[..at].iter().filter(|other| has_type_of(members[at], other));
        before.any(|other| sizes(other) != sizes(members[at]))
    };
    (1..members.len()).find(|&at| differs(at)).map(|at| members[at].span)
}

/// Whether a type is one of those that the annotation of an array allows.
pub fn allows(expr: &TypeExpr, ty: &Ty, unit: &Unit) -> bool {
    let of_type = |annotation: &Annotation| match annotation {
        Annotation::Type(allowed) => allowed == ty,
        Annotation::Unranked(dtype) => matches!(ty, Ty::Array { dtype: own, .. } if own == dtype),
        Annotation::Value(_) => false,
    };
    read(expr, unit).is_ok_and(|allowed| allowed.iter().any(of_type))
}

/// The values of a `Literal`, each once.
fn each_value(values: &[Option<Literal>]) -> Vec<Annotation> {
    let mut all = Vec::new();
    for value in values {
        let one = value.clone().map_or(Annotation::Type(Ty::None), Annotation::Value);
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// The type of an annotation that allows just one.
pub fn one(expr: &TypeExpr, unit: &Unit) -> Result<Ty> {
    let ty = open(expr, unit)?;
    match ty.open_rank() {
        Some(dtype) => Err(rank_needed(dtype, expr.span)),
        None if ty.is_open() => Err(later(&format!("{ty} in another type"), expr.span)),
        None => Ok(ty),
    }
}

/// As [`one`], for a result or a variable: the ranks of arrays may be left open.
pub fn open(expr: &TypeExpr, unit: &Unit) -> Result<Ty> {
    match &expr.kind {
        TypeExprKind::Error => Ok(Ty::Error),
        TypeExprKind::None => Ok(Ty::None),
        TypeExprKind::Name(name) => named(name, expr.span, unit),
        TypeExprKind::Tuple(items) => never_none(items).and_then(|()| tuple(items, unit)),
        TypeExprKind::Int(_) => Err(not_a_type("a number", expr.span)),
        TypeExprKind::Sized { class, array, .. } if has_choice(array) => {
            Err(several_elements(class, expr.span))
        }
        TypeExprKind::Sized { array, .. } => open(array, unit),
        _ if let Some(value) = value_or_none(expr) => maybe(value, expr.span, unit),
        TypeExprKind::Union(_) => Err(one_type_only(expr.span)),
        TypeExprKind::Passed { how, .. } => {
            let headline = format!("{} is for parameters alone, as a whole", how.keyword());
            let instead = if how.cast {
                "`.astype(…)` for a conversion"
            } else {
                "`np.asfortranarray(…)` for a copy"
            };
            Err(Diagnostic::error(code::ANNOTATION_SYNTAX, headline)
                .primary(expr.span, "not a parameter's type")
                .help(format!("it says how an argument from Python is taken; write {instead}")))
        }
        TypeExprKind::Values(_) => {
            Err(Diagnostic::error(code::ANNOTATION_SYNTAX, "`Literal` can only annotate a parameter")
                .primary(expr.span, "a type is expected here")
                .help("write the type of the values: `int`, `bool`"))
        }
        TypeExprKind::Apply { name, args } => {
            never_none(args).and_then(|()| apply(&name.name, args, expr.span, unit))
        }
    }
}

fn one_type_only(span: Span) -> Diagnostic {
    Diagnostic::error(code::ANNOTATION_SYNTAX, "a union of types can only annotate a parameter")
        .primary(span, "one type is expected here")
}

/// The error for what may be None within another type.
fn never_none(items: &[TypeExpr]) -> Result<()> {
    match items.iter().find(|item| value_or_none(item).is_some()) {
        Some(item) => Err(one_type_only(item.span)),
        None => Ok(()),
    }
}

/// What `A | None`, `Optional[A]` and `Union[A, None]` may be beside None.
fn value_or_none(expr: &TypeExpr) -> Option<&TypeExpr> {
    let is_none = |member: &&TypeExpr| matches!(member.kind, TypeExprKind::None);
    let optional = matches!(&expr.kind, TypeExprKind::Apply { name, .. } if head(&name.name) == "Optional");
    match alternatives(expr).as_slice() {
        [value] if optional => Some(value),
        [value, none] if is_none(none) && !is_none(value) => Some(value),
        [none, value] if is_none(none) && !is_none(value) => Some(value),
        _ => None,
    }
}

/// The type of variables and results that may be None.
fn maybe(value: &TypeExpr, span: Span, unit: &Unit) -> Result<Ty> {
    match open(value, unit)? {
        ty if ty.has_error() => Ok(Ty::Error),
        ty if ty.may_be_absent() && !ty.is_open() => Ok(Ty::Maybe(Box::new(ty))),
        ty => {
            Err(later(&format!("{ty} or None"), span).help("numbers, arrays and tuples of these may be None"))
        }
    }
}

/// Whether an array's elements, or those of an array inside a tuple, are of one of several types that one class stands for.
pub fn has_choice(expr: &TypeExpr) -> bool {
    match &expr.kind {
        TypeExprKind::Apply { args, .. }
            if matches!(args[..], [TypeExpr { kind: TypeExprKind::Union(_), .. }, ..]) =>
        {
            true
        }
        TypeExprKind::Apply { args: items, .. } | TypeExprKind::Tuple(items) => items.iter().any(has_choice),
        TypeExprKind::Sized { array, .. } => has_choice(array),
        _ => false,
    }
}

/// The type of a function's result; `None` where it follows from what is returned.
pub fn result(expr: &TypeExpr, unit: &Unit) -> Result<Option<Ty>> {
    let is_class = |expr: &TypeExpr| matches!(expr.kind, TypeExprKind::Sized { .. }) && has_choice(expr);
    let follows = match &expr.kind {
        TypeExprKind::Apply { args: items, .. } | TypeExprKind::Tuple(items) => items.iter().any(is_class),
        _ => is_class(expr),
    };
    if follows { Ok(None) } else { open(expr, unit).map(Some) }
}

fn several_elements(class: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        code::ANNOTATION_SYNTAX,
        format!("`{class}` stands for several types, and can only annotate parameters and results"),
    )
    .primary(span, "one type is expected here")
    .help("write the one that it is, as in `Float64[np.ndarray, \"n\"]`")
}

/// The names that `typing` has for unions.
pub fn is_union(name: &str) -> bool {
    matches!(head(name), "Optional" | "Union")
}

fn head(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn apply(name: &str, args: &[TypeExpr], span: Span, unit: &Unit) -> Result<Ty> {
    match head(name) {
        "Array" | "NDArray" => match array_parts(args, span, unit)? {
            (Ty::Scalar(num), Some(rank)) => Ok(Ty::array(num.dtype, rank)),
            (Ty::Scalar(num), None) => Ok(Ty::unranked(num.dtype)),
            _ => Ok(Ty::Error),
        },
        "List" | "list" => match args {
            [item] => match open(item, unit)? {
                item if item.has_error() => Ok(Ty::Error),
                item => match item.open_rank() {
                    Some(dtype) => Err(rank_needed(dtype, span)),
                    None => Ty::list_of(&item).ok_or_else(|| {
                        later(&format!("List({item})"), span)
                            .help("lists hold numbers, arrays, lists, dicts, sets, and tuples of these")
                    }),
                },
            },
            _ => Err(arity(name, "one type: `List(float64)`", span)),
        },
        "Heap" => {
            let items = args.iter().map(|arg| open(arg, unit)).collect::<Result<Vec<_>>>()?;
            let item = match items.as_slice() {
                [key] => key.clone(),
                [_, _] => Ty::Tuple(items.into()),
                _ => {
                    return Err(arity(
                        name,
                        "the type of a key, or those of a key and a value: `Heap(float, int)`",
                        span,
                    ));
                }
            };
            if item.has_error() {
                return Ok(Ty::Error);
            }
            let has_order = |heap: &Ty| !heap.holds_arrays() && !heap.holds_dicts();
            Ty::list_of(&item).filter(has_order).ok_or_else(|| {
                later(&format!("a heap of {item}"), span)
                    .help("heaps hold what has an order: numbers, lists, and tuples of these")
            })
        }
        "Dict" | "dict" => match args {
            [key, value] => dict(key, Some(value), unit),
            _ => Err(arity(name, "the types of keys and values: `Dict(int, float64)`", span)),
        },
        "Set" | "set" => match args {
            [key] => dict(key, None, unit),
            _ => Err(arity(name, "one type: `Set(int)`", span)),
        },
        "Tuple" | "tuple" => tuple(args, unit),
        "SparseMat" | "SparseArray" => {
            let (element, array, _) = sparse_parts(name, args, span)?;
            match one(element, unit)? {
                Ty::Scalar(num) => Ok(Ty::sparse(num.dtype, array)),
                Ty::Error => Ok(Ty::Error),
                _ => Err(not_an_element(element.span)),
            }
        }
        _ if args.is_empty() => named(name, span, unit),
        _ => match named(name, span, unit) {
            Ok(_) => Err(arity(name, "no arguments", span)),
            Err(error) => Err(error),
        },
    }
}

/// `Dict(K, V)`, or `Set(K)` without a value.
fn dict(key: &TypeExpr, value: Option<&TypeExpr>, unit: &Unit) -> Result<Ty> {
    let (of, span) = (open(key, unit)?, key.span);
    let held = value.map(|value| open(value, unit)).transpose()?.unwrap_or(Ty::None);
    if of.has_error() || held.has_error() {
        return Ok(Ty::Error);
    }
    if !is_key(&of) {
        return Err(later(&format!("{of} as a key"), span)
            .help("keys are integers, floats, bools, and tuples of these"));
    }
    if let Some(dtype) = held.open_rank() {
        return Err(rank_needed(dtype, value.map_or(span, |value| value.span)));
    }
    if let Some(value) = value.filter(|_| !is_item(&held)) {
        let diagnostic = later(&format!("Dict({of}, {held})"), value.span);
        return Err(diagnostic.help("dicts hold numbers, arrays, lists, dicts, sets, and tuples of these"));
    }
    let container = if value.is_some() { Container::Dict } else { Container::Set };
    Ok(Ty::Dict(Box::new(DictType { key: of, value: held, container })))
}

fn array(expr: &TypeExpr, args: &[TypeExpr], unit: &Unit) -> Result<Vec<Annotation>> {
    let Some((element, rank)) = args.split_first() else {
        return Err(arity("Array", "an element type and a rank: `Array(float64, 2)`", expr.span));
    };
    let rank = rank_of(rank, expr.span)?;
    let mut all = Vec::new();
    for choice in read(element, unit)? {
        all.push(match (choice, rank) {
            (Annotation::Type(Ty::Scalar(num)), Some(rank)) => Annotation::Type(Ty::array(num.dtype, rank)),
            (Annotation::Type(Ty::Scalar(num)), None) => Annotation::Unranked(num.dtype),
            (Annotation::Type(Ty::Error), _) => Annotation::Type(Ty::Error),
            _ => return Err(not_an_element(element.span)),
        });
    }
    Ok(all)
}

/// `NDArray[np.float64]` is NumPy's spelling of an array whose number of axes is not said.
fn is_array(name: &str) -> bool {
    matches!(head(name), "Array" | "NDArray")
}

fn is_sparse(name: &str) -> bool {
    matches!(head(name), "SparseMat" | "SparseArray")
}

/// A sparse matrix with each choice of its elements and, where the annotation does not say it, of its indices.
fn sparse(expr: &TypeExpr, name: &str, args: &[TypeExpr], unit: &Unit) -> Result<Vec<Annotation>> {
    let (element, array, index) = sparse_parts(name, args, expr.span)?;
    let indices = match index.map(|index| one(index, unit)).transpose()? {
        Some(Ty::Error) => return Ok(vec![Annotation::Type(Ty::Error)]),
        Some(Ty::Scalar(Num { dtype: index @ (DType::I32 | DType::I64), .. })) => vec![index],
        Some(_) => {
            let headline = "indices of a sparse matrix are int32 or int64";
            let span = index.map_or(expr.span, |index| index.span);
            return Err(
                Diagnostic::error(code::ANNOTATION_ARGUMENTS, headline).primary(span, "not one of them")
            );
        }
        None => vec![DType::I32, DType::I64],
    };
    let mut all = Vec::new();
    for choice in read(element, unit)? {
        match choice {
            Annotation::Type(Ty::Scalar(num)) => {
                for &index in &indices {
                    let sparse = SparseType { dtype: num.dtype, index, array, csc: false };
                    all.push(Annotation::Type(Ty::Sparse(sparse)));
                }
            }
            Annotation::Type(Ty::Error) => all.push(Annotation::Type(Ty::Error)),
            _ => return Err(not_an_element(element.span)),
        }
    }
    Ok(all)
}

/// The element type of `SparseMat(T)` or `SparseArray(T, 2)`, whether it is the latter, and the type of indices, which may follow.
fn sparse_parts<'a>(
    name: &str,
    args: &'a [TypeExpr],
    span: Span,
) -> Result<(&'a TypeExpr, bool, Option<&'a TypeExpr>)> {
    match (head(name), args) {
        ("SparseMat", [element]) => Ok((element, false, None)),
        ("SparseMat", [element, index]) if index.is_type() => Ok((element, false, Some(index))),
        ("SparseMat", _) => Err(arity("SparseMat", "an element type: `SparseMat(float64)`", span)),
        (_, [element]) => Ok((element, true, None)),
        (_, [element, TypeExpr { kind: TypeExprKind::Int(2), .. }]) => Ok((element, true, None)),
        (_, [element, TypeExpr { kind: TypeExprKind::Int(2), .. }, index]) if index.is_type() => {
            Ok((element, true, Some(index)))
        }
        (_, [_, rank]) => Err(Diagnostic::error(
            code::ANNOTATION_ARGUMENTS,
            "a sparse array has two dimensions: `SparseArray(float64, 2)`",
        )
        .primary(rank.span, "not 2")),
        _ => Err(arity("SparseArray", "an element type and 2: `SparseArray(float64, 2)`", span)),
    }
}

fn array_parts(args: &[TypeExpr], span: Span, unit: &Unit) -> Result<(Ty, Option<u8>)> {
    let Some((element, rank)) = args.split_first() else {
        return Err(arity("Array", "an element type and a rank: `Array(float64, 2)`", span));
    };
    match one(element, unit)? {
        ty @ (Ty::Scalar(_) | Ty::Error) => Ok((ty, rank_of(rank, span)?)),
        _ => Err(not_an_element(element.span)),
    }
}

fn rank_of(args: &[TypeExpr], span: Span) -> Result<Option<u8>> {
    match args {
        [] => Ok(None),
        [TypeExpr { kind: TypeExprKind::Int(rank), .. }] if *rank <= u32::from(MAX_RANK) => {
            Ok(Some(*rank as u8))
        }
        [other] => Err(Diagnostic::error(
            code::ANNOTATION_ARGUMENTS,
            "the rank of an array is a number from 0 to 16",
        )
        .primary(other.span, "not a rank")),
        _ => Err(arity("Array", "an element type and a rank: `Array(float64, 2)`", span)),
    }
}

fn tuple(items: &[TypeExpr], unit: &Unit) -> Result<Ty> {
    items.iter().map(|item| open(item, unit)).collect::<Result<Vec<_>>>().map(|items| Ty::Tuple(items.into()))
}

/// A scalar type by name, also under a module: `np.float64`.
fn named(name: &str, span: Span, unit: &Unit) -> Result<Ty> {
    if let Some(num) = scalar(name, unit) {
        return Ok(Ty::Scalar(num));
    }
    let last = head(name);
    if last == "Generator" {
        return Ok(Ty::Generator);
    }
    if last == "Literal" {
        return Err(arity(last, "the values that are allowed: `Literal[\"sum\", \"mean\"]`", span));
    }
    if LATER.contains(&last) {
        return Err(later(last, span));
    }
    if rank_in(last).is_some() {
        return Err(arity(last, &format!("the type of its elements: `{last}[float64]`"), span));
    }
    if sizes::is_class(last) {
        let example = format!("an array and its lengths: `{last}[np.ndarray, \"m k\"]`");
        return Err(arity(last, &example, span));
    }
    if let "Array" | "List" | "list" | "Tuple" | "tuple" | "SparseMat" | "SparseArray" | "Dict" | "dict"
    | "Set" | "set" = last
    {
        let example = "what it holds: `Array(float64, 2)`, `List(int64)`, `SparseMat(float64)`";
        return Err(arity(last, example, span));
    }
    Err(match unit.global(name) {
        Some(Global::Constant(_)) => no_type(name, "a constant of the module", span, unit)
            .help("write a type, or give one that name: `T = float64`"),
        Some(Global::Function(_)) => no_type(name, "a function", span, unit),
        Some(Global::Module(_)) => no_type(name, "a module", span, unit),
        Some(Global::Exception(_)) => no_type(name, "an exception", span, unit),
        _ => unknown(name, span, unit),
    })
}

fn scalar(name: &str, unit: &Unit) -> Option<Num> {
    let found = match name.rsplit_once('.') {
        Some((module, last)) => match unit.global(module)? {
            Global::Module(space) => catalogue::find(space, last),
            _ => None,
        },
        None => match unit.global(name) {
            Some(Global::Library(found)) => Some(found),
            _ => catalogue::find(Space::Bare, name),
        },
    };
    match found.map(|f| f.entry.algebra) {
        Some(Algebra::Convert { dtype, weak }) => Some(Num { dtype, weak }),
        _ => {
            let abbreviation = ABBREVIATIONS.iter().find(|(short, _)| *short == name);
            abbreviation.map(|(_, dtype)| Num::strong(*dtype))
        }
    }
}

/// The error for a name that stands for something else than a type.
fn no_type(name: &str, what: &str, span: Span, unit: &Unit) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(code::ANNOTATION_UNKNOWN_TYPE, format!("`{name}` is not a type"))
        .primary(span, format!("{what}, not a type"));
    if let Some(defined) = unit.definition(name) {
        diagnostic = diagnostic.secondary(defined, "defined here");
    }
    diagnostic
}

fn unknown(name: &str, span: Span, unit: &Unit) -> Diagnostic {
    let types = catalogue::names(Space::Bare).filter(|name| {
        let entry = catalogue::find(Space::Bare, name);
        entry.is_some_and(|found| matches!(found.entry.algebra, Algebra::Convert { .. }))
    });
    let mut known: Vec<&str> = types.collect();
    known.extend(["Array", "List", "Dict", "Set", "Tuple", "SparseMat", "SparseArray"]);
    known.extend(unit.aliases());
    let near = did_you_mean(name, known);
    let help = match head(name) {
        "ndarray" | "NDArray" | "ArrayLike" => {
            Some("write the element type and the number of dimensions: `Array(float64, 2)`".to_owned())
        }
        _ => near.map(|near| format!("did you mean `{near}`?")),
    };
    Diagnostic::error(code::ANNOTATION_UNKNOWN_TYPE, format!("`{name}` is not a type"))
        .primary(span, "not a type")
        .maybe_help(help)
}

fn not_a_type(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::ANNOTATION_SYNTAX, format!("{what} is not a type"))
        .primary(span, "expected a type")
}

fn not_an_element(span: Span) -> Diagnostic {
    Diagnostic::error(code::ANNOTATION_SYNTAX, "the elements of an array are numbers")
        .primary(span, "not a type of number")
}

fn arity(name: &str, expected: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::ANNOTATION_ARGUMENTS, format!("`{name}` takes {expected}"))
        .primary(span, "wrong in this type")
}

fn later(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::UNSUPPORTED_YET, format!("`{what}` is not supported yet"))
        .primary(span, "not supported yet")
}

/// The error for `Array(T)` where the rank must be written.
pub fn rank_needed(dtype: DType, span: Span) -> Diagnostic {
    let name = dtype.numpy_name();
    Diagnostic::error(code::CANNOT_INFER_TYPE, "the rank of this array is not known")
        .primary(span, "no rank here")
        .help(format!("write the number of dimensions: `Array({name}, 1)` or `Array({name}, 2)`"))
}
