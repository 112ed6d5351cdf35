//! What is worked out once for each function of a module, so that calls are short.
//!
//! Unsafe here: specs are read through their pointers. They are constants of a loaded kernel module
//! (never unloaded by CPython), checked by `module` to be of this ABI.

use crate::frame::Room;
use crate::numpy_api;
use numpy::npyffi::PyArray_Descr;
use pydd_abi::{
    DTypeCode, EntrySpec, FN_OVERLOADED, FN_RELEASES_GIL, FunctionSpec, ModuleSpec, PARAM_CAST,
    PARAM_COLUMN_MAJOR, PARAM_KEYWORD_ONLY, PARAM_WRITTEN, ParamSpec, TypeKind, TypeSpec, words,
};
use pydd_core::spec::{is_for_machine, items, text};
use std::ffi::CStr;

/// How an argument becomes words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convert {
    Array,
    Float64,
    Int64,
    /// A list, dict or set, which is copied into lists.
    Lists,
    /// Other scalars, strings, tuples of them.
    Value,
}

pub struct Param {
    pub convert: Convert,
    pub written: bool,
    /// Converts arrays of other types.
    pub cast: bool,
    /// Contiguous arrays are column-major.
    pub column_major: bool,
    pub dtype: DTypeCode,
    pub rank: u8,
    /// NumPy's own descriptor of the dtype.
    pub descr: *mut PyArray_Descr,
    /// Where its words begin, and how many there are.
    pub word: usize,
    pub words: usize,
    /// Its place among the array arguments.
    pub array: usize,
    pub name: &'static str,
    pub spec: &'static ParamSpec,
}

/// A parameter as Python sees it.
pub struct Visible {
    pub name: &'static str,
    pub spec: &'static ParamSpec,
}

impl Visible {
    pub fn is_sparse(&self) -> bool {
        self.spec.ty.kind == TypeKind::Sparse
    }
}

/// One version of a function.
pub struct Function {
    pub spec: &'static FunctionSpec,
    pub module: &'static ModuleSpec,
    pub name: &'static str,
    /// The parameters as the kernel takes them: of a sparse matrix, and of a tuple that holds arrays, each part by itself.
    pub params: Vec<Param>,
    /// The parameters as Python sees them, where some are taken apart.
    pub sparse: Option<Vec<Visible>>,
    pub arrays: usize,
    /// What most calls run.
    pub first: EntrySpec,
    /// What calls run for which a guard of the first entry does not hold, in order.
    pub others: Vec<EntrySpec>,
    /// Lists, dicts or sets are copied in.
    pub has_lists: bool,
    /// Some parameters are only given by their names.
    pub has_keywords: bool,
    pub releases_gil: bool,
    /// Its words and owners fit on the stack.
    pub small: bool,
}

/// The versions under one name.
pub struct Callable {
    pub name: &'static CStr,
    pub versions: Vec<Function>,
}

/// All functions of a module, or what is wrong with its spec.
///
/// # Safety
/// A valid spec that lives for ever.
pub unsafe fn callables(module: &'static ModuleSpec) -> Result<Vec<Callable>, String> {
    let mut out: Vec<Callable> = Vec::new();
    let mut continues = false;
    // SAFETY: by the caller's promise.
    for spec in unsafe { items(module.functions, module.n_functions) } {
        // SAFETY: by the caller's promise.
        let function = unsafe { Function::new(spec, module)? };
        // SAFETY: as above.
        let name = unsafe { CStr::from_ptr(spec.name) };
        match out.last_mut() {
            Some(last) if continues && last.name == name => last.versions.push(function),
            _ => out.push(Callable { name, versions: vec![function] }),
        }
        continues = spec.flags & FN_OVERLOADED != 0;
    }
    Ok(out)
}

impl Function {
    unsafe fn new(spec: &'static FunctionSpec, module: &'static ModuleSpec) -> Result<Self, String> {
        // SAFETY: a valid spec.
        let (name, specs) = unsafe { (text(spec.name), items(spec.params, spec.n_params)) };
        let mut params = Vec::with_capacity(specs.len());
        let (mut word, mut arrays) = (0, 0);
        // SAFETY: a valid spec.
        for (name, p) in specs.iter().flat_map(|p| unsafe { with_parts(p) }) {
            // SAFETY: a valid spec.
            let param = unsafe { Param::new(name, p, word, arrays) };
            word += param.words;
            arrays += usize::from(param.convert == Convert::Array);
            params.push(param);
        }
        // SAFETY: a valid spec.
        let results = unsafe { words::of(&spec.result) };
        if word != spec.arg_words as usize || results != spec.ret_words as usize {
            return Err(format!(
                "{name}() takes {word} and returns {results} words, its spec says {} and {}",
                spec.arg_words, spec.ret_words
            ));
        }
        // SAFETY: a valid spec.
        let entries = unsafe { items(spec.entries, spec.n_entries) };
        let mut known = entries.iter().filter(|entry| is_for_machine(entry.guards)).copied();
        let (Some(first), Some(EntrySpec { guards: 0, .. })) = (known.next(), entries.last()) else {
            return Err(format!("{name}() has no entry for all calls"));
        };
        Ok(Self {
            // SAFETY: a valid spec.
            sparse: unsafe { visible(specs) },
            first,
            others: known.collect(),
            has_keywords: specs.iter().any(|spec| spec.flags & PARAM_KEYWORD_ONLY != 0),
            has_lists: params.iter().any(|p| p.convert == Convert::Lists),
            releases_gil: spec.flags & FN_RELEASES_GIL != 0,
            small: Room::is_enough(word, results, arrays),
            spec,
            module,
            name,
            params,
            arrays,
        })
    }
}

impl Param {
    unsafe fn new(name: &'static str, spec: &'static ParamSpec, word: usize, array: usize) -> Self {
        // SAFETY: a valid spec.
        let words = unsafe { words::of(&spec.ty) };
        Self {
            convert: convert(&spec.ty),
            written: spec.flags & PARAM_WRITTEN != 0,
            cast: spec.flags & PARAM_CAST != 0,
            column_major: spec.flags & PARAM_COLUMN_MAJOR != 0,
            dtype: spec.ty.dtype,
            rank: spec.ty.rank,
            descr: numpy_api::get().descr(spec.ty.dtype),
            word,
            words,
            array,
            name,
            spec,
        }
    }
}

fn convert(ty: &TypeSpec) -> Convert {
    match (ty.kind, ty.dtype) {
        (TypeKind::Array, _) => Convert::Array,
        (TypeKind::List | TypeKind::Tuples | TypeKind::Lists | TypeKind::Dict | TypeKind::Set, _) => {
            Convert::Lists
        }
        (TypeKind::Scalar, DTypeCode::F64) => Convert::Float64,
        (TypeKind::Scalar, DTypeCode::I64) => Convert::Int64,
        _ => Convert::Value,
    }
}

/// Whether a tuple holds arrays, so that each item is an argument by itself.
pub fn holds_arrays(ty: &TypeSpec) -> bool {
    // SAFETY: specs are constants that live for ever.
    let items = || unsafe { items(ty.items, ty.n_items) };
    ty.kind == TypeKind::Tuple
        && items().iter().any(|item| item.kind == TypeKind::Array || holds_arrays(item))
}

/// The parameters as Python sees them, if some is taken apart.
unsafe fn visible(specs: &'static [ParamSpec]) -> Option<Vec<Visible>> {
    // SAFETY: a valid spec.
    let all = specs.iter().map(|spec| Visible { name: unsafe { text(spec.name) }, spec });
    let all: Vec<Visible> = all.collect();
    let is_apart = |p: &Visible| p.is_sparse() || holds_arrays(&p.spec.ty);
    all.iter().any(is_apart).then_some(all)
}

/// What the attributes of a sparse matrix that are passed are called.
const PARTS: [&str; 5] = ["indptr", "indices", "data", "shape[0]", "shape[1]"];

/// A parameter by itself, or the parts of one that is taken apart as parameters of their own, with their names.
unsafe fn with_parts(spec: &'static ParamSpec) -> Vec<(&'static str, &'static ParamSpec)> {
    // SAFETY: a valid spec.
    let name = unsafe { text(spec.name) };
    let mut out = Vec::new();
    parts_of(name, spec, &spec.ty, &mut out);
    if out.is_empty() && !holds_arrays(&spec.ty) {
        out.push((name, spec));
    }
    out
}

/// The parts of what is taken apart; nothing of other types.
fn parts_of(
    name: &'static str,
    spec: &'static ParamSpec,
    ty: &'static TypeSpec,
    out: &mut Vec<(&'static str, &'static ParamSpec)>,
) {
    // SAFETY: a valid spec.
    let types = unsafe { items(ty.items, ty.n_items) };
    let is_tuple = holds_arrays(ty);
    if ty.kind != TypeKind::Sparse && !is_tuple {
        return;
    }
    for (i, ty) in types.iter().enumerate() {
        let part = if is_tuple { format!("{name}[{i}]") } else { format!("{name}.{}", PARTS[i]) };
        // A module is never unloaded, so its plan lives as long as the process.
        let part: &'static str = Box::leak(part.into_boxed_str());
        if holds_arrays(ty) {
            parts_of(part, spec, ty, out);
            continue;
        }
        let keeps_items = ty.kind == TypeKind::Tuple;
        let ty = TypeSpec {
            kind: ty.kind,
            dtype: ty.dtype,
            rank: ty.rank,
            weak: ty.weak,
            n_items: if keeps_items { ty.n_items } else { 0 },
            items: if keeps_items { ty.items } else { std::ptr::null() },
        };
        let own =
            ParamSpec { name: spec.name, ty, flags: spec.flags & PARAM_WRITTEN, _pad: 0, default: [0; 2] };
        out.push((part, &*Box::leak(Box::new(own))));
    }
}
