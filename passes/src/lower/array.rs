//! What is known of an array that was made: lengths, strides, gaps.

use pydd_ir::{ComplexPart, DType, ElemOp, OpKind, Type, Value, Version};

use super::Lower;

#[derive(Clone, Debug)]
pub(super) struct Array {
    pub value: Value,
    pub dims: Vec<Value>,
    /// In bytes, where they were computed here.
    pub strides: Option<Vec<Value>>,
    /// Certainly row-major without gaps.
    pub contiguous: bool,
    /// Where it is a transposed view, the axes as memory has them, the outermost first; else empty.
    pub order: Vec<usize>,
    /// Without gaps, if the axes are walked in this order.
    pub dense: bool,
    /// Without gaps, in an order of axes that is known at run time.
    pub by_stride: bool,
    /// Whether that is row-major.
    pub dense_if: Option<Value>,
    /// Of a view, where its elements are in the array that it was taken of.
    pub within: Option<Within>,
}

/// Where a view's elements are in an array: by axis of that one.
#[derive(Clone, Debug)]
pub(super) struct Within {
    pub base: Value,
    pub axes: Vec<Part>,
    /// The part of that one's elements that the view's are.
    pub complex: Option<ComplexPart>,
}

/// The indices of one axis that a view has: `start + step * i`, where `i` is its index along its axis `of`. None: it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub start: Option<Value>,
    pub of: Option<(usize, Value)>,
}

impl Within {
    /// The same with the view's axes elsewhere; those that are gone have one index, 0.
    pub fn moved(self, to: impl Fn(usize) -> Option<usize>) -> Self {
        let part = |part: Part| {
            let of = part.of.and_then(|(axis, step)| Some((to(axis)?, step)));
            Part { of, ..part }
        };
        Self { axes: self.axes.into_iter().map(part).collect(), ..self }
    }
}

impl Array {
    pub fn new(value: Value, dims: Vec<Value>, strides: Option<Vec<Value>>, contiguous: bool) -> Self {
        let (order, dense) = (Vec::new(), contiguous);
        Self {
            value,
            dims,
            strides,
            contiguous,
            order,
            dense,
            by_stride: false,
            dense_if: None,
            within: None,
        }
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The order in which to walk the axes, where it is not the plain one.
    pub fn ordered(self, order: Vec<usize>, dense: bool) -> Self {
        let order = if order.is_sorted() { Vec::new() } else { order };
        Self { order, dense, ..self }
    }
}

impl Lower<'_> {
    /// What is known of an array made.
    pub(super) fn array(&self, value: Value) -> &Array {
        self.arrays.get(&value).expect("arrays are remembered when made")
    }

    pub(super) fn remember(&mut self, array: Array) {
        self.arrays.insert(array.value, array);
    }

    pub(super) fn dtype(&self, value: Value) -> DType {
        self.b.func.ty(value).dtype().expect("arrays and scalars have elements")
    }

    pub(super) fn item_size(&mut self, array: Value) -> Value {
        let size = self.dtype(array).size();
        self.int(i64::try_from(size).expect("small"))
    }

    /// A fresh array; `kind` is `Empty` or `Zeros`.
    pub(super) fn allocate(&mut self, kind: OpKind, dtype: DType, dims: &[Value]) -> Array {
        let rank = u8::try_from(dims.len()).expect("ranks are small");
        let value = self.b.value(kind, dims.to_vec(), Type::array(dtype, rank));
        let array = Array::new(value, dims.to_vec(), None, true);
        self.remember(array.clone());
        array
    }

    pub(super) fn empty(&mut self, dtype: DType, dims: &[Value]) -> Array {
        self.allocate(OpKind::Empty, dtype, dims)
    }

    /// Strides in bytes. Those of an array without gaps follow from its lengths, so that the last one is a
    /// constant.
    pub(super) fn strides(&mut self, array: &Array) -> Vec<Value> {
        if let Some(strides) = &array.strides {
            return strides.clone();
        }
        if array.contiguous {
            let unit = self.item_size(array.value);
            return self.row_major(&array.dims, unit);
        }
        let axes = 0..u8::try_from(array.rank()).expect("ranks are small");
        axes.map(|axis| self.b.value(OpKind::Stride(axis), vec![array.value], Type::I64)).collect()
    }

    /// Strides of a row-major array whose neighbours are `unit` bytes apart.
    pub(super) fn row_major(&mut self, dims: &[Value], unit: Value) -> Vec<Value> {
        let mut strides = vec![unit; dims.len()];
        for axis in (1..dims.len()).rev() {
            strides[axis - 1] = self.mul(strides[axis], dims[axis]);
        }
        strides
    }

    /// A view of `base` from this byte on.
    pub(super) fn raw_view(
        &mut self,
        base: Value,
        offset: Value,
        dims: Vec<Value>,
        strides: Vec<Value>,
        contiguous: bool,
    ) -> Array {
        self.raw_view_of(base, self.dtype(base), offset, dims, strides, contiguous)
    }

    /// As [`Self::raw_view`], of elements of this type.
    pub(super) fn raw_view_of(
        &mut self,
        base: Value,
        dtype: DType,
        offset: Value,
        dims: Vec<Value>,
        strides: Vec<Value>,
        contiguous: bool,
    ) -> Array {
        let ty = Type::array(dtype, u8::try_from(dims.len()).expect("ranks are small"));
        let mut args = vec![base, offset];
        args.extend_from_slice(&dims);
        args.extend_from_slice(&strides);
        let value = self.b.value(OpKind::RawView, args, ty);
        let array = Array::new(value, dims, Some(strides), contiguous);
        self.remember(array.clone());
        array
    }

    /// A view whose axis `j` is the array's axis `order[j]`.
    pub(super) fn permuted(&mut self, array: &Array, order: &[usize]) -> Array {
        if order.is_sorted() {
            return array.clone();
        }
        let (zero, strides) = (self.int(0), self.strides(array));
        let pick = |of: &[Value]| order.iter().map(|&axis| of[axis]).collect::<Vec<_>>();
        let contiguous = array.dense && array.order == order;
        let view = self.raw_view(array.value, zero, pick(&array.dims), pick(&strides), contiguous);
        let within = self.within(array).moved(|axis| order.iter().position(|&from| from == axis));
        self.is_within(view, within)
    }

    /// Where an array's elements are, in it or in one that it is a view of.
    pub(super) fn within(&mut self, array: &Array) -> Within {
        let one = self.int(1);
        array.within.clone().unwrap_or_else(|| Within {
            base: array.value,
            axes: (0..array.rank()).map(|axis| Part { start: None, of: Some((axis, one)) }).collect(),
            complex: None,
        })
    }

    /// Remembers where a view's elements are. The code of general versions goes by strides, which is shorter.
    pub(super) fn is_within(&mut self, view: Array, within: Within) -> Array {
        if self.src.version == Version::General {
            return view;
        }
        let view = Array { within: Some(within), ..view };
        self.remember(view.clone());
        view
    }

    /// An element's array and indices, behind views of known form.
    fn element(&mut self, within: Within, indices: &[Value]) -> Vec<Value> {
        let mut found = vec![within.base];
        for Part { start, of } in within.axes {
            let along = of.map(|(axis, step)| self.mul(indices[axis], step));
            found.push(match (start, along) {
                (Some(start), Some(along)) => self.add(start, along),
                (Some(index), None) | (None, Some(index)) => index,
                (None, None) => self.int(0),
            });
        }
        found
    }

    /// The elements of an array without gaps, in one dimension.
    pub(super) fn flatten(&mut self, array: &Array, size: Value) -> Array {
        debug_assert!(array.contiguous);
        if array.rank() == 1 {
            return array.clone();
        }
        let (zero, unit) = (self.int(0), self.item_size(array.value));
        self.raw_view(array.value, zero, vec![size], vec![unit], true)
    }

    pub(super) fn load_raw(&mut self, array: Value, indices: &[Value]) -> Value {
        let within = self.arrays.get(&array).and_then(|array| array.within.clone());
        let Some(within) = within else {
            let ty = Type::Scalar(self.dtype(array));
            return self.b.value(OpKind::LoadRaw, [&[array], indices].concat(), ty);
        };
        let (ty, complex) = (Type::Scalar(self.dtype(within.base)), within.complex);
        let args = self.element(within, indices);
        let element = self.b.value(OpKind::LoadRaw, args, ty);
        match complex {
            None => element,
            Some(ComplexPart::Real) => self.b.elem(ElemOp::Re, &[element]),
            Some(ComplexPart::Imag) => self.b.elem(ElemOp::Im, &[element]),
        }
    }

    pub(super) fn store_raw(&mut self, array: Value, value: Value, indices: &[Value]) {
        self.write_raw(OpKind::StoreRaw, array, value, indices);
    }

    pub(super) fn write_raw(&mut self, kind: OpKind, array: Value, value: Value, indices: &[Value]) {
        let within = self.arrays.get(&array).and_then(|array| array.within.clone());
        let mut args = match within {
            Some(within) if within.complex.is_none() => self.element(within, indices),
            // A part of an element is only written where it is one.
            _ => [&[array], indices].concat(),
        };
        args.insert(1, value);
        self.b.effect(kind, args);
    }
}
