//! Compiles, links and loads a module as Python would, and calls its entries.
//!
//! Unsafe here: the dynamic loader, and calls of generated code, whose arguments the tests make to fit.

use pydd_abi::{Ctx, EntrySpec, FunctionSpec, ModuleSpec, Site};
use pydd_codegen::CodegenOptions;
use pydd_ir::Module;
use pydd_link::LinkOptions;
use pydd_test_support::load::Library;
use pydd_test_support::runtime::{self, Runtime};
use std::ffi::{CStr, c_char, c_void};

/// A module that stays loaded.
pub struct Kernel {
    library: Library,
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

/// Which entry to call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    First,
    Last,
}

pub fn options(opt_level: u8) -> CodegenOptions {
    CodegenOptions { opt_level, verify: true, always_launch: true, ..CodegenOptions::default() }
}

/// Compiles and loads a module.
pub fn load(module: &Module, options: &CodegenOptions) -> Kernel {
    if let Err(errors) = pydd_ir::verify::verify(module) {
        panic!("the test's IR is wrong: {errors:?}");
    }
    let mut module = module.clone();
    let outline = pydd_passes::find("outline").expect("there is such a pass");
    (outline.run)(&mut module, &pydd_passes::PassContext::quiet(&pydd_passes::Options::default())).unwrap();
    if let Err(errors) = pydd_ir::verify::verify(&module) {
        panic!("outlined IR is wrong: {errors:?}");
    }
    let object = crate::backend::compile(&module, options).unwrap();
    let library = pydd_link::link(&[&object], &LinkOptions::default()).unwrap();
    Kernel { library: Library::open(&library, &module.name).unwrap() }
}

/// Stands for CPython's: modules find it in this executable, which exports it.
#[allow(non_snake_case, reason = "the name of C")]
#[unsafe(no_mangle)]
extern "C" fn PyCapsule_Import(name: *const c_char, _no_block: i32) -> *const c_void {
    // SAFETY: generated code passes a C string.
    assert_eq!(unsafe { CStr::from_ptr(name) }, pydd_abi::CAPSULE);
    runtime::table().cast()
}

/// A string of a description.
pub fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: strings of a description are C strings or null.
    unsafe { pydd_test_support::load::text(pointer) }
}

impl Kernel {
    pub fn spec(&self) -> &ModuleSpec {
        self.library.spec()
    }

    pub fn functions(&self) -> &[FunctionSpec] {
        self.library.functions()
    }

    pub fn entries(&self, function: &FunctionSpec) -> &[EntrySpec] {
        self.library.entries(function)
    }

    pub fn sites(&self) -> &[Site] {
        self.library.sites()
    }

    /// Calls a function with argument words.
    pub fn call(&self, name: &str, args: &[u64]) -> Result<Vec<u64>, Failure> {
        self.call_entry(name, Entry::First, args)
    }

    pub fn call_entry(&self, name: &str, entry: Entry, args: &[u64]) -> Result<Vec<u64>, Failure> {
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
        let mut ctx = Runtime::ctx(self.spec());
        let entries = self.entries(function);
        let place = if entry == Entry::First { 0 } else { entries.len() - 1 };
        let code = entries[place].code;
        // SAFETY: the words are as many as the spec says, and the tests make them right.
        let status = unsafe { code(&raw mut ctx, args.as_ptr(), rets.as_mut_ptr()) };
        if status == 0 { Ok(rets) } else { Err(self.failure(&ctx)) }
    }

    fn failure(&self, ctx: &Ctx) -> Failure {
        let site = &self.sites()[ctx.site as usize];
        Failure {
            kind: if ctx.kind == 0 { site.kind } else { ctx.kind },
            line: site.line,
            function: text(site.function).unwrap(),
            message: text(site.message),
            payload: ctx.payload,
        }
    }
}
