//! How slices of each element type are sorted.
//!
//! Short integers and floats go by digits (the crate `radsort`), all else by comparison: equal numbers cannot be told
//! apart, so the sort of the standard library that keeps no order is stable enough, given that zeros of both signs are
//! put back in their order. NaNs are set apart first, lest each comparison ask for them. Indices are sorted as
//! integers that hold a key and the index behind it.

use crate::{parallel, pool};
use num_complex::Complex;
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;

/// Elements worth several threads.
const PARALLEL: usize = 1 << 16;

/// Elements that one thread sorts at least, of those that share a row.
const PART: usize = 1 << 14;

/// Elements that can be sorted as NumPy does it.
pub trait Sortable: Copy + Send + Sync {
    /// Sorts a slice: stable, NaN last.
    fn sort(row: &mut [Self]);

    /// Calls `each` with the indices of elements in the order that [`Sortable::sort`] brings them into.
    fn indices(keys: &[Self], each: impl FnMut(i64));
}

/// The pool, where a slice of this length is worth its threads.
fn threads(len: usize) -> Option<std::sync::Arc<pool::Pool>> {
    if len < PARALLEL || parallel::in_region() { None } else { pool::pool() }
}

/// Sorts where equal items cannot be told apart, by several threads where that is worth it.
fn unstable<T: Send>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering + Send + Sync) {
    match threads(items.len()) {
        Some(pool) => {
            // A power of two, at least as many parts as threads.
            let depth = usize::BITS - pool.threads.saturating_sub(1).leading_zeros();
            pool.rayon.install(|| halves(items, &order, depth));
        }
        None => items.sort_unstable_by(order),
    }
}

/// Sorts the halves below and above the median by two threads each.
fn halves<T: Send>(items: &mut [T], order: &(impl Fn(&T, &T) -> Ordering + Sync), depth: u32) {
    if depth == 0 || items.len() < 2 * PART {
        items.sort_unstable_by(order);
        return;
    }
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, order);
    let (below, above) = items.split_at_mut(middle);
    rayon::join(|| halves(below, order, depth - 1), || halves(above, order, depth - 1));
}

/// Sorts by a key that is an integer of 32 bits at most, in the upper half of each item.
fn by_upper_half(items: &mut [u64], bits: u32) {
    if threads(items.len()).is_some() || items.len() < least_for_digits(bits) {
        unstable(items, u64::cmp);
    } else if bits <= 16 {
        radsort::sort_by_key(items, |&item| (item >> 32) as u16);
    } else {
        radsort::sort_by_key(items, |&item| (item >> 32) as u32);
    }
}

/// How many keys of so many bits are faster sorted by digits than by comparison.
const fn least_for_digits(bits: u32) -> usize {
    match bits {
        ..=8 => 64,
        9..=16 => 128,
        _ => 512,
    }
}

/// Calls `each` with the indices of keys in ascending order.
fn indices_of_keys(keys: impl ExactSizeIterator<Item = u64>, bits: u32, each: impl FnMut(i64)) {
    if bits <= 32 && u32::try_from(keys.len()).is_ok() {
        let mut items: Vec<u64> = keys.zip(0..).map(|(key, i): (u64, u64)| key << 32 | i).collect();
        by_upper_half(&mut items, bits);
        items.into_iter().map(|item| i64::from(item as u32)).for_each(each);
    } else {
        let mut items: Vec<u128> =
            keys.zip(0..).map(|(key, i): (u64, u64)| u128::from(key) << 64 | u128::from(i)).collect();
        unstable(&mut items, u128::cmp);
        items.into_iter().map(|item| item as i64).for_each(each);
    }
}

macro_rules! integers {
    ($($t:ty as $unsigned:ty),*) => {$(
        impl Sortable for $t {
            fn sort(row: &mut [Self]) {
                if row.len() < least_for_digits(Self::BITS) || Self::BITS > 32 || threads(row.len()).is_some() {
                    unstable(row, Self::cmp);
                } else {
                    radsort::sort(row);
                }
            }

            fn indices(keys: &[Self], each: impl FnMut(i64)) {
                // The lowest value becomes 0.
                let key = |&x: &Self| u64::from((x as $unsigned).wrapping_sub(Self::MIN as $unsigned));
                indices_of_keys(keys.iter().map(key), Self::BITS, each);
            }
        }
    )*};
}

integers!(i8 as u8, i16 as u16, i32 as u32, i64 as u64, u8 as u8, u16 as u16, u32 as u32, u64 as u64);

impl Sortable for bool {
    fn sort(row: &mut [Self]) {
        let zeros = row.iter().filter(|&&x| !x).count();
        row[..zeros].fill(false);
        row[zeros..].fill(true);
    }

    fn indices(keys: &[Self], each: impl FnMut(i64)) {
        indices_of_keys(keys.iter().map(|&x| u64::from(x)), 8, each);
    }
}

macro_rules! floats {
    ($($t:ident as $bits:ty),*) => {$(
        impl Sortable for $t {
            fn sort(row: &mut [Self]) {
                let kept = set_apart(row, |x| x.is_nan());
                let row = &mut row[..kept];
                let signed = row.iter().filter(|x| x.to_bits() == (-0.0 as $t).to_bits()).count() > 0;
                let zeros: Vec<$t> =
                    if signed { row.iter().copied().filter(|&x| x == 0.0).collect() } else { Vec::new() };
                if size_of::<$t>() > 4 || row.len() < least_for_digits(32) || threads(row.len()).is_some() {
                    unstable(row, |x, y| x.partial_cmp(y).unwrap_or(Ordering::Equal));
                } else {
                    radsort::sort(row);
                }
                if signed {
                    let first = row.partition_point(|&x| x < 0.0);
                    row[first..first + zeros.len()].copy_from_slice(&zeros);
                }
            }

            fn indices(keys: &[Self], each: impl FnMut(i64)) {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let key = |&x: &$t| {
                    // Both zeros become the positive one.
                    let bits = (x + 0.0).to_bits();
                    let key = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                    u64::from(if x.is_nan() { <$bits>::MAX } else { key })
                };
                indices_of_keys(keys.iter().map(key), <$bits>::BITS, each);
            }
        }

        impl Sortable for Complex<$t> {
            fn sort(row: &mut [Self]) {
                let is_nan = |z: &Self| z.re.is_nan() || z.im.is_nan();
                let mut nans: Vec<Self> = row.iter().copied().filter(is_nan).collect();
                let kept = set_apart(row, is_nan);
                stable(&mut row[..kept], |x, y| lexicographic((x.re, x.im), (y.re, y.im)));
                nans.sort_by(|x, y| nans_last((x.re, x.im), (y.re, y.im)));
                row[kept..].copy_from_slice(&nans);
            }

            fn indices(keys: &[Self], each: impl FnMut(i64)) {
                let mut pairs: Vec<(Self, i64)> = keys.iter().copied().zip(0..).collect();
                let is_nan = |(z, _): &(Self, i64)| z.re.is_nan() || z.im.is_nan();
                let mut nans: Vec<(Self, i64)> = pairs.iter().copied().filter(is_nan).collect();
                pairs.retain(|pair| !is_nan(pair));
                stable(&mut pairs, |(x, _), (y, _)| lexicographic((x.re, x.im), (y.re, y.im)));
                nans.sort_by(|(x, _), (y, _)| nans_last((x.re, x.im), (y.re, y.im)));
                pairs.into_iter().chain(nans).map(|(_, index)| index).for_each(each);
            }
        }
    )*};
}

floats!(f32 as u32, f64 as u64);

/// Moves what `is_apart` says to the end, the rest keeping its order; returns how much that is.
fn set_apart<T: Copy>(row: &mut [T], is_apart: impl Fn(&T) -> bool) -> usize {
    // Counted first: that is fast, and there seldom are any.
    let apart = row.iter().filter(|x| is_apart(x)).count();
    if apart > 0 {
        let mut kept = 0;
        for i in 0..row.len() {
            if !is_apart(&row[i]) {
                row.swap(kept, i);
                kept += 1;
            }
        }
    }
    row.len() - apart
}

/// Sorts by several threads, where that is worth it.
fn stable<T: Send>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering + Send + Sync) {
    match threads(items.len()) {
        Some(pool) => pool.rayon.install(|| items.par_sort_by(order)),
        None => items.sort_by(order),
    }
}

/// The order of complex numbers without NaN: by real part, then by imaginary part.
fn lexicographic<T: PartialOrd>(x: (T, T), y: (T, T)) -> Ordering {
    let parts = if x.0 == y.0 { (x.1, y.1) } else { (x.0, y.0) };
    parts.0.partial_cmp(&parts.1).unwrap_or(Ordering::Equal)
}

/// The order of complex numbers with NaN: those with one in the imaginary part alone first.
#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
fn nans_last<T: PartialOrd + Copy>(x: (T, T), y: (T, T)) -> Ordering {
    let nans = |z: (T, T)| (z.0 != z.0, z.1 != z.1);
    let part = |a: T, b: T| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    nans(x).cmp(&nans(y)).then(part(x.0, y.0)).then(part(x.1, y.1))
}
