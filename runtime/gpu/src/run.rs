//! One loop on the device.
//!
//! Unsafe here: the loop's pointers, which its caller describes, and memory of the device, which is not given back before the stream is idle.

use crate::code::{Kernel, items};
use crate::cost::{self, Work};
use crate::device::{Device, device, lock};
use crate::driver::{Current, Error};
use crate::environment::Environment;
use crate::memory::Buffer;
use crate::pace::Pace;
use crate::say::{self, Once};
use crate::segments::{self, Segment};
use crate::wish::{Wish, wish};
use crate::worker::Worker;
use pydd_abi::device::{BLOCK, DeviceLoop, Report};
use pydd_abi::parts::Parts;
use std::ffi::CStr;
use std::ops::Range;
use std::time::Instant;

/// A loop as its caller describes it.
pub struct Job<'a> {
    pub device_loop: &'a DeviceLoop,
    /// Iterations, and scalar operations of each.
    pub n: i64,
    pub cost: i64,
    pub env: *const u64,
    pub identity: &'a [u64],
    /// Threads that would run it otherwise.
    pub threads: usize,
}

/// What a loop asks of its caller.
pub trait Caller {
    /// It will wait for the device.
    fn waits(&mut self);
    /// Whether it should end early.
    fn stops(&mut self) -> bool;
    /// The accumulators of the next part. They count for nothing unless the loop is done.
    fn part(&mut self, result: &[u64]);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing was changed.
    Declined,
    Done,
    /// By the caller's wish; nothing was changed.
    Stopped,
    /// The lowest iteration that failed. Arrays have what was written until then.
    Failed(Report),
}

/// Why a loop does not run on the device.
enum No {
    /// As it is.
    Because(&'static str),
    Driver(Error),
}

impl From<&'static str> for No {
    fn from(why: &'static str) -> Self {
        Self::Because(why)
    }
}

impl From<Error> for No {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

/// Parameters of a kernel before the environment, and all that CUDA takes (4 KB).
const FIXED_WORDS: usize = 6;
const MOST_WORDS: usize = 512;

/// The most iterations of a launch: no sum of a kernel's overflows.
const MOST_ITERATIONS: i64 = 1 << 40;
/// Kernels multiply numbers of parts with each other.
const MOST_PARTS: i64 = 1 << 31;
/// Results of a launch at most, in words.
const MOST_RESULTS: i64 = 8 << 20;

/// Device addresses of a segment have the last bits of the host's, so that what is aligned there is here.
const ALIGNMENT: usize = 256;

/// Runs a loop on the device, or declines.
///
/// # Safety
/// The description lives for ever, `env` has the words that it says, with arrays that are alive and may be written where they are.
pub unsafe fn run(job: &Job, caller: &mut impl Caller) -> Outcome {
    // SAFETY: by the caller's promise.
    match unsafe { attempt(job, caller) } {
        Ok(outcome) => outcome,
        Err(why) => {
            if say::logs() {
                // SAFETY: a C string of the description.
                let name = unsafe { CStr::from_ptr(job.device_loop.kernel) }.to_string_lossy();
                match why {
                    No::Because(why) => say::log(format_args!("{name} runs on the processor: {why}")),
                    No::Driver(error) => say::log(format_args!("{name} runs on the processor: {error}")),
                }
            }
            Outcome::Declined
        }
    }
}

unsafe fn attempt(job: &Job, caller: &mut impl Caller) -> Result<Outcome, No> {
    let device = device()?;
    let is_choosy = wish() == Wish::Auto;
    let operations = job.n as f64 * job.cost.max(1) as f64;
    if is_choosy && cost::is_small(operations, job.threads as f64) {
        return Err("it is short".into());
    }
    // SAFETY: by the caller's promise.
    let captures = unsafe { items(job.device_loop.captures, job.device_loop.n_captures) };
    // SAFETY: by the caller's promise.
    let environment = unsafe { Environment::read(captures, job.env)? };
    let footprints =
        environment.arrays.iter().filter_map(|a| Some((a.footprint.as_ref()?.span(), a.is_written)));
    let segments = segments::join(footprints);
    let bytes: usize = segments.iter().map(|s| s.range.len() + s.written.len()).sum();
    let units = Units::new(job)?;
    let work =
        Work { operations, units: units.count as f64, bytes: bytes as f64, threads: job.threads as f64 };
    if is_choosy && !cost::is_worth(device.properties, &work) {
        return Err("its copies would take longer".into());
    }
    caller.waits();
    let given_up = |error: Error| {
        if !error.is_out_of_memory() {
            device.give_up(error);
        }
        error
    };
    let _current = Current::enter(device.context).map_err(given_up)?;
    // SAFETY: by the caller's promise.
    let kernel = unsafe { lock(&device.codes).kernel(device, job.device_loop) }.map_err(given_up)?;
    let kernel = kernel.ok_or("the device does not take its code")?;
    let pace = units.pace(&kernel);
    let room = Room::new(job, &pace, &kernel);
    let resources = Resources::take(device, &segments, &room).map_err(|error| {
        if error.is_out_of_memory() {
            let (name, bytes) = (&device.properties.name, bytes + room.bytes);
            say::once(
                Once::Memory,
                format_args!("{name} has no memory for a loop over {bytes} bytes; it runs on the processor"),
            );
        }
        given_up(error)
    })?;
    let mut run = Run { job, environment, segments, kernel, room, resources, units };
    // SAFETY: by the caller's promise.
    let outcome = unsafe { run.on_device(pace, caller) };
    // SAFETY: as above.
    unsafe { run.end(device, outcome) }
}

/// What a kernel counts: iterations, or parts of a reduction.
#[derive(Clone, Copy)]
struct Units {
    count: i64,
    /// Parts; 0 without accumulators.
    parts: i64,
    /// Scalar operations of each.
    operations: i64,
    most: i64,
}

impl Units {
    fn new(job: &Job) -> Result<Self, No> {
        let words = i64::from(job.device_loop.acc_words);
        if words == 0 {
            return Ok(Self { count: job.n, parts: 0, operations: job.cost, most: MOST_ITERATIONS });
        }
        let parts = Parts::new(job.n, job.cost).count();
        if parts >= MOST_PARTS {
            return Err("it has too many parts".into());
        }
        let operations = job.n.saturating_mul(job.cost.max(1)) / parts.max(1);
        Ok(Self { count: parts, parts, operations, most: MOST_RESULTS / words })
    }

    fn pace(&self, kernel: &Kernel) -> Pace {
        Pace::new(self.count, self.operations, i64::from(kernel.resident) * i64::from(BLOCK), self.most)
    }
}

/// Memory of the device for what a launch tells: the blocks' reports, then the parts' results.
#[derive(Clone, Copy)]
struct Room {
    blocks: u32,
    bytes: usize,
}

impl Room {
    fn new(job: &Job, pace: &Pace, kernel: &Kernel) -> Self {
        let blocks = blocks(pace.most(), kernel);
        let results = match job.device_loop.acc_words as usize {
            0 => 0,
            words => 8 * words * pace.most() as usize,
        };
        Self { blocks, bytes: blocks as usize * size_of::<Report>() + results }
    }
}

/// As many as the device runs at a time, and no more than are needed.
fn blocks(units: i64, kernel: &Kernel) -> u32 {
    let needed = u32::try_from((units.max(1) - 1) / i64::from(BLOCK) + 1).unwrap_or(u32::MAX);
    needed.min(kernel.resident).max(1)
}

/// What a loop has on the device, and what copies it there.
struct Resources {
    worker: Worker,
    /// One for each segment, then the room.
    buffers: Vec<Buffer>,
}

impl Resources {
    /// All at once, and once more without what is kept for others.
    fn take(device: &Device, segments: &[Segment], room: &Room) -> Result<Self, Error> {
        Self::try_take(device, segments, room).or_else(|error| {
            if !error.is_out_of_memory() {
                return Err(error);
            }
            say::log(format_args!("out of memory; once more without what is kept"));
            device.release();
            Self::try_take(device, segments, room)
        })
    }

    fn try_take(device: &Device, segments: &[Segment], room: &Room) -> Result<Self, Error> {
        let kept = lock(&device.workers).pop();
        let worker = kept.map_or_else(Worker::new, Ok)?;
        let mut taken = Self { worker, buffers: Vec::new() };
        let sizes = segments.iter().map(|s| s.range.len().saturating_add(ALIGNMENT)).chain([room.bytes]);
        for bytes in sizes {
            let buffer = lock(&device.memory).take(bytes);
            match buffer {
                Ok(buffer) => taken.buffers.push(buffer),
                Err(error) => {
                    taken.give_back(device);
                    return Err(error);
                }
            }
        }
        Ok(taken)
    }

    /// For the next loop. The stream is idle.
    fn give_back(mut self, device: &Device) {
        let mut memory = lock(&device.memory);
        self.buffers.into_iter().for_each(|buffer| memory.put(buffer));
        drop(memory);
        self.worker.rest();
        lock(&device.workers).push(self.worker);
    }
}

struct Run<'a> {
    job: &'a Job<'a>,
    environment: Environment<'a>,
    segments: Vec<Segment>,
    kernel: Kernel,
    room: Room,
    resources: Resources,
    units: Units,
}

impl Run<'_> {
    /// Copies, launches, and brings back what written memory holds afterwards. No array is touched.
    unsafe fn on_device(&mut self, pace: Pace, caller: &mut impl Caller) -> Result<Outcome, No> {
        // SAFETY: by the caller's promise.
        unsafe { self.upload()? };
        // SAFETY: as above.
        let outcome = unsafe { self.launch_all(pace, caller)? };
        if outcome != Outcome::Stopped {
            // SAFETY: as above.
            unsafe { self.download()? };
        }
        Ok(outcome)
    }

    /// Gives all back, and writes to the arrays what changed, if all went well.
    unsafe fn end(self, device: &Device, outcome: Result<Outcome, No>) -> Result<Outcome, No> {
        let mut outcome = outcome;
        if let Err(No::Driver(error)) = outcome
            && error.is_out_of_memory()
        {
            let name = &device.properties.name;
            say::once(
                Once::Memory,
                format_args!("{name} has no memory for a kernel; it runs on the processor"),
            );
        }
        let is_idle = match outcome {
            Err(No::Driver(error)) if !error.is_out_of_memory() => Err(error),
            _ => self.resources.worker.stream.synchronize(),
        };
        if let Err(error) = is_idle {
            // What the device may still touch is never given back.
            device.give_up(error);
            std::mem::forget(self.resources);
            return Err(error.into());
        }
        if matches!(outcome, Ok(Outcome::Done | Outcome::Failed(_))) {
            // SAFETY: by the caller's promise; all has arrived.
            unsafe { self.write_back() };
        } else if outcome.is_ok() {
            outcome = Ok(Outcome::Stopped);
        }
        self.resources.give_back(device);
        outcome
    }

    /// The device's address of a segment.
    fn base(&self, i: usize) -> u64 {
        self.resources.buffers[i].address + (self.segments[i].range.start % ALIGNMENT) as u64
    }

    /// The device's address of a byte of the host's.
    fn address(&self, host: usize) -> u64 {
        let i = segments::find(&self.segments, host);
        self.base(i) + (host - self.segments[i].range.start) as u64
    }

    unsafe fn upload(&mut self) -> Result<(), No> {
        let written: usize = self.segments.iter().map(|s| s.written.len()).sum();
        let worker = &mut self.resources.worker;
        if worker.before.try_reserve_exact(written).is_err()
            || worker.after.try_reserve_exact(written).is_err()
        {
            return Err("the processor has no memory for its results".into());
        }
        for i in 0..self.segments.len() {
            let (base, Segment { range, written }) = (self.base(i), self.segments[i].clone());
            let at = |host: usize| base + (host - range.start) as u64;
            let worker = &mut self.resources.worker;
            // SAFETY: by the caller's promise, memory of arrays; there is room for as much on the device. What will be written is kept as it is now.
            unsafe {
                worker.upload(at(range.start), range.start as *const u8, written.start - range.start)?;
                let from = worker.before.len();
                append(&mut worker.before, &written);
                let image = worker.before.as_ptr().add(from);
                worker.upload(at(written.start), image, written.len())?;
                worker.upload(at(written.end), written.end as *const u8, range.end - written.end)?;
            }
        }
        Ok(())
    }

    unsafe fn launch_all(&mut self, mut pace: Pace, caller: &mut impl Caller) -> Result<Outcome, No> {
        let words = self.environment.for_device(|host| self.address(host));
        if FIXED_WORDS + words.len() > MOST_WORDS {
            return Err("it captures too much".into());
        }
        let acc_words = self.job.device_loop.acc_words as usize;
        let mut reports = vec![Report::default(); self.room.blocks as usize];
        let mut results: Vec<u64> = Vec::new();
        while let Some(piece) = pace.piece() {
            let start = Instant::now();
            results.clear();
            let parts = usize::try_from(piece.end - piece.start).unwrap_or(0);
            (0..parts * usize::from(acc_words > 0))
                .for_each(|_| results.extend_from_slice(self.job.identity));
            // SAFETY: by the caller's promise.
            let failed = unsafe { self.launch(&piece, &words, &mut reports, &mut results)? };
            if let Some(report) = failed {
                return Ok(Outcome::Failed(report));
            }
            if acc_words > 0 {
                results.chunks_exact(acc_words).for_each(|part| caller.part(part));
            }
            pace.took(start.elapsed());
            if self.units.count > 1 && caller.stops() {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Done)
    }

    /// Runs a piece, and waits for it. Gives the lowest failure.
    unsafe fn launch(
        &mut self,
        piece: &Range<i64>,
        env: &[u64],
        reports: &mut [Report],
        results: &mut [u64],
    ) -> Result<Option<Report>, Error> {
        let blocks = blocks(piece.end - piece.start, &self.kernel);
        let reports = &mut reports[..blocks as usize];
        let room = self.resources.buffers[self.segments.len()].address;
        let results_at = room + (self.room.blocks as usize * size_of::<Report>()) as u64;
        let worker = &mut self.resources.worker;
        let [begin, end, iterations, parts] =
            [piece.start, piece.end, self.job.n, self.units.parts].map(i64::cast_unsigned);
        let results_word = if self.units.parts == 0 { 0 } else { results_at };
        let mut words = vec![room, begin, end, iterations, parts, results_word];
        words.extend(env);
        // SAFETY: the room has the reports and results of a piece, the name is a C string; both stay until the copies are there.
        unsafe {
            crate::driver::clear(room, size_of_val(reports), worker.stream)?;
            worker.upload(results_at, results.as_ptr().cast(), size_of_val(results))?;
            let name = CStr::from_ptr(self.job.device_loop.kernel).to_string_lossy();
            say::log(format_args!("launch of {name} with {blocks} blocks for {begin}..{end}"));
            self.kernel.function.launch(worker.stream, blocks, BLOCK, &mut words)?;
            worker.download(reports.as_mut_ptr().cast(), room, size_of_val(reports))?;
            worker.download(results.as_mut_ptr().cast(), results_at, size_of_val(results))?;
        }
        worker.drain()?;
        Ok(reports.iter().filter(|report| report.failed != 0).min_by_key(|report| report.failed).copied())
    }

    unsafe fn download(&mut self) -> Result<(), No> {
        for i in 0..self.segments.len() {
            let written = self.segments[i].written.clone();
            let from = self.base(i) + (written.start - self.segments[i].range.start) as u64;
            let after = &mut self.resources.worker.after;
            let at = after.len();
            after.resize(at + written.len(), 0);
            // SAFETY: within what was reserved, so nothing moves before all is there.
            unsafe {
                let to = after.as_mut_ptr().add(at);
                self.resources.worker.download(to, from, written.len())?;
            }
        }
        Ok(self.resources.worker.drain()?)
    }

    /// Writes what changed to the arrays.
    unsafe fn write_back(&self) {
        let Worker { before, after, .. } = &self.resources.worker;
        let mut at = 0;
        for segment in &self.segments {
            let written = &segment.written;
            let images = at..at + written.len();
            at = images.end;
            let arrays = self.environment.arrays.iter().filter(|array| array.is_written);
            for footprint in arrays.filter_map(|array| array.footprint.as_ref()) {
                if written.contains(&footprint.span().start) {
                    let [before, after] = [before, after].map(|image| &image[images.clone()]);
                    // SAFETY: by the caller's promise; the images are of what written arrays span.
                    unsafe { footprint.write_changes(written.start, before, after) };
                }
            }
        }
    }
}

/// Adds what memory holds.
///
/// # Safety
/// It is there.
unsafe fn append(to: &mut Vec<u8>, from: &Range<usize>) {
    // SAFETY: by the caller's promise; other threads that write meanwhile do so at their own risk, as they do without a device.
    to.extend_from_slice(unsafe { std::slice::from_raw_parts(from.start as *const u8, from.len()) });
}
