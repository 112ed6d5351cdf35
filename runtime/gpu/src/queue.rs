//! What a call has begun on its device, and has not waited for.
//!
//! From its first loop on a call has a worker of its own, whose stream does one thing after the other. So a loop that tells nothing is begun and not waited for, and neither is its
//! memory: what is given back meanwhile is kept, for the call's next loop or until the device is done. A call may also leave what it has begun to those that follow ([`mark`](crate::mark)).

use crate::backlog::Backlog;
use crate::device::{Device, lock};
use crate::driver::{Current, Error};
use crate::mark::{Line, Mark, Marks};
use crate::memory::Buffer;
use crate::say;
use crate::worker::Worker;

pub struct Queue {
    device: &'static Device,
    /// None before the first loop, and while one uses it.
    worker: Option<Worker>,
    /// What calls before have left that use the same arrays.
    behind: Marks,
    /// Whether nothing was done with it since the last wait.
    is_idle: bool,
    /// The device failed.
    is_lost: bool,
    /// The worker's, as long as this has it.
    backlog: Backlog,
}

impl Queue {
    pub fn new(device: &'static Device) -> Self {
        Self {
            device,
            worker: None,
            behind: Marks::default(),
            is_idle: true,
            is_lost: false,
            backlog: Backlog::default(),
        }
    }

    /// What is begun from now on comes behind these.
    pub fn follow(&mut self, marks: &Marks) {
        self.behind.add_all(marks);
    }

    /// The call's worker, to be given back by [`Self::keep`]. In the device's context.
    pub fn worker(&mut self) -> Result<Worker, Error> {
        self.is_idle = false;
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => {
                let mut worker = self.device.take_worker(&self.behind)?;
                self.backlog = std::mem::take(&mut worker.backlog);
                worker
            }
        };
        if let Err(error) = self.behind.precede(&worker.line) {
            self.keep(worker);
            return Err(error);
        }
        self.behind.clear();
        Ok(worker)
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
        if self.backlog.began() {
            self.wait()?;
            self.backlog.adapt();
        }
        Ok(())
    }

    /// Memory for what this stream is given next: that of the call itself is used in order.
    pub fn take(&mut self, bytes: usize, line: &Line) -> Result<Buffer, Error> {
        self.backlog.take(bytes).map_or_else(|| self.device.take_memory(bytes, Some(line)), Ok)
    }

    /// Takes back what only the call has used.
    pub fn put(&mut self, buffer: Buffer) {
        self.backlog.put(buffer);
        if self.is_idle {
            self.rested();
        }
    }

    /// Nothing is under way.
    fn rested(&mut self) {
        let buffers = self.backlog.waited();
        if !buffers.is_empty()
            && let Ok(_current) = Current::enter(self.device.context)
        {
            self.device.give_back(buffers);
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
        if self.backlog.begun() > 0 {
            say::log(format_args!("wait for {} loops", self.backlog.begun()));
        }
        let _current = Current::enter(self.device.context)?;
        worker.stream.synchronize()?;
        worker.rest();
        self.rested();
        Ok(())
    }

    /// Somebody has waited for the last thing that was begun.
    pub fn rest(&mut self) {
        if let Some(worker) = &mut self.worker {
            worker.rest();
            self.is_idle = true;
            self.rested();
        }
    }

    /// The call ends, and what it has begun does not: calls that follow come behind the mark. None where nothing is under way.
    pub fn leave(&mut self) -> Option<Mark> {
        let mut worker = self.worker.take_if(|_| !self.is_idle)?;
        say::log(format_args!("{} loops are left to the device", self.backlog.begun()));
        worker.backlog = std::mem::take(&mut self.backlog);
        let mark = worker.line.mark();
        lock(&self.device.workers).push(worker);
        self.is_idle = true;
        Some(mark)
    }

    /// The device failed: what it may still touch is never given back.
    pub fn forget(&mut self) {
        std::mem::forget(self.worker.take());
        (self.is_idle, self.is_lost) = (true, true);
        self.backlog.forget();
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        if self.wait().is_ok()
            && let Some(mut worker) = self.worker.take()
        {
            worker.backlog = std::mem::take(&mut self.backlog);
            lock(&self.device.workers).push(worker);
        }
    }
}
