//! The typed program: structured statements over typed locals, every conversion explicit, library functions
//! resolved to operations of the IR. A local is one variable at one type; where definitions of different
//! types meet, the *edges* that lead there carry conversions.

use super::notes::Notes;
use super::visit::{self, Visitor};
use crate::source::Span;
use crate::typed::types::ty::Ty;
use pydd_ir::{DType, Exc, ExceptionClass, Literal, Message, OpKind, ReduceOp};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type!(
    /// A local of a [`Function`].
    LocalId
);
index_type!(
    /// A way into a place where definitions meet; see [`Function::edges`].
    EdgeId
);
index_type!(
    /// A statement that definitions meet after: a loop, a scope, an `if`.
    Label
);
index_type!(
    /// A function of a [`Program`].
    FuncId
);

/// A compiled file before lowering.
#[derive(Debug, Default)]
pub struct Program {
    pub name: String,
    pub doc: Option<String>,
    pub functions: Vec<Function>,
    pub exports: Vec<Export>,
    pub exceptions: Vec<ExceptionClass>,
    /// The types of expressions by place, where they were asked for.
    pub notes: Notes,
    /// Set where something is wrong and no error was reported: a bug of the compiler.
    pub fault: Option<Fault>,
}

/// See [`Program::fault`].
#[derive(Debug)]
pub struct Fault {
    /// The function, as [`Function::name`].
    pub function: String,
    /// Where, if the function is the user's.
    pub span: Option<Span>,
}

/// A function that Python sees.
#[derive(Debug)]
pub struct Export {
    pub name: String,
    pub doc: Option<String>,
    pub function: FuncId,
    pub params: Vec<ExportParam>,
    /// It is a loop of a ufunc.
    pub ufunc: Option<pydd_ir::Ufunc>,
}

#[derive(Debug)]
pub struct ExportParam {
    pub name: String,
    pub ty: Ty,
    /// The value that the version is for, of a parameter that has one.
    pub value: Option<Literal>,
    pub default: Option<Literal>,
    pub keyword_only: bool,
    pub positional_only: bool,
    /// Whether arrays of other types are converted.
    pub cast: bool,
    /// Whether arrays with two axes or more are expected in Fortran's order.
    pub column_major: bool,
    /// What lengths of its axes are called, as in `"m k"`.
    pub sizes: String,
}

/// A function for one list of parameter types.
#[derive(Debug)]
pub struct Function {
    /// Unique in the program.
    pub name: String,
    /// The name in the source, for tracebacks.
    pub source_name: String,
    pub span: Span,
    /// Whether `span`s are of the user's file; prelude functions have no lines of their own.
    pub user: bool,
    pub params: Vec<LocalId>,
    pub locals: Vec<Local>,
    pub result: Ty,
    pub body: Vec<Stmt>,
    /// Conversions on the ways into joins, by [`EdgeId`].
    pub edges: Vec<Vec<Copy>>,
    /// How many [`Label`]s there are.
    pub labels: u32,
    pub recursive: bool,
    /// The operation of the library, written in the language, that it is.
    pub operation: Option<String>,
}

/// A variable at one type.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Ty,
}

/// A conversion on an edge.
#[derive(Clone, Debug)]
pub struct Copy {
    pub target: LocalId,
    /// `None`: any value; the variable is not bound on this way.
    pub value: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Set(LocalId, Expr),
    Eval(Expr),
    /// An operation without results.
    Effect(OpKind, Vec<Expr>),
    If {
        /// Names the join after it; nothing breaks to it.
        label: Label,
        cond: Expr,
        then: Vec<Stmt>,
        orelse: Vec<Stmt>,
    },
    /// `for index in range(…)`.
    For {
        label: Label,
        range: Box<[Expr; 3]>,
        index: LocalId,
        body: Vec<Stmt>,
        parallel: Option<Vec<Reduction>>,
    },
    /// For ever.
    Loop {
        label: Label,
        body: Vec<Stmt>,
    },
    /// Once; left by `Break`.
    Scope {
        label: Label,
        body: Vec<Stmt>,
    },
    /// The conversions of an edge.
    Edge(EdgeId),
    Break(Label),
    Continue(Label),
    Return(Option<Expr>),
    Raise {
        exc: Exc,
        message: Option<Message>,
        payload: Vec<Expr>,
    },
}

/// A variable that a `pfor` reduces.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    pub local: LocalId,
    pub op: ReduceOp,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Of type `Error` or `Never`; in no program that is lowered.
    Error,
    /// The type says all: None, a type, a module, a function.
    Static,
    /// Some value of the type, which nothing looks at.
    Anything,
    Text(String),
    Literal(Literal),
    Local(LocalId),
    /// A local that may be unbound, and the flag that says whether it is bound.
    Checked {
        local: LocalId,
        flag: LocalId,
    },
    /// An operation with one result, of `ty`.
    Op(OpKind, Vec<Expr>),
    /// The second where the first is true, else the third; only that one is evaluated.
    If(Box<[Expr; 3]>),
    Call(FuncId, Vec<Expr>),
    Tuple(Vec<Expr>),
    /// An item of a tuple.
    Item(Box<Expr>, u32),
    /// Start, stop and step.
    Range(Box<[Expr; 3]>),
    /// Statements, then a value.
    Seq(Vec<Stmt>, Box<Expr>),
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Ty, span: Span) -> Self {
        Self { kind, ty, span }
    }

    pub fn error(span: Span) -> Self {
        Self::new(ExprKind::Error, Ty::Error, span)
    }

    /// What an operation gives on operands of which some are silent: not known yet, or wrong.
    pub fn silent<'e>(operands: impl IntoIterator<Item = &'e Self>, span: Span) -> Self {
        let never = operands.into_iter().any(|operand| operand.ty.has_never());
        Self::new(ExprKind::Error, if never { Ty::Never } else { Ty::Error }, span)
    }

    /// What stands for a value of a type that says nothing.
    pub fn silent_as(ty: Ty, span: Span) -> Self {
        Self::new(ExprKind::Error, ty, span)
    }

    pub fn none(span: Span) -> Self {
        Self::new(ExprKind::Static, Ty::None, span)
    }

    /// A function of the program as a value.
    pub fn function(unit: usize, at: usize, span: Span) -> Self {
        Self::new(ExprKind::Static, Ty::Function { unit, at }, span)
    }

    pub fn int(value: i64, span: Span) -> Self {
        Self::new(ExprKind::Literal(Literal::Int(value)), Ty::INT, span)
    }

    /// An integer of Python's, a bool or a text.
    pub fn of_literal(value: Literal, span: Span) -> Self {
        match value {
            Literal::Str(text) => Self::new(ExprKind::Text(text), Ty::Str, span),
            Literal::Bool(value) => Self::bool(value, span),
            other => Self::new(ExprKind::Literal(other), Ty::INT, span),
        }
    }

    /// The constant that [`Self::of_literal`] makes an expression of.
    pub fn as_literal(&self) -> Option<Literal> {
        match (&self.kind, &self.ty) {
            (ExprKind::Text(text), _) => Some(Literal::Str(text.clone())),
            (ExprKind::Literal(value @ Literal::Int(_)), &Ty::INT) => Some(value.clone()),
            (ExprKind::Literal(value @ Literal::Bool(_)), _) => Some(value.clone()),
            _ => None,
        }
    }

    pub fn bool(value: bool, span: Span) -> Self {
        Self::new(ExprKind::Literal(Literal::Bool(value)), Ty::BOOL, span)
    }

    pub fn float(value: f64, span: Span) -> Self {
        Self::new(ExprKind::Literal(Literal::float(value)), Ty::FLOAT, span)
    }

    /// The integer that a constant of the weak family is.
    pub fn as_int(&self) -> Option<i64> {
        match &self.kind {
            // The greatest uint64 are negative as bits.
            ExprKind::Literal(Literal::Int(value))
                if self.ty.num().is_some_and(|n| n.dtype != DType::U64) =>
            {
                Some(*value)
            }
            _ => None,
        }
    }

    /// The integer that a constant of any integer type is.
    pub fn as_wide_int(&self) -> Option<i128> {
        match (&self.kind, self.ty.num()?.dtype) {
            (ExprKind::Literal(Literal::Int(value)), DType::U64) => Some(i128::from(value.cast_unsigned())),
            _ => self.as_int().map(i128::from),
        }
    }

    /// The truth of a constant.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.kind {
            ExprKind::Literal(Literal::Bool(value)) => Some(*value),
            ExprKind::Literal(Literal::Int(value)) => Some(*value != 0),
            ExprKind::Literal(Literal::Float(bits)) => Some(f64::from_bits(*bits) != 0.0),
            _ if self.ty == Ty::None => Some(false),
            _ => None,
        }
    }

    /// Whether it is made of values and operations alone, so that it means the same in every function.
    pub fn is_closed(&self) -> bool {
        let mut closed = Closed(true);
        closed.expr(self);
        closed.0
    }

    /// The number of its parts, or `limit` where there are more; statements inside count as one.
    pub fn size_up_to(&self, limit: usize) -> usize {
        let mut size = Size { parts: 0, limit };
        size.expr(self);
        size.parts
    }

    /// Whether evaluating it again, or not at all, or later, makes no difference.
    pub fn is_constant(&self) -> bool {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Static | ExprKind::Text(_) => true,
            ExprKind::Tuple(items) => items.iter().all(Self::is_constant),
            _ => false,
        }
    }
}

/// See [`Expr::is_closed`].
struct Closed(bool);

impl Visitor for Closed {
    fn expr(&mut self, expr: &Expr) {
        self.0 &= matches!(
            expr.kind,
            ExprKind::Literal(_)
                | ExprKind::Static
                | ExprKind::Text(_)
                | ExprKind::Op(..)
                | ExprKind::Tuple(_)
                | ExprKind::If(_)
                | ExprKind::Item(..)
        );
        if self.0 {
            visit::walk_expr(self, expr);
        }
    }
}

/// See [`Expr::size_up_to`].
struct Size {
    parts: usize,
    limit: usize,
}

impl Visitor for Size {
    fn block(&mut self, _: &[Stmt]) {}

    fn expr(&mut self, expr: &Expr) {
        if self.parts < self.limit {
            self.parts += 1;
            visit::walk_expr(self, expr);
        }
    }
}

impl Stmt {
    pub fn new(kind: StmtKind, span: Span) -> Self {
        Self { kind, span }
    }
}
