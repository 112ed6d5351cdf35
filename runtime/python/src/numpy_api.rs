//! What is known of NumPy: its types, its descriptors, and where an ndarray keeps its fields.
//!
//! Unsafe here: the fields are read at the offsets of NumPy's headers, which `init` compares with
//! what `__array_struct__` (the stable array interface) says of several real arrays. If they differ,
//! every array goes through `__array_struct__`. The buffer protocol would serve as well, but is not
//! in the stable ABI before Python 3.11.

use numpy::npyffi::{self, NpyTypes, PY_ARRAY_API, PyArray_Descr, PyArrayObject};
use pydd_abi::DTypeCode;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

pub const C_CONTIGUOUS: c_int = 0x1;
pub const F_CONTIGUOUS: c_int = 0x2;
pub const ALIGNED: c_int = 0x100;
pub const NOT_SWAPPED: c_int = 0x200;
pub const WRITEABLE: c_int = 0x400;

/// Borrowed for ever from NumPy.
pub struct Numpy {
    pub array_type: *mut PyTypeObject,
    /// `np.generic`, the base of the scalar types.
    pub generic: *mut PyTypeObject,
    /// `np.bool_`.
    pub bool_: *mut PyTypeObject,
    /// `np.integer`.
    pub integer: *mut PyTypeObject,
    /// The built-in descriptor of each [`DTypeCode`].
    descrs: [*mut PyArray_Descr; DTypeCode::ALL.len()],
    /// `ndarray.__array_struct__`'s getter.
    get_struct: *mut PyObject,
}

static NUMPY: AtomicPtr<Numpy> = AtomicPtr::new(ptr::null_mut());
static FIELDS_WORK: AtomicBool = AtomicBool::new(false);
static USE_FIELDS: AtomicBool = AtomicBool::new(false);

/// What `init` found; only after it.
#[inline(always)]
pub fn get() -> &'static Numpy {
    // SAFETY: set by `init`, without which nothing else of this extension runs; never freed.
    unsafe { &*NUMPY.load(Ordering::Relaxed) }
}

impl Numpy {
    #[inline(always)]
    pub fn descr(&self, dtype: DTypeCode) -> *mut PyArray_Descr {
        self.descrs[dtype as usize]
    }

    /// The type of one of NumPy's own descriptors.
    pub fn dtype(&self, descr: *mut PyArray_Descr) -> Option<DTypeCode> {
        self.descrs.iter().position(|&own| own == descr).map(|at| DTypeCode::ALL[at])
    }
}

/// Whether the ndarray's fields may be read directly.
#[inline(always)]
pub fn fields() -> bool {
    USE_FIELDS.load(Ordering::Relaxed)
}

pub fn use_fields(on: bool) -> bool {
    let use_them = on && FIELDS_WORK.load(Ordering::Relaxed);
    USE_FIELDS.store(use_them, Ordering::Relaxed);
    use_them
}

pub fn init(py: Python<'_>) -> PyResult<()> {
    let np = py.import("numpy")?;
    let forever = |name: &str| -> PyResult<*mut PyObject> { Ok(np.getattr(name)?.into_ptr()) };
    let ndarray = np.getattr("ndarray")?;
    let get_struct = ndarray.getattr("__dict__")?.get_item("__array_struct__")?.getattr("__get__")?;
    // SAFETY: NumPy's C API, under the GIL; the references are kept for ever.
    let numpy = unsafe {
        Numpy {
            array_type: array_type(py),
            generic: forever("generic")?.cast(),
            bool_: forever("bool_")?.cast(),
            integer: forever("integer")?.cast(),
            descrs: DTypeCode::ALL.map(|d| PY_ARRAY_API.PyArray_DescrFromType(py, d.numpy_type_num())),
            get_struct: get_struct.into_ptr(),
        }
    };
    NUMPY.store(Box::into_raw(Box::new(numpy)), Ordering::Relaxed);
    FIELDS_WORK.store(self_test(py, &np).unwrap_or(false), Ordering::Relaxed);
    use_fields(true);
    Ok(())
}

/// Compares the fields of arrays of all kinds with what the array interface says of them.
fn self_test(py: Python<'_>, np: &Bound<'_, PyModule>) -> PyResult<bool> {
    let size: usize = np.getattr("ndarray")?.getattr("__basicsize__")?.extract()?;
    if size < size_of::<PyArrayObject>() {
        return Ok(false);
    }
    let samples = [
        "zeros((2, 3))",
        "zeros((5,), 'i2')[::2]",
        "zeros((4, 5), 'f4').T",
        "zeros((3, 4, 2), 'c16')[:, ::-1, :1]",
        "zeros(())",
        "zeros((0, 3), '?')",
        "frombuffer(b'abcdefgh', 'u1')",
        "zeros(9, 'u1')[1:].view('i8')",
        "broadcast_to(zeros(3, 'u4'), (2, 3))",
    ];
    for sample in samples {
        let code = std::ffi::CString::new(sample)?;
        let array = py.eval(&code, Some(&np.dict()), None)?;
        let dtype: i32 = array.getattr("dtype")?.getattr("num")?.extract()?;
        if !agrees(&array, dtype) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn agrees(array: &Bound<'_, PyAny>, type_num: i32) -> bool {
    let object = array.as_ptr();
    let Ok(told) = Interface::of(array) else { return false };
    // SAFETY: the object is at least as large as the struct, and none of these fields is
    // dereferenced before `nd` and the flags were found right.
    unsafe {
        let a = &(*object.cast::<PyArrayObject>()).fields;
        let flags = C_CONTIGUOUS | ALIGNED | WRITEABLE;
        if a.data.cast::<u8>() != told.data
            || usize::try_from(a.nd) != Ok(told.dims.len())
            || a.flags & flags != told.flags & flags
        {
            return false;
        }
        let same = |p: *mut isize, list: &[i64]| list.iter().enumerate().all(|(i, &x)| *p.add(i) as i64 == x);
        let known = DTypeCode::ALL.into_iter().find(|d| d.numpy_type_num() == type_num);
        same(a.dimensions, &told.dims)
            && same(a.strides, &told.strides)
            && known.is_some_and(|d| a.descr == get().descr(d) && told.dtype == Some(d))
    }
}

/// An array as the array interface describes it.
pub struct Interface {
    pub data: *mut u8,
    pub dims: Vec<i64>,
    pub strides: Vec<i64>,
    pub flags: c_int,
    /// `None` for a type that kernels do not have.
    pub dtype: Option<DTypeCode>,
}

/// The C struct of the array interface, version 2.
#[repr(C)]
struct ArrayStruct {
    two: c_int,
    nd: c_int,
    typekind: c_char,
    itemsize: c_int,
    flags: c_int,
    shape: *const isize,
    strides: *const isize,
    data: *mut c_void,
    descr: *mut PyObject,
}

impl Interface {
    /// Of an ndarray, or of an instance of a subclass (whatever that makes of the attribute).
    pub fn of(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = array.py();
        // SAFETY: a reference kept for ever.
        let getter = unsafe { Bound::from_borrowed_ptr(py, get().get_struct) };
        let capsule = getter.call1((array,))?;
        // SAFETY: NumPy's capsule has no name and holds an `ArrayStruct` while it lives.
        unsafe {
            let s = ffi::PyCapsule_GetPointer(capsule.as_ptr(), ptr::null()).cast::<ArrayStruct>();
            if s.is_null() {
                return Err(PyErr::fetch(py));
            }
            let s = &*s;
            let list = |p: *const isize| (0..s.nd as usize).map(|i| *p.add(i) as i64).collect();
            Ok(Self {
                data: s.data.cast(),
                dims: list(s.shape),
                strides: list(s.strides),
                flags: s.flags,
                dtype: dtype_of(s.typekind as u8, s.itemsize),
            })
        }
    }
}

fn dtype_of(kind: u8, size: c_int) -> Option<DTypeCode> {
    Some(match (kind, size) {
        (b'b', 1) => DTypeCode::Bool,
        (b'i', 1) => DTypeCode::I8,
        (b'i', 2) => DTypeCode::I16,
        (b'i', 4) => DTypeCode::I32,
        (b'i', 8) => DTypeCode::I64,
        (b'u', 1) => DTypeCode::U8,
        (b'u', 2) => DTypeCode::U16,
        (b'u', 4) => DTypeCode::U32,
        (b'u', 8) => DTypeCode::U64,
        (b'f', 4) => DTypeCode::F32,
        (b'f', 8) => DTypeCode::F64,
        (b'c', 8) => DTypeCode::C64,
        (b'c', 16) => DTypeCode::C128,
        _ => return None,
    })
}

/// NumPy's name of a type: `float64`.
pub fn dtype_name(dtype: DTypeCode) -> &'static str {
    match dtype {
        DTypeCode::Bool => "bool",
        DTypeCode::I8 => "int8",
        DTypeCode::I16 => "int16",
        DTypeCode::I32 => "int32",
        DTypeCode::I64 => "int64",
        DTypeCode::U8 => "uint8",
        DTypeCode::U16 => "uint16",
        DTypeCode::U32 => "uint32",
        DTypeCode::U64 => "uint64",
        DTypeCode::F32 => "float32",
        DTypeCode::F64 => "float64",
        DTypeCode::C64 => "complex64",
        DTypeCode::C128 => "complex128",
    }
}

/// The type object of ndarray.
fn array_type(py: Python<'_>) -> *mut PyTypeObject {
    // SAFETY: NumPy's C API, under the GIL.
    unsafe { npyffi::get_type_object(py, NpyTypes::PyArray_Type) }
}
