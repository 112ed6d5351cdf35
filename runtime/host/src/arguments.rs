//! The arguments of a call: the caller's words become the kernel's.
//!
//! Unsafe here: words are read as the spec types them; lists are ours.

use pydd_abi::{
    DTypeCode, ExcKind, FunctionSpec, List, Owner, PARAM_WRITTEN, SPARSE_CSC, TypeKind, TypeSpec, words,
};
use pydd_core::array::{extent, is_row_major, offset_by};
use pydd_core::spec::{items, text};
use pydd_core::{list, owner};

/// Why a call is refused.
pub type Refused = (ExcKind, String);

/// An array argument: where its words begin among the kernel's.
struct Passed {
    word: usize,
    dtype: DTypeCode,
    rank: usize,
    written: bool,
    /// What the caller says that the array is owned by, or null.
    owner: *mut Owner,
}

pub struct Arguments {
    words: Vec<u64>,
    arrays: Vec<Passed>,
    /// What stands for the arrays to the kernel, one for each.
    owners: Vec<Owner>,
    /// Copies of the caller's lists.
    lists: Vec<*mut List>,
}

/// What is read, and for whom.
struct Reader<'a> {
    all: &'a mut Arguments,
    from: *const u64,
    name: &'static str,
    written: bool,
}

impl Arguments {
    /// # Safety
    /// The words of the function's arguments, as the crate's head says.
    pub unsafe fn new(function: &FunctionSpec, args: *const u64) -> Result<Self, Refused> {
        let count = function.arg_words as usize;
        // An array has two words at least; owners must not move once the kernel's words point to them.
        let (arrays, owners) = (Vec::new(), Vec::with_capacity(count / 2));
        let mut all = Self { words: Vec::with_capacity(count), arrays, owners, lists: Vec::new() };
        let mut from = args;
        // SAFETY: by the caller's promise.
        for param in unsafe { items(function.params, function.n_params) } {
            // SAFETY: a string of the spec.
            let name = unsafe { text(param.name) };
            let written = param.flags & PARAM_WRITTEN != 0;
            let mut reader = Reader { all: &mut all, from, name, written };
            // SAFETY: by the caller's promise.
            unsafe { reader.value(&param.ty)? };
            from = reader.from;
        }
        Ok(all)
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// What the caller says that an argument is owned by, whose owner this is to the kernel; `None` for other owners.
    pub fn caller_of(&self, owner: *mut Owner) -> Option<*mut Owner> {
        self.owners.iter().position(|own| std::ptr::eq(own, owner)).map(|at| self.arrays[at].owner)
    }

    fn dims(&self, array: &Passed) -> (Vec<i64>, Vec<i64>) {
        let axes = |first: usize| {
            self.words[first..first + array.rank].iter().map(|word| word.cast_signed()).collect()
        };
        (axes(array.word + 2), axes(array.word + 2 + array.rank))
    }

    /// Whether all arrays are row-major without gaps, and their elements aligned.
    pub fn are_contiguous(&self) -> bool {
        self.arrays.iter().all(|array| {
            let (dims, strides) = self.dims(array);
            is_row_major(array.dtype.size(), &dims, &strides)
                && (self.words[array.word] as usize).is_multiple_of(alignment(array.dtype))
        })
    }

    /// Whether no array that is written may share bytes with another one. Lists are copies, so they are always apart.
    pub fn are_apart(&self) -> bool {
        let extents: Vec<(usize, usize)> = self
            .arrays
            .iter()
            .map(|array| {
                let (dims, strides) = self.dims(array);
                extent(self.words[array.word] as usize, array.dtype.size(), &dims, &strides)
            })
            .collect();
        let meets = |a: usize, b: usize| {
            let ((begin, end), other) = (extents[a], extents[b]);
            a != b && begin < end && other.0 < other.1 && begin < other.1 && other.0 < end
        };
        let written = (0..self.arrays.len()).filter(|&a| self.arrays[a].written);
        !written.into_iter().any(|a| (0..self.arrays.len()).any(|b| meets(a, b)))
    }
}

/// Of C's type: complex numbers are aligned as their parts.
const fn alignment(dtype: DTypeCode) -> usize {
    match dtype {
        DTypeCode::C64 => 4,
        DTypeCode::C128 => 8,
        other => other.size(),
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
                        self.all.words.push(word);
                    }
                    Ok(())
                }
            }
        }
    }

    /// The caller's array: data, owner, dimensions, strides in bytes.
    unsafe fn read_array(
        &mut self,
        dtype: DTypeCode,
        rank: usize,
    ) -> Result<(u64, *mut Owner, Vec<i64>, Vec<i64>), Refused> {
        let name = self.name;
        // SAFETY: the words of an array.
        let (data, owner, dims, strides) = unsafe {
            let (data, owner) = (self.next(), self.next() as *mut Owner);
            let mut axes = || (0..rank).map(|_| self.next().cast_signed()).collect::<Vec<i64>>();
            (data, owner, axes(), axes())
        };
        let wrong = |text: &str| (ExcKind::ValueError, format!("argument '{name}' {text}"));
        if dims.iter().any(|&dim| dim < 0) {
            return Err(wrong("has a negative dimension"));
        }
        let size = dtype.size() as i64;
        let reach = |step: i64, dim: i64| step.checked_mul((dim - 1).max(0)).filter(|r| r.abs() < 1 << 60);
        let total = dims.iter().try_fold(size, |total, &dim| total.checked_mul(dim.max(1)));
        let strides: Option<Vec<i64>> = strides.iter().map(|stride| stride.checked_mul(size)).collect();
        let fits = |strides: &Vec<i64>| strides.iter().zip(&dims).all(|(&s, &d)| reach(s, d).is_some());
        let Some(strides) = strides.filter(|strides| total.is_some() && fits(strides)) else {
            return Err(wrong("is larger than the address space"));
        };
        if data == 0 && !dims.contains(&0) {
            return Err(wrong("has elements, but no memory (data is null)"));
        }
        Ok((data, owner, dims, strides))
    }

    unsafe fn array(&mut self, dtype: DTypeCode, rank: usize) -> Result<(), Refused> {
        // SAFETY: the words of an array.
        let (data, owner, dims, strides) = unsafe { self.read_array(dtype, rank)? };
        let all = &mut *self.all;
        all.arrays.push(Passed { word: all.words.len(), dtype, rank, written: self.written, owner });
        all.owners.push(Owner::new(None, data as *mut u8, 0));
        let own = all.owners.last().map_or(std::ptr::null(), std::ptr::from_ref);
        all.words.extend([data, own as u64]);
        all.words.extend(dims.iter().chain(&strides).map(|axis| axis.cast_unsigned()));
        Ok(())
    }

    /// A sparse matrix: its arrays have no gaps and fit each other.
    unsafe fn sparse(&mut self, ty: &TypeSpec) -> Result<(), Refused> {
        let first = self.all.arrays.len();
        // SAFETY: the words of its parts.
        unsafe { items(ty.items, ty.n_items).iter().try_for_each(|part| self.value(part))? };
        let (all, name) = (&*self.all, self.name);
        let wrong = |text: String| Err((ExcKind::ValueError, format!("argument '{name}' {text}")));
        let parts: Vec<(Vec<i64>, Vec<i64>)> =
            all.arrays[first..].iter().map(|part| all.dims(part)).collect();
        let plain = all.arrays[first..].iter().zip(&parts).all(|(part, (dims, strides))| {
            is_row_major(part.dtype.size(), dims, strides)
                && (all.words[part.word] as usize).is_multiple_of(alignment(part.dtype))
        });
        if !plain {
            return wrong("has a part with gaps or off its alignment".to_owned());
        }
        let [rows, columns] = [2, 1].map(|back| all.words[all.words.len() - back].cast_signed());
        if rows < 0 || columns < 0 {
            return wrong("has a negative dimension".to_owned());
        }
        let lines = if ty.rank & SPARSE_CSC == 0 { rows } else { columns };
        let [indptr, indices, data] = [0, 1, 2].map(|part: usize| parts[part].0[0]);
        if indptr != lines.saturating_add(1) || indices != data {
            return wrong(format!(
                "does not fit together: {lines} lines and {indptr} row pointers, {indices} indices and {data} values"
            ));
        }
        Ok(())
    }

    unsafe fn list(&mut self, dtype: DTypeCode) -> Result<(), Refused> {
        // SAFETY: the words of an array of one axis.
        let (data, _, dims, strides) = unsafe { self.read_array(dtype, 1)? };
        let (len, stride, size) = (dims[0], strides[0], dtype.size());
        let made = list::new(dtype, len).map_err(|error| (error.kind, error.message))?;
        self.all.lists.push(made);
        // SAFETY: the list has room for `len` elements, which the caller's array has.
        unsafe {
            let to = (*made).data;
            for i in 0..len {
                let from = offset_by(data as *mut u8, i * stride);
                std::ptr::copy_nonoverlapping(from, to.add(i as usize * size), size);
            }
        }
        self.all.words.push(made as u64);
        Ok(())
    }
}
