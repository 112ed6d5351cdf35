//! What a call has begun on its device, and has not waited for.
//!
//! From its first loop on a call has a worker of its own, whose stream does one thing after the other. So a loop that tells nothing is begun and not waited for, and neither is its
//! memory: what is given back meanwhile is kept, for the call's next loop or until the device is done.

use crate::device::{Device, lock};
use crate::driver::{Current, Error};
use crate::memory::Buffer;
use crate::say;
use crate::worker::Worker;
use std::time::{Duration, Instant};

/// Launches that are not waited for at first, and at most. In between it goes by the clock: Ctrl-C is to be heard soon.
const FIRST: u32 = 4;
const MOST: u32 = 256;
const FACTOR: u32 = 4;
/// A wait for less is followed by more launches at a time, and one for more by fewer.
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(50);

pub struct Queue {
    device: &'static Device,
    /// None before the first loop, and while one uses it.
    worker: Option<Worker>,
    /// Whether nothing was done with it since the last wait.
    is_idle: bool,
    /// The device failed.
    is_lost: bool,
    /// Launches that nobody has waited for, since when, and how many of them there may be.
    begun: u32,
    since: Instant,
    most: u32,
    /// Memory that they may still use.
    given_back: Vec<Buffer>,
}

impl Queue {
    pub fn new(device: &'static Device) -> Self {
        Self {
            device,
            worker: None,
            is_idle: true,
            is_lost: false,
            begun: 0,
            since: Instant::now(),
            most: FIRST,
            given_back: Vec::new(),
        }
    }

    /// The call's worker, to be given back by [`Self::keep`]. In the device's context.
    pub fn worker(&mut self) -> Result<Worker, Error> {
        self.is_idle = false;
        self.worker.take().map_or_else(|| self.device.take_worker(), Ok)
    }

    pub fn keep(&mut self, worker: Worker) {
        debug_assert!(self.worker.is_none(), "one worker for a call");
        if self.is_lost {
            std::mem::forget(worker);
        } else {
            self.worker = Some(worker);
        }
    }

    /// Whether something may be under way.
    pub const fn is_busy(&self) -> bool {
        !self.is_idle
    }

    /// A loop was launched that nobody waited for. Of many it waits for all.
    pub fn began(&mut self) -> Result<(), Error> {
        if self.begun == 0 {
            self.since = Instant::now();
        }
        self.begun += 1;
        if self.begun < self.most {
            return Ok(());
        }
        self.wait()?;
        let took = self.since.elapsed();
        if took < SHORT {
            self.most = (self.most * FACTOR).min(MOST);
        } else if took > LONG {
            self.most = (self.most / FACTOR).max(1);
        }
        Ok(())
    }

    /// Memory for what comes next: that of the call itself is used in order.
    pub fn take(&mut self, bytes: usize) -> Result<Buffer, Error> {
        let found = self.given_back.iter().position(|buffer| buffer.is_for(bytes));
        match found {
            Some(found) => Ok(self.given_back.swap_remove(found)),
            None => lock(&self.device.memory).take(bytes),
        }
    }

    /// Takes back what only the call has used.
    pub fn put(&mut self, buffer: Buffer) {
        self.given_back.push(buffer);
        if self.is_idle {
            self.give_back();
        }
    }

    fn give_back(&mut self) {
        if self.given_back.is_empty() {
            return;
        }
        if let Ok(_current) = Current::enter(self.device.context) {
            let mut memory = lock(&self.device.memory);
            self.given_back.drain(..).for_each(|buffer| memory.put(buffer));
        }
    }

    /// Waits until the device is done.
    ///
    /// # Errors
    /// What it was doing failed. Memory and stream are never used again.
    pub fn wait(&mut self) -> Result<(), Error> {
        if self.is_idle {
            return Ok(());
        }
        let Some(mut worker) = self.worker.take() else { return Ok(()) };
        match self.wait_for(&mut worker) {
            Ok(()) => self.worker = Some(worker),
            Err(error) => {
                std::mem::forget(worker);
                self.forget();
                return Err(error);
            }
        }
        self.is_idle = true;
        Ok(())
    }

    /// As [`Self::wait`], of a loop that has the worker.
    pub fn wait_for(&mut self, worker: &mut Worker) -> Result<(), Error> {
        if self.begun > 0 {
            say::log(format_args!("wait for {} loops", self.begun));
        }
        let _current = Current::enter(self.device.context)?;
        worker.stream.synchronize()?;
        self.waited(worker);
        Ok(())
    }

    /// Somebody has waited for the last thing that was begun.
    pub fn rest(&mut self) {
        if let Some(mut worker) = self.worker.take() {
            self.waited(&mut worker);
            (self.worker, self.is_idle) = (Some(worker), true);
        }
    }

    fn waited(&mut self, worker: &mut Worker) {
        worker.rest();
        self.begun = 0;
        self.give_back();
    }

    /// The device failed: what it may still touch is never given back.
    pub fn forget(&mut self) {
        std::mem::forget(self.worker.take());
        (self.is_idle, self.is_lost) = (true, true);
        self.begun = 0;
        self.given_back.clear();
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        if self.wait().is_ok()
            && let Some(worker) = self.worker.take()
        {
            lock(&self.device.workers).push(worker);
        }
    }
}
