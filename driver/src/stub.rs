//! A module as type checkers see it: `name.pyi`.

use pydd_ir::{DType, Exc, Export, ExportParam, ExportType, Literal, Module, SparseType};
use std::fmt::Write;

/// What a stub imports where it is used; the names begin with `_`, so that they hide nothing and are not re-exported.
const IMPORTS: [(&str, &str); 7] = [
    ("_builtins.", "import builtins as _builtins\n"),
    ("_np.", "import numpy as _np\n"),
    ("_npt.", "import numpy.typing as _npt\n"),
    ("_sparse.", "import scipy.sparse as _sparse  # type: ignore[import-untyped]\n"),
    ("_Any", "from typing import Any as _Any\n"),
    ("_Literal[", "from typing import Literal as _Literal\n"),
    ("@_overload", "from typing import overload as _overload\n"),
];
/// Types of Python that functions of a module may be called as.
const PYTHONS: [&str; 8] = ["bool", "int", "float", "complex", "list", "dict", "set", "tuple"];

/// The text of the stub.
#[must_use]
pub fn stub(module: &Module) -> String {
    let mut out = String::new();
    for class in &module.exceptions {
        let base = match class.base {
            Exc::LinAlgError => "_np.linalg.LinAlgError",
            base => module.exception_name(base),
        };
        let _ = write!(out, "\nclass {}({base}):", class.name);
        match &class.doc {
            Some(doc) => {
                let _ = writeln!(out, "\n    {}", docstring(doc));
            }
            None => out += " ...\n",
        }
    }
    let mut rest: Vec<&Export> = module.exports.iter().collect();
    while let Some(first) = rest.first() {
        let (of_name, others): (Vec<&Export>, Vec<&Export>) =
            rest.iter().partition(|export| export.name == first.name);
        if first.ufunc.is_some() {
            let _ = write!(out, "\n{}: _np.ufunc\n", first.name);
        } else {
            function(&mut out, &of_name);
        }
        rest = others;
    }
    for name in PYTHONS.into_iter().filter(|name| module.exports.iter().any(|export| export.name == *name)) {
        out = qualified(&out, name);
    }
    let doc = module.doc.as_ref().map_or(String::new(), |doc| docstring(doc) + "\n");
    let used = IMPORTS.into_iter().filter(|(name, _)| out.contains(name)).map(|(_, import)| import);
    doc + &used.collect::<String>() + &out
}

/// The text with a type of Python called by its module, as another thing has its name.
fn qualified(text: &str, name: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let last = before.chars().next_back().or_else(|| out.chars().next_back());
        let inside = is_part(last)
            || is_part(after.chars().next())
            || before.ends_with("def ")
            || after.starts_with(':');
        out += before;
        out += if inside { "" } else { "_builtins." };
        out += name;
        rest = after;
    }
    out + rest
}

/// The versions of a function. Those that take the same are one, which gives either result; narrower ones come first.
fn function(out: &mut String, exports: &[&Export]) {
    let mut versions: Vec<(u32, String, Vec<String>)> = Vec::new();
    for export in exports {
        let result = given(&export.result);
        for params in ways(export) {
            match versions.iter_mut().find(|(_, known, _)| *known == params) {
                Some((_, _, results)) if results.contains(&result) => {}
                Some((_, _, results)) => results.push(result.clone()),
                None => {
                    let breadth = export.params.iter().map(|p| breadth(&p.ty)).sum();
                    versions.push((breadth, params, vec![result.clone()]));
                }
            }
        }
    }
    versions.sort_by_key(|(breadth, ..)| *breadth);
    let overload = if versions.len() > 1 { "@_overload\n" } else { "" };
    for (_, params, results) in &versions {
        // Numbers that one version takes may be numbers to another one.
        let overlap =
            if versions.len() > 1 { "  # type: ignore[overload-overlap, unused-ignore]" } else { "" };
        let _ = write!(out, "\n{overload}def {}({params}) -> {}:", exports[0].name, results.join(" | "));
        match &exports[0].doc {
            Some(doc) => {
                let _ = writeln!(out, "{overlap}\n    {}", docstring(doc));
            }
            None => {
                let _ = writeln!(out, " ...{overlap}");
            }
        }
    }
}

/// How much an argument of this type accepts, beside others.
fn breadth(ty: &ExportType) -> u32 {
    match ty {
        ExportType::Scalar { dtype, .. } if dtype.is_complex() => 3,
        ExportType::Scalar { dtype, .. } if dtype.is_int() => 1,
        ExportType::Scalar { dtype: DType::Bool, .. } => 0,
        ExportType::Scalar { .. } => 2,
        _ => 0,
    }
}

/// The parameters, as they stand between the parentheses. What may be left out stands before what may not in some versions (for
/// None, or for one value), which Python's grammar has no words for: then all up to there are given, or the rest by name.
fn ways(export: &Export) -> Vec<String> {
    let later = |i: usize| export.params[i + 1..].iter().any(|p| p.default.is_none() && !p.keyword_only);
    let first = (0..export.params.len()).find(|&i| export.params[i].default.is_some() && later(i));
    let by_position = params(export, |i| later(i) && !export.params[i].keyword_only, export.params.len());
    // The first one behind what is left out that is not.
    let named =
        first.and_then(|first| (first..export.params.len()).find(|&i| export.params[i].default.is_none()));
    match named {
        Some(named) if export.params[named..].iter().all(|p| !p.positional_only) => {
            vec![by_position, params(export, |_| false, named)]
        }
        _ => vec![by_position],
    }
}

/// `required`: which lose their default; from `named` on all are given by name.
fn params(export: &Export, required: impl Fn(usize) -> bool, named: usize) -> String {
    let mut params = Vec::new();
    let by_name = |i: usize| i >= named || export.params[i].keyword_only;
    for (i, p) in export.params.iter().enumerate() {
        if by_name(i) && (i == 0 || !by_name(i - 1)) {
            params.push("*".to_owned());
        }
        params.push(param(p, required(i)));
        if p.positional_only && export.params.get(i + 1).is_none_or(|next| !next.positional_only) {
            params.push("/".to_owned());
        }
    }
    params.join(", ")
}

/// `required`: without its default.
fn param(param: &ExportParam, required: bool) -> String {
    let default = match &param.default {
        None => String::new(),
        _ if required => String::new(),
        Some(_) if param.ty == ExportType::None => " = None".to_owned(),
        Some(value @ (Literal::Bool(_) | Literal::Str(_))) => format!(" = {}", value.python()),
        Some(_) => " = ...".to_owned(),
    };
    // A kernel may write to what it converts, and then takes arrays alone.
    let taken = if param.cast && !param.written { "_npt.ArrayLike".to_owned() } else { taken(&param.ty) };
    format!("{}: {taken}{default}", param.name)
}

/// The type of an argument: what calls accept.
fn taken(ty: &ExportType) -> String {
    match ty {
        ExportType::Scalar { dtype, .. } => match dtype {
            DType::Bool => "bool | _np.bool_",
            d if d.is_int() => "int | _np.integer[_Any]",
            d if d.is_complex() => {
                "complex | _np.complexfloating[_Any, _Any] | _np.floating[_Any] | _np.integer[_Any]"
            }
            _ => "float | _np.floating[_Any] | _np.integer[_Any]",
        }
        .to_owned(),
        ExportType::Array { dtype, .. } => format!("_npt.NDArray[_np.{}]", numpy(*dtype)),
        ExportType::Tuple(items) => tuple(items, taken),
        other => given(other),
    }
}

/// The type of a result; and of items of containers, which calls may change.
fn given(ty: &ExportType) -> String {
    match ty {
        ExportType::None => "None".to_owned(),
        ExportType::Constant(value) => format!("_Literal[{}]", value.python()),
        ExportType::Scalar { dtype, .. } => number(*dtype),
        ExportType::Either(_, all) => {
            let mut names: Vec<String> = Vec::new();
            for name in all.iter().map(|(dtype, _)| number(*dtype)) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(" | ")
        }
        ExportType::Maybe(value) => format!("{} | None", given(value)),
        ExportType::Array { dtype, rank } | ExportType::ReadOnly { dtype, rank } => {
            let shape = if *rank == 0 { "()".to_owned() } else { vec!["int"; usize::from(*rank)].join(", ") };
            format!("_np.ndarray[tuple[{shape}], _np.dtype[_np.{}]]", numpy(*dtype))
        }
        ExportType::List(dtype) => format!("list[{}]", number(*dtype)),
        ExportType::Tuples(items) => format!("list[{}]", tuple(items, given)),
        ExportType::Lists(item) => format!("list[{}]", given(item)),
        ExportType::Sparse(SparseType { array, csc, .. }) => {
            let form = if *csc { "csc" } else { "csr" };
            format!("_sparse.{form}_{}", if *array { "array" } else { "matrix" })
        }
        ExportType::Dict { key, value: Some(value) } => format!("dict[{}, {}]", given(key), given(value)),
        ExportType::Dict { key, value: None } => format!("set[{}]", given(key)),
        ExportType::Tuple(items) => tuple(items, given),
        ExportType::Items(items) => {
            let mut names: Vec<String> = items.iter().map(given).collect();
            names.sort();
            names.dedup();
            format!("list[{}]", names.join(" | "))
        }
    }
}

fn tuple(items: &[ExportType], of: fn(&ExportType) -> String) -> String {
    let items: Vec<String> = items.iter().map(of).collect();
    format!("tuple[{}]", if items.is_empty() { "()".to_owned() } else { items.join(", ") })
}

/// The type of a number that a kernel gives: Python's where it has one of that width.
fn number(dtype: DType) -> String {
    match dtype {
        DType::Bool => "bool".to_owned(),
        DType::I64 => "int".to_owned(),
        DType::F64 => "float".to_owned(),
        DType::C128 => "complex".to_owned(),
        other => format!("_np.{}", numpy(other)),
    }
}

/// NumPy's name of an element type.
fn numpy(dtype: DType) -> String {
    match dtype {
        DType::Bool => "bool_".to_owned(),
        other => other.numpy_name().to_owned(),
    }
}

/// A docstring in a form that any text has.
fn docstring(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"\"\"{escaped}\"\"\"")
}
