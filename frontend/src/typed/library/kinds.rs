//! Questions about values that their types answer: `isinstance`, `np.issubdtype`, and those of the prelude.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::containers::list_ops::is_list;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::typed::types::dict_type::DictType;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{Space, Test};
use pydd_ir::{DType, SparseType};

/// Classes of values that no dtype stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Array,
    /// `np.generic`: NumPy's numbers of all types.
    Generic,
    Integer,
    Signed,
    Unsigned,
    Inexact,
    Floating,
    ComplexFloating,
    Number,
    List,
    Tuple,
    Range,
    Text,
}

impl Class {
    const OF_NUMPY: [(&str, Self); 9] = [
        ("ndarray", Self::Array),
        ("generic", Self::Generic),
        ("integer", Self::Integer),
        ("signedinteger", Self::Signed),
        ("unsignedinteger", Self::Unsigned),
        ("inexact", Self::Inexact),
        ("floating", Self::Floating),
        ("complexfloating", Self::ComplexFloating),
        ("number", Self::Number),
    ];
    const OF_PYTHON: [(&str, Self); 4] =
        [("list", Self::List), ("tuple", Self::Tuple), ("range", Self::Range), ("str", Self::Text)];

    /// Whether a value of a type is one; `None` where its type does not tell.
    fn holds(self, ty: &Ty) -> Option<bool> {
        if let Some(is) = self.of_numpy() {
            return match ty {
                // Of what compares NumPy's numbers it is not known whether it is NumPy's.
                Ty::Scalar(num) if num.dtype == DType::Bool => (self != Self::Generic).then_some(false),
                Ty::Scalar(num) => Some(!num.weak && is(num.dtype)),
                Ty::Either(_) => None,
                _ => Some(false),
            };
        }
        match self {
            Self::Array => Some(ty.is_array()),
            Self::List => Some(is_list(ty) || matches!(ty, Ty::Tuple(items) if items.is_list())),
            Self::Tuple => Some(matches!(ty, Ty::Tuple(items) if !items.is_list())),
            Self::Range => Some(*ty == Ty::Range),
            Self::Text => Some(*ty == Ty::Str),
            _ => None,
        }
    }

    /// The element types that are of a class of NumPy's numbers.
    fn of_numpy(self) -> Option<fn(DType) -> bool> {
        Some(match self {
            Self::Generic => |_| true,
            Self::Integer => DType::is_int,
            Self::Signed => DType::is_signed_int,
            Self::Unsigned => DType::is_unsigned_int,
            Self::Inexact => |dtype| dtype.is_float() || dtype.is_complex(),
            Self::Floating => DType::is_float,
            Self::ComplexFloating => DType::is_complex,
            Self::Number => |dtype| dtype != DType::Bool,
            _ => return None,
        })
    }
}

impl Infer<'_, '_> {
    /// `isinstance(x, classes)` where one of the classes is no type of numbers.
    pub(super) fn is_of_class(&mut self, value: &ast::Expr, classes: &ast::Expr, span: Span) -> Option<Expr> {
        let all = match &classes.kind {
            ast::ExprKind::Tuple(all) => all.as_slice(),
            _ => std::slice::from_ref(classes),
        };
        if !all.iter().any(|class| self.class(class).is_some()) {
            return None;
        }
        let value = self.expr(value);
        if value.ty.is_silent() {
            return Some(Expr::silent([&value], span));
        }
        let mut known = Some(false);
        for each in all {
            let is = match self.class(each) {
                Some(class) => class.holds(&value.ty),
                None => {
                    let class = self.expr(each);
                    match (&class.ty, &value.ty) {
                        (Ty::DType(_), Ty::Either(_)) => None,
                        (Ty::DType(wanted), Ty::Scalar(num)) => Some(is_subtype(*num, *wanted)),
                        (Ty::DType(_), _) => Some(false),
                        _ => return Some(self.not_a_type(&class)),
                    }
                }
            };
            known = match (known, is) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(a), Some(b)) => Some(a || b),
                _ => None,
            };
        }
        let Some(known) = known else {
            let headline = format!("whether {} is of this class is not known when compiling", value.ty);
            return Some(self.error(code::TYPE_MISMATCH, span, headline, "ask for its type instead"));
        };
        let before = Some(value).filter(|value| !value.is_constant()).map(StmtKind::Eval);
        Some(Self::seq(
            before.map(|before| Stmt::new(before, span)).into_iter().collect(),
            Expr::bool(known, span),
        ))
    }

    fn class(&self, expr: &ast::Expr) -> Option<Class> {
        let of =
            |all: &[(&str, Class)], name: &str| all.iter().find(|(n, _)| *n == name).map(|(_, class)| *class);
        match &expr.kind {
            ast::ExprKind::Attribute { value, attr } => {
                (self.static_module(value)? == Space::Numpy).then(|| of(&Class::OF_NUMPY, &attr.name))?
            }
            ast::ExprKind::Name(name) if self.name_index(name).is_none() && self.unit.is_builtin(name) => {
                of(&Class::OF_PYTHON, name)
            }
            _ => None,
        }
    }

    /// `np.issubdtype(dtype, kind)`: the kind is a class of NumPy's, or a type.
    pub(super) fn is_sub_dtype(&mut self, dtype: &ast::Expr, kind: &ast::Expr, span: Span) -> Expr {
        let one = self.expr(dtype);
        if one.ty.is_silent() {
            return Expr::silent([&one], span);
        }
        let Ty::DType(num) = one.ty else {
            let headline = "`np.issubdtype` takes an element type here";
            return self.error(code::TYPE_MISMATCH, one.span, headline, "such as `a.dtype` or `np.float64`");
        };
        if let Some(is) = self.class(kind).and_then(Class::of_numpy) {
            return Expr::bool(is(num.dtype), span);
        }
        let other = self.expr(kind);
        match other.ty {
            Ty::DType(wanted) => Expr::bool(num.dtype == wanted.dtype, span),
            _ if other.ty.is_silent() => Expr::silent([&other], span),
            _ => self.not_a_type(&other),
        }
    }

    pub(super) fn not_a_type(&mut self, types: &Expr) -> Expr {
        let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, "types of numbers are needed here")
            .primary(types.span, "not a type of numbers")
            .help("`int`, `float`, `complex`, `bool`, `np.float64`, `np.integer`, `np.ndarray` and the like, or a tuple of these");
        self.fail(diagnostic)
    }

    /// `type(x)`, to convert by it.
    pub(super) fn type_of(&mut self, value: Expr, span: Span) -> Expr {
        match value.ty {
            Ty::Scalar(num) => {
                self.keep(value);
                Expr::new(ExprKind::Static, Ty::TypeOf(num), span)
            }
            ref ty if ty.is_silent() => Expr::silent([&value], span),
            ref ty => {
                let headline = format!("`type` of {ty} is not known here");
                self.error(code::TYPE_MISMATCH, value.span, headline, "not a number of one type")
            }
        }
    }

    /// `isinstance(x, types)`, which the type of x decides.
    pub(super) fn is_instance(&mut self, args: &Arguments) -> Expr {
        let (value, types, span) = (args.value(0), args.value(1), args.span);
        let wanted: Option<Vec<Num>> = match &types.ty {
            Ty::DType(num) => Some(vec![*num]),
            Ty::Tuple(items) => items
                .iter()
                .map(|item| match item {
                    Ty::DType(num) => Some(*num),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let Some(wanted) = wanted else { return self.not_a_type(&types) };
        let known = match value.ty {
            Ty::Scalar(num) => wanted.iter().any(|&wanted| is_subtype(num, wanted)),
            _ => false,
        };
        let before = StmtKind::Eval(value);
        Self::seq(vec![Stmt::new(before, span)], Expr::bool(known, span))
    }
}

/// The type of an array's elements, a number's, or a dtype.
fn element(ty: &Ty) -> Option<DType> {
    match ty {
        Ty::DType(num) => Some(num.dtype),
        _ => ty.num().map(|num| num.dtype),
    }
}

pub(super) fn is(test: Test, ty: &Ty) -> bool {
    let holds = |sparse: SparseType| match test {
        Test::Sparse => true,
        Test::Csc => sparse.csc,
        Test::SparseArray => sparse.array,
        Test::OtherForm
        | Test::Tuple
        | Test::Float
        | Test::Integer
        | Test::PythonInteger
        | Test::PythonFloat
        | Test::OfBools
        | Test::OfIntegers
        | Test::OfFloats
        | Test::OfComplex
        | Test::Array
        | Test::LeftOut
        | Test::List
        | Test::HoldsDicts
        | Test::Generator
        | Test::Set
        | Test::Dict
        | Test::Counter => false,
    };
    match test {
        Test::OtherForm => matches!(ty, Ty::OtherForm(..)),
        Test::Tuple => matches!(ty, Ty::Tuple(_)),
        Test::Float => ty.scalar().is_some_and(Num::is_float),
        Test::Integer => ty.scalar().is_some_and(|num| num.dtype.is_int()),
        Test::PythonInteger => *ty == Ty::INT,
        Test::PythonFloat => *ty == Ty::FLOAT,
        Test::OfBools => element(ty) == Some(DType::Bool),
        Test::OfIntegers => element(ty).is_some_and(DType::is_int),
        Test::OfFloats => element(ty).is_some_and(DType::is_float),
        Test::OfComplex => element(ty).is_some_and(DType::is_complex),
        Test::Array => ty.is_array(),
        Test::LeftOut => *ty == Ty::Str,
        Test::List => is_list(ty),
        Test::HoldsDicts => ty.holds_dicts(),
        Test::Generator => *ty == Ty::Generator,
        Test::Set => ty.dict_type().is_some_and(DictType::is_set),
        Test::Counter => ty.dict_type().is_some_and(DictType::is_counter),
        Test::Dict => ty.dict_type().is_some_and(|dict| !dict.is_set()),
        _ => ty.sparse_type().is_some_and(holds),
    }
}

/// Whether numbers of one type are of another one in Python, which has bool below int, and NumPy's float64 and complex128
/// below float and complex.
fn is_subtype(num: Num, of: Num) -> bool {
    match (num.weak, of.weak) {
        (own, other) if own == other => {
            num.dtype == of.dtype || (own && num.dtype == DType::Bool && of == Num::INT)
        }
        (false, true) => num.dtype == of.dtype && matches!(num.dtype, DType::F64 | DType::C128),
        _ => false,
    }
}
