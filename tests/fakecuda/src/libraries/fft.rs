//! cuFFT: transforms along one axis, in batches.

use super::{Codes, Element, Made, call, issue, made, stream, times, workspace};
use crate::driver::pointer::{In, Out};
use crate::driver::state::Handle;
use crate::fault::{Code, Fault};
use crate::memory::Memory;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::Mutex;

const CODES: Codes = Codes { no_memory: 2, invalid_value: 4, failed: 6, not_supported: 16 };

#[derive(Clone, Copy)]
struct Plan {
    kind: c_int,
    length: i64,
    from: Lanes,
    to: Lanes,
    batch: i64,
}

/// Elements between elements, and between lanes.
#[derive(Clone, Copy)]
struct Lanes {
    step: i64,
    apart: i64,
}

/// Plans that are made, or not yet, and their streams.
static PLANS: Made<(Option<Plan>, Handle, u64)> = Mutex::new(BTreeMap::new());

#[unsafe(no_mangle)]
pub extern "C" fn cufftCreate(out: Out<c_int>) -> c_int {
    call(&CODES, |_| {
        let mut plans = made(&PLANS);
        let number = plans.keys().next_back().map_or(1, |last| last + 1);
        plans.insert(number, (None, 0, 0));
        out.set(number as c_int).map_err(|_| CODES.invalid_value)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftMakePlanMany(
    plan: c_int,
    rank: c_int,
    lengths: In<c_int>,
    inside: In<c_int>,
    from_step: c_int,
    from_apart: c_int,
    outside: In<c_int>,
    to_step: c_int,
    to_apart: c_int,
    kind: c_int,
    batch: c_int,
    bytes: Out<usize>,
) -> c_int {
    call(&CODES, |driver| {
        let length = lengths.at(0).map_err(|_| CODES.invalid_value)?;
        let steps = [from_step, from_apart, to_step, to_apart];
        let is_valid = rank == 1 && length > 0 && batch > 0 && steps.iter().all(|&step| step > 0);
        // Without these the steps would not count.
        if !is_valid || inside.is_null() || outside.is_null() {
            return Err(8);
        }
        let memory = workspace(driver, &CODES)?;
        let from = Lanes { step: from_step.into(), apart: from_apart.into() };
        let to = Lanes { step: to_step.into(), apart: to_apart.into() };
        let made_plan = Plan { kind, length: length.into(), from, to, batch: batch.into() };
        let mut plans = made(&PLANS);
        let found = plans.get_mut(&(plan as u64)).ok_or(1)?;
        (found.0, found.2) = (Some(made_plan), memory);
        bytes.set(4096).map_err(|_| CODES.invalid_value)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftSetStream(plan: c_int, to: Handle) -> c_int {
    call(&CODES, |driver| {
        let to = stream(driver, &CODES, to)?;
        made(&PLANS).get_mut(&(plan as u64)).map(|found| found.1 = to).ok_or(1)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftDestroy(plan: c_int) -> c_int {
    call(&CODES, |driver| {
        let (_, _, memory) = made(&PLANS).remove(&(plan as u64)).ok_or(1)?;
        if memory != 0 {
            driver.memory.free_variable(memory);
        }
        Ok(())
    })
}

fn execute(name: &'static str, number: c_int, kind: c_int, from: u64, to: u64, direction: c_int) -> c_int {
    call(&CODES, |driver| {
        let (plan, on, _) = *made(&PLANS).get(&(number as u64)).ok_or(1)?;
        let plan = plan.filter(|plan| plan.kind == kind).ok_or(1)?;
        if direction != 1 && direction != -1 {
            return Err(CODES.invalid_value);
        }
        let on = stream(driver, &CODES, on)?;
        let task = move |memory: &mut Memory| transform(memory, &plan, from, to, f64::from(direction));
        issue(driver, on, name, Box::new(task));
        Ok(())
    })
}

fn transform(memory: &mut Memory, plan: &Plan, from: u64, to: u64, sign: f64) -> Result<(), Fault> {
    let is_double = plan.kind & 0x40 != 0;
    let is_real = plan.kind & 3 == 2;
    let (read, written) =
        (Element { is_double, is_complex: !is_real }, Element { is_double, is_complex: true });
    if !from.is_multiple_of(written.bytes()) || !to.is_multiple_of(written.bytes()) {
        return Err(Fault::new(Code::Misaligned, "a transform of what is not aligned"));
    }
    let n = plan.length;
    let angle = |k: i64| sign * std::f64::consts::TAU * k as f64 / n as f64;
    let roots: Vec<(f64, f64)> = (0..n).map(|k| (angle(k).cos(), angle(k).sin())).collect();
    let outputs = if is_real { n / 2 + 1 } else { n };
    for lane in 0..plan.batch {
        let at = |lanes: Lanes, i: i64| lane * lanes.apart + i * lanes.step;
        let values: Vec<(f64, f64)> =
            (0..n).map(|i| read.read(memory, from, at(plan.from, i))).collect::<Result<_, _>>()?;
        for k in 0..outputs {
            let mut sum = (0.0, 0.0);
            for (i, &value) in (0..n).zip(&values) {
                let term = times(value, roots[(i * k % n) as usize]);
                sum = (sum.0 + term.0, sum.1 + term.1);
            }
            written.write(memory, to, at(plan.to, k), sum)?;
        }
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftExecC2C(plan: c_int, from: u64, to: u64, direction: c_int) -> c_int {
    execute("cufftExecC2C", plan, 0x29, from, to, direction)
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftExecZ2Z(plan: c_int, from: u64, to: u64, direction: c_int) -> c_int {
    execute("cufftExecZ2Z", plan, 0x69, from, to, direction)
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftExecR2C(plan: c_int, from: u64, to: u64) -> c_int {
    execute("cufftExecR2C", plan, 0x2a, from, to, -1)
}

#[unsafe(no_mangle)]
pub extern "C" fn cufftExecD2Z(plan: c_int, from: u64, to: u64) -> c_int {
    execute("cufftExecD2Z", plan, 0x6a, from, to, -1)
}
