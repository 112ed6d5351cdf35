//! Reductions and library functions on whole arrays.

use crate::array::{broadcast, broadcast_view, build, fill, shape_text};
use crate::exec::constant;
use crate::order::{self, Still};
use crate::scalar::{Failure, elem};
use crate::value::{Array, Scalar, Val, indices};
use pydd_ir::{DType, ElemOp, Exc, ReduceOp, ReduceSpec, Type};
use std::cmp::Ordering;

fn scalar_op(op: ElemOp, a: Scalar, b: Scalar) -> Scalar {
    elem(op, &[a, b], false).expect("the operation is total")
}

fn is_nan(a: Scalar) -> bool {
    match a {
        Scalar::Float(x, _) => x.is_nan(),
        Scalar::Complex(re, im, _) => re.is_nan() || im.is_nan(),
        _ => false,
    }
}

/// Whether `a` replaces `best` in argmin (`Less`) or argmax (`Greater`).
fn replaces(a: Scalar, best: Scalar, wanted: Ordering) -> bool {
    if is_nan(best) {
        return false;
    }
    let op = if wanted == Ordering::Less { ElemOp::Lt } else { ElemOp::Gt };
    is_nan(a) || scalar_op(op, a, best) == Scalar::Bool(true)
}

/// Folds elements in their order.
pub fn fold(op: ReduceOp, dtype: DType, items: &[Scalar]) -> Result<Scalar, Failure> {
    let truth = |s: &Scalar| crate::scalar::cast(*s, DType::Bool) == Scalar::Bool(true);
    let none = |message: &str| Err((Exc::ValueError, message.to_owned()));
    let with = |op: ElemOp, start: Scalar| items.iter().fold(start, |acc, &x| scalar_op(op, acc, x));
    Ok(match op {
        ReduceOp::Sum => with(ElemOp::Add, Scalar::zero(dtype)),
        ReduceOp::Any => Scalar::Bool(items.iter().any(truth)),
        ReduceOp::All => Scalar::Bool(items.iter().all(truth)),
        // Not zero: all bits.
        ReduceOp::And => with(ElemOp::And, elem(ElemOp::Not, &[Scalar::zero(dtype)], false)?),
        ReduceOp::Min | ReduceOp::Max => {
            let name = if op == ReduceOp::Min { "minimum" } else { "maximum" };
            let Some(&first) = items.first() else {
                return none(&format!("zero-size array to reduction operation {name} which has no identity"));
            };
            with(if op == ReduceOp::Min { ElemOp::Min } else { ElemOp::Max }, first)
        }
        ReduceOp::ArgMin | ReduceOp::ArgMax => {
            let wanted = if op == ReduceOp::ArgMin { Ordering::Less } else { Ordering::Greater };
            if items.is_empty() {
                return none(&format!("attempt to get {} of an empty sequence", op.name()));
            }
            let best = (1..items.len())
                .fold(0, |best, i| if replaces(items[i], items[best], wanted) { i } else { best });
            Scalar::i64(i64::try_from(best).expect("lengths fit"))
        }
        _ => {
            let (step, start) = op.step().zip(op.identity(dtype)).expect("it is above where there is none");
            let Val::Scalar(start) = constant(&start, Some(Type::Scalar(dtype))) else {
                unreachable!("a number")
            };
            with(step, start)
        }
    })
}

/// A reduction of an array; a scalar when no axis is left.
pub fn reduce(spec: &ReduceSpec, a: &Array) -> Result<Val, Failure> {
    let rank = a.dims.len();
    let over: Vec<bool> = (0..rank)
        .map(|axis| spec.axes.as_ref().is_none_or(|axes| axes.iter().any(|&x| usize::from(x) == axis)))
        .collect();
    let kept =
        |reduced: i64| -> Vec<i64> { (0..rank).map(|i| if over[i] { reduced } else { a.dims[i] }).collect() };
    let inner: Vec<i64> = (0..rank).map(|i| if over[i] { a.dims[i] } else { 1 }).collect();
    let dtype = spec.op.result_dtype(a.dtype);
    // NumPy asks for something to choose from even where there is nothing to compute.
    if !spec.op.has_identity() && inner.contains(&0) {
        fold(spec.op, a.dtype, &[])?;
    }
    let still = |axis: usize| over[axis] || matches!(spec.op, ReduceOp::ArgMin | ReduceOp::ArgMax);
    let strides = (0..rank).map(|axis| if still(axis) { 0 } else { a.strides[axis] }).collect();
    let moves = Array { strides, ..a.clone() };
    let made = order::like(dtype, &kept(1), &[&moves], Still::Anywhere);
    let full = fill(made, |index| {
        let items: Vec<Scalar> = indices(&inner)
            .map(|j| {
                let at: Vec<i64> = index.iter().zip(&j).map(|(x, y)| x + y).collect();
                a.get(&at).expect("within the array")
            })
            .collect();
        fold(spec.op, a.dtype, &items)
    })?;
    if spec.keepdims {
        return Ok(Val::Array(full));
    }
    let dims: Vec<i64> = (0..rank).filter(|&i| !over[i]).map(|i| a.dims[i]).collect();
    let strides = (0..rank).filter(|&i| !over[i]).map(|i| full.strides[i]).collect();
    Ok(match dims.is_empty() {
        true => Val::Scalar(full.scalars()[0]),
        false => Val::Array(Array { dims, strides, ..full }),
    })
}

fn dot(a: &[Scalar], b: &[Scalar], dtype: DType) -> Scalar {
    a.iter().zip(b).fold(Scalar::zero(dtype), |sum, (&x, &y)| plus_product(sum, x, y))
}

/// `sum + x * y`; of bool `or` and `and`.
pub fn plus_product(sum: Scalar, x: Scalar, y: Scalar) -> Scalar {
    let (add, mul) =
        if sum.dtype() == DType::Bool { (ElemOp::Or, ElemOp::And) } else { (ElemOp::Add, ElemOp::Mul) };
    scalar_op(add, sum, scalar_op(mul, x, y))
}

/// `np.matmul`.
pub fn matmul(a: &Array, b: &Array) -> Result<Val, Failure> {
    let (ra, rb) = (a.dims.len(), b.dims.len());
    let mut wide_a = a.clone();
    if ra == 1 {
        wide_a.dims.insert(0, 1);
        wide_a.strides.insert(0, 0);
    }
    let mut wide_b = b.clone();
    if rb == 1 {
        wide_b.dims.push(1);
        wide_b.strides.push(0);
    }
    let (stack_a, core_a) = wide_a.dims.split_at(wide_a.dims.len() - 2);
    let (stack_b, core_b) = wide_b.dims.split_at(wide_b.dims.len() - 2);
    let (n, k, m) = (core_a[0], core_a[1], core_b[1]);
    if core_b[0] != k {
        return Err((
            Exc::ValueError,
            format!(
                "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \
                 (n?,k),(k,m?)->(n?,m?) (size {} is different from {k})",
                core_b[0]
            ),
        ));
    }
    let stack = broadcast(&[stack_a, stack_b])?;
    let full = |tail: [i64; 2]| [stack.as_slice(), tail.as_slice()].concat();
    let stretched = |x: &Array, tail: [i64; 2]| broadcast_view(x, &full(tail)).expect("stacks broadcast");
    let (wide_a, wide_b) = (stretched(&wide_a, [n, k]), stretched(&wide_b, [k, m]));
    let out = build(a.dtype, &full([n, m]), |index| {
        let (stack, core) = index.split_at(index.len() - 2);
        let at = |x: &Array, i: i64, j: i64| x.get(&[stack, &[i, j]].concat()).expect("within the array");
        let row: Vec<Scalar> = (0..k).map(|j| at(&wide_a, core[0], j)).collect();
        let column: Vec<Scalar> = (0..k).map(|j| at(&wide_b, j, core[1])).collect();
        Ok(dot(&row, &column, a.dtype))
    })?;
    let mut dims = stack.clone();
    dims.extend((ra > 1).then_some(n));
    dims.extend((rb > 1).then_some(m));
    let items = out.scalars();
    Ok(match dims.is_empty() {
        true => Val::Scalar(items[0]),
        false => Val::Array(Array::from_scalars(a.dtype, &dims, &items)),
    })
}

/// NumPy's order: numbers, then NaN; of complex numbers with NaN in the same parts by the others.
fn order(a: Scalar, b: Scalar) -> Ordering {
    match (is_nan(a), is_nan(b)) {
        (true, true) => match (a, b) {
            (Scalar::Complex(re, im, _), Scalar::Complex(other_re, other_im, _)) => {
                let part = |x: f64, y: f64| x.partial_cmp(&y).unwrap_or(Ordering::Equal);
                let nans = (re.is_nan(), im.is_nan()).cmp(&(other_re.is_nan(), other_im.is_nan()));
                nans.then(part(re, other_re)).then(part(im, other_im))
            }
            _ => Ordering::Equal,
        },
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        _ if scalar_op(ElemOp::Lt, a, b) == Scalar::Bool(true) => Ordering::Less,
        _ if scalar_op(ElemOp::Lt, b, a) == Scalar::Bool(true) => Ordering::Greater,
        _ => Ordering::Equal,
    }
}

/// Sorts along the last axis, in place.
pub fn sort(a: &Array) {
    let Some((&last, outer)) = a.dims.split_last() else { return };
    for row in indices(outer) {
        let at = |i: i64| [row.as_slice(), &[i]].concat();
        let mut items: Vec<Scalar> = (0..last).map(|i| a.get(&at(i)).expect("within the array")).collect();
        items.sort_by(|&x, &y| order(x, y));
        for (i, item) in (0..).zip(items) {
            assert!(a.set(&at(i), item), "within the array");
        }
    }
}

/// Writes the indices that sort a vector.
pub fn argsort(a: &Array, order_of: &Array) {
    let items = a.scalars();
    let mut indices: Vec<usize> = (0..items.len()).collect();
    indices.sort_by(|&i, &j| order(items[i], items[j]));
    for (at, index) in (0..).zip(indices) {
        let index = i64::try_from(index).expect("lengths fit");
        assert!(order_of.set(&[at], Scalar::i64(index)), "within the array");
    }
}

/// `dst[...] = src`, as if `src` were copied first.
pub fn assign(dst: &Array, src: &Val) -> Result<(), Failure> {
    let items = match src {
        Val::Scalar(s) => vec![*s; usize::try_from(dst.size()).expect("sizes fit")],
        Val::Array(a) => {
            // NumPy drops leading axes of length 1 that the destination lacks.
            let extra = a.dims.len().saturating_sub(dst.dims.len());
            let mut a = a.clone();
            let wrong = || {
                let message = format!(
                    "could not broadcast input array from shape {} into shape {}",
                    shape_text(&a.dims).replace(", ", ","),
                    shape_text(&dst.dims).replace(", ", ",")
                );
                (Exc::ValueError, message)
            };
            if a.dims[..extra].iter().any(|&d| d != 1) {
                return Err(wrong());
            }
            let error = wrong();
            a.dims.drain(..extra);
            a.strides.drain(..extra);
            broadcast_view(&a, &dst.dims).ok_or(error)?.scalars()
        }
        _ => panic!("only scalars and arrays are assigned to arrays"),
    };
    for (index, item) in indices(&dst.dims).zip(items) {
        assert!(dst.set(&index, item), "within the array");
    }
    Ok(())
}
