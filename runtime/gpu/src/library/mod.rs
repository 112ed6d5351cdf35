//! Functions of NVIDIA's libraries, over arrays that a call has on a device.
//!
//! Matrix products are cuBLAS's, Fourier transforms cuFFT's. They are found when they are first needed ([`find`]), and nothing else needs them: where they are not, where they do not
//! take an array as it lies, or where the copies would take longer, the processor does it. Like a kernel, a library finds its operands where the call's session has them, and leaves its
//! result there.
//!
//! Unsafe here: addresses of arrays that the caller describes, and of the device's memory.

mod blas;
mod fft;
mod find;
mod strides;
mod turn;

pub use find::look_in;

use crate::cost::{self, Work};
use crate::device::{Device, is_there, lock};
use crate::driver::{Current, Error, Stream};
use crate::environment::Part;
use crate::footprint::Footprint;
use crate::mirror::{Overwrite, Use};
use crate::run::choose;
use crate::say::{self, Once};
use crate::session::{Lost, No, Session, host_access, is_used};
use crate::wish::{Wish, wish};
use pydd_abi::DTypeCode;
use std::ffi::c_int;

/// An array of the host's memory, with strides in bytes.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    pub data: u64,
    pub dtype: DTypeCode,
    pub dims: &'a [i64],
    pub strides: &'a [i64],
    /// Whether its memory was allocated for this call.
    pub is_own: bool,
}

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// Of two stacks of matrices, whose leading lengths are those of the result.
    Matmul,
    /// Along the last axis, of complex numbers.
    Fft,
    InverseFft,
    /// Along the last axis, of real numbers.
    RealFft,
}

impl Function {
    const fn name(self) -> &'static str {
        match self {
            Self::Matmul => "matmul",
            Self::Fft => "fft",
            Self::InverseFft => "inverse_fft",
            Self::RealFft => "real_fft",
        }
    }
}

/// A call of a library's function. All of `out` is written, and it overlaps no operand; all have elements.
pub struct Call<'a> {
    pub function: Function,
    pub operands: &'a [Operand<'a>],
    pub out: Operand<'a>,
    /// What the elements of a transform's result are multiplied by.
    pub scale: f64,
    /// Threads that would do it otherwise.
    pub threads: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    Done,
    /// It is the processor's, which has the arrays.
    Declined,
    /// The device failed, with results of earlier loops.
    Lost(Lost),
}

/// What a library is asked to do.
trait Plan {
    /// Scalar operations, of such as loops do.
    fn operations(&self) -> f64;

    /// Issues it. `addresses` are those of the operands and the result on the device.
    ///
    /// # Safety
    /// They are, and stay so until the stream is idle. The device's context is the current one.
    unsafe fn issue(&self, device: &Device, addresses: &[u64], stream: Stream) -> Result<(), Refusal>;
}

/// Why a library did nothing that counts.
enum Refusal {
    /// There is none, or none that works.
    Missing(String),
    /// It says that it can't.
    Refused(String),
    /// It has no memory.
    NoMemory,
}

/// Has a device's library do it, or declines.
///
/// # Safety
/// The arrays are alive, and `out` may be written. What of their memory is freed is forgotten before ([`forget`](crate::forget)).
pub unsafe fn library(call: &Call, mut waits: impl FnMut()) -> Attempt {
    let name = call.function.name();
    // SAFETY: by the caller's promise.
    let why = match unsafe { attempt(call, &mut waits) } {
        Ok(()) => return Attempt::Done,
        Err(No::Lost(lost)) => return Attempt::Lost(lost),
        Err(No::Because(why)) => why.to_owned(),
        Err(No::Driver(error)) => error.to_string(),
    };
    say::log(format_args!("{name} runs on the processor: {why}"));
    match leave_to_processor(call, waits) {
        Ok(()) => Attempt::Declined,
        Err(lost) => Attempt::Lost(lost),
    }
}

/// The processor does it.
fn leave_to_processor(call: &Call, mut waits: impl FnMut()) -> Result<(), Lost> {
    for (operand, writes) in call.operands.iter().zip(std::iter::repeat(false)).chain([(&call.out, true)]) {
        match operand.footprint() {
            Ok(Some(footprint)) => host_access(&footprint.span(), writes, &mut waits)?,
            Ok(None) => {}
            Err(_) => host_access(&(0..usize::MAX), true, &mut waits)?,
        }
    }
    Ok(())
}

impl Operand<'_> {
    fn footprint(&self) -> Result<Option<Footprint>, &'static str> {
        let [dims, strides] =
            [self.dims, self.strides].map(|all| all.iter().map(|x| x.cast_unsigned()).collect());
        let (dims, strides): (Vec<u64>, Vec<u64>) = (dims, strides);
        Footprint::new(self.data, self.dtype.size(), &dims, &strides)
            .map_err(|_| "an array is larger than memory")
    }

    fn elements(&self) -> f64 {
        self.dims.iter().map(|&dim| dim as f64).product()
    }
}

unsafe fn attempt(call: &Call, waits: &mut impl FnMut()) -> Result<(), No> {
    is_there()?;
    let plan: Box<dyn Plan> = match call.function {
        Function::Matmul => Box::new(blas::Products::new(call)?),
        Function::Fft | Function::InverseFft | Function::RealFft => Box::new(fft::Transforms::new(call)?),
    };
    let threads = call.threads as f64;
    let is_choosy = wish() == Wish::Auto;
    if is_choosy && cost::is_small(plan.operations(), threads) && !is_used() {
        return Err("it is short".into());
    }
    let part = Part::new(uses(call)?);
    let footprints: Vec<Footprint> = part.footprints.iter().flatten().cloned().collect();
    Session::with(|session| {
        let device = session.device();
        if device.is_given_up() {
            return Err("the device was given up after an error".into());
        }
        if is_choosy {
            let work = Work::new(plan.operations(), call.out.elements(), call.threads);
            choose(device, session, &part, work)?;
        }
        waits();
        // SAFETY: by the caller's promise.
        let done = unsafe { run(&*plan, call, &part, &footprints, session, device) };
        session.keep_promises(&part.segments, done.is_ok());
        if let Err(No::Driver(error)) = done
            && !error.is_out_of_memory()
        {
            session.fail(error)?;
        }
        done
    })?
}

/// What is used of each array, and how.
fn uses(call: &Call) -> Result<Vec<(Option<Footprint>, Use)>, &'static str> {
    let read = |operand: &Operand| {
        let usage = Use { is_shared: !operand.is_own, ..Use::default() };
        Ok((operand.footprint()?, usage))
    };
    let mut all = call.operands.iter().map(read).collect::<Result<Vec<_>, &'static str>>()?;
    let footprint = call.out.footprint()?;
    let is_dense = footprint.as_ref().is_some_and(Footprint::is_dense);
    let usage = Use {
        is_written: true,
        may_be_written: true,
        is_shared: !call.out.is_own,
        overwrite: if is_dense { Overwrite::Blind } else { Overwrite::Part },
        ..Use::default()
    };
    all.push((footprint, usage));
    Ok(all)
}

unsafe fn run(
    plan: &dyn Plan,
    call: &Call,
    part: &Part,
    footprints: &[Footprint],
    session: &mut Session,
    device: &'static Device,
) -> Result<(), No> {
    let _current = Current::enter(device.context)?;
    let result = footprints.last().ok_or("it has no elements")?;
    let issued = session.with_its_worker(|session, worker| -> Result<Result<(), Refusal>, No> {
        // SAFETY: by the caller's promise.
        unsafe { session.prepare(&part.segments, false, worker)? };
        let arrays = call.operands.iter().chain([&call.out]).zip(footprints);
        let addresses: Vec<u64> = arrays
            .map(|(operand, footprint)| {
                let low = footprint.span().start;
                let there = session.at(low).address(low).expect("prepared above");
                there.wrapping_add(operand.data.wrapping_sub(low as u64))
            })
            .collect();
        say::log(format_args!("{} by a library", call.function.name()));
        // SAFETY: as above.
        let mut issued = unsafe { plan.issue(device, &addresses, worker.stream) };
        if matches!(issued, Err(Refusal::NoMemory)) {
            worker.stream.synchronize()?;
            say::log(format_args!("a library has no memory; once more without what is kept"));
            lock(&device.memory).release();
            // SAFETY: as above.
            issued = unsafe { plan.issue(device, &addresses, worker.stream) };
        }
        if issued.is_err() {
            // The processor, which does it now, has the stream's memory otherwise.
            worker.stream.synchronize()?;
        }
        Ok(issued)
    })?;
    match issued {
        Ok(()) => {
            session.at(result.span().start).note_written(result);
            session.queue.began()?;
            Ok(())
        }
        Err(Refusal::Missing(why)) => {
            let name = call.function.name();
            say::once(Once::Library, format_args!("{why}; `{name}` runs on the processor"));
            Err("there is no library".into())
        }
        Err(Refusal::Refused(why)) => {
            say::log(format_args!("{why}"));
            Err("the library does not do it".into())
        }
        Err(Refusal::NoMemory) => Err("the library has no memory".into()),
    }
}

/// What a status says, of which 0 is success in all libraries.
fn check(what: &str, status: c_int, no_memory: c_int) -> Result<(), Refusal> {
    match status {
        0 => Ok(()),
        status if status == no_memory => Err(Refusal::NoMemory),
        other => Err(Refusal::Refused(format!("{what} gives status {other}"))),
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        if error.is_out_of_memory() { Self::NoMemory } else { Self::Refused(error.to_string()) }
    }
}
