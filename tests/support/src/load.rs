//! Loads a kernel module as Python would. The executable that loads exports `PyCapsule_Import`.
//!
//! Unsafe here: the dynamic loader, and the module's own description.

use pydd_abi::{EntrySpec, FunctionSpec, ModuleSpec, Site};
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::ptr;

thread_local! {
    static SPEC: Cell<*const ModuleSpec> = const { Cell::new(ptr::null()) };
}

/// A loaded module; it stays loaded unless [`Library::close`] is called.
pub struct Library {
    handle: *mut c_void,
    spec: *const ModuleSpec,
}

impl Library {
    /// Loads the bytes of a shared library with the initialiser `PyInit_NAME`.
    ///
    /// # Errors
    /// What the loader says, and what is missing.
    pub fn open(bytes: &[u8], name: &str) -> Result<Self, String> {
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
            if spec.is_null() { Err("no description".to_owned()) } else { Ok(Self { handle, spec }) }
        }
    }

    /// Unloads the module.
    ///
    /// # Safety
    /// Nothing of the module runs or is used any more.
    pub unsafe fn close(&mut self) {
        // SAFETY: by the caller's promise.
        unsafe { libc::dlclose(self.handle) };
    }

    #[must_use]
    pub fn spec(&self) -> &ModuleSpec {
        // SAFETY: lives as long as the module is loaded.
        unsafe { &*self.spec }
    }

    #[must_use]
    pub fn functions(&self) -> &[FunctionSpec] {
        let spec = self.spec();
        // SAFETY: the description says how many there are; kernels without functions are not compiled.
        unsafe { std::slice::from_raw_parts(spec.functions, spec.n_functions as usize) }
    }

    /// What calls of a function of the module may run.
    #[must_use]
    pub fn entries(&self, function: &FunctionSpec) -> &[EntrySpec] {
        // SAFETY: the description says how many there are; there is one at least.
        unsafe { std::slice::from_raw_parts(function.entries, function.n_entries as usize) }
    }

    #[must_use]
    pub fn sites(&self) -> &[Site] {
        let spec = self.spec();
        if spec.n_sites == 0 {
            return &[];
        }
        // SAFETY: the description says how many there are.
        unsafe { std::slice::from_raw_parts(spec.sites, spec.n_sites as usize) }
    }
}

/// The table's `module_init`: keeps the description for [`Library::open`].
///
/// # Safety
/// None is needed; the table's functions are unsafe.
pub unsafe extern "C" fn module_init(spec: *const ModuleSpec) -> *mut c_void {
    SPEC.set(spec);
    spec.cast_mut().cast()
}

/// A string of a description.
///
/// # Safety
/// A C string or null.
#[must_use]
pub unsafe fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: by the caller's promise.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}
