//! The last error of a thread.
//!
//! Unsafe here: the module's sites, and the context that the kernel leaves.

use crate::number;
use pydd_abi::{Ctx, ExcKind, ModuleSpec, OWN_EXCEPTIONS, Site};
use pydd_core::spec::{items, text};
use pydd_core::{Raised, message};
use std::cell::RefCell;
use std::ffi::{CString, c_char};

/// `pydd_error` of `pydd.h`: its strings live until the thread's next error.
#[repr(C)]
pub struct ErrorView {
    kind: i32,
    line: i32,
    column: i32,
    name: *const c_char,
    message: *const c_char,
    file: *const c_char,
    function: *const c_char,
    text: *const c_char,
}

/// An error, and what C sees of it.
struct Kept {
    _strings: [CString; 5],
    view: ErrorView,
}

thread_local! {
    static LAST: RefCell<Option<Box<Kept>>> = const { RefCell::new(None) };
}

/// What went wrong, and where.
pub struct Failure {
    pub kind: u32,
    /// The exception class.
    pub name: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

impl Failure {
    /// A call that does not get to the kernel.
    pub fn of_call(kind: ExcKind, function: &str, message: String) -> Self {
        let (file, function) = (String::new(), function.to_owned());
        Self { kind: kind as u32, name: format!("{kind:?}"), message, file, line: 0, column: 0, function }
    }

    /// The error that a kernel left in its context.
    ///
    /// # Safety
    /// The context of a call of the module that failed.
    pub unsafe fn of_kernel(module: &'static ModuleSpec, ctx: &mut Ctx) -> Self {
        let raised = Raised::take(ctx);
        // SAFETY: a valid spec.
        let sites = unsafe { items(module.sites, module.n_sites) };
        let site = sites.get(raised.site as usize);
        let (kind, message) = match site {
            _ if raised.kind != 0 => (raised.kind, raised.message().unwrap_or_default()),
            Some(site) => (site.kind, site_message(site, &raised)),
            None => (ExcKind::SystemError as u32, "a kernel failed without a reason".to_owned()),
        };
        // Where the site is nowhere, the call of the library function that failed says where.
        let nowhere = site.is_none_or(|site| site.line == 0) && raised.caller != 0;
        let place = if nowhere { sites.get(raised.caller as usize - 1) } else { site };
        let file = place.map_or(module.file, |p| if p.file.is_null() { module.file } else { p.file });
        // SAFETY: strings of the spec.
        let (file, function) = unsafe { (text(file), place.map_or("", |p| text(p.function))) };
        Self {
            kind,
            name: exception_name(module, kind),
            message,
            file: file.to_owned(),
            line: place.map_or(0, |p| p.line),
            column: place.map_or(0, |p| p.column),
            function: function.to_owned(),
        }
    }

    /// `kernels.pydd:12: IndexError: index 5 is out of bounds, in norms()`.
    fn text(&self) -> String {
        let place = match (self.file.as_str(), self.line) {
            ("", _) | (_, 0) => String::new(),
            (file, line) => format!("{file}:{line}: "),
        };
        let function =
            if self.function.is_empty() { String::new() } else { format!(", in {}()", self.function) };
        let colon = if self.message.is_empty() { "" } else { ": " };
        format!("{place}{}{colon}{}{function}", self.name, self.message)
    }

    /// Makes it the thread's last error; gives the status of the call.
    pub fn keep(self) -> i32 {
        let c = |text: &str| CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
        let strings =
            [&self.name, &self.message, &self.file, &self.function, &self.text()].map(|text| c(text));
        let kind = i32::try_from(self.kind).unwrap_or(ExcKind::SystemError as i32);
        let number = |n: u32| i32::try_from(n).unwrap_or(0);
        let view = ErrorView {
            kind,
            line: number(self.line),
            column: number(self.column),
            name: strings[0].as_ptr(),
            message: strings[1].as_ptr(),
            file: strings[2].as_ptr(),
            function: strings[3].as_ptr(),
            text: strings[4].as_ptr(),
        };
        let kept = Box::new(Kept { _strings: strings, view });
        // A thread that ends has nobody who would ask.
        let _ = LAST.try_with(|last| last.replace(Some(kept)));
        kind
    }
}

/// The thread's last error, or null; valid until its next one.
#[unsafe(no_mangle)]
pub extern "C" fn pydd_last_error() -> *const ErrorView {
    let view = |last: &RefCell<Option<Box<Kept>>>| {
        last.borrow().as_ref().map_or(std::ptr::null(), |kept| &raw const kept.view)
    };
    LAST.try_with(view).unwrap_or(std::ptr::null())
}

fn site_message(site: &Site, raised: &Raised) -> String {
    // SAFETY: a string of the spec.
    let template = unsafe { text(site.message) };
    message::format_with(template, &raised.payload, number::shown).unwrap_or_else(|why| why)
}

/// Python's name of an exception.
fn exception_name(module: &'static ModuleSpec, kind: u32) -> String {
    if let Some(own) = kind.checked_sub(OWN_EXCEPTIONS) {
        // SAFETY: a valid spec.
        let classes = unsafe { items(module.exceptions, module.n_exceptions) };
        // SAFETY: a string of the spec.
        return classes.get(own as usize).map_or("Exception", |class| unsafe { text(class.name) }).to_owned();
    }
    ExcKind::ALL
        .into_iter()
        .find(|known| *known as u32 == kind)
        .map_or_else(|| "SystemError".to_owned(), |known| format!("{known:?}"))
}
