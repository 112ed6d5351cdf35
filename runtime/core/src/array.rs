//! Reading arrays of any strides: the safe side of [`ArrayRef`].
//!
//! Unsafe here: the element reads. An `ArrayRef` that generated code passes describes memory that is
//! alive during the call; elements may be at any address, so they are read unaligned.

use pydd_abi::{ArrayRef, DTypeCode};

/// Shape and strides (in bytes) of an array, and its first element's address.
#[derive(Clone, Copy)]
pub struct Array<'a> {
    pub data: *mut u8,
    pub dtype: DTypeCode,
    pub dims: &'a [i64],
    pub strides: &'a [i64],
}

impl<'a> Array<'a> {
    /// # Safety
    /// `array` is valid by the ABI's rules for `'a`.
    #[must_use]
    pub unsafe fn new(array: &'a ArrayRef) -> Self {
        let rank = i64::from(array.rank);
        // SAFETY: `rank` dimensions and strides, by the caller's promise.
        let (dims, strides) =
            unsafe { (crate::owner::slice(array.dims, rank), crate::owner::slice(array.strides, rank)) };
        Self { data: array.data, dtype: array.dtype, dims, strides }
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.dims.iter().map(|&d| usize::try_from(d).unwrap_or(0)).product()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dims.contains(&0)
    }

    /// The part without the first `n` axes, at the given byte offset.
    #[must_use]
    pub fn inner(&self, n: usize, offset: i64) -> Array<'a> {
        Array {
            data: offset_by(self.data, offset),
            dims: &self.dims[n..],
            strides: &self.strides[n..],
            ..*self
        }
    }

    /// All elements in C order.
    ///
    /// # Safety
    /// The elements are alive and of type `T`.
    #[must_use]
    pub unsafe fn pack<T: Copy>(&self) -> Vec<T> {
        let mut out = Vec::with_capacity(self.len());
        // SAFETY: as promised by the caller.
        unsafe { self.pack_into(&mut out) };
        out
    }

    /// # Safety
    /// As [`Array::pack`].
    unsafe fn pack_into<T: Copy>(&self, out: &mut Vec<T>) {
        let (Some(&dim), Some(&stride)) = (self.dims.first(), self.strides.first()) else {
            // SAFETY: one element, alive; unaligned reads work anywhere.
            out.push(unsafe { self.data.cast::<T>().read_unaligned() });
            return;
        };
        if self.dims.len() == 1 {
            // SAFETY: element `i`, alive; unaligned reads work anywhere.
            let read = |i| unsafe { offset_by(self.data, i * stride).cast::<T>().read_unaligned() };
            out.extend((0..dim).map(read));
            return;
        }
        for i in 0..dim {
            // SAFETY: element `i` of the first axis, within the dimensions.
            unsafe { self.inner(1, i * stride).pack_into(out) };
        }
    }

    /// All elements in C order: those of the array where they adjoin, else copies, which `packed` keeps.
    ///
    /// # Safety
    /// As [`Array::pack`]; nothing writes the elements while the slice lives.
    pub unsafe fn elements<'b, T: Copy>(&self, packed: &'b mut Vec<T>) -> &'b [T]
    where
        'a: 'b,
    {
        let adjoin = self.is_aligned::<T>() && is_row_major(size_of::<T>(), self.dims, self.strides);
        if adjoin && !self.is_empty() {
            // SAFETY: that many adjoining aligned elements, by the caller's promise.
            return unsafe { std::slice::from_raw_parts(self.data.cast(), self.len()) };
        }
        // SAFETY: by the caller's promise.
        *packed = unsafe { self.pack::<T>() };
        packed
    }

    /// Whether elements of type `T` lie where aligned accesses and whole strides reach them.
    #[must_use]
    pub fn is_aligned<T>(&self) -> bool {
        let item = i64::try_from(size_of::<T>()).unwrap_or(1);
        (self.data as usize).is_multiple_of(align_of::<T>()) && self.strides.iter().all(|s| s % item == 0)
    }
}

/// Reads an element as a scalar's words.
///
/// # Safety
/// `from` points to an element, at any address.
#[must_use]
pub unsafe fn load(dtype: DTypeCode, from: *const u8) -> [u64; 2] {
    // SAFETY: by the caller's promise.
    unsafe {
        match dtype {
            DTypeCode::Bool | DTypeCode::U8 => [(*from).into(), 0],
            DTypeCode::I8 => [from.cast::<i8>().read() as u64, 0],
            DTypeCode::I16 => [from.cast::<i16>().read_unaligned() as u64, 0],
            DTypeCode::U16 => [from.cast::<u16>().read_unaligned().into(), 0],
            DTypeCode::I32 => [from.cast::<i32>().read_unaligned() as u64, 0],
            DTypeCode::U32 | DTypeCode::F32 => [from.cast::<u32>().read_unaligned().into(), 0],
            DTypeCode::C64 => from.cast::<[u32; 2]>().read_unaligned().map(u64::from),
            DTypeCode::I64 | DTypeCode::U64 | DTypeCode::F64 => [from.cast::<u64>().read_unaligned(), 0],
            DTypeCode::C128 => from.cast::<[u64; 2]>().read_unaligned(),
        }
    }
}

/// Whether elements adjoin in C order, whose strides are in bytes.
#[must_use]
pub fn is_row_major(item: usize, dims: &[i64], strides: &[i64]) -> bool {
    dims.contains(&0) || adjoin(item, dims.iter().zip(strides).rev())
}

/// Whether an array is row-major, or column-major (Fortran's order), without gaps, and its elements are aligned: what
/// [`GUARD_CONTIGUOUS`](pydd_abi::GUARD_CONTIGUOUS) says. Strides are in bytes.
#[must_use]
pub fn is_contiguous(dtype: DTypeCode, data: usize, axes: (&[i64], &[i64]), column_major: bool) -> bool {
    let (dims, strides) = axes;
    let item = dtype.size();
    // Of C's type: complex numbers are aligned as their parts.
    let alignment = match dtype {
        DTypeCode::C64 => 4,
        DTypeCode::C128 => 8,
        _ => item,
    };
    let adjoin = if column_major {
        dims.contains(&0) || adjoin(item, dims.iter().zip(strides))
    } else {
        is_row_major(item, dims, strides)
    };
    adjoin && data.is_multiple_of(alignment)
}

/// Lengths and strides of axes, the innermost first.
fn adjoin<'a>(item: usize, mut axes: impl Iterator<Item = (&'a i64, &'a i64)>) -> bool {
    let mut step = item as i64;
    axes.all(|(&dim, &stride)| {
        let adjoins = dim == 1 || stride == step;
        step *= dim;
        adjoins
    })
}

/// First byte and end of what lies between the elements of an array, whose strides are in bytes; nothing of one without elements.
#[must_use]
pub fn extent(data: usize, item: usize, dims: &[i64], strides: &[i64]) -> (usize, usize) {
    let (mut begin, mut end) = (data, data + item);
    for (&dim, &stride) in dims.iter().zip(strides) {
        if dim == 0 {
            return (data, data);
        }
        let reach = ((dim - 1) * stride) as isize;
        if reach < 0 {
            begin = begin.wrapping_add_signed(reach);
        } else {
            end = end.wrapping_add_signed(reach);
        }
    }
    (begin, end)
}

/// An address moved by bytes.
#[must_use]
pub fn offset_by(data: *mut u8, bytes: i64) -> *mut u8 {
    // Lossless: pointers have 64 bits on all supported machines.
    data.wrapping_offset(bytes as isize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::view;

    #[test]
    fn arrays_are_contiguous_in_one_order_or_both() {
        let orders = |dims: &[i64], strides: &[i64]| {
            [false, true].map(|column_major| is_contiguous(DTypeCode::F64, 64, (dims, strides), column_major))
        };
        assert_eq!(orders(&[3, 4], &[32, 8]), [true, false]);
        assert_eq!(orders(&[3, 4], &[8, 24]), [false, true]);
        assert_eq!(orders(&[2, 3, 4], &[8, 16, 48]), [false, true]);
        assert_eq!(orders(&[2, 3, 4], &[48, 8, 16]), [false, false]);
        assert_eq!(orders(&[5], &[8]), [true, true]);
        assert_eq!(orders(&[1, 4], &[1000, 8]), [true, true], "no step along an axis of one");
        assert_eq!(orders(&[0, 4], &[7, 7]), [true, true]);
        assert_eq!(orders(&[3, 4], &[64, 16]), [false, false]);
        assert_eq!(orders(&[3, 4], &[-8, 24]), [false, false]);
        assert!(!is_contiguous(DTypeCode::F64, 4, (&[3], &[8]), true), "off its alignment");
        assert!(is_contiguous(DTypeCode::C128, 8, (&[3], &[16]), true));
    }

    #[test]
    fn packing_follows_any_strides() {
        let mut data: Vec<i32> = (0..12).collect();
        let base = data.as_mut_ptr();
        let pack = |ptr, dims: &[i64], strides: &[i64]| {
            let v = view(ptr, DTypeCode::I32, dims, strides);
            // SAFETY: within `data`.
            unsafe { Array::new(&v.array).pack::<i32>() }
        };
        assert_eq!(pack(base, &[2, 3], &[1, 4]), [0, 4, 8, 1, 5, 9]);
        // SAFETY: within `data`.
        assert_eq!(pack(unsafe { base.add(3) }, &[4], &[-1]), [3, 2, 1, 0]);
        assert_eq!(pack(base, &[2, 2], &[0, 0]), [0; 4]);
        assert_eq!(pack(base, &[3, 0], &[1, 1]), [0i32; 0]);
        assert_eq!(pack(base, &[], &[]), [0]);
    }
}
