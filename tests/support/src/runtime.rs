//! A runtime that counts what is allocated and released.
//!
//! Unsafe here: the functions of the table trust generated code, as the real ones do.

use crate::chunks::{par_append, par_for};
use crate::load::{module_init, text};
use pydd_abi::{
    ArrayRef, Ctx, DTypeCode, List, ModuleSpec, Owner, PrintItem, RANDOM_WORDS, RandomWords, Status, Table,
    layout, list_item_size,
};
use std::cell::{Cell, RefCell};
use std::ffi::c_char;
use std::ptr;
use std::sync::atomic::Ordering;

thread_local! {
    /// Owners that are alive.
    static ALIVE: Cell<i64> = const { Cell::new(0) };
    /// Allocations until one fails; negative: never.
    static FAIL_AFTER: Cell<i64> = const { Cell::new(-1) };
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
    static INTERRUPTED: Cell<bool> = const { Cell::new(false) };
    static POLLS: Cell<i64> = const { Cell::new(0) };
    static RANDOM: RefCell<RandomWords> =
        const { RefCell::new(RandomWords { used: RANDOM_WORDS as u64, words: [0; RANDOM_WORDS] }) };
}

/// What the tests ask of the runtime; all of it is the current thread's.
pub struct Runtime;

impl Runtime {
    /// A context of which no site has failed, with 256 KiB of stack below the caller.
    #[must_use]
    pub fn ctx(spec: *const ModuleSpec) -> Ctx {
        let here = 0_u8;
        Ctx { site: u32::MAX, ..Ctx::new(table(), spec, (&raw const here as usize) - (256 << 10)) }
    }

    /// Owners that this thread has made and not released.
    #[must_use]
    pub fn alive() -> i64 {
        ALIVE.get()
    }

    /// Lets the call after so many fail that allocates, prints or multiplies; none where negative.
    pub fn fail_after(allocations: i64) {
        FAIL_AFTER.set(allocations);
    }

    /// Whether polls fail.
    pub fn interrupt(yes: bool) {
        INTERRUPTED.set(yes);
    }

    /// Has the streams of random numbers begin with these words. Behind them, and without, draws are calls.
    pub fn give_words(words: &[u32]) {
        RANDOM.with_borrow_mut(|random| {
            let first = RANDOM_WORDS - words.len();
            random.words[first..].copy_from_slice(words);
            random.used = first as u64;
        });
    }

    /// What was printed since the last call.
    #[must_use]
    pub fn take_printed() -> String {
        PRINTED.take()
    }

    /// How often this thread polled so far.
    #[must_use]
    pub fn polls() -> i64 {
        POLLS.get()
    }
}

/// Iterations that `par_for` runs at a time.
const CHUNK: i64 = 3;

static TABLE: Table = Table {
    module_init,
    array_alloc,
    retain,
    release,
    par_for: par_for::<CHUNK>,
    print,
    matmul,
    list_new,
    list_grow,
    time,
    sort,
    poll,
    real_fft: scaled,
    svd: copied_thrice,
    par_append: par_append::<CHUNK>,
    draw_double: float,
    draw_normal: float_of_two,
    draw_poisson: count,
    draw_integer: int_of_two,
    random_words,
    list_truncate,
    list_grow_front,
    list_drop_front,
    list_array,
    ..Table::STUBS
};

/// The table of this runtime.
#[must_use]
pub fn table() -> *const Table {
    &raw const TABLE
}

extern "C" fn random_words(_python: i32) -> *mut RandomWords {
    RANDOM.with(RefCell::as_ptr)
}

fn fails(ctx: *mut Ctx) -> bool {
    let left = FAIL_AFTER.get();
    FAIL_AFTER.set(left - 1);
    if left == 0 {
        // SAFETY: generated code passes its context.
        unsafe { (*ctx).kind = pydd_abi::ExcKind::MemoryError as u32 };
    }
    left == 0
}

unsafe extern "C" fn array_alloc(
    ctx: *mut Ctx,
    rank: i64,
    dims: *const i64,
    item_size: i64,
    zero: i32,
    out: *mut *mut Owner,
) -> Status {
    if fails(ctx) {
        return 1;
    }
    // SAFETY: `dims` holds `rank` numbers; `out` takes the owner.
    unsafe {
        let bytes = (0..rank).map(|i| *dims.offset(i as isize)).product::<i64>() * item_size;
        let bytes = usize::try_from(bytes).unwrap().max(1);
        let data: *mut u8 = libc::memalign(64, bytes).cast();
        ptr::write_bytes(data, if zero == 0 { 0xAB } else { 0 }, bytes);
        *out = Box::into_raw(Box::new(Owner::new(Some(drop_array), data, bytes)));
    }
    ALIVE.set(ALIVE.get() + 1);
    0
}

unsafe extern "C" fn drop_array(owner: *mut Owner) {
    // SAFETY: called once, for an owner that `array_alloc` made.
    unsafe {
        libc::free((*owner).data.cast());
        drop(Box::from_raw(owner));
    }
    ALIVE.set(ALIVE.get() - 1);
}

unsafe extern "C" fn drop_list(owner: *mut Owner) {
    // SAFETY: called once, for an owner that is the head of a list of `list_new`.
    unsafe {
        let list: *mut List = owner.cast();
        if (*list).holds_owners() {
            list_truncate(list, 0);
        }
        libc::free((*list).owner.data.cast());
        drop(Box::from_raw(list));
    }
    ALIVE.set(ALIVE.get() - 1);
}

unsafe extern "C" fn retain(owner: *mut Owner) {
    // SAFETY: an owner is alive, or null.
    if let Some(owner) = unsafe { owner.as_ref() } {
        owner.count.fetch_add(1, Ordering::Relaxed);
    }
}

/// The table's `release`.
///
/// # Safety
/// An owner that is alive, or null.
pub unsafe extern "C" fn release(owner: *mut Owner) {
    // SAFETY: an owner is alive, or null.
    unsafe {
        let Some(shared) = owner.as_ref() else { return };
        let before = shared.count.fetch_sub(1, Ordering::AcqRel);
        assert!(before > 0, "released too often");
        if let (1, Some(drop)) = (before, shared.drop) {
            drop(owner);
        }
    }
}

unsafe extern "C" fn print(
    ctx: *mut Ctx,
    items: *const PrintItem,
    n: i64,
    sep: *const c_char,
    end: *const c_char,
) -> Status {
    if fails(ctx) {
        return 1;
    }
    let text = |pointer: *const c_char, default: &str| {
        // SAFETY: a C string or null.
        unsafe { text(pointer) }.unwrap_or_else(|| default.to_owned())
    };
    // SAFETY: there are `n` items.
    let items = unsafe { std::slice::from_raw_parts(items, usize::try_from(n).unwrap()) };
    let shown: Vec<String> = items.iter().map(show).collect();
    PRINTED.with_borrow_mut(|printed| {
        printed.push_str(&(shown.join(&text(sep, " ")) + &text(end, "\n")));
    });
    0
}

/// Kind, element type, weakness and value.
fn show(item: &PrintItem) -> String {
    use pydd_abi::TypeKind;
    match item.kind {
        // SAFETY: the word points to a C string.
        TypeKind::Str => unsafe { text(item.words[0] as *const c_char) }.unwrap(),
        TypeKind::Array => {
            // SAFETY: the word points to an array.
            let array = unsafe { &*(item.words[0] as *const ArrayRef) };
            // SAFETY: it has as many dimensions and strides as its rank says.
            let numbers =
                |at: *const i64| unsafe { std::slice::from_raw_parts(at, array.rank.into()) }.to_vec();
            format!("{:?}{:?}{:?}", array.dtype, numbers(array.dims), numbers(array.strides))
        }
        kind => format!("{kind:?}.{:?}.{}.{:x}", item.dtype, item.weak, item.words[0]),
    }
}

/// Of float64 matrices.
unsafe extern "C" fn matmul(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    b: *const ArrayRef,
    out: *const ArrayRef,
) -> Status {
    if fails(ctx) {
        return 1;
    }
    // SAFETY: three matrices whose dimensions fit.
    unsafe {
        let dim = |m: *const ArrayRef, i: usize| *(*m).dims.add(i);
        let at = |m: *const ArrayRef, i: i64, j: i64| {
            let offset = i * *(*m).strides + j * *(*m).strides.add(1);
            (*m).data.offset(offset as isize).cast::<f64>()
        };
        for i in 0..dim(out, 0) {
            for j in 0..dim(out, 1) {
                *at(out, i, j) = (0..dim(a, 1)).map(|k| *at(a, i, k) * *at(b, k, j)).sum();
            }
        }
    }
    0
}

unsafe extern "C" fn list_new(
    ctx: *mut Ctx,
    dtype: DTypeCode,
    depth: u8,
    len: i64,
    out: *mut *mut List,
) -> Status {
    if fails(ctx) {
        return 1;
    }
    let bytes = usize::try_from(len).unwrap() * list_item_size(dtype, depth);
    // SAFETY: fresh memory; `out` takes the list.
    unsafe {
        let data: *mut u8 = libc::malloc(bytes.max(1)).cast();
        let owner = Owner::new(Some(drop_list), data, bytes);
        *out = Box::into_raw(Box::new(List { owner, data, len, cap: len, dtype, depth, _pad: [0; 6] }));
    }
    ALIVE.set(ALIVE.get() + 1);
    0
}

unsafe extern "C" fn list_grow(ctx: *mut Ctx, list: *mut List) -> Status {
    if fails(ctx) {
        return 1;
    }
    // SAFETY: a list of `list_new`.
    unsafe {
        let list = &mut *list;
        let front = list.data.offset_from_unsigned(list.owner.data);
        list.cap = list.cap * 2 + 1;
        let bytes = front + usize::try_from(list.cap).unwrap() * list.item_size();
        list.owner.data = libc::realloc(list.owner.data.cast(), bytes).cast();
        list.owner.capacity = bytes;
        list.data = list.owner.data.add(front);
    }
    0
}

/// Two items at a time.
unsafe extern "C" fn list_grow_front(ctx: *mut Ctx, list: *mut List) -> Status {
    if fails(ctx) {
        return 1;
    }
    // SAFETY: a list of `list_new` without room in front.
    unsafe {
        let list = &mut *list;
        assert_eq!(list.data, list.owner.data);
        let (size, room) = (list.item_size(), usize::try_from(list.cap).unwrap());
        let data: *mut u8 = libc::malloc((room + 2) * size).cast();
        ptr::copy_nonoverlapping(list.data, data.add(2 * size), room * size);
        libc::free(list.owner.data.cast());
        list.owner.data = data;
        list.owner.capacity = (room + 2) * size;
        list.data = data.add(2 * size);
    }
    0
}

unsafe extern "C" fn list_drop_front(list: *mut List, count: i64) {
    // SAFETY: a list of lists of `list_new`, which has so many items.
    unsafe {
        let list = &mut *list;
        for item in 0..count {
            release(list.data.cast::<*mut Owner>().offset(item as isize).read());
        }
        list.data = list.data.add(usize::try_from(count).unwrap() * list.item_size());
        list.len -= count;
        list.cap -= count;
    }
}

unsafe extern "C" fn list_array(
    ctx: *mut Ctx,
    words: *const u64,
    count: i64,
    out: *mut *mut Owner,
) -> Status {
    if fails(ctx) {
        return 1;
    }
    // SAFETY: `words` holds `count` words of an array, whose second one is its owner; `out` takes the new owner.
    unsafe {
        let count = usize::try_from(count).unwrap();
        let block: *mut u8 = libc::malloc(layout::ARRAY_WORDS + 8 * count).cast();
        block.cast::<Owner>().write(Owner::new(Some(drop_list_array), ptr::null_mut(), 0));
        ptr::copy_nonoverlapping(words, block.add(layout::ARRAY_WORDS).cast(), count);
        retain(*words.add(1) as *mut Owner);
        *out = block.cast();
    }
    ALIVE.set(ALIVE.get() + 1);
    0
}

unsafe extern "C" fn drop_list_array(owner: *mut Owner) {
    // SAFETY: called once, for an owner that `list_array` made.
    unsafe {
        release(*owner.byte_add(layout::ARRAY_WORDS).cast::<u64>().add(1) as *mut Owner);
        libc::free(owner.cast());
    }
    ALIVE.set(ALIVE.get() - 1);
}

unsafe extern "C" fn list_truncate(list: *mut List, len: i64) {
    // SAFETY: a list of lists of `list_new`, which is no shorter.
    unsafe {
        for item in len..(*list).len {
            release((*list).data.cast::<*mut Owner>().offset(item as isize).read());
        }
        (*list).len = len;
    }
}

extern "C" fn time() -> f64 {
    12.5
}

/// Of float64 vectors.
unsafe extern "C" fn sort(_ctx: *mut Ctx, a: *const ArrayRef) -> Status {
    // SAFETY: a row-major array of one dimension.
    unsafe {
        let n = usize::try_from(*(*a).dims).unwrap();
        std::slice::from_raw_parts_mut((*a).data.cast::<f64>(), n).sort_unstable_by(f64::total_cmp);
    }
    0
}

/// Stands for transforms: float64 vectors, times the scale.
unsafe extern "C" fn scaled(_ctx: *mut Ctx, a: *const ArrayRef, out: *const ArrayRef, scale: f64) -> Status {
    // SAFETY: row-major arrays of one dimension and one length.
    unsafe {
        let n = usize::try_from(*(*a).dims).unwrap();
        let from = std::slice::from_raw_parts((*a).data.cast::<f64>(), n);
        let to = std::slice::from_raw_parts_mut((*out).data.cast::<f64>(), n);
        to.iter_mut().zip(from).for_each(|(y, x)| *y = x * scale);
    }
    0
}

/// Stands for factorizations: float64 vectors.
unsafe extern "C" fn copied_twice(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    first: *const ArrayRef,
    second: *const ArrayRef,
) -> Status {
    // SAFETY: as for `scaled`.
    unsafe { scaled(ctx, a, first, 1.0) + scaled(ctx, a, second, 2.0) }
}

unsafe extern "C" fn copied_thrice(
    ctx: *mut Ctx,
    a: *const ArrayRef,
    first: *const ArrayRef,
    second: *const ArrayRef,
    third: *const ArrayRef,
) -> Status {
    // SAFETY: as for `scaled`.
    unsafe { copied_twice(ctx, a, first, second) + scaled(ctx, a, third, 3.0) }
}

/// What draws give here: the generator's first word, or -1 without one, plus the parameters.
macro_rules! drawn {
    ($($name:ident($($param:ident),*): $number:ty;)*) => {$(
        unsafe extern "C" fn $name(generator: *mut u64 $(, $param: $number)*) -> $number {
            // SAFETY: null, or a generator's words.
            let first = unsafe { generator.as_ref() }.map_or(-1, |&word| word as i64);
            first as $number $(+ $param)*
        }
    )*};
}

drawn! {
    float(): f64;
    float_of_one(a): f64;
    float_of_two(a, b): f64;
    int_of_two(a, b): i64;
}

unsafe extern "C" fn count(generator: *mut u64, mean: f64) -> i64 {
    // SAFETY: as above.
    unsafe { float_of_one(generator, mean) as i64 }
}

unsafe extern "C" fn poll(ctx: *mut Ctx) -> Status {
    POLLS.set(POLLS.get() + 1);
    if INTERRUPTED.get() {
        // SAFETY: generated code passes its context.
        unsafe { (*ctx).kind = pydd_abi::EXC_PYTHON };
    }
    Status::from(INTERRUPTED.get())
}

/// An array of the caller's, as arguments are passed.
pub struct Arg<T> {
    pub items: Vec<T>,
    pub dims: Vec<i64>,
    owner: Box<Owner>,
}

impl<T: Copy> Arg<T> {
    /// Items in row-major order.
    #[must_use]
    pub fn new(items: &[T], dims: &[i64]) -> Self {
        let owner = Box::new(Owner::new(None, ptr::null_mut(), 0));
        Self { items: items.to_vec(), dims: dims.to_vec(), owner }
    }

    /// The argument words of the whole array.
    #[must_use]
    pub fn words(&mut self) -> Vec<u64> {
        let mut strides = vec![size_of::<T>() as i64; self.dims.len()];
        for i in (1..self.dims.len()).rev() {
            strides[i - 1] = strides[i] * self.dims[i];
        }
        let dims = self.dims.clone();
        self.view(0, &dims, &strides)
    }

    /// The words of a view that starts at an item, with strides in bytes.
    #[must_use]
    pub fn view(&mut self, first: usize, dims: &[i64], strides: &[i64]) -> Vec<u64> {
        let data = self.items.as_mut_ptr().wrapping_add(first) as u64;
        let mut words = vec![data, self.owner() as u64];
        words.extend(dims.iter().chain(strides).map(|n| n.cast_unsigned()));
        words
    }

    /// The owner that stands for the caller's array.
    pub fn owner(&mut self) -> *mut Owner {
        &raw mut *self.owner
    }

    /// The owner's count.
    #[must_use]
    pub fn count(&self) -> i64 {
        self.owner.count.load(Ordering::Relaxed)
    }
}

/// A returned array, released when dropped.
pub struct Returned {
    pub data: *mut u8,
    pub owner: *mut Owner,
    pub dims: Vec<i64>,
    pub strides: Vec<i64>,
}

impl Returned {
    /// Takes over the result's words.
    #[must_use]
    pub fn new(words: &[u64]) -> Self {
        let rank = (words.len() - 2) / 2;
        let numbers = |w: &[u64]| w.iter().map(|n| n.cast_signed()).collect();
        Self {
            data: words[0] as *mut u8,
            owner: words[1] as *mut Owner,
            dims: numbers(&words[2..2 + rank]),
            strides: numbers(&words[2 + rank..]),
        }
    }

    /// The items of an array without gaps.
    #[must_use]
    pub fn items<T: Copy>(&self) -> Vec<T> {
        let n = usize::try_from(self.dims.iter().product::<i64>()).unwrap();
        // SAFETY: the owner keeps the items alive.
        unsafe { std::slice::from_raw_parts(self.data.cast(), n) }.to_vec()
    }
}

impl Drop for Returned {
    fn drop(&mut self) {
        // SAFETY: results come with one count.
        unsafe { release(self.owner) };
    }
}
