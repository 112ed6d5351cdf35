//! The crate by which Rust calls a module's functions.

use crate::host::interface::{Function, Interface, Type};
use crate::host::names::apart_from;
use crate::host::{File, symbol};
use pydd_ir::{DType, Module};

/// Words of Rust that are no names, even as `r#…`.
const NEVER: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Words of Rust that are names as `r#…`.
const RAW: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The crate's files, in a folder of the module's name.
pub fn files(module: &Module, interface: &Interface) -> Vec<File> {
    let name = &module.name;
    let runtime = crate::host::library::runtime_folder().map(|folder| folder.display().to_string());
    let manifest = format!(
        "# Made by pyddc {}: do not edit.\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\nlinks = \"{name}\"\n\n\
         [features]\n# Arrays of ndarray as arguments, and results as such.\nndarray = [\"dep:ndarray\"]\n# num_complex::Complex as complex numbers.\n\
         num-complex = [\"dep:num-complex\"]\n\n[dependencies]\nndarray = {{ version = \">=0.16, <0.18\", default-features = false, features = [\"std\"], optional = true }}\n\
         num-complex = {{ version = \"0.4\", optional = true }}\n",
        env!("CARGO_PKG_VERSION")
    );
    let build = include_str!("../../../runtime/host/rust/build.rs")
        .replace("MODULE", name)
        .replace("FOLDER", &runtime.unwrap_or_default().escape_default().to_string());
    vec![
        File::new("Cargo.toml", manifest),
        File::new("build.rs", build),
        File::new("src/pydd.rs", include_str!("../../../runtime/host/rust/pydd.rs")),
        File::new("src/lib.rs", library(module, interface)),
    ]
}

fn library(module: &Module, interface: &Interface) -> String {
    let symbol = symbol(module);
    let doc = module.doc.as_deref().unwrap_or("Kernels of pydd.");
    let mut names = vec!["pydd".to_owned()];
    let functions: String = interface
        .functions
        .iter()
        .map(|f| {
            let name = apart_from(&identifier(&format!("{}{}", f.name, f.suffix)), &names);
            names.push(name.clone());
            function(&name, &symbol, f)
        })
        .collect();
    let refused: String = interface
        .refused
        .iter()
        .map(|refused| format!("\n// {}() is not here: {}.\n", refused.name, refused.reason))
        .collect();
    format!(
        "// Made by pyddc {} of {}: do not edit.\n#![doc = {doc:?}]\n#![allow(dead_code, non_snake_case, clippy::all)]\n\npub mod pydd;\n\n\
         unsafe extern \"C\" {{\n    fn {symbol}() -> *const pydd::Module;\n}}\n{functions}{refused}",
        env!("CARGO_PKG_VERSION"),
        module.file
    )
}

fn identifier(name: &str) -> String {
    match name {
        name if NEVER.contains(&name) => format!("{name}_"),
        name if RAW.contains(&name) => format!("r#{name}"),
        name => name.to_owned(),
    }
}

fn function(name: &str, symbol: &str, f: &Function) -> String {
    let mut names: Vec<String> = Vec::new();
    for param in &f.params {
        names.push(apart_from(&identifier(&param.name), &names));
    }
    let borrows = f.params.iter().any(|param| is_borrowed(&param.ty));
    let life = if borrows { "<'a>" } else { "" };
    let params: Vec<String> =
        f.params.iter().zip(&names).map(|(param, name)| format!("{name}: {}", accepted(&param.ty))).collect();
    let args: String = f
        .params
        .iter()
        .zip(&names)
        .map(|(param, name)| match &param.ty {
            ty @ Type::Array { .. } => format!("Into::<{}>::into({name}), ", taken(ty)),
            _ => format!("{name}, "),
        })
        .collect();
    // Tuples of more than twelve values are taken apart.
    let args = nested(&args);
    let result = f.result.as_ref().map_or_else(|| "()".to_owned(), given);
    let with_tag = f.result.as_ref().is_some_and(|ty| f.result_words > ty.words());
    let (called, rest) = if with_tag {
        (format!("({result}, i64)"), ".map(|(value, _)| value)")
    } else {
        (result.clone(), "")
    };
    let doc = f.doc.as_ref().map(|doc| format!("#[doc = {:?}]\n", doc.trim())).unwrap_or_default();
    format!(
        "\n{doc}pub fn {name}{life}({}) -> Result<{result}, pydd::Error> {{\n    // SAFETY: the types are those of the module, whose symbol has \
         their fingerprint.\n    unsafe {{ pydd::call::<{called}>({symbol}(), {}, {args}) }}{rest}\n}}\n",
        params.join(", "),
        f.index
    )
}

/// A tuple of all arguments, of tuples of twelve where there are more.
fn nested(args: &str) -> String {
    let all: Vec<&str> = args.split_inclusive(", ").collect();
    if all.len() <= 12 {
        return format!("({})", args.trim_end());
    }
    let groups: String = all.chunks(12).map(|group| format!("({}), ", group.concat().trim_end())).collect();
    nested(&groups)
}

fn is_borrowed(ty: &Type) -> bool {
    match ty {
        Type::Array { .. } | Type::Sparse { .. } => true,
        Type::Tuple(items) => items.iter().any(is_borrowed),
        Type::Scalar(_) | Type::Maybe(_) => false,
    }
}

fn number(dtype: DType) -> String {
    match dtype {
        DType::Bool => "bool".to_owned(),
        DType::F32 => "f32".to_owned(),
        DType::F64 => "f64".to_owned(),
        DType::C64 => "pydd::Complex<f32>".to_owned(),
        DType::C128 => "pydd::Complex<f64>".to_owned(),
        int => int.numpy_name().replace("uint", "u").replace("int", "i"),
    }
}

/// What a parameter may be given as.
fn accepted(ty: &Type) -> String {
    match ty {
        Type::Array { .. } => format!("impl Into<{}>", taken(ty)),
        other => taken(other),
    }
}

fn taken(ty: &Type) -> String {
    match ty {
        Type::Scalar(dtype) => number(*dtype),
        Type::Array { dtype, rank, is_const } => {
            format!("pydd::View{}<'a, {}, {rank}>", if *is_const { "" } else { "Mut" }, number(*dtype))
        }
        Type::Sparse { dtype, index, is_const, .. } => {
            format!(
                "pydd::CsrView{}<'a, {}, {}>",
                if *is_const { "" } else { "Mut" },
                number(*dtype),
                number(*index)
            )
        }
        Type::Tuple(items) => tuple(items, taken),
        Type::Maybe(value) => format!("Option<{}>", taken(value)),
    }
}

fn given(ty: &Type) -> String {
    match ty {
        Type::Scalar(dtype) => number(*dtype),
        Type::Array { dtype, rank, .. } => format!("pydd::Array<{}, {rank}>", number(*dtype)),
        Type::Sparse { dtype, index, .. } => format!("pydd::Sparse<{}, {}>", number(*dtype), number(*index)),
        Type::Tuple(items) => tuple(items, given),
        Type::Maybe(value) => format!("Option<{}>", given(value)),
    }
}

fn tuple(items: &[Type], of: fn(&Type) -> String) -> String {
    format!("({})", items.iter().map(|item| of(item) + ", ").collect::<String>().trim_end())
}
