//! NumPy's ufuncs, whose loops are kernels.
//!
//! A loop is a kernel that takes each operand of the ufunc in its order as an array, and returns nothing: it writes to the operands that are outputs.
//! It runs over the first axis of all arrays, which has the items. Of a plain ufunc that is the only one; of a generalized ufunc those of the core
//! dimensions follow, or, where there are none, possibly one axis of one element.
//!
//! Unsafe here: NumPy's C API, under the GIL. What a ufunc points to is leaked, as NumPy keeps the pointers and ufuncs are mostly made once.

mod float_status;
mod inner;
mod memory;

use crate::function;
use crate::plan::{Callable, Convert, Function};
use inner::{Loop, Operand};
use numpy::PY_UFUNC_API;
use numpy::npyffi::{
    NPY_ITER_ALIGNED, NPY_ITER_ALLOCATE, NPY_ITER_NO_BROADCAST, NPY_ITER_NO_SUBTYPE, NPY_ITER_UPDATEIFCOPY,
    NPY_ITER_WRITEONLY, PyUFuncGenericFunction, PyUFuncObject,
};
use pydd_abi::{
    DTypeCode, FN_GENERALIZED, FN_IDENTITY_ONE, FN_IDENTITY_ZERO, FN_REORDERABLE, FN_UFUNC, TypeKind,
    TypeSpec,
};
use pydd_core::spec::text;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

/// NumPy's `PyUFunc_None`, and `PyUFunc_ReorderableNone`.
const NO_IDENTITY: c_int = -1;
const REORDERABLE: c_int = -2;

/// A ufunc of kernels, one for each list of types.
///
/// `core` has for each operand the numbers of its core dimensions, in the order in which `signature` names them; it is empty for a plain ufunc,
/// which has no signature. `identity` is 0, 1, None or "reorderable".
#[pyfunction]
#[pyo3(signature = (name, doc, kernels, n_inputs, signature, core, identity))]
pub fn _make_ufunc<'py>(
    py: Python<'py>,
    name: &str,
    doc: Option<&str>,
    kernels: Vec<Bound<'py, PyAny>>,
    n_inputs: usize,
    signature: Option<&str>,
    core: Vec<Vec<usize>>,
    identity: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let functions = kernels.iter().map(function_of).collect::<PyResult<Vec<_>>>()?;
    let description =
        Description { name, doc, n_inputs, signature, core: &core, identity: identity_of(identity)? };
    make(py, &functions, &description)
}

/// The ufunc that a module's functions of one name are loops of; None where they are none.
pub fn of_callable<'py>(py: Python<'py>, callable: &'static Callable) -> PyResult<Option<Bound<'py, PyAny>>> {
    let functions: Vec<&'static Function> = callable.versions.iter().collect();
    let Some(first) = functions.first().filter(|first| first.spec.flags & FN_UFUNC != 0) else {
        return Ok(None);
    };
    // SAFETY: strings of a valid spec.
    let (core, doc) = unsafe { (text(first.spec.signature), text(first.spec.doc)) };
    let (inputs, outputs) = core.split_once("->").unwrap_or_default();
    let n_inputs = operands(inputs).len();
    let names: Vec<Vec<&str>> = operands(inputs).into_iter().chain(operands(outputs)).collect();
    let mut known: Vec<&str> = Vec::new();
    for name in names.iter().flatten() {
        if !known.contains(name) {
            known.push(name);
        }
    }
    let number = |name: &&str| known.iter().position(|each| each == name).unwrap_or(0);
    let core_numbers: Vec<Vec<usize>> =
        names.iter().map(|operand| operand.iter().map(number).collect()).collect();
    let description = Description {
        name: first.name,
        doc: Some(doc).filter(|doc| !doc.is_empty()),
        n_inputs,
        signature: (first.spec.flags & FN_GENERALIZED != 0).then_some(core),
        core: &core_numbers,
        identity: match first.spec.flags {
            flags if flags & FN_IDENTITY_ZERO != 0 => 0,
            flags if flags & FN_IDENTITY_ONE != 0 => 1,
            flags if flags & FN_REORDERABLE != 0 => REORDERABLE,
            _ => NO_IDENTITY,
        },
    };
    make(py, &functions, &description).map(Some)
}

/// The names of the dimensions of each operand: `(m,n),(n)`.
fn operands(text: &str) -> Vec<Vec<&str>> {
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    inner.split("),(").map(|operand| operand.split(',').filter(|name| !name.is_empty()).collect()).collect()
}

struct Description<'a> {
    name: &'a str,
    doc: Option<&'a str>,
    n_inputs: usize,
    /// Of a generalized ufunc.
    signature: Option<&'a str>,
    core: &'a [Vec<usize>],
    identity: c_int,
}

fn make<'py>(
    py: Python<'py>,
    functions: &[&'static Function],
    description: &Description<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let &Description { name, doc, n_inputs, signature, core, identity } = description;
    let mut loops = Vec::with_capacity(functions.len());
    for function in functions {
        loops.push(new_loop(name, function, n_inputs, signature.map(|_| core))?);
    }
    let Some(operands) = loops.first().map(|first: &Loop| first.operands.len()) else {
        return Err(PyValueError::new_err("a ufunc without loops"));
    };
    if loops.iter().any(|each| each.operands.len() != operands) || n_inputs > operands {
        return Err(PyValueError::new_err("loops of different numbers of operands"));
    }
    let types =
        loops.iter().flat_map(|each| each.operands.iter().map(|o| o.dtype.numpy_type_num() as c_char));
    let types: Vec<c_char> = types.collect();
    let count = c_int::try_from(loops.len())?;
    let mut functions: Vec<PyUFuncGenericFunction> = vec![Some(inner::run); loops.len()];
    let mut data: Vec<*mut c_void> =
        loops.into_iter().map(|each| Box::into_raw(Box::new(each)).cast()).collect();
    let doc = doc.map(CString::new).transpose()?;
    let signature = signature.map(CString::new).transpose()?;
    // SAFETY: tables of as many items as NumPy is told, which are leaked below.
    let ufunc = unsafe {
        let raw = PY_UFUNC_API.PyUFunc_FromFuncAndDataAndSignature(
            py,
            functions.as_mut_ptr(),
            data.as_mut_ptr(),
            types.as_ptr().cast_mut(),
            count,
            c_int::try_from(n_inputs)?,
            c_int::try_from(operands - n_inputs)?,
            identity,
            CString::new(name)?.into_raw(),
            doc.map_or(ptr::null(), |doc| doc.into_raw().cast_const()),
            0,
            signature.as_ref().map_or(ptr::null(), |text| text.as_ptr()),
        );
        Bound::from_owned_ptr_or_err(py, raw)?
    };
    std::mem::forget((functions, data, types));
    if signature.is_some() {
        // SAFETY: a ufunc of ours, which has flags for each operand.
        unsafe { keep_outputs_apart(ufunc.as_ptr().cast(), n_inputs, operands) };
    }
    Ok(ufunc)
}

/// NumPy takes it that an output that lies exactly where an input does is no harm, as it is none where elements are computed one by one. Of items
/// that is wrong; so `np.matmul` has these flags as well (`set_matmul_flags`): those of all outputs, without that one.
unsafe fn keep_outputs_apart(ufunc: *mut PyUFuncObject, n_inputs: usize, operands: usize) {
    let flags = NPY_ITER_WRITEONLY
        | NPY_ITER_UPDATEIFCOPY
        | NPY_ITER_ALIGNED
        | NPY_ITER_ALLOCATE
        | NPY_ITER_NO_BROADCAST
        | NPY_ITER_NO_SUBTYPE;
    for i in n_inputs..operands {
        // SAFETY: there are flags for each operand.
        unsafe { *(*ufunc).fields.op_flags.add(i) = flags };
    }
}

/// What a kernel returns: for each value the types that it may have, each with whether it is one of Python's own.
#[pyfunction]
pub fn _result_types(kernel: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<(&'static str, bool)>>> {
    let result = &function_of(kernel)?.spec.result;
    let values = if result.kind == TypeKind::Tuple { items(result) } else { std::slice::from_ref(result) };
    values.iter().map(alternatives).collect()
}

fn alternatives(ty: &'static TypeSpec) -> PyResult<Vec<(&'static str, bool)>> {
    let name = |ty: &TypeSpec| (crate::numpy_api::dtype_name(ty.dtype), ty.weak != 0);
    match ty.kind {
        TypeKind::Scalar => Ok(vec![name(ty)]),
        TypeKind::Either => Ok(items(ty).iter().map(name).collect()),
        _ => Err(PyTypeError::new_err("no number")),
    }
}

fn items(ty: &'static TypeSpec) -> &'static [TypeSpec] {
    // SAFETY: specs are constants that live for ever.
    unsafe { pydd_core::spec::items(ty.items, ty.n_items) }
}

fn function_of(kernel: &Bound<'_, PyAny>) -> PyResult<&'static Function> {
    match function::callable_of(kernel).map(|callable| &callable.versions[..]) {
        Some([function]) => Ok(function),
        Some(_) => Err(PyTypeError::new_err("a kernel of several versions")),
        None => Err(PyTypeError::new_err("not a kernel")),
    }
}

/// `core` is None for a plain ufunc.
fn new_loop(
    name: &str,
    function: &'static Function,
    n_inputs: usize,
    core: Option<&[Vec<usize>]>,
) -> PyResult<Loop> {
    let params = &function.params;
    let refuse = |text: String| Err(PyTypeError::new_err(format!("{name}() {text}")));
    if function.spec.ret_words != 0 || function.sparse.is_some() {
        return refuse("must write its results to its last parameters and return nothing".into());
    }
    if core.is_some_and(|core| core.len() != params.len()) {
        return refuse(format!("takes {} parameters, and not one for each operand", params.len()));
    }
    let mut operands = Vec::with_capacity(params.len());
    for (i, param) in params.iter().enumerate() {
        let dims = core.map_or_else(Vec::new, |core| core[i].clone());
        let is_input = i < n_inputs;
        let param_name = param.name;
        let rank = usize::from(param.rank);
        let expected = 1 + dims.len();
        let fits = rank == expected || (core.is_some() && dims.is_empty() && rank == 2);
        if param.convert != Convert::Array || !fits {
            return refuse(format!("has a parameter `{param_name}` that is no array of {expected} axes"));
        }
        if is_input && param.written {
            return refuse(format!("writes to `{param_name}`, which is an input"));
        }
        operands.push(Operand {
            word: param.word,
            dtype: param.dtype,
            core: dims,
            rank,
            is_output: !is_input,
        });
    }
    Ok(Loop::new(function, operands, core.is_none()))
}

fn identity_of(object: &Bound<'_, PyAny>) -> PyResult<c_int> {
    if object.is_none() {
        return Ok(NO_IDENTITY);
    }
    match object.extract::<c_int>() {
        Ok(number @ (0 | 1)) => return Ok(number),
        _ if object.extract::<&str>().is_ok_and(|text| text == "reorderable") => return Ok(REORDERABLE),
        _ => {}
    }
    Err(PyValueError::new_err(format!(
        "identity must be 0, 1, None or \"reorderable\", not {}",
        object.repr()?
    )))
}

/// Bytes of an element.
const fn item_size(dtype: DTypeCode) -> isize {
    dtype.size() as isize
}
