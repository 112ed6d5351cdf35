//! Builds the specs that the compiler would write as constants. Everything is leaked.

use pydd_abi::{
    ABI_VERSION, DTypeCode, Entry, EntrySpec, ExcKind, FunctionSpec, ModuleSpec, ParamSpec, Site, Table,
    TypeKind, TypeSpec, words,
};
use std::ffi::{CString, c_char};
use std::ptr;

pub struct Module {
    name: &'static str,
    file: &'static str,
    pub abi_version: u32,
    pub table_size: usize,
    pub cpu_features: &'static str,
    functions: Vec<FunctionSpec>,
    sites: Vec<Site>,
}

fn c(text: &str) -> *const c_char {
    CString::new(text).unwrap().into_raw()
}

fn leak<T>(items: Vec<T>) -> &'static mut [T] {
    Box::leak(items.into_boxed_slice())
}

pub fn scalar(dtype: DTypeCode) -> TypeSpec {
    TypeSpec { kind: TypeKind::Scalar, dtype, rank: 0, weak: 1, n_items: 0, items: ptr::null() }
}

pub fn strong(dtype: DTypeCode) -> TypeSpec {
    TypeSpec { weak: 0, ..scalar(dtype) }
}

pub fn array(dtype: DTypeCode, rank: u8) -> TypeSpec {
    TypeSpec { kind: TypeKind::Array, rank, ..strong(dtype) }
}

pub fn list(dtype: DTypeCode) -> TypeSpec {
    TypeSpec { kind: TypeKind::List, ..strong(dtype) }
}

pub fn text() -> TypeSpec {
    TypeSpec { kind: TypeKind::Str, ..strong(DTypeCode::U8) }
}

pub fn none() -> TypeSpec {
    TypeSpec { kind: TypeKind::None, ..strong(DTypeCode::U8) }
}

pub fn tuple(items: &[TypeSpec]) -> TypeSpec {
    let items = leak(items.iter().map(copy).collect());
    TypeSpec {
        kind: TypeKind::Tuple,
        n_items: u32::try_from(items.len()).unwrap(),
        items: items.as_ptr(),
        ..none()
    }
}

fn copy(ty: &TypeSpec) -> TypeSpec {
    TypeSpec { ..*ty }
}

fn word_count(ty: &TypeSpec) -> u32 {
    // SAFETY: made here.
    u32::try_from(unsafe { words::of(ty) }).unwrap()
}

impl Module {
    pub fn new(name: &'static str, file: &'static str) -> Self {
        Self {
            name,
            file,
            abi_version: ABI_VERSION,
            table_size: size_of::<Table>(),
            cpu_features: "",
            functions: Vec::new(),
            sites: Vec::new(),
        }
    }

    pub fn site(
        &mut self,
        kind: ExcKind,
        line: u32,
        columns: (u32, u32),
        function: &str,
        message: Option<&str>,
    ) {
        let message = message.map_or(ptr::null(), c);
        let (column, end_column) = columns;
        let function = c(function);
        let (kind, flags, _pad, file) = (kind as u32, 0, 0, ptr::null());
        self.sites.push(Site { kind, line, column, end_column, function, message, flags, _pad, file });
    }

    pub fn function(
        &mut self,
        name: &str,
        signature: &str,
        params: &[(&str, TypeSpec, u32)],
        result: TypeSpec,
        code: Entry,
    ) -> &mut Self {
        let specs = params.iter().map(|(name, ty, flags)| ParamSpec {
            name: c(name),
            ty: copy(ty),
            flags: *flags,
            _pad: 0,
            default: [0; 2],
        });
        let specs = leak(specs.collect());
        self.functions.push(FunctionSpec {
            name: c(name),
            doc: ptr::null(),
            signature: c(signature),
            params: specs.as_ptr(),
            n_params: u32::try_from(specs.len()).unwrap(),
            flags: 0,
            arg_words: specs.iter().map(|p| word_count(&p.ty)).sum(),
            ret_words: word_count(&result),
            result,
            entries: ptr::null(),
            n_entries: 0,
            _pad: 0,
        });
        self.entries(&[(0, code)])
    }

    /// Sets what a call may run: guards and code.
    pub fn entries(&mut self, entries: &[(u32, Entry)]) -> &mut Self {
        let entries = entries.iter().map(|&(guards, code)| EntrySpec { code, guards, _pad: 0 });
        let entries = leak(entries.collect());
        self.last().entries = entries.as_ptr();
        self.last().n_entries = u32::try_from(entries.len()).unwrap();
        self
    }

    fn last(&mut self) -> &mut FunctionSpec {
        self.functions.last_mut().unwrap()
    }

    pub fn flags(&mut self, flags: u32) -> &mut Self {
        self.last().flags = flags;
        self
    }

    pub fn doc(&mut self, doc: &str) -> &mut Self {
        self.last().doc = c(doc);
        self
    }

    pub fn default(&mut self, param: usize, word: u64) -> &mut Self {
        // SAFETY: leaked by `function`, which nothing reads yet.
        unsafe { (*self.last().params.cast_mut().add(param)).default[0] = word };
        self
    }

    pub fn leak(self) -> &'static ModuleSpec {
        let (functions, sites) = (leak(self.functions), leak(self.sites));
        Box::leak(Box::new(ModuleSpec {
            abi_version: self.abi_version,
            table_size: u32::try_from(self.table_size).unwrap(),
            name: c(self.name),
            doc: c("Hand-made kernels."),
            file: c(self.file),
            cpu_features: c(self.cpu_features),
            cpu: c("generic"),
            made_by: c("hand"),
            source_sha256: c(""),
            better: ptr::null(),
            functions: functions.as_ptr(),
            n_functions: u32::try_from(functions.len()).unwrap(),
            n_sites: u32::try_from(sites.len()).unwrap(),
            sites: sites.as_ptr(),
            exceptions: ptr::null(),
            n_exceptions: 0,
        }))
    }
}
