//! One loop on the device.
//!
//! Unsafe here: the loop's pointers, which its caller describes, and memory of the device, which is not given back before the stream is idle.

use crate::board::RESULTS;
use crate::code::{Kernel, items};
use crate::cost::{self, Work};
use crate::device::{Device, is_there, lock};
use crate::driver::{Current, Error, Properties};
use crate::environment::{Environment, Part};
use crate::footprint::Footprint;
use crate::lanes::{self, Several};
use crate::memory::Buffer;
use crate::mirror::Content;
use crate::pace::Pace;
use crate::say::{self, Once};
use crate::session::{Copies, Lost, No, Session, host_access, is_used};
use crate::wish::{self, Wish, parts, wish};
use crate::worker::Worker;
use pydd_abi::device::{
    BLOCK, CAPTURE_BLANK, CAPTURE_ZEROS, COMBINES, DeviceCapture, DeviceLoop, LOOP_COMBINES, LOOP_FAILS,
    LOOP_LEAVES, LOOP_ORDERED, NODE, Report,
};
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
    /// Whether the memory of an owner was allocated for this call.
    pub is_own: fn(u64) -> bool,
}

impl Job<'_> {
    fn operations(&self) -> f64 {
        self.n as f64 * self.cost.max(1) as f64
    }

    /// Whether no device is worth it, if nothing is there: what a call has on the device would have to come back for the shortest loop.
    fn is_small(&self) -> bool {
        cost::is_small(self.operations(), self.threads as f64)
    }

    /// Whether an iteration may fail.
    const fn fails(&self) -> bool {
        self.device_loop.flags & LOOP_FAILS != 0
    }
}

/// What a loop asks of its caller.
pub trait Caller {
    /// It will wait for the device.
    fn waits(&mut self);
    /// Whether it should end early.
    fn stops(&mut self) -> bool;
    /// The accumulators of the next parts, one after the other, each of two to the power `size` of them together, which it may change. They count for nothing unless the loop is done.
    fn parts(&mut self, results: &mut [u64], size: u32);
    /// Remembers these accumulators.
    fn keep(&mut self);
    /// Forgets the parts since then.
    fn undo(&mut self);
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Arrays are as they were, and the processor may use them.
    Declined,
    /// So many iterations, or parts of a reduction, are done, and the processor has to do the others.
    Begun(i64),
    Done,
    /// By the caller's wish. Arrays have what was written until then, as below.
    Stopped,
    /// The lowest iteration that failed.
    Failed(Report),
    /// The device failed, with results of earlier loops.
    Lost(Lost),
}

/// Why a loop is left to the processor that no device would do in less time.
const SHORT: &str = "it is short";

/// Parameters of a kernel before the environment, and all that CUDA takes (4 KB).
const FIXED_WORDS: usize = 9;
const MOST_WORDS: usize = 512;

/// Blocks of a launch at most, for each that the device runs at a time: of loops whose blocks have reports, and of others, where a thread has one thing to do and
/// neighbours run together.
const WAVES: u32 = 16;
/// Of loops whose blocks add what they have to arrays.
const WAVES_OF_UPDATES: u32 = 2;
const MOST_BLOCKS: u32 = i32::MAX.unsigned_abs();

/// Iterations with more steps than so many are done by a block each, where others have few: than so many times the average.
const LONG: i64 = 128;
const LONG_OF_AVERAGE: i64 = 4;

/// The most iterations of a launch: no sum of a kernel's overflows, and there are as many threads as needed where these do not go on.
const MOST_ITERATIONS: i64 = 1 << 38;
/// Kernels multiply numbers of parts with each other.
const MOST_PARTS: i64 = 1 << 31;
/// Results of a launch at most, in words.
const MOST_RESULTS: i64 = 8 << 20;

/// So many parts are combined by a launch of their own. For fewer it takes longer than the processor.
const COMBINED: i64 = 4096;
/// What becomes of a launch's parts has to fit the board, with the words of some that are left.
const MOST_COMBINED: i64 = (RESULTS as i64 - 64) << NODE;

/// Runs a loop on the device, or declines.
///
/// # Safety
/// The description lives for ever, `env` has the words that it says, with arrays that are alive and may be written where they are. What of their memory is freed is
/// forgotten before ([`forget`](crate::forget)); before the host uses it, it is asked for ([`host_access`], [`end`](crate::end)).
pub unsafe fn run(job: &Job, caller: &mut impl Caller) -> Outcome {
    // SAFETY: by the caller's promise.
    let captures = unsafe { items(job.device_loop.captures, job.device_loop.n_captures) };
    // Short loops between others are many. Of memory that nobody has touched before, the session has to know who did.
    let is_blank = |capture: &DeviceCapture| capture.flags & (CAPTURE_BLANK | CAPTURE_ZEROS) != 0;
    // SAFETY: a C string of the description.
    let name = || unsafe { CStr::from_ptr(job.device_loop.kernel) }.to_string_lossy();
    if wish() == Wish::Auto && job.is_small() && !is_used() && !captures.iter().any(is_blank) {
        say::log(format_args!("{} runs on the processor: {SHORT}", name()));
        return Outcome::Declined;
    }
    // SAFETY: by the caller's promise.
    let environment = unsafe { Environment::read(captures, job.env, job.is_own) };
    let attempted = match &environment {
        // SAFETY: as above.
        Ok(environment) => unsafe { attempt(job, environment, caller) },
        Err(why) => Err(No::Because(why)),
    };
    let outcome = match attempted {
        Ok(Outcome::Begun(units)) => {
            say::log(format_args!("{} runs on the processor from {units} on", name()));
            Outcome::Begun(units)
        }
        Ok(outcome) => return outcome,
        Err(No::Lost(lost)) => return Outcome::Lost(lost),
        Err(No::Because(why)) => {
            say::log(format_args!("{} runs on the processor: {why}", name()));
            Outcome::Declined
        }
        Err(No::Driver(error)) => {
            say::log(format_args!("{} runs on the processor: {error}", name()));
            Outcome::Declined
        }
    };
    match leave_to_processor(environment.ok(), caller) {
        Ok(()) => outcome,
        Err(lost) => Outcome::Lost(lost),
    }
}

/// The processor runs the loop.
fn leave_to_processor(environment: Option<Environment>, caller: &mut impl Caller) -> Result<(), Lost> {
    let Some(environment) = environment else {
        return host_access(&(0..usize::MAX), true, || caller.waits());
    };
    for array in &environment.arrays {
        if let Some(footprint) = &array.footprint {
            host_access(&footprint.span(), array.usage.is_written, || caller.waits())?;
        }
    }
    let blank = environment.arrays.iter().filter(|array| array.usage.content != Content::Data);
    let spans: Vec<Range<usize>> = blank.filter_map(|a| Some(a.footprint.as_ref()?.span())).collect();
    if !spans.is_empty() {
        // Without a device nobody asks.
        let _ = Session::with(|session| spans.iter().for_each(|span| session.note_touched(span)));
    }
    Ok(())
}

unsafe fn attempt(job: &Job, environment: &Environment, caller: &mut impl Caller) -> Result<Outcome, No> {
    if job.cost < 0 {
        return Err("its iterations have to run in order".into());
    }
    is_there()?;
    let is_choosy = wish() == Wish::Auto;
    if !environment.is_aligned() {
        return Err("an array's elements are not aligned".into());
    }
    if !environment.holds_indices(job.n.saturating_add(MOST_ITERATIONS)) {
        return Err("its indices come close to the end of int64".into());
    }
    let units = Units::new(job, environment)?;
    if is_choosy && job.is_small() && !is_used() {
        return Err(SHORT.into());
    }
    let mut plan =
        Plan { job, environment, whole: environment.whole(job.n), units, done: 0, is_launched: false };
    Session::with(|session| {
        let device = session.device();
        if device.is_given_up() {
            return Err("the device was given up after an error".into());
        }
        if is_choosy {
            plan.choose(device, session, job.operations())?;
        }
        // SAFETY: by the caller's promise.
        let attempted = unsafe { plan.run(device, session, caller) };
        if let Err(No::Driver(error)) = attempted
            && (!error.is_out_of_memory() || plan.is_launched)
        {
            session.fail(error)?;
        }
        match attempted {
            Err(No::Lost(_)) | Ok(_) => attempted,
            // What a launch did that failed is not on the host.
            Err(_) if plan.done > 0 => Ok(Outcome::Begun(plan.done)),
            Err(_) => attempted,
        }
    })?
}

/// Whether the device is expected to be the faster one, with copies of what is not there.
///
/// # Errors
/// It is not.
pub fn choose(device: &Device, session: &mut Session, part: &Part, work: Work) -> Result<(), No> {
    let mut copies = Copies::default();
    for (span, usage) in &part.segments {
        let of = session.copies(span, *usage);
        copies.there += of.there;
        copies.back += of.back;
        copies.for_processor += of.for_processor;
    }
    let work = Work {
        touched: part.bytes() as f64,
        copied: (copies.there + copies.back) as f64,
        copied_otherwise: copies.for_processor as f64,
        ..work
    };
    if cost::is_worth(device.properties, &work, &mut session.missed) {
        return Ok(());
    }
    Err("its copies would take longer".into())
}

/// A loop that the device could run.
struct Plan<'a> {
    job: &'a Job<'a>,
    environment: &'a Environment<'a>,
    whole: Part,
    units: Units,
    /// Units that are.
    done: i64,
    /// Whether some were launched that are not.
    is_launched: bool,
}

impl Plan<'_> {
    /// Whether the device is expected to be the faster one.
    fn choose(&self, device: &Device, session: &mut Session, operations: f64) -> Result<(), No> {
        let units = self.units.count as f64 * f64::from(1 << self.units.lanes);
        choose(device, session, &self.whole, Work::new(operations, units, self.job.threads))
    }

    /// All at once, or as large parts after each other as there is memory for.
    unsafe fn run(
        &mut self,
        device: &'static Device,
        session: &mut Session,
        caller: &mut impl Caller,
    ) -> Result<Outcome, No> {
        caller.waits();
        let _current = Current::enter(device.context)?;
        // SAFETY: by the caller's promise.
        let kernel = unsafe { lock(&device.codes).kernel(device, self.job.device_loop)? };
        let kernel = kernel.ok_or("the device does not take its code")?;
        let count = self.units.count;
        // SAFETY: as above.
        let mut size = unsafe { self.first_size(device, session)? };
        while self.done < count {
            let units = self.done..self.done.saturating_add(size).min(count);
            caller.keep();
            // SAFETY: as above.
            let done = unsafe { self.run_part((device, kernel), session, &units, caller) };
            if done.is_err() {
                caller.undo();
            }
            match done {
                Err(No::Driver(error)) if error.is_out_of_memory() && !self.is_launched => {
                    // SAFETY: as above.
                    let smaller = unsafe { self.smaller(&units, session)? };
                    let Some(smaller) = smaller else {
                        self.say_no_memory(device);
                        return Err(error.into());
                    };
                    size = smaller;
                    say::log(format_args!("{size} of {count} at a time: there is no memory for more"));
                }
                Ok(Outcome::Done) => self.done = units.end,
                other => return other,
            }
        }
        Ok(Outcome::Done)
    }

    /// How many units are tried first.
    unsafe fn first_size(&self, device: &Device, session: &mut Session) -> Result<i64, No> {
        let count = self.units.count;
        let mut size = if self.environment.has_parts() { (count - 1) / parts() + 1 } else { count };
        let mut bytes = self.whole.bytes();
        while bytes > device.properties.memory {
            // SAFETY: by the caller's promise.
            let Some(smaller) = (unsafe { self.smaller(&(0..size), session)? }) else { break };
            size = smaller;
            // SAFETY: as above.
            bytes = unsafe { self.part(&(0..size), session)? }.bytes();
        }
        Ok(size)
    }

    /// Half as many units, if these use less memory.
    unsafe fn smaller(&self, units: &Range<i64>, session: &mut Session) -> Result<Option<i64>, No> {
        let size = (units.end - units.start) / 2;
        if size == 0 || !self.environment.has_parts() {
            return Ok(None);
        }
        // SAFETY: by the caller's promise.
        let [half, all] =
            unsafe { [self.part(&(units.start..units.start + size), session)?, self.part(units, session)?] };
        Ok((half.bytes() < all.bytes() - all.bytes() / 8).then_some(size))
    }

    /// What units use.
    unsafe fn part(&self, units: &Range<i64>, session: &mut Session) -> Result<Part, No> {
        for pointers in self.environment.pointers() {
            if let Some(footprint) = &pointers.footprint {
                session.host_access(&footprint.span(), false)?;
            }
        }
        // SAFETY: by the caller's promise.
        Ok(unsafe { self.environment.part(self.units.iterations(self.job, units)) })
    }

    unsafe fn run_part(
        &mut self,
        (device, kernel): (&'static Device, Kernel),
        session: &mut Session,
        units: &Range<i64>,
        caller: &mut impl Caller,
    ) -> Result<Outcome, No> {
        let is_whole = *units == (0..self.units.count);
        // SAFETY: by the caller's promise.
        let part = if is_whole { None } else { Some(unsafe { self.part(units, session)? }) };
        let part = part.as_ref().unwrap_or(&self.whole);
        let pace = self.units.pace(units.clone(), device.properties, &kernel);
        let combines = self.units.combines && units.start % (1 << NODE) == 0;
        let room = self.units.room(self.job, &pace, combines);
        let mut launched = Launched::Nothing;
        let outcome = session.with_its_worker(|session, worker| -> Result<Outcome, No> {
            // SAFETY: by the caller's promise.
            let keys = unsafe { session.prepare(&part.segments, !is_whole, worker)? };
            let buffer = if room == 0 { None } else { Some(session.allocate(room, &keys, worker)?) };
            let address = |host| session.at(host).address(host).expect("prepared above");
            let words = self.environment.for_device(part, address);
            if FIXED_WORDS + words.len() + self.job.identity.len() > MOST_WORDS {
                return Err("it captures too much".into());
            }
            let (job, units) = (self.job, self.units);
            let results = match buffer {
                None => Results::OnBoard,
                Some(buffer) if combines => Results::Combined(buffer),
                Some(buffer) => Results::Copied(buffer),
            };
            let mut run = Run { job, units, kernel, results, device, worker, words, launched };
            // SAFETY: as above.
            let outcome = unsafe { run.launch_all(pace, caller) };
            launched = run.launched;
            if let Results::Combined(buffer) | Results::Copied(buffer) = run.results {
                session.queue.put(buffer);
            }
            Ok(outcome?)
        });
        let written = self.environment.arrays.iter().zip(&part.footprints);
        let written: Vec<&Footprint> =
            written.filter_map(|(array, f)| f.as_ref().filter(|_| array.usage.is_written)).collect();
        self.is_launched = launched != Launched::Nothing && outcome.is_err();
        session.keep_promises(&part.segments, matches!(outcome, Ok(Outcome::Done)));
        let outcome = outcome?;
        for footprint in written {
            let mirror = session.at(footprint.span().start);
            if mirror.is_there() {
                mirror.note_written(footprint);
            }
        }
        match launched {
            Launched::Running => session.queue.began()?,
            Launched::Over => session.queue.rest(),
            Launched::Nothing => {}
        }
        Ok(outcome)
    }

    fn say_no_memory(&self, device: &Device) {
        let (name, bytes) = (&device.properties.name, self.whole.bytes());
        say::once(
            Once::Memory,
            format_args!("{name} has no memory for a loop over {bytes} bytes; it runs on the processor"),
        );
    }
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
    /// Two to this power threads do one together.
    lanes: u32,
    several: Several,
    /// Whether they add to elements of arrays.
    updates: bool,
    /// Whether what they give is combined on the device.
    combines: bool,
}

impl Units {
    fn new(job: &Job, environment: &Environment) -> Result<Self, No> {
        let lanes = |parts| lanes::exponent(&job.device_loop.lanes, environment.words(), job.n, parts);
        let words = i64::from(job.device_loop.acc_words);
        let updates = job.device_loop.flags & LOOP_ORDERED != 0;
        if words == 0 {
            let several = Several::new(&job.device_loop.lanes, environment.words());
            let (operations, most) = (job.cost, MOST_ITERATIONS);
            let (count, lanes) = (job.n, lanes(0));
            return Ok(Self { count, parts: 0, operations, most, lanes, several, updates, combines: false });
        }
        let parts = Parts::new(job.n, job.cost).count();
        if parts >= MOST_PARTS {
            return Err("it has too many parts".into());
        }
        let operations = job.n.saturating_mul(job.cost.max(1)) / parts.max(1);
        let is_many = parts >= wish::combined().unwrap_or(COMBINED);
        let combines = is_many && job.device_loop.flags & LOOP_COMBINES != 0;
        let most = if combines { MOST_COMBINED } else { MOST_RESULTS } / words;
        let (lanes, several) = (lanes(parts), Several::One);
        Ok(Self { count: parts, parts, operations, most, lanes, several, updates, combines })
    }

    /// The iterations of units.
    fn iterations(&self, job: &Job, units: &Range<i64>) -> Range<i64> {
        if self.parts == 0 {
            return units.clone();
        }
        let parts = Parts::new(job.n, job.cost);
        parts.start(units.start)..parts.start(units.end)
    }

    fn pace(&self, units: Range<i64>, device: &Properties, kernel: &Kernel) -> Pace {
        let together = i64::from(kernel.resident) * i64::from(BLOCK);
        Pace::new(units, self.operations, cost::rate(device), together >> self.lanes, self.most)
    }

    /// Bytes of the device's memory for the results of a launch, from which they are combined or copied; few are left on the board.
    fn room(&self, job: &Job, pace: &Pace, combines: bool) -> usize {
        match job.device_loop.acc_words as usize * usize::try_from(pace.most()).unwrap_or(usize::MAX) {
            0..=RESULTS if !combines => 0,
            words => 8 * words,
        }
    }

    /// Blocks for so many: more than the device runs at a time, so that it has others where some take longer, and no more than are needed.
    fn blocks(&self, units: i64, kernel: &Kernel, fails: bool) -> u32 {
        let threads = self.several.threads(units.max(1)).saturating_mul(1 << self.lanes);
        let needed = u32::try_from((threads - 1) / i64::from(BLOCK) + 1).unwrap_or(u32::MAX);
        let most = match () {
            () if self.updates => kernel.resident.saturating_mul(WAVES_OF_UPDATES),
            () if fails => kernel.resident.saturating_mul(WAVES),
            () => MOST_BLOCKS,
        };
        needed.min(most).max(1)
    }
}

/// Launches of a loop whose memory is there.
struct Run<'a> {
    job: &'a Job<'a>,
    units: Units,
    kernel: Kernel,
    results: Results,
    device: &'a Device,
    worker: &'a mut Worker,
    /// The environment, as the device has it.
    words: Vec<u64>,
    launched: Launched,
}

/// Where a launch leaves what its parts give.
enum Results {
    OnBoard,
    /// In memory of the device, from which another launch makes few of them on the board.
    Combined(Buffer),
    Copied(Buffer),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Launched {
    Nothing,
    /// Nobody has waited for the last launch.
    Running,
    Over,
}

impl Run<'_> {
    unsafe fn launch_all(&mut self, mut pace: Pace, caller: &mut impl Caller) -> Result<Outcome, Error> {
        let acc_words = self.job.device_loop.acc_words as usize;
        // Those that are not left on the board.
        let mut copied: Vec<u64> = Vec::new();
        while let Some(piece) = pace.piece() {
            let start = Instant::now();
            let parts = usize::try_from(piece.end - piece.start).unwrap_or(0);
            let words = parts * acc_words;
            if let Results::Copied(_) = self.results {
                copied.resize(words, 0);
            }
            // SAFETY: by the caller's promise.
            let failed = unsafe { self.launch(&piece, words > 0, &mut copied)? };
            if let Some(report) = failed {
                return Ok(Outcome::Failed(report));
            }
            match self.results {
                Results::Copied(_) => caller.parts(&mut copied, 0),
                Results::Combined(_) => {
                    let nodes = parts >> NODE;
                    let left = parts - (nodes << NODE);
                    let results = self.worker.results((nodes + left) * acc_words);
                    let (nodes, left) = results.split_at_mut(nodes * acc_words);
                    caller.parts(nodes, NODE);
                    caller.parts(left, 0);
                }
                Results::OnBoard if words > 0 => caller.parts(self.worker.results(words), 0),
                Results::OnBoard => {}
            }
            if piece.end < self.units.count {
                self.worker.stream.synchronize()?;
                pace.took(start.elapsed());
            }
            if self.units.count > 1 && caller.stops() {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Done)
    }

    /// Runs a piece, and waits for what it tells. Gives the lowest failure.
    unsafe fn launch(
        &mut self,
        piece: &Range<i64>,
        has_results: bool,
        copied: &mut [u64],
    ) -> Result<Option<Report>, Error> {
        let blocks = self.units.blocks(piece.end - piece.start, &self.kernel, self.job.fails());
        let reports = if self.job.fails() { blocks.max(self.kernel.resident) as usize } else { 0 };
        let is_copied = matches!(self.results, Results::Copied(_));
        let is_told = self.job.fails() || has_results && !is_copied;
        let (board, few) = if is_told { board(self.device, self.worker, reports)? } else { (0, 0) };
        let results_at = match &self.results {
            Results::OnBoard => few,
            Results::Combined(buffer) | Results::Copied(buffer) => buffer.address,
        };
        let (left, limit) = self.left(piece);
        let [begin, end, iterations, parts] =
            [piece.start, piece.end, self.job.n, self.units.parts].map(i64::cast_unsigned);
        let mut words = vec![board, begin, end, iterations, parts, results_at, self.units.lanes.into()];
        words.extend([left, limit.cast_unsigned()]);
        words.extend(&self.words);
        words.extend(self.job.identity);
        self.say(blocks, piece);
        let is_waited_for = is_told || is_copied;
        // SAFETY: the buffer has the results of a piece, the board the reports of the blocks; they stay until the stream is idle.
        unsafe {
            self.kernel.function.launch(self.worker.stream, blocks, BLOCK, &mut words)?;
            self.launched = if is_waited_for { Launched::Over } else { Launched::Running };
            if let Results::Combined(_) = self.results {
                self.combine(piece, few, &mut words)?;
            }
            if is_copied {
                self.worker.download(copied.as_mut_ptr().cast(), results_at, size_of_val(copied))?;
                self.worker.drain()?;
            }
        }
        if is_told {
            self.worker.stream.synchronize()?;
        }
        if left != 0 && (!is_told || self.worker.board(reports)?.take_left()) {
            // SAFETY: as above.
            unsafe { self.launch_left(&mut words)? };
            if is_told {
                self.worker.stream.synchronize()?;
            }
        }
        if !is_told {
            return Ok(None);
        }
        Ok(self.worker.board(reports)?.take())
    }

    fn say(&self, blocks: u32, piece: &Range<i64>) {
        // SAFETY: a C string of the description.
        let name = unsafe { CStr::from_ptr(self.job.device_loop.kernel) }.to_string_lossy();
        let on = if self.device.index == 0 { "" } else { " on another device" };
        let lanes = match self.units.lanes {
            0 => String::new(),
            exponent => format!(", {} threads for each", 1 << exponent),
        };
        let Range { start, end } = piece;
        say::log(format_args!("launch of {name}{on} with {blocks} blocks for {start}..{end}{lanes}"));
    }

    /// Where iterations with more steps than so many are noted; nowhere if there is none, or no memory for it.
    fn left(&mut self, piece: &Range<i64>) -> (u64, i64) {
        let Self { job, device, worker, .. } = self;
        let loops = job.device_loop;
        let steps = self.words.get(loops.lanes.word as usize).map_or(0, |word| word.cast_signed());
        let average = steps / job.n.max(1);
        let limit = wish::long().unwrap_or_else(|| LONG.max(average.saturating_mul(LONG_OF_AVERAGE)));
        let numbers = u32::try_from(piece.end - piece.start).ok();
        let is_possible = loops.flags & LOOP_LEAVES != 0 && steps > limit;
        let numbers = numbers.filter(|_| is_possible).map(|numbers| numbers as usize);
        let noted = numbers.and_then(|numbers| worker.left(numbers, &mut lock(&device.memory)).ok());
        noted.map_or((0, i64::MAX), |at| (at, limit))
    }

    /// Combines what the last launch leaves, for the board.
    ///
    /// # Safety
    /// The words are those of that launch, whose memory stays until the stream is idle, as the board does.
    unsafe fn combine(&self, piece: &Range<i64>, board: u64, words: &mut [u64]) -> Result<(), Error> {
        let [.., lanes, nodes, _] = &mut words[..FIXED_WORDS] else { unreachable!("more are fixed") };
        (*lanes, *nodes) = (COMBINES.into(), board);
        let threads = (piece.end - piece.start) >> NODE;
        let blocks = u32::try_from(threads / i64::from(BLOCK) + 1).expect("few results");
        say::log(format_args!("launch that combines {} parts", piece.end - piece.start));
        // SAFETY: by the caller's promise.
        unsafe { self.kernel.function.launch(self.worker.stream, blocks, BLOCK, words) }
    }

    /// Launches what the last launch has left.
    ///
    /// # Safety
    /// The words are those of that launch, whose memory stays until the stream is idle.
    unsafe fn launch_left(&mut self, words: &mut [u64]) -> Result<(), Error> {
        let [.., lanes, _, limit] = &mut words[..FIXED_WORDS] else { unreachable!("more are fixed") };
        (*lanes, *limit) = (BLOCK.ilog2().into(), i64::MAX.cast_unsigned());
        say::log(format_args!("launch for long iterations, a block for each"));
        let blocks = self.kernel.resident.max(1);
        // SAFETY: by the caller's promise.
        unsafe { self.kernel.function.launch(self.worker.stream, blocks, BLOCK, words)? };
        self.worker.clear_left()
    }
}

/// Where reports of so many blocks go, and a few results.
fn board(device: &Device, worker: &mut Worker, blocks: usize) -> Result<(u64, u64), Error> {
    if let Err(error) = worker.board(blocks) {
        if !error.is_out_of_memory() {
            return Err(error);
        }
        device.release_for_once_more();
    }
    let board = worker.board(blocks)?;
    Ok((board.address(), board.results()))
}
