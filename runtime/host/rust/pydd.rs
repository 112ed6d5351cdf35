//! Arrays and errors of kernels: what the functions that `pyddc --host rust` makes have in common.
//!
//! A kernel reads a [`View`] and writes to a [`ViewMut`]: memory of the caller's, with any strides, without a copy. It returns an [`Array`], which
//! owns its memory. A result that is a part of an argument is copied, so that it borrows nothing.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::marker::PhantomData;

#[cfg(feature = "num-complex")]
pub use num_complex::Complex;

/// A complex number, which lies as `num_complex::Complex` does (the feature `num-complex` puts that in its place).
#[cfg(not(feature = "num-complex"))]
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Complex<F> {
    pub re: F,
    pub im: F,
}

/// An exception that a kernel raised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// As `pydd_kind` of `pydd.h` has it: 2 is an IndexError.
    pub kind: i32,
    /// The exception class, `IndexError`.
    pub name: String,
    pub message: String,
    /// Where in the source; empty and 0 where the error is not in a line of it.
    pub file: String,
    pub line: i32,
    pub column: i32,
    pub function: String,
    text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

#[repr(C)]
struct RawError {
    kind: i32,
    line: i32,
    column: i32,
    name: *const c_char,
    message: *const c_char,
    file: *const c_char,
    function: *const c_char,
    text: *const c_char,
}

#[allow(missing_docs)]
#[repr(C)]
pub struct Module {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn pydd_call(module: *const Module, function: u32, args: *const u64, results: *mut u64) -> i32;
    fn pydd_last_error() -> *const RawError;
    fn pydd_release(owner: *mut c_void);
    fn pydd_num_threads() -> i32;
    fn pydd_set_num_threads(n: i32);
}

/// The number of threads that parallel loops use, the calling one included.
pub fn num_threads() -> usize {
    // SAFETY: takes nothing.
    unsafe { pydd_num_threads() as usize }
}

/// Sets the number of threads that parallel loops use; at least 1.
pub fn set_num_threads(n: usize) {
    // SAFETY: any number is right.
    unsafe { pydd_set_num_threads(i32::try_from(n).unwrap_or(i32::MAX)) }
}

fn last_error() -> Error {
    // SAFETY: a call has just failed on this thread, so there is an error, whose strings live until the next one.
    unsafe {
        let error = &*pydd_last_error();
        let text = |at| CStr::from_ptr(at).to_string_lossy().into_owned();
        Error {
            kind: error.kind,
            name: text(error.name),
            message: text(error.message),
            file: text(error.file),
            line: error.line,
            column: error.column,
            function: text(error.function),
            text: text(error.text),
        }
    }
}

/// Elements of arrays.
///
/// # Safety
/// The type lies as the element type of the kernels' that it stands for.
pub unsafe trait Element: Copy + 'static {}

macro_rules! elements {
    ($($ty:ty)*) => { $(
        // SAFETY: a number of the machine's.
        unsafe impl Element for $ty {}
    )* };
}
elements!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex<f32> Complex<f64>);

fn row_major<const R: usize>(shape: [usize; R]) -> [isize; R] {
    let mut strides = [1; R];
    let mut step = 1;
    for axis in (0..R).rev() {
        strides[axis] = step;
        step *= shape[axis].max(1) as isize;
    }
    strides
}

/// Whether a slice has as many elements as the shape says.
fn check_shape<const R: usize>(len: usize, shape: [usize; R]) {
    let wanted = shape.iter().try_fold(1usize, |all, &dim| all.checked_mul(dim));
    assert_eq!(wanted, Some(len), "{len} elements for the shape {shape:?}");
}

/// An array that a kernel reads. Strides count elements.
#[derive(Clone, Copy)]
pub struct View<'a, T, const R: usize> {
    data: *const T,
    shape: [usize; R],
    strides: [isize; R],
    life: PhantomData<&'a [T]>,
}

/// An array that a kernel writes to. Strides count elements.
pub struct ViewMut<'a, T, const R: usize> {
    data: *mut T,
    shape: [usize; R],
    strides: [isize; R],
    life: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element, const R: usize> View<'a, T, R> {
    /// Elements in rows.
    ///
    /// # Panics
    /// Where there are not as many elements as the shape says.
    pub fn new(elements: &'a [T], shape: [usize; R]) -> Self {
        check_shape(elements.len(), shape);
        Self { data: elements.as_ptr(), shape, strides: row_major(shape), life: PhantomData }
    }

    /// Elements at any distances, which count elements.
    ///
    /// # Safety
    /// They are alive, and nobody writes to them, as long as the view lives.
    pub unsafe fn from_raw(data: *const T, shape: [usize; R], strides: [isize; R]) -> Self {
        Self { data, shape, strides, life: PhantomData }
    }
}

impl<'a, T: Element, const R: usize> ViewMut<'a, T, R> {
    /// Elements in rows.
    ///
    /// # Panics
    /// Where there are not as many elements as the shape says.
    pub fn new(elements: &'a mut [T], shape: [usize; R]) -> Self {
        check_shape(elements.len(), shape);
        Self { data: elements.as_mut_ptr(), shape, strides: row_major(shape), life: PhantomData }
    }

    /// Elements at any distances, which count elements.
    ///
    /// # Safety
    /// They are alive, and nobody else reads or writes them, as long as the view lives.
    pub unsafe fn from_raw(data: *mut T, shape: [usize; R], strides: [isize; R]) -> Self {
        Self { data, shape, strides, life: PhantomData }
    }
}

impl<'a, T: Element> From<&'a [T]> for View<'a, T, 1> {
    fn from(elements: &'a [T]) -> Self {
        Self::new(elements, [elements.len()])
    }
}

impl<'a, T: Element> From<&'a Vec<T>> for View<'a, T, 1> {
    fn from(elements: &'a Vec<T>) -> Self {
        Self::new(elements, [elements.len()])
    }
}

impl<'a, T: Element, const N: usize> From<&'a [T; N]> for View<'a, T, 1> {
    fn from(elements: &'a [T; N]) -> Self {
        Self::new(elements, [N])
    }
}

impl<'a, T: Element> From<&'a mut [T]> for ViewMut<'a, T, 1> {
    fn from(elements: &'a mut [T]) -> Self {
        let shape = [elements.len()];
        Self::new(elements, shape)
    }
}

impl<'a, T: Element> From<&'a mut Vec<T>> for ViewMut<'a, T, 1> {
    fn from(elements: &'a mut Vec<T>) -> Self {
        let shape = [elements.len()];
        Self::new(elements, shape)
    }
}

impl<'a, T: Element, const R: usize> From<&'a Array<T, R>> for View<'a, T, R> {
    fn from(array: &'a Array<T, R>) -> Self {
        array.view()
    }
}

/// What keeps the memory of a result.
enum Memory<T> {
    /// The runtime's, until it is given back.
    Owner(*mut c_void),
    /// A copy.
    Copied(#[allow(dead_code)] Vec<T>),
}

/// An array that a kernel returned.
pub struct Array<T, const R: usize> {
    data: *const T,
    shape: [usize; R],
    strides: [isize; R],
    memory: Memory<T>,
}

// SAFETY: memory of its own, which is only read through a shared reference; counts of the runtime are atomic.
unsafe impl<T: Send, const R: usize> Send for Array<T, R> {}
// SAFETY: as above.
unsafe impl<T: Sync, const R: usize> Sync for Array<T, R> {}

impl<T, const R: usize> Drop for Array<T, R> {
    fn drop(&mut self) {
        if let Memory::Owner(owner) = self.memory {
            // SAFETY: the one count that came with the result.
            unsafe { pydd_release(owner) };
        }
    }
}

impl<T: Element, const R: usize> Array<T, R> {
    pub fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// Distances of elements, in elements.
    pub fn strides(&self) -> [isize; R] {
        self.strides
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn view(&self) -> View<'_, T, R> {
        View { data: self.data, shape: self.shape, strides: self.strides, life: PhantomData }
    }

    /// The element at these indices, if it is within the shape.
    pub fn get(&self, at: [usize; R]) -> Option<T> {
        if at.iter().zip(&self.shape).any(|(index, dim)| index >= dim) {
            return None;
        }
        let offset: isize = at.iter().zip(&self.strides).map(|(&index, stride)| index as isize * stride).sum();
        // SAFETY: an element of the array.
        Some(unsafe { *self.data.offset(offset) })
    }

    /// All elements, if they lie in rows one behind the other.
    pub fn as_slice(&self) -> Option<&[T]> {
        if self.is_empty() {
            return Some(&[]);
        }
        let usual = row_major(self.shape);
        let adjoins = |axis: usize| self.shape[axis] == 1 || self.strides[axis] == usual[axis];
        // SAFETY: that many elements, alive as long as the array.
        (0..R).all(adjoins).then(|| unsafe { std::slice::from_raw_parts(self.data, self.len()) })
    }

    /// A copy of the elements, row by row.
    pub fn to_vec(&self) -> Vec<T> {
        let mut out = Vec::with_capacity(self.len());
        let mut at = [0; R];
        while let Some(element) = self.get(at) {
            out.push(element);
            // The next one in rows.
            let Some(axis) = (0..R).rev().find(|&axis| at[axis] + 1 < self.shape[axis]) else { break };
            at[axis] += 1;
            at[axis + 1..].fill(0);
        }
        out
    }
}

impl<T: Element, const R: usize> std::ops::Index<[usize; R]> for Array<T, R> {
    type Output = T;

    fn index(&self, at: [usize; R]) -> &T {
        let inside = at.iter().zip(&self.shape).all(|(index, dim)| index < dim);
        assert!(inside, "the index {at:?} is out of bounds for the shape {:?}", self.shape);
        let offset: isize = at.iter().zip(&self.strides).map(|(&index, stride)| index as isize * stride).sum();
        // SAFETY: an element of the array, alive as long as that.
        unsafe { &*self.data.offset(offset) }
    }
}

impl<T: Element> std::ops::Index<usize> for Array<T, 1> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self[[at]]
    }
}

impl<T: Element + fmt::Debug, const R: usize> fmt::Debug for Array<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("shape", &self.shape).field("elements", &self.to_vec()).finish()
    }
}

/// A sparse matrix in compressed rows that a kernel reads: `indptr` has a place for each row and one more.
#[derive(Clone, Copy)]
pub struct CsrView<'a, T, I> {
    pub indptr: View<'a, I, 1>,
    pub indices: View<'a, I, 1>,
    pub data: View<'a, T, 1>,
    pub rows: i64,
    pub columns: i64,
}

/// A sparse matrix in compressed rows whose values a kernel writes to.
pub struct CsrViewMut<'a, T, I> {
    pub indptr: View<'a, I, 1>,
    pub indices: View<'a, I, 1>,
    pub data: ViewMut<'a, T, 1>,
    pub rows: i64,
    pub columns: i64,
}

/// A sparse matrix that a kernel returned: in compressed rows, or columns where the function says so.
pub struct Sparse<T, I> {
    pub indptr: Array<I, 1>,
    pub indices: Array<I, 1>,
    pub data: Array<T, 1>,
    pub rows: i64,
    pub columns: i64,
}

/// Values that become words.
#[doc(hidden)]
pub trait Put {
    fn put(self, words: &mut Vec<u64>);
}

/// Values that words become.
#[doc(hidden)]
pub trait Take: Sized {
    const WORDS: usize;
    fn take(words: &mut std::slice::Iter<'_, u64>) -> Self;
}

fn next(words: &mut std::slice::Iter<'_, u64>) -> u64 {
    words.next().copied().expect("as many words as the type has")
}

macro_rules! numbers {
    ($($ty:ty, |$value:ident| $put:expr, |$word:ident| $take:expr;)*) => { $(
        impl Put for $ty {
            fn put(self, words: &mut Vec<u64>) {
                let $value = self;
                words.push($put);
            }
        }
        impl Take for $ty {
            const WORDS: usize = 1;
            fn take(words: &mut std::slice::Iter<'_, u64>) -> Self {
                let $word = next(words);
                $take
            }
        }
    )* };
}
numbers! {
    bool, |v| u64::from(v), |w| w & 1 != 0;
    i8, |v| v as i64 as u64, |w| w as i8;
    i16, |v| v as i64 as u64, |w| w as i16;
    i32, |v| v as i64 as u64, |w| w as i32;
    i64, |v| v as u64, |w| w as i64;
    u8, |v| u64::from(v), |w| w as u8;
    u16, |v| u64::from(v), |w| w as u16;
    u32, |v| u64::from(v), |w| w as u32;
    u64, |v| v, |w| w;
    f32, |v| u64::from(v.to_bits()), |w| f32::from_bits(w as u32);
    f64, |v| v.to_bits(), |w| f64::from_bits(w);
}

impl<F: Put> Put for Complex<F> {
    fn put(self, words: &mut Vec<u64>) {
        self.re.put(words);
        self.im.put(words);
    }
}

impl<F: Take> Take for Complex<F> {
    const WORDS: usize = 2 * F::WORDS;
    fn take(words: &mut std::slice::Iter<'_, u64>) -> Self {
        let (re, im) = (F::take(words), F::take(words));
        Self { re, im }
    }
}

fn put_array<const R: usize>(data: u64, shape: [usize; R], strides: [isize; R], words: &mut Vec<u64>) {
    // Without an owner: a result that is a part of it comes without one as well.
    words.extend([data, 0]);
    words.extend(shape.map(|dim| dim as u64));
    words.extend(strides.map(|stride| stride as u64));
}

impl<T, const R: usize> Put for View<'_, T, R> {
    fn put(self, words: &mut Vec<u64>) {
        put_array(self.data as u64, self.shape, self.strides, words);
    }
}

impl<T, const R: usize> Put for ViewMut<'_, T, R> {
    fn put(self, words: &mut Vec<u64>) {
        put_array(self.data as u64, self.shape, self.strides, words);
    }
}

impl<T: Element, const R: usize> Take for Array<T, R> {
    const WORDS: usize = 2 + 2 * R;
    fn take(words: &mut std::slice::Iter<'_, u64>) -> Self {
        let (data, owner) = (next(words) as *const T, next(words) as *mut c_void);
        let shape = [(); R].map(|()| next(words) as usize);
        let strides = [(); R].map(|()| next(words) as isize);
        let memory = Memory::Owner(owner);
        let array = Self { data, shape, strides, memory };
        if !owner.is_null() {
            return array;
        }
        let copy = array.to_vec();
        Self { data: copy.as_ptr(), shape, strides: row_major(shape), memory: Memory::Copied(copy) }
    }
}

impl<T, I> Put for CsrView<'_, T, I> {
    fn put(self, words: &mut Vec<u64>) {
        self.indptr.put(words);
        self.indices.put(words);
        self.data.put(words);
        self.rows.put(words);
        self.columns.put(words);
    }
}

impl<T, I> Put for CsrViewMut<'_, T, I> {
    fn put(self, words: &mut Vec<u64>) {
        self.indptr.put(words);
        self.indices.put(words);
        self.data.put(words);
        self.rows.put(words);
        self.columns.put(words);
    }
}

impl<T: Element, I: Element> Take for Sparse<T, I> {
    const WORDS: usize = 3 * 4 + 2;
    fn take(words: &mut std::slice::Iter<'_, u64>) -> Self {
        let (indptr, indices, data) = (Array::take(words), Array::take(words), Array::take(words));
        let (rows, columns) = (i64::take(words), i64::take(words));
        Self { indptr, indices, data, rows, columns }
    }
}

impl<T: Take> Take for Option<T> {
    const WORDS: usize = 1 + T::WORDS;
    fn take(words: &mut std::slice::Iter<'_, u64>) -> Self {
        let there = bool::take(words);
        if there {
            return Some(T::take(words));
        }
        words.by_ref().take(T::WORDS).for_each(drop);
        None
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => { $(
        impl<$($name: Put),*> Put for ($($name,)*) {
            #[allow(non_snake_case, unused_variables)]
            fn put(self, words: &mut Vec<u64>) {
                let ($($name,)*) = self;
                $($name.put(words);)*
            }
        }
        impl<$($name: Take),*> Take for ($($name,)*) {
            const WORDS: usize = 0 $(+ $name::WORDS)*;
            #[allow(unused_variables, clippy::unused_unit)]
            fn take(words: &mut std::slice::Iter<'_, u64>) -> Self {
                ($($name::take(words),)*)
            }
        }
    )* };
}
tuples! {
    () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

/// Calls a function of a module.
///
/// # Safety
/// The module has a function at this place whose arguments and result are of these types.
#[doc(hidden)]
pub unsafe fn call<R: Take>(module: *const Module, function: u32, args: impl Put) -> Result<R, Error> {
    let mut words = Vec::new();
    args.put(&mut words);
    let mut results = vec![0; R::WORDS];
    // SAFETY: by the caller's promise.
    if unsafe { pydd_call(module, function, words.as_ptr(), results.as_mut_ptr()) } != 0 {
        return Err(last_error());
    }
    Ok(R::take(&mut results.iter()))
}

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use super::{Array, Element, View, ViewMut};
    use ndarray::{ArrayBase, ArrayView, ArrayViewMut, Axis, Data, DataMut, ShapeBuilder};

    macro_rules! ranks {
        ($($rank:literal $dim:ident)*) => { $(
            impl<'a, T: Element> From<ArrayView<'a, T, ndarray::$dim>> for View<'a, T, $rank> {
                fn from(array: ArrayView<'a, T, ndarray::$dim>) -> Self {
                    let (mut shape, mut strides) = ([0; $rank], [0; $rank]);
                    shape.copy_from_slice(array.shape());
                    strides.copy_from_slice(array.strides());
                    // SAFETY: ndarray's own elements, borrowed for 'a.
                    unsafe { Self::from_raw(array.as_ptr(), shape, strides) }
                }
            }

            impl<'a, T: Element> From<ArrayViewMut<'a, T, ndarray::$dim>> for ViewMut<'a, T, $rank> {
                fn from(mut array: ArrayViewMut<'a, T, ndarray::$dim>) -> Self {
                    let (mut shape, mut strides) = ([0; $rank], [0; $rank]);
                    shape.copy_from_slice(array.shape());
                    strides.copy_from_slice(array.strides());
                    // SAFETY: ndarray's own elements, borrowed for 'a and by nobody else.
                    unsafe { Self::from_raw(array.as_mut_ptr(), shape, strides) }
                }
            }

            impl<'a, T: Element, S: Data<Elem = T>> From<&'a ArrayBase<S, ndarray::$dim>> for View<'a, T, $rank> {
                fn from(array: &'a ArrayBase<S, ndarray::$dim>) -> Self {
                    array.view().into()
                }
            }

            impl<'a, T: Element, S: DataMut<Elem = T>> From<&'a mut ArrayBase<S, ndarray::$dim>> for ViewMut<'a, T, $rank> {
                fn from(array: &'a mut ArrayBase<S, ndarray::$dim>) -> Self {
                    array.view_mut().into()
                }
            }

            impl<T: Element> Array<T, $rank> {
                /// The same elements as an array of ndarray.
                pub fn ndarray(&self) -> ArrayView<'_, T, ndarray::$dim> {
                    let mut first = self.data;
                    let back = |axis: usize| self.strides[axis] < 0 && self.shape[axis] > 0;
                    for axis in (0..$rank).filter(|&axis| back(axis)) {
                        // SAFETY: the last element of the axis, which lies first.
                        first = unsafe { first.offset((self.shape[axis] as isize - 1) * self.strides[axis]) };
                    }
                    let strides: [usize; $rank] = self.strides.map(isize::unsigned_abs);
                    if self.is_empty() {
                        first = std::ptr::NonNull::dangling().as_ptr();
                    }
                    // SAFETY: the elements are alive as long as the array, which nobody writes to.
                    let mut view = unsafe { ArrayView::from_shape_ptr(self.shape.strides(strides), first) };
                    for axis in (0..$rank).filter(|&axis| back(axis)) {
                        view.invert_axis(Axis(axis));
                    }
                    view
                }
            }
        )* };
    }
    ranks!(1 Ix1 2 Ix2 3 Ix3 4 Ix4 5 Ix5 6 Ix6);
}
