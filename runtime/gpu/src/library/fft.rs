//! Fourier transforms by cuFFT.
//!
//! It has no scale: cuBLAS multiplies the result. Transforms to real numbers are not here, since cuFFT's may write to their operand, and take an operand for symmetric that is not.
//!
//! Unsafe here: cuFFT's functions, with their types as its documentation has them.

use super::find::{first, function};
use super::strides::{Stack, in_elements};
use super::turn::Turn;
use super::{Call, Function, Operand, Plan, Refusal, blas};
use crate::device::{Device, lock};
use crate::driver::Stream;
use libloading::os::unix::Library;
use pydd_abi::DTypeCode;
use std::ffi::c_int;
use std::sync::Mutex;

const NAMES: [&str; 3] = ["libcufft.so.12", "libcufft.so.11", "libcufft.so.10"];

type Status = c_int;
/// `CUFFT_ALLOC_FAILED`.
const NO_MEMORY: Status = 2;

/// `cufftType`.
const REAL_SINGLE: c_int = 0x2a;
const SINGLE: c_int = 0x29;
const REAL_DOUBLE: c_int = 0x6a;
const DOUBLE: c_int = 0x69;

const FORWARD: c_int = -1;
const INVERSE: c_int = 1;

/// Plans that are kept: each has memory on the device.
const MOST_PLANS: usize = 8;

type Complex = unsafe extern "C" fn(c_int, u64, u64, c_int) -> Status;
type Real = unsafe extern "C" fn(c_int, u64, u64) -> Status;

#[derive(Clone, Copy)]
struct Functions {
    create: unsafe extern "C" fn(*mut c_int) -> Status,
    make: unsafe extern "C" fn(
        c_int,
        c_int,
        *const c_int,
        *const c_int,
        c_int,
        c_int,
        *const c_int,
        c_int,
        c_int,
        c_int,
        c_int,
        *mut usize,
    ) -> Status,
    set_stream: unsafe extern "C" fn(c_int, Stream) -> Status,
    destroy: unsafe extern "C" fn(c_int) -> Status,
    single: Complex,
    double: Complex,
    real_single: Real,
    real_double: Real,
}

impl Functions {
    fn of(library: &Library) -> Result<Self, String> {
        // SAFETY: its documentation says that they are of these types.
        unsafe {
            Ok(Self {
                create: function(library, "cufftCreate")?,
                make: function(library, "cufftMakePlanMany")?,
                set_stream: function(library, "cufftSetStream")?,
                destroy: function(library, "cufftDestroy")?,
                single: function(library, "cufftExecC2C")?,
                double: function(library, "cufftExecZ2Z")?,
                real_single: function(library, "cufftExecR2C")?,
                real_double: function(library, "cufftExecD2Z")?,
            })
        }
    }

    /// A plan for the current context's device.
    fn planned(&self, key: Key) -> Result<Planned, Refusal> {
        let plan = self.plan(key)?;
        match Turn::new() {
            Ok(turn) => Ok(Planned { key, plan, turn }),
            Err(error) => {
                self.destroy(plan);
                Err(error.into())
            }
        }
    }

    fn plan(&self, key: Key) -> Result<c_int, Refusal> {
        let mut plan = 0;
        // SAFETY: room for a plan.
        check("cufftCreate", unsafe { (self.create)(&raw mut plan) })?;
        let mut bytes = 0;
        let (length, [from, to], [from_apart, to_apart]) = (key.length, key.strides, key.apart);
        // SAFETY: one axis' lengths, and room for a size.
        let status = unsafe {
            (self.make)(
                plan,
                1,
                &raw const length,
                &raw const length,
                from,
                from_apart,
                &raw const length,
                to,
                to_apart,
                key.kind,
                key.batch,
                &raw mut bytes,
            )
        };
        check("cufftMakePlanMany", status).inspect_err(|_| self.destroy(plan))?;
        Ok(plan)
    }

    /// Waits for what a plan does, and frees it.
    fn forget(&self, planned: Planned) {
        // What a device does that failed is never done.
        if planned.turn.end().is_ok() {
            self.destroy(planned.plan);
        }
    }

    fn destroy(&self, plan: c_int) {
        // SAFETY: a plan whose work is done.
        let _ = unsafe { (self.destroy)(plan) };
    }
}

fn check(what: &str, status: Status) -> Result<(), Refusal> {
    super::check(what, status, NO_MEMORY)
}

/// What a plan is for. Strides and distances are of elements, of the operand and the result.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    device: usize,
    kind: c_int,
    length: c_int,
    strides: [c_int; 2],
    apart: [c_int; 2],
    batch: c_int,
}

/// cuFFT, or why there is none; and plans, that which was used last at the end.
struct State {
    functions: Option<Result<Functions, String>>,
    plans: Vec<Planned>,
}

struct Planned {
    key: Key,
    plan: c_int,
    turn: Turn,
}

static STATE: Mutex<State> = Mutex::new(State { functions: None, plans: Vec::new() });

/// Transforms along the last axes of two arrays.
pub struct Transforms {
    function: Function,
    kind: c_int,
    length: c_int,
    strides: [c_int; 2],
    apart: [c_int; 2],
    batch: c_int,
    /// Of the operand and the result.
    stack: Stack<2>,
    items: [i64; 2],
    scale: f64,
    /// Numbers of the result, which lies without gaps if it is scaled.
    numbers: i64,
}

impl Transforms {
    /// # Errors
    /// cuFFT has no function for these arrays.
    pub fn new(call: &Call) -> Result<Self, &'static str> {
        let &[from] = call.operands else { return Err("a transform has one operand") };
        let (out, function) = (call.out, call.function);
        let kind = match (function == Function::RealFft, from.dtype, out.dtype) {
            (true, DTypeCode::F32, DTypeCode::C64) => REAL_SINGLE,
            (true, DTypeCode::F64, DTypeCode::C128) => REAL_DOUBLE,
            (false, DTypeCode::C64, DTypeCode::C64) => SINGLE,
            (false, DTypeCode::C128, DTypeCode::C128) => DOUBLE,
            _ => return Err("no library has transforms of such elements"),
        };
        let (Some((&length, outer)), false) = (from.dims.split_last(), out.dims.contains(&0)) else {
            return Err("it is empty");
        };
        let strides = [in_elements(&from)?, in_elements(&out)?];
        let stack = Stack::new(outer, [0, 1].map(|i| &strides[i][..outer.len()]))?;
        let int = |x: i64| c_int::try_from(x).map_err(|_| "its arrays are too large for the library");
        let ahead = |x: i64| int(x).ok().filter(|&x| x > 0).ok_or("its arrays lie as no library takes them");
        let along = |i: usize| {
            if [from, out][i].dims[outer.len()] == 1 { Ok(1) } else { ahead(strides[i][outer.len()]) }
        };
        let between = |i: usize| if stack.count == 1 { Ok(1) } else { ahead(stack.apart[i]) };
        for (array, of) in [(&from, &strides[0]), (&out, &strides[1])] {
            reaches_no_further(array, of)?;
        }
        let scaled = call.scale != 1.0;
        let is_dense = call.out.footprint()?.is_some_and(|footprint| footprint.is_dense());
        // It is scaled from its first element on.
        if scaled && !(is_dense && strides[1].iter().all(|&stride| stride >= 0)) {
            return Err("its result has gaps");
        }
        Ok(Self {
            function,
            kind,
            length: int(length)?,
            strides: [along(0)?, along(1)?],
            apart: [between(0)?, between(1)?],
            batch: int(stack.count)?,
            stack,
            items: [from, out].map(|array| array.dtype.size() as i64),
            scale: call.scale,
            numbers: 2 * out.dims.iter().product::<i64>(),
        })
    }

    const fn is_single(&self) -> bool {
        matches!(self.kind, SINGLE | REAL_SINGLE)
    }
}

/// cuFFT counts elements in 32 bits.
fn reaches_no_further(array: &Operand, strides: &[i64]) -> Result<(), &'static str> {
    let reach = array.dims.iter().zip(strides).map(|(&dim, &stride)| (dim - 1).saturating_mul(stride.abs()));
    let reach = reach.fold(0, i64::saturating_add);
    if reach < i64::from(c_int::MAX) { Ok(()) } else { Err("its arrays are too large for the library") }
}

/// Additions and multiplications of a transform for each scalar operation of a loop.
const FASTER: f64 = 2.5;

impl Plan for Transforms {
    fn operations(&self) -> f64 {
        let lanes = self.stack.begins.len() as f64 * f64::from(self.batch);
        let length = f64::from(self.length);
        lanes * 5.0 * length * length.log2().max(1.0) / FASTER
    }

    unsafe fn issue(&self, device: &Device, addresses: &[u64], stream: Stream) -> Result<(), Refusal> {
        // A real operand as well may be read by pairs.
        let pair = self.items[1].cast_unsigned();
        let at = |begin: &[i64; 2], i: usize| {
            addresses[i].wrapping_add((begin[i] * self.items[i]).cast_unsigned())
        };
        if !self.stack.begins.iter().all(|begin| [0, 1].iter().all(|&i| at(begin, i).is_multiple_of(pair))) {
            return Err(Refusal::Refused("arrays are not aligned as cuFFT needs it".to_owned()));
        }
        let mut state = lock(&STATE);
        let found = state.functions.get_or_insert_with(|| first("cuFFT", &NAMES, Functions::of));
        let functions = found.clone().map_err(Refusal::Missing)?;
        let (kind, length, strides, apart, batch) =
            (self.kind, self.length, self.strides, self.apart, self.batch);
        let key = Key { device: device.index, kind, length, strides, apart, batch };
        let State { plans, .. } = &mut *state;
        let mut planned = match plans.iter().position(|planned| planned.key == key) {
            Some(at) => plans.remove(at),
            None => {
                if plans.len() == MOST_PLANS {
                    functions.forget(plans.remove(0));
                }
                functions.planned(key).or_else(|refusal| match refusal {
                    Refusal::NoMemory => {
                        plans.drain(..).for_each(|planned| functions.forget(planned));
                        functions.planned(key)
                    }
                    other => Err(other),
                })?
            }
        };
        let plan = planned.plan;
        let issued = planned.turn.take(stream, || -> Result<(), Refusal> {
            // SAFETY: a plan of this device's, in its context, and a stream that lives.
            check("cufftSetStream", unsafe { (functions.set_stream)(plan, stream) })?;
            for begin in &self.stack.begins {
                let at = |i: usize| at(begin, i);
                let direction = if self.function == Function::InverseFft { INVERSE } else { FORWARD };
                // SAFETY: by the caller's promise, these elements are there.
                let status = unsafe {
                    match self.kind {
                        SINGLE => (functions.single)(plan, at(0), at(1), direction),
                        DOUBLE => (functions.double)(plan, at(0), at(1), direction),
                        REAL_SINGLE => (functions.real_single)(plan, at(0), at(1)),
                        _ => (functions.real_double)(plan, at(0), at(1)),
                    }
                };
                check("cufftExec", status)?;
            }
            Ok(())
        });
        plans.push(planned);
        drop(state);
        issued?;
        if self.scale == 1.0 {
            return Ok(());
        }
        // SAFETY: as above; the result has no gaps.
        unsafe { blas::scale(device, stream, (self.is_single(), addresses[1], self.numbers), self.scale) }
    }
}
