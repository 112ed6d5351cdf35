//! Arrays: elements, views, layout, owners.

use super::load::{Entry, load, options};
use super::make::{F64_1, F64_2, Ops, export, float, function, module, single, with_version};
use pydd_ir::{Builder, DType, ElemOp, OpKind, ReduceOp, Type, Value, Version};
use pydd_test_support::runtime::{Arg, Returned, Runtime};

/// Sums all elements of a matrix.
fn total(b: &mut Builder<'_>, matrix: Value) -> Value {
    let (zero, one) = (b.int(0), b.int(1));
    let start = b.number(0.0, DType::F64);
    let (rows, columns) = (b.dim(matrix, 0), b.dim(matrix, 1));
    b.for_loop([zero, rows, one], &[start], |b, i, outer| {
        b.for_loop([zero, columns, one], outer, |b, j, inner| {
            let x = b.load(matrix, &[i, j]);
            vec![b.add(inner[0], x)]
        })
    })[0]
}

#[test]
fn both_versions_read_a_matrix() {
    for (version, entry) in [(Version::Fast, Entry::First), (Version::General, Entry::Last)] {
        let m = with_version(version, &[F64_2], &[Type::F64], |b, p| Some(vec![total(b, p[0])]));
        for level in [0, 3] {
            let kernel = load(&m, &options(level));
            let items: Vec<f64> = (0..35).map(f64::from).collect();
            let mut a = Arg::new(&items, &[5, 7]);
            let words = a.words();
            assert_eq!(float(kernel.call_entry("f", entry, &words).unwrap()[0]), 595.0);
            if entry == Entry::Last {
                // Every second row, columns backwards.
                let view = a.view(6, &[3, 7], &[112, -8]);
                let want: f64 = [0, 2, 4].iter().flat_map(|r| r * 7..r * 7 + 7).map(f64::from).sum();
                assert_eq!(float(kernel.call_entry("f", entry, &view).unwrap()[0]), want);
            }
        }
    }
}

#[test]
fn general_code_reads_misaligned_elements() {
    let m = with_version(Version::General, &[F64_2], &[Type::F64], |b, p| Some(vec![total(b, p[0])]));
    let kernel = load(&m, &options(3));
    let mut bytes = vec![0_u8; 3];
    for x in [1.5_f64, 2.5, 3.5, 4.5] {
        bytes.extend_from_slice(&x.to_le_bytes());
    }
    let mut a = Arg::new(&bytes, &[2, 2]);
    let words = a.view(3, &[2, 2], &[16, 8]);
    assert_eq!(float(kernel.call_entry("f", Entry::Last, &words).unwrap()[0]), 12.0);
}

#[test]
fn every_element_type_is_stored_and_loaded() {
    let mut m = module();
    for dtype in DType::ALL {
        let array = Type::array(dtype, 1);
        let func = function(
            dtype.name(),
            Version::Fast,
            &[array, Type::Scalar(dtype)],
            &[Type::Scalar(dtype)],
            |b, p| {
                let (zero, two) = (b.int(0), b.int(2));
                b.store(p[0], p[1], &[two]);
                Some(vec![b.load(p[0], &[zero])])
            },
        );
        export(&mut m, func);
    }
    let kernel = load(&m, &options(2));
    for dtype in DType::ALL {
        let size = usize::try_from(dtype.size()).unwrap();
        let first: Vec<u8> = (0..size).map(|i| if dtype == DType::Bool { 1 } else { i as u8 + 65 }).collect();
        let mut items = first.clone();
        items.resize(3 * size, 0);
        let mut a = Arg::new(&items, &[3]);
        let dims = [3];
        let mut words = a.view(0, &dims, &[size.cast_signed() as i64]);
        // The value to store: the bits of the first element again.
        let part = if dtype.is_complex() { size / 2 } else { size };
        let value: Vec<u64> = first
            .chunks(part)
            .map(|bytes| {
                let mut wide = [0; 8];
                wide[..part].copy_from_slice(bytes);
                u64::from_le_bytes(wide)
            })
            .collect();
        words.extend(&value);
        assert_eq!(kernel.call(dtype.name(), &words).unwrap(), value, "{dtype}");
        assert_eq!(a.items[2 * size..], first, "{dtype}");
    }
}

#[test]
fn elements_are_updated() {
    let reductions =
        [ReduceOp::Sum, ReduceOp::Min, ReduceOp::Max, ReduceOp::And, ReduceOp::Or, ReduceOp::Xor];
    for dtype in [DType::I32, DType::U32, DType::I64, DType::U64] {
        let size = usize::try_from(dtype.size()).unwrap();
        let mut m = module();
        for reduce in reductions {
            let params = [Type::array(dtype, 1), Type::Scalar(dtype)];
            let func = function(reduce.name(), Version::Fast, &params, &[], |b, p| {
                let one = b.int(1);
                b.effect(OpKind::UpdateRaw(reduce), vec![p[0], p[1], one]);
                Some(vec![])
            });
            export(&mut m, func);
        }
        for level in [0, 3] {
            let kernel = load(&m, &options(level));
            for reduce in reductions {
                let old = (-16_i64).to_le_bytes();
                let items = [&[7; 8][..size], &old[..size]].concat();
                let mut a = Arg::new(&items, &[2]);
                let mut words = a.view(0, &[2], &[size.cast_signed() as i64]);
                words.push(19);
                kernel.call(reduce.name(), &words).unwrap();
                let new = match reduce {
                    ReduceOp::Sum => 3,
                    ReduceOp::Min if dtype.is_signed_int() => -16,
                    ReduceOp::Max if !dtype.is_signed_int() => -16,
                    ReduceOp::Min | ReduceOp::Max => 19,
                    ReduceOp::And => 16,
                    ReduceOp::Or => -13,
                    _ => -29_i64,
                };
                let expected = [&[7; 8][..size], &new.to_le_bytes()[..size]].concat();
                assert_eq!(a.items, expected, "{dtype} {}", reduce.name());
            }
        }
    }
}

#[test]
fn any_nonzero_byte_is_true() {
    let m = single(&[Type::array(DType::Bool, 1)], &[Type::BOOL], |b, p| {
        let zero = b.int(0);
        Some(vec![b.load(p[0], &[zero])])
    });
    let kernel = load(&m, &options(3));
    for (byte, want) in [(0_u8, 0), (1, 1), (2, 1), (255, 1)] {
        let words = Arg::new(&[byte], &[1]).words();
        // The argument is gone, but its owner is not touched and its memory not reused in between.
        let mut a = Arg::new(&[byte], &[1]);
        drop(words);
        assert_eq!(kernel.call("f", &a.words()).unwrap(), [want]);
    }
}

/// Fills a fresh matrix with `10 i + j` and returns it, and its second row.
#[test]
fn fresh_arrays_and_views_are_returned() {
    let m = single(&[Type::I64, Type::I64], &[F64_2, F64_1], |b, p| {
        let a = b.empty(&[p[0], p[1]], F64_2);
        let (zero, one, ten) = (b.int(0), b.int(1), b.int(10));
        b.for_loop([zero, p[0], one], &[], |b, i, _| {
            b.for_loop([zero, p[1], one], &[], |b, j, _| {
                let tens = b.mul(i, ten);
                let number = b.add(tens, j);
                let x = b.cast(number, DType::F64);
                b.store(a, x, &[i, j]);
                vec![]
            });
            vec![]
        });
        let offset = b.value(OpKind::Stride(0), vec![a], Type::I64);
        let stride = b.value(OpKind::Stride(1), vec![a], Type::I64);
        let row = b.value(OpKind::RawView, vec![a, offset, p[1], stride], F64_1);
        Some(vec![a, row])
    });
    for level in [0, 3] {
        let kernel = load(&m, &options(level));
        let before = Runtime::alive();
        let words = kernel.call("f", &[3, 4]).unwrap();
        let (matrix, row) = (Returned::new(&words[..6]), Returned::new(&words[6..]));
        assert_eq!(
            (matrix.dims.as_slice(), matrix.strides.as_slice()),
            ([3, 4].as_slice(), [32, 8].as_slice())
        );
        assert_eq!(matrix.items::<f64>(), [0., 1., 2., 3., 10., 11., 12., 13., 20., 21., 22., 23.]);
        assert_eq!(row.items::<f64>(), [10., 11., 12., 13.]);
        assert_eq!(row.owner, matrix.owner);
        assert_eq!(Runtime::alive(), before + 1);
        drop((matrix, row));
        assert_eq!(Runtime::alive(), before);
    }
}

#[test]
fn zeros_are_zero() {
    let m = single(&[Type::I64], &[F64_1], |b, p| {
        let a = b.value(OpKind::Zeros, vec![p[0]], F64_1);
        b.new_slot();
        b.own(a, 0);
        Some(vec![a])
    });
    let words = load(&m, &options(3)).call("f", &[5]).unwrap();
    assert_eq!(Returned::new(&words).items::<f64>(), [0.0; 5]);
}

#[test]
fn a_returned_parameter_is_retained() {
    let m = single(&[F64_1], &[F64_1, F64_1], |_, p| Some(vec![p[0], p[0]]));
    let mut a = Arg::new(&[1.0, 2.0], &[2]);
    let words = load(&m, &options(3)).call("f", &a.words()).unwrap();
    assert_eq!(a.count(), 3);
    drop((Returned::new(&words[..4]), Returned::new(&words[4..])));
    assert_eq!(a.count(), 1);
}

/// In each iteration a fresh array replaces the carried one.
#[test]
fn slots_release_what_they_held() {
    let m = single(&[Type::I64, F64_1], &[F64_1], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let n = b.dim(p[1], 0);
        b.new_slot();
        b.new_slot();
        b.effect(OpKind::Own { slot: pydd_ir::Entity::new(0), retain: true }, vec![p[1]]);
        let last = b.for_loop([zero, p[0], one], &[p[1]], |b, _, carried| {
            let next = b.value(OpKind::Empty, vec![n], F64_1);
            b.own(next, 1);
            b.for_loop([zero, n, one], &[], |b, j, _| {
                let x = b.load(carried[0], &[j]);
                let more = b.number(1.0, DType::F64);
                let x = b.add(x, more);
                b.store(next, x, &[j]);
                vec![]
            });
            b.effect(OpKind::Own { slot: pydd_ir::Entity::new(0), retain: true }, vec![next]);
            vec![next]
        });
        Some(last)
    });
    for level in [0, 3] {
        let kernel = load(&m, &options(level));
        let mut a = Arg::new(&[1.0, 2.0, 3.0], &[3]);
        let before = Runtime::alive();
        for n in [0_u64, 1, 2, 7] {
            let mut words = vec![n];
            words.extend(a.words());
            let result = Returned::new(&kernel.call("f", &words).unwrap());
            let want: Vec<f64> = a.items.iter().map(|x| x + n as f64).collect();
            assert_eq!(result.items::<f64>(), want);
            assert_eq!(Runtime::alive(), before + i64::from(n > 0));
            drop(result);
            assert_eq!((Runtime::alive(), a.count()), (before, 1));
        }
    }
}

#[test]
fn disown_releases_early() {
    let m = single(&[Type::I64], &[Type::I64], |b, p| {
        b.empty(&[p[0]], F64_1);
        b.effect(OpKind::Disown(pydd_ir::Entity::new(0)), vec![]);
        b.effect(OpKind::Disown(pydd_ir::Entity::new(0)), vec![]);
        Some(vec![p[0]])
    });
    let kernel = load(&m, &options(0));
    let before = Runtime::alive();
    kernel.call("f", &[5]).unwrap();
    assert_eq!(Runtime::alive(), before);
}

#[test]
fn contiguity_ignores_axes_without_steps() {
    let m = with_version(Version::General, &[F64_2], &[Type::BOOL], |b, p| {
        Some(vec![b.value(OpKind::IsContiguous, vec![p[0]], Type::BOOL)])
    });
    let kernel = load(&m, &options(3));
    let mut a = Arg::new(&[0.0; 12], &[3, 4]);
    let cases: &[([i64; 2], [i64; 2], u64)] = &[
        ([3, 4], [32, 8], 1),
        ([3, 4], [8, 24], 0),
        ([3, 2], [32, 8], 0),
        ([1, 4], [99, 8], 1),
        ([3, 1], [8, 99], 1),
        ([0, 4], [7, 7], 1),
        ([3, 4], [-32, 8], 0),
    ];
    for &(dims, strides, want) in cases {
        let got = kernel.call_entry("f", Entry::Last, &a.view(0, &dims, &strides)).unwrap();
        assert_eq!(got, [want], "{dims:?} {strides:?}");
    }
}

/// `a[1:] = a[:-1] + 1` element by element, through two views of one parameter.
#[test]
fn views_of_one_array_may_overlap() {
    let m = single(&[F64_1], &[], |b, p| {
        let (zero, one, eight) = (b.int(0), b.int(1), b.int(8));
        let n = b.dim(p[0], 0);
        let n = b.sub(n, one);
        let from = b.value(OpKind::RawView, vec![p[0], zero, n, eight], F64_1);
        let to = b.value(OpKind::RawView, vec![p[0], eight, n, eight], F64_1);
        let increment = b.number(1.0, DType::F64);
        b.for_loop([zero, n, one], &[], |b, i, _| {
            let x = b.load(from, &[i]);
            let x = b.add(x, increment);
            b.store(to, x, &[i]);
            vec![]
        });
        Some(vec![])
    });
    for level in [0, 3] {
        let mut a = Arg::new(&[0.0; 40], &[40]);
        load(&m, &options(level)).call("f", &a.words()).unwrap();
        assert_eq!(a.items, (0..40).map(f64::from).collect::<Vec<f64>>());
    }
}

/// General arguments may overlap: `b[i] = a[i] + 1` where b is a shifted by one.
#[test]
fn overlapping_arguments_see_each_others_writes() {
    let m = with_version(Version::General, &[F64_1, F64_1], &[], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let n = b.dim(p[0], 0);
        let increment = b.number(1.0, DType::F64);
        b.for_loop([zero, n, one], &[], |b, i, _| {
            let x = b.load(p[0], &[i]);
            let x = b.add(x, increment);
            b.store(p[1], x, &[i]);
            vec![]
        });
        Some(vec![])
    });
    let mut a = Arg::new(&[0.0; 40], &[40]);
    let words = [a.view(0, &[39], &[8]), a.view(1, &[39], &[8])].concat();
    load(&m, &options(3)).call_entry("f", Entry::Last, &words).unwrap();
    assert_eq!(a.items, (0..40).map(f64::from).collect::<Vec<f64>>());
}

/// Arrays through calls: a callee that returns a view of its argument, and one that makes an array.
#[test]
fn callees_return_arrays() {
    let mut m = module();
    let tail = function("tail", Version::Any, &[F64_1], &[F64_1], |b, p| {
        let one = b.int(1);
        let n = b.dim(p[0], 0);
        let n = b.sub(n, one);
        let stride = b.value(OpKind::Stride(0), vec![p[0]], Type::I64);
        Some(vec![b.value(OpKind::RawView, vec![p[0], stride, n, stride], F64_1)])
    });
    let tail = m.funcs.push(tail);
    let f = function("f", Version::Fast, &[F64_1], &[F64_1], |b, p| {
        let one = b.value(OpKind::Call(tail), vec![p[0]], F64_1);
        b.new_slot();
        b.own(one, 0);
        let two = b.value(OpKind::Call(tail), vec![one], F64_1);
        b.new_slot();
        b.own(two, 1);
        Some(vec![two])
    });
    export(&mut m, f);
    for level in [0, 3] {
        let kernel = load(&m, &options(level));
        let mut a = Arg::new(&[1.0, 2.0, 3.0, 4.0], &[4]);
        let result = Returned::new(&kernel.call("f", &a.words()).unwrap());
        assert_eq!(result.items::<f64>(), [3.0, 4.0]);
        assert_eq!(a.count(), 2);
        drop(result);
        assert_eq!(a.count(), 1);
    }
}

/// What a callee makes is passed to its next call: the copies of the callee's code may overlap.
#[test]
fn inlined_calls_keep_their_memory_apart() {
    let mut m = module();
    let double = function("double", Version::Any, &[F64_1], &[F64_1], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let n = b.dim(p[0], 0);
        let fresh = b.empty(&[n], F64_1);
        b.for_loop([zero, n, one], &[], |b, i, _| {
            let x = b.load(p[0], &[i]);
            let x = b.add(x, x);
            b.store(fresh, x, &[i]);
            vec![]
        });
        Some(vec![fresh])
    });
    let double = m.funcs.push(double);
    let f = function("f", Version::Fast, &[F64_1, Type::I64], &[F64_1], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        b.new_slot();
        b.new_slot();
        b.effect(OpKind::Own { slot: pydd_ir::Entity::new(1), retain: true }, vec![p[0]]);
        Some(b.for_loop([zero, p[1], one], &[p[0]], |b, _, carried| {
            let next = b.value(OpKind::Call(double), vec![carried[0]], F64_1);
            b.own(next, 0);
            b.effect(OpKind::Own { slot: pydd_ir::Entity::new(1), retain: true }, vec![next]);
            vec![next]
        }))
    });
    export(&mut m, f);
    let kernel = load(&m, &options(3));
    let mut a = Arg::new(&[1.0, 2.0, 3.0, 4.0, 5.0], &[5]);
    let before = Runtime::alive();
    let mut words = a.words();
    words.push(10);
    let result = Returned::new(&kernel.call("f", &words).unwrap());
    assert_eq!(result.items::<f64>(), [1024.0, 2048.0, 3072.0, 4096.0, 5120.0]);
    drop(result);
    assert_eq!(Runtime::alive(), before);
}

#[test]
fn library_functions_are_called() {
    let m = single(&[F64_2, F64_2], &[F64_2, Type::F64], |b, p| {
        let (n, k) = (b.dim(p[0], 0), b.dim(p[1], 1));
        let out = b.empty(&[n, k], F64_2);
        b.effect(OpKind::Lib(pydd_ir::LibOp::Matmul), vec![p[0], p[1], out]);
        let time = b.value(OpKind::Lib(pydd_ir::LibOp::Time), vec![], Type::F64);
        Some(vec![out, time])
    });
    let kernel = load(&m, &options(3));
    let mut a = Arg::new(&[1.0, 2.0, 3.0, 4.0], &[2, 2]);
    let mut b = Arg::new(&[0.0, 1.0, 1.0, 0.0], &[2, 2]);
    let words = kernel.call("f", &[a.words(), b.words()].concat()).unwrap();
    assert_eq!(Returned::new(&words[..6]).items::<f64>(), [2.0, 1.0, 4.0, 3.0]);
    assert_eq!(float(words[6]), 12.5);
}

#[test]
fn draws_are_given_a_generator_and_numbers() {
    use pydd_ir::{Draw, LibOp};
    let draw = |draw| OpKind::Lib(LibOp::Draw(draw));
    let generator = Type::array(DType::U64, 1);
    let m =
        single(&[generator, Type::F64, Type::I64], &[Type::F64, Type::F64, Type::I64, Type::I64], |b, p| {
            let double = b.value(draw(Draw::Double), vec![], Type::F64);
            let normal = b.value(draw(Draw::Normal), vec![p[0], p[1], p[1]], Type::F64);
            let count = b.value(draw(Draw::Poisson), vec![p[0], p[1]], Type::I64);
            let integer = b.value(draw(Draw::Integer), vec![p[0], p[2], p[2]], Type::I64);
            Some(vec![double, normal, count, integer])
        });
    let kernel = load(&m, &options(3));
    let mut words = Arg::new(&[100_u64, 0, 0, 0, 0, 0], &[6]);
    let args = [words.words(), vec![2.5_f64.to_bits(), 7]].concat();
    let results = kernel.call("f", &args).unwrap();
    assert_eq!([float(results[0]), float(results[1])], [-1.0, 105.0]);
    assert_eq!(results[2..4], [102, 114]);
}

#[test]
fn words_that_are_ready_are_drawn_without_calls() {
    use pydd_ir::{Draw, LibOp};
    let draw = |draw| OpKind::Lib(LibOp::Draw(draw));
    let m =
        single(&[Type::F64, Type::I64], &[Type::F64, Type::F64, Type::I64, Type::I64, Type::F64], |b, p| {
            let double = b.value(draw(Draw::Double), vec![], Type::F64);
            let within = b.value(draw(Draw::Uniform), vec![p[0], p[0]], Type::F64);
            let integer = b.value(draw(Draw::Integer), vec![p[1], p[1]], Type::I64);
            let below = b.value(draw(Draw::PythonBelow), vec![p[1]], Type::I64);
            // Of two words one is there.
            let last = b.value(draw(Draw::Double), vec![], Type::F64);
            Some(vec![double, within, integer, below, last])
        });
    let kernel = load(&m, &options(3));
    Runtime::give_words(&[0x8000_0000, 0, 0x4000_0000, 0x40, 0xffff_fff5, 0x5000_0000, 1]);
    let results = kernel.call("f", &[2.0_f64.to_bits(), 7]).unwrap();
    assert_eq!(float(results[0]), 0.5);
    assert_eq!(float(results[1]), 2.5 + 2.0 / 9_007_199_254_740_992.0);
    assert_eq!(results[2..4], [12, 5]);
    assert_eq!(float(results[4]), -1.0);
    Runtime::give_words(&[]);
}

#[test]
fn routines_are_given_arrays_and_a_scale() {
    use pydd_ir::{LibOp, Routine};
    let complex = Type::array(DType::C128, 1);
    let m = single(&[F64_1, F64_2, Type::F64], &[complex, F64_1, F64_1, F64_1], |b, p| {
        let n = b.dim(p[0], 0);
        let outs =
            vec![b.empty(&[n], complex), b.empty(&[n], F64_1), b.empty(&[n], F64_1), b.empty(&[n], F64_1)];
        b.effect(OpKind::Lib(LibOp::Routine(Routine::RealFft)), vec![p[0], outs[0], p[2]]);
        b.effect(OpKind::Lib(LibOp::Routine(Routine::Svd)), vec![p[1], outs[1], outs[2], outs[3]]);
        Some(outs)
    });
    let kernel = load(&m, &options(3));
    let (mut vector, mut matrix) = (Arg::new(&[1.0, -2.0], &[2]), Arg::new(&[1.0, -2.0], &[2, 1]));
    let mut words = [vector.words(), matrix.words()].concat();
    words.push(10.0_f64.to_bits());
    let rets = kernel.call("f", &words).unwrap();
    let vectors: Vec<_> = rets.chunks(4).map(|words| Returned::new(words).items::<f64>().to_vec()).collect();
    assert_eq!(vectors, [[10.0, -20.0], [1.0, -2.0], [2.0, -4.0], [3.0, -6.0]]);
}

#[test]
fn print_passes_items_with_their_types() {
    let m = single(&[F64_2, Type::I64], &[], |b, p| {
        let text = b.value(OpKind::Const(pydd_ir::Literal::Str("x =".to_owned())), vec![], Type::Str);
        let small = b.cast(p[1], DType::I8);
        let spec = pydd_ir::PrintSpec {
            sep: Some("|".to_owned()),
            end: None,
            weak: vec![false, true, false, false],
            formats: std::collections::BTreeMap::new(),
        };
        b.effect(OpKind::Print(spec), vec![text, p[1], small, p[0]]);
        Some(vec![])
    });
    let mut words = Arg::new(&[0.0; 6], &[2, 3]).words();
    words.push((-3_i64).cast_unsigned());
    load(&m, &options(3)).call("f", &words).unwrap();
    let want = "x =|Scalar.I64.1.fffffffffffffffd|Scalar.I8.0.fffffffffffffffd|F64[2, 3][24, 8]\n";
    assert_eq!(Runtime::take_printed(), want);
}

/// The smaller of two strides chosen at run time: an array that joins two layouts.
#[test]
fn joins_of_different_layouts_keep_strides() {
    let m = single(&[F64_2, Type::BOOL], &[Type::F64], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        let (rows, columns) = (b.dim(p[0], 0), b.dim(p[0], 1));
        let strides = [0, 1].map(|axis| b.value(OpKind::Stride(axis), vec![p[0]], Type::I64));
        let transposed =
            b.value(OpKind::RawView, vec![p[0], zero, columns, rows, strides[1], strides[0]], F64_2);
        let then = b.region(&[], |b, _| {
            b.effect(OpKind::Yield, vec![transposed]);
        });
        let otherwise = b.region(&[], |b, _| {
            b.effect(OpKind::Yield, vec![p[0]]);
        });
        let op = b.op(OpKind::If, vec![p[1]], &[F64_2], vec![then, otherwise]);
        let joined = b.func.result(op);
        Some(vec![b.load(joined, &[zero, one])])
    });
    let kernel = load(&m, &options(3));
    let mut a = Arg::new(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &[2, 3]);
    for (transposed, want) in [(0, 1.0), (1, 3.0)] {
        let mut words = a.words();
        words.push(transposed);
        assert_eq!(float(kernel.call("f", &words).unwrap()[0]), want);
    }
}

#[test]
fn comparisons_of_an_unused_result_are_fine() {
    let m = single(&[Type::F64], &[], |b, p| {
        b.elem(ElemOp::Eq, &[p[0], p[0]]);
        Some(vec![])
    });
    load(&m, &options(3)).call("f", &[0]).unwrap();
}
