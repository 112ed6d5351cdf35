//! Arguments of library calls, bound to the parameters of the catalogue.

use crate::diagnostics::{Diagnostic, code, counted, did_you_mean, were_given};
use crate::source::Span;
use crate::syntax::ast::{self, Keyword};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::DType;
use pydd_ir::catalogue::{self, Algebra, Builtin, Default, Found, Param, ParamKind, Space};

/// Arguments by parameter.
#[derive(Clone)]
pub struct Arguments {
    pub found: Found,
    pub span: Span,
    values: Vec<Option<Expr>>,
    /// What the last parameter takes, if it takes all further ones.
    pub rest: Vec<Expr>,
}

impl Arguments {
    /// The argument of a parameter, or its default; None where it has neither.
    pub fn value(&self, index: usize) -> Expr {
        let default = || match self.found.entry.params.get(index).map(|p| p.default) {
            Some(Default::Int(value)) => Expr::int(value, self.span),
            Some(Default::Bool(value)) => Expr::bool(value, self.span),
            Some(Default::LeftOut) => Expr::new(ExprKind::Text(String::new()), Ty::Str, self.span),
            _ => Expr::none(self.span),
        };
        self.values.get(index).cloned().flatten().unwrap_or_else(default)
    }

    /// The argument, unless it is left out or None.
    pub fn optional(&self, index: usize) -> Option<Expr> {
        self.values.get(index).cloned().flatten().filter(|value| value.ty != Ty::None)
    }

    /// The argument of a parameter by name.
    pub fn named(&self, name: &str) -> Option<Expr> {
        let index = self.found.entry.params.iter().position(|p| p.name == name)?;
        self.optional(index)
    }

    /// Takes the argument of a parameter out.
    pub fn forget(&mut self, name: &str) {
        if let Some(index) = self.found.entry.params.iter().position(|p| p.name == name)
            && let Some(value) = self.values.get_mut(index)
        {
            *value = None;
        }
    }

    /// The type given as `dtype`.
    pub fn dtype(&self) -> Option<Num> {
        self.named("dtype")?.ty.named_type()
    }

    /// The same arguments for another function.
    pub fn for_entry(mut self, found: Found) -> Option<Self> {
        let count = found.entry.params.len();
        if self.values.len() > count && self.values[count..].iter().any(Option::is_some) {
            return None;
        }
        self.values.resize(count, None);
        self.found = found;
        Some(self)
    }

    /// The constant given for a flag.
    pub fn flag(&self, name: &str) -> bool {
        let index = self.found.entry.params.iter().position(|p| p.name == name);
        index.and_then(|i| self.value(i).as_bool()).unwrap_or(false)
    }

    /// Puts other values in the place of all that are given.
    pub fn each(&mut self, mut change: impl FnMut(Expr) -> Expr) {
        for value in self.values.iter_mut().flatten().chain(&mut self.rest) {
            let given = std::mem::replace(value, Expr::error(self.span));
            *value = change(given);
        }
    }

    /// Every argument given.
    pub fn given(&self) -> impl Iterator<Item = &Expr> {
        self.values.iter().flatten().chain(&self.rest)
    }
}

impl Infer<'_, '_> {
    /// Evaluates the arguments in order and binds them, behind values that are known already; `None`: they do not fit, which was reported.
    pub(super) fn arguments(
        &mut self,
        found: Found,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Option<Arguments> {
        let params = found.entry.params;
        let mut bound = Arguments { found, span, values: vec![None; params.len()], rest: Vec::new() };
        let mut ok = true;
        let mut next = 0;
        for value in values {
            match params.get(next) {
                Some(_) => bound.place(&mut next, value),
                None => ok = false,
            }
        }
        for arg in args {
            if let ast::ExprKind::Starred(value) = &arg.kind {
                let items = self.unpacked(value).unwrap_or_else(|wrong| vec![wrong]);
                for item in items {
                    match params.get(next) {
                        Some(_) => bound.place(&mut next, item),
                        None => ok = false,
                    }
                }
                continue;
            }
            let param = params.get(next).copied();
            let value = self.argument(&found, param, arg);
            if param.is_none() {
                ok = false;
                continue;
            }
            bound.place(&mut next, value);
        }
        if !ok {
            self.too_many_arguments(&found, args.len(), span);
        }
        for keyword in keywords {
            ok &= self.keyword(&mut bound, keyword);
        }
        ok &= self.nothing_missing(&bound);
        ok.then_some(bound)
    }

    fn argument(&mut self, found: &Found, param: Option<Param>, arg: &ast::Expr) -> Expr {
        match param.map(|p| p.kind) {
            _ if keeps_types(found) => self.either_expr(arg),
            Some(ParamKind::DType) => self.type_argument(arg),
            Some(ParamKind::Display) => self.display(arg),
            Some(ParamKind::Contents) => self.contents(arg),
            _ => self.expr(arg),
        }
    }

    fn keyword(&mut self, bound: &mut Arguments, keyword: &Keyword) -> bool {
        let name = keyword.name.name.as_str();
        let params = bound.found.entry.params;
        // Several axes may be given one by one, or as a tuple by name.
        let by_name = |p: &Param| p.default != Default::Rest || p.kind == ParamKind::Display;
        let position = params.iter().position(|p| p.name == name && by_name(p));
        let value = self.argument(&bound.found, position.map(|i| params[i]), &keyword.value);
        let shown = Self::shown_name(&bound.found);
        let Some(index) = position else {
            let near = did_you_mean(name, params.iter().map(|p| p.name));
            let headline = format!("`{shown}` has no parameter `{name}` here");
            let diagnostic = Diagnostic::error(code::KEYWORD_ARGUMENT_UNKNOWN, headline)
                .primary(keyword.name.span, "no such parameter")
                .maybe_help(near.map(|near| format!("did you mean `{near}`?")));
            self.report(diagnostic);
            return false;
        };
        let is_rest = params[index].default == Default::Rest;
        if bound.values[index].is_some() || is_rest && !bound.rest.is_empty() {
            let headline = format!("`{shown}` got multiple values for argument `{name}`");
            self.error(code::DUPLICATE_ARGUMENT, keyword.name.span, headline, "given by position as well");
            return false;
        }
        if is_rest {
            bound.rest.push(value);
        } else {
            bound.values[index] = Some(value);
        }
        true
    }

    fn too_many_arguments(&mut self, found: &Found, count: usize, span: Span) {
        let shown = Self::shown_name(found);
        let takes = counted(found.entry.params.len(), "argument");
        let headline = format!("`{shown}` takes at most {takes}, but {}", were_given(count));
        self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "too many arguments");
    }

    fn nothing_missing(&mut self, bound: &Arguments) -> bool {
        let params = bound.found.entry.params.iter().zip(&bound.values);
        let missing: Vec<String> = params
            .filter(|(param, value)| param.default == Default::Required && value.is_none())
            .map(|(param, _)| format!("`{}`", param.name))
            .collect();
        if missing.is_empty() {
            return true;
        }
        let what = if missing.len() == 1 { "argument" } else { "arguments" };
        let headline =
            format!("`{}` is missing {what} {}", Self::shown_name(&bound.found), missing.join(", "));
        self.error(code::WRONG_ARGUMENT_COUNT, bound.span, headline, "not enough arguments");
        false
    }

    /// A type as an argument: `np.float32`, `float64()`, `"float32"`, `a.dtype`.
    pub(in crate::typed) fn type_argument(&mut self, arg: &ast::Expr) -> Expr {
        let is_call = matches!(&arg.kind, ast::ExprKind::Call { args, .. } if args.is_empty());
        let value = self.expr(arg);
        let num = match (&value.ty, &value.kind) {
            (Ty::DType(_) | Ty::TypeOf(_) | Ty::None, _) => return value,
            (Ty::Scalar(num), _) if is_call && value.is_closed() => Some(*num),
            (Ty::Str, ExprKind::Text(name)) => type_by_name(name),
            (ty, _) if ty.is_silent() => return value,
            _ => None,
        };
        match num {
            Some(num) => Expr::new(ExprKind::Static, Ty::DType(num), arg.span),
            None => {
                let diagnostic =
                    Diagnostic::error(code::TYPE_MISMATCH, format!("{} is not a dtype", value.ty))
                        .primary(arg.span, "expected a type")
                        .help("write `float64`, `np.float64` or `\"float64\"`");
                self.fail(diagnostic)
            }
        }
    }
}

/// The type that NumPy makes of a string.
fn type_by_name(name: &str) -> Option<Num> {
    let code = name.trim_start_matches(['<', '=', '|']);
    let by_code = match code {
        "?" | "b1" => Some(DType::Bool),
        "b" | "i1" => Some(DType::I8),
        "B" | "u1" => Some(DType::U8),
        "h" | "i2" => Some(DType::I16),
        "H" | "u2" => Some(DType::U16),
        "i" | "i4" => Some(DType::I32),
        "I" | "u4" => Some(DType::U32),
        "l" | "q" | "p" | "i8" | "int" => Some(DType::I64),
        "L" | "Q" | "P" | "u8" => Some(DType::U64),
        "f" | "f4" => Some(DType::F32),
        "d" | "f8" | "float" => Some(DType::F64),
        "F" | "c8" => Some(DType::C64),
        "D" | "c16" | "complex" => Some(DType::C128),
        _ => None,
    };
    if let Some(dtype) = by_code {
        return Some(Num::strong(dtype));
    }
    match catalogue::find(Space::Numpy, name)?.entry.algebra {
        Algebra::Convert { dtype, .. } => Some(Num::strong(dtype)),
        _ => None,
    }
}

impl Arguments {
    fn place(&mut self, next: &mut usize, value: Expr) {
        let is_rest = self.found.entry.params.get(*next).is_some_and(|p| p.default == Default::Rest);
        if is_rest {
            self.rest.push(value);
        } else {
            self.values[*next] = Some(value);
            *next += 1;
        }
    }
}

/// Whether a function gives one of its arguments, or shows what type they are of: numbers of one of several types stay
/// that.
const fn keeps_types(found: &Found) -> bool {
    matches!(
        found.entry.algebra,
        Algebra::Builtin(Builtin::Min | Builtin::Max | Builtin::Print | Builtin::Abs)
    ) && matches!(found.space, Space::Bare)
}
