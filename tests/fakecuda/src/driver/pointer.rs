//! The caller's memory. All that this crate takes on trust is here: that pointers are what CUDA's documentation says they are, as the
//! real driver has to believe, too.

use super::error::{Error, INVALID_VALUE, fail};
use std::ffi::{CStr, c_char, c_void};

/// Where a driver function writes a result.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// The same place for a value of another type, where the type depends on what is asked.
    pub fn cast<U>(self) -> Out<U> {
        Out(self.0.cast())
    }

    pub fn set(self, value: T) -> Result<(), Error> {
        if self.0.is_null() {
            return fail(INVALID_VALUE);
        }
        // SAFETY: not null, and the caller says that a T may be written there.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// As `set`, where null means that the caller does not care.
    pub fn set_if_wanted(self, value: T) {
        let _ = self.set(value);
    }
}

/// An array or structure of the caller's that is read; may be null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<T>(*const T);

impl<T: Copy> In<T> {
    pub fn null() -> Self {
        In(std::ptr::null())
    }

    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub fn at(self, index: usize) -> Result<T, Error> {
        if self.0.is_null() {
            return fail(INVALID_VALUE);
        }
        // SAFETY: not null, and the caller says that so many elements are there.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }
}

/// Host memory of a copy, which may be used after the call that named it.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Host(pub *mut c_void);

// SAFETY: only an address here; the functions below say what is done with it.
unsafe impl Send for Host {}

impl Host {
    pub fn address(self) -> usize {
        self.0 as usize
    }

    pub fn read(self, into: &mut [u8]) {
        // SAFETY: CUDA asks the caller for `into.len()` readable bytes that live until the copy is done. They do not overlap `into`,
        // which is this driver's.
        unsafe { std::ptr::copy_nonoverlapping(self.0.cast::<u8>(), into.as_mut_ptr(), into.len()) };
    }

    pub fn write(self, from: &[u8]) {
        // SAFETY: CUDA asks the caller for `from.len()` writable bytes that live until the copy is done, apart from this driver's memory.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), self.0.cast::<u8>(), from.len()) };
    }
}

/// A string that ends with NUL.
pub fn string(text: *const c_char) -> Result<String, Error> {
    if text.is_null() {
        return fail(INVALID_VALUE);
    }
    // SAFETY: not null, and the caller says that it ends.
    Ok(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Writes `text` and a NUL into a buffer of `size` bytes, cut where it does not fit.
pub fn write_string(at: *mut c_char, size: usize, text: &str) {
    if at.is_null() || size == 0 {
        return;
    }
    let length = text.len().min(size - 1);
    // SAFETY: the caller says that `size` bytes may be written.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), at, length);
        at.add(length).write(0);
    }
}

pub type HostFunction = extern "C" fn(*mut c_void);
