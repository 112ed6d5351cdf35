//! How slices of each element type are sorted.
//!
//! Numbers become signed integers in the same order, which [`vector`] sorts; bytes are counted, and 16 bits, where the processor has no
//! vectors for it, go by digits (the crate `radsort`). Equal numbers cannot be told apart, so a sort that keeps no order is stable
//! enough, given that zeros of both signs are put back in their order. NaNs are set apart first. Indices are sorted as integers that
//! hold a key and the index behind it.
//!
//! Unsafe here: numbers seen as integers of their size.

use super::vector::Key;
use crate::{parallel, pool};
use num_complex::Complex;
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;

/// Elements worth several threads.
const PARALLEL: usize = 1 << 16;

/// From here on short integers are faster sorted by digits than by comparison.
const DIGITS: usize = 128;

/// Bits of a digit.
const DIGIT: u32 = 8;

/// Digits of keys whose indices are sorted by them.
const SHORT_KEY: u32 = 2;

/// Slices of this length are sorted where only some ranks are asked for.
const SHORT: usize = 128;

/// Elements that one thread sorts at least, of those that share a row.
const PART: usize = 1 << 14;

/// So few elements are put in order without branches: each is compared with each.
const FEW: usize = 12;

/// Where each of at most [`FEW`] elements belongs; equal ones stay in order. None of them is NaN.
#[inline]
fn places<T: Copy + PartialOrd>(row: &[T]) -> [usize; FEW] {
    let mut places = [0; FEW];
    for (j, &x) in row.iter().enumerate() {
        let mut own = j;
        for (place, &before) in places[..j].iter_mut().zip(row) {
            let is_less = usize::from(x < before);
            *place += is_less;
            own -= is_less;
        }
        places[j] = own;
    }
    places
}

/// Sorts at most [`FEW`] elements without NaN.
#[inline]
fn sort_few<T: Copy + PartialOrd>(row: &mut [T]) {
    let Some(&first) = row.first() else { return };
    let mut given = [first; FEW];
    given[..row.len()].copy_from_slice(row);
    for (&place, &x) in places(row).iter().zip(&given[..row.len()]) {
        row[place] = x;
    }
}

/// The indices of at most [`FEW`] elements without NaN in order.
#[inline]
fn indices_of_few<T: Copy + PartialOrd>(row: &[T], each: impl FnMut(i64)) {
    let mut order = [0; FEW];
    for (i, &place) in (0..).zip(&places(row)[..row.len()]) {
        order[place] = i;
    }
    order[..row.len()].iter().copied().for_each(each);
}

/// Elements that can be sorted as NumPy does it.
pub trait Sortable: Copy + Send + Sync {
    /// Sorts a slice: stable, NaN last. If ranks are given, ascending ones, only their elements come to their places, lesser ones
    /// before them and greater ones behind.
    fn sort(row: &mut [Self], ranks: Ranks);

    /// Calls `each` with the indices of elements in the order that [`Sortable::sort`] brings them into.
    fn indices(keys: &[Self], ranks: Ranks, each: impl FnMut(i64));
}

/// The pool, where a slice of this length is worth its threads.
fn threads(len: usize) -> Option<std::sync::Arc<pool::Pool>> {
    if len < PARALLEL || parallel::in_region() { None } else { pool::pool() }
}

/// Sorts integers, by several threads where that is worth it.
fn sort_keys<K: Key>(keys: &mut [K]) {
    match threads(keys.len()) {
        Some(pool) => {
            // A power of two, at least as many parts as threads.
            let depth = usize::BITS - pool.threads.saturating_sub(1).leading_zeros();
            pool.rayon.install(|| halves(keys, depth));
        }
        None => K::sort(keys),
    }
}

/// Sorts the halves below and above the median by two threads each.
fn halves<K: Key>(keys: &mut [K], depth: u32) {
    if depth == 0 || keys.len() < 2 * PART {
        K::sort(keys);
        return;
    }
    let middle = keys.len() / 2;
    K::select(keys, middle);
    let (below, above) = keys.split_at_mut(middle);
    rayon::join(|| halves(below, depth - 1), || halves(above, depth - 1));
}

/// How the orders of ranks are made: all of them, or just what these ranks ask for.
pub type Ranks<'a> = Option<&'a [usize]>;

/// Brings the keys of these ranks to their places, or all.
fn arrange<K: Key>(keys: &mut [K], ranks: Ranks) {
    at_ranks(keys, ranks, K::select, sort_keys);
}

/// Puts what belongs at these ranks there, in turn, or sorts everything: where there are none, and short slices.
fn at_ranks<T>(items: &mut [T], ranks: Ranks, select: impl Fn(&mut [T], usize), sort: impl FnOnce(&mut [T])) {
    match ranks {
        // A short slice is in order after that, whatever the processor.
        Some(ranks) if items.len() > SHORT => {
            let mut done = 0;
            let length = items.len();
            for &rank in ranks.iter().take_while(|&&rank| rank < length) {
                if rank >= done {
                    select(&mut items[done..], rank - done);
                    done = rank + 1;
                }
            }
        }
        _ => sort(items),
    }
}

/// Calls `each` with the indices of keys in ascending order, or as far as these ranks ask for it.
///
/// What is sorted has the upper bits of a key's distance from the least one, and the index in its lower bits. Where that leaves bits of
/// keys out, those that are equal so far are sorted again.
fn indices_of_keys(
    count: usize,
    key: impl Fn(usize) -> u64 + Send + Sync,
    ranks: Ranks,
    each: impl FnMut(i64),
) {
    let (least, greatest) = (0..count).fold((u64::MAX, 0), |(a, b), i| (a.min(key(i)), b.max(key(i))));
    if count < 2 {
        return (0..count as i64).for_each(each);
    }
    let (key_bits, index_bits) = (u64::BITS - (greatest - least).leading_zeros(), (count - 1).ilog2() + 1);
    if ranks.is_none() && key_bits <= DIGIT * SHORT_KEY && count >= DIGITS {
        return indices_by_digits(count, |i| key(i) - least, key_bits.div_ceil(DIGIT))
            .into_iter()
            .for_each(each);
    }
    let left_out = (key_bits + index_bits).saturating_sub(i64::BITS - 1);
    let item = |i: usize| ((key(i) - least) >> left_out << index_bits | i as u64) as i64;
    let mut items: Vec<i64> = (0..count).map(item).collect();
    let index = |item: i64| (item & ((1 << index_bits) - 1)) as usize;
    arrange(&mut items, ranks);
    if left_out > 0 {
        let by_key = |run: &mut [i64]| run.sort_unstable_by_key(|&item| (key(index(item)), item));
        match ranks {
            Some(ranks) => settle(&mut items, ranks, |item| item >> index_bits, by_key),
            None => items
                .chunk_by_mut(|&a, &b| a >> index_bits == b >> index_bits)
                .filter(|run| run.len() > 1)
                .for_each(by_key),
        }
    }
    items.into_iter().map(|item| index(item) as i64).for_each(each);
}

/// Sorts what is equal, `upper` bits alone, to the item at a rank: it is on both sides of it.
fn settle(items: &mut [i64], ranks: &[usize], upper: impl Fn(i64) -> i64, sort: impl Fn(&mut [i64])) {
    let (mut done, count) = (0, items.len());
    for (at, &rank) in ranks.iter().enumerate().take_while(|&(_, &rank)| rank < count) {
        if rank < done {
            continue;
        }
        let own = upper(items[rank]);
        // What is equal stands before the next rank that is not.
        let greater = ranks[at..].iter().find(|&&next| next < count && upper(items[next]) != own);
        let stop = greater.copied().unwrap_or(count);
        let start = done + first_those(&mut items[done..rank], |item| upper(item) != own);
        let end = rank + 1 + first_those(&mut items[rank + 1..stop], |item| upper(item) == own);
        sort(&mut items[start..end]);
        done = end;
    }
}

/// Puts the items that are `wanted` first; gives how many there are.
fn first_those(items: &mut [i64], wanted: impl Fn(i64) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if wanted(items[i]) {
            items.swap(count, i);
            count += 1;
        }
    }
    count
}

/// The indices of keys of so many digits in ascending order: of the lowest digit, then of the next one, each time stable.
fn indices_by_digits(count: usize, key: impl Fn(usize) -> u64, digits: u32) -> Vec<i64> {
    let digit = |i: i64, place: u32| (key(i as usize) >> (place * DIGIT)) as usize & 255;
    let mut order: Vec<i64> = (0..count as i64).collect();
    let mut next = vec![0; count];
    for place in 0..digits {
        let mut starts = [0_usize; 256];
        order.iter().for_each(|&i| starts[digit(i, place)] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for &i in &order {
            let start = &mut starts[digit(i, place)];
            next[*start] = i;
            *start += 1;
        }
        std::mem::swap(&mut order, &mut next);
    }
    order
}

/// From so many bytes on it takes less time to count them than to compare them.
const COUNTED: usize = 128;

/// Sorts bytes, many by counting them; `place` is how many are less than one.
fn sort_bytes<T: Copy + Ord>(row: &mut [T], place: impl Fn(T) -> u8, value: impl Fn(u8) -> T) {
    if row.len() < COUNTED {
        return row.sort_unstable();
    }
    let mut counts = [0_usize; 256];
    for &x in row.iter() {
        counts[usize::from(place(x))] += 1;
    }
    let mut rest = row;
    for (byte, count) in (0..=u8::MAX).zip(counts) {
        let (these, behind) = rest.split_at_mut(count);
        these.fill(value(byte));
        rest = behind;
    }
}

macro_rules! integers {
    ($($t:ty as $unsigned:ty, $arrange:ident;)*) => {$(
        impl Sortable for $t {
            fn sort(row: &mut [Self], ranks: Ranks) {
                if row.len() <= FEW { sort_few(row) } else { $arrange(row, ranks) }
            }

            fn indices(keys: &[Self], ranks: Ranks, each: impl FnMut(i64)) {
                if keys.len() <= FEW {
                    return indices_of_few(keys, each);
                }
                // The lowest value becomes 0.
                let key = |i: usize| u64::from((keys[i] as $unsigned).wrapping_sub(Self::MIN as $unsigned));
                indices_of_keys(keys.len(), key, ranks, each);
            }
        }
    )*};
}

integers!(
    i8 as u8, i8s; i16 as u16, i16s; i32 as u32, arrange; i64 as u64, arrange;
    u8 as u8, u8s; u16 as u16, u16s; u32 as u32, u32s; u64 as u64, u64s;
);

fn i8s(row: &mut [i8], _: Ranks) {
    sort_bytes(row, |x| x.wrapping_sub(i8::MIN) as u8, |byte| i8::MIN.wrapping_add(byte as i8));
}

fn u8s(row: &mut [u8], _: Ranks) {
    sort_bytes(row, |x| x, |byte| byte);
}

fn i16s(row: &mut [i16], _: Ranks) {
    if row.len() < DIGITS { row.sort_unstable() } else { radsort::sort(row) }
}

fn u16s(row: &mut [u16], _: Ranks) {
    if row.len() < DIGITS { row.sort_unstable() } else { radsort::sort(row) }
}

fn u32s(row: &mut [u32], ranks: Ranks) {
    let flip = |row: &mut [u32]| row.iter_mut().for_each(|x| *x ^= 1 << 31);
    flip(row);
    // SAFETY: integers of one size.
    arrange(unsafe { &mut *(&raw mut *row as *mut [i32]) }, ranks);
    flip(row);
}

fn u64s(row: &mut [u64], ranks: Ranks) {
    let flip = |row: &mut [u64]| row.iter_mut().for_each(|x| *x ^= 1 << 63);
    flip(row);
    // SAFETY: integers of one size.
    arrange(unsafe { &mut *(&raw mut *row as *mut [i64]) }, ranks);
    flip(row);
}

impl Sortable for bool {
    fn sort(row: &mut [Self], _: Ranks) {
        let zeros = row.iter().filter(|&&x| !x).count();
        row[..zeros].fill(false);
        row[zeros..].fill(true);
    }

    fn indices(keys: &[Self], ranks: Ranks, each: impl FnMut(i64)) {
        indices_of_keys(keys.len(), |i| u64::from(keys[i]), ranks, each);
    }
}

macro_rules! floats {
    ($($t:ident as $bits:ty, $key:ty;)*) => {$(
        impl Sortable for $t {
            fn sort(row: &mut [Self], ranks: Ranks) {
                if row.len() <= FEW && !row.iter().any(|x| x.is_nan()) {
                    return sort_few(row);
                }
                // SAFETY: numbers of one size, of which any bits are one.
                let (nans, negative_zeros) = <$key>::count_special(unsafe { &*(&raw const *row as *const [$key]) });
                let kept = if nans > 0 { set_apart(row, |x| x.is_nan()) } else { row.len() };
                let row = &mut row[..kept];
                let signed = negative_zeros > 0;
                let zeros: Vec<$t> =
                    if signed { row.iter().copied().filter(|&x| x == 0.0).collect() } else { Vec::new() };
                // SAFETY: as above.
                let keys = unsafe { &mut *(&raw mut *row as *mut [$key]) };
                <$key>::flip(keys);
                // Zeros that are put back come in one piece.
                arrange(keys, if signed { None } else { ranks });
                <$key>::flip(keys);
                if signed {
                    let first = row.partition_point(|&x| x < 0.0);
                    row[first..first + zeros.len()].copy_from_slice(&zeros);
                }
            }

            fn indices(keys: &[Self], ranks: Ranks, each: impl FnMut(i64)) {
                if keys.len() <= FEW && !keys.iter().any(|x| x.is_nan()) {
                    return indices_of_few(keys, each);
                }
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                let key = |i: usize| {
                    let x = keys[i];
                    // Both zeros become the positive one.
                    let bits = (x + 0.0).to_bits();
                    let key = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                    u64::from(if x.is_nan() { <$bits>::MAX } else { key })
                };
                indices_of_keys(keys.len(), key, ranks, each);
            }
        }

        impl Sortable for Complex<$t> {
            fn sort(row: &mut [Self], ranks: Ranks) {
                let is_nan = |z: &Self| z.re.is_nan() || z.im.is_nan();
                let mut nans: Vec<Self> = row.iter().copied().filter(is_nan).collect();
                let kept = set_apart(row, is_nan);
                stable_or_ranks(&mut row[..kept], ranks, |x, y| lexicographic((x.re, x.im), (y.re, y.im)));
                nans.sort_by(|x, y| nans_last((x.re, x.im), (y.re, y.im)));
                row[kept..].copy_from_slice(&nans);
            }

            fn indices(keys: &[Self], ranks: Ranks, each: impl FnMut(i64)) {
                let mut pairs: Vec<(Self, i64)> = keys.iter().copied().zip(0..).collect();
                let is_nan = |(z, _): &(Self, i64)| z.re.is_nan() || z.im.is_nan();
                let mut nans: Vec<(Self, i64)> = pairs.iter().copied().filter(is_nan).collect();
                pairs.retain(|pair| !is_nan(pair));
                stable_or_ranks(&mut pairs, ranks, |(x, i), (y, j)| {
                    lexicographic((x.re, x.im), (y.re, y.im)).then(i.cmp(j))
                });
                nans.sort_by(|(x, _), (y, _)| nans_last((x.re, x.im), (y.re, y.im)));
                pairs.into_iter().chain(nans).map(|(_, index)| index).for_each(each);
            }
        }
    )*};
}

floats!(f32 as u32, i32; f64 as u64, i64;);

/// As [`arrange`], by a comparison; stable where all are sorted.
fn stable_or_ranks<T: Copy + Send>(
    row: &mut [T],
    ranks: Ranks,
    compare: impl Fn(&T, &T) -> Ordering + Copy + Send + Sync,
) {
    let select = |rest: &mut [T], rank| {
        rest.select_nth_unstable_by(rank, compare);
    };
    at_ranks(row, ranks, select, |row| stable(row, compare));
}

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
