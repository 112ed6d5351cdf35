//! `export` lines: what Python sees of a module.

use super::attrs;
use super::lexer::quoted;
use super::parser::{Mention, Parsed, Parser};
use crate::entity::{Entity, FuncRef};
use crate::entries::{Entry, Guard};
use crate::func::{Export, ExportParam, ExportType, Identity, Ufunc};
use crate::op::Literal;
use crate::types::{DType, SparseType, Type};

/// The words of sparse types: whether compressed by columns, and whether an array in SciPy's sense.
const SPARSE: [(&str, bool, bool); 4] = [
    ("csr_matrix", false, false),
    ("csr_array", false, true),
    ("csc_matrix", true, false),
    ("csc_array", true, true),
];

/// One `export` line.
pub(super) fn print_export(export: &Export, func_name: impl Fn(FuncRef) -> String) -> String {
    let params: Vec<String> = export.params.iter().map(export_param).collect();
    let mut out = format!("export {}({})", quoted(&export.name), params.join(", "));
    let entry = |entry: &Entry| {
        let guards: String = entry.guards.iter().map(|guard| format!(" {}", guard.name())).collect();
        format!("{}{}{guards}", func_name(entry.func), if guards.is_empty() { "" } else { " if" })
    };
    let entries: Vec<String> = export.entries.iter().map(entry).collect();
    out += &format!(
        " -> {}{} = {}",
        export_type(&export.result),
        ufunc(export.ufunc.as_ref()),
        entries.join(", ")
    );
    if let Some(doc) = &export.doc {
        out += &format!(" doc {}", quoted(doc));
    }
    out.push('\n');
    out
}

/// ` ufunc "(n),(n)->()" generalized identity zero`.
fn ufunc(ufunc: Option<&Ufunc>) -> String {
    let Some(ufunc) = ufunc else { return String::new() };
    let generalized = if ufunc.is_generalized { " generalized" } else { "" };
    let identity = ufunc.identity.map_or(String::new(), |identity| format!(" identity {}", identity.name()));
    format!(" ufunc {}{generalized}{identity}", quoted(&ufunc.core))
}

fn export_param(param: &ExportParam) -> String {
    let keyword = match (param.keyword_only, param.positional_only) {
        (true, _) => "keyword ",
        (_, true) => "positional ",
        _ => "",
    };
    let written = if param.written { "written " } else { "" };
    let cast = if param.cast { "cast " } else { "" };
    let order = if param.column_major { "column_major " } else { "" };
    let ty = export_type(&param.ty);
    let mut out = format!("{keyword}{}: {cast}{order}{written}{ty}", quoted(&param.name));
    if let Some(default) = &param.default {
        let ty = match param.ty {
            ExportType::Scalar { dtype, .. } => Type::Scalar(dtype),
            ExportType::None | ExportType::Constant(Literal::Bool(_)) => Type::Scalar(DType::Bool),
            ExportType::Constant(Literal::Int(_)) => Type::I64,
            _ => Type::Str,
        };
        out += &format!(" = {}", attrs::literal(default, ty));
    }
    out
}

fn export_type(ty: &ExportType) -> String {
    match ty {
        ExportType::None => "none".to_owned(),
        ExportType::Scalar { dtype, weak } => format!("{}{dtype}", if *weak { "weak " } else { "" }),
        ExportType::Constant(value) => {
            let ty = if matches!(value, Literal::Str(_)) { Type::Str } else { Type::I64 };
            format!("constant {}", attrs::literal(value, ty))
        }
        ExportType::Either(wide, all) => {
            let all: Vec<String> =
                all.iter().map(|&(dtype, weak)| export_type(&ExportType::Scalar { dtype, weak })).collect();
            format!("either {wide}<{}>", all.join(", "))
        }
        ExportType::Maybe(value) => format!("maybe<{}>", export_type(value)),
        ExportType::Array { dtype, rank } => Type::array(*dtype, *rank).to_string(),
        ExportType::ReadOnly { dtype, rank } => format!("read_only {}", Type::array(*dtype, *rank)),
        ExportType::Items(items) => format!("items<{}>", export_types(items)),
        ExportType::List(dtype) => Type::list(*dtype).to_string(),
        ExportType::Lists(item) => format!("lists<{}>", export_type(item)),
        ExportType::Tuples(items) => format!("tuples<{}>", export_types(items)),
        ExportType::Sparse(sparse) => sparse.to_string(),
        ExportType::Dict { key, value: Some(value) } => {
            format!("dict<{}, {}>", export_type(key), export_type(value))
        }
        ExportType::Dict { key, value: None } => format!("set<{}>", export_type(key)),
        ExportType::Tuple(items) => format!("({})", export_types(items)),
    }
}

fn export_types(items: &[ExportType]) -> String {
    items.iter().map(export_type).collect::<Vec<_>>().join(", ")
}

impl Parser<'_> {
    /// After the word `export`.
    pub(super) fn export(&mut self) -> Parsed<()> {
        let index = self.module.exports.len();
        let name = self.string()?;
        self.expect('(')?;
        let params = self.list(')', Self::export_param)?;
        if *self.peek() != super::lexer::Tok::Arrow {
            return Err(self.expected("`->`"));
        }
        self.advance();
        let result = self.export_type(0)?;
        let ufunc = if self.eat_word("ufunc") { Some(self.ufunc()?) } else { None };
        self.expect('=')?;
        let mut entries = Vec::new();
        loop {
            let (pos, func) = (self.pos(), self.func_name()?);
            self.mentions.push((Mention::Entry(index, entries.len()), func, pos));
            let guards = if self.eat_word("if") { self.guards()? } else { Vec::new() };
            entries.push(Entry { func: FuncRef::new(0), guards });
            if !self.eat(',') {
                break;
            }
        }
        let doc = if self.eat_word("doc") { Some(self.string()?) } else { None };
        self.module.exports.push(Export { name, doc, params, result, entries, ufunc });
        Ok(())
    }

    /// After `ufunc`.
    fn ufunc(&mut self) -> Parsed<Ufunc> {
        let core = self.string()?;
        let is_generalized = self.eat_word("generalized");
        let identity = if self.eat_word("identity") {
            let found = Identity::ALL.into_iter().find(|identity| self.eat_word(identity.name()));
            Some(found.ok_or_else(|| self.expected("an identity"))?)
        } else {
            None
        };
        Ok(Ufunc { core, is_generalized, identity })
    }

    /// After `if`: one guard or more.
    fn guards(&mut self) -> Parsed<Vec<Guard>> {
        let mut guards = Vec::new();
        while let Some(guard) = Guard::ALL.into_iter().find(|guard| self.eat_word(guard.name())) {
            guards.push(guard);
        }
        if guards.is_empty() { Err(self.expected("a guard")) } else { Ok(guards) }
    }

    fn export_param(&mut self) -> Parsed<ExportParam> {
        let keyword_only = self.eat_word("keyword");
        let positional_only = self.eat_word("positional");
        let name = self.string()?;
        self.expect(':')?;
        let cast = self.eat_word("cast");
        let column_major = self.eat_word("column_major");
        let written = self.eat_word("written");
        let ty = self.export_type(0)?;
        let default = if self.eat('=') { Some(self.literal()?) } else { None };
        Ok(ExportParam { name, ty, default, written, keyword_only, positional_only, cast, column_major })
    }

    fn export_type(&mut self, depth: usize) -> Parsed<ExportType> {
        if depth > super::MAX_NESTING {
            return Err(self.pos().error("tuples are nested too deeply"));
        }
        if self.eat('(') {
            return self.list(')', |p| p.export_type(depth + 1)).map(ExportType::Tuple);
        }
        if self.eat_word("none") {
            return Ok(ExportType::None);
        }
        if self.eat_word("constant") {
            let pos = self.pos();
            return match self.literal()? {
                value @ (Literal::Bool(_) | Literal::Int(_) | Literal::Str(_)) => {
                    Ok(ExportType::Constant(value))
                }
                _ => Err(pos.error("constants are integers, bools and texts")),
            };
        }
        if self.eat_word("weak") {
            return self.dtype().map(|dtype| ExportType::Scalar { dtype, weak: true });
        }
        if self.eat_word("either") {
            let wide = self.dtype()?;
            self.expect('<')?;
            let one = |p: &mut Self| Ok((p.eat_word("weak"), p.dtype()?)).map(|(weak, dtype)| (dtype, weak));
            return self.list('>', one).map(|all| ExportType::Either(wide, all));
        }
        if self.eat_word("maybe") {
            self.expect('<')?;
            let value = self.export_type(depth + 1)?;
            self.expect('>')?;
            return Ok(ExportType::Maybe(Box::new(value)));
        }
        if self.eat_word("set") {
            self.expect('<')?;
            let key = self.export_type(depth + 1)?;
            self.expect('>')?;
            return Ok(ExportType::Dict { key: Box::new(key), value: None });
        }
        if self.eat_word("dict") {
            self.expect('<')?;
            let key = self.export_type(depth + 1)?;
            self.expect(',')?;
            let value = self.export_type(depth + 1)?;
            self.expect('>')?;
            return Ok(ExportType::Dict { key: Box::new(key), value: Some(Box::new(value)) });
        }
        if self.eat_word("lists") {
            self.expect('<')?;
            let item = self.export_type(depth + 1)?;
            self.expect('>')?;
            return Ok(ExportType::Lists(Box::new(item)));
        }
        if self.eat_word("tuples") {
            self.expect('<')?;
            return self.list('>', |p| p.export_type(depth + 1)).map(ExportType::Tuples);
        }
        if self.eat_word("items") {
            self.expect('<')?;
            return self.list('>', |p| p.export_type(depth + 1)).map(ExportType::Items);
        }
        let read_only = self.eat_word("read_only");
        for (word, csc, array) in SPARSE {
            if self.eat_word(word) {
                return self.sparse(csc, array).map(ExportType::Sparse);
            }
        }
        let pos = self.pos();
        match self.ty()? {
            Type::Scalar(dtype) => Ok(ExportType::Scalar { dtype, weak: false }),
            Type::Array { dtype, rank } if read_only => Ok(ExportType::ReadOnly { dtype, rank }),
            Type::Array { dtype, rank } => Ok(ExportType::Array { dtype, rank }),
            Type::List { dtype, rank: None, depth: 1 } => Ok(ExportType::List(dtype)),
            Type::List { .. } => Err(pos.error("a list of lists or arrays is written `lists<…>` here")),
            Type::Str => Err(pos.error("strings are not passed to Python")),
        }
    }

    /// After the class: `<f64, i32>`.
    fn sparse(&mut self, csc: bool, array: bool) -> Parsed<SparseType> {
        self.expect('<')?;
        let dtype = self.dtype()?;
        self.expect(',')?;
        let pos = self.pos();
        let index = self.dtype()?;
        if !matches!(index, DType::I32 | DType::I64) {
            return Err(pos.error("indices are i32 or i64"));
        }
        self.expect('>')?;
        Ok(SparseType { dtype, index, array, csc })
    }
}
