//! Questions about values that their types answer: `isinstance`, and those of the prelude.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast;
use crate::typed::containers::list_ops::is_list;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, Stmt, StmtKind};
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
    Floating,
    ComplexFloating,
    Number,
    List,
    Tuple,
    Text,
}

impl Class {
    const OF_NUMPY: [(&str, Self); 6] = [
        ("ndarray", Self::Array),
        ("generic", Self::Generic),
        ("integer", Self::Integer),
        ("floating", Self::Floating),
        ("complexfloating", Self::ComplexFloating),
        ("number", Self::Number),
    ];
    const OF_PYTHON: [(&str, Self); 3] = [("list", Self::List), ("tuple", Self::Tuple), ("str", Self::Text)];

    /// Whether a value of a type is one; `None` where its type does not tell.
    fn holds(self, ty: &Ty) -> Option<bool> {
        let of_numpy = |is: fn(DType) -> bool| match ty {
            // Of what compares NumPy's numbers it is not known whether it is NumPy's.
            Ty::Scalar(num) if num.dtype == DType::Bool => (self != Self::Generic).then_some(false),
            Ty::Scalar(num) => Some(!num.weak && is(num.dtype)),
            Ty::Either(_) => None,
            _ => Some(false),
        };
        match self {
            Self::Array => Some(ty.is_array()),
            Self::Generic => of_numpy(|_| true),
            Self::Integer => of_numpy(DType::is_int),
            Self::Floating => of_numpy(DType::is_float),
            Self::ComplexFloating => of_numpy(DType::is_complex),
            Self::Number => of_numpy(|dtype| dtype != DType::Bool),
            Self::List => Some(is_list(ty) || matches!(ty, Ty::Tuple(items) if items.is_list())),
            Self::Tuple => Some(matches!(ty, Ty::Tuple(items) if !items.is_list())),
            Self::Text => Some(*ty == Ty::Str),
        }
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

    fn not_a_type(&mut self, types: &Expr) -> Expr {
        let diagnostic = Diagnostic::error(code::TYPE_MISMATCH, "`isinstance` takes types of numbers here")
            .primary(types.span, "not a type of numbers")
            .help("`int`, `float`, `complex`, `bool`, `np.float64`, `np.integer`, `np.ndarray` and the like, or a tuple of these");
        self.fail(diagnostic)
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
