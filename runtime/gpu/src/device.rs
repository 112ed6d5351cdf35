//! The devices of the process, found when somebody asks first.

use crate::code::Codes;
use crate::driver::{self, Context, Current, Error, Properties};
use crate::mark::{Line, Marks};
use crate::memory::{Buffer, Memory};
use crate::say::{self, Once};
use crate::wish::{Wish, wish};
use crate::worker::Worker;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What the driver knows.
pub struct Found {
    /// 12090 is 12.9.
    pub driver: u32,
    pub devices: Vec<Properties>,
}

/// The process that asked the driver; 0 before.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Whether the process was forked from one that uses the driver: that does not work in children, and its locks may be held for ever.
fn is_fork() -> bool {
    let me = std::process::id();
    match OWNER.compare_exchange(0, me, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => false,
        Err(owner) => owner != me,
    }
}

/// All devices, or why there are none.
///
/// # Errors
/// A sentence's end: `there is no CUDA driver`.
pub fn found() -> Result<&'static Found, &'static str> {
    static FOUND: OnceLock<Result<Found, String>> = OnceLock::new();
    // A parent that found nothing uses nothing.
    if let Some(Err(why)) = FOUND.get() {
        return Err(why);
    }
    if is_fork() {
        let text = "this process was forked from one that uses a GPU, so its loops run on the processor; start it another way \
                    (multiprocessing.set_start_method('spawn')), or set PYDD_DEVICE=cpu";
        say::once(Once::Fork, format_args!("{text}"));
        return Err("the process was forked from one that uses a GPU");
    }
    FOUND.get_or_init(look).as_ref().map_err(String::as_str)
}

fn look() -> Result<Found, String> {
    if !driver::is_present() {
        return Err("there is no CUDA driver (libcuda.so.1)".to_owned());
    }
    if let Some(name) = driver::missing() {
        let text = format!("the CUDA driver is too old: it has no {}", name.to_string_lossy());
        say::once(Once::OldDriver, format_args!("{text}; loops run on the processor"));
        return Err(text);
    }
    ask().map_err(|error| {
        if error.is_no_device() {
            "the CUDA driver finds no device".to_owned()
        } else {
            format!("the CUDA driver cannot be used: {error}")
        }
    })
}

fn ask() -> Result<Found, Error> {
    driver::init()?;
    let devices = (0..driver::device_count()?).map(driver::properties).collect::<Result<_, _>>()?;
    Ok(Found { driver: driver::version()?, devices })
}

/// A device that loops run on, with what is kept for it.
pub struct Device {
    pub index: usize,
    /// Whether there is no other one.
    is_only: bool,
    pub properties: &'static Properties,
    pub context: Context,
    pub codes: Mutex<Codes>,
    pub memory: Mutex<Memory>,
    /// Memory that what calls have left may still use.
    awaited: Mutex<Vec<(Marks, Buffer)>>,
    /// Those that no call uses at the moment.
    pub workers: Mutex<Vec<Worker>>,
    /// Calls that use it at the moment.
    pub calls: AtomicUsize,
    given_up: AtomicBool,
}

impl Device {
    /// Never again: after an error of the driver's nothing on the device can be relied on.
    pub fn give_up(&self, error: Error) {
        self.given_up.store(true, Ordering::Relaxed);
        let name = &self.properties.name;
        let so = if self.is_only { "all loops run on the processor" } else { "no loop runs there" };
        say::once(Once::Lost, format_args!("{name} failed ({error}); from now on {so}"));
    }

    pub fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Does something with a worker, behind what calls have left, and waits for it. In the device's context.
    ///
    /// # Errors
    /// Of the driver, and what `act` gives.
    pub fn with_worker<T, E: From<Error>>(
        &self,
        behind: &Marks,
        act: impl FnOnce(&mut Worker) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut worker = self.take_worker(behind)?;
        let result = behind.precede(&worker.line).map_err(E::from).and_then(|()| act(&mut worker));
        self.wait_for(worker)?;
        result
    }

    /// Waits for a worker that no call uses, which then has nothing to do, and keeps it.
    fn wait_for(&self, mut worker: Worker) -> Result<(), Error> {
        if let Err(error) = worker.stream.synchronize() {
            // What the device may still touch is never given back.
            std::mem::forget(worker);
            return Err(error);
        }
        worker.rest();
        self.give_back(worker.backlog.waited());
        lock(&self.workers).push(worker);
        Ok(())
    }

    /// Takes back memory that nothing uses. In the device's context.
    pub fn give_back(&self, buffers: Vec<Buffer>) {
        let mut memory = lock(&self.memory);
        buffers.into_iter().for_each(|buffer| memory.put(buffer));
    }

    /// One that no call uses: that which comes behind these marks by itself, if there is one. In the device's context.
    pub fn take_worker(&self, behind: &Marks) -> Result<Worker, Error> {
        let mut workers = lock(&self.workers);
        let same = workers.iter().position(|worker| behind.end_in(&worker.line));
        let kept = same.map(|place| workers.swap_remove(place)).or_else(|| workers.pop());
        drop(workers);
        kept.map_or_else(|| self.retry(Worker::new), Ok)
    }

    /// Memory, which may be some that only this stream uses yet. In the device's context.
    pub fn take_memory(&self, bytes: usize, line: Option<&Line>) -> Result<Buffer, Error> {
        let mut awaited = lock(&self.awaited);
        let mut memory = lock(&self.memory);
        if !awaited.is_empty() && !memory.has(bytes) {
            let serves = |(marks, buffer): &(Marks, Buffer)| {
                buffer.is_for(bytes) && line.is_some_and(|line| marks.are_of(line))
            };
            if let Some(place) = awaited.iter().position(serves) {
                return Ok(awaited.swap_remove(place).1);
            }
            for (marks, buffer) in std::mem::take(&mut *awaited) {
                if marks.are_over() {
                    memory.put(buffer);
                } else {
                    awaited.push((marks, buffer));
                }
            }
        }
        drop(awaited);
        memory.take(bytes)
    }

    /// Takes back memory that what calls have left may still use.
    pub fn put_memory(&self, buffer: Buffer, used_by: Marks) {
        if used_by.is_empty() {
            lock(&self.memory).put(buffer);
        } else {
            lock(&self.awaited).push((used_by, buffer));
        }
    }

    /// Waits for all that calls have left. In the device's context.
    fn wait(&self) -> Result<(), Error> {
        let awaited = std::mem::take(&mut *lock(&self.awaited));
        let workers = std::mem::take(&mut *lock(&self.workers));
        let mut result = Ok(());
        for worker in workers {
            result = result.and(self.wait_for(worker));
        }
        for (marks, buffer) in awaited {
            match marks.wait() {
                Ok(()) => lock(&self.memory).put(buffer),
                Err(error) => result = Err(error),
            }
        }
        result
    }

    /// Does it once more without what is kept, where there is no memory.
    pub fn retry<T>(&self, act: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
        act().or_else(|error| {
            if !error.is_out_of_memory() {
                return Err(error);
            }
            self.release_for_once_more();
            act()
        })
    }

    /// There was no memory, and with this there may be.
    pub fn release_for_once_more(&self) {
        say::log(format_args!("out of memory; once more without what is kept"));
        self.release();
    }

    /// Frees what is kept for later loops.
    pub fn release(&self) {
        let _ = self.wait();
        lock(&self.memory).release();
        lock(&self.workers).drain(..).for_each(Worker::end);
    }
}

/// A device, which is opened when a loop goes there first.
#[derive(Default)]
struct Slot {
    opened: OnceLock<Result<Device, String>>,
}

impl Slot {
    /// Why no loop runs there, as far as is known.
    fn refusal(&self) -> Option<&str> {
        match self.opened.get()? {
            Ok(device) => device.is_given_up().then_some("the device was given up after an error"),
            Err(why) => Some(why),
        }
    }

    fn calls(&self) -> usize {
        let opened = self.opened.get().and_then(|opened| opened.as_ref().ok());
        opened.map_or(0, |device| device.calls.load(Ordering::Relaxed))
    }
}

static SLOTS: OnceLock<Vec<Slot>> = OnceLock::new();

fn slots() -> Result<&'static [Slot], &'static str> {
    let wish = wish();
    if wish == Wish::Cpu {
        return Err("PYDD_DEVICE=cpu");
    }
    let found = found().inspect_err(|why| {
        if wish == Wish::Gpu && !is_fork() {
            say::once(Once::NoDriver, format_args!("PYDD_DEVICE=gpu, but {why}; loops run on the processor"));
        }
    })?;
    Ok(SLOTS.get_or_init(|| found.devices.iter().map(|_| Slot::default()).collect()))
}

/// The device for a new call, if one is there and wanted: of several that with the fewest calls at the moment.
///
/// # Errors
/// Why there is none.
pub fn device() -> Result<&'static Device, &'static str> {
    let slots = slots()?;
    loop {
        let usable = slots.iter().enumerate().filter(|(_, slot)| slot.refusal().is_none());
        let Some((index, _)) = usable.min_by_key(|(index, slot)| (slot.calls(), *index)) else {
            let why = slots.iter().find_map(Slot::refusal);
            return Err(why.unwrap_or("the CUDA driver finds no device"));
        };
        if let Ok(device) = device_at(index) {
            return Ok(device);
        }
    }
}

/// A device by its place.
///
/// # Errors
/// There is none, or no loop runs there.
pub fn device_at(index: usize) -> Result<&'static Device, &'static str> {
    let slot = slots()?.get(index).ok_or("there is no such device")?;
    let device = slot.opened.get_or_init(|| open(index)).as_ref().map_err(String::as_str)?;
    slot.refusal().map_or(Ok(device), Err)
}

/// `CUDA_VISIBLE_DEVICES` says which devices there are, and in which order.
fn open(index: usize) -> Result<Device, String> {
    let found = found()?;
    let properties = found.devices.get(index).ok_or("there is no such device")?;
    let context = driver::primary_context(index as i32).map_err(|error| {
        say::once(
            Once::Lost,
            format_args!("{} cannot be used ({error}); loops run on the processor", properties.name),
        );
        format!("the device cannot be used: {error}")
    })?;
    Ok(Device {
        index,
        is_only: found.devices.len() == 1,
        properties,
        context,
        codes: Mutex::default(),
        memory: Mutex::new(Memory::new(properties.memory)),
        awaited: Mutex::default(),
        workers: Mutex::default(),
        calls: AtomicUsize::new(0),
        given_up: AtomicBool::new(false),
    })
}

/// Whether there is a device for loops.
///
/// # Errors
/// Why not.
pub fn is_there() -> Result<(), &'static str> {
    device().map(|_| ())
}

/// Whether a device that loops can run on is there and wanted.
#[must_use]
pub fn is_wanted() -> bool {
    match device() {
        Ok(_) => true,
        Err(why) => {
            say::log(format_args!("loops run on the processor: {why}"));
            false
        }
    }
}

/// Whether loops run on the device however short they are.
#[must_use]
pub fn takes_all() -> bool {
    wish() == Wish::Gpu
}

/// The devices that something was done with.
fn opened() -> impl Iterator<Item = &'static Device> {
    SLOTS.get().into_iter().flatten().filter_map(|slot| slot.opened.get()?.as_ref().ok())
}

/// Frees what is kept on devices for later loops: for tests that look for leaks.
pub fn release() {
    for device in opened() {
        if let Ok(_current) = Current::enter(device.context) {
            device.release();
        }
    }
}

/// Waits until devices have done what calls that are over have left them.
///
/// # Errors
/// One failed meanwhile.
pub fn synchronize() -> Result<(), String> {
    for device in opened().filter(|device| !device.is_given_up()) {
        let waited = Current::enter(device.context).and_then(|_current| device.wait());
        if let Err(error) = waited {
            device.give_up(error);
            return Err(format!("{} failed ({error})", device.properties.name));
        }
    }
    Ok(())
}

/// A lock, whatever became of a thread that held it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
