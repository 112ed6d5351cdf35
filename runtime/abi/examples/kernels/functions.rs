//! The kernels.

// Each stands for generated code: its words are what its spec in `main` says.
#![allow(clippy::undocumented_unsafe_blocks, clippy::missing_safety_doc)]

use pydd_abi::{ArrayRef, Ctx, DTypeCode, List, Owner, PrintItem, Status, Table, TypeKind};
use std::ptr;

type Args = *const u64;
type Rets = *mut u64;

unsafe fn table<'a>(ctx: *mut Ctx) -> &'a Table {
    unsafe { &*(*ctx).table }
}

unsafe fn float(args: Args, i: usize) -> f64 {
    f64::from_bits(unsafe { *args.add(i) })
}

pub unsafe extern "C" fn twice(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { *rets = (float(args, 0) * 2.0).to_bits() };
    0
}

/// Elements of the vector whose words begin at `args`.
unsafe fn elements(args: Args) -> impl Iterator<Item = *mut f64> {
    let (data, n, stride) = unsafe { (*args as *mut u8, *args.add(2) as isize, *args.add(3) as isize) };
    (0..n).map(move |i| data.wrapping_offset(i * stride).cast())
}

pub unsafe extern "C" fn total(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { *rets = elements(args).map(|p| p.read_unaligned()).sum::<f64>().to_bits() };
    0
}

pub unsafe extern "C" fn total_fast(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let items: &[f64] = match *args.add(2) as usize {
            0 => &[],
            n => std::slice::from_raw_parts(*args as *const f64, n),
        };
        *rets = items.iter().sum::<f64>().to_bits();
    }
    0
}

/// The sum of the totals of twelve vectors.
pub unsafe extern "C" fn total12(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let all = (0..12).flat_map(|i| elements(args.add(4 * i)));
        *rets = all.map(|p| p.read_unaligned()).sum::<f64>().to_bits();
    }
    0
}

pub unsafe extern "C" fn sum2(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let word = |i: usize| *args.add(i) as isize;
        let mut sum = 0.0;
        for i in 0..word(2) {
            for j in 0..word(3) {
                let at = (*args as *const u8).wrapping_offset(i * word(4) + j * word(5));
                sum += at.cast::<f64>().read_unaligned();
            }
        }
        *rets = sum.to_bits();
    }
    0
}

pub unsafe extern "C" fn yes(_: *mut Ctx, _: Args, rets: Rets) -> Status {
    unsafe { *rets = 1 };
    0
}

pub unsafe extern "C" fn no(_: *mut Ctx, _: Args, rets: Rets) -> Status {
    unsafe { *rets = 0 };
    0
}

pub unsafe extern "C" fn scale(_: *mut Ctx, args: Args, _: Rets) -> Status {
    unsafe {
        for p in elements(args) {
            p.write_unaligned(p.read_unaligned() * float(args, 4));
        }
    }
    0
}

pub unsafe extern "C" fn first_entry(_: *mut Ctx, _: Args, rets: Rets) -> Status {
    unsafe { *rets = 1 };
    0
}

pub unsafe extern "C" fn second_entry(_: *mut Ctx, _: Args, rets: Rets) -> Status {
    unsafe { *rets = 2 };
    0
}

pub unsafe extern "C" fn third_entry(_: *mut Ctx, _: Args, rets: Rets) -> Status {
    unsafe { *rets = 3 };
    0
}

/// Writes the words of a vector result, with one count of its owner.
unsafe fn vector(ctx: *mut Ctx, rets: Rets, data: u64, owner: u64, n: u64, stride: u64) {
    unsafe {
        (table(ctx).retain)(owner as *mut Owner);
        for (i, word) in [data, owner, n, stride].into_iter().enumerate() {
            *rets.add(i) = word;
        }
    }
}

pub unsafe extern "C" fn tail(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let (n, stride) = (*args.add(2), *args.add(3));
        let skip = n.min(1);
        vector(ctx, rets, (*args).wrapping_add(stride * skip), *args.add(1), n - skip, stride);
    }
    0
}

pub unsafe extern "C" fn whole(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { vector(ctx, rets, *args, *args.add(1), *args.add(2), *args.add(3)) };
    0
}

/// A fresh vector in the words at `rets`.
unsafe fn fresh(ctx: *mut Ctx, rets: Rets, n: i64) -> Status {
    unsafe {
        (*ctx).site = 4;
        let mut owner = ptr::null_mut();
        let status = (table(ctx).array_alloc)(ctx, 1, &raw const n, 8, 1, &mut owner);
        if status != 0 {
            return status;
        }
        vector(ctx, rets, (*owner).data as u64, owner as u64, n as u64, 8);
        (table(ctx).release)(owner);
    }
    0
}

pub unsafe extern "C" fn zeros(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { fresh(ctx, rets, *args as i64) }
}

/// A copy, the tail, and 1.5 twice.
pub unsafe extern "C" fn pair(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let status = fresh(ctx, rets, *args.add(2) as i64);
        if status != 0 {
            return status;
        }
        for (to, from) in elements(rets).zip(elements(args)) {
            *to = from.read_unaligned();
        }
        *rets.add(8) = u64::from(1.5f32.to_bits());
        *rets.add(9) = u64::from(1.5f32.to_bits());
        tail(ctx, args, rets.add(4))
    }
}

pub unsafe extern "C" fn fail(ctx: *mut Ctx, args: Args, _: Rets) -> Status {
    unsafe {
        (*ctx).site = *args as u32;
        (*ctx).payload = [*args.add(1) as i64, 0, 3, 0, 0, 0, 0, 0];
    }
    1
}

fn item(kind: TypeKind, dtype: DTypeCode, weak: u8, words: [u64; 2]) -> PrintItem {
    PrintItem { kind, dtype, weak, rank: 0, _pad: 0, words, format: std::ptr::null() }
}

pub unsafe extern "C" fn say(ctx: *mut Ctx, args: Args, _: Rets) -> Status {
    unsafe {
        let array = ArrayRef {
            data: *args as *mut u8,
            owner: *args.add(1) as *mut Owner,
            dtype: DTypeCode::F64,
            rank: 1,
            _pad: [0; 6],
            dims: args.add(2).cast(),
            strides: args.add(3).cast(),
        };
        let items = [
            item(TypeKind::Str, DTypeCode::U8, 0, [*args.add(4), 0]),
            item(TypeKind::Scalar, DTypeCode::I64, 1, [7, 0]),
            item(TypeKind::Scalar, DTypeCode::F32, 0, [u64::from(0.1f32.to_bits()), 0]),
            item(TypeKind::Scalar, DTypeCode::F64, 0, [1e100f64.to_bits(), 0]),
            item(TypeKind::Scalar, DTypeCode::Bool, 0, [1, 0]),
            item(TypeKind::Array, DTypeCode::F64, 0, [&raw const array as u64, 0]),
        ];
        (table(ctx).print)(ctx, items.as_ptr(), 6, c"|".as_ptr(), ptr::null())
    }
}

unsafe extern "C" fn harmonic_body(_: *mut Ctx, _: Args, b: i64, e: i64, acc: Rets) -> Status {
    let sum: f64 = (b..e).map(|i| 1.0 / (i as f64 + 1.0)).sum();
    unsafe { *acc = (f64::from_bits(*acc) + sum).to_bits() };
    0
}

unsafe extern "C" fn add(acc: Rets, part: Args) {
    unsafe { *acc = (f64::from_bits(*acc) + float(part, 0)).to_bits() };
}

pub unsafe extern "C" fn harmonic(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        *rets = 0;
        let zero = 0u64;
        (table(ctx).par_for)(ctx, *args as i64, 4, harmonic_body, args, rets, &raw const zero, 1, Some(add))
    }
}

unsafe extern "C" fn say_body(ctx: *mut Ctx, _: Args, b: i64, _: i64, _: Rets) -> Status {
    let item = item(TypeKind::Scalar, DTypeCode::I64, 1, [b as u64, 0]);
    unsafe { (table(ctx).print)(ctx, &raw const item, 1, ptr::null(), ptr::null()) }
}

pub unsafe extern "C" fn say_in_parallel(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { (table(ctx).par_for)(ctx, *args as i64, 1 << 40, say_body, args, rets, ptr::null(), 0, None) }
}

pub unsafe extern "C" fn spin(ctx: *mut Ctx, args: Args, _: Rets) -> Status {
    unsafe {
        let end = (table(ctx).time)() + float(args, 0);
        while (table(ctx).time)() < end {
            if (table(ctx).poll)(ctx) != 0 {
                return 1;
            }
        }
    }
    0
}

/// The same after a vector.
pub unsafe extern "C" fn spin_small(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { spin(ctx, args.add(4), rets) }
}

unsafe extern "C" fn sleep_body(_: *mut Ctx, _: Args, b: i64, e: i64, _: Rets) -> Status {
    std::thread::sleep(std::time::Duration::from_millis((e - b) as u64));
    0
}

/// `n` iterations of a millisecond.
pub unsafe extern "C" fn spin_in_parallel(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { (table(ctx).par_for)(ctx, *args as i64, 1 << 40, sleep_body, args, rets, ptr::null(), 0, None) }
}

unsafe fn push(ctx: *mut Ctx, list: *mut List, value: i64) -> Status {
    unsafe {
        let status = (table(ctx).list_grow)(ctx, list);
        if status == 0 {
            (*list).data.cast::<i64>().add((*list).len as usize).write(value);
            (*list).len += 1;
        }
        status
    }
}

/// `x[0] += 1; x.extend(y); if len(x) > 5: fail; return x`.
pub unsafe extern "C" fn extend(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let (x, y) = (*args as *mut List, *args.add(1) as *mut List);
        if (*x).len > 0 {
            *(*x).data.cast::<i64>() += 1;
        }
        for i in 0..(*y).len as usize {
            let value = *(*y).data.cast::<i64>().add(i);
            push(ctx, x, value);
        }
        (*ctx).site = 1;
        (table(ctx).retain)(&raw mut (*x).owner);
        *rets = x as u64;
        if (*x).len > 5 {
            (table(ctx).release)(&raw mut (*x).owner);
            return 1;
        }
    }
    0
}

pub unsafe extern "C" fn squares(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        (*ctx).site = 4;
        let mut list = ptr::null_mut();
        let status = (table(ctx).list_new)(ctx, DTypeCode::I64, 1, 0, &mut list);
        if status != 0 {
            return status;
        }
        for i in 0..*args as i64 {
            push(ctx, list, i * i);
        }
        *rets = list as u64;
    }
    0
}

/// Recurses `n` deep, with a check at each entry.
pub unsafe extern "C" fn dive(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        let frame = [*args; 8];
        if (&raw const frame) as usize <= (*ctx).stack_limit {
            (*ctx).site = 2;
            return 1;
        }
        *rets = 0;
        if *args > 0 {
            let less = std::hint::black_box(&frame)[3] - 1;
            let status = dive(ctx, &raw const less, rets);
            *rets += 1;
            return status;
        }
    }
    0
}

unsafe fn matrix(args: Args) -> ArrayRef {
    unsafe {
        ArrayRef {
            data: *args as *mut u8,
            owner: *args.add(1) as *mut Owner,
            dtype: DTypeCode::F64,
            rank: 2,
            _pad: [0; 6],
            dims: args.add(2).cast(),
            strides: args.add(4).cast(),
        }
    }
}

pub unsafe extern "C" fn dot(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        (*ctx).site = 4;
        let (a, b) = (matrix(args), matrix(args.add(6)));
        let dims = [*a.dims, *b.dims.add(1)];
        let mut owner = ptr::null_mut();
        let status = (table(ctx).array_alloc)(ctx, 2, dims.as_ptr(), 8, 0, &mut owner);
        if status != 0 {
            return status;
        }
        let words =
            [(*owner).data as u64, owner as u64, dims[0] as u64, dims[1] as u64, dims[1] as u64 * 8, 8];
        ptr::copy_nonoverlapping(words.as_ptr(), rets, 6);
        let status = (table(ctx).matmul)(ctx, &raw const a, &raw const b, &matrix(rets));
        if status != 0 {
            (table(ctx).release)(owner);
        }
        status
    }
}

pub unsafe extern "C" fn second(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { *rets = *args.add(1) };
    0
}

pub unsafe extern "C" fn echo(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { *rets = *args };
    0
}

pub unsafe extern "C" fn echo2(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { ptr::copy_nonoverlapping(args, rets, 2) };
    0
}

/// Returns an array of rank 0 as a new view: another owner's count would do.
pub unsafe extern "C" fn same0(ctx: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe {
        (table(ctx).retain)(*args.add(1) as *mut Owner);
        ptr::copy_nonoverlapping(args, rets, 2);
    }
    0
}

pub unsafe extern "C" fn second_word(_: *mut Ctx, args: Args, rets: Rets) -> Status {
    unsafe { *rets = *args.add(4) };
    0
}
