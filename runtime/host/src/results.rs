//! The results of a call: the kernel's words become the caller's.
//!
//! Unsafe here: words are read as the spec types them. Every array and list comes with one count, which goes to the caller.

use crate::arguments::{Arguments, Refused};
use pydd_abi::{ExcKind, List, Owner, TypeKind, TypeSpec, words};
use pydd_core::array::Array;
use pydd_core::owner::{release, retain};
use pydd_core::spec::items;
use std::ptr;

/// How many words the caller gets: a list is an array of one axis there.
pub fn words(ty: &TypeSpec) -> usize {
    // SAFETY: specs are constants that live for ever.
    let all = || unsafe { items(ty.items, ty.n_items) }.iter().map(words).sum::<usize>();
    match ty.kind {
        TypeKind::List => words::array(1),
        TypeKind::Maybe => 1 + all(),
        TypeKind::Tuple | TypeKind::Sparse => all(),
        // SAFETY: as above.
        _ => unsafe { words::of(ty) },
    }
}

pub struct Results<'a> {
    arguments: &'a Arguments,
    from: &'a [u64],
    out: Vec<u64>,
    /// What the caller will own.
    owners: Vec<*mut Owner>,
    failure: Option<Refused>,
}

impl<'a> Results<'a> {
    /// The words that a caller gets for those that a kernel gave.
    ///
    /// # Safety
    /// The words of results of this type, with their counts.
    pub unsafe fn convert(
        arguments: &'a Arguments,
        ty: &TypeSpec,
        from: &'a [u64],
    ) -> Result<Vec<u64>, Refused> {
        let mut all = Self { arguments, from, out: Vec::new(), owners: Vec::new(), failure: None };
        // SAFETY: by the caller's promise.
        unsafe {
            all.value(ty, true);
            let Some(failure) = all.failure else { return Ok(all.out) };
            all.owners.into_iter().for_each(|owner| release(owner));
            Err(failure)
        }
    }

    fn next(&mut self) -> u64 {
        let (&first, rest) = self.from.split_first().unwrap_or((&0, &[]));
        self.from = rest;
        first
    }

    /// `is_there`: not of a value that is None.
    unsafe fn value(&mut self, ty: &TypeSpec, is_there: bool) {
        // SAFETY: words as the spec types them.
        unsafe {
            let types = items(ty.items, ty.n_items);
            match ty.kind {
                TypeKind::Array => self.array(ty, is_there),
                TypeKind::List => self.list(is_there),
                TypeKind::Maybe => {
                    let flag = self.next() & 1;
                    self.out.push(flag);
                    types.iter().for_each(|value| self.value(value, is_there && flag == 1));
                }
                TypeKind::Tuple | TypeKind::Sparse => {
                    types.iter().for_each(|item| self.value(item, is_there))
                }
                _ => {
                    for _ in 0..words::of(ty) {
                        let word = self.next();
                        self.out.push(word);
                    }
                }
            }
        }
    }

    unsafe fn array(&mut self, ty: &TypeSpec, is_there: bool) {
        let rank = usize::from(ty.rank);
        let (mut data, mut owner) = (self.next(), self.next() as *mut Owner);
        let dims: Vec<i64> = (0..rank).map(|_| self.next().cast_signed()).collect();
        let mut strides: Vec<i64> = (0..rank).map(|_| self.next().cast_signed()).collect();
        let size = ty.dtype.size() as i64;
        if !is_there {
            // SAFETY: the owner of a result, or an argument's, which is ours.
            unsafe { release(owner) };
            self.out.extend(std::iter::repeat_n(0, words::array(rank)));
            return;
        }
        // SAFETY: an array's words, with one count of the owner for us (arguments' owners need none).
        unsafe {
            if let Some(callers) = self.arguments.caller_of(owner) {
                owner = callers;
                retain(owner);
            } else if owner.is_null() {
                // Memory of the module, which must stay as it is.
                let array = Array { data: data as *mut u8, dtype: ty.dtype, dims: &dims, strides: &strides };
                match copy(&array) {
                    Ok(made) => owner = made,
                    Err(failure) => self.failure = Some(failure),
                }
                if let Some(made) = owner.as_ref() {
                    data = made.data as u64;
                    strides = row_major(&dims, size);
                }
            }
        }
        self.owners.push(owner);
        let steps = dims.iter().zip(&strides).all(|(&dim, stride)| dim < 2 || stride % size == 0);
        if !steps {
            let text = "the result's elements lie at parts of their size".to_owned();
            self.failure = Some((ExcKind::NotImplementedError, text));
        }
        self.out.extend([data, owner as u64]);
        self.out.extend(dims.iter().map(|dim| dim.cast_unsigned()));
        self.out.extend(strides.iter().map(|stride| (stride / size).cast_unsigned()));
    }

    unsafe fn list(&mut self, is_there: bool) {
        let list = self.next() as *mut List;
        // SAFETY: null, or a live list with one count for us.
        unsafe {
            match list.as_ref() {
                Some(list) if is_there => {
                    self.out.extend([
                        list.data as u64,
                        ptr::from_ref(list) as u64,
                        list.len.cast_unsigned(),
                        1,
                    ]);
                }
                _ => {
                    release(list.cast());
                    self.out.extend([0; 4]);
                }
            }
            if is_there {
                self.owners.push(list.cast());
            }
        }
    }
}

fn row_major(dims: &[i64], item: i64) -> Vec<i64> {
    let mut strides = vec![item; dims.len()];
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis].wrapping_mul(dims[axis].max(1));
    }
    strides
}

/// An array with the same elements, of its own.
///
/// # Safety
/// The elements are alive.
unsafe fn copy(array: &Array) -> Result<*mut Owner, Refused> {
    let made = pydd_core::owner::new_array(array.dims, array.dtype.size() as i64, false)
        .map_err(|error| (error.kind, error.message))?;
    macro_rules! copied {
        ($ty:ty) => {{
            // SAFETY: by the caller's promise; there is room for all elements.
            unsafe {
                let elements = array.pack::<$ty>();
                ptr::copy_nonoverlapping(elements.as_ptr(), (*made).data.cast(), elements.len());
            }
        }};
    }
    match array.dtype.size() {
        1 => copied!(u8),
        2 => copied!(u16),
        4 => copied!(u32),
        8 => copied!(u64),
        _ => copied!([u64; 2]),
    }
    Ok(made)
}
