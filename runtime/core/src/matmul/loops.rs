//! Products of integer and bool matrices: rows of `b` are added up, so the inner loop vectorises.

/// What NumPy's `matmul` does with the elements of a type.
pub trait Ring: Copy + Default + Send + Sync + PartialEq {
    fn mul_add(self, a: Self, b: Self) -> Self;

    /// The sum of products of elements.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        a.iter().zip(b).fold(Self::default(), |sum, (&a, &b)| sum.mul_add(a, b))
    }
}

macro_rules! wrapping {
    ($($t:ty),*) => {$(
        impl Ring for $t {
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.wrapping_add(a.wrapping_mul(b))
            }
        }
    )*};
}

wrapping!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Ring for bool {
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        self | (a & b)
    }

    /// Ends behind the first block with two that are true.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        let block = |(a, b): (&[Self], &[Self])| a.iter().zip(b).fold(false, |sum, (&a, &b)| sum | (a & b));
        a.chunks(BLOCK).zip(b.chunks(BLOCK)).any(block)
    }
}

/// Bools that are looked at before it is asked whether one was found.
const BLOCK: usize = 64;

/// Elements of a row of `b` and `c` that are worked on at a time: fits the first-level cache.
const COLUMNS: usize = 1024;
/// Rows of `b` that are worked on at a time: fits the second-level cache.
const DEPTH: usize = 64;

/// `c = a @ b` for C-contiguous `a` (m by k), `b` (k by n) and `c` (m by n), with n > 0.
pub fn multiply<T: Ring>(a: &[T], b: &[T], c: &mut [T], k: usize, n: usize) {
    if n == 1 && k > 0 {
        for (c, a) in c.iter_mut().zip(a.chunks_exact(k)) {
            *c = T::dot(a, b);
        }
        return;
    }
    c.fill(T::default());
    for j in (0..n).step_by(COLUMNS) {
        let columns = j..n.min(j + COLUMNS);
        for l in (0..k).step_by(DEPTH) {
            for (i, row) in c.chunks_exact_mut(n).enumerate() {
                for depth in l..k.min(l + DEPTH) {
                    let x = a[i * k + depth];
                    let b = &b[depth * n..][columns.clone()];
                    add_row(&mut row[columns.clone()], x, b);
                }
            }
        }
    }
}

fn add_row<T: Ring>(c: &mut [T], x: T, b: &[T]) {
    for (c, &b) in c.iter_mut().zip(b) {
        *c = c.mul_add(x, b);
    }
}
