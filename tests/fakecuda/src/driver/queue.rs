//! Streams: work that waits, and what it waits for.
//!
//! Nothing runs when it is issued. It runs when the host waits for something, and then in any order among streams that events and the
//! default stream allow, chosen by the seed. So a host that reads too early, or a stream that does not wait for another, sees old data.

use super::error::{Error, INVALID_VALUE, fail};
use super::pointer::{Host, HostFunction};
use super::state::{Driver, Handle};
use super::{lock, say};
use crate::decode::Program;
use crate::fault::Fault;
use crate::libraries::Task;
use crate::machine::{self, Launch};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::rc::Rc;
use std::time::Instant;

pub enum Work {
    /// From host memory that is read when the copy runs.
    Upload {
        from: Host,
        to: u64,
        bytes: u64,
    },
    /// From a copy of pageable memory, made when the work was issued.
    UploadStaged {
        from: Vec<u8>,
        to: u64,
    },
    Download {
        from: u64,
        to: Host,
        bytes: u64,
    },
    Copy {
        from: u64,
        to: u64,
        bytes: u64,
    },
    /// `pattern` over and over.
    Fill {
        to: u64,
        pattern: Vec<u8>,
        count: u64,
    },
    Kernel {
        program: Rc<Program>,
        launch: Launch,
        parameters: Vec<u8>,
    },
    Library(Task),
    Record(Handle),
    /// Only waits for what it is after.
    Wait,
    Free(u64),
    Call(HostFunction, Host),
}

struct Queued {
    work: Work,
    /// Streams, and how far each must be.
    after: Vec<(Handle, u64)>,
}

pub struct Stream {
    pub context: Handle,
    pub non_blocking: bool,
    pub priority: i32,
    pub destroyed: bool,
    queue: VecDeque<Queued>,
    pub issued: u64,
    done: u64,
    /// A host function of this stream runs now, without the lock.
    busy: bool,
}

impl Stream {
    pub fn new(context: Handle, non_blocking: bool, priority: i32) -> Self {
        Stream {
            context,
            non_blocking,
            priority,
            destroyed: false,
            queue: VecDeque::new(),
            issued: 0,
            done: 0,
            busy: false,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.done == self.issued
    }
}

impl Driver {
    /// Issues work; gives its number in the stream.
    pub fn issue(&mut self, stream: Handle, work: Work, mut after: Vec<(Handle, u64)>) -> u64 {
        let (context, non_blocking) = (self.streams[&stream].context, self.streams[&stream].non_blocking);
        let default = self.contexts[&context].default_stream;
        // The legacy default stream waits for all blocking streams, and they for it.
        if stream == default {
            let others = self
                .streams
                .iter()
                .filter(|(h, s)| s.context == context && !s.non_blocking && **h != default);
            after.extend(others.map(|(h, s)| (*h, s.issued)));
        } else if !non_blocking {
            after.push((default, self.streams[&default].issued));
        }
        after.retain(|&(s, n)| !self.has_done(s, n));
        let stream = self.streams.get_mut(&stream).expect("a stream that was looked up");
        stream.queue.push_back(Queued { work, after });
        stream.issued += 1;
        stream.issued
    }

    pub fn has_done(&self, stream: Handle, number: u64) -> bool {
        self.streams.get(&stream).is_none_or(|s| s.done >= number)
    }

    fn runnable(&self) -> Vec<Handle> {
        let ready = |s: &Stream| {
            !s.busy
                && s.queue
                    .front()
                    .is_some_and(|q| q.after.iter().all(|&(stream, n)| self.has_done(stream, n)))
        };
        self.streams.iter().filter(|(_, s)| ready(s)).map(|(h, _)| *h).collect()
    }

    /// Runs one piece of work that may run now. False if there is none; a host function is returned to be called without the lock.
    fn advance(&mut self) -> Option<Option<(Handle, HostFunction, Host)>> {
        let ready = self.runnable();
        if ready.is_empty() {
            return None;
        }
        let handle = ready[self.random.below(ready.len() as u64) as usize];
        let stream = self.streams.get_mut(&handle).expect("a runnable stream");
        let queued = stream.queue.pop_front().expect("a runnable stream has work");
        if let Work::Call(function, data) = queued.work {
            stream.busy = true;
            return Some(Some((handle, function, data)));
        }
        let context = stream.context;
        let result = if self.contexts.get(&context).is_some_and(|c| c.broken.is_some()) {
            Ok(())
        } else {
            self.perform(context, queued.work)
        };
        if let Err(fault) = result {
            self.break_context(context, fault);
        }
        self.finished(handle);
        Some(None)
    }

    fn finished(&mut self, handle: Handle) {
        if let Some(stream) = self.streams.get_mut(&handle) {
            stream.done += 1;
            stream.busy = false;
            if stream.destroyed && stream.is_idle() {
                self.streams.remove(&handle);
            }
        }
    }

    /// From now on each call in the context fails with the same code.
    fn break_context(&mut self, context: Handle, fault: Fault) {
        let error = Error::from(fault);
        say(error.text.as_deref().unwrap_or("a kernel failed"));
        if let Some(context) = self.contexts.get_mut(&context) {
            context.broken = Some(error.code);
        }
    }

    fn perform(&mut self, context: Handle, work: Work) -> Result<(), Fault> {
        match work {
            Work::Upload { from, to, bytes } => from.read(self.memory.bytes(None, to, bytes)?),
            Work::UploadStaged { from, to } => {
                self.memory.bytes(None, to, from.len() as u64)?.copy_from_slice(&from)
            }
            Work::Download { from, to, bytes } => to.write(self.memory.bytes(None, from, bytes)?),
            Work::Copy { from, to, bytes } => {
                let data = self.memory.bytes(None, from, bytes)?.to_vec();
                self.memory.bytes(None, to, bytes)?.copy_from_slice(&data);
            }
            Work::Fill { to, pattern, count } => {
                let target = self.memory.bytes(None, to, count * pattern.len() as u64)?;
                target.chunks_mut(pattern.len()).for_each(|part| part.copy_from_slice(&pattern));
            }
            Work::Kernel { program, launch, parameters } => {
                machine::run(&program, &launch, &parameters, &mut self.memory, &mut self.random)?;
            }
            Work::Library(task) => task(&mut self.memory)?,
            Work::Record(event) => {
                if let Some(event) = self.events.get_mut(&event) {
                    event.time = Some(Instant::now());
                }
            }
            Work::Wait => {}
            Work::Free(address) => {
                self.stream_ordered.remove(&address);
                if let Err(text) = self.memory.free(address) {
                    let _ = context;
                    return Err(Fault::new(
                        crate::fault::Code::IllegalAddress,
                        format!("cuMemFreeAsync: {text}"),
                    ));
                }
            }
            Work::Call(..) => unreachable!("host functions run without the lock"),
        }
        Ok(())
    }

    /// Runs work, with the lock held, until `stream` is as far as `number`. Host functions may not run then.
    pub fn wait_for(&mut self, stream: Handle, number: u64) -> Result<(), Error> {
        let context = self.streams.get(&stream).map(|s| s.context);
        while !self.has_done(stream, number) {
            match self.advance() {
                Some(None) => {}
                Some(Some((handle, function, data))) => {
                    function(data.0.cast::<c_void>());
                    self.finished(handle);
                }
                None => return fail(INVALID_VALUE),
            }
        }
        self.check(context)
    }

    fn check(&self, context: Option<Handle>) -> Result<(), Error> {
        match context.and_then(|c| self.contexts.get(&c)).and_then(|c| c.broken) {
            Some(code) => fail(code),
            None => Ok(()),
        }
    }

    /// Runs all work of the streams that `which` (by stream and context) names.
    pub fn drain(&mut self, which: impl Fn(Handle, Handle) -> bool) -> Result<(), Error> {
        let targets: Vec<(Handle, u64)> =
            self.streams.iter().filter(|(h, s)| which(**h, s.context)).map(|(h, s)| (*h, s.issued)).collect();
        targets.into_iter().try_for_each(|(stream, number)| self.wait_for(stream, number))
    }

    /// A poll: something may have happened meanwhile.
    pub fn progress(&mut self) {
        if let Some(Some((handle, function, data))) = self.advance() {
            function(data.0.cast::<c_void>());
            self.finished(handle);
        }
    }
}

/// Waits as `Driver::wait_for` does, but gives the lock away while host functions run: they may take locks that another thread holds
/// which is in the driver (Python's interpreter lock, for one).
pub fn synchronize(targets: &[(Handle, u64)]) -> Result<(), Error> {
    loop {
        let mut guard = lock();
        let Some(driver) = guard.as_mut() else { return fail(super::error::NOT_INITIALIZED) };
        let Some(&(stream, _)) = targets.iter().find(|&&(s, n)| !driver.has_done(s, n)) else {
            let contexts: Vec<_> =
                targets.iter().filter_map(|(s, _)| Some(driver.streams.get(s)?.context)).collect();
            return contexts.into_iter().try_for_each(|context| driver.check(Some(context)));
        };
        match driver.advance() {
            Some(None) => {}
            Some(Some((handle, function, data))) => {
                drop(guard);
                function(data.0.cast::<c_void>());
                if let Some(driver) = lock().as_mut() {
                    driver.finished(handle);
                }
            }
            // Another thread runs a host function that this waits for.
            None if driver.streams.values().any(|s| s.busy) => {
                drop(guard);
                std::thread::yield_now();
            }
            None => {
                say(&format!("stream {stream:#x} waits for what nobody does"));
                return fail(INVALID_VALUE);
            }
        }
    }
}
