//! Loads a kernel module, and unloads it.

use pydd_abi::{Entry, FunctionSpec, GUARD_DEVICE, ModuleSpec, Site};
use pydd_test_support::load::Library;
use std::ffi::c_void;
use std::ptr;

pub struct Kernel(Library);

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: nothing of the module runs any more.
        unsafe { self.0.close() };
    }
}

pub fn load(bytes: &[u8], name: &str) -> Result<Kernel, String> {
    Library::open(bytes, name).map(Kernel)
}

/// Stands for CPython's `PyCapsule_Import`; the worker's executable exports it under that name.
#[must_use]
pub fn capsule_import() -> *const c_void {
    ptr::from_ref(super::table::table(true)).cast()
}

impl Kernel {
    pub fn spec(&self) -> &ModuleSpec {
        self.0.spec()
    }

    /// The one exported function.
    pub fn function(&self) -> &FunctionSpec {
        &self.0.functions()[0]
    }

    /// What the exported function runs where the arguments are for the general version or are not.
    pub fn code(&self, general: bool) -> Entry {
        let mut entries = self.0.entries(self.function()).iter();
        entries.find(|entry| entry.guards == 0 || !general).expect("the last entry takes all calls").code
    }

    /// Whether there is a version for devices.
    pub fn is_for_devices(&self) -> bool {
        self.0.entries(self.function()).iter().any(|entry| entry.guards & GUARD_DEVICE != 0)
    }

    pub fn sites(&self) -> &[Site] {
        self.0.sites()
    }
}
