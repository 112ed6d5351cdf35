//! The arguments of a call: the caller's words become the kernel's.
//!
//! Unsafe here: words are read as the spec types them; lists are ours.

use pydd_abi::{
    DTypeCode, ExcKind, FunctionSpec, List, Owner, PARAM_COLUMN_MAJOR, PARAM_WRITTEN, SPARSE_CSC, TypeKind,
    TypeSpec, words,
};
use pydd_core::array::{self, extent, offset_by};
use pydd_core::spec::{Guarded, LARGE, items, text};
use pydd_core::{list, owner};

/// Why a call is refused.
pub type Refused = (ExcKind, String);

/// An array argument: where its words begin among the kernel's.
struct Passed {
    word: usize,
    dtype: DTypeCode,
    rank: usize,
    written: bool,
    column_major: bool,
    /// What stands for it to the kernel.
    own: Owner,
    /// What the caller says that it is owned by, or null.
    callers: *mut Owner,
}

pub struct Arguments {
    /// Those that the kernel takes.
    words: Vec<i64>,
    /// Never moved, as the kernel's words point to owners in it.
    arrays: Vec<Passed>,
    /// Copies of the caller's lists.
    lists: Vec<*mut List>,
}

/// What is read, and for whom.
struct Reader<'a> {
    all: &'a mut Arguments,
    from: *const u64,
    name: &'static str,
    flags: u32,
}

impl Arguments {
    /// # Safety
    /// The words of the function's arguments, as the crate's head says.
    pub unsafe fn new(function: &FunctionSpec, args: *const u64) -> Result<Self, Refused> {
        let count = function.arg_words as usize;
        // An array has two words at least.
        let mut all = Self {
            words: Vec::with_capacity(count),
            arrays: Vec::with_capacity(count / 2),
            lists: Vec::new(),
        };
        let mut from = args;
        // SAFETY: by the caller's promise.
        for param in unsafe { items(function.params, function.n_params) } {
            // SAFETY: a string of the spec.
            let name = unsafe { text(param.name) };
            let mut reader = Reader { all: &mut all, from, name, flags: param.flags };
            // SAFETY: by the caller's promise.
            unsafe { reader.value(&param.ty)? };
            from = reader.from;
        }
        Ok(all)
    }

    pub fn words(&self) -> *const u64 {
        self.words.as_ptr().cast()
    }

    /// What the caller says that an argument is owned by, whose owner this is to the kernel; `None` for other owners.
    pub fn caller_of(&self, owner: *mut Owner) -> Option<*mut Owner> {
        let is_its = |array: &&Passed| std::ptr::eq(&raw const array.own, owner);
        self.arrays.iter().find(is_its).map(|array| array.callers)
    }

    fn data(&self, array: &Passed) -> usize {
        self.words[array.word].cast_unsigned() as usize
    }

    /// Dimensions, and strides in bytes.
    fn axes(&self, array: &Passed) -> (&[i64], &[i64]) {
        self.words[array.word + 2..array.word + 2 + 2 * array.rank].split_at(array.rank)
    }

    /// Whether it lies as its parameter expects it.
    fn is_contiguous(&self, array: &Passed) -> bool {
        array::is_contiguous(array.dtype, self.data(array), self.axes(array), array.column_major)
    }
}

impl Guarded for Arguments {
    fn are_contiguous(&self) -> bool {
        self.arrays.iter().all(|array| self.is_contiguous(array))
    }

    /// Lists are copies, so they are always apart.
    fn are_apart(&self) -> bool {
        let extent = |array: &Passed| {
            let (dims, strides) = self.axes(array);
            extent(self.data(array), array.dtype.size(), dims, strides)
        };
        let meets = |a: &Passed, b: &Passed| {
            let (first, second) = (extent(a), extent(b));
            a.word != b.word
                && first.0 < first.1
                && second.0 < second.1
                && first.0 < second.1
                && second.0 < first.1
        };
        let mut written = self.arrays.iter().filter(|array| array.written);
        !written.any(|a| self.arrays.iter().any(|b| meets(a, b)))
    }

    fn are_large(&self) -> bool {
        let bytes = |array: &Passed| {
            let dims = self.axes(array).0.iter();
            dims.fold(array.dtype.size() as i64, |bytes, &dim| bytes.saturating_mul(dim))
        };
        self.arrays.is_empty() || self.arrays.iter().map(bytes).fold(0, i64::saturating_add) > LARGE as i64
    }
}

impl Drop for Arguments {
    fn drop(&mut self) {
        for &list in &self.lists {
            // SAFETY: a list of ours, with one count for us.
            unsafe { owner::release(list.cast()) };
        }
    }
}

impl Reader<'_> {
    unsafe fn next(&mut self) -> u64 {
        // SAFETY: the caller's words are as many as the types say.
        unsafe {
            let word = *self.from;
            self.from = self.from.add(1);
            word
        }
    }

    unsafe fn value(&mut self, ty: &TypeSpec) -> Result<(), Refused> {
        // SAFETY: the caller's words are as the types say.
        unsafe {
            match ty.kind {
                TypeKind::Array => self.array(ty.dtype, usize::from(ty.rank)),
                TypeKind::List => self.list(ty.dtype),
                TypeKind::Tuple => items(ty.items, ty.n_items).iter().try_for_each(|item| self.value(item)),
                TypeKind::Sparse => self.sparse(ty),
                TypeKind::Dict | TypeKind::Set | TypeKind::Tuples | TypeKind::Lists => {
                    let text = format!("argument '{}' is of a type that only Python can pass", self.name);
                    Err((ExcKind::TypeError, text))
                }
                _ => {
                    for _ in 0..words::of(ty) {
                        let word = self.next();
                        self.all.words.push(word.cast_signed());
                    }
                    Ok(())
                }
            }
        }
    }

    fn wrong(&self, text: &str) -> Refused {
        (ExcKind::ValueError, format!("argument '{}' {text}", self.name))
    }

    /// Puts dimensions and strides, these in bytes, behind the words.
    unsafe fn axes(&mut self, size: i64, rank: usize, data: u64) -> Result<(), Refused> {
        let (mut total, mut is_empty, mut fits) = (Some(size), false, true);
        for _ in 0..rank {
            // SAFETY: the words of an array.
            let dim = unsafe { self.next() }.cast_signed();
            if dim < 0 {
                return Err(self.wrong("has a negative dimension"));
            }
            is_empty |= dim == 0;
            total = total.and_then(|total| total.checked_mul(dim.max(1)));
            self.all.words.push(dim);
        }
        for _ in 0..rank {
            let dim = self.all.words[self.all.words.len() - rank];
            // SAFETY: as above.
            let stride = unsafe { self.next() }.cast_signed().checked_mul(size);
            let reach = stride.and_then(|stride| stride.checked_mul((dim - 1).max(0)));
            fits &= reach.is_some_and(|reach| reach.unsigned_abs() < 1 << 60);
            self.all.words.push(stride.unwrap_or(0));
        }
        if total.is_none() || !fits {
            return Err(self.wrong("is larger than the address space"));
        }
        if data == 0 && !is_empty {
            return Err(self.wrong("has elements, but no memory (data is null)"));
        }
        Ok(())
    }

    unsafe fn array(&mut self, dtype: DTypeCode, rank: usize) -> Result<(), Refused> {
        // SAFETY: the words of an array.
        let (data, callers) = unsafe { (self.next(), self.next() as *mut Owner) };
        let all = &mut *self.all;
        let word = all.words.len();
        let own = Owner::new(None, data as *mut u8, 0);
        let [written, column_major] = [PARAM_WRITTEN, PARAM_COLUMN_MAJOR].map(|flag| self.flags & flag != 0);
        all.arrays.push(Passed { word, dtype, rank, written, column_major, own, callers });
        let own = all.arrays.last().map_or(std::ptr::null(), |array| &raw const array.own);
        all.words.extend([data.cast_signed(), own as i64]);
        // SAFETY: the words of an array.
        unsafe { self.axes(dtype.size() as i64, rank, data) }
    }

    /// A sparse matrix: its arrays have no gaps and fit each other.
    unsafe fn sparse(&mut self, ty: &TypeSpec) -> Result<(), Refused> {
        let first = self.all.arrays.len();
        // SAFETY: the words of its parts.
        unsafe { items(ty.items, ty.n_items).iter().try_for_each(|part| self.value(part))? };
        let all = &*self.all;
        let parts = &all.arrays[first..];
        if !parts.iter().all(|part| all.is_contiguous(part)) {
            return Err(self.wrong("has a part with gaps or off its alignment"));
        }
        let [rows, columns] = [2, 1].map(|back| all.words[all.words.len() - back]);
        if rows < 0 || columns < 0 {
            return Err(self.wrong("has a negative dimension"));
        }
        let lines = if ty.rank & SPARSE_CSC == 0 { rows } else { columns };
        let [indptr, indices, data] = [0, 1, 2].map(|part: usize| all.axes(&parts[part]).0[0]);
        if indptr != lines.saturating_add(1) || indices != data {
            return Err(self.wrong(&format!(
                "does not fit together: {lines} lines and {indptr} row pointers, {indices} indices and {data} values"
            )));
        }
        Ok(())
    }

    unsafe fn list(&mut self, dtype: DTypeCode) -> Result<(), Refused> {
        let word = self.all.words.len();
        // SAFETY: the words of an array of one axis, whose owner is not needed.
        let data = unsafe {
            let (data, _) = (self.next(), self.next());
            self.axes(dtype.size() as i64, 1, data)?;
            data as *mut u8
        };
        // They give way to the list.
        let (len, stride, size) = (self.all.words[word], self.all.words[word + 1], dtype.size());
        self.all.words.truncate(word);
        let made = list::new(dtype, len).map_err(|error| (error.kind, error.message))?;
        self.all.lists.push(made);
        // SAFETY: the list has room for `len` elements, which the caller's array has.
        unsafe {
            for i in 0..len {
                let to = (*made).data.add(i as usize * size);
                std::ptr::copy_nonoverlapping(offset_by(data, i * stride), to, size);
            }
        }
        self.all.words.push(made as i64);
        Ok(())
    }
}
