//! Arrays that live on a GPU between calls: what Python sees of them, and calls that are given some.
//!
//! A [`DeviceArray`] is an ndarray over memory of the host, whose bytes are the GPU's ([`Resident`]). A call is given that ndarray's words, and its session finds the array on the
//! device. What such a call returns are device arrays too.
//!
//! Unsafe here: objects of a call's frame, borrowed from its caller, and memory of ndarrays that are kept.

use crate::arrays::{is_array, type_name};
use crate::call;
use crate::dlpack;
use crate::frame::{Failed, Frame, with_python};
use crate::numpy_api::{Interface, dtype_name};
use crate::plan::Param;
use pydd_abi::{DTypeCode, GUARD_DEVICE, Owner};
use pydd_core::device::{self, CallArrays, Footprint, Lost, Pending, Refused, Resident, is_there};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::Range;
use std::sync::Arc;

/// An array that lives on a GPU, and on the host where there is none.
///
/// Kernels take it as they take arrays of NumPy, and return what they make in others like it. `pydd.device_array` makes one. Libraries that know
/// `__cuda_array_interface__` or DLPack (CuPy, PyTorch, Numba) use its memory without a copy.
#[pyclass(frozen, module = "pydd_runtime")]
pub struct DeviceArray {
    /// An ndarray over the host's memory. Never given away.
    host: Py<PyAny>,
    resident: Arc<Resident>,
}

fn lost(lost: Lost) -> PyErr {
    PyRuntimeError::new_err(lost.0)
}

#[pymethods]
impl DeviceArray {
    /// Lengths of the axes.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.bind(py).getattr(intern!(py, "shape"))
    }

    /// Bytes from an element to the next one along each axis.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.bind(py).getattr(intern!(py, "strides"))
    }

    /// The type of the elements, as NumPy has it.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.bind(py).getattr(intern!(py, "dtype"))
    }

    /// The number of axes.
    #[getter]
    fn ndim<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.bind(py).getattr(intern!(py, "ndim"))
    }

    /// The number of elements.
    #[getter]
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.bind(py).getattr(intern!(py, "size"))
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.host.bind(py).getattr(intern!(py, "nbytes"))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.host.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let host = self.host.bind(py);
        let (shape, dtype) = (host.getattr("shape")?.repr()?, host.getattr("dtype")?.str()?);
        Ok(format!("DeviceArray(shape={shape}, dtype={dtype})"))
    }

    /// A new array of NumPy with these elements.
    pub fn copy_to_host<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.fetch(py)?.call_method0(intern!(py, "copy"))
    }

    #[pyo3(signature = (dtype=None, *, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("what is on a GPU is copied to be an array of NumPy"));
        }
        let array = self.copy_to_host(py)?;
        match dtype {
            Some(dtype) if !dtype.is_none() => array.call_method1(intern!(py, "astype"), (dtype,)),
            _ => Ok(array),
        }
    }

    /// Where the elements are, for other libraries. What they do there has to be over before a kernel is given the array.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let host = self.host.bind(py);
        let interface = host.getattr("__array_interface__")?.cast_into::<PyDict>()?;
        let address = self.address(py)?.map_err(PyAttributeError::new_err)?;
        let out = PyDict::new(py);
        for name in ["shape", "typestr", "strides"] {
            out.set_item(name, interface.get_item(name)?)?;
        }
        let writeable: bool = host.getattr("flags")?.getattr("writeable")?.extract()?;
        out.set_item("data", (address, !writeable))?;
        out.set_item("version", 3)?;
        // All that kernels did is done.
        out.set_item("stream", py.None())?;
        Ok(out)
    }

    /// DLPack's numbers of CUDA and of the GPU.
    fn __dlpack_device__(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        self.address(py)?.map_err(PyBufferError::new_err)?;
        Ok((dlpack::CUDA, self.resident.device()))
    }

    /// The memory as a capsule of DLPack. All that kernels did is done, so that no stream has to wait.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        slf: &Bound<'_, Self>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<&Bound<'_, PyAny>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (stream, max_version);
        let (py, this) = (slf.py(), slf.get());
        let address = this.address(py)?.map_err(PyBufferError::new_err)?;
        let device = this.resident.device();
        if dl_device.is_some_and(|wanted| wanted != (dlpack::CUDA, device)) || copy == Some(true) {
            return Err(PyBufferError::new_err("the array is given as it is, where it is"));
        }
        let host = this.host.bind(py);
        if !host.getattr("flags")?.getattr("writeable")?.extract::<bool>()? {
            return Err(PyBufferError::new_err("the array is read-only"));
        }
        let array = Interface::of(host)?;
        let dtype = array.dtype.ok_or_else(|| PyBufferError::new_err("the elements are no numbers"))?;
        let size = dtype.size() as i64;
        let strides = array.strides.iter().map(|stride| stride / size).collect();
        let shape = dlpack::Shape { address, device, dtype, dims: array.dims, strides };
        dlpack::export(py, &shape, slf.clone().into_any().unbind())
    }
}

impl DeviceArray {
    /// The ndarray with its bytes there.
    fn fetch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let resident = Arc::clone(&self.resident);
        // SAFETY: `host` keeps the memory, which nobody else is given.
        py.detach(|| unsafe { resident.to_host() }).map_err(lost)?;
        Ok(self.host.bind(py).clone())
    }

    /// The device's address of the first element, or why there is no device.
    fn address(&self, py: Python<'_>) -> PyResult<Result<u64, &'static str>> {
        let data = Interface::of(self.host.bind(py))?.data as u64;
        let resident = Arc::clone(&self.resident);
        let span = resident.host();
        if let Err(why) = is_there() {
            return Ok(Err(why));
        }
        if span.is_empty() {
            return Ok(Ok(0));
        }
        // SAFETY: as in `fetch`.
        let address = py.detach(|| unsafe { resident.address() }).map_err(lost)?;
        Ok(Ok(address + (data - span.start as u64)))
    }

    fn new(py: Python<'_>, host: Py<PyAny>, resident: Arc<Resident>) -> PyResult<Py<Self>> {
        Py::new(py, Self { host, resident })
    }
}

/// The bytes that an ndarray spans.
fn span(array: &Bound<'_, PyAny>) -> PyResult<Range<usize>> {
    let array_of = Interface::of(array)?;
    let item: usize = array.getattr("itemsize")?.extract()?;
    let words = |list: &[i64]| list.iter().map(|x| x.cast_unsigned()).collect::<Vec<_>>();
    let footprint =
        Footprint::new(array_of.data as u64, item, &words(&array_of.dims), &words(&array_of.strides));
    match footprint {
        Ok(Some(footprint)) => Ok(footprint.span()),
        Ok(None) => Ok(array_of.data as usize..array_of.data as usize),
        Err(_) => Err(PyValueError::new_err("the array is larger than memory")),
    }
}

/// A copy of an array on the GPU, or the memory there that another library has.
///
/// `x`: an array of NumPy or what `np.array` makes one of, which is copied; or what has `__cuda_array_interface__` or DLPack's methods and is on a GPU, which is used where it is. Without a GPU the
/// copy stays on the host, and kernels use it there.
/// `order`: of a copy from the host, as for `np.array`: "C" is row-major, "F" column-major, as kernels with `order="F"` want it, "A" what `x` is of these, "K" its order as far as it can be. What is on a
/// GPU stays in its own.
#[pyfunction]
#[pyo3(signature = (x, *, order = "C"))]
pub fn device_array<'py>(py: Python<'py>, x: &Bound<'py, PyAny>, order: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Some(known) = of(x)? {
        return Ok(known.into_bound(py).into_any());
    }
    let options = PyDict::new(py);
    options.set_item("order", order)?;
    let host = py.import("numpy")?.call_method("array", (x,), Some(&options))?;
    check_dtype(&host)?;
    let resident = Resident::new(span(&host)?);
    // SAFETY: the array keeps the memory.
    py.detach(|| unsafe { resident.settle() });
    Ok(DeviceArray::new(py, host.unbind(), resident)?.into_bound(py).into_any())
}

/// Waits until GPUs have done what calls have left them: those whose arrays all live there return before.
///
/// Nobody needs it for right results, since whatever looks at an array waits for it; it is for measuring times. Raises RuntimeError if a GPU failed.
#[pyfunction]
pub fn synchronize(py: Python<'_>) -> PyResult<()> {
    py.detach(device::synchronize).map_err(PyRuntimeError::new_err)
}

fn check_dtype(array: &Bound<'_, PyAny>) -> PyResult<()> {
    if Interface::of(array)?.dtype.is_some() {
        return Ok(());
    }
    let dtype = array.getattr("dtype")?.str()?;
    Err(PyTypeError::new_err(format!("kernels have no arrays of {dtype}")))
}

/// The device array that an object is, or is the memory of.
pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Py<DeviceArray>>> {
    let py = object.py();
    if let Ok(array) = object.cast::<DeviceArray>() {
        return Ok(Some(array.clone().unbind()));
    }
    let kind = object.get_type();
    // Not of the object: some give any attribute that they are asked for. DLPack first, since with it libraries say what to wait for. NumPy's own arrays are known by now.
    if kind.hasattr(intern!(py, "__dlpack_device__"))?
        && !is_array(object)
        && let Some(array) = of_dlpack(object)?
    {
        return Ok(Some(array));
    }
    let name = intern!(py, "__cuda_array_interface__");
    if !kind.hasattr(name)? {
        return Ok(None);
    }
    match object.getattr(name) {
        Ok(interface) => Ok(Some(of_interface(object, &interface)?)),
        // Tensors of PyTorch on the host.
        Err(error) if error.is_instance_of::<PyAttributeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The ndarray over the host's memory of what is, or has, memory of a device.
pub fn host_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    Ok(of(object)?.map(|array| array.get().host.bind(py).clone()))
}

/// An array of another library on a GPU.
struct Foreign {
    /// Of the first element.
    address: u64,
    dims: Vec<usize>,
    /// In bytes; none for row-major.
    strides: Option<Vec<isize>>,
    is_read_only: bool,
    /// Work of the library's that is not over.
    pending: Pending,
}

fn refused(object: &Bound<'_, PyAny>, why: &str) -> PyErr {
    PyTypeError::new_err(format!("{} on a GPU: {why}", type_name(object)))
}

/// By `__cuda_array_interface__`.
fn of_interface(object: &Bound<'_, PyAny>, interface: &Bound<'_, PyAny>) -> PyResult<Py<DeviceArray>> {
    let item = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        match interface.get_item(name) {
            Ok(value) => Ok(Some(value).filter(|value| !value.is_none())),
            Err(_) => Ok(None),
        }
    };
    let needed =
        |name: &str| item(name)?.ok_or_else(|| refused(object, &format!("its interface has no `{name}`")));
    let strange = |name: &'static str| move |_| refused(object, &format!("nobody understands its `{name}`"));
    if item("mask")?.is_some() {
        return Err(refused(object, "it has a mask, which would be ignored"));
    }
    let (address, is_read_only) = needed("data")?.extract().map_err(strange("data"))?;
    // Before the third version there was no word of streams.
    let version: u32 =
        item("version")?.map_or(Ok(3), |version| version.extract().map_err(strange("version")))?;
    let foreign = Foreign {
        address,
        is_read_only,
        dims: needed("shape")?.extract().map_err(strange("shape"))?,
        strides: item("strides")?.map(|s| s.extract()).transpose().map_err(strange("strides"))?,
        pending: match item("stream")? {
            Some(stream) => Pending::Stream(stream.extract().map_err(strange("stream"))?),
            None if version >= 3 => Pending::Nothing,
            None => Pending::Unknown,
        },
    };
    let dtype = object.py().import("numpy")?.call_method1("dtype", (needed("typestr")?,));
    let dtype = dtype.map_err(strange("typestr"))?;
    foreign.array(object, &dtype, object.clone().unbind())
}

/// By DLPack, whatever is on a GPU.
fn of_dlpack(object: &Bound<'_, PyAny>) -> PyResult<Option<Py<DeviceArray>>> {
    let py = object.py();
    // What does not say where it is is asked in other ways, and refused there.
    let device = object.call_method0("__dlpack_device__").and_then(|device| device.extract::<(i32, i32)>());
    if !device.is_ok_and(|(kind, _)| kind == dlpack::CUDA) || is_there().is_err() {
        return Ok(None);
    }
    // What it still does is to be over before anything on the legacy default stream, which is waited for.
    let options = PyDict::new(py);
    options.set_item("stream", LEGACY)?;
    let capsule = object.call_method("__dlpack__", (), Some(&options))?;
    let (shape, taken) =
        dlpack::import(&capsule).map_err(|error| refused(object, &error.value(py).to_string()))?;
    let size = shape.dtype.size() as isize;
    let dims: Option<Vec<usize>> = shape.dims.iter().map(|&dim| usize::try_from(dim).ok()).collect();
    let foreign = Foreign {
        address: shape.address,
        dims: dims.ok_or_else(|| refused(object, "a length is negative"))?,
        strides: Some(shape.strides.iter().map(|&stride| stride as isize * size).collect()),
        is_read_only: is_immutable(object)?,
        pending: Pending::Stream(LEGACY),
    };
    let dtype = py.import("numpy")?.call_method1("dtype", (dtype_name(shape.dtype),))?;
    Ok(Some(foreign.array(object, &dtype, Py::new(py, taken)?.into_any())?))
}

/// Whether an array is one of JAX, which never change; its capsules do not say so.
fn is_immutable(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let module = object.get_type().getattr(intern!(object.py(), "__module__"))?;
    let Ok(module) = module.extract::<String>() else { return Ok(false) };
    Ok(matches!(module.split('.').next(), Some("jax" | "jaxlib")))
}

/// CUDA's name for its default stream.
const LEGACY: u64 = 1;

impl Foreign {
    /// The same shape over memory of the host, of which nothing is touched unless it is asked for.
    fn host<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let numpy = py.import("numpy")?;
        let dims = PyTuple::new(py, &self.dims)?;
        let Some(strides) = self.strides.as_ref().filter(|_| !self.dims.contains(&0)) else {
            return numpy.call_method1("empty", (dims, dtype));
        };
        let reach = |backwards: bool| -> Option<usize> {
            let pairs = strides.iter().zip(&self.dims);
            let chosen = pairs.filter(|(stride, _)| (**stride < 0) == backwards);
            chosen.map(|(stride, dim)| stride.unsigned_abs().checked_mul(dim - 1)).sum()
        };
        let size: usize = dtype.getattr("itemsize")?.extract()?;
        let ends = reach(true).zip(reach(false)).filter(|(a, b)| a.checked_add(*b).is_some());
        let (before, behind) = ends.ok_or_else(|| refused(object, "it is too large"))?;
        let options = PyDict::new(py);
        options.set_item("shape", dims)?;
        options.set_item("dtype", dtype)?;
        options.set_item("buffer", numpy.call_method1("empty", (before + behind + size, "u1"))?)?;
        options.set_item("offset", before)?;
        options.set_item("strides", PyTuple::new(py, strides)?)?;
        numpy.call_method("ndarray", (), Some(&options))
    }

    /// The device array, which keeps `owner`.
    fn array(
        &self,
        object: &Bound<'_, PyAny>,
        dtype: &Bound<'_, PyAny>,
        owner: Py<PyAny>,
    ) -> PyResult<Py<DeviceArray>> {
        let py = object.py();
        if object.getattr("requires_grad").is_ok_and(|flag| flag.is_truthy().unwrap_or(false)) {
            return Err(refused(
                object,
                "it requires gradients, which a kernel does not record; use detach()",
            ));
        }
        let host = self.host(object, dtype)?;
        check_dtype(&host)?;
        if self.is_read_only {
            host.getattr("flags")?.setattr("writeable", false)?;
        }
        let span = span(&host)?;
        let resident = if span.is_empty() {
            Resident::new(span)
        } else {
            let parts = if dtype.getattr("kind")?.extract::<String>()? == "c" { 2 } else { 1 };
            let number = dtype.getattr("itemsize")?.extract::<u64>()? / parts;
            if number > 0 && !self.address.is_multiple_of(number) {
                return Err(refused(object, "its elements are not aligned"));
            }
            let first = Interface::of(&host)?.data as usize - span.start;
            let low = self.address.checked_sub(first as u64);
            let low = low.ok_or_else(|| refused(object, "its address is none of a GPU's memory"))?;
            // SAFETY: the owner keeps the memory, and is kept.
            let made = py.detach(|| unsafe { Resident::foreign(span, low, self.pending, Box::new(owner)) });
            made.map_err(|why| refused(object, &why))?
        };
        DeviceArray::new(py, host.unbind(), resident)
    }
}

/// The arrays of a call that live on a device.
#[derive(Default)]
pub struct OnDevice {
    arrays: CallArrays,
    /// What was passed, by parameters. The frame keeps these.
    objects: Vec<(usize, *mut PyObject)>,
    /// Results are made of parts for which this is no place.
    pub is_for_host: bool,
}

impl OnDevice {
    /// Adds an argument.
    pub fn add(&mut self, parameter: usize, array: &Py<DeviceArray>, writes: bool) -> Result<(), Refused> {
        let resident = &array.get().resident;
        if !resident.host().is_empty() {
            self.arrays.add(resident, writes)?;
        }
        self.objects.push((parameter, array.as_ptr()));
        Ok(())
    }

    pub fn object(&self, parameter: usize) -> Option<*mut PyObject> {
        self.objects.iter().find(|(place, _)| *place == parameter).map(|&(_, object)| object)
    }
}

impl DeviceArray {
    /// Whether it has a parameter's type.
    pub fn fits(&self, py: Python<'_>, param: &Param) -> PyResult<bool> {
        let array = Interface::of(self.host.bind(py))?;
        Ok(array.dtype == Some(param.dtype) && array.dims.len() == usize::from(param.rank))
    }

    pub fn host(&self) -> *mut PyObject {
        self.host.as_ptr()
    }

    /// The ndarray, whose bytes may not be there.
    pub fn host_array<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.host.bind(py)
    }
}

/// Runs a call with device arrays.
#[cold]
pub fn run(mut frame: Frame) -> Result<*mut PyObject, Failed> {
    let entry = frame.entry();
    let is_for_device = entry.guards & GUARD_DEVICE != 0;
    let arrays = &mut on_device(&mut frame).arrays;
    // SAFETY: the arguments are alive.
    let ready = apart(|| unsafe { if is_for_device { arrays.adopt() } else { arrays.to_host() } });
    let has_run = ready.is_ok();
    let result = ready.map_err(raise).and_then(|()| call::execute(&mut frame, entry.code));
    let went_well = result.is_ok();
    let arrays = &mut on_device(&mut frame).arrays;
    let ended = apart(|| arrays.end(has_run, went_well));
    match (result, ended) {
        (Ok(object), Err(why)) => {
            // SAFETY: a new object, under the GIL.
            unsafe { ffi::Py_DECREF(object) };
            Err(raise(why))
        }
        (result, _) => result,
    }
}

/// The kernel has returned: what Python runs from now on is no part of the call.
#[cold]
pub fn left(frame: &mut Frame) {
    on_device(frame).arrays.left();
}

fn on_device<'a>(frame: &'a mut Frame) -> &'a mut OnDevice {
    frame.on_device.as_mut().expect("a call with device arrays")
}

/// Without the GIL, since it may copy much.
fn apart<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    with_python(|py| py.detach(act))
}

fn raise(why: Lost) -> Failed {
    with_python(|_| lost(why).into())
}

/// Before results are made: those that share memory are of one array on the device.
pub fn begin_results(frame: &mut Frame, arrays: &[(DTypeCode, usize, *const u64)]) -> Result<(), Failed> {
    let mut spans: Vec<(u64, Range<usize>)> = Vec::new();
    for &(dtype, rank, word) in arrays {
        // SAFETY: an array's words.
        let words = unsafe { std::slice::from_raw_parts(word, 2 + 2 * rank) };
        let (dims, strides) = words[2..].split_at(rank);
        let Ok(Some(footprint)) = Footprint::new(words[0], dtype.size(), dims, strides) else { continue };
        let (owner, span) = (words[1], footprint.span());
        if owner == 0 || frame.parameter_of(owner as *mut Owner).is_some() {
            continue;
        }
        match spans.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, whole)) => *whole = whole.start.min(span.start)..whole.end.max(span.end),
            None => spans.push((owner, span)),
        }
    }
    let arrays = &mut on_device(frame).arrays;
    // SAFETY: results keep the memory.
    let make = || spans.iter().try_for_each(|(_, span)| unsafe { arrays.result(span) }.map(|_| ()));
    apart(make).map_err(raise)
}

/// Makes a device array of a result's ndarray, whose reference is taken over; null with an exception set on failure.
///
/// # Safety
/// A new ndarray, or null; under the GIL, in a call with device arrays.
pub unsafe fn result(frame: &mut Frame, array: *mut PyObject) -> *mut PyObject {
    if array.is_null() {
        return array;
    }
    let on_device = on_device(frame);
    let made = with_python(|py| -> Result<*mut PyObject, Failed> {
        // SAFETY: by the caller's promise.
        let array = unsafe { Bound::from_owned_ptr(py, array) };
        let span = span(&array)?;
        let resident = if span.is_empty() {
            Resident::new(span)
        } else {
            // SAFETY: the array keeps its memory.
            unsafe { on_device.arrays.result(&span) }.map_err(lost)?
        };
        if on_device.is_for_host {
            // SAFETY: as above.
            unsafe { on_device.arrays.fetch(&resident) }.map_err(lost)?;
            // Nobody is given the memory itself.
            return Ok(array.call_method0(intern!(py, "copy"))?.into_ptr());
        }
        Ok(DeviceArray::new(py, array.unbind(), resident)?.into_ptr())
    });
    made.unwrap_or(std::ptr::null_mut())
}
