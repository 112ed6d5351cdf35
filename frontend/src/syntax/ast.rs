//! The syntax tree: what the language has, and nothing else of Python.
//!
//! What is not in the language was reported when the tree was made and stands here as an `Error` node, so that
//! later stages go on and report more. They say nothing about `Error` nodes and what depends on them.
//! Depth is bounded by [`limits`](super::limits): walks may recurse (on [a big stack](crate::stack)).

use super::types::TypeExpr;
use super::ufunc::Ufunc;
use crate::source::Span;

/// Numbers the expressions of a module from 0, in no order that means anything, for side tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u32);

/// A name and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: String,
    /// Where.
    pub span: Span,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Module {
    /// The text of the module's docstring.
    pub docstring: Option<String>,
    /// Imports, constants (`Assign`), names of types and functions, in the order of the source.
    pub body: Vec<Stmt>,
    /// Number of expressions; each [`ExprId`] is below it.
    pub expr_count: u32,
    /// Names of functions whose definition could not be parsed. Using one is no further mistake.
    pub unparsed: Vec<String>,
    /// Whether statements at module level were lost to syntax errors, so that a name that seems undefined
    /// may well be defined.
    pub incomplete: bool,
}

impl Module {
    /// The functions, in the order of the source.
    pub fn functions(&self) -> impl Iterator<Item = &FunctionDef> {
        self.body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::FunctionDef(function) => Some(&**function),
            _ => None,
        })
    }
}

/// A function of the module. Those inside others were [lifted](super::nested) out of them.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// The name.
    pub name: Ident,
    /// Parameters, as written: one without an annotation may take the next one to its right.
    pub params: Vec<Param>,
    /// What stands after `->`, or in the function's type comment.
    pub returns: Option<TypeExpr>,
    /// The docstring, which is not part of the body.
    pub docstring: Option<String>,
    /// The statements; not empty, unless the docstring is all there is.
    pub body: Vec<Stmt>,
    /// From `def` to the end of the body.
    pub span: Span,
    /// From `def` to before the body.
    pub header: Span,
    /// Whether errors were reported inside, so that the body may hold `Error` nodes.
    pub has_errors: bool,
    /// Whether it is a function of a plain Python file, where what is built in has Python's meaning.
    pub is_python: bool,
    /// Of a function that was inside another, how many of the last parameters stand for variables around it.
    pub captures: Option<usize>,
    /// Of a function that Python sees as a ufunc.
    pub ufunc: Option<Ufunc>,
    /// Whether it keeps its results, as by `functools.cache`.
    pub cached: bool,
    /// The name of `*args`.
    pub rest: Option<Ident>,
}

impl FunctionDef {
    /// A function of no statements.
    pub fn empty(name: Ident) -> Self {
        let span = name.span;
        Self {
            name,
            params: Vec::new(),
            returns: None,
            docstring: None,
            body: Vec::new(),
            span,
            header: span,
            has_errors: false,
            is_python: false,
            captures: None,
            ufunc: None,
            cached: false,
            rest: None,
        }
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name.
    pub name: Ident,
    /// The annotation, if one is written at this parameter.
    pub annotation: Option<TypeExpr>,
    /// The default: a constant.
    pub default: Option<Expr>,
    /// Behind `*`: it is only given by its name.
    pub keyword_only: bool,
    /// Before `/`: it is never given by its name.
    pub positional_only: bool,
    /// From the name to the end of the default.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// From its first to its last character.
    pub span: Span,
    /// Which.
    pub kind: StmtKind,
}

/// Which statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `def`; only at module level.
    FunctionDef(Box<FunctionDef>),
    /// `class name(base): pass`, an exception; only at module level.
    Class {
        /// The name.
        name: Ident,
        /// What stands in the brackets.
        base: Ident,
        /// The text of its docstring.
        docstring: Option<String>,
    },
    /// `name = Array(float64, 2)`, `name: TypeAlias = …`, `type name = …`; only at module level.
    Alias {
        /// The name.
        name: Ident,
        /// The type that it stands for.
        value: TypeExpr,
        /// Whether names in it are looked up when it is used: in a `type` statement, and in a text.
        late: bool,
    },
    /// `import a.b as c, d`; only at module level.
    Import(Vec<ImportName>),
    /// `from a.b import c as d` and `from a import *`; only at module level.
    ImportFrom {
        /// The module.
        module: Ident,
        /// The names; empty for `*`.
        names: Vec<ImportName>,
        /// Whether it is `import *`.
        star: bool,
    },
    /// `a = b = value`, with the type of a `# type:` comment.
    Assign {
        /// One or more targets: names, attributes, subscripts, tuples of these.
        targets: Vec<Expr>,
        /// The value.
        value: Expr,
        /// The type comment.
        annotation: Option<TypeExpr>,
    },
    /// `target: annotation = value`.
    Declare {
        /// The target.
        target: Expr,
        /// The annotation.
        annotation: TypeExpr,
        /// The value; a declaration may have none.
        value: Option<Expr>,
    },
    /// `target op= value`.
    AugAssign {
        /// A name, an attribute or a subscript.
        target: Expr,
        /// The operator.
        op: BinaryOp,
        /// The right-hand side.
        value: Expr,
    },
    /// An expression for its effect.
    Expr(Expr),
    /// `del d[k]`.
    Delete(Vec<Expr>),
    /// `return`.
    Return(Option<Expr>),
    /// `if`, `elif`…, `else`.
    If {
        /// The `if` and each `elif`; at least one.
        branches: Vec<Branch>,
        /// The `else`; empty if there is none.
        orelse: Vec<Stmt>,
    },
    /// `while`.
    While {
        /// The condition.
        test: Expr,
        /// The body.
        body: Vec<Stmt>,
        /// The `else`; empty if there is none.
        orelse: Vec<Stmt>,
    },
    /// `for` and `pfor`.
    For(Box<For>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `pass`.
    Pass,
    /// `assert test, message`.
    Assert {
        /// The condition.
        test: Expr,
        /// The message.
        message: Option<Expr>,
    },
    /// `raise exception`.
    Raise(Expr),
    /// `async:`, `finish:`, `isolated:` and their `with` forms.
    Block {
        /// Which.
        kind: BlockKind,
        /// The word that opens it.
        keyword: Span,
        /// The body.
        body: Vec<Stmt>,
    },
    /// Reported when the tree was made.
    Error,
}

/// `if test: body` or `elif test: body`.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The condition.
    pub test: Expr,
    /// The body.
    pub body: Vec<Stmt>,
    /// From the keyword to the end of the body.
    pub span: Span,
}

/// `for target in iter: body`.
#[derive(Clone, Debug)]
pub struct For {
    /// The word `for` or `pfor`.
    pub keyword: Span,
    /// Whether iterations run in parallel: `pfor`, or `for` over `prange`, which stands here as `range`.
    pub parallel: bool,
    /// A name or a tuple of names.
    pub target: Expr,
    /// What is iterated over.
    pub iter: Expr,
    /// The body.
    pub body: Vec<Stmt>,
    /// The `else`; empty if there is none.
    pub orelse: Vec<Stmt>,
    /// The type comment, which is the target's.
    pub annotation: Option<TypeExpr>,
}

/// Which parallel block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `async:` and `with spawn():` start a task.
    Async,
    /// `finish:` waits for the tasks started inside.
    Finish,
    /// `isolated:` runs in mutual exclusion.
    Isolated,
}

impl BlockKind {
    /// The word that opens the block.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Async => "async",
            Self::Finish => "finish",
            Self::Isolated => "isolated",
        }
    }
}

/// `path as alias`.
#[derive(Clone, Debug)]
pub struct ImportName {
    /// The dotted path, or the name in `from … import`.
    pub path: Ident,
    /// The alias.
    pub alias: Option<String>,
}

impl ImportName {
    /// The name that the import defines: the alias, or the path's first part.
    pub fn binding(&self) -> &str {
        let first = self.path.name.split('.').next().unwrap_or("");
        self.alias.as_deref().unwrap_or(first)
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its number in the module.
    pub id: ExprId,
    /// Without the parentheses around it.
    pub span: Span,
    /// Which.
    pub kind: ExprKind,
}

/// A part of an f-string.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FormatPart {
    /// What stands between values.
    Text(String),
    /// The place of a value.
    Value {
        /// Whether it is shown as by `repr`.
        repr: bool,
        /// What stands behind the colon.
        spec: String,
    },
}

/// Which expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// An item of what `map` or `filter` goes over, by its place among them: the program gives it no name. The items of one
    /// function have its span.
    Item(usize),
    /// An integer literal: not negative, at most 2^64 - 1.
    Int(u64),
    /// A float literal.
    Float(f64),
    /// An imaginary literal: `2j`.
    Imaginary(f64),
    /// `True` and `False`.
    Bool(bool),
    /// A string literal.
    Str(String),
    /// An f-string: its parts, and the values among them in order.
    Format {
        /// Texts and places of values.
        parts: Vec<FormatPart>,
        /// The values.
        values: Vec<Expr>,
    },
    /// `None`.
    None,
    /// `...`.
    Ellipsis,
    /// `op operand`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `left op right`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `a and b and c`, `a or b or c`; two values or more.
    Logical {
        /// The operator.
        op: LogicalOp,
        /// The operands.
        values: Vec<Expr>,
    },
    /// `first op operand op operand …`; one comparison or more.
    Compare {
        /// The leftmost operand.
        first: Box<Expr>,
        /// Each operator with the operand to its right.
        rest: Vec<(CompareOp, Expr)>,
    },
    /// `then if test else orelse`.
    Conditional {
        /// The condition.
        test: Box<Expr>,
        /// The value if true.
        then: Box<Expr>,
        /// The value if false.
        orelse: Box<Expr>,
    },
    /// `func(args, name=value)`.
    Call {
        /// What is called.
        func: Box<Expr>,
        /// Positional arguments.
        args: Vec<Expr>,
        /// Keyword arguments; no name comes twice.
        keywords: Vec<Keyword>,
    },
    /// `value.attr`.
    Attribute {
        /// The object.
        value: Box<Expr>,
        /// The name after the dot.
        attr: Ident,
    },
    /// `value[indices]`.
    Subscript {
        /// The object.
        value: Box<Expr>,
        /// The indices; one, or as many as the tuple has.
        indices: Vec<Expr>,
        /// Whether the index is a tuple: `a[i, j]`, `a[i,]`, `d[(k, l)]`.
        tuple: bool,
    },
    /// `lower:upper:step`; only among a subscript's indices.
    Slice {
        /// First index.
        lower: Option<Box<Expr>>,
        /// Index after the last.
        upper: Option<Box<Expr>>,
        /// Step.
        step: Option<Box<Expr>>,
    },
    /// `a, b`.
    Tuple(Vec<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `{a, b}`.
    Set(Vec<Expr>),
    /// `{k: v}`.
    Dict(Vec<(Expr, Expr)>),
    /// `[element for …]`, `{element for …}`, `{key: value for …}`, and `element for …` as the only argument of `sum`,
    /// `min`, `max`, `any`, `all`.
    Comprehension {
        /// A list, set or dict, or a generator argument.
        kind: ComprehensionKind,
        /// What is computed for each; for a dict the pair of key and value.
        element: Box<Expr>,
        /// The `for` clauses, outermost first.
        clauses: Vec<Clause>,
    },
    /// `*value`; only as an argument of a call, or an item of a list.
    Starred(Box<Expr>),
    /// `lambda params: body`; only as an argument of a call.
    Lambda {
        /// Parameter names.
        params: Vec<Ident>,
        /// The body.
        body: Box<Expr>,
    },
    /// Reported when the tree was made.
    Error,
}

/// Which comprehension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComprehensionKind {
    /// `[…]`.
    List,
    /// `{…}`.
    Set,
    /// `{… : …}`.
    Dict,
    /// The argument of a reduction.
    Generator,
}

/// `for target in iter if condition …`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// A name or a tuple of names.
    pub target: Expr,
    /// What is iterated over.
    pub iter: Expr,
    /// The conditions.
    pub conditions: Vec<Expr>,
}

/// `name=value` in a call.
#[derive(Clone, Debug)]
pub struct Keyword {
    /// The name.
    pub name: Ident,
    /// The value.
    pub value: Expr,
}

/// Makes an operator enumeration whose members know how they are written.
macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $symbol:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $(#[doc = concat!("`", $symbol, "`")] $variant),* }

        impl $name {
            /// As written in the source.
            pub fn symbol(self) -> &'static str {
                match self { $(Self::$variant => $symbol),* }
            }
        }
    };
}

operators! {
    /// An operator of two operands, which an assignment may be augmented with.
    BinaryOp {
        Add = "+", Sub = "-", Mul = "*", Div = "/", FloorDiv = "//", Mod = "%", Pow = "**", MatMul = "@",
        BitAnd = "&", BitOr = "|", BitXor = "^", ShiftLeft = "<<", ShiftRight = ">>",
    }
}
operators! {
    /// An operator of one operand.
    UnaryOp { Neg = "-", Pos = "+", Invert = "~", Not = "not" }
}
operators! {
    /// An operator that may not look at its right operand.
    LogicalOp { And = "and", Or = "or" }
}
operators! {
    /// A comparison.
    CompareOp {
        Eq = "==", NotEq = "!=", Lt = "<", LtEq = "<=", Gt = ">", GtEq = ">=",
        Is = "is", IsNot = "is not", In = "in", NotIn = "not in",
    }
}
