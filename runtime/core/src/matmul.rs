//! `np.matmul`: matrices, vectors and stacks, for every element type.
//!
//! Floats and complex go to the `gemm` crate, or to [`shallow`] where few of them make an element, integers and bool to [`loops`]. A matrix that neither
//! can walk (misaligned, no unit stride) is packed first.
//!
//! Unsafe here: arrays that generated code passes; `out` is C-contiguous, aligned and apart.

mod loops;
mod shallow;
mod shapes;

use crate::array::{Array, offset_by};
use crate::errors::{Error, Raised, guard};
use crate::parallel;
use crate::pool;
use gemm::{Parallelism, c32, c64, gemm};
use loops::Ring;
use pydd_abi::{ArrayRef, Ctx, DTypeCode, Status};
use shapes::Plan;
use std::ops::Range;

/// Multiplications that take a while.
const LONG: i64 = 100_000;
/// Rows of the strips in which a matrix times its own transposed is computed up to the diagonal: what stands
/// above is the same.
const STRIP: usize = 48;

/// The table's `matmul`.
///
/// # Safety
/// Valid arrays of one dtype; `out` has the result's shape, is C-contiguous and overlaps nothing.
pub unsafe extern "C" fn matmul(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    b: *const ArrayRef,
    out: *const ArrayRef,
) -> Status {
    let mut raised = None;
    let body = || {
        // SAFETY: by the caller's promise.
        let (a, b, out) = unsafe { (Array::new(&*a), Array::new(&*b), Array::new(&*out)) };
        let plan = Plan::new(&a, &b)?;
        plan.check_out(&out)?;
        // SAFETY: shapes are checked, and all dtypes are the same by the caller's promise.
        raised = unsafe { dispatch(&mut *ctx, &plan, &out) };
        Ok(())
    };
    // SAFETY: `ctx` is this call's.
    let status = unsafe { guard(ctx, body) };
    match raised {
        Some(raised) => {
            // SAFETY: as above.
            raised.put(unsafe { &mut *ctx });
            1
        }
        None => status,
    }
}

/// Multiplies with the function for the dtype; an error of a parallel loop is returned.
///
/// # Safety
/// `out` has the plan's shape and its operands' dtype, is C-contiguous, and nothing else uses it.
unsafe fn dispatch(ctx: &mut Ctx, plan: &Plan, out: &Array) -> Option<Raised> {
    macro_rules! ring {
        ($t:ty) => {
            stack(ctx, plan, out, &|ctx, m| {
                // SAFETY: the dtype is this type's.
                unsafe { integers::<$t>(ctx, m) }
            })
        };
    }
    macro_rules! field {
        ($t:ty, $zero:expr, $one:expr) => {
            stack(ctx, plan, out, &|ctx, m| {
                // SAFETY: the dtype is this type's.
                unsafe { floats::<$t>(ctx, m, $zero, $one) }
            })
        };
    }
    let done = match out.dtype {
        DTypeCode::Bool => ring!(bool),
        DTypeCode::I8 => ring!(i8),
        DTypeCode::I16 => ring!(i16),
        DTypeCode::I32 => ring!(i32),
        DTypeCode::I64 => ring!(i64),
        DTypeCode::U8 => ring!(u8),
        DTypeCode::U16 => ring!(u16),
        DTypeCode::U32 => ring!(u32),
        DTypeCode::U64 => ring!(u64),
        DTypeCode::F32 => field!(f32, 0.0, 1.0),
        DTypeCode::F64 => field!(f64, 0.0, 1.0),
        DTypeCode::C64 => field!(c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0)),
        DTypeCode::C128 => field!(c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0)),
    };
    done.err()
}

/// One product of two matrices.
#[derive(Clone, Copy)]
pub(crate) struct Product<'a> {
    pub a: Array<'a>,
    pub b: Array<'a>,
    pub out: *mut u8,
}

/// Calls `each` for every matrix product of the stack.
fn stack(
    ctx: &mut Ctx,
    plan: &Plan,
    out: &Array,
    each: &dyn Fn(&mut Ctx, &Product) -> Result<(), Raised>,
) -> Result<(), Raised> {
    if plan.work() > LONG {
        crate::host::give_lock_away(ctx);
    }
    let item = out.dtype.size() as i64;
    let out_bytes = plan.rows * plan.columns * item;
    for i in 0..plan.stack_len() {
        let (a, b) = plan.operands(i);
        each(ctx, &Product { a, b, out: offset_by(out.data, i * out_bytes) })?;
    }
    Ok(())
}

/// A matrix that can be walked: a pointer, and strides in elements.
struct Matrix<T> {
    data: *const T,
    row: isize,
    column: isize,
    /// Keeps the copy alive, if one was made.
    _packed: Vec<T>,
}

impl<T: Copy> Matrix<T> {
    /// # Safety
    /// `a` has rank 2, and elements of type `T`.
    unsafe fn new(a: &Array) -> Self {
        let item = size_of::<T>() as i64;
        let walkable = |inner: usize, outer: usize| {
            (a.strides[inner] == item || a.dims[inner] <= 1) && (a.strides[outer] > 0 || a.dims[outer] <= 1)
        };
        if a.is_aligned::<T>() && (walkable(0, 1) || walkable(1, 0)) {
            let (row, column) = ((a.strides[0] / item) as isize, (a.strides[1] / item) as isize);
            return Self { data: a.data.cast(), row, column, _packed: Vec::new() };
        }
        // SAFETY: by the caller's promise.
        let packed = unsafe { a.pack::<T>() };
        Self { data: packed.as_ptr(), row: a.dims[1] as isize, column: 1, _packed: packed }
    }

    const fn strided(&self) -> shallow::Strided<T> {
        shallow::Strided { data: self.data, row: self.row, column: self.column }
    }

    /// Whether they are one matrix in memory, read by rows and by columns, given that they can be multiplied and
    /// that the product is square.
    fn is_transposed_of(&self, other: &Self) -> bool {
        self.data == other.data && self.row == other.column && self.column == other.row
    }
}

/// Copies what is below the diagonal of a matrix above it, by squares that stay in the cache.
///
/// # Safety
/// `matrix` has n rows of n elements.
unsafe fn mirror<T: Copy>(matrix: *mut T, n: usize) {
    const SQUARE: usize = 16;
    for rows in (0..n).step_by(SQUARE) {
        for columns in (0..=rows).step_by(SQUARE) {
            for i in rows..(rows + SQUARE).min(n) {
                for j in columns..(columns + SQUARE).min(i) {
                    // SAFETY: i and j are below n.
                    unsafe { matrix.add(j * n + i).write(matrix.add(i * n + j).read()) };
                }
            }
        }
    }
}

/// # Safety
/// Operands of rank 2 with elements of type `T`; `out` has room for the product, and nothing else uses it.
unsafe fn floats<T: shallow::Number + 'static>(
    ctx: &mut Ctx,
    p: &Product,
    zero: T,
    one: T,
) -> Result<(), Raised> {
    let (m, k, n) = (p.a.dims[0] as usize, p.a.dims[1] as usize, p.b.dims[1] as usize);
    // SAFETY: rank 2, elements of type `T`.
    let (a, b) = unsafe { (Matrix::<T>::new(&p.a), Matrix::<T>::new(&p.b)) };
    if shallow::suits(m, k, n) {
        // SAFETY: as above.
        let right = unsafe { b.strided().by_rows(k, n) };
        let (left, out) = (a.strided(), AssertSync(p.out.cast::<T>()));
        return parallel::for_each(ctx, m, k * n, |rows| {
            // SAFETY: `left` has m rows, `out` has m * n elements, and each row belongs to one chunk.
            unsafe {
                let out = std::slice::from_raw_parts_mut(out.get().add(rows.start * n), rows.len() * n);
                shallow::multiply(left.rows_from(rows.start), &right, out, n);
            }
            Ok::<(), Error>(())
        });
    }
    let out = p.out.cast::<T>();
    // Rows of the product, and so many of its columns.
    let part = |rows: Range<usize>, columns: usize, threads: Parallelism| {
        // SAFETY: the matrices have these shapes, `out` is C-contiguous, m by n.
        unsafe {
            gemm(
                rows.len(),
                columns,
                k,
                out.add(rows.start * n),
                1,
                n as isize,
                false,
                a.data.offset(rows.start as isize * a.row),
                a.column,
                a.row,
                b.data,
                b.column,
                b.row,
                zero,
                one,
                false,
                false,
                false,
                threads,
            );
        }
    };
    let run = |threads: Parallelism| {
        if m == n && m >= 2 * STRIP && a.is_transposed_of(&b) {
            (0..m).step_by(STRIP).for_each(|row| {
                let end = (row + STRIP).min(m);
                part(row..end, end, threads);
            });
            // SAFETY: as above, and m is n.
            unsafe { mirror(out, n) };
        } else {
            part(0..m, n, threads);
        }
    };
    let small = (m * n).saturating_mul(k) < (1 << 21);
    match if small || parallel::in_region() { None } else { pool::pool() } {
        None => run(Parallelism::None),
        Some(pool) => {
            let run = AssertSend(run);
            pool.rayon.install(|| run.call(Parallelism::Rayon(pool.threads)));
        }
    }
    Ok(())
}

/// Carries the matrices' pointers to the pool.
struct AssertSend<F>(F);

// SAFETY: the closure only reads inputs and writes an output that its caller lends it until the end.
unsafe impl<F> Send for AssertSend<F> {}
// SAFETY: as above.
unsafe impl<F> Sync for AssertSend<F> {}

impl<F: Fn(Parallelism)> AssertSend<F> {
    fn call(&self, threads: Parallelism) {
        (self.0)(threads);
    }
}

/// # Safety
/// As [`floats`].
unsafe fn integers<T: Ring>(ctx: &mut Ctx, p: &Product) -> Result<(), Raised> {
    let (m, k, n) = (p.a.dims[0] as usize, p.a.dims[1] as usize, p.b.dims[1] as usize);
    let (mut packed_a, mut packed_b) = (Vec::new(), Vec::new());
    // SAFETY: elements of type `T`, which nothing writes meanwhile.
    let (a, b) = unsafe { (p.a.elements::<T>(&mut packed_a), p.b.elements::<T>(&mut packed_b)) };
    if n == 0 {
        return Ok(());
    }
    let out = AssertSync(p.out.cast::<T>());
    parallel::for_each(ctx, m, (k * n).max(1), |rows| {
        // SAFETY: `out` has m * n elements, and each row belongs to one chunk.
        let c = unsafe { std::slice::from_raw_parts_mut(out.get().add(rows.start * n), rows.len() * n) };
        loops::multiply(&a[rows.start * k..rows.end * k], b, c, k, n);
        Ok::<(), Error>(())
    })
}

struct AssertSync<T>(*mut T);

// SAFETY: chunks write to parts of the memory that do not overlap.
unsafe impl<T> Sync for AssertSync<T> {}

impl<T> AssertSync<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

#[cfg(test)]
#[path = "matmul/tests.rs"]
mod tests;
