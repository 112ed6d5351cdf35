//! Binding of arguments to parameters, with CPython's own messages.
//!
//! Unsafe here: the arrays of the calling convention.

use crate::frame::{Failed, with_python};
use crate::plan::Function;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use std::ptr;

/// What the caller gave: `nargs` positional objects, then one for each name.
pub struct Given {
    pub args: *const *mut PyObject,
    pub nargs: usize,
    /// A tuple of str, or null.
    pub kwnames: *mut PyObject,
}

impl Given {
    pub fn positional(&self) -> &[*mut PyObject] {
        if self.nargs == 0 {
            return &[];
        }
        // SAFETY: CPython's calling convention.
        unsafe { std::slice::from_raw_parts(self.args, self.nargs) }
    }

    fn keywords(&self) -> usize {
        if self.kwnames.is_null() {
            return 0;
        }
        // SAFETY: a live tuple, under the GIL.
        usize::try_from(unsafe { ffi::PyTuple_Size(self.kwnames) }).unwrap_or(0)
    }

    /// Name and object of a keyword argument.
    fn keyword(&self, i: usize) -> (&str, *mut PyObject) {
        let mut size = 0;
        // SAFETY: a live tuple of str; an object follows the positional ones for each. The text lives
        // as long as its str.
        unsafe {
            let name = ffi::PyTuple_GetItem(self.kwnames, i as isize);
            let text = ffi::PyUnicode_AsUTF8AndSize(name, &raw mut size);
            let object = *self.args.add(self.nargs + i);
            if text.is_null() {
                ffi::PyErr_Clear();
                return ("?", object);
            }
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size as usize);
            (std::str::from_utf8(bytes).unwrap_or("?"), object)
        }
    }
}

/// A parameter by name, and whether it may be left out.
type Slot = (&'static str, bool);

/// The parameters that Python sees.
fn slots(function: &Function) -> Vec<Slot> {
    match &function.sparse {
        Some(visible) => visible.iter().map(|p| (p.name, p.has_default())).collect(),
        None => function.params.iter().map(|p| (p.name, p.has_default())).collect(),
    }
}

/// An object for each parameter that Python sees; null where the default holds.
pub fn bind(function: &Function, given: &Given) -> Result<Vec<*mut PyObject>, Failed> {
    let params = slots(function);
    let positional = given.positional();
    let mut objects = vec![ptr::null_mut(); params.len()];
    let taken = positional.len().min(params.len());
    objects[..taken].copy_from_slice(&positional[..taken]);
    for i in 0..given.keywords() {
        let (name, object) = given.keyword(i);
        let Some(at) = params.iter().position(|p| p.0 == name) else {
            return Err(error(function, &format!("got an unexpected keyword argument '{name}'")));
        };
        if !objects[at].is_null() {
            return Err(error(function, &format!("got multiple values for argument '{name}'")));
        }
        objects[at] = object;
    }
    if positional.len() > params.len() {
        return Err(error(function, &too_many(&params, positional.len())));
    }
    let missing = |(p, object): &(&Slot, &*mut PyObject)| object.is_null() && !p.1;
    if params.iter().zip(&objects).any(|pair| missing(&pair)) {
        let names = params.iter().zip(&objects).filter(missing).map(|(p, _)| p.0);
        return Err(error(function, &missing_text(&names.collect::<Vec<_>>())));
    }
    Ok(objects)
}

#[cold]
fn error(function: &Function, text: &str) -> Failed {
    with_python(|_| PyTypeError::new_err(format!("{}() {text}", function.name)).into())
}

fn too_many(params: &[Slot], given: usize) -> String {
    let most = params.len();
    let least = params.iter().filter(|p| !p.1).count();
    let takes = if least < most { format!("from {least} to {most}") } else { most.to_string() };
    let plural = if most == 1 && least == most { "" } else { "s" };
    let were = if given == 1 { "was" } else { "were" };
    format!("takes {takes} positional argument{plural} but {given} {were} given")
}

fn missing_text(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    let list = match &quoted[..] {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("missing {} required positional argument{plural}: {list}", names.len())
}
