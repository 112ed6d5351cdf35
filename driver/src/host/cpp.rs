//! The header by which C++ calls a module's functions.

use crate::host::interface::{Function, Interface, Type};
use crate::host::names::{apart_from, in_c};
use crate::host::{doc, symbol};
use pydd_ir::{DType, Literal, Module};

/// `kernels.hpp`.
pub fn header(module: &Module, interface: &Interface) -> String {
    let guard = format!("PYDD_{}_HPP", module.name.to_uppercase());
    let symbol = symbol(module);
    let functions: String =
        interface.functions.iter().map(|f| format!("\n{}", function(&symbol, f))).collect();
    let refused: String = interface
        .refused
        .iter()
        .map(|refused| format!("\n// {}() is not here: {}.\n", refused.name, refused.reason))
        .collect();
    format!(
        "// Made by pyddc {} of {}: do not edit.\n#ifndef {guard}\n#define {guard}\n\n#include \"pydd.hpp\"\n\n#include <limits>\n\n\
         extern \"C\" const pydd_module *{symbol}(void);\n\nnamespace {} {{\n{functions}{refused}\n}}\n\n#endif\n",
        env!("CARGO_PKG_VERSION"),
        module.file,
        in_c(&module.name)
    )
}

fn function(symbol: &str, f: &Function) -> String {
    let mut names: Vec<String> = Vec::new();
    for param in &f.params {
        names.push(apart_from(&in_c(&param.name), &names));
    }
    let types: Vec<String> = f.params.iter().map(|param| taken(&param.ty)).collect();
    // Only the last parameters may be left out, and only where no version takes fewer.
    let required = f.params.iter().rposition(|p| p.default.is_none()).map_or(0, |last| last + 1);
    let params: Vec<String> = (f.params.iter().zip(&names).zip(&types).enumerate())
        .map(|(i, ((param, name), ty))| match &param.default {
            Some(value) if i >= required && !f.is_overloaded => {
                format!("{ty} {name} = {}", literal(value, &param.ty))
            }
            _ => format!("{ty} {name}"),
        })
        .collect();
    let result = f.result.as_ref().map_or_else(|| "void".to_owned(), given);
    let called = std::iter::once(&result).chain(&types).cloned().collect::<Vec<_>>().join(", ");
    let passed: String = names.iter().map(|name| format!(", {name}")).collect();
    // The tag of a number's own type is taken as a number behind it.
    let (called, first) = match &f.result {
        Some(ty) if f.result_words > ty.words() => {
            (called.replacen(&result, &format!("std::tuple<{result}, std::int64_t>"), 1), true)
        }
        _ => (called, false),
    };
    let call = format!("::pydd::detail::call<{called}>(::{symbol}(), {}{passed})", f.index);
    let call = if first { format!("std::get<0>({call})") } else { call };
    let give = if f.result.is_some() { "return " } else { "" };
    format!(
        "{}inline {result} {}({})\n{{\n    {give}{call};\n}}\n",
        doc::comment(f.doc.as_deref(), &[]),
        in_c(&f.name),
        params.join(", ")
    )
}

fn literal(value: &Literal, ty: &Type) -> String {
    let float = |bits: u64| {
        let value = f64::from_bits(bits);
        let limits = "std::numeric_limits<double>";
        match value {
            v if v.is_nan() => format!("{limits}::quiet_NaN()"),
            v if v.is_infinite() => format!("{}{limits}::infinity()", if v < 0.0 { "-" } else { "" }),
            v => format!("{v:?}"),
        }
    };
    match (value, ty) {
        (Literal::Float(bits), Type::Scalar(DType::F32)) => format!("static_cast<float>({})", float(*bits)),
        (Literal::Float(bits), _) => float(*bits),
        (Literal::Complex(re, im), Type::Scalar(DType::C64)) => {
            format!("{{static_cast<float>({}), static_cast<float>({})}}", float(*re), float(*im))
        }
        (Literal::Complex(re, im), _) => format!("{{{}, {}}}", float(*re), float(*im)),
        (Literal::Bool(value), _) => value.to_string(),
        (Literal::Int(i64::MIN), _) => "INT64_MIN".to_owned(),
        (Literal::Int(value), _) => value.to_string(),
        (Literal::Str(text), _) => format!("{text:?}"),
    }
}

fn number(dtype: DType) -> String {
    match dtype {
        DType::Bool => "bool".to_owned(),
        DType::F32 => "float".to_owned(),
        DType::F64 => "double".to_owned(),
        DType::C64 => "std::complex<float>".to_owned(),
        DType::C128 => "std::complex<double>".to_owned(),
        int => format!("std::{}_t", int.numpy_name()),
    }
}

fn element(dtype: DType, is_const: bool) -> String {
    format!("{}{}", if is_const { "const " } else { "" }, number(dtype))
}

/// The type of an argument.
fn taken(ty: &Type) -> String {
    match ty {
        Type::Scalar(dtype) => number(*dtype),
        Type::Array { dtype, rank, is_const } => {
            format!("::pydd::view<{}, {rank}>", element(*dtype, *is_const))
        }
        Type::Sparse { dtype, index, is_const, .. } => {
            format!("::pydd::csr_view<{}, {}>", element(*dtype, *is_const), number(*index))
        }
        Type::Tuple(items) => {
            format!("std::tuple<{}>", items.iter().map(taken).collect::<Vec<_>>().join(", "))
        }
        Type::Maybe(value) => format!("std::optional<{}>", taken(value)),
    }
}

/// The type of a result.
fn given(ty: &Type) -> String {
    match ty {
        Type::Scalar(dtype) => number(*dtype),
        Type::Array { dtype, rank, is_const } => {
            format!("::pydd::array<{}, {rank}>", element(*dtype, *is_const))
        }
        Type::Sparse { dtype, index, csc, .. } => {
            format!("::pydd::{}<{}, {}>", if *csc { "csc" } else { "csr" }, number(*dtype), number(*index))
        }
        Type::Tuple(items) => {
            format!("std::tuple<{}>", items.iter().map(given).collect::<Vec<_>>().join(", "))
        }
        Type::Maybe(value) => format!("std::optional<{}>", given(value)),
    }
}
