//! All that the driver knows: devices, contexts, streams, events, modules and memory.

use super::error::{Error, INVALID_CONTEXT, INVALID_HANDLE, UNKNOWN, fail};
use super::queue::Stream;
use super::settings::Settings;
use crate::decode::Program;
use crate::memory::{Memory, Poison};
use crate::random::Random;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::rc::Rc;
use std::time::Instant;

/// A handle that a caller gets instead of a pointer; nothing can be read there.
pub type Handle = u64;

#[derive(Default)]
pub struct Device {
    pub primary: Option<Handle>,
    pub retained: u32,
    pub flags: u32,
    pub lost: bool,
}

pub struct Context {
    pub device: usize,
    pub flags: u32,
    /// An error after which each call fails, as on the real device.
    pub broken: Option<u32>,
    pub default_stream: Handle,
    pub limits: BTreeMap<u32, usize>,
}

pub struct Event {
    pub context: Handle,
    pub timing: bool,
    /// The stream and the place in it of the last record.
    pub recorded: Option<(Handle, u64)>,
    pub time: Option<Instant>,
}

pub struct Module {
    pub context: Handle,
    pub program: Rc<Program>,
    /// Address and size.
    pub variables: BTreeMap<String, (u64, u64)>,
    pub version: u32,
    pub level: u32,
}

pub struct Function {
    pub module: Handle,
    pub number: u32,
    pub dynamic_shared: u32,
}

pub struct Driver {
    pub settings: Settings,
    pub memory: Memory,
    pub random: Random,
    pub devices: Vec<Device>,
    pub contexts: BTreeMap<Handle, Context>,
    pub streams: BTreeMap<Handle, Stream>,
    pub events: BTreeMap<Handle, Event>,
    pub modules: BTreeMap<Handle, Module>,
    pub functions: BTreeMap<Handle, Function>,
    /// Pinned host memory: where it begins, its bytes, and whether it was only registered.
    pub pinned: BTreeMap<usize, (usize, bool)>,
    /// Device memory that came from cuMemAllocAsync, and is freed without waiting.
    pub stream_ordered: BTreeSet<u64>,
    pub pools: BTreeMap<Handle, usize>,
    pub leaked: usize,
    next_handle: Handle,
    calls: u64,
    allocations: u64,
    library_calls: u64,
}

// SAFETY: `Rc<Program>` is shared among parts of this state only, all of which live behind one lock.
unsafe impl Send for Driver {}

thread_local! {
    static CURRENT: RefCell<Vec<Handle>> = const { RefCell::new(Vec::new()) };
}

/// The stack of contexts of the calling thread.
pub fn current_stack<T>(f: impl FnOnce(&mut Vec<Handle>) -> T) -> T {
    CURRENT.with(|stack| f(&mut stack.borrow_mut()))
}

impl Driver {
    pub fn new(settings: Settings) -> Self {
        Driver {
            memory: Memory::new(settings.devices, settings.memory, Poison::new(settings.seed)),
            random: Random::new(settings.seed),
            devices: (0..settings.devices).map(|_| Device::default()).collect(),
            settings,
            contexts: BTreeMap::new(),
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            pinned: BTreeMap::new(),
            stream_ordered: BTreeSet::new(),
            pools: BTreeMap::new(),
            leaked: 0,
            next_handle: 0x0060_0000_0000_0000,
            calls: 0,
            allocations: 0,
            library_calls: 0,
        }
    }

    pub fn handle(&mut self) -> Handle {
        self.next_handle += 16;
        self.next_handle
    }

    pub fn log(&mut self, line: &str) {
        if let Some(file) = &mut self.settings.log {
            let _ = writeln!(file, "{line}");
        }
    }

    /// The context of the calling thread, if it can do anything.
    pub fn current(&mut self) -> Result<Handle, Error> {
        let Some(handle) = current_stack(|stack| stack.last().copied()) else { return fail(INVALID_CONTEXT) };
        self.usable(handle)?;
        Ok(handle)
    }

    /// Counts the call, for `lost@N`, and fails if the context is broken.
    pub fn usable(&mut self, handle: Handle) -> Result<(), Error> {
        self.calls += 1;
        let Some(context) = self.contexts.get_mut(&handle) else { return fail(INVALID_CONTEXT) };
        if self.settings.lose_device == Some(self.calls) {
            self.devices[context.device].lost = true;
        }
        if self.devices[context.device].lost {
            context.broken.get_or_insert(UNKNOWN);
        }
        match context.broken {
            Some(code) => fail(code),
            None => Ok(()),
        }
    }

    pub fn device_of(&self, context: Handle) -> usize {
        self.contexts.get(&context).map_or(0, |c| c.device)
    }

    pub fn new_context(&mut self, device: usize, flags: u32) -> Handle {
        let handle = self.handle();
        let default_stream = self.handle();
        self.streams.insert(default_stream, Stream::new(handle, false, 0));
        let context = Context { device, flags, broken: None, default_stream, limits: BTreeMap::new() };
        self.contexts.insert(handle, context);
        handle
    }

    /// Ends a context and all that belongs to it.
    pub fn destroy_context(&mut self, handle: Handle) {
        let _ = self.drain(|_, context| context == handle);
        self.contexts.remove(&handle);
        self.streams.retain(|_, s| s.context != handle);
        self.events.retain(|_, e| e.context != handle);
        self.modules.retain(|_, m| m.context != handle);
        let modules: Vec<Handle> = self.modules.keys().copied().collect();
        self.functions.retain(|_, f| modules.contains(&f.module));
        self.leaked += self.memory.free_context(handle);
    }

    /// Counts an allocation: whether it is the one that must fail.
    pub fn allocation_fails(&mut self) -> bool {
        self.allocations += 1;
        self.settings.fail_allocations.contains(&self.allocations)
    }

    /// Counts a call of a library: whether it is the one that must refuse.
    pub fn library_refuses(&mut self) -> bool {
        self.library_calls += 1;
        self.settings.refuse.contains(&self.library_calls)
    }

    pub fn stream_context(&self, stream: Handle) -> Handle {
        self.streams.get(&stream).map_or(0, |s| s.context)
    }

    /// The stream that a handle means in the calling thread's context. Null and the two special ones are the default stream.
    pub fn stream(&mut self, handle: Handle) -> Result<Handle, Error> {
        if handle <= 2 {
            let context = self.current()?;
            return Ok(self.contexts[&context].default_stream);
        }
        match self.streams.get(&handle) {
            Some(stream) if !stream.destroyed => {
                let context = stream.context;
                self.usable(context)?;
                Ok(handle)
            }
            _ => fail(INVALID_HANDLE),
        }
    }

    pub fn is_pinned(&self, address: usize, bytes: usize) -> bool {
        let below = self.pinned.range(..=address).next_back();
        below.is_some_and(|(start, (size, _))| address.saturating_add(bytes) <= start + size)
    }
}
