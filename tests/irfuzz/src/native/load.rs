//! Loads a kernel module as Python would.
//!
//! Unsafe here: the dynamic loader, and the module's own description.

use pydd_abi::{FunctionSpec, ModuleSpec, Site};
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::ptr;

thread_local! {
    static SPEC: Cell<*const ModuleSpec> = const { Cell::new(ptr::null()) };
}

pub struct Kernel {
    handle: *mut c_void,
    pub spec: *const ModuleSpec,
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: nothing of the module runs any more.
        unsafe { libc::dlclose(self.handle) };
    }
}

pub fn load(bytes: &[u8], name: &str) -> Result<Kernel, String> {
    let mut file = tempfile::Builder::new().suffix(".so").tempfile().map_err(|e| e.to_string())?;
    file.write_all(bytes).and_then(|()| file.flush()).map_err(|e| e.to_string())?;
    let path = CString::new(file.path().to_string_lossy().into_owned()).map_err(|e| e.to_string())?;
    let init = CString::new(format!("PyInit_{name}")).map_err(|e| e.to_string())?;
    SPEC.set(ptr::null());
    // SAFETY: C strings; the initialiser is what the linker made of `PyInit_NAME`.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            return Err(CStr::from_ptr(libc::dlerror()).to_string_lossy().into_owned());
        }
        let symbol = libc::dlsym(handle, init.as_ptr());
        if symbol.is_null() {
            return Err("no initialiser".to_owned());
        }
        let init: extern "C" fn() -> *mut c_void = std::mem::transmute(symbol);
        init();
        let spec = SPEC.get();
        if spec.is_null() { Err("no description".to_owned()) } else { Ok(Kernel { handle, spec }) }
    }
}

/// Stands for CPython's `PyCapsule_Import`; the worker's executable exports it under that name.
#[must_use]
pub fn capsule_import() -> *const c_void {
    ptr::from_ref(super::table::table(true)).cast()
}

/// The tables' `module_init`.
pub unsafe extern "C" fn module_init(spec: *const ModuleSpec) -> *mut c_void {
    SPEC.set(spec);
    spec.cast_mut().cast()
}

pub fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: strings of a description are C strings or null.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

impl Kernel {
    fn spec(&self) -> &ModuleSpec {
        // SAFETY: lives as long as the module is loaded.
        unsafe { &*self.spec }
    }

    pub fn function(&self) -> &FunctionSpec {
        // SAFETY: there is one exported function.
        unsafe { &*self.spec().functions }
    }

    pub fn sites(&self) -> &[Site] {
        let spec = self.spec();
        if spec.n_sites == 0 {
            return &[];
        }
        // SAFETY: the description says how many there are.
        unsafe { std::slice::from_raw_parts(spec.sites, spec.n_sites as usize) }
    }
}
