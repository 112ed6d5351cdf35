//! The table of the runtime's functions: each is declared here, once.
//!
//! A row gives the field of [`Table`], the [`RuntimeFn`] that generated code names it by with its offset, and a stub for tests. The runtime fills
//! the table with its own functions of these names, by [`for_each_function`](crate::for_each_function).

use crate::device::DeviceFor;
use crate::{
    ABI_VERSION, ArrayRef, Ctx, DTypeCode, List, ModuleSpec, Owner, ParBody, ParCombine, PrintItem,
    RandomWords, Status,
};
use core::ffi::{c_char, c_void};
use core::mem::offset_of;

/// The places of a sparse matrix's entries as two vectors, the entries, an operand and the result.
pub type SparseFn = unsafe extern "C" fn(
    ctx: *mut Ctx,
    places: *const ArrayRef,
    more_places: *const ArrayRef,
    data: *const ArrayRef,
    operand: *const ArrayRef,
    out: *const ArrayRef,
) -> Status;

/// Binary linear-algebra arguments are [`ArrayRef`]s; outputs are allocated by the caller.
pub type MatmulFn = unsafe extern "C" fn(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    b: *const ArrayRef,
    out: *const ArrayRef,
) -> Status;

/// Transforms `a` along its last axis into `out`, both of the same rank, times `scale`.
pub type TransformFn =
    unsafe extern "C" fn(ctx: *mut Ctx, a: *const ArrayRef, out: *const ArrayRef, scale: f64) -> Status;

/// One array from one.
pub type OneFn = unsafe extern "C" fn(ctx: *mut Ctx, a: *const ArrayRef, out: *const ArrayRef) -> Status;

/// Two arrays from one.
pub type TwoFn = unsafe extern "C" fn(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    first: *const ArrayRef,
    second: *const ArrayRef,
) -> Status;

/// Three arrays from one.
pub type ThreeFn = unsafe extern "C" fn(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    first: *const ArrayRef,
    second: *const ArrayRef,
    third: *const ArrayRef,
) -> Status;

/// How a module is made of its description: the host's.
pub type ModuleInit = unsafe extern "C" fn(spec: *const ModuleSpec) -> *mut c_void;

/// Python's `print`: the host's.
pub type Print = unsafe extern "C" fn(
    ctx: *mut Ctx,
    items: *const PrintItem,
    n: i64,
    sep: *const c_char,
    end: *const c_char,
) -> Status;

/// A function that does nothing and gives zero: what stands in tests for one that they do not call.
pub trait Stub {
    const STUB: Self;
}

macro_rules! stub {
    ($($param:ident),*) => {
        impl<R: Zero, $($param),*> Stub for unsafe extern "C" fn($($param),*) -> R {
            const STUB: Self = {
                #[allow(non_snake_case, unused_variables, reason = "parameters by their types' names")]
                unsafe extern "C" fn stub<R: Zero, $($param),*>($($param: $param),*) -> R {
                    R::ZERO
                }
                stub::<R, $($param),*>
            };
        }
    };
}

/// What a stub gives.
pub trait Zero {
    const ZERO: Self;
}

macro_rules! zero {
    ($($ty:ty: $zero:expr),*) => { $(
        impl Zero for $ty {
            const ZERO: Self = $zero;
        }
    )* };
}

zero!((): (), Status: 0, i64: 0, f64: 0.0, *mut c_void: core::ptr::null_mut(), *mut RandomWords: core::ptr::null_mut());
stub!();
stub!(A);
stub!(A, B);
stub!(A, B, C);
stub!(A, B, C, D);
stub!(A, B, C, D, E);
stub!(A, B, C, D, E, F);
stub!(A, B, C, D, E, F, G);
stub!(A, B, C, D, E, F, G, H);
stub!(A, B, C, D, E, F, G, H, I);
stub!(A, B, C, D, E, F, G, H, I, J);
stub!(A, B, C, D, E, F, G, H, I, J, K);

macro_rules! functions {
    ($d:tt $($(#[doc = $doc:literal])* $name:ident: $ty:ty;)*) => {
        /// The runtime's functions. Append-only.
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct Table {
            pub abi_version: u32,
            pub size: u32,
            $($(#[doc = $doc])* pub $name: $ty,)*
        }

        impl Table {
            /// Of functions that do nothing.
            pub const STUBS: Self = Self {
                abi_version: ABI_VERSION,
                size: size_of::<Self>() as u32,
                $($name: <$ty as Stub>::STUB,)*
            };
        }

        /// A function of the table, by its name there.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum RuntimeFn {
            $($(#[doc = $doc])* $name,)*
        }

        impl RuntimeFn {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// Bytes from the table's beginning to the pointer.
            #[must_use]
            pub const fn offset(self) -> usize {
                match self {
                    $(Self::$name => offset_of!(Table, $name),)*
                }
            }

            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|function| function.name() == name)
            }
        }

        /// Calls a macro with the names of all functions of the table, behind those tokens.
        #[macro_export]
        macro_rules! for_each_function {
            ($d callback:ident! $d ($d before:tt)*) => {
                $d callback! { $d ($d before)* $($name)* }
            };
        }
    };
}

functions! { $
    /// What `PyInit_NAME` returns: the module's definition, made from its spec (multi-phase
    /// initialisation, so that one file can be imported under several names), or null with a Python
    /// exception set. The spec and all that it points to must live for ever.
    module_init: ModuleInit;
    /// Allocates `product(dims) * item_size` bytes, aligned to 64, zeroed when `zero != 0`.
    /// A negative dimension is a ValueError, a size past the address space or failure a MemoryError/ValueError as NumPy has it.
    array_alloc: unsafe extern "C" fn(
        ctx: *mut Ctx,
        rank: i64,
        dims: *const i64,
        item_size: i64,
        zero: i32,
        out: *mut *mut Owner,
    ) -> Status;
    /// Adds one to the count; null is allowed.
    retain: unsafe extern "C" fn(owner: *mut Owner);
    /// Takes one from the count and frees at zero; null is allowed.
    release: unsafe extern "C" fn(owner: *mut Owner);
    /// Runs a parallel loop of `n` iterations of about `cost` scalar operations each, in parts ([`crate::parts`]); where the
    /// cost is negative, in order on the calling thread.
    /// `acc` holds `acc_words` words: identities are read from `identity`, the result is combined into `acc`.
    par_for: unsafe extern "C" fn(
        ctx: *mut Ctx,
        n: i64,
        cost: i64,
        body: ParBody,
        env: *const u64,
        acc: *mut u64,
        identity: *const u64,
        acc_words: i64,
        combine: Option<ParCombine>,
    ) -> Status;
    /// Python's `print` with `sep` and `end` (null: the defaults).
    print: Print;
    /// `np.matmul` for ranks 1 and 2 (and stacks); `out` is C-contiguous and does not overlap.
    matmul: MatmulFn;
    /// A new list of this depth with `len` uninitialised items.
    list_new: unsafe extern "C" fn(
        ctx: *mut Ctx,
        dtype: DTypeCode,
        depth: u8,
        len: i64,
        out: *mut *mut List,
    ) -> Status;
    /// Makes room for one more item; generated code then stores it and raises `len`.
    list_grow: unsafe extern "C" fn(ctx: *mut Ctx, list: *mut List) -> Status;
    /// `time.time()` in seconds.
    time: unsafe extern "C" fn() -> f64;
    /// Sorts along the last axis, in place, as `np.sort` does (NaN last).
    sort: unsafe extern "C" fn(ctx: *mut Ctx, a: *const ArrayRef) -> Status;
    /// Fails after Ctrl-C, and releases the GIL if the call still holds it. For long serial loops, about
    /// once in 10^5 operations; cheap (a clock read). `par_for` polls by itself.
    poll: unsafe extern "C" fn(ctx: *mut Ctx) -> Status;
    /// Fourier transforms of complex arrays, `exp(-2πi jk / n)`. Like all that follow: any strides, the
    /// arrays that are written have the result's shape and overlap no other.
    fft: TransformFn;
    /// With the other sign.
    inverse_fft: TransformFn;
    /// Of n real values the first n / 2 + 1 complex ones.
    real_fft: TransformFn;
    /// From n / 2 + 1 complex values n real ones.
    inverse_real_fft: TransformFn;
    /// Solves `a x = b` (b and x of rank 1 or 2); LinAlgError. These are of float and complex arrays.
    solve: MatmulFn;
    /// The sign of the determinant and the logarithm of its absolute value, an array of two.
    slogdet: OneFn;
    /// The lower triangular factor, by the lower triangle; LinAlgError.
    cholesky: OneFn;
    /// q and r; reduced, or complete where q is square.
    qr: TwoFn;
    /// Singular values and vectors: u, s, vᴴ; without vectors where u and vᴴ are empty.
    svd: ThreeFn;
    /// Eigenvalues and eigenvectors by the lower triangle; without vectors where the second is empty.
    eigh: TwoFn;
    /// Eigenvalues and eigenvectors of a complex matrix; as above.
    eig: TwoFn;
    /// The indices, int64, that sort a vector: stable, NaN last.
    argsort: OneFn;
    /// A sparse matrix in compressed rows (`indptr`, `indices`, `data`) times `x`, a vector or matrix, on threads;
    /// ValueError where a row is not within the arrays, or an index not among the rows of `x`.
    csr_times: SparseFn;
    /// As `par_for`, and appends to lists. Behind its accumulators each part has a word for each of the
    /// `list_count` lists: the list to append to, which is the one given or one of its own. What parts
    /// append to lists of their own goes to those given in the order of parts.
    par_append: unsafe extern "C" fn(
        ctx: *mut Ctx,
        n: i64,
        cost: i64,
        body: ParBody,
        env: *const u64,
        acc: *mut u64,
        identity: *const u64,
        acc_words: i64,
        combine: Option<ParCombine>,
        lists: *const *mut List,
        list_count: i64,
    ) -> Status;
    /// Makes a random generator, six words, of the words of a seed: uint32, the least significant one of each number first.
    seed_generator: OneFn;
    /// 53 random bits in [0, 1). Like all that follow: from a generator's words, or where these are null from the thread's own
    /// stream, that of `np.random`. Nothing fails.
    draw_double: unsafe extern "C" fn(generator: *mut u64) -> f64;
    /// 24 random bits in [0, 1).
    draw_single: unsafe extern "C" fn(generator: *mut u64) -> f64;
    draw_uniform: unsafe extern "C" fn(generator: *mut u64, low: f64, range: f64) -> f64;
    draw_normal: unsafe extern "C" fn(generator: *mut u64, mean: f64, deviation: f64) -> f64;
    draw_exponential: unsafe extern "C" fn(generator: *mut u64, scale: f64) -> f64;
    draw_poisson: unsafe extern "C" fn(generator: *mut u64, mean: f64) -> i64;
    /// 32 random bits.
    draw_word: unsafe extern "C" fn(generator: *mut u64) -> i64;
    /// `low` to `low + range`, both included; the range is unsigned, the sum wraps.
    draw_integer: unsafe extern "C" fn(generator: *mut u64, low: i64, range: i64) -> i64;
    /// 0 to `max`, both included, as shuffling draws it.
    draw_interval: unsafe extern "C" fn(generator: *mut u64, max: i64) -> i64;
    /// Starts the thread's stream, for -1 with what nobody can foresee, and gives 0. No generator, here and in the next.
    draw_seed: unsafe extern "C" fn(generator: *mut u64, seed: i64) -> i64;
    /// 32 bits that nobody can foresee.
    draw_entropy: unsafe extern "C" fn(generator: *mut u64) -> i64;
    /// Keeps the first `len` items of a list of lists or arrays, which is no shorter.
    list_truncate: unsafe extern "C" fn(list: *mut List, len: i64);
    /// A vector's elements, those of some ranks (int64, below its length) in their places: lesser ones before, greater ones behind,
    /// NaN last.
    partition: MatmulFn;
    /// The indices, int64, that do so; of equal elements of those ranks, and of short vectors, in order.
    argpartition: MatmulFn;
    /// A special function of each column of a matrix, by the code in a vector of one element; of float64. Nothing fails.
    special: MatmulFn;
    /// The `x` with `a x = b`, where `a` is sparse: entries by rows and columns (int64), float64 or complex128; those of one place
    /// are added. `b` and `x` are matrices. NaN where `a` is singular; ValueError where a place is outside.
    sparse_solve: SparseFn;
    /// Runs a parallel loop on a device, or gives [`crate::device::DECLINED`] and changes nothing: then it is for [`Table::par_for`]. As there, a
    /// negative cost is that of a loop that runs in order, which no device does.
    device_for: DeviceFor;
    /// Before the processor reads an array that a loop of this call may have had on a device, or writes to it: all the memory that the array spans is as if
    /// there were no device. RuntimeError where the device was lost with what was on it alone.
    host_access: unsafe extern "C" fn(ctx: *mut Ctx, array: *const ArrayRef, writes: i32) -> Status;
    /// Where a call ends that may have had arrays on a device, as `host_access` for all of them. Gives the call's status, which was `status` until now; a failure
    /// is one at `site`.
    device_end: unsafe extern "C" fn(ctx: *mut Ctx, status: Status, site: u32) -> Status;
    /// As `matmul`, by a device's library where one is there and expected to be faster. The processor need not have been asked for the arrays (`host_access`). RuntimeError
    /// as there.
    device_matmul: MatmulFn;
    /// As `fft`, likewise.
    device_fft: TransformFn;
    /// As `inverse_fft`, likewise.
    device_inverse_fft: TransformFn;
    /// As `real_fft`, likewise.
    device_real_fft: TransformFn;
    /// Whether loops should run on a device now, 1 or 0: the user wants all of them there, or the call has something there. Nothing fails.
    device_wanted: unsafe extern "C" fn() -> i32;
    /// Makes room for one more item before the first; generated code then steps `data` back, stores it there and raises `len` and `cap`.
    list_grow_front: unsafe extern "C" fn(ctx: *mut Ctx, list: *mut List) -> Status;
    /// Takes the first `count` items off a list of lists or arrays, which has as many.
    list_drop_front: unsafe extern "C" fn(list: *mut List, count: i64);
    /// An array as lists hold it: an owner, and behind it ([`crate::layout::ARRAY_WORDS`]) these words of the array, whose memory it has a count of.
    list_array: unsafe extern "C" fn(ctx: *mut Ctx, words: *const u64, count: i64, out: *mut *mut Owner) -> Status;
    /// Starts the thread's stream of Python's `random` from a seed's magnitude, which is unsigned, and gives 0. No generator, here and in all that follow, which draw
    /// from that stream. Nothing fails.
    python_seed: unsafe extern "C" fn(generator: *mut u64, magnitude: i64) -> i64;
    /// 53 random bits in [0, 1).
    python_double: unsafe extern "C" fn(generator: *mut u64) -> f64;
    /// So many random bits, 0 to 64.
    python_bits: unsafe extern "C" fn(generator: *mut u64, count: i64) -> i64;
    /// 0 to `max`, both included and unsigned.
    python_below: unsafe extern "C" fn(generator: *mut u64, max: i64) -> i64;
    python_uniform: unsafe extern "C" fn(generator: *mut u64, low: f64, range: f64) -> f64;
    /// The mode is a fraction of the range.
    python_triangular: unsafe extern "C" fn(generator: *mut u64, low: f64, high: f64, range: f64, mode: f64) -> f64;
    python_normal: unsafe extern "C" fn(generator: *mut u64, mean: f64, deviation: f64) -> f64;
    /// Of two numbers that come together.
    python_gauss: unsafe extern "C" fn(generator: *mut u64, mean: f64, deviation: f64) -> f64;
    python_lognormal: unsafe extern "C" fn(generator: *mut u64, mean: f64, deviation: f64) -> f64;
    python_exponential: unsafe extern "C" fn(generator: *mut u64, rate: f64) -> f64;
    /// Twice the shape is finite.
    python_gamma: unsafe extern "C" fn(generator: *mut u64, shape: f64, scale: f64) -> f64;
    python_pareto: unsafe extern "C" fn(generator: *mut u64, shape: f64) -> f64;
    python_weibull: unsafe extern "C" fn(generator: *mut u64, scale: f64, shape: f64) -> f64;
    /// The concentration is not NaN.
    python_von_mises: unsafe extern "C" fn(generator: *mut u64, mean: f64, concentration: f64) -> f64;
    /// Words of this thread's streams, of which a `draw_…` or `python_…` that finds too few makes more: for 0 those of `np.random`, for 1 those of Python's `random`. They stay where they are. Nothing fails.
    random_words: unsafe extern "C" fn(python: i32) -> *mut RandomWords;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_lie_behind_one_another_in_the_order_of_their_rows() {
        let offsets: Vec<usize> = RuntimeFn::ALL.iter().map(|function| function.offset()).collect();
        let expected: Vec<usize> = (0..offsets.len()).map(|i| 8 + i * size_of::<usize>()).collect();
        assert_eq!(offsets, expected);
        assert_eq!(RuntimeFn::from_name("par_for"), Some(RuntimeFn::par_for));
        assert_eq!(RuntimeFn::from_name("abi_version"), None);
    }

    #[test]
    fn stubs_give_zero() {
        let stubs = Table::STUBS;
        // SAFETY: stubs touch nothing.
        unsafe {
            assert_eq!((stubs.time)(), 0.0);
            assert_eq!((stubs.poll)(core::ptr::null_mut()), 0);
            assert!((stubs.module_init)(core::ptr::null()).is_null());
        }
    }
}
