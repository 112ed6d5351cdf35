//! What LLVM's vectorisers say about loops.
//!
//! LLVM tells it to a function that its context is given, if its command line asks for remarks: there is no other switch, and it
//! holds for the process. Who asks has places in the IR, else nobody knew which loop is meant.
//!
//! Unsafe here: LLVM calls the function with the pointer that it was given.

use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;
use pydd_codegen::{CodegenError, Remark};
use pydd_codegen_llvm_base::pipeline::parse_options;
use std::ffi::{CStr, c_void};
use std::sync::{Mutex, Once, PoisonError};

/// Takes what LLVM says in several contexts.
#[derive(Default)]
pub struct Listener(Mutex<Heard>);

#[derive(Default)]
struct Heard {
    remarks: Vec<Remark>,
    errors: Vec<String>,
}

impl Listener {
    /// Has LLVM tell about a context from now on, as long as that lives.
    pub fn attach(&self, cx: &Context) {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            parse_options(&[
                c"-pass-remarks=vectoriz",
                c"-pass-remarks-missed=vectoriz",
                c"-pass-remarks-analysis=vectoriz",
            ]);
        });
        let listener = std::ptr::from_ref(self).cast_mut().cast::<c_void>();
        // SAFETY: `hear` takes the pointer for what it is, and the listener outlives the contexts (see `for_units`).
        unsafe { LLVMContextSetDiagnosticHandler(cx.as_ctx_ref(), Some(hear), listener) };
    }

    /// All remarks, in the order of the source.
    ///
    /// # Errors
    /// What LLVM called an error.
    pub fn finish(self) -> Result<Vec<Remark>, CodegenError> {
        let Heard { mut remarks, errors } = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = errors.into_iter().next() {
            return Err(CodegenError::Internal(error));
        }
        remarks.sort_unstable();
        remarks.dedup();
        Ok(remarks)
    }
}

extern "C" fn hear(info: LLVMDiagnosticInfoRef, listener: *mut c_void) {
    // SAFETY: see `attach`; LLVM gives a diagnostic that lives as long as this call, and a text that is ours.
    let (listener, severity, text) = unsafe {
        let description = LLVMGetDiagInfoDescription(info);
        let text = CStr::from_ptr(description).to_string_lossy().into_owned();
        LLVMDisposeMessage(description);
        (&*listener.cast::<Listener>(), LLVMGetDiagInfoSeverity(info), text)
    };
    let mut heard = listener.0.lock().unwrap_or_else(PoisonError::into_inner);
    match severity {
        LLVMDiagnosticSeverity::LLVMDSError => heard.errors.push(text),
        LLVMDiagnosticSeverity::LLVMDSRemark => heard.remarks.extend(parse(&text)),
        _ => {}
    }
}

/// `file:line:column: text`, with a line that is not 0.
fn parse(text: &str) -> Option<Remark> {
    let (place, text) = text.split_once(": ")?;
    let mut numbers = place.rsplitn(3, ':');
    let (column, line) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    (line != 0).then(|| Remark { line, column, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_apart() {
        let remark = parse("a:b.pydd:12:5: loop not vectorized: why: because").unwrap();
        assert_eq!((remark.line, remark.column), (12, 5));
        assert_eq!(remark.text, "loop not vectorized: why: because");
        assert_eq!(parse("<unknown>:0:0: loop not vectorized"), None);
    }
}
