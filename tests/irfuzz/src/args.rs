//! Arguments: memory and what of it each parameter is.

use pydd_interp::{Array, Scalar, Val};
use pydd_ir::{DType, Type};
use pydd_test_support::rng::Rng;
use std::cell::RefCell;
use std::rc::Rc;

/// One argument.
#[derive(Clone, Debug)]
pub enum Arg {
    Scalar(Scalar),
    /// Part of a buffer; offset and strides in bytes.
    Array {
        buffer: usize,
        offset: i64,
        dims: Vec<i64>,
        strides: Vec<i64>,
        dtype: DType,
    },
    List(DType, Vec<Scalar>),
}

/// Arguments of one call, with the memory that they refer to.
#[derive(Clone, Debug)]
pub struct ArgSet {
    pub buffers: Vec<Vec<u8>>,
    /// The element type and the first element's offset of each buffer.
    pub grain: Vec<(DType, usize)>,
    pub args: Vec<Arg>,
}

/// Which lengths the axes have: axis `k` from the last has length `sizes[k]`, for most parameters.
const SIZES: [i64; 8] = [3, 4, 2, 5, 1, 3, 6, 7];

#[must_use]
pub fn value(rng: &mut Rng, dtype: DType) -> Scalar {
    let special = rng.percent(8);
    #[allow(clippy::cast_precision_loss, reason = "small")]
    let float = |rng: &mut Rng| {
        if special {
            rng.pick(&[f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0, -0.0, 0.5, -2.5])
        } else {
            rng.range(-24, 24) as f64 / 4.0
        }
    };
    match dtype {
        DType::Bool => Scalar::Bool(rng.percent(50)),
        d if d.is_int() && special => {
            let extreme = rng.pick(&[i64::MIN, i64::MAX, -128, 127, 255, 1 << 31, -(1 << 31), 64, -1]);
            Scalar::int(i128::from(extreme), d)
        }
        d if d.is_int() => Scalar::int(i128::from(rng.range(-6, 9)), d),
        d if d.is_float() => {
            let x = float(rng);
            Scalar::float(x, d)
        }
        d => {
            let re = float(rng);
            #[allow(clippy::cast_precision_loss, reason = "small")]
            let im = rng.range(-8, 8) as f64 / 2.0;
            Scalar::complex(re, im, d)
        }
    }
}

impl ArgSet {
    /// Arguments for these parameters. `general`: with strides, at any address and overlapping. `long`: axes may
    /// be long.
    #[must_use]
    pub fn new(types: &[Type], written: &[bool], seed: u64, general: bool, long: bool) -> Self {
        let mut rng = Rng::new(seed.wrapping_mul(31).wrapping_add(u64::from(general)));
        let first = rng.below(8);
        let mut sizes: Vec<i64> = (0..4).map(|k| SIZES[(first + k * 3) % 8]).collect();
        if long && rng.percent(60) {
            // Enough for vectors and what is left of them.
            sizes[0] = rng.range(16, 45);
        }
        let mut set = Self { buffers: Vec::new(), grain: Vec::new(), args: Vec::new() };
        for (i, &ty) in types.iter().enumerate() {
            let arg = match ty {
                Type::Scalar(d) => Arg::Scalar(value(&mut rng, d)),
                Type::List { dtype: d, .. } => {
                    let n = rng.below(5);
                    Arg::List(d, (0..n).map(|_| value(&mut rng, d)).collect())
                }
                Type::Array { dtype, rank } => {
                    let rank = usize::from(rank);
                    let shift = usize::from(i % 4 == 3);
                    let mut dims: Vec<i64> = (0..rank).map(|axis| sizes[rank - 1 - axis + shift]).collect();
                    if rank > 0 && rng.percent(4) {
                        dims[rng.below(rank)] = rng.pick(&[0, 0, 1, 2, 6]);
                    }
                    if general {
                        set.strided(&mut rng, dtype, dims, written[i])
                    } else {
                        set.plain(&mut rng, dtype, dims)
                    }
                }
                Type::Str => panic!("no parameter is a string"),
            };
            set.args.push(arg);
        }
        set
    }

    fn buffer(&mut self, rng: &mut Rng, dtype: DType, bytes: usize, first: usize) -> usize {
        let size = usize::try_from(dtype.size()).expect("small");
        let mut data = vec![0x5A; first];
        while data.len() < bytes {
            data.extend(value(rng, dtype).to_bytes());
        }
        data.truncate(bytes.max(first));
        // Only whole elements.
        data.truncate(first + (data.len() - first) / size * size);
        self.buffers.push(data);
        self.grain.push((dtype, first));
        self.buffers.len() - 1
    }

    fn plain(&mut self, rng: &mut Rng, dtype: DType, dims: Vec<i64>) -> Arg {
        let strides = Array::zeros(dtype, &dims).strides;
        let bytes = usize::try_from(dims.iter().product::<i64>()).expect("small")
            * usize::try_from(dtype.size()).expect("small");
        let buffer = self.buffer(rng, dtype, bytes, 0);
        Arg::Array { buffer, offset: 0, dims, strides, dtype }
    }

    fn strided(&mut self, rng: &mut Rng, dtype: DType, dims: Vec<i64>, written: bool) -> Arg {
        let size = i64::try_from(dtype.size()).expect("small");
        let mut order: Vec<usize> = (0..dims.len()).collect();
        if rng.percent(40) {
            for i in (1..order.len()).rev() {
                order.swap(i, rng.below(i + 1));
            }
        }
        let mut strides = vec![0; dims.len()];
        let mut extent = size;
        let mut low = 0;
        for &axis in order.iter().rev() {
            let step = if rng.percent(60) { 1 } else { rng.range(1, 3) };
            let mut stride = extent * step;
            extent = stride * dims[axis].max(1);
            if rng.percent(30) {
                low += stride * (dims[axis] - 1).max(0);
                stride = -stride;
            }
            if dims[axis] != 0 && !written && rng.percent(6) {
                stride = 0;
            }
            strides[axis] = stride;
        }
        let (low, extent) = (usize::try_from(low).expect("small"), usize::try_from(extent).expect("small"));
        let shared = rng.percent(45).then(|| self.shareable(rng, dtype)).flatten();
        let buffer = match shared {
            Some(buffer) => {
                let first = self.grain[buffer].1;
                let slack = rng.below(3) * usize::try_from(size).expect("small");
                while self.buffers[buffer].len() < first + extent + slack {
                    let bytes = value(rng, self.grain[buffer].0).to_bytes();
                    self.buffers[buffer].extend(bytes);
                }
                let offset = i64::try_from(first + low + slack).expect("small");
                return Arg::Array { buffer, offset, dims, strides, dtype };
            }
            None => {
                let first = if rng.percent(40) { rng.below(8) } else { 0 };
                self.buffer(rng, dtype, first + extent, first)
            }
        };
        let offset = i64::try_from(self.grain[buffer].1 + low).expect("small");
        Arg::Array { buffer, offset, dims, strides, dtype }
    }

    /// A buffer that an array of this type may lie in: of the same type, or both of integers.
    fn shareable(&self, rng: &mut Rng, dtype: DType) -> Option<usize> {
        let fits = |&(d, _): &(DType, usize)| d == dtype || (d.is_int() && dtype.is_int());
        let found: Vec<usize> = (0..self.grain.len()).filter(|&i| fits(&self.grain[i])).collect();
        (!found.is_empty()).then(|| rng.pick(&found))
    }

    /// The arguments as the interpreter takes them, and the memory behind them.
    #[must_use]
    pub fn vals(&self) -> (Vec<Val>, Vec<Rc<RefCell<Vec<u8>>>>) {
        let memory: Vec<_> = self.buffers.iter().map(|b| Rc::new(RefCell::new(b.clone()))).collect();
        let vals = self.args.iter().map(|arg| match arg {
            Arg::Scalar(s) => Val::Scalar(*s),
            Arg::List(d, items) => Val::list(*d, items.iter().copied()),
            Arg::Array { buffer, offset, dims, strides, dtype } => Val::Array(Array {
                bytes: Rc::clone(&memory[*buffer]),
                offset: *offset,
                dims: dims.clone(),
                strides: strides.clone(),
                dtype: *dtype,
                read_only: false,
            }),
        });
        (vals.collect(), memory)
    }
}
