//! Pending errors: how runtime functions fail, and how a failure moves between contexts.
//!
//! Unsafe here: the context's message is a `CString` made by this file and freed by this file.

use pydd_abi::{Ctx, EXC_PYTHON, ExcKind, Status};
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Why a runtime function failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub kind: ExcKind,
    pub message: String,
}

impl Error {
    #[must_use]
    pub fn new(kind: ExcKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    #[must_use]
    pub fn value(message: impl Into<String>) -> Self {
        Self::new(ExcKind::ValueError, message)
    }
}

/// Leaves `error` in the context, in place of what was there.
pub fn set(ctx: &mut Ctx, error: &Error) -> Status {
    drop(Raised::take(ctx));
    ctx.kind = error.kind as u32;
    let text: Vec<u8> = error.message.bytes().filter(|&b| b != 0).collect();
    // A Vec without NUL bytes always converts.
    ctx.message = CString::new(text).map_or(ptr::null(), |s| s.into_raw().cast_const());
    1
}

/// Runs the body of a runtime function: errors go to the context, panics become SystemErrors.
///
/// # Safety
/// `ctx` must point to a context that nothing else uses meanwhile.
pub unsafe fn guard(ctx: *mut Ctx, body: impl FnOnce() -> Result<(), Error>) -> Status {
    let error = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error,
        Err(panic) => Error::new(ExcKind::SystemError, panic_text(&*panic)),
    };
    // SAFETY: valid and unaliased by the caller's promise.
    set(unsafe { &mut *ctx }, &error)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    format!("pydd runtime bug: {text}")
}

/// An error taken out of a context. Owns its message and its exception object.
#[derive(Debug)]
pub struct Raised {
    pub site: u32,
    pub kind: u32,
    pub payload: [i64; pydd_abi::MAX_PAYLOAD],
    message: *const c_char,
    /// As [`Ctx::caller`].
    pub caller: u32,
}

// SAFETY: the message is owned and plain bytes; the exception object is only handed on or dropped
// through the host, which takes the GIL for that.
unsafe impl Send for Raised {}

impl Raised {
    /// Empties the context.
    pub fn take(ctx: &mut Ctx) -> Self {
        let Ctx { site, kind, payload, message, caller, .. } = *ctx;
        let raised = Self { site, kind, payload, message, caller };
        ctx.kind = 0;
        ctx.caller = 0;
        ctx.message = ptr::null();
        raised
    }

    /// Moves the error into a context.
    pub fn put(mut self, ctx: &mut Ctx) {
        drop(Self::take(ctx));
        ctx.site = self.site;
        ctx.kind = std::mem::take(&mut self.kind);
        ctx.payload = self.payload;
        ctx.caller = self.caller;
        ctx.message = std::mem::replace(&mut self.message, ptr::null());
    }

    /// The runtime function's message, if it was one that failed.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        if self.message.is_null() {
            return None;
        }
        // SAFETY: a C string that `set` made and that lives until the drop.
        let text = unsafe { CStr::from_ptr(self.message) };
        Some(text.to_string_lossy().into_owned())
    }

    /// The exception object, with its reference, of an error that carries one.
    pub fn take_exception(&mut self) -> Option<i64> {
        if self.kind != EXC_PYTHON {
            return None;
        }
        self.kind = 0;
        Some(self.payload[0])
    }
}

impl Drop for Raised {
    fn drop(&mut self) {
        if let Some(object) = self.take_exception() {
            crate::host::drop_exception(object);
        }
        if !self.message.is_null() {
            // SAFETY: made by `CString::into_raw` in `set`; freed once, as this value owns it.
            drop(unsafe { CString::from_raw(self.message.cast_mut()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::ctx;

    #[test]
    fn an_error_moves_between_contexts() {
        let (mut a, mut b) = (ctx(), ctx());
        a.site = 5;
        assert_eq!(set(&mut a, &Error::value("no")), 1);
        assert_eq!(set(&mut a, &Error::value("still\0 no")), 1);
        Raised::take(&mut a).put(&mut b);
        assert!(a.message.is_null() && a.kind == 0);
        let raised = Raised::take(&mut b);
        assert_eq!(raised.message().as_deref(), Some("still no"));
        assert_eq!((raised.site, raised.kind), (5, ExcKind::ValueError as u32));
    }

    #[test]
    fn a_panic_becomes_a_system_error() {
        let mut c = ctx();
        // SAFETY: a context of our own.
        let status = unsafe { guard(&mut c, || panic!("oops {}", 1)) };
        assert_eq!(status, 1);
        let raised = Raised::take(&mut c);
        assert_eq!(raised.kind, ExcKind::SystemError as u32);
        assert_eq!(raised.message().as_deref(), Some("pydd runtime bug: oops 1"));
    }
}
