//! Integers sorted by vector instructions (AVX-512): a quicksort that partitions a vector at a time, and sorting networks for short
//! pieces.
//!
//! After Bramas, "A Novel Hybrid Quicksort Algorithm Vectorized using AVX-512 on Intel Skylake" (2017): what is less than the pivot is
//! compressed to the left of the array, the rest to its right, in place, since as much as is written was read before. Pieces are sorted
//! by bitonic networks (Batcher 1968), whose compared pairs are lanes of a vector and its permutation, or of two vectors.
//! No crate has such sorts without a C++ library beside it.
//!
//! Unsafe here: intrinsics, and a range of memory that is read and written from both of its ends.

/// Whether the processor has the instructions.
#[cfg(target_arch = "x86_64")]
fn is_available() -> bool {
    !cfg!(miri) && is_x86_feature_detected!("avx512f")
}

/// Integers that are sorted here.
pub trait Key: Copy + Ord + Send {
    /// Sorts in ascending order.
    fn sort(keys: &mut [Self]);

    /// Of floats seen as integers: exchanges their bits for integers in the same order, and back.
    fn flip(keys: &mut [Self]);

    /// Of floats seen as integers: how many are NaN, and how many a negative zero.
    fn count_special(keys: &[Self]) -> (usize, usize);

    /// Brings the key of rank `kth`, which is less than the length, to its place: what is less before it, what is greater behind.
    fn select(keys: &mut [Self], kth: usize);
}

macro_rules! bits_of_floats {
    ($flip:ident, $count:ident, $t:ty, $unsigned:ty, $infinity:literal) => {
        /// Of a negative number all bits but the sign count down.
        #[inline(always)]
        fn $flip(keys: &mut [$t]) {
            for x in keys {
                *x ^= ((*x >> (<$t>::BITS - 1)) as $unsigned >> 1) as $t;
            }
        }

        #[inline(always)]
        fn $count(keys: &[$t]) -> (usize, usize) {
            let (mut nans, mut zeros) = (0, 0);
            for part in keys.chunks(1 << 20) {
                // Sums as narrow as the keys, so that vectors hold as many.
                let (mut some_nans, mut some_zeros): ($t, $t) = (0, 0);
                for &x in part {
                    some_nans += <$t>::from(x & <$t>::MAX > $infinity);
                    some_zeros += <$t>::from(x == <$t>::MIN);
                }
                nans += some_nans as usize;
                zeros += some_zeros as usize;
            }
            (nans, zeros)
        }
    };
}

bits_of_floats!(flip_doubles, count_special_doubles, i64, u64, 0x7ff0_0000_0000_0000);
bits_of_floats!(flip_singles, count_special_singles, i32, u32, 0x7f80_0000);

#[cfg(not(target_arch = "x86_64"))]
macro_rules! without_vectors {
    ($($t:ty, $flip:ident, $count:ident;)*) => {$(
        impl Key for $t {
            fn sort(keys: &mut [$t]) {
                keys.sort_unstable();
            }

            fn flip(keys: &mut [$t]) {
                $flip(keys);
            }

            fn count_special(keys: &[$t]) -> (usize, usize) {
                $count(keys)
            }

            fn select(keys: &mut [$t], kth: usize) {
                keys.select_nth_unstable(kth);
            }
        }
    )*};
}

#[cfg(not(target_arch = "x86_64"))]
without_vectors!(i32, flip_singles, count_special_singles; i64, flip_doubles, count_special_doubles;);

#[cfg(target_arch = "x86_64")]
macro_rules! with_vectors {
    ($module:ident, $t:ty, $flip:ident, $count:ident) => {
        impl Key for $t {
            fn flip(keys: &mut [$t]) {
                #[target_feature(enable = "avx512f")]
                fn flip_by_vectors(keys: &mut [$t]) {
                    $flip(keys);
                }
                if is_available() {
                    // SAFETY: the processor has the instructions.
                    unsafe { flip_by_vectors(keys) };
                } else {
                    $flip(keys);
                }
            }

            fn count_special(keys: &[$t]) -> (usize, usize) {
                #[target_feature(enable = "avx512f")]
                fn count_by_vectors(keys: &[$t]) -> (usize, usize) {
                    $count(keys)
                }
                // SAFETY: as above.
                if is_available() { unsafe { count_by_vectors(keys) } } else { $count(keys) }
            }

            fn sort(keys: &mut [$t]) {
                if is_available() {
                    // SAFETY: the processor has the instructions.
                    unsafe { $module::sort(keys, 2 * keys.len().max(1).ilog2()) };
                } else {
                    keys.sort_unstable();
                }
            }

            fn select(keys: &mut [$t], kth: usize) {
                if is_available() {
                    // SAFETY: as above.
                    unsafe { $module::select(keys, kth) };
                } else {
                    keys.select_nth_unstable(kth);
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
with_vectors!(of_i64, i64, flip_doubles, count_special_doubles);
#[cfg(target_arch = "x86_64")]
with_vectors!(of_i32, i32, flip_singles, count_special_singles);

#[cfg(target_arch = "x86_64")]
macro_rules! vector_sort {
    ($module:ident, $t:ty, $lanes:literal, $mask:ty, $load:ident, $load_some:ident, $store:ident, $all:ident, $min:ident,
     $max:ident, $permute:ident, $blend:ident, $less:ident, $greater:ident, $compress:ident) => {
        mod $module {
            use std::arch::x86_64::*;

            /// Lanes of a vector.
            const N: usize = $lanes;
            /// Vectors that are read together, so that the choice of a side is seldom made.
            const AT_ONCE: usize = 4;
            /// What one network sorts.
            const SMALL: usize = 16 * N;

            type V = __m512i;

            /// Sorts; after so many levels of bad pivots another algorithm goes on.
            #[target_feature(enable = "avx512f")]
            pub unsafe fn sort(mut keys: &mut [$t], mut levels: u32) {
                while keys.len() > SMALL {
                    if levels == 0 {
                        return keys.sort_unstable();
                    }
                    levels -= 1;
                    // SAFETY: more than `SMALL` keys, and the processor has the instructions.
                    let below = unsafe { split(keys) };
                    let (left, right) = keys.split_at_mut(below.end);
                    // SAFETY: as above.
                    unsafe { sort(&mut left[..below.start], levels) };
                    keys = right;
                }
                // SAFETY: at most `SMALL` keys.
                unsafe { sort_small(keys) };
            }

            #[target_feature(enable = "avx512f")]
            pub unsafe fn select(mut keys: &mut [$t], mut kth: usize) {
                let mut levels = 2 * keys.len().max(1).ilog2();
                while keys.len() > SMALL {
                    if levels == 0 {
                        keys.select_nth_unstable(kth);
                        return;
                    }
                    levels -= 1;
                    // SAFETY: more than `SMALL` keys.
                    let below = unsafe { split(keys) };
                    if kth < below.start {
                        keys = &mut keys[..below.start];
                    } else if kth < below.end {
                        return;
                    } else {
                        keys = &mut keys[below.end..];
                        kth -= below.end;
                    }
                }
                // SAFETY: at most `SMALL` keys.
                unsafe { sort_small(keys) };
            }

            /// Brings lesser keys to the front and greater ones to the end. Those before the range's start are still to be sorted,
            /// and so are those from its end on; what is between is in its place.
            #[target_feature(enable = "avx512f")]
            unsafe fn split(keys: &mut [$t]) -> std::ops::Range<usize> {
                // SAFETY: there are more than `SMALL` keys.
                unsafe {
                    let pivot = pivot_of(keys);
                    let below = partition::<false>(keys, pivot);
                    if below > 0 {
                        return below..below;
                    }
                    // The pivot is the least key, and likely there are many like it.
                    0..partition::<true>(keys, pivot)
                }
            }

            /// The median of a sample.
            #[target_feature(enable = "avx512f")]
            unsafe fn pivot_of(keys: &[$t]) -> $t {
                let mut sample = [0; 8 * N];
                let count = if keys.len() > 64 * SMALL { 8 * N } else { 2 * N };
                let step = keys.len() / count;
                for (i, key) in sample[..count].iter_mut().enumerate() {
                    *key = keys[i * step + step / 2];
                }
                // SAFETY: at most `SMALL` keys.
                unsafe { sort_small(&mut sample[..count]) };
                sample[count / 2]
            }

            /// Where keys go that were read.
            struct Ends {
                left: *mut $t,
                /// Behind the last free place.
                right: *mut $t,
            }

            impl Ends {
                /// Writes the keys of a vector that are less than the pivot (or `EQUAL` to it) to the left, the others to the right.
                #[target_feature(enable = "avx512f")]
                #[inline]
                unsafe fn write<const EQUAL: bool>(&mut self, keys: V, pivot: V) {
                    // SAFETY: there is room for a vector at both ends, also for lanes that hold no key.
                    unsafe {
                        let below = if EQUAL { !$greater(keys, pivot) } else { $less(keys, pivot) };
                        let low = below.count_ones() as usize;
                        $store(self.left, first(N), $compress(below, keys));
                        self.left = self.left.add(low);
                        // Turned round, so that they stand at the end.
                        let above = permuted::<{ N - 1 }>($compress(!below, keys));
                        $store(self.right.sub(N), first(N), above);
                        self.right = self.right.sub(N - low);
                    }
                }

                /// The same of some of a vector's lanes, where there is room for them alone.
                #[target_feature(enable = "avx512f")]
                #[inline]
                unsafe fn write_some<const EQUAL: bool>(&mut self, keys: V, pivot: V, some: $mask) {
                    // SAFETY: there is room for what is written.
                    unsafe {
                        let below = if EQUAL { !$greater(keys, pivot) } else { $less(keys, pivot) } & some;
                        let above = !below & some;
                        let (low, high) = (below.count_ones() as usize, above.count_ones() as usize);
                        $store(self.left, first(low), $compress(below, keys));
                        self.left = self.left.add(low);
                        self.right = self.right.sub(high);
                        $store(self.right, first(high), $compress(above, keys));
                    }
                }
            }

            /// The mask of the first lanes.
            #[inline]
            const fn first(lanes: usize) -> $mask {
                ((1_u32 << lanes) - 1) as $mask
            }

            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn read(at: *const $t) -> [V; AT_ONCE] {
                // SAFETY: there are so many keys.
                unsafe {
                    let mut part = [$all(0); AT_ONCE];
                    for (i, v) in part.iter_mut().enumerate() {
                        *v = $load(at.add(i * N).cast());
                    }
                    part
                }
            }

            /// Moves keys below the pivot (or equal to it, if `EQUAL`) to the front; returns how many there are. Of more than `SMALL`
            /// keys.
            #[target_feature(enable = "avx512f")]
            unsafe fn partition<const EQUAL: bool>(keys: &mut [$t], pivot: $t) -> usize {
                const PART: usize = AT_ONCE * N;
                let start = keys.as_mut_ptr();
                // SAFETY: both ends are read first, which leaves a free part at each. From then on keys are read at the end that has
                // less room, so that no end has less than a part of it when a part is written.
                unsafe {
                    let end = start.add(keys.len());
                    let pivot = $all(pivot);
                    let (head, tail) = (read(start), read(end.sub(PART)));
                    let (mut from, mut to) = (start.add(PART), end.sub(PART));
                    let mut ends = Ends { left: start, right: end };
                    while to.offset_from(from) as usize >= PART {
                        let room_left = from.offset_from(ends.left);
                        let part = if room_left <= ends.right.offset_from(to) {
                            from = from.add(PART);
                            read(from.sub(PART))
                        } else {
                            to = to.sub(PART);
                            read(to)
                        };
                        for keys in part {
                            ends.write::<EQUAL>(keys, pivot);
                        }
                    }
                    let mut rest = [0; PART];
                    let count = to.offset_from(from) as usize;
                    std::ptr::copy_nonoverlapping(from, rest.as_mut_ptr(), count);
                    for (i, keys) in rest.chunks_exact(N).enumerate().take(count.div_ceil(N)) {
                        let some = first(count.saturating_sub(i * N).min(N));
                        ends.write_some::<EQUAL>($load(keys.as_ptr().cast()), pivot, some);
                    }
                    for keys in head.into_iter().chain(tail) {
                        ends.write_some::<EQUAL>(keys, pivot, first(N));
                    }
                    ends.left.offset_from(start) as usize
                }
            }

            #[target_feature(enable = "avx512f")]
            unsafe fn sort_small(keys: &mut [$t]) {
                // SAFETY: so many vectors hold all keys.
                unsafe {
                    match keys.len().div_ceil(N) {
                        0 => {}
                        1 => sort_in::<1>(keys),
                        2 => sort_in::<2>(keys),
                        3..=4 => sort_in::<4>(keys),
                        5..=8 => sort_in::<8>(keys),
                        _ => sort_in::<16>(keys),
                    }
                }
            }

            /// Sorts what `K` vectors hold; the greatest number stands in lanes that are left.
            #[target_feature(enable = "avx512f")]
            unsafe fn sort_in<const K: usize>(keys: &mut [$t]) {
                let (start, length) = (keys.as_mut_ptr(), keys.len());
                let count = |i: usize| first(length.saturating_sub(i * N).min(N));
                // SAFETY: only lanes with keys are read and written.
                unsafe {
                    let most = $all(<$t>::MAX);
                    let mut v = [most; K];
                    for (i, v) in v.iter_mut().enumerate() {
                        *v = sorted($load_some(most, count(i), start.wrapping_add(i * N)));
                    }
                    if K >= 2 {
                        merge::<K, 1>(&mut v);
                    }
                    if K >= 4 {
                        merge::<K, 2>(&mut v);
                    }
                    if K >= 8 {
                        merge::<K, 4>(&mut v);
                    }
                    if K >= 16 {
                        merge::<K, 8>(&mut v);
                    }
                    for (i, &v) in v.iter().enumerate() {
                        $store(start.wrapping_add(i * N), count(i), v);
                    }
                }
            }

            /// Makes sorted runs of `2 * WIDTH` vectors of those of `WIDTH`.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn merge<const K: usize, const WIDTH: usize>(v: &mut [V; K]) {
                // SAFETY: the processor has the instructions.
                unsafe {
                    for run in (0..K).step_by(2 * WIDTH) {
                        for i in 0..WIDTH {
                            // Lanes of the second run stay in reverse order: that is bitonic as well.
                            let (a, b) = (run + i, run + 2 * WIDTH - 1 - i);
                            let other = permuted::<{ N - 1 }>(v[b]);
                            (v[a], v[b]) = ($min(v[a], other), $max(v[a], other));
                        }
                    }
                    if WIDTH >= 8 {
                        clean::<K, 4>(v);
                    }
                    if WIDTH >= 4 {
                        clean::<K, 2>(v);
                    }
                    if WIDTH >= 2 {
                        clean::<K, 1>(v);
                    }
                    for v in v.iter_mut() {
                        *v = merged(*v);
                    }
                }
            }

            /// Orders vectors that are `DISTANCE` apart, lane by lane.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn clean<const K: usize, const DISTANCE: usize>(v: &mut [V; K]) {
                for i in (0..K).filter(|i| i & DISTANCE == 0) {
                    let (a, b) = (v[i], v[i + DISTANCE]);
                    (v[i], v[i + DISTANCE]) = ($min(a, b), $max(a, b));
                }
            }

            /// The lanes `i ^ FLIP`.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn permuted<const FLIP: usize>(v: V) -> V {
                let lanes: [$t; N] = const {
                    let mut lanes = [0; N];
                    let mut i = 0;
                    while i < N {
                        lanes[i] = (i ^ FLIP) as $t;
                        i += 1;
                    }
                    lanes
                };
                // SAFETY: an array of a vector's size.
                unsafe { $permute($load(lanes.as_ptr().cast()), v) }
            }

            /// Orders lanes `i` and `i ^ FLIP`; the greater one goes where the bit `TOP` is set.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn exchange<const FLIP: usize, const TOP: usize>(v: V) -> V {
                let greater: $mask = const {
                    let (mut mask, mut i) = (0, 0);
                    while i < N {
                        if i & TOP != 0 {
                            mask |= 1 << i;
                        }
                        i += 1;
                    }
                    mask
                };
                // SAFETY: the processor has the instructions.
                unsafe {
                    let other = permuted::<FLIP>(v);
                    $blend(greater, $min(v, other), $max(v, other))
                }
            }

            /// A vector in order.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn sorted(v: V) -> V {
                // SAFETY: as above.
                unsafe {
                    let v = exchange::<1, 1>(v);
                    let v = exchange::<1, 1>(exchange::<3, 2>(v));
                    let v = exchange::<1, 1>(exchange::<2, 2>(exchange::<7, 4>(v)));
                    if N == 8 {
                        return v;
                    }
                    exchange::<1, 1>(exchange::<2, 2>(exchange::<4, 4>(exchange::<{ N - 1 }, { N / 2 }>(v))))
                }
            }

            /// A bitonic vector in order.
            #[target_feature(enable = "avx512f")]
            #[inline]
            unsafe fn merged(v: V) -> V {
                // SAFETY: as above.
                unsafe {
                    let v = if N == 16 { exchange::<{ N / 2 }, { N / 2 }>(v) } else { v };
                    exchange::<1, 1>(exchange::<2, 2>(exchange::<4, 4>(v)))
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
vector_sort!(
    of_i64,
    i64,
    8,
    __mmask8,
    _mm512_loadu_epi64,
    _mm512_mask_loadu_epi64,
    _mm512_mask_storeu_epi64,
    _mm512_set1_epi64,
    _mm512_min_epi64,
    _mm512_max_epi64,
    _mm512_permutexvar_epi64,
    _mm512_mask_blend_epi64,
    _mm512_cmplt_epi64_mask,
    _mm512_cmpgt_epi64_mask,
    _mm512_maskz_compress_epi64
);
#[cfg(target_arch = "x86_64")]
vector_sort!(
    of_i32,
    i32,
    16,
    __mmask16,
    _mm512_loadu_epi32,
    _mm512_mask_loadu_epi32,
    _mm512_mask_storeu_epi32,
    _mm512_set1_epi32,
    _mm512_min_epi32,
    _mm512_max_epi32,
    _mm512_permutexvar_epi32,
    _mm512_mask_blend_epi32,
    _mm512_cmplt_epi32_mask,
    _mm512_cmpgt_epi32_mask,
    _mm512_maskz_compress_epi32
);
