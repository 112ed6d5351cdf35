//! The function that NumPy calls for each run of items.
//!
//! A kernel's first entry is for contiguous arrays that share no memory, its last one for all. A plain ufunc runs over elements one by one, so
//! strided ones are copied to contiguous ones, some at a time, where outputs are apart from inputs or lie exactly as they do: vectors pay for that.
//! What is left, such as the running results of `reduce` and `accumulate`, is for the entry that goes in order, with any strides.
//!
//! Unsafe here: NumPy's calling convention. It gives aligned elements of the loop's types; the GIL may be held or not.

use super::float_status::FloatStatus;
use super::item_size;
use super::memory::{Sharing, Strided};
use crate::native::run::{self, Exceptions};
use crate::plan::Function;
use pydd_abi::{Ctx, DTypeCode, Entry, Owner};
use pyo3::ffi;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many elements are copied at a time: operands of 8 bytes take 8 KiB each, so a few fit the first cache.
const PART: isize = 1024;

pub struct Operand {
    /// Where its words begin.
    pub word: usize,
    pub dtype: DTypeCode,
    /// The numbers of its core dimensions.
    pub core: Vec<usize>,
    /// Of the array that it is passed as: an axis for the items, those of the core dimensions, or one more where there are none.
    pub rank: usize,
    pub is_output: bool,
}

/// A loop of a ufunc.
pub struct Loop {
    function: &'static Function,
    pub operands: Vec<Operand>,
    /// Of a plain ufunc.
    is_plain: bool,
    fast: Entry,
    general: Entry,
}

/// A kernel raised an exception, which is set.
struct Failed;

/// NumPy's `PyUFuncGenericFunction`.
pub unsafe extern "C" fn run(args: *mut *mut c_char, dims: *mut isize, steps: *mut isize, data: *mut c_void) {
    // SAFETY: NumPy's calling convention; `data` is what the ufunc was made with.
    let all = || unsafe {
        let this = &*data.cast::<Loop>();
        let count = *dims;
        if count <= 0 || run::has_left_exception() {
            return Ok(());
        }
        let _status = FloatStatus::get();
        let mut call = Call::new(this);
        if this.is_plain { call.plain(args, count, steps) } else { call.generalized(args, dims, steps) }
    };
    if catch_unwind(AssertUnwindSafe(all)).is_err() {
        let text = c"pydd runtime bug: a panic";
        // SAFETY: NumPy's calling convention, and one of CPython's classes.
        unsafe {
            let function = (*data.cast::<Loop>()).function;
            run::fail_with(function, &raw mut ffi::PyExc_SystemError, text, Exceptions::Told);
        }
    }
}

impl Loop {
    pub fn new(function: &'static Function, operands: Vec<Operand>, is_plain: bool) -> Self {
        let general = function.others.last().unwrap_or(&function.first).code;
        Self { function, operands, is_plain, fast: function.first.code, general }
    }
}

/// One run of items.
struct Call<'a> {
    this: &'a Loop,
    ctx: Ctx,
    words: Vec<u64>,
    owners: Vec<Owner>,
}

impl<'a> Call<'a> {
    fn new(this: &'a Loop) -> Self {
        let owners = this.operands.iter().map(|_| Owner::new(None, std::ptr::null_mut(), 0)).collect();
        let words = vec![0; this.function.spec.arg_words as usize];
        Self { this, ctx: run::context(this.function), words, owners }
    }

    /// Runs an entry on the words.
    fn enter(&mut self, code: Entry) -> Result<(), Failed> {
        // SAFETY: the words fit the spec.
        let is_well =
            unsafe { run::enter(&mut self.ctx, code, self.words.as_ptr(), std::ptr::dangling_mut()) };
        if !is_well {
            run::fail(self.this.function, &mut self.ctx, Exceptions::Told);
            return Err(Failed);
        }
        Ok(())
    }

    /// The words of operand `i`, an array.
    fn array(&mut self, i: usize, data: *mut u8, dims: &[isize], strides: &[isize]) {
        let owner = &mut self.owners[i];
        owner.data = data;
        let at = self.this.operands[i].word;
        let rank = dims.len();
        self.words[at] = data as u64;
        self.words[at + 1] = &raw mut *owner as u64;
        for k in 0..rank {
            self.words[at + 2 + k] = dims[k] as u64;
            self.words[at + 2 + rank + k] = strides[k] as u64;
        }
    }

    /// All elements of a plain ufunc.
    unsafe fn plain(
        &mut self,
        args: *mut *mut c_char,
        count: isize,
        steps: *mut isize,
    ) -> Result<(), Failed> {
        let operand = |(i, operand): (usize, &Operand)| {
            // SAFETY: there is one of each for each operand.
            let (data, step) = unsafe { ((*args.add(i)).cast(), *steps.add(i)) };
            Strided { data, step, size: item_size(operand.dtype) }
        };
        let operands: Vec<Strided> = self.this.operands.iter().enumerate().map(operand).collect();
        match self.sharing(&operands, count) {
            Sharing::Mixed => self.elements(self.this.general, &operands, count),
            Sharing::Apart if operands.iter().all(|each| each.is_contiguous(count)) => {
                self.elements(self.this.fast, &operands, count)
            }
            _ => self.parts(&operands, count),
        }
    }

    /// How outputs lie to all other operands, and to themselves.
    fn sharing(&self, operands: &[Strided], count: isize) -> Sharing {
        let mut found = Sharing::Apart;
        for (i, output) in operands.iter().enumerate().filter(|(i, _)| self.this.operands[*i].is_output) {
            if !output.is_spread(count) {
                return Sharing::Mixed;
            }
            for (k, other) in operands.iter().enumerate().filter(|(k, _)| *k != i) {
                match output.sharing(other, count) {
                    Sharing::Apart => {}
                    Sharing::Same if !self.this.operands[k].is_output => found = Sharing::Same,
                    _ => return Sharing::Mixed,
                }
            }
        }
        found
    }

    /// Some elements by one entry.
    fn elements(&mut self, code: Entry, operands: &[Strided], count: isize) -> Result<(), Failed> {
        for (i, operand) in operands.iter().enumerate() {
            let step = if count == 1 { operand.size } else { operand.step };
            self.array(i, operand.data, &[count], &[step]);
        }
        self.enter(code)
    }

    /// Copies what is not contiguous, and outputs that lie where inputs do, some elements at a time.
    fn parts(&mut self, operands: &[Strided], count: isize) -> Result<(), Failed> {
        let part = PART.min(count);
        let this = self.this;
        let is_shared = |i: usize| {
            let shares =
                |(k, other): (usize, &Strided)| k != i && operands[i].sharing(other, count) != Sharing::Apart;
            this.operands[i].is_output && operands.iter().enumerate().any(shares)
        };
        let is_copied = |i: usize| !operands[i].is_contiguous(count) || is_shared(i);
        let copied: Vec<bool> = (0..operands.len()).map(is_copied).collect();
        // Units of 16 bytes are aligned for all types.
        let units = |size: isize| (part * size) as usize / 16 + 1;
        let total = operands.iter().zip(&copied).map(|(o, c)| if *c { units(o.size) } else { 0 }).sum();
        let mut memory = vec![0u128; total];
        let mut room = memory.as_mut_ptr();
        let mut buffers = operands.to_vec();
        for (buffer, _) in buffers.iter_mut().zip(&copied).filter(|(_, copied)| **copied) {
            *buffer = Strided { data: room.cast(), step: buffer.size, size: buffer.size };
            room = room.wrapping_add(units(buffer.size));
        }
        let mut at = 0;
        while at < count {
            let n = part.min(count - at);
            let place = |i: usize| if copied[i] { buffers[i] } else { operands[i].from(at) };
            let now: Vec<Strided> = (0..operands.len()).map(place).collect();
            for (i, operand) in operands.iter().enumerate() {
                // One number for all is copied once.
                if copied[i] && !this.operands[i].is_output && (at == 0 || operand.step != 0) {
                    // SAFETY: elements of the operand, and a buffer that has room.
                    unsafe { operand.from(at).copy_to(&now[i], n) };
                }
            }
            self.elements(this.fast, &now, n)?;
            for (i, operand) in
                operands.iter().enumerate().filter(|(i, _)| copied[*i] && this.operands[*i].is_output)
            {
                // SAFETY: as above.
                unsafe { now[i].copy_to(&operand.from(at), n) };
            }
            at += n;
        }
        Ok(())
    }

    /// The items of a generalized ufunc: all at once where they lie without gaps, or are small; else large ones are better off one by one.
    unsafe fn generalized(
        &mut self,
        args: *mut *mut c_char,
        dims: *mut isize,
        steps: *mut isize,
    ) -> Result<(), Failed> {
        // SAFETY: by the caller's promise.
        let (count, items) = unsafe { (*dims, self.items(args, dims, steps)) };
        if items.iter().all(Items::is_contiguous) && self.is_apart(&items) {
            return self.enter_items(self.this.fast, &items);
        }
        let is_large = items.iter().any(|each| each.dims[1..].iter().product::<isize>() >= LARGE_ITEM);
        if !is_large {
            return self.enter_items(self.this.general, &items);
        }
        for at in 0..count {
            let one: Vec<Items> = items.iter().map(|each| each.one(at)).collect();
            let is_fast = one.iter().all(Items::is_contiguous) && self.is_apart(&one);
            self.enter_items(if is_fast { self.this.fast } else { self.this.general }, &one)?;
        }
        Ok(())
    }

    unsafe fn items(&self, args: *mut *mut c_char, dims: *mut isize, steps: *mut isize) -> Vec<Items> {
        // SAFETY: NumPy's calling convention. Steps from item to item come first, then those of each operand's core dimensions.
        let (dim, step) = unsafe { (|k: usize| *dims.add(k), |k: usize| *steps.add(k)) };
        let mut next = self.this.operands.len();
        let mut items = Vec::with_capacity(self.this.operands.len());
        for (i, operand) in self.this.operands.iter().enumerate() {
            let size = item_size(operand.dtype);
            // SAFETY: as above.
            let data = unsafe { (*args.add(i)).cast::<u8>() };
            let mut each = Items { data, dims: vec![dim(0)], strides: vec![step(i)], size };
            each.dims.extend(operand.core.iter().map(|k| dim(1 + *k)));
            each.strides.extend((next..next + operand.core.len()).map(step));
            next += operand.core.len();
            if each.dims.len() < operand.rank {
                each.dims.push(1);
                each.strides.push(size);
            }
            items.push(each);
        }
        items
    }

    fn enter_items(&mut self, code: Entry, items: &[Items]) -> Result<(), Failed> {
        for (i, each) in items.iter().enumerate() {
            self.array(i, each.data, &each.dims, &each.strides);
        }
        self.enter(code)
    }

    /// Whether outputs share no memory with other operands.
    fn is_apart(&self, items: &[Items]) -> bool {
        let is_output = |i: usize| self.this.operands[i].is_output;
        (0..items.len()).filter(|i| is_output(*i)).all(|i| {
            let (begin, end) = items[i].extent();
            (0..items.len()).filter(|k| *k != i).all(|k| {
                let other = items[k].extent();
                begin == end || other.0 == other.1 || end <= other.0 || other.1 <= begin
            })
        })
    }
}

/// From how many elements on an item is worth a call of its own.
const LARGE_ITEM: isize = 64;

/// Items of an operand of a generalized ufunc: an array whose first axis goes over them.
struct Items {
    data: *mut u8,
    dims: Vec<isize>,
    strides: Vec<isize>,
    size: isize,
}

impl Items {
    /// One of them.
    fn one(&self, at: isize) -> Self {
        let mut dims = self.dims.clone();
        dims[0] = 1;
        let data = self.data.wrapping_offset(at * self.strides[0]);
        Self { data, dims, strides: self.strides.clone(), size: self.size }
    }

    /// Whether they are row-major without gaps.
    fn is_contiguous(&self) -> bool {
        let mut expected = self.size;
        for (&dim, &stride) in self.dims.iter().zip(&self.strides).rev() {
            if dim > 1 && stride != expected {
                return self.dims.contains(&0);
            }
            expected *= dim;
        }
        true
    }

    /// First byte and end of what lies between their elements.
    fn extent(&self) -> (usize, usize) {
        let first = self.data as usize;
        if self.dims.contains(&0) {
            return (first, first);
        }
        let reaches = || self.dims.iter().zip(&self.strides).map(|(dim, stride)| (dim - 1) * stride);
        let back: isize = reaches().filter(|reach| *reach < 0).sum();
        let forth: isize = reaches().filter(|reach| *reach > 0).sum();
        (first.wrapping_add_signed(back), first.wrapping_add_signed(forth + self.size))
    }
}
