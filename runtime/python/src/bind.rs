//! Binding of arguments to parameters, with CPython's own messages.
//!
//! Unsafe here: the arrays of the calling convention.

use crate::frame::{Failed, with_python};
use crate::plan::Function;
use pydd_abi::{PARAM_HAS_DEFAULT, PARAM_KEYWORD_ONLY, PARAM_POSITIONAL_ONLY, ParamSpec};
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

/// A parameter that Python sees.
struct Slot {
    name: &'static str,
    has_default: bool,
    keyword_only: bool,
    positional_only: bool,
}

/// The parameters that Python sees.
fn slots(function: &Function) -> Vec<Slot> {
    let slot = |name, spec: &ParamSpec| Slot {
        name,
        has_default: spec.flags & PARAM_HAS_DEFAULT != 0,
        keyword_only: spec.flags & PARAM_KEYWORD_ONLY != 0,
        positional_only: spec.flags & PARAM_POSITIONAL_ONLY != 0,
    };
    match &function.sparse {
        Some(visible) => visible.iter().map(|p| slot(p.name, p.spec)).collect(),
        None => function.params.iter().map(|p| slot(p.name, p.spec)).collect(),
    }
}

/// An object for each parameter that Python sees; null where the default holds.
pub fn bind(function: &Function, given: &Given) -> Result<Vec<*mut PyObject>, Failed> {
    let params = slots(function);
    let objects = placed(function, &params, given)?;
    for keyword_only in [false, true] {
        let pairs = params.iter().zip(&objects);
        let missing =
            pairs.filter(|(p, object)| object.is_null() && !p.has_default && p.keyword_only == keyword_only);
        let names: Vec<&str> = missing.map(|(p, _)| p.name).collect();
        if !names.is_empty() {
            return Err(error(function, &missing_text(&names, keyword_only)));
        }
    }
    Ok(objects)
}

/// An object for each parameter that Python sees; null where none is given.
pub fn place(function: &Function, given: &Given) -> Result<Vec<*mut PyObject>, Failed> {
    placed(function, &slots(function), given)
}

fn placed(function: &Function, params: &[Slot], given: &Given) -> Result<Vec<*mut PyObject>, Failed> {
    let positional = given.positional();
    let mut objects = vec![ptr::null_mut(); params.len()];
    let by_place = params.iter().filter(|p| !p.keyword_only).count();
    let taken = positional.len().min(by_place);
    objects[..taken].copy_from_slice(&positional[..taken]);
    for i in 0..given.keywords() {
        let (name, object) = given.keyword(i);
        let Some(at) = params.iter().position(|p| p.name == name && !p.positional_only) else {
            if params.iter().any(|p| p.name == name) {
                return Err(error(function, &by_name(params, given)));
            }
            return Err(error(function, &format!("got an unexpected keyword argument '{name}'")));
        };
        if !objects[at].is_null() {
            return Err(error(function, &format!("got multiple values for argument '{name}'")));
        }
        objects[at] = object;
    }
    if positional.len() > by_place {
        return Err(error(function, &too_many(&params[..by_place], positional.len())));
    }
    Ok(objects)
}

/// The parameters that were given by their names and may not be.
fn by_name(params: &[Slot], given: &Given) -> String {
    let is_given = |p: &&Slot| (0..given.keywords()).any(|i| given.keyword(i).0 == p.name);
    let names: Vec<&str> =
        params.iter().filter(|p| p.positional_only).filter(is_given).map(|p| p.name).collect();
    format!("got some positional-only arguments passed as keyword arguments: '{}'", names.join(", "))
}

#[cold]
fn error(function: &Function, text: &str) -> Failed {
    with_python(|_| PyTypeError::new_err(format!("{}() {text}", function.name)).into())
}

fn too_many(params: &[Slot], given: usize) -> String {
    let most = params.len();
    let least = params.iter().filter(|p| !p.has_default).count();
    let takes = if least < most { format!("from {least} to {most}") } else { most.to_string() };
    let plural = if most == 1 && least == most { "" } else { "s" };
    let were = if given == 1 { "was" } else { "were" };
    format!("takes {takes} positional argument{plural} but {given} {were} given")
}

fn missing_text(names: &[&str], keyword_only: bool) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    let list = match &quoted[..] {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let plural = if names.len() == 1 { "" } else { "s" };
    let kind = if keyword_only { "keyword-only" } else { "positional" };
    format!("missing {} required {kind} argument{plural}: {list}", names.len())
}
