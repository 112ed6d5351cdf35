//! Questions about values that their types answer: `isinstance`, and those of the prelude.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::typed::dict_type::DictType;
use crate::typed::infer::Infer;
use crate::typed::list_ops::is_list;
use crate::typed::tree::{Expr, Stmt, StmtKind};
use crate::typed::ty::{Num, Ty};
use pydd_ir::catalogue::Test;
use pydd_ir::{DType, SparseType};

impl Infer<'_, '_> {
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
        let Some(wanted) = wanted else {
            let diagnostic =
                Diagnostic::error(code::TYPE_MISMATCH, "`isinstance` takes types of numbers here")
                    .primary(types.span, "not a type of numbers")
                    .help(
                        "`int`, `float`, `complex`, `bool`, `np.float64` and the like, or a tuple of these",
                    );
            return self.fail(diagnostic);
        };
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
