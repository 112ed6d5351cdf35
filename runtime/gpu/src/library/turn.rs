//! What streams use one after the other, since it has a workspace: a handle of cuBLAS's, a plan of cuFFT's. The processor does not wait for them.

use crate::driver::{Error, Event, Stream};

pub struct Turn {
    /// Behind what the last stream was given.
    event: Event,
    last: Option<Stream>,
}

impl Turn {
    /// In the current context.
    pub fn new() -> Result<Self, Error> {
        Ok(Self { event: Event::new()?, last: None })
    }

    /// Has the device do what the stream is given by `act` behind what other streams were given.
    pub fn take<T, E: From<Error>>(
        &mut self,
        stream: Stream,
        act: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if self.last.is_some_and(|last| last != stream) {
            stream.wait_for(self.event)?;
        }
        self.last = Some(stream);
        let result = act();
        self.event.record(stream)?;
        result
    }

    /// Waits for the last stream, of what will be used no more.
    pub fn end(self) -> Result<(), Error> {
        if self.last.is_some() {
            self.event.synchronize()?;
        }
        // SAFETY: nobody else has it.
        unsafe { self.event.destroy() }
    }
}
