//! Programs as trees that print and shrink.

/// Element types that programs use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Elem {
    Bool,
    I32,
    I64,
    F32,
    F64,
}

impl Elem {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::F32 => "float32",
            Self::F64 => "float64",
        }
    }

    pub const fn numpy(self) -> &'static str {
        match self {
            Self::Bool => "np.bool_",
            Self::I32 => "np.int32",
            Self::I64 => "np.int64",
            Self::F32 => "np.float32",
            Self::F64 => "np.float64",
        }
    }

    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    pub const fn is_int(self) -> bool {
        matches!(self, Self::I32 | Self::I64)
    }

    /// NumPy's promotion.
    pub fn with(self, other: Self) -> Self {
        match (self.min(other), self.max(other)) {
            (Self::I32 | Self::I64, Self::F32) => Self::F64,
            (_, wider) => wider,
        }
    }

    /// Bits in which sums and products must be exact.
    pub const fn exact_bits(self) -> u32 {
        match self {
            Self::F32 => 22,
            Self::F64 => 50,
            _ => u32::MAX,
        }
    }
}

/// A dimension as a symbol: all that are equal are equal in each run.
pub type Dim = u32;

/// A scalar where `dims` is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ty {
    pub elem: Elem,
    pub dims: Vec<Dim>,
}

impl Ty {
    pub const fn scalar(elem: Elem) -> Self {
        Self { elem, dims: vec![] }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn annotation(&self) -> String {
        match self.rank() {
            0 => self.elem.name().to_owned(),
            rank => format!("Array({}, {rank})", self.elem.name()),
        }
    }
}

/// A parameter of one type.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
    /// It says that its arrays are column-major, and most are.
    pub is_column_major: bool,
}

impl Param {
    fn text(&self) -> String {
        let ty = self.ty.annotation();
        let ty = match ty.strip_suffix(')') {
            Some(array) if self.is_column_major => format!("{array}, order=\"F\")"),
            _ => ty,
        };
        format!("{}: {ty}", self.name)
    }
}

/// How large numbers may be: magnitude below `2^whole`, multiples of `2^-fraction`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    pub whole: u32,
    pub fraction: u32,
}

impl Bits {
    pub const SMALL: Self = Self { whole: 4, fraction: 2 };
    pub const UNKNOWN: Self = Self { whole: 64, fraction: 64 };

    pub fn fits(self, elem: Elem) -> bool {
        self.whole + self.fraction <= elem.exact_bits()
    }

    pub fn or(self, other: Self) -> Self {
        Self { whole: self.whole.max(other.whole), fraction: self.fraction.max(other.fraction) }
    }
}

/// Source text with subexpressions in it.
#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub bits: Bits,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    Sub(Expr),
}

impl Expr {
    pub fn text(&self) -> String {
        let each = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Sub(expr) => expr.text(),
        };
        self.parts.iter().map(each).collect()
    }

    /// An expression from a pattern with a `{}` for each operand.
    pub fn of(pattern: &str, operands: Vec<Self>, ty: Ty, bits: Bits) -> Self {
        let mut parts = Vec::new();
        let mut operands = operands.into_iter();
        for (i, text) in pattern.split("{}").enumerate() {
            if i > 0 {
                parts.extend(operands.next().map(Part::Sub));
            }
            parts.push(Part::Text(text.to_owned()));
        }
        Self { ty, bits, parts }
    }
}

/// A statement: a line, and blocks under it.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub line: Vec<Part>,
    /// Bodies; the second one stands under `else:`.
    pub bodies: Vec<Vec<Stmt>>,
}

impl Stmt {
    pub fn new(line: Vec<Part>) -> Self {
        Self { line, bodies: vec![] }
    }

    /// A line from a pattern, as [`Expr::of`].
    pub fn of(pattern: &str, operands: Vec<Expr>) -> Self {
        Self::new(Expr::of(pattern, operands, Ty::scalar(Elem::Bool), Bits::SMALL).parts)
    }

    fn print(&self, indent: usize, out: &mut String) {
        let pad = "    ".repeat(indent);
        let line = Expr { ty: Ty::scalar(Elem::Bool), bits: Bits::SMALL, parts: self.line.clone() };
        out.push_str(&format!("{pad}{}\n", line.text()));
        for (i, body) in self.bodies.iter().enumerate() {
            if i == 1 {
                out.push_str(&format!("{pad}else:\n"));
            }
            if body.is_empty() {
                out.push_str(&format!("{pad}    pass\n"));
            }
            body.iter().for_each(|s| s.print(indent + 1, out));
        }
    }
}

/// The types or values of a parameter that makes versions.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// An array, or None.
    Optional(Elem),
    /// Literals.
    Text,
    Number,
    Flag,
    /// Unions.
    Scalars,
    Arrays,
}

/// Such a parameter. It stands behind the others, and has a default unless it is given by keyword.
#[derive(Clone, Debug)]
pub struct Extra {
    pub name: String,
    pub choice: Choice,
    /// It stands behind `*`.
    pub is_keyword: bool,
}

impl Extra {
    fn text(&self) -> String {
        let (annotation, default) = match self.choice {
            Choice::Optional(elem) => (format!("Array({}, 1) | None", elem.name()), "None"),
            Choice::Text => ("Literal[\"up\", \"down\", \"flat\"]".to_owned(), "\"flat\""),
            Choice::Number => ("Literal[1, 2, -3]".to_owned(), "1"),
            Choice::Flag => ("Literal[True, False]".to_owned(), "False"),
            Choice::Scalars => ("int64 | float64".to_owned(), "3"),
            Choice::Arrays => return format!("{}: Array(float32, 1) | Array(int64, 1)", self.name),
        };
        format!("{}: {annotation} = {default}", self.name)
    }
}

#[derive(Clone, Debug)]
pub struct Func {
    pub name: String,
    pub params: Vec<Param>,
    pub extras: Vec<Extra>,
    /// So many parameters stand before `/`.
    pub by_position: usize,
    pub body: Vec<Stmt>,
    /// Arguments of each case.
    pub cases: Vec<Vec<String>>,
}

/// A function with `@vectorize`.
#[derive(Clone, Debug)]
pub struct Ufunc {
    pub name: String,
    /// The types of each parameter; there is a loop for each combination.
    pub params: Vec<(String, Vec<Elem>)>,
    /// The type of the result, where there is one loop; else that of all operands together.
    pub result: Option<Elem>,
    pub body: Vec<Stmt>,
    /// Arguments of each case.
    pub cases: Vec<Vec<String>>,
}

impl Ufunc {
    fn print(&self, out: &mut String) {
        let types = |elems: &[Elem]| elems.iter().map(|e| e.name()).collect::<Vec<_>>().join(" | ");
        let params: Vec<String> =
            self.params.iter().map(|(name, elems)| format!("{name}: {}", types(elems))).collect();
        out.push_str(&format!("\n\n@vectorize\ndef {}({}):\n", self.name, params.join(", ")));
        self.body.iter().for_each(|s| s.print(1, out));
    }
}

/// Constants of the module, which expressions read.
const CONSTANTS: &str =
    "U = np.array([1.5, -0.25, 2.0])\nT = np.arange(6, dtype=np.int32).reshape(2, 3) - 2\n";

#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub ufuncs: Vec<Ufunc>,
    pub funcs: Vec<Func>,
    /// Sums and products round: they are the same in source order alone.
    pub rounds: bool,
}

impl Program {
    /// As a run case.
    pub fn text(&self) -> String {
        let order = if self.rounds { crate::compiler::IN_ORDER } else { "" };
        let mut out = format!(
            "# Found by seed {}.\n{order}import heapq\nimport random\nfrom collections import defaultdict\nfrom itertools import (\n    accumulate,\n    chain,\n    combinations,\n    combinations_with_replacement,\n    count,\n    islice,\n    pairwise,\n    permutations,\n    product,\n)\nfrom typing import Literal\n\nimport numpy as np\n\n{CONSTANTS}",
            self.seed
        );
        self.ufuncs.iter().for_each(|ufunc| ufunc.print(&mut out));
        for func in &self.funcs {
            let mut params: Vec<String> = func.params.iter().map(Param::text).collect();
            if func.by_position > 0 {
                params.insert(func.by_position, "/".to_owned());
            }
            let (named, others): (Vec<&Extra>, Vec<&Extra>) =
                func.extras.iter().partition(|extra| extra.is_keyword);
            params.extend(others.into_iter().map(Extra::text));
            if !named.is_empty() {
                params.push("*".to_owned());
                params.extend(named.into_iter().map(Extra::text));
            }
            out.push_str(&format!("\n\ndef {}({}):\n", func.name, params.join(", ")));
            if func.body.is_empty() {
                out.push_str("    pass\n");
            }
            func.body.iter().for_each(|s| s.print(1, &mut out));
        }
        out.push_str("\n\n");
        let ufuncs = self.ufuncs.iter().map(|ufunc| (&ufunc.name, &ufunc.cases));
        for (name, cases) in ufuncs.chain(self.funcs.iter().map(|func| (&func.name, &func.cases))) {
            for arguments in cases {
                out.push_str(&format!("# case: {name}({})\n", arguments.join(", ")));
            }
        }
        out
    }
}
