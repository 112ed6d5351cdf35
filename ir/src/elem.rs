//! Scalar operations, which are elementwise operations when an operand is an array.

use crate::op::Literal;
use crate::types::DType;

/// What an elementwise operation's result type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElemResult {
    /// The operands' type.
    Same,
    Bool,
    /// The type of a complex operand's parts.
    Real,
    /// The complex type made of the operands' type.
    Complex,
}

/// Which types an elementwise operation takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElemDomain {
    Any,
    /// Everything but bool.
    Number,
    /// Integers and bool.
    Integral,
    Int,
    /// float32 and float64.
    Float,
    /// Floats and complex.
    Inexact,
    Complex,
    Bool,
    /// Ordered types: everything but complex.
    Real,
}

impl ElemDomain {
    #[must_use]
    pub const fn contains(self, d: DType) -> bool {
        match self {
            Self::Any => true,
            Self::Number => !matches!(d, DType::Bool),
            Self::Integral => d.is_int() || matches!(d, DType::Bool),
            Self::Int => d.is_int(),
            Self::Float => d.is_float(),
            Self::Inexact => d.is_float() || d.is_complex(),
            Self::Complex => d.is_complex(),
            Self::Bool => matches!(d, DType::Bool),
            Self::Real => !d.is_complex(),
        }
    }
}

macro_rules! elem_ops {
    ($( $(#[$doc:meta])* $name:ident, $text:literal, $arity:literal, $domain:ident, $result:ident; )*) => {
        /// An operation on scalars of one type, applied to each element of arrays with broadcasting.
        ///
        /// All operands have the same element type (conversions are explicit), except that `Select`'s
        /// first is bool. Integer arithmetic wraps. Float arithmetic is IEEE.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum ElemOp { $( $(#[$doc])* $name, )* }

        impl ElemOp {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Mnemonic of the text form.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            #[must_use]
            pub const fn arity(self) -> usize {
                match self { $(Self::$name => $arity),* }
            }

            #[must_use]
            pub const fn domain(self) -> ElemDomain {
                match self { $(Self::$name => ElemDomain::$domain),* }
            }

            #[must_use]
            pub const fn result(self) -> ElemResult {
                match self { $(Self::$name => ElemResult::$result),* }
            }
        }
    };
}

elem_ops! {
    /// Sum; `or` on bool is written `LogicalOr`, so bool is no operand here.
    Add, "add", 2, Number, Same;
    Sub, "sub", 2, Number, Same;
    Mul, "mul", 2, Number, Same;
    /// True division, on floats and complex only: integers are converted first.
    Div, "div", 2, Inexact, Same;
    /// Python's `//`: rounds down. Integers: array IR raises ZeroDivisionError for 0; loop IR (behind
    /// its check) gives 0. INT_MIN // -1 wraps. Floats: NumPy's floor_divide.
    FloorDiv, "floordiv", 2, Real, Same;
    /// Python's `%`: the sign of the divisor. Integers by 0 as `FloorDiv`.
    Mod, "mod", 2, Real, Same;
    /// C's remainder (`np.fmod`): the sign of the dividend. Integers by 0 as `FloorDiv`.
    Fmod, "fmod", 2, Real, Same;
    /// Power. A negative integer exponent of an integer: array IR raises ValueError, loop IR gives 0.
    Pow, "pow", 2, Number, Same;
    Neg, "neg", 1, Number, Same;
    /// Absolute value; the modulus of complex numbers is a `Real`.
    Abs, "abs", 1, Number, Real;
    /// Smaller of two; NaN wins over numbers (`np.minimum`). Of two zeros the second, here and in the next three; where
    /// floats may be reassociated, an accumulation of them gives any.
    Min, "min", 2, Real, Same;
    /// Greater of two; NaN wins over numbers (`np.maximum`).
    Max, "max", 2, Real, Same;
    /// `np.fmin`: numbers win over NaN.
    Fmin, "fmin", 2, Float, Same;
    /// `np.fmax`: numbers win over NaN.
    Fmax, "fmax", 2, Float, Same;
    Eq, "eq", 2, Any, Bool;
    Ne, "ne", 2, Any, Bool;
    /// `<`; complex numbers are ordered by real, then imaginary part, as NumPy does.
    Lt, "lt", 2, Any, Bool;
    Le, "le", 2, Any, Bool;
    Gt, "gt", 2, Any, Bool;
    Ge, "ge", 2, Any, Bool;
    And, "and", 2, Integral, Same;
    Or, "or", 2, Integral, Same;
    Xor, "xor", 2, Integral, Same;
    /// Bitwise complement; on bool the logical one.
    Not, "not", 1, Integral, Same;
    /// `<<`: 0 for counts past the width; a negative count gives 0 too.
    Shl, "shl", 2, Int, Same;
    /// `>>`: arithmetic on signed types; counts past the width (or negative) give 0 or -1 by the sign.
    Shr, "shr", 2, Int, Same;
    Sqrt, "sqrt", 1, Inexact, Same;
    Cbrt, "cbrt", 1, Float, Same;
    Exp, "exp", 1, Inexact, Same;
    Exp2, "exp2", 1, Float, Same;
    Expm1, "expm1", 1, Float, Same;
    Log, "log", 1, Inexact, Same;
    Log2, "log2", 1, Float, Same;
    Log10, "log10", 1, Float, Same;
    Log1p, "log1p", 1, Float, Same;
    Sin, "sin", 1, Inexact, Same;
    Cos, "cos", 1, Inexact, Same;
    Tan, "tan", 1, Inexact, Same;
    Asin, "asin", 1, Float, Same;
    Acos, "acos", 1, Float, Same;
    Atan, "atan", 1, Float, Same;
    Sinh, "sinh", 1, Inexact, Same;
    Cosh, "cosh", 1, Inexact, Same;
    Tanh, "tanh", 1, Inexact, Same;
    Asinh, "asinh", 1, Float, Same;
    Acosh, "acosh", 1, Float, Same;
    Atanh, "atanh", 1, Float, Same;
    /// `atan2(y, x)`.
    Atan2, "atan2", 2, Float, Same;
    Hypot, "hypot", 2, Float, Same;
    Copysign, "copysign", 2, Float, Same;
    Nextafter, "nextafter", 2, Float, Same;
    Floor, "floor", 1, Float, Same;
    Ceil, "ceil", 1, Float, Same;
    Trunc, "trunc", 1, Float, Same;
    /// To the nearest integer, halves to even.
    Rint, "rint", 1, Float, Same;
    /// -1, 0 or 1; NaN stays NaN.
    Sign, "sign", 1, Real, Same;
    IsNan, "isnan", 1, Inexact, Bool;
    IsInf, "isinf", 1, Inexact, Bool;
    IsFinite, "isfinite", 1, Inexact, Bool;
    SignBit, "signbit", 1, Float, Bool;
    Erf, "erf", 1, Float, Same;
    Erfc, "erfc", 1, Float, Same;
    Gamma, "gamma", 1, Float, Same;
    LogGamma, "lgamma", 1, Float, Same;
    /// Real part.
    Re, "re", 1, Complex, Real;
    /// Imaginary part.
    Im, "im", 1, Complex, Real;
    Conj, "conj", 1, Complex, Same;
    /// A complex number from its parts.
    MakeComplex, "complex", 2, Float, Complex;
    /// `select c, a, b`: a where c, else b. The result has the type of a and b.
    Select, "select", 3, Any, Same;
}

impl ElemOp {
    /// About how many additions one element takes as long as.
    #[must_use]
    pub const fn cost(self) -> i64 {
        match self {
            Self::Div | Self::FloorDiv | Self::Mod | Self::Fmod | Self::Sqrt => 8,
            Self::Exp
            | Self::Exp2
            | Self::Expm1
            | Self::Log
            | Self::Log2
            | Self::Log10
            | Self::Log1p
            | Self::Cbrt
            | Self::Hypot
            | Self::Sin
            | Self::Cos => 16,
            Self::Pow
            | Self::Tan
            | Self::Asin
            | Self::Acos
            | Self::Atan
            | Self::Sinh
            | Self::Cosh
            | Self::Tanh
            | Self::Asinh
            | Self::Acosh
            | Self::Atanh
            | Self::Atan2
            | Self::Erf
            | Self::Erfc
            | Self::Gamma
            | Self::LogGamma => 32,
            _ => 1,
        }
    }
}

impl ElemOp {
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// The result's element type for operands of `operand` type (for `Select`, of its last two).
    #[must_use]
    pub const fn result_dtype(self, operand: DType) -> DType {
        match (self.result(), operand) {
            (ElemResult::Bool, _) => DType::Bool,
            (ElemResult::Real, d) => d.real(),
            (ElemResult::Complex, DType::F32) => DType::C64,
            (ElemResult::Complex, _) => DType::C128,
            (ElemResult::Same, d) => d,
        }
    }

    /// Whether array IR may raise for operands of this type, shapes apart.
    #[must_use]
    pub const fn may_raise(self, operand: DType) -> bool {
        matches!(self, Self::FloorDiv | Self::Mod | Self::Fmod | Self::Pow) && operand.is_int()
    }

    /// The comparison that says the same with its operands exchanged; other operations as they are.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            other => other,
        }
    }

    /// The comparison of integers that is true where an order is false.
    #[must_use]
    pub const fn opposite(self) -> Option<Self> {
        match self {
            Self::Lt => Some(Self::Ge),
            Self::Le => Some(Self::Gt),
            Self::Gt => Some(Self::Le),
            Self::Ge => Some(Self::Lt),
            _ => None,
        }
    }

    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// `a op b == b op a`, exactly.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        matches!(
            self,
            Self::Add | Self::Mul | Self::Eq | Self::Ne | Self::And | Self::Or | Self::Xor | Self::Hypot
        )
    }
}

/// How a reduction combines elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReduceOp {
    Sum,
    Prod,
    /// NaN wins; raises ValueError on nothing to reduce.
    Min,
    Max,
    Any,
    All,
    /// Index (i64) of the first minimum, NaN counting as smallest; raises ValueError on nothing to reduce.
    ArgMin,
    ArgMax,
    /// Bitwise, of integers and bool.
    And,
    Or,
    Xor,
}

impl ReduceOp {
    pub const ALL: [Self; 11] = [
        Self::Sum,
        Self::Prod,
        Self::Min,
        Self::Max,
        Self::Any,
        Self::All,
        Self::ArgMin,
        Self::ArgMax,
        Self::And,
        Self::Or,
        Self::Xor,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Prod => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::Any => "any",
            Self::All => "all",
            Self::ArgMin => "argmin",
            Self::ArgMax => "argmax",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// The result's element type. Sums of small integers are converted before the reduction.
    #[must_use]
    pub const fn result_dtype(self, element: DType) -> DType {
        match self {
            Self::Sum | Self::Prod | Self::Min | Self::Max | Self::And | Self::Or | Self::Xor => element,
            Self::Any | Self::All => DType::Bool,
            Self::ArgMin | Self::ArgMax => DType::I64,
        }
    }

    /// The elements that are reduced.
    #[must_use]
    pub const fn domain(self) -> ElemDomain {
        match self {
            Self::Sum | Self::Prod => ElemDomain::Number,
            Self::Min | Self::Max | Self::ArgMin | Self::ArgMax => ElemDomain::Real,
            Self::Any | Self::All => ElemDomain::Any,
            Self::And | Self::Or | Self::Xor => ElemOp::And.domain(),
        }
    }

    /// The operation that combines two values; none for the indices of extremes.
    #[must_use]
    pub const fn step(self) -> Option<ElemOp> {
        Some(match self {
            Self::Sum => ElemOp::Add,
            Self::Prod => ElemOp::Mul,
            Self::Min => ElemOp::Min,
            Self::Max => ElemOp::Max,
            Self::Any | Self::Or => ElemOp::Or,
            Self::All | Self::And => ElemOp::And,
            Self::Xor => ElemOp::Xor,
            Self::ArgMin | Self::ArgMax => return None,
        })
    }

    /// The reduction that an operation is a step of, and whether the running value may be either operand, or only the first.
    #[must_use]
    pub const fn of_step(elem: ElemOp) -> Option<(Self, bool)> {
        Some(match elem {
            ElemOp::Add => (Self::Sum, true),
            ElemOp::Sub => (Self::Sum, false),
            ElemOp::Mul => (Self::Prod, true),
            ElemOp::Min => (Self::Min, true),
            ElemOp::Max => (Self::Max, true),
            ElemOp::And => (Self::And, true),
            ElemOp::Or => (Self::Or, true),
            ElemOp::Xor => (Self::Xor, true),
            _ => return None,
        })
    }

    /// Whether values can be combined into an element in any order, by threads at once: exactly, and as a step that the memory of a device does.
    #[must_use]
    pub const fn updates(self, dtype: DType) -> bool {
        let is_number = matches!(dtype, DType::I32 | DType::U32 | DType::I64 | DType::U64);
        is_number && matches!(self, Self::Sum | Self::Min | Self::Max | Self::And | Self::Or | Self::Xor)
    }

    /// How the first of several values reduced together is compared with the one before, where others come along with it.
    #[must_use]
    pub const fn leads(together: &[Self]) -> Option<ElemOp> {
        match together {
            [Self::Min, Self::ArgMin, ..] => Some(ElemOp::Lt),
            [Self::Max, Self::ArgMax, ..] => Some(ElemOp::Gt),
            _ => None,
        }
    }

    /// What a part of a reduction starts from, so that it changes nothing; none where that is the initial value, or an
    /// element. Sums of floats start from -0.0, which added to anything gives just that.
    #[must_use]
    pub fn identity(self, dtype: DType) -> Option<Literal> {
        let number = |value: f64| match dtype {
            DType::Bool => Literal::Bool(value == 1.0),
            dtype if dtype.is_complex() && value == 1.0 => Literal::Complex(value.to_bits(), 0),
            dtype if dtype.is_complex() => Literal::Complex(value.to_bits(), value.to_bits()),
            dtype if dtype.is_float() => Literal::float(value),
            _ => Literal::Int(i64::from(value == 1.0)),
        };
        match self {
            Self::Sum | Self::Any | Self::Or | Self::Xor => Some(number(-0.0)),
            Self::Prod | Self::All => Some(number(1.0)),
            Self::Min | Self::Max | Self::And | Self::ArgMin | Self::ArgMax => None,
        }
    }

    /// Whether there is a value for nothing to reduce.
    #[must_use]
    pub const fn has_identity(self) -> bool {
        !matches!(self, Self::Min | Self::Max | Self::ArgMin | Self::ArgMax)
    }
}
