//! The module's description, `pydd_abi::ModuleSpec`, as an image. The spec itself is at offset 0.

use crate::image::{Image, Target};
use crate::sites::{self, Site};
use crate::summary;
use crate::words;
use crate::{CodegenOptions, Variant};
use core::mem::offset_of;
use pydd_abi::{self as abi, EntrySpec, FunctionSpec, ModuleSpec, ParamSpec, TypeKind, TypeSpec};
use pydd_ir::{
    Entity, Export, ExportParam, ExportType, Guard, Identity, Literal, Message, Module, Type, Ufunc,
};

/// Makes the description of `module`, whose code needs `cpu_features`.
#[must_use]
pub fn image(module: &Module, sites: &[Site], cpu_features: &str, options: &CodegenOptions) -> Image {
    let mut image = Image::default();
    let spec = image.reserve::<ModuleSpec>(1);
    image.put_u32(spec + offset_of!(ModuleSpec, abi_version), abi::ABI_VERSION);
    image.put_count(spec + offset_of!(ModuleSpec, table_size), size_of::<abi::Table>());
    image.put_string(spec + offset_of!(ModuleSpec, name), &module.name);
    if let Some(doc) = &module.doc {
        image.put_string(spec + offset_of!(ModuleSpec, doc), doc);
    }
    image.put_string(spec + offset_of!(ModuleSpec, file), &module.file);
    image.put_string(spec + offset_of!(ModuleSpec, cpu), &options.cpu);
    put_features(&mut image, spec + offset_of!(ModuleSpec, cpu_features), cpu_features, options);
    image.put_string(spec + offset_of!(ModuleSpec, made_by), &options.made_by);
    image.put_string(spec + offset_of!(ModuleSpec, source_sha256), &options.source_sha256);
    if let Some(better) = &options.variant.better {
        image.put_pointer(spec + offset_of!(ModuleSpec, better), Target::Symbol(better.clone()));
    }

    let functions = image.reserve::<FunctionSpec>(module.exports.len());
    image.put_pointer(spec + offset_of!(ModuleSpec, functions), Target::Image(functions));
    image.put_count(spec + offset_of!(ModuleSpec, n_functions), module.exports.len());
    let long = summary::long_running(module);
    for index in 0..module.exports.len() {
        let at = functions + index * size_of::<FunctionSpec>();
        function(&mut image, at, module, index, &long);
    }

    let table = image.reserve::<abi::Site>(sites.len());
    image.put_pointer(spec + offset_of!(ModuleSpec, sites), Target::Image(table));
    image.put_count(spec + offset_of!(ModuleSpec, n_sites), sites.len());
    for (index, site) in sites.iter().enumerate() {
        put_site(&mut image, table + index * size_of::<abi::Site>(), module, site);
    }
    let classes = image.reserve::<abi::ExceptionSpec>(module.exceptions.len());
    image.put_pointer(spec + offset_of!(ModuleSpec, exceptions), Target::Image(classes));
    image.put_count(spec + offset_of!(ModuleSpec, n_exceptions), module.exceptions.len());
    for (index, class) in module.exceptions.iter().enumerate() {
        let at = classes + index * size_of::<abi::ExceptionSpec>();
        image.put_string(at + offset_of!(abi::ExceptionSpec, name), &class.name);
        if let Some(doc) = &class.doc {
            image.put_string(at + offset_of!(abi::ExceptionSpec, doc), doc);
        }
        image.put_u32(at + offset_of!(abi::ExceptionSpec, base), sites::exc_number(class.base));
    }
    image.finish();
    image
}

/// Of the base variant the list is a text of its own, since what its code uses decides whether the module runs; among several
/// variants a better one is taken on processors that have all of its level.
fn put_features(image: &mut Image, at: usize, cpu_features: &str, options: &CodegenOptions) {
    if has_features_apart(cpu_features, &options.variant) {
        image.put_pointer(at, Target::Symbol(options.features()));
    } else {
        image.put_string(at, cpu_features);
    }
}

/// Whether [`CodegenOptions::features`] is to be defined; else the code needs no feature, or all that it may use.
#[must_use]
pub fn has_features_apart(cpu_features: &str, variant: &Variant) -> bool {
    variant.is_base && !cpu_features.is_empty()
}

/// The list of all features that code may use.
#[must_use]
pub fn features_image(cpu_features: &str) -> Image {
    let mut image = Image::default();
    image.bytes = crate::image::c_string(cpu_features);
    image
}

fn put_site(image: &mut Image, at: usize, module: &Module, site: &Site) {
    image.put_u32(at + offset_of!(abi::Site, kind), sites::exc_number(site.exc));
    let place = module.place(site.loc);
    image.put_u32(at + offset_of!(abi::Site, line), place.line);
    image.put_u32(at + offset_of!(abi::Site, column), place.column);
    if let Some(file) = place.file {
        image.put_string(at + offset_of!(abi::Site, file), file);
    }
    let function = module.scopes.get(site.loc.scope as usize).map_or("?", String::as_str);
    image.put_string(at + offset_of!(abi::Site, function), function);
    if let Some(message) = &site.message {
        image.put_string(at + offset_of!(abi::Site, message), message.template());
        let flags = if matches!(message, Message::Key(_)) { abi::SITE_KEY } else { 0 };
        image.put_u32(at + offset_of!(abi::Site, flags), flags);
    }
}

fn function(image: &mut Image, at: usize, module: &Module, index: usize, long: &[bool]) {
    let export = &module.exports[index];
    image.put_string(at + offset_of!(FunctionSpec, name), &export.name);
    if let Some(doc) = &export.doc {
        image.put_string(at + offset_of!(FunctionSpec, doc), doc);
    }
    let shown = export.ufunc.as_ref().map_or_else(|| signature(export), |ufunc| ufunc.core.clone());
    image.put_string(at + offset_of!(FunctionSpec, signature), &shown);
    let params = image.reserve::<ParamSpec>(export.params.len());
    image.put_pointer(at + offset_of!(FunctionSpec, params), Target::Image(params));
    image.put_count(at + offset_of!(FunctionSpec, n_params), export.params.len());
    let mut types = Vec::new();
    for (i, p) in export.params.iter().enumerate() {
        p.ty.flatten(&mut types);
        param(image, params + i * size_of::<ParamSpec>(), p);
    }

    let mut flags = 0;
    if export.funcs().any(|r| long[r.index()]) {
        flags |= abi::FN_RELEASES_GIL;
    }
    if module.exports[index + 1..].iter().any(|e| e.name == export.name) {
        flags |= abi::FN_OVERLOADED;
    }
    flags |= export.ufunc.as_ref().map_or(0, ufunc_flags);
    image.put_u32(at + offset_of!(FunctionSpec, flags), flags);
    type_spec(image, at + offset_of!(FunctionSpec, result), &export.result);
    image.put_count(at + offset_of!(FunctionSpec, arg_words), words::total(types));
    image.put_count(at + offset_of!(FunctionSpec, ret_words), words::total(result_types(export)));
    let entries = image.reserve::<EntrySpec>(export.entries.len());
    image.put_pointer(at + offset_of!(FunctionSpec, entries), Target::Image(entries));
    image.put_count(at + offset_of!(FunctionSpec, n_entries), export.entries.len());
    for (i, entry) in export.entries.iter().enumerate() {
        let at = entries + i * size_of::<EntrySpec>();
        image.put_pointer(at + offset_of!(EntrySpec, code), Target::Entry(entry.func));
        let guards = entry.guards.iter().fold(0, |all, &guard| all | guard_flag(guard));
        image.put_u32(at + offset_of!(EntrySpec, guards), guards);
    }
}

/// The ABI's flags of a ufunc's loop.
fn ufunc_flags(ufunc: &Ufunc) -> u32 {
    let identity = match ufunc.identity {
        None => 0,
        Some(Identity::Zero) => abi::FN_IDENTITY_ZERO,
        Some(Identity::One) => abi::FN_IDENTITY_ONE,
        Some(Identity::Reorderable) => abi::FN_REORDERABLE,
    };
    abi::FN_UFUNC | identity | if ufunc.is_generalized { abi::FN_GENERALIZED } else { 0 }
}

/// The ABI's flag of a guard.
const fn guard_flag(guard: Guard) -> u32 {
    match guard {
        Guard::Contiguous => abi::GUARD_CONTIGUOUS,
        Guard::Apart => abi::GUARD_APART,
        Guard::Device => abi::GUARD_DEVICE,
    }
}

fn result_types(export: &Export) -> Vec<Type> {
    let mut types = Vec::new();
    export.result.flatten(&mut types);
    types
}

fn param(image: &mut Image, at: usize, param: &ExportParam) {
    image.put_string(at + offset_of!(ParamSpec, name), &param.name);
    type_spec(image, at + offset_of!(ParamSpec, ty), &param.ty);
    let mut flags = 0;
    if param.written {
        flags |= abi::PARAM_WRITTEN;
    }
    if param.keyword_only {
        flags |= abi::PARAM_KEYWORD_ONLY;
    }
    if param.positional_only {
        flags |= abi::PARAM_POSITIONAL_ONLY;
    }
    if param.cast {
        flags |= abi::PARAM_CAST;
    }
    if param.column_major {
        flags |= abi::PARAM_COLUMN_MAJOR;
    }
    if param.default.is_some() {
        flags |= abi::PARAM_HAS_DEFAULT;
    }
    let default = at + offset_of!(ParamSpec, default);
    let mut put = |literal: &Literal, dtype| {
        let words = words::of_literal(literal, dtype);
        image.put(default, &words[0].to_ne_bytes());
        image.put(default + 8, &words[1].to_ne_bytes());
    };
    match (&param.default, &param.ty) {
        (_, ExportType::Constant(Literal::Str(text))) => image.put_string(default, text),
        (_, ExportType::Constant(value)) => put(value, constant_type(value)),
        (Some(value), ExportType::Scalar { dtype, .. }) => put(value, *dtype),
        _ => {}
    }
    image.put_u32(at + offset_of!(ParamSpec, flags), flags);
}

fn type_spec(image: &mut Image, at: usize, ty: &ExportType) {
    let mut set = |kind: TypeKind, dtype, rank: u8, weak: bool| {
        image.put(at + offset_of!(TypeSpec, kind), &[kind as u8]);
        image.put(at + offset_of!(TypeSpec, dtype), &[words::dtype_code(dtype) as u8]);
        image.put(at + offset_of!(TypeSpec, rank), &[rank]);
        image.put(at + offset_of!(TypeSpec, weak), &[u8::from(weak)]);
    };
    match ty {
        ExportType::None => set(TypeKind::None, pydd_ir::DType::Bool, 0, false),
        ExportType::Scalar { dtype, weak } => set(TypeKind::Scalar, *dtype, 0, *weak),
        ExportType::Constant(value) => {
            set(TypeKind::Constant, constant_type(value), 0, false);
            let of = image.reserve::<TypeSpec>(1);
            image.put_pointer(at + offset_of!(TypeSpec, items), Target::Image(of));
            image.put_count(at + offset_of!(TypeSpec, n_items), 1);
            let kind = if matches!(value, Literal::Str(_)) { TypeKind::Str } else { TypeKind::Scalar };
            image.put(of + offset_of!(TypeSpec, kind), &[kind as u8]);
            image.put(of + offset_of!(TypeSpec, dtype), &[words::dtype_code(constant_type(value)) as u8]);
        }
        ExportType::Either(wide, all) => {
            set(TypeKind::Either, *wide, 0, false);
            let all: Vec<ExportType> =
                all.iter().map(|&(dtype, weak)| ExportType::Scalar { dtype, weak }).collect();
            items(image, at, &all);
        }
        ExportType::Maybe(value) => {
            set(TypeKind::Maybe, pydd_ir::DType::Bool, 0, false);
            items(image, at, std::slice::from_ref(value));
        }
        ExportType::Array { dtype, rank } => set(TypeKind::Array, *dtype, *rank, false),
        ExportType::ReadOnly { dtype, rank } => set(TypeKind::Array, *dtype, *rank, true),
        ExportType::List(dtype) => set(TypeKind::List, *dtype, 0, false),
        ExportType::Sparse(sparse) => {
            let array = if sparse.array { abi::SPARSE_ARRAY } else { 0 };
            let csc = if sparse.csc { abi::SPARSE_CSC } else { 0 };
            set(TypeKind::Sparse, sparse.dtype, array | csc, false);
            let part = |ty: &Type| match *ty {
                Type::Array { dtype, rank } => ExportType::Array { dtype, rank },
                _ => ExportType::Scalar { dtype: pydd_ir::DType::I64, weak: true },
            };
            items(image, at, &sparse.parts().each_ref().map(part));
        }
        ExportType::Dict { key, value } => {
            let kind = if value.is_some() { TypeKind::Dict } else { TypeKind::Set };
            set(kind, pydd_ir::DType::Bool, 0, false);
            let both: Vec<ExportType> = std::iter::once(key).chain(value).map(|ty| (**ty).clone()).collect();
            items(image, at, &both);
        }
        ExportType::Tuple(all) => {
            set(TypeKind::Tuple, pydd_ir::DType::Bool, 0, false);
            items(image, at, all);
        }
        ExportType::Items(all) => {
            set(TypeKind::Tuple, pydd_ir::DType::Bool, 0, true);
            items(image, at, all);
        }
        ExportType::Lists(item) => {
            set(TypeKind::Lists, pydd_ir::DType::Bool, 0, false);
            items(image, at, std::slice::from_ref(item));
        }
        ExportType::Tuples(all) => {
            set(TypeKind::Tuples, pydd_ir::DType::Bool, 0, false);
            items(image, at, all);
        }
    }
}

/// The type of a number that a version is for; of a text, which has none, any.
const fn constant_type(value: &Literal) -> pydd_ir::DType {
    match value {
        Literal::Int(_) => pydd_ir::DType::I64,
        _ => pydd_ir::DType::Bool,
    }
}

/// The specs of a tuple's items, of the items of a list's tuples, a dict's key and value, or a sparse matrix's parts.
fn items(image: &mut Image, at: usize, items: &[ExportType]) {
    let table = image.reserve::<TypeSpec>(items.len());
    image.put_pointer(at + offset_of!(TypeSpec, items), Target::Image(table));
    image.put_count(at + offset_of!(TypeSpec, n_items), items.len());
    for (i, item) in items.iter().enumerate() {
        type_spec(image, table + i * size_of::<TypeSpec>(), item);
    }
}

/// `(a, b=1, *, c)`, as `inspect.signature` reads it.
fn signature(export: &Export) -> String {
    let mut params = Vec::new();
    for (i, p) in export.params.iter().enumerate() {
        if p.keyword_only && export.params[..i].iter().all(|before| !before.keyword_only) {
            params.push("*".to_owned());
        }
        params.push(match &p.default {
            Some(_) if p.ty == ExportType::None => format!("{}=None", p.name),
            Some(default) => format!("{}={}", p.name, default.python()),
            None => p.name.clone(),
        });
        if p.positional_only && export.params.get(i + 1).is_none_or(|next| !next.positional_only) {
            params.push("/".to_owned());
        }
    }
    format!("({})", params.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pydd_ir::DType;

    #[test]
    fn signatures_are_python() {
        let scalar = |dtype| ExportType::Scalar { dtype, weak: true };
        let param = |name: &str, dtype, default| ExportParam {
            name: name.to_owned(),
            ty: scalar(dtype),
            default,
            written: false,
            keyword_only: name == "c",
            positional_only: name == "a",
            cast: false,
            column_major: false,
        };
        let export = Export {
            name: "f".to_owned(),
            doc: None,
            params: vec![
                param("a", DType::I64, None),
                param("b", DType::F64, Some(Literal::float(1e300))),
                param("c", DType::Bool, Some(Literal::Bool(true))),
            ],
            result: ExportType::None,
            entries: Vec::new(),
            ufunc: None,
        };
        assert_eq!(signature(&export), "(a, /, b=1e300, *, c=True)");
    }
}
