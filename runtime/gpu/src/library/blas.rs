//! Matrix products by cuBLAS.
//!
//! cuBLAS has matrices by columns, and ours are by rows: the transposed product is that of the transposed factors the other way round, so nothing is copied. A factor may
//! lie either way. Products of a stack are batches.
//!
//! Unsafe here: cuBLAS's functions, with their types as its documentation has them.

use super::find::{first, function};
use super::strides::{Stack, in_elements};
use super::turn::Turn;
use super::{Call, Plan, Refusal};
use crate::device::{Device, lock};
use crate::driver::Stream;
use libloading::os::unix::Library;
use pydd_abi::DTypeCode;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::{c_int, c_longlong, c_void};
use std::ptr::from_ref;
use std::sync::Mutex;

const NAMES: [&str; 3] = ["libcublas.so.13", "libcublas.so.12", "libcublas.so.11"];

type Handle = *mut c_void;
type Status = c_int;
/// `cublasOperation_t`.
type Operation = c_int;
const AS_IS: Operation = 0;
const TRANSPOSED: Operation = 1;

/// `CUBLAS_STATUS_ALLOC_FAILED`.
const NO_MEMORY: Status = 3;

type Gemm = unsafe extern "C" fn(
    Handle,
    Operation,
    Operation,
    c_int,
    c_int,
    c_int,
    *const c_void,
    u64,
    c_int,
    u64,
    c_int,
    *const c_void,
    u64,
    c_int,
) -> Status;
type GemmBatched = unsafe extern "C" fn(
    Handle,
    Operation,
    Operation,
    c_int,
    c_int,
    c_int,
    *const c_void,
    u64,
    c_int,
    c_longlong,
    u64,
    c_int,
    c_longlong,
    *const c_void,
    u64,
    c_int,
    c_longlong,
    c_int,
) -> Status;
type Scal = unsafe extern "C" fn(Handle, c_int, *const c_void, u64, c_int) -> Status;

/// Its functions. Those of an element type are in the order of [`letter`].
#[derive(Clone, Copy)]
struct Functions {
    create: unsafe extern "C" fn(*mut Handle) -> Status,
    set_stream: unsafe extern "C" fn(Handle, Stream) -> Status,
    gemm: [Gemm; 4],
    gemm_batched: [GemmBatched; 4],
    /// Of float32 and float64.
    scal: [Scal; 2],
}

const LETTERS: [char; 4] = ['S', 'D', 'C', 'Z'];

const fn letter(dtype: DTypeCode) -> Option<usize> {
    match dtype {
        DTypeCode::F32 => Some(0),
        DTypeCode::F64 => Some(1),
        DTypeCode::C64 => Some(2),
        DTypeCode::C128 => Some(3),
        _ => None,
    }
}

impl Functions {
    fn of(library: &Library) -> Result<Self, String> {
        // SAFETY: its documentation says that they are of these types.
        unsafe {
            let gemm = |i: usize| function::<Gemm>(library, &format!("cublas{}gemm_v2", LETTERS[i]));
            let batched = |i: usize| {
                function::<GemmBatched>(library, &format!("cublas{}gemmStridedBatched", LETTERS[i]))
            };
            let scal = |i: usize| function::<Scal>(library, &format!("cublas{}scal_v2", LETTERS[i]));
            Ok(Self {
                create: function(library, "cublasCreate_v2")?,
                set_stream: function(library, "cublasSetStream_v2")?,
                gemm: [gemm(0)?, gemm(1)?, gemm(2)?, gemm(3)?],
                gemm_batched: [batched(0)?, batched(1)?, batched(2)?, batched(3)?],
                scal: [scal(0)?, scal(1)?],
            })
        }
    }

    /// A handle for the current context's device.
    fn handle(&self) -> Result<Shared, Refusal> {
        let mut handle: Handle = std::ptr::null_mut();
        // SAFETY: room for a handle.
        check("cublasCreate", unsafe { (self.create)(&raw mut handle) })?;
        Ok(Shared { handle, turn: Turn::new()? })
    }
}

/// A handle, which is used under a lock.
struct Shared {
    handle: Handle,
    turn: Turn,
}
// SAFETY: any thread may use it, one at a time.
unsafe impl Send for Shared {}

fn check(what: &str, status: Status) -> Result<(), Refusal> {
    super::check(what, status, NO_MEMORY)
}

/// cuBLAS, or why there is none; and a handle for each device.
struct State {
    functions: Option<Result<Functions, String>>,
    handles: BTreeMap<usize, Shared>,
}

static STATE: Mutex<State> = Mutex::new(State { functions: None, handles: BTreeMap::new() });

/// Gives a stream something to do with the device's handle: behind what other streams were given, as all have one workspace.
fn with_handle(
    device: &Device,
    stream: Stream,
    act: impl FnOnce(&Functions, Handle) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut state = lock(&STATE);
    let State { functions, handles } = &mut *state;
    let found = functions.get_or_insert_with(|| {
        let works = |library: &Library| {
            let functions = Functions::of(library)?;
            // A library that is too new for the driver has functions, and none of them works.
            match functions.handle() {
                Ok(handle) => Ok((functions, Some(handle))),
                Err(Refusal::NoMemory) => Ok((functions, None)),
                Err(Refusal::Missing(why) | Refusal::Refused(why)) => Err(why),
            }
        };
        let (functions, handle) = first("cuBLAS", &NAMES, works)?;
        handles.extend(handle.map(|handle| (device.index, handle)));
        Ok(functions)
    });
    let functions = found.clone().map_err(Refusal::Missing)?;
    let Shared { handle, turn } = match handles.entry(device.index) {
        Entry::Occupied(held) => held.into_mut(),
        Entry::Vacant(place) => place.insert(functions.handle()?),
    };
    turn.take(stream, || {
        // SAFETY: a handle of this device's, in its context, and a stream that lives.
        check("cublasSetStream", unsafe { (functions.set_stream)(*handle, stream) })?;
        act(&functions, *handle)
    })
}

/// A factor as cuBLAS sees it: by columns, the transposed one of ours.
#[derive(Clone, Copy)]
struct Factor {
    operation: Operation,
    /// Elements from one column to the next.
    leading: c_int,
}

impl Factor {
    /// A matrix of ours, with strides in elements.
    fn new([rows, columns]: [i64; 2], [row, column]: [i64; 2]) -> Result<Self, &'static str> {
        let leading = |between: i64, length: i64, count: i64| {
            let between = if count == 1 { length } else { between };
            c_int::try_from(between).ok().filter(|_| between >= length)
        };
        if (columns == 1 || column == 1)
            && let Some(leading) = leading(row, columns, rows)
        {
            return Ok(Self { operation: AS_IS, leading });
        }
        if (rows == 1 || row == 1)
            && let Some(leading) = leading(column, rows, columns)
        {
            return Ok(Self { operation: TRANSPOSED, leading });
        }
        Err("a matrix lies as no library takes it")
    }
}

/// Products of a stack of matrices, n × k by k × m.
pub struct Products {
    letter: usize,
    item: i64,
    n: c_int,
    m: c_int,
    k: c_int,
    a: Factor,
    b: Factor,
    /// Of `a`, `b` and the result.
    stack: Stack<3>,
    batch: c_int,
}

impl Products {
    /// # Errors
    /// cuBLAS has no function for these arrays.
    pub fn new(call: &Call) -> Result<Self, &'static str> {
        let &[a, b] = call.operands else { return Err("a product has two operands") };
        let out = call.out;
        let letter = letter(out.dtype).ok_or("no library has products of such elements")?;
        let strides = [in_elements(&a)?, in_elements(&b)?, in_elements(&out)?];
        let outer = out.dims.len() - 2;
        let matrix = |dims: &[i64]| [dims[outer], dims[outer + 1]];
        let [rows, columns] = matrix(out.dims);
        let depth = a.dims[outer + 1];
        let int = |x: i64| c_int::try_from(x).map_err(|_| "its matrices are too large for the library");
        // The result lies by rows, without gaps.
        let is_plain =
            (rows == 1 || strides[2][outer] == columns) && (columns == 1 || strides[2][outer + 1] == 1);
        if !is_plain || out.dims.contains(&0) || depth == 0 {
            return Err("its result is empty or has gaps");
        }
        let is_ahead = |of: &[i64]| of[..outer].iter().all(|&stride| stride >= 0);
        if !strides.iter().all(|of| is_ahead(of)) {
            return Err("its stacks lie backwards");
        }
        let stack = Stack::new(&out.dims[..outer], [0, 1, 2].map(|i| &strides[i][..outer]))?;
        Ok(Self {
            letter,
            item: out.dtype.size() as i64,
            n: int(rows)?,
            m: int(columns)?,
            k: int(depth)?,
            a: Factor::new(matrix(a.dims), matrix(&strides[0]))?,
            b: Factor::new(matrix(b.dims), matrix(&strides[1]))?,
            batch: int(stack.count)?,
            stack,
        })
    }
}

/// Multiplications and additions of a product for each scalar operation of a loop: libraries use vectors, caches and matrix units.
const FASTER: f64 = 8.0;

impl Plan for Products {
    fn operations(&self) -> f64 {
        let products = self.stack.begins.len() as f64 * f64::from(self.batch);
        let each = f64::from(self.n) * f64::from(self.m) * f64::from(self.k);
        // Of complex numbers four.
        let parts = if self.letter < 2 { 1.0 } else { 4.0 };
        products * each * parts / FASTER
    }

    unsafe fn issue(&self, device: &Device, addresses: &[u64], stream: Stream) -> Result<(), Refusal> {
        let one: (&[f32; 2], &[f64; 2]) = (&[1.0, 0.0], &[1.0, 0.0]);
        let zero: (&[f32; 2], &[f64; 2]) = (&[0.0; 2], &[0.0; 2]);
        let is_single = self.letter.is_multiple_of(2);
        let number = |(single, double): (&[f32; 2], &[f64; 2])| -> *const c_void {
            if is_single { from_ref(single).cast() } else { from_ref(double).cast() }
        };
        let (alpha, beta) = (number(one), number(zero));
        with_handle(device, stream, |functions, handle| {
            for begin in &self.stack.begins {
                let at = |i: usize| addresses[i].wrapping_add((begin[i] * self.item).cast_unsigned());
                let (a, b, out) = (at(0), at(1), at(2));
                let (x, y) = (self.b, self.a);
                let (n, m, k) = (self.n, self.m, self.k);
                let [a_apart, b_apart, out_apart] = self.stack.apart;
                // SAFETY: by the caller's promise, these matrices are there.
                let status = unsafe {
                    if self.batch == 1 {
                        let gemm = functions.gemm[self.letter];
                        gemm(
                            handle,
                            x.operation,
                            y.operation,
                            m,
                            n,
                            k,
                            alpha,
                            b,
                            x.leading,
                            a,
                            y.leading,
                            beta,
                            out,
                            m,
                        )
                    } else {
                        let gemm = functions.gemm_batched[self.letter];
                        gemm(
                            handle,
                            x.operation,
                            y.operation,
                            m,
                            n,
                            k,
                            alpha,
                            b,
                            x.leading,
                            b_apart,
                            a,
                            y.leading,
                            a_apart,
                            beta,
                            out,
                            m,
                            out_apart,
                            self.batch,
                        )
                    }
                };
                check("cublas gemm", status)?;
            }
            Ok(())
        })
    }
}

/// Multiplies so many floats by a number.
///
/// # Safety
/// They are there. The device's context is the current one.
pub unsafe fn scale(
    device: &Device,
    stream: Stream,
    (is_single, address, count): (bool, u64, i64),
    by: f64,
) -> Result<(), Refusal> {
    let single = by as f32;
    let (factor, item): (*const c_void, u64) =
        if is_single { (from_ref(&single).cast(), 4) } else { (from_ref(&by).cast(), 8) };
    with_handle(device, stream, |functions, handle| {
        let most = i64::from(c_int::MAX);
        let mut done = 0;
        while done < count {
            let some = most.min(count - done);
            let at = address + done.cast_unsigned() * item;
            // SAFETY: by the caller's promise.
            let status =
                unsafe { functions.scal[usize::from(!is_single)](handle, some as c_int, factor, at, 1) };
            check("cublas scal", status)?;
            done += some;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(dims: [i64; 2], strides: [i64; 2]) -> Option<(Operation, c_int)> {
        Factor::new(dims, strides).ok().map(|factor| (factor.operation, factor.leading))
    }

    #[test]
    fn matrices_lie_either_way() {
        assert_eq!(factor([3, 5], [5, 1]), Some((AS_IS, 5)));
        assert_eq!(factor([3, 5], [9, 1]), Some((AS_IS, 9)));
        assert_eq!(factor([3, 5], [1, 3]), Some((TRANSPOSED, 3)));
        // Rows and columns of one: whatever their strides are.
        assert_eq!(factor([1, 5], [0, 1]), Some((AS_IS, 5)));
        assert_eq!(factor([1, 5], [0, 4]), Some((TRANSPOSED, 4)));
        assert_eq!(factor([5, 1], [4, 0]), Some((AS_IS, 4)));
        // Rows that overlap, repeat or go backwards.
        assert_eq!(factor([3, 5], [1, 1]), None);
        assert_eq!(factor([3, 5], [0, 1]), None);
        assert_eq!(factor([3, 5], [-5, 1]), None);
        assert_eq!(factor([3, 5], [10, 2]), None);
        assert_eq!(factor([3, 5], [1 << 40, 1]), None);
    }
}
