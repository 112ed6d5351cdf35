//! Compiles, links and loads a module as Python would, and calls its entries.
//!
//! Unsafe here: the dynamic loader, and calls of generated code, whose arguments the tests make to fit.

use super::runtime::{self, Runtime};
use pydd_abi::{Ctx, FunctionSpec, ModuleSpec, Site};
use pydd_codegen::CodegenOptions;
use pydd_ir::Module;
use pydd_link::LinkOptions;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::ptr;

thread_local! {
    static SPEC: Cell<*const ModuleSpec> = const { Cell::new(ptr::null()) };
}

/// A loaded module.
pub struct Kernel {
    pub spec: &'static ModuleSpec,
}

/// An exception.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: u32,
    pub line: u32,
    pub function: String,
    pub message: Option<String>,
    pub payload: [i64; pydd_abi::MAX_PAYLOAD],
}

/// Which version to call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    Fast,
    General,
}

pub fn options(opt_level: u8) -> CodegenOptions {
    CodegenOptions { opt_level, verify: true, ..CodegenOptions::default() }
}

/// Compiles and loads a module.
pub fn load(module: &Module, options: &CodegenOptions) -> Kernel {
    if let Err(errors) = pydd_ir::verify::verify(module) {
        panic!("the test's IR is wrong: {errors:?}");
    }
    let object = crate::backend::compile(module, options).unwrap();
    let library = pydd_link::link(&[&object], &LinkOptions::default()).unwrap();
    let mut file = tempfile::Builder::new().suffix(".so").tempfile().unwrap();
    file.write_all(&library).unwrap();
    let path = CString::new(file.path().to_str().unwrap()).unwrap();
    let init = CString::new(format!("PyInit_{}", module.name)).unwrap();
    // SAFETY: C strings; the initialiser is what the linker made of `PyInit_NAME`. The module is never unloaded.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        assert!(!handle.is_null(), "{:?}", CStr::from_ptr(libc::dlerror()));
        let symbol = libc::dlsym(handle, init.as_ptr());
        assert!(!symbol.is_null(), "no initialiser");
        let init: extern "C" fn() -> *mut c_void = std::mem::transmute(symbol);
        assert!(!init().is_null());
    }
    // SAFETY: the spec lives as long as the module, for ever.
    Kernel { spec: unsafe { &*SPEC.get() } }
}

/// Stands for CPython's: modules find it in this executable, which exports it.
#[allow(non_snake_case, reason = "the name of C")]
#[unsafe(no_mangle)]
extern "C" fn PyCapsule_Import(name: *const c_char, _no_block: i32) -> *const c_void {
    // SAFETY: generated code passes a C string.
    assert_eq!(unsafe { CStr::from_ptr(name) }, pydd_abi::CAPSULE);
    runtime::table().cast()
}

/// The table's `module_init`.
pub unsafe extern "C" fn module_init(spec: *const ModuleSpec) -> *mut c_void {
    SPEC.set(spec);
    spec.cast_mut().cast()
}

pub fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: strings of a spec are C strings or null.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

impl Kernel {
    pub fn functions(&self) -> &[FunctionSpec] {
        // SAFETY: the spec says how many there are.
        unsafe { std::slice::from_raw_parts(self.spec.functions, self.spec.n_functions as usize) }
    }

    pub fn sites(&self) -> &[Site] {
        // SAFETY: the spec says how many there are.
        unsafe { std::slice::from_raw_parts(self.spec.sites, self.spec.n_sites as usize) }
    }

    /// Calls a function with argument words.
    pub fn call(&self, name: &str, args: &[u64]) -> Result<Vec<u64>, Failure> {
        self.call_version(name, Entry::Fast, args)
    }

    pub fn call_version(&self, name: &str, entry: Entry, args: &[u64]) -> Result<Vec<u64>, Failure> {
        let named = |f: &&FunctionSpec| text(f.name).as_deref() == Some(name);
        let function = self.functions().iter().find(named).expect("exported");
        self.call_function(function, entry, args)
    }

    pub fn call_function(
        &self,
        function: &FunctionSpec,
        entry: Entry,
        args: &[u64],
    ) -> Result<Vec<u64>, Failure> {
        assert_eq!(args.len(), function.arg_words as usize);
        let mut rets = vec![0; function.ret_words as usize];
        let mut ctx = Runtime::ctx(self.spec);
        let code = if entry == Entry::Fast { function.fast } else { function.general };
        // SAFETY: the words are as many as the spec says, and the tests make them right.
        let status = unsafe { code(&raw mut ctx, args.as_ptr(), rets.as_mut_ptr()) };
        if status == 0 { Ok(rets) } else { Err(self.failure(&ctx)) }
    }

    fn failure(&self, ctx: &Ctx) -> Failure {
        let site = &self.sites()[ctx.site as usize];
        Failure {
            kind: if ctx.kind == 0 { site.kind as u32 } else { ctx.kind },
            line: site.line,
            function: text(site.function).unwrap(),
            message: text(site.message),
            payload: ctx.payload,
        }
    }
}
