//! The contract between generated kernel modules and `pydd_runtime`.
//!
//! A kernel module holds data that describe it (a [`ModuleSpec`]) and code; it holds no copy of the
//! runtime. Its `PyInit_NAME` gets the [`Table`] from the capsule [`CAPSULE`] and calls
//! [`Table::module_init`] with the spec; everything that touches Python happens behind the table.
//!
//! The table is append-only. A module states the [`ABI_VERSION`] and the table size it was built for;
//! a runtime that has less answers with an ImportError that says what to do.
//!
//! All layouts are `repr(C)`; every count is an `i64`, every string a NUL-terminated UTF-8 pointer.
//! Values cross the boundary as 64-bit **words** (see [`words`]).

#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_void};
use core::sync::atomic::AtomicI64;

pub mod device;
pub mod dtype;
pub mod layout;
pub mod parts;
mod table;
pub mod words;

pub use dtype::DTypeCode;
pub use table::{
    MatmulFn, ModuleInit, OneFn, Print, RuntimeFn, SparseFn, Stub, Table, ThreeFn, TransformFn, TwoFn, Zero,
};

/// Raised by one whenever the meaning of something that exists changes, or a value is added that a module's
/// description may hold ([`TypeKind`], [`DTypeCode`]); appending to the table does not raise it.
///
/// 2: [`TypeKind::Sparse`]. 3: [`TypeKind::Dict`] and [`TypeKind::Set`]. 4: [`TypeKind::Tuples`], [`PARAM_KEYWORD_ONLY`]; arrays
/// of sparse matrices come without gaps. 6: [`TypeKind::Either`]. 7: [`PARAM_POSITIONAL_ONLY`],
/// [`PrintItem::format`], floats in messages. 8: [`TypeKind::Maybe`], [`ExceptionSpec`]. 9: loops in order
/// ([`Table::par_for`]). 10: [`FunctionSpec::entries`], [`Site::flags`]. 11: [`Site::file`].
/// 12: [`ModuleSpec::better`], [`ModuleSpec::cpu`], [`ModuleSpec::made_by`].
/// 13: [`TypeKind::Constant`], [`PARAM_CAST`], [`FN_UFUNC`]. 14: [`ModuleSpec::source_sha256`].
/// 20: [`PARAM_COLUMN_MAJOR`].
pub const ABI_VERSION: u32 = 21;

/// Name of the capsule, an attribute of the extension module.
pub const CAPSULE: &core::ffi::CStr = c"pydd_runtime._runtime._C_API";

/// The greatest rank of an array that a kernel may take or make (NumPy 2's own limit is 64).
pub const MAX_RANK: usize = 32;

/// The most integers that a message can show.
pub const MAX_PAYLOAD: usize = 8;

/// `0` means that all went well; anything else that `Ctx` holds a pending error.
pub type Status = i32;

/// A kernel's entry: reads its argument words, writes its result words.
pub type Entry = unsafe extern "C" fn(ctx: *mut Ctx, args: *const u64, rets: *mut u64) -> Status;

/// The body of a parallel loop: runs iterations `begin..end` of the iteration space `0..n`.
/// `env` are the captured words; `acc` are the accumulators that it goes on
/// from: those of a part begin as identities.
pub type ParBody =
    unsafe extern "C" fn(ctx: *mut Ctx, env: *const u64, begin: i64, end: i64, acc: *mut u64) -> Status;

/// `acc = combine(acc, part)` for all the accumulators of a parallel loop, where `part` are those of
/// iterations that follow.
pub type ParCombine = unsafe extern "C" fn(acc: *mut u64, part: *const u64);

/// What every call of generated code is given. One for each thread that runs generated code.
#[repr(C)]
pub struct Ctx {
    /// The runtime's functions.
    pub table: *const Table,
    /// Lowest stack address that generated code may reach; below it a RecursionError is raised.
    pub stack_limit: usize,
    /// The module's spec, which holds the sites.
    pub module: *const ModuleSpec,
    /// Index of the failing [`Site`] in the module.
    pub site: u32,
    /// 0 when the site itself says all; an [`ExcKind`] or [`EXC_PYTHON`] when a runtime function failed.
    /// The site still says where: generated code stores it before it calls what may fail, or after.
    pub kind: u32,
    /// Values for `{0}`…`{7}` in the site's message.
    pub payload: [i64; MAX_PAYLOAD],
    /// Finished message of a failed runtime function, or null. The runtime allocates and frees it;
    /// generated code passes the failure on and touches neither this nor `kind`.
    pub message: *const c_char,
    /// [`LOCK_HELD`], [`LOCK_FRESH`], 0, or a token of the host's; generated code leaves it alone.
    pub lock: usize,
    /// Where the site is nowhere (in a library function written in the language): 1 + the index of a [`Site`] at
    /// the call of that function; 0 for none.
    pub caller: u32,
    pub _pad: u32,
}

impl Ctx {
    /// A context without an error, for a thread that does not hold the host's lock.
    #[must_use]
    #[inline(always)]
    pub const fn new(table: *const Table, module: *const ModuleSpec, stack_limit: usize) -> Self {
        Self {
            table,
            stack_limit,
            module,
            site: 0,
            kind: 0,
            payload: [0; MAX_PAYLOAD],
            message: core::ptr::null(),
            lock: 0,
            caller: 0,
            _pad: 0,
        }
    }
}

/// [`Ctx::lock`]: the calling thread holds the host's lock (the GIL). Runtime functions that take long
/// or wait for other threads give it away and leave the host's token, with which the caller of the
/// kernel takes the lock back.
pub const LOCK_HELD: usize = 1;

/// [`Ctx::lock`]: as [`LOCK_HELD`], but for the first `poll`, beyond which short calls do not get: giving the lock away and taking it
/// back would cost more than they do.
pub const LOCK_FRESH: usize = 2;

/// Whether a [`Ctx::lock`] says that the calling thread holds the host's lock.
#[must_use]
#[inline(always)]
pub const fn is_lock_held(lock: usize) -> bool {
    matches!(lock, LOCK_HELD | LOCK_FRESH)
}

/// [`Ctx::kind`]: `payload[0]` holds a Python exception object (from `print`, or Ctrl-C).
pub const EXC_PYTHON: u32 = 0xFFFF;

/// Words of a stream of the Mersenne Twister ([`Table::random_words`]).
pub const RANDOM_WORDS: usize = 624;

/// What such a stream has made so far. Generated code takes from it what is there.
#[repr(C)]
pub struct RandomWords {
    /// How many of the words are used up; the others come next, in order.
    pub used: u64,
    pub words: [u32; RANDOM_WORDS],
}

/// By which PCG64 multiplies its state. Generated code makes steps of generators as well: their words are the state and the increment, the high half of each first.
pub const PCG64_MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// Built-in exceptions that kernels can raise. The numbers are part of the ABI.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum ExcKind {
    RuntimeError = 1,
    IndexError = 2,
    ValueError = 3,
    TypeError = 4,
    ZeroDivisionError = 5,
    OverflowError = 6,
    MemoryError = 7,
    RecursionError = 8,
    AssertionError = 9,
    UnboundLocalError = 10,
    KeyError = 11,
    NotImplementedError = 12,
    ArithmeticError = 13,
    FloatingPointError = 14,
    LookupError = 15,
    StopIteration = 16,
    KeyboardInterrupt = 17,
    SystemError = 18,
    Exception = 19,
    ImportError = 20,
    OSError = 21,
    LinAlgError = 22,
}

impl ExcKind {
    pub const ALL: [Self; 22] = [
        Self::RuntimeError,
        Self::IndexError,
        Self::ValueError,
        Self::TypeError,
        Self::ZeroDivisionError,
        Self::OverflowError,
        Self::MemoryError,
        Self::RecursionError,
        Self::AssertionError,
        Self::UnboundLocalError,
        Self::KeyError,
        Self::NotImplementedError,
        Self::ArithmeticError,
        Self::FloatingPointError,
        Self::LookupError,
        Self::StopIteration,
        Self::KeyboardInterrupt,
        Self::SystemError,
        Self::Exception,
        Self::ImportError,
        Self::OSError,
        Self::LinAlgError,
    ];
}

/// From here on numbers of exceptions are those of classes that the module defines, by their places in its table.
pub const OWN_EXCEPTIONS: u32 = 0x1_0000;

/// An exception class that the module defines.
#[repr(C)]
pub struct ExceptionSpec {
    pub name: *const c_char,
    /// Its docstring, or null.
    pub doc: *const c_char,
    /// Its base, as [`Site::kind`]: a built-in exception, or a class before it.
    pub base: u32,
}

/// A place in the source that can raise.
#[repr(C)]
pub struct Site {
    /// An [`ExcKind`], or from [`OWN_EXCEPTIONS`] on a class of the module.
    pub kind: u32,
    /// Counted from 1.
    pub line: u32,
    /// First byte of the expression in its line, counted from 1; 0 when unknown.
    pub column: u32,
    /// One past its last byte when it ends in the same line, counted alike; 0 when unknown.
    pub end_column: u32,
    /// The function's name for the traceback.
    pub function: *const c_char,
    /// Message with `{0}`…`{7}` for the payload, `{{` and `}}` for braces (`{0!f:.3f}`: bits of a float64, `{0!g}` of one that is
    /// shown as float32, `{0!b}` a bool, `{0!u}` a uint64, `{0!d}` an integer, each formatted as Python does); null for an exception without arguments.
    pub message: *const c_char,
    /// [`SITE_KEY`].
    pub flags: u32,
    pub _pad: u32,
    /// The file, or null where it is [`ModuleSpec::file`].
    pub file: *const c_char,
}

/// [`Site::flags`]: the message writes down the exception's argument, a number or a tuple of such, as Python does. Without it the
/// argument is the message, a string.
pub const SITE_KEY: u32 = 1;

/// The type of a parameter or result.
#[repr(C)]
pub struct TypeSpec {
    pub kind: TypeKind,
    /// Element type of scalars, arrays, lists, sparse matrices.
    pub dtype: DTypeCode,
    /// Rank of an array; of a sparse matrix [`SPARSE_ARRAY`] and [`SPARSE_CSC`].
    pub rank: u8,
    /// 1 for scalars of the weak family (`int`, `float`, `complex`): returned as Python's own; for array results to which
    /// Python may not write; for tuples that are returned as lists.
    pub weak: u8,
    pub n_items: u32,
    /// The items of a tuple; the key and value of a dict, the items of a set or list; the parts
    /// of a sparse matrix: `indptr`, `indices`, `data` as arrays, C-contiguous and aligned, then the number of rows and of columns as int64.
    pub items: *const TypeSpec,
}

#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeKind {
    None = 0,
    Scalar = 1,
    Array = 2,
    List = 3,
    Tuple = 4,
    Str = 5,
    /// Passed as its parts, in [`TypeSpec::items`].
    Sparse = 6,
    /// Passed as lists, see [`words`].
    Dict = 7,
    Set = 8,
    /// A list of tuples, with the types of a tuple's items. Passed as lists, see [`words`].
    Tuples = 9,
    /// A list of lists or arrays, with their type as its one item. Passed as lists, see [`words`].
    Lists = 10,
    /// A number of one of several types, which are the items; `dtype` holds the values of all. Of results alone. Passed
    /// as such a number and the tag of its type, see [`words`].
    Either = 11,
    /// A value, of the type that is the one item, or None. Of results alone. Passed as a flag and the value.
    Maybe = 12,
    /// A value that this version of the function is for: an int64, a bool or a text, of which the one item says the type; it is in
    /// [`ParamSpec::default`]. Of parameters alone. Passed as nothing.
    Constant = 13,
}

/// [`TypeSpec::rank`] of a sparse matrix: SciPy's `csr_array` and `csc_array`, not `csr_matrix` and `csc_matrix`.
pub const SPARSE_ARRAY: u8 = 1;
/// [`TypeSpec::rank`] of a sparse matrix: compressed columns instead of rows.
pub const SPARSE_CSC: u8 = 2;

/// [`ParamSpec::flags`]: the kernel may write to the argument's elements.
pub const PARAM_WRITTEN: u32 = 1;
/// [`ParamSpec::flags`]: `default` holds the value used when the argument is left out.
pub const PARAM_HAS_DEFAULT: u32 = 2;
/// [`ParamSpec::flags`]: the argument is only given by its name.
pub const PARAM_KEYWORD_ONLY: u32 = 4;
/// [`ParamSpec::flags`]: the argument is never given by its name.
pub const PARAM_POSITIONAL_ONLY: u32 = 8;
/// [`ParamSpec::flags`]: of an array, what is of another element type is converted, as `np.asarray` does, where the kernel does not write to it.
pub const PARAM_CAST: u32 = 16;
/// [`ParamSpec::flags`]: of an array with two axes or more, [`GUARD_CONTIGUOUS`] means column-major.
pub const PARAM_COLUMN_MAJOR: u32 = 32;

#[repr(C)]
pub struct ParamSpec {
    pub name: *const c_char,
    pub ty: TypeSpec,
    pub flags: u32,
    pub _pad: u32,
    /// Words of a scalar default; of a constant its value, a text as a C string.
    pub default: [u64; 2],
}

/// [`FunctionSpec::flags`]: may run long, so the GIL is released: at once for large arguments, at the
/// second `poll`, or at the first `par_for` or long runtime function otherwise.
pub const FN_RELEASES_GIL: u32 = 1;
/// [`FunctionSpec::flags`]: another version, for other argument types, follows under the same name.
pub const FN_OVERLOADED: u32 = 2;
/// [`FunctionSpec::flags`]: a loop of a NumPy ufunc, which Python gets in place of the functions of its name. Each parameter is an operand, an
/// array whose first axis goes over the items; outputs come last, and nothing is returned. [`FunctionSpec::signature`] are the core dimensions.
pub const FN_UFUNC: u32 = 4;
/// [`FunctionSpec::flags`]: the core dimensions are further axes of the operands (of one element where there are none, or without that axis);
/// else items are numbers.
pub const FN_GENERALIZED: u32 = 8;
/// [`FunctionSpec::flags`]: reducing nothing with the ufunc gives 0.
pub const FN_IDENTITY_ZERO: u32 = 16;
/// [`FunctionSpec::flags`]: reducing nothing with the ufunc gives 1.
pub const FN_IDENTITY_ONE: u32 = 32;
/// [`FunctionSpec::flags`]: the ufunc may reduce several axes, in any order.
pub const FN_REORDERABLE: u32 = 64;

#[repr(C)]
pub struct FunctionSpec {
    pub name: *const c_char,
    /// NumPy-style docstring, or null.
    pub doc: *const c_char,
    /// `(a, b)`: for `inspect.signature`.
    pub signature: *const c_char,
    pub params: *const ParamSpec,
    pub n_params: u32,
    pub flags: u32,
    pub result: TypeSpec,
    /// Words of all arguments and of all results (see [`words`]).
    pub arg_words: u32,
    pub ret_words: u32,
    /// What a call may run: the first one whose guards all hold. The last one has none.
    pub entries: *const EntrySpec,
    pub n_entries: u32,
    pub _pad: u32,
}

/// Code for some calls of a function, or for all.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EntrySpec {
    pub code: Entry,
    /// What holds of all calls that it is for: [`GUARD_CONTIGUOUS`], [`GUARD_APART`], [`GUARD_DEVICE`]. The runtime leaves entries out that have another one.
    pub guards: u32,
    pub _pad: u32,
}

/// [`EntrySpec::guards`]: arrays are row-major without gaps, those of [`PARAM_COLUMN_MAJOR`] column-major, and their elements are aligned.
pub const GUARD_CONTIGUOUS: u32 = 1;
/// [`EntrySpec::guards`]: no array that is written shares memory with another one, and no list is passed twice.
pub const GUARD_APART: u32 = 2;
/// [`EntrySpec::guards`]: there is a device that the module's kernels run on, and it is wanted. Holds for all calls of a process or for none.
pub const GUARD_DEVICE: u32 = 4;

#[repr(C)]
pub struct ModuleSpec {
    pub abi_version: u32,
    /// Bytes of [`Table`] that the module may touch.
    pub table_size: u32,
    /// Full name as imported is Python's business; this is the last part.
    pub name: *const c_char,
    pub doc: *const c_char,
    /// Path of the `.pydd` file, for tracebacks.
    pub file: *const c_char,
    /// Comma-separated CPU features (`avx2,fma`), as `is_x86_feature_detected!` spells them: those that the code uses; of a better variant all that it may
    /// use, so that the choice does not depend on what is in it.
    pub cpu_features: *const c_char,
    /// The processor that the code is for, as it was named to the compiler.
    pub cpu: *const c_char,
    /// The compiler and its options, for people.
    pub made_by: *const c_char,
    /// SHA-256 of the source as bytes, in 64 hexadecimal digits.
    pub source_sha256: *const c_char,
    /// The same module for a better processor; null: there is none.
    pub better: *const Self,
    pub functions: *const FunctionSpec,
    pub n_functions: u32,
    pub n_sites: u32,
    pub sites: *const Site,
    pub exceptions: *const ExceptionSpec,
    pub n_exceptions: u32,
}

/// An owner of memory: a count and a function that frees. Always behind a pointer.
///
/// A fresh buffer has one; an argument's owner stands for the caller's object (and lives on the
/// caller's stack: it is never freed by the count). Null owns nothing.
#[repr(C)]
pub struct Owner {
    pub count: AtomicI64,
    /// Called when the count falls to zero; null for owners that the caller frees.
    pub drop: Option<unsafe extern "C" fn(*mut Owner)>,
    /// The first byte of the memory; an argument's first element.
    pub data: *mut u8,
    /// Bytes that the memory holds; 0 for arguments.
    pub capacity: usize,
    /// The `PyObject` that this owner stands for, or null.
    pub object: *mut c_void,
}

impl Owner {
    /// An owner with a count of one that stands for no Python object.
    #[must_use]
    pub const fn new(drop: Option<unsafe extern "C" fn(*mut Self)>, data: *mut u8, capacity: usize) -> Self {
        Self { count: AtomicI64::new(1), drop, data, capacity, object: core::ptr::null_mut() }
    }
}

/// An array as runtime functions take it: strides are in bytes and may be anything.
#[repr(C)]
pub struct ArrayRef {
    pub data: *mut u8,
    pub owner: *mut Owner,
    pub dtype: DTypeCode,
    pub rank: u8,
    pub _pad: [u8; 6],
    /// `rank` dimensions.
    pub dims: *const i64,
    /// `rank` strides.
    pub strides: *const i64,
}

/// A list of scalars, or of lists or arrays, of which it has one count each. Generated code reads `data` and `len` itself.
#[repr(C)]
pub struct List {
    /// Of the items' memory. What lies before `data` in it is room for items in front.
    pub owner: Owner,
    /// The first item.
    pub data: *mut u8,
    pub len: i64,
    /// How many items there is room for from `data` on.
    pub cap: i64,
    /// Of the scalars or arrays in the innermost lists.
    pub dtype: DTypeCode,
    /// 1 for a list of scalars, 2 for one of arrays, one more than its items' for a list of lists. Where it is above 1, items are
    /// pointers to owners, which head a list or the words of an array (see [`layout::ARRAY_WORDS`]).
    pub depth: u8,
    pub _pad: [u8; 6],
}

impl List {
    /// Bytes of an item.
    #[must_use]
    pub const fn item_size(&self) -> usize {
        list_item_size(self.dtype, self.depth)
    }

    /// Whether its items are lists or arrays.
    #[must_use]
    pub const fn holds_owners(&self) -> bool {
        self.depth > 1
    }
}

/// Bytes of an item of a list.
#[must_use]
pub const fn list_item_size(dtype: DTypeCode, depth: u8) -> usize {
    if depth > 1 { size_of::<*mut Owner>() } else { dtype.size() }
}

/// One item of `print`: a value with its type.
#[repr(C)]
pub struct PrintItem {
    pub kind: TypeKind,
    pub dtype: DTypeCode,
    pub weak: u8,
    pub rank: u8,
    pub _pad: u32,
    /// Scalars: the value's words. Arrays: `words[0]` points to an [`ArrayRef`]. Str: a C string. List: a [`List`].
    pub words: [u64; 2],
    /// How Python formats it, as a C string; null: as `str` does.
    pub format: *const c_char,
}
