//! Choosing among the versions of a function by its arguments' types.
//!
//! Unsafe here: objects borrowed from the caller.

use crate::arrays::{is_array, type_name};
use crate::bind::Given;
use crate::constants::Constant;
use crate::frame::Failed;
use crate::plan::{Callable, Function};
use crate::scalars::is_a;
use crate::signatures::{describe_parameter, signature, specs};
use crate::{arrays, bind, device_arrays, dicts, scalars, sparse};
use pydd_abi::{PARAM_CAST, PARAM_HAS_DEFAULT, ParamSpec, TypeKind, TypeSpec};
use pydd_core::spec::{items, text};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::ptr;

/// What costs so much is refused by the version that takes it best. See [`scalars::cost`].
const REFUSED: u32 = 10_000;

/// A version of a function, and an object for each parameter, null where the default holds.
pub struct Chosen<'a> {
    pub function: &'a Function,
    pub objects: Vec<*mut PyObject>,
    /// Keeps those alive that were made.
    _made: Vec<Py<PyAny>>,
}

/// Of the versions whose arrays and lists fit, the one whose numbers cost least to convert; the first of equal ones.
pub fn choose<'a>(callable: &'a Callable, given: &Given) -> Result<Chosen<'a>, Failed> {
    // SAFETY: calls come under the GIL.
    let py = unsafe { Python::assume_attached() };
    let first = &callable.versions[0];
    // Versions differ in the types and defaults of parameters alone.
    let mut objects = bind::place(first, given)?;
    let found = best(py, callable, &objects);
    if let Some((_, function)) = found.filter(|(cost, _)| *cost < REFUSED) {
        return Ok(Chosen { function, objects, _made: Vec::new() });
    }
    let Made { kept: _made, on_devices } = make_arrays(py, callable, &mut objects)?;
    let found = if _made.is_empty() { found } else { best(py, callable, &objects) };
    let complete: Vec<&Function> =
        callable.versions.iter().filter(|function| is_complete(function, &objects)).collect();
    if let Some((cost, function)) = found {
        // A version for numbers would say nothing of what others take.
        let is_told = |at: usize| {
            let of_parameter = || complete.iter().map(|function| &specs(function)[at]);
            let values = of_parameter().filter(|spec| is_value(spec)).count();
            let first = of_parameter().find(|spec| !is_value(spec)).map(|spec| describe_parameter(py, spec));
            let mut others = of_parameter().filter(|spec| !is_value(spec));
            let is_one = others.all(|spec| Some(describe_parameter(py, spec)) == first);
            values > 0 && !is_one || of_parameter().any(|spec| spec.ty.kind == TypeKind::Constant)
        };
        let error = if cost < REFUSED { None } else { blamed(py, &complete, &objects, is_told) };
        on_devices.iter().for_each(|&(at, caller)| objects[at] = caller);
        return error.map_or(Ok(Chosen { function, objects, _made }), |error| Err(error.into()));
    }
    // Versions that only differ in the type of indices are one to the caller: it hears what does not fit.
    let shown = signature(py, first);
    let function = match complete.last() {
        // The first version, which has all defaults, says best what is missing.
        None => bind::bind(first, given).map(|_| first)?,
        Some(last) if callable.versions.iter().all(|version| signature(py, version) == shown) => last,
        Some(_) => return Err(why(py, callable, &complete, &objects).into()),
    };
    on_devices.iter().for_each(|&(at, caller)| objects[at] = caller);
    Ok(Chosen { function, objects, _made })
}

struct Made {
    kept: Vec<Py<PyAny>>,
    /// What lives on devices, by parameters, and is given to the call as it is.
    on_devices: Vec<(usize, *mut PyObject)>,
}

/// Arrays over the memory of arguments that are none themselves, where some version takes an array.
fn make_arrays(py: Python<'_>, callable: &Callable, objects: &mut [*mut PyObject]) -> Result<Made, Failed> {
    let mut made = Made { kept: Vec::new(), on_devices: Vec::new() };
    for (at, object) in objects.iter_mut().enumerate().filter(|(_, object)| !object.is_null()) {
        let of_parameter = callable.versions.iter().find_map(|function| {
            let spec = specs(function).get(at).filter(|spec| spec.ty.kind == TypeKind::Array)?;
            function.params.iter().find(|param| ptr::eq(param.spec, spec)).map(|param| (function, param))
        });
        let Some((function, param)) = of_parameter else { continue };
        // SAFETY: a live object, under the GIL.
        let value = unsafe { Bound::from_borrowed_ptr(py, *object) };
        if let Some(array) = device_arrays::of(&value)? {
            made.on_devices.push((at, *object));
            *object = array.get().host();
            made.kept.push(array.into_any());
        } else if let Some(array) = arrays::exported_for_choice(function, param, &value)? {
            *object = array.as_ptr();
            made.kept.push(array.unbind());
        }
    }
    Ok(made)
}

/// The version that costs least, and what it does.
fn best<'a>(
    py: Python<'_>,
    callable: &'a Callable,
    objects: &[*mut PyObject],
) -> Option<(u32, &'a Function)> {
    let mut best: Option<(u32, &Function)> = None;
    for function in callable.versions.iter().filter(|function| is_complete(function, objects)) {
        let mut pairs = specs(function).iter().zip(objects);
        let cost =
            pairs.try_fold(0, |sum: u32, (spec, &object)| Some(sum.saturating_add(cost(py, spec, object)?)));
        match cost {
            Some(0) => return Some((0, function)),
            Some(cost) if best.is_none_or(|(least, _)| cost < least) => best = Some((cost, function)),
            _ => {}
        }
    }
    best
}

/// Whether all arguments are given that have no default in a version.
fn is_complete(function: &Function, objects: &[*mut PyObject]) -> bool {
    let mut pairs = specs(function).iter().zip(objects);
    pairs.all(|(spec, object)| !object.is_null() || spec.flags & PARAM_HAS_DEFAULT != 0)
}

/// Whether a parameter has one value in a version.
fn is_value(spec: &ParamSpec) -> bool {
    matches!(spec.ty.kind, TypeKind::None | TypeKind::Constant)
}

/// Why no version takes these arguments: what is wrong with the first one that no version takes, whatever the others are, where that may
/// be None, has values of its own, or is alike in all versions; else which versions there are.
fn why(py: Python<'_>, callable: &Callable, complete: &[&Function], objects: &[*mut PyObject]) -> PyErr {
    let is_one = |at: usize| {
        let mut described = complete.iter().map(|function| describe_parameter(py, &specs(function)[at]));
        let first = described.next();
        described.all(|other| Some(other) == first)
    };
    let alike = (0..objects.len()).find(|&at| is_one(at) && is_refused(py, complete, at, objects[at]));
    blamed(py, complete, objects, |at| complete.iter().any(|function| is_value(&specs(function)[at])))
        .or_else(|| alike.map(|at| refusal(py, complete, at, objects[at])))
        .unwrap_or_else(|| no_version(py, callable, objects))
}

/// What is wrong with the first argument that no version takes, among those that are told of.
fn blamed(
    py: Python<'_>,
    complete: &[&Function],
    objects: &[*mut PyObject],
    is_told: impl Fn(usize) -> bool,
) -> Option<PyErr> {
    let at = (0..objects.len()).find(|&at| is_told(at) && is_refused(py, complete, at, objects[at]))?;
    Some(refusal(py, complete, at, objects[at]))
}

fn is_refused(py: Python<'_>, complete: &[&Function], at: usize, object: *mut PyObject) -> bool {
    let costs = || complete.iter().map(|function| cost(py, &specs(function)[at], object));
    !object.is_null() && costs().all(|cost| cost.is_none_or(|cost| cost >= REFUSED))
}

/// Why no version takes an argument.
fn refusal(py: Python<'_>, complete: &[&Function], at: usize, object: *mut PyObject) -> PyErr {
    let mut types: Vec<(String, &Function, &'static ParamSpec)> = Vec::new();
    for function in complete {
        let spec = &specs(function)[at];
        let described = describe_parameter(py, spec);
        if types.iter().all(|(known, ..)| *known != described) {
            types.push((described, function, spec));
        }
    }
    let (constants, others): (Vec<_>, Vec<_>) = types.iter().partition(|(_, _, spec)| is_value(spec));
    // Of one type more can be said than what it is.
    if let [(_, function, spec)] = &others[..]
        && spec.ty.kind == TypeKind::Array
        && let Some(param) = function.params.iter().find(|param| ptr::eq(param.spec, *spec))
    {
        let allowed: Vec<&str> = constants.iter().map(|(described, ..)| described.as_str()).collect();
        // SAFETY: a live object, under the GIL.
        return unsafe { arrays::refusal(function, param, object, &allowed) };
    }
    let allowed: Vec<&str> = types.iter().map(|(described, ..)| described.as_str()).collect();
    let specs = types.iter().map(|(_, _, spec)| *spec);
    not_allowed(py, complete[0], specs, &allowed, object)
}

/// The exception for an argument of a parameter that is one of several things: a ValueError where it is of the kind of a value that is allowed.
fn not_allowed(
    py: Python<'_>,
    function: &Function,
    specs: impl Iterator<Item = &'static ParamSpec>,
    allowed: &[&str],
    object: *mut PyObject,
) -> PyErr {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(py, object) };
    let (mut alike, mut name) = (false, "");
    for spec in specs {
        alike |= spec.ty.kind == TypeKind::Constant && Constant::of(spec).is(&value).is_some();
        // SAFETY: a spec that lives for ever.
        name = unsafe { text(spec.name) };
    }
    let got = if alike { shown(&value) } else { described(&value) };
    let message = format!("argument '{name}' of {}() must be {}, got {got}", function.name, any_of(allowed));
    if alike { PyValueError::new_err(message) } else { PyTypeError::new_err(message) }
}

/// A value as Python writes it, its beginning where that is long.
fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 80;
    let text = value.repr().map_or_else(|_| type_name(value), |text| text.to_string());
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain(['…']).collect()
}

/// `'a', 'b' or None`.
pub fn any_of(allowed: &[&str]) -> String {
    match allowed {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => allowed.concat(),
    }
}

/// Passes an argument as the value that is the only one that a function takes there.
pub fn check_constant(
    function: &Function,
    spec: &'static ParamSpec,
    py: Python<'_>,
    object: *mut PyObject,
) -> Result<(), Failed> {
    if cost(py, spec, object).is_some() {
        return Ok(());
    }
    let allowed = Constant::of(spec).shown(py);
    Err(not_allowed(py, function, std::iter::once(spec), &[&allowed], object).into())
}

/// What it costs to pass an object as this type; `None` where it cannot be. See [`scalars::cost`].
fn cost(py: Python<'_>, spec: &ParamSpec, object: *mut PyObject) -> Option<u32> {
    if object.is_null() {
        return Some(0);
    }
    if spec.ty.kind == TypeKind::Constant {
        // SAFETY: a live object, under the GIL.
        let value = unsafe { Bound::from_borrowed_ptr(py, object) };
        return Constant::of(spec).is(&value).filter(|&is| is).map(|_| 0);
    }
    if spec.flags & PARAM_CAST != 0 {
        return cast_cost(py, &spec.ty, object);
    }
    cost_of(py, &spec.ty, object)
}

/// As [`cost`], of an array to which others are converted: more than any number that is taken.
fn cast_cost(py: Python<'_>, ty: &TypeSpec, object: *mut PyObject) -> Option<u32> {
    const CONVERTED: u32 = REFUSED / 2;
    if let Some(cost) = cost_of(py, ty, object) {
        return Some(cost);
    }
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(py, object) };
    let fits = if is_array(&value) {
        value
            .getattr("ndim")
            .and_then(|rank| rank.extract::<usize>())
            .is_ok_and(|rank| rank == usize::from(ty.rank))
    } else {
        !value.is_none() && !is_a(&value, &raw mut ffi::PyUnicode_Type)
    };
    fits.then_some(CONVERTED)
}

/// As [`cost`], of an argument or a part of one.
fn cost_of(py: Python<'_>, ty: &TypeSpec, object: *mut PyObject) -> Option<u32> {
    // SAFETY: a live object, under the GIL.
    let value = unsafe { Bound::from_borrowed_ptr(py, object) };
    // SAFETY: specs are constants that live for ever.
    let types = unsafe { items(ty.items, ty.n_items) };
    let free = |fits: bool| fits.then_some(0);
    match ty.kind {
        TypeKind::None => free(value.is_none()),
        _ if value.is_none() => None,
        TypeKind::Sparse => free(sparse::accepts(&value, ty)),
        TypeKind::Array => free(arrays::has_type(&value, ty)),
        TypeKind::Dict | TypeKind::Set if !dicts::accepts(&value, ty) => None,
        // Of containers the first item says what kind they are.
        TypeKind::Dict => match value.cast::<PyDict>().ok()?.iter().next() {
            Some((key, item)) => cost_of(py, types.first()?, key.as_ptr())?.checked_add(cost_of(
                py,
                types.get(1)?,
                item.as_ptr(),
            )?),
            None => Some(0),
        },
        TypeKind::Set => match value.try_iter().ok()?.next() {
            Some(item) => cost_of(py, types.first()?, item.ok()?.as_ptr()),
            None => Some(0),
        },
        TypeKind::List => match value.cast::<PyList>().ok()?.iter().next() {
            // SAFETY: a live object, under the GIL.
            Some(item) => unsafe { scalars::cost(item.as_ptr(), ty.dtype) },
            None => Some(0),
        },
        TypeKind::Tuples => match value.cast::<PyList>().ok()?.iter().next() {
            Some(item) => of_items(py, types, &item),
            None => Some(0),
        },
        TypeKind::Lists => match value.cast::<PyList>().ok()?.iter().next() {
            Some(item) if types.first()?.kind == TypeKind::Array => {
                free(arrays::has_type(&item, types.first()?))
            }
            Some(item) => free(item.is_instance_of::<PyList>()),
            None => Some(0),
        },
        TypeKind::Tuple => of_items(py, types, &value),
        TypeKind::Scalar if is_array(&value) => Some(100_000),
        // SAFETY: a live object, under the GIL.
        TypeKind::Scalar => Some(unsafe { scalars::cost(object, ty.dtype) }.unwrap_or(100_000)),
        _ => Some(0),
    }
}

/// Of a tuple, what its items cost.
fn of_items(py: Python<'_>, types: &[TypeSpec], value: &Bound<'_, PyAny>) -> Option<u32> {
    let tuple = value.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == types.len())?;
    tuple
        .iter()
        .zip(types)
        .try_fold(0, |sum: u32, (item, ty)| Some(sum.saturating_add(cost_of(py, ty, item.as_ptr())?)))
}

fn no_version(py: Python<'_>, callable: &Callable, objects: &[*mut PyObject]) -> PyErr {
    let name = callable.name.to_string_lossy();
    let given = objects.iter().filter(|object| !object.is_null());
    // SAFETY: live objects, under the GIL.
    let values = given.map(|&object| unsafe { Bound::from_borrowed_ptr(py, object) });
    let got: Vec<String> = values.map(|value| described(&value)).collect();
    let versions = callable.versions.iter().map(|f| format!("\n    {}", signature(py, f)));
    PyTypeError::new_err(format!(
        "no version of {name}() takes ({}); there are{}",
        got.join(", "),
        versions.collect::<String>()
    ))
}

/// The type of an argument.
fn described(value: &Bound<'_, PyAny>) -> String {
    let attribute = |name| value.getattr(name).and_then(|a| a.str()).map(|s| s.to_string());
    match (is_array(value), attribute("dtype"), attribute("ndim")) {
        (true, Ok(dtype), Ok(rank)) => format!("Array({dtype}, {rank})"),
        _ => type_name(value),
    }
}
