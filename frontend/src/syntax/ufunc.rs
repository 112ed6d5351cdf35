//! `@vectorize` and `@guvectorize`: functions of which the module has NumPy ufuncs.
//!
//! ```text
//! @vectorize
//! def f(x: float64, y: float64):          ⇒   def f(x: float64, y: float64):
//!     return x - y                                return x - y
//!
//!                                             def f.01(x, y, f.out0):
//!                                                 for f.at in range(f.out0.shape[0]):
//!                                                     f.out0[f.at] = f(x[f.at], y[f.at])
//! ```
//!
//! The second function has no name that a program could write, and its parameters get their types with those of the first one's results
//! (`typed::program::ufunc`).
//!
//! The function of a generalized ufunc writes its results to its last parameters: `f(x[f.at], res[f.at])`.

use super::ast::{Expr, ExprKind, For, FunctionDef, Ident, Param, Stmt, StmtKind};
use super::fresh;
use super::span_of;
use crate::diagnostics::{Diagnostic, Diagnostics, code};
use crate::source::Span;
use pydd_ir::{DType, Identity};
use rustpython_parser::ast::{self as py, Ranged};

/// The decorator of a function that becomes a ufunc.
#[derive(Clone, Debug)]
pub struct Ufunc {
    pub span: Span,
    /// The core dimensions of each operand, inputs first, where it is a generalized one.
    pub core: Option<Core>,
    pub identity: Option<Identity>,
    /// Where the ufunc is one of a Python file; else types are those of the annotations.
    pub loops: Option<Vec<Loop>>,
}

/// The types of a ufunc's loop.
#[derive(Clone, Debug)]
pub struct Loop {
    pub operands: Vec<DType>,
    pub results: Vec<DType>,
}

/// `(m,n),(n)->(m)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub text: String,
    pub inputs: Vec<Vec<String>>,
    pub outputs: Vec<Vec<String>>,
}

impl Core {
    fn parse(text: &str) -> Option<Self> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (inputs, outputs) = text.split_once("->")?;
        let (inputs, outputs) = (operands(inputs)?, operands(outputs)?);
        Some(Self { text, inputs, outputs })
    }

    /// The dimensions of operand `i`.
    pub fn dims(&self, i: usize) -> Option<&[String]> {
        self.inputs.iter().chain(&self.outputs).nth(i).map(Vec::as_slice)
    }
}

/// `(m,n),(n)`.
fn operands(text: &str) -> Option<Vec<Vec<String>>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let operand = |operand: &str| {
        let names: Vec<String> =
            operand.split(',').filter(|_| !operand.is_empty()).map(str::to_owned).collect();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_right = |name: &String| !name.is_empty() && name.chars().all(is_word);
        names.iter().all(is_right).then_some(names)
    };
    inner.split("),(").map(operand).collect()
}

/// What a decorator says, if it is `vectorize` or `guvectorize`, or `pydd.` with one of these. What is wrong about it goes to `sink`.
pub fn decorator(expr: &py::Expr, sink: &mut Diagnostics) -> Option<Option<Ufunc>> {
    let (func, args, keywords) = match expr {
        py::Expr::Call(call) => (&*call.func, &call.args[..], &call.keywords[..]),
        other => (other, &[][..], &[][..]),
    };
    let name = match func {
        py::Expr::Name(name) => name.id.as_str(),
        py::Expr::Attribute(attribute) if matches!(&*attribute.value, py::Expr::Name(base) if base.id.as_str() == "pydd") => {
            attribute.attr.as_str()
        }
        _ => return None,
    };
    let span = span_of(expr.range());
    let core = match (name, args) {
        ("vectorize", []) => None,
        ("vectorize", [first, ..]) => {
            let help = "annotate the parameters: `x: float64`, or `x: float32 | float64` for several loops";
            return Some(wrong(
                span_of(first.range()),
                "signatures are for functions of Python files",
                help,
                sink,
            ));
        }
        ("guvectorize", [py::Expr::Constant(text)]) => match &text.value {
            py::Constant::Str(text) => match Core::parse(text) {
                Some(core) => Some(core),
                None => {
                    let at = span_of(args[0].range());
                    return Some(wrong(at, "this is no signature of dimensions", DIMENSIONS, sink));
                }
            },
            _ => return Some(wrong(span, "`guvectorize` takes a signature of dimensions", DIMENSIONS, sink)),
        },
        ("guvectorize", _) => {
            return Some(wrong(span, "`guvectorize` takes a signature of dimensions", DIMENSIONS, sink));
        }
        _ => return None,
    };
    let mut identity = None;
    for keyword in keywords {
        let (at, value) = (span_of(keyword.range()), identity_of(&keyword.value));
        match (keyword.arg.as_ref().map(py::Identifier::as_str), value) {
            (Some("identity"), Some(value)) => identity = value,
            (Some("identity"), None) => {
                let help = "write 0, 1, None or \"reorderable\"";
                return Some(wrong(at, "an identity is 0, 1, None or \"reorderable\"", help, sink));
            }
            _ => {
                return Some(wrong(
                    at,
                    &format!("`{name}` has no such keyword"),
                    "only `identity` is one",
                    sink,
                ));
            }
        }
    }
    Some(Some(Ufunc { span, core, identity, loops: None }))
}

const DIMENSIONS: &str = "write one such as `@guvectorize(\"(m,n),(n)->(m)\")`";

fn wrong(span: Span, headline: &str, help: &str, sink: &mut Diagnostics) -> Option<Ufunc> {
    Diagnostic::error(code::UFUNC, headline).primary(span, "").help(help).emit(sink);
    None
}

fn identity_of(expr: &py::Expr) -> Option<Option<Identity>> {
    let py::Expr::Constant(constant) = expr else { return None };
    match &constant.value {
        py::Constant::None => Some(None),
        py::Constant::Int(number) if number.to_string() == "0" => Some(Some(Identity::Zero)),
        py::Constant::Int(number) if number.to_string() == "1" => Some(Some(Identity::One)),
        py::Constant::Str(text) if text == "reorderable" => Some(Some(Identity::Reorderable)),
        _ => None,
    }
}

/// How many results a function may return. How many it does is known when its types are: there is a loop for each number.
pub const MOST_RESULTS: usize = 4;

/// The functions that call another one for all elements, of 1 to [`MOST_RESULTS`] results; one, for all items, where it is of a generalized ufunc.
pub fn loops_of(def: &FunctionDef, ufunc: &Ufunc, next_id: &mut u32) -> Vec<Stmt> {
    let most = if ufunc.core.is_some() { 1 } else { MOST_RESULTS };
    (1..=most).map(|results| loop_of(def, ufunc, results, next_id)).collect()
}

fn loop_of(def: &FunctionDef, ufunc: &Ufunc, results: usize, next_id: &mut u32) -> Stmt {
    let mut make = Make { span: def.name.span, next_id };
    let name = &def.name.name;
    let is_plain = ufunc.core.is_none();
    let at = format!("{name}.at");
    let outputs: Vec<String> = (0..results).filter(|_| is_plain).map(|k| format!("{name}.out{k}")).collect();
    let operands: Vec<String> =
        def.params.iter().map(|p| p.name.name.clone()).chain(outputs.iter().cloned()).collect();
    let items = def.params.iter().map(|p| make.item(&p.name.name, &at)).collect();
    let func = Box::new(make.name(name));
    let call = make.expr(ExprKind::Call { func, args: items, keywords: Vec::new() });
    let kind = if is_plain {
        let mut targets: Vec<Expr> = outputs.iter().map(|output| make.item(output, &at)).collect();
        let target = if targets.len() == 1 { targets.remove(0) } else { make.expr(ExprKind::Tuple(targets)) };
        StmtKind::Assign { targets: vec![target], value: call, annotation: None }
    } else {
        StmtKind::Expr(call)
    };
    let last = operands.last().cloned().unwrap_or_default();
    let around = For {
        keyword: make.span,
        parallel: false,
        target: make.name(&at),
        iter: make.range_over(&last),
        body: vec![make.stmt(kind)],
        orelse: Vec::new(),
        annotation: None,
    };
    let params = operands.iter().map(|operand| make.param(operand)).collect();
    let function = FunctionDef {
        name: Ident { name: format!("{name}.0{results}"), span: make.span },
        params,
        returns: None,
        docstring: None,
        body: vec![make.stmt(StmtKind::For(Box::new(around)))],
        span: def.header,
        header: def.header,
        has_errors: def.has_errors,
        is_python: true,
        captures: None,
        ufunc: None,
        cached: false,
        rest: None,
    };
    make.stmt(StmtKind::FunctionDef(Box::new(function)))
}

/// Makes nodes that stand at one place.
struct Make<'a> {
    span: Span,
    next_id: &'a mut u32,
}

impl Make<'_> {
    fn expr(&mut self, kind: ExprKind) -> Expr {
        fresh::expr(self.next_id, self.span, kind)
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { span: self.span, kind }
    }

    fn name(&mut self, name: &str) -> Expr {
        self.expr(ExprKind::Name(name.to_owned()))
    }

    fn item(&mut self, array: &str, at: &str) -> Expr {
        let (value, index) = (Box::new(self.name(array)), self.name(at));
        self.expr(ExprKind::Subscript { value, indices: vec![index], tuple: false })
    }

    /// `range(array.shape[0])`.
    fn range_over(&mut self, array: &str) -> Expr {
        let value = Box::new(self.name(array));
        let attr = Ident { name: "shape".to_owned(), span: self.span };
        let value = Box::new(self.expr(ExprKind::Attribute { value, attr }));
        let indices = vec![self.expr(ExprKind::Int(0))];
        let count = self.expr(ExprKind::Subscript { value, indices, tuple: false });
        let func = Box::new(self.name("range"));
        self.expr(ExprKind::Call { func, args: vec![count], keywords: Vec::new() })
    }

    fn param(&self, name: &str) -> Param {
        Param {
            name: Ident { name: name.to_owned(), span: self.span },
            annotation: None,
            default: None,
            keyword_only: false,
            positional_only: false,
            span: self.span,
        }
    }
}
