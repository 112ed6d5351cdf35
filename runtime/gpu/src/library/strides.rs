//! How arrays lie, in terms that libraries have: counts and strides of elements.

use super::Operand;

/// Calls of a library for one of ours, at most: so many take no longer than to copy the arrays.
const MOST_CALLS: i64 = 256;

/// The strides of an array, in elements.
///
/// # Errors
/// It has none.
pub fn in_elements(array: &Operand) -> Result<Vec<i64>, &'static str> {
    let item = array.dtype.size() as i64;
    let of_axis = |(&dim, &stride): (&i64, &i64)| {
        // Nobody steps along an axis of one.
        if dim == 1 { Some(0) } else { (stride % item == 0).then_some(stride / item) }
    };
    let strides = array.dims.iter().zip(array.strides).map(of_axis).collect::<Option<_>>();
    strides.ok_or("an array's elements do not lie at multiples of their size")
}

/// A stack of equal things, for several arrays at once: so many calls of a library, each for a batch.
pub struct Stack<const N: usize> {
    /// Elements of a batch, and how far apart they are in each array.
    pub count: i64,
    pub apart: [i64; N],
    /// Where each batch begins, in each array.
    pub begins: Vec<[i64; N]>,
}

impl<const N: usize> Stack<N> {
    /// Of axes of these lengths, with strides in each array. The last axes that are one in all arrays are a batch.
    ///
    /// # Errors
    /// There would be too many batches.
    pub fn new(dims: &[i64], strides: [&[i64]; N]) -> Result<Self, &'static str> {
        // (length, strides), without axes of one.
        let mut axes: Vec<(i64, [i64; N])> = Vec::new();
        for (axis, &dim) in dims.iter().enumerate().filter(|&(_, &dim)| dim != 1) {
            let own = strides.map(|of| of[axis]);
            match axes.last_mut() {
                Some((length, before)) if (0..N).all(|i| before[i] == own[i] * dim) => {
                    *length *= dim;
                    *before = own;
                }
                _ => axes.push((dim, own)),
            }
        }
        // The longest one is the batch.
        let longest = (0..axes.len()).max_by_key(|&at| axes[at].0);
        let (count, apart) = longest.map_or((1, [0; N]), |at| axes.remove(at));
        if axes
            .iter()
            .try_fold(1, |all: i64, (dim, _)| all.checked_mul(*dim))
            .is_none_or(|all| all > MOST_CALLS)
        {
            return Err("its arrays are stacks that are no batches");
        }
        let mut begins = vec![[0; N]];
        for (dim, own) in axes {
            let step = |from: &[i64; N], k: i64| std::array::from_fn(|i| from[i] + k * own[i]);
            begins = begins.iter().flat_map(|from| (0..dim).map(move |k| step(from, k))).collect();
        }
        Ok(Self { count, apart, begins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_that_are_one_in_all_arrays_are_joined() {
        let stack = Stack::new(&[2, 3, 4], [&[120, 40, 10], &[24, 8, 2]]).unwrap();
        assert_eq!((stack.count, stack.apart, stack.begins), (24, [10, 2], vec![[0, 0]]));
        // One of them is stretched along the first axis.
        let stack = Stack::new(&[2, 1, 4], [&[0, 7, 10], &[8, 9, 2]]).unwrap();
        assert_eq!((stack.count, stack.apart, stack.begins), (4, [10, 2], vec![[0, 0], [0, 8]]));
        let stack = Stack::new(&[], [&[]]).unwrap();
        assert_eq!((stack.count, stack.apart, stack.begins), (1, [0], vec![[0]]));
        assert!(Stack::new(&[1000, 1001], [&[1, 5000]]).is_err());
    }
}
