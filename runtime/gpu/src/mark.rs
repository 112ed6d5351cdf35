//! What calls left under way on a device when they ended.
//!
//! A call whose arrays live on the device is over before the device is, where it has nothing to tell. Its arrays have a mark in its stream: whoever uses one next comes
//! behind it, as a stream or by waiting.

use crate::device::{Device, lock};
use crate::driver::{Error, Event, Stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A place in a stream.
pub struct Mark {
    device: &'static Device,
    stream: Stream,
    event: Event,
    is_over: AtomicBool,
}

impl Mark {
    /// Behind what the stream has been given so far. In the device's context.
    pub fn new(device: &'static Device, stream: Stream) -> Result<Arc<Self>, Error> {
        let kept = lock(&device.events).pop();
        let event = kept.map_or_else(Event::new, Ok)?;
        let mark = Self { device, stream, event, is_over: AtomicBool::new(false) };
        event.record(stream)?;
        Ok(Arc::new(mark))
    }

    /// Whether the device has come past it, as far as is known.
    fn is_over(&self) -> bool {
        let is_over = self.is_over.load(Ordering::Relaxed) || self.event.is_over();
        self.is_over.store(is_over, Ordering::Relaxed);
        is_over
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        lock(&self.device.events).push(self.event);
    }
}

/// One for each stream that something has to come behind.
#[derive(Clone, Default)]
pub struct Marks(Vec<Arc<Mark>>);

impl Marks {
    pub fn add(&mut self, mark: &Arc<Mark>) {
        self.0.retain(|known| known.stream != mark.stream && !known.is_over());
        self.0.push(Arc::clone(mark));
    }

    pub fn add_all(&mut self, marks: &Self) {
        marks.0.iter().for_each(|mark| self.add(mark));
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// A stream that comes behind them by itself, but for those of other streams.
    pub fn stream(&self) -> Option<Stream> {
        self.0.last().map(|mark| mark.stream)
    }

    /// Whether a stream comes behind all of them by itself.
    pub fn are_of(&self, stream: Stream) -> bool {
        self.0.iter().all(|mark| mark.stream == stream)
    }

    pub fn are_over(&self) -> bool {
        self.0.iter().all(|mark| mark.is_over())
    }

    /// What the stream is given from now on comes behind them.
    pub fn precede(&self, stream: Stream) -> Result<(), Error> {
        let others = self.0.iter().filter(|mark| mark.stream != stream && !mark.is_over());
        others.into_iter().try_for_each(|mark| stream.wait_for(mark.event))
    }

    /// Waits until the device has come past them.
    pub fn wait(&self) -> Result<(), Error> {
        self.0.iter().filter(|mark| !mark.is_over()).try_for_each(|mark| mark.event.synchronize())
    }
}
