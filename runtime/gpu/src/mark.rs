//! What calls left under way on a device when they ended.
//!
//! A call whose arrays live on the device is over before the device is, where it has nothing to tell. Its arrays have a mark in its stream: whoever uses one next comes
//! behind it, as a stream or by waiting. A mark is a number; what the driver has for it, which takes as long as to launch a kernel, is made when another stream comes behind it.

use crate::device::lock;
use crate::driver::{Error, Event, Stream};
use std::sync::{Arc, Mutex};

/// What a stream has been given, and has done.
pub struct Line(Arc<Mutex<State>>);

struct State {
    stream: Stream,
    /// Marks that were made, and that the device is known to have come past.
    made: u64,
    over: u64,
    /// For streams that come behind it.
    event: Option<Event>,
}

/// A place in a stream.
#[derive(Clone)]
pub struct Mark {
    line: Arc<Mutex<State>>,
    number: u64,
}

impl Line {
    pub fn new(stream: Stream) -> Self {
        Self(Arc::new(Mutex::new(State { stream, made: 0, over: 0, event: None })))
    }

    /// Behind what the stream has been given so far.
    pub fn mark(&self) -> Mark {
        let mut state = lock(&self.0);
        state.made += 1;
        Mark { line: Arc::clone(&self.0), number: state.made }
    }

    /// The stream is idle.
    pub fn rest(&self) {
        let mut state = lock(&self.0);
        state.over = state.made;
    }

    /// As [`Self::rest`], of a stream that is given nothing any more.
    pub fn end(self) {
        self.rest();
        if let Some(event) = lock(&self.0).event.take() {
            // SAFETY: marks that are over use none.
            let _ = unsafe { event.destroy() };
        }
    }
}

impl Mark {
    fn is_of(&self, line: &Line) -> bool {
        Arc::ptr_eq(&self.line, &line.0)
    }

    /// Does something with the stream unless the device has come past the mark.
    fn unless_over(&self, act: impl FnOnce(&mut State) -> Result<(), Error>) -> Result<(), Error> {
        let mut state = lock(&self.line);
        if state.over >= self.number { Ok(()) } else { act(&mut state) }
    }

    fn is_over(&self) -> bool {
        let mut state = lock(&self.line);
        if state.over < self.number && state.stream.is_idle() {
            state.over = state.made;
        }
        state.over >= self.number
    }

    fn precede(&self, stream: Stream) -> Result<(), Error> {
        self.unless_over(|state| {
            let event = match state.event {
                Some(event) => event,
                None => *state.event.insert(Event::new()?),
            };
            event.record(state.stream)?;
            stream.wait_for(event)
        })
    }

    fn wait(&self) -> Result<(), Error> {
        self.unless_over(|state| {
            state.stream.synchronize()?;
            state.over = state.made;
            Ok(())
        })
    }
}

/// One for each stream that something has to come behind.
#[derive(Clone, Default)]
pub struct Marks(Vec<Mark>);

impl Marks {
    pub fn add(&mut self, mark: &Mark) {
        let of_line = |known: &Mark| Arc::ptr_eq(&known.line, &mark.line);
        // Whoever comes behind the later of two places in a stream comes behind both.
        let number =
            self.0.iter().filter(|known| of_line(known)).fold(mark.number, |n, known| n.max(known.number));
        self.0.retain(|known| !of_line(known) && !known.is_over());
        self.0.push(Mark { line: Arc::clone(&mark.line), number });
    }

    pub fn add_all(&mut self, marks: &Self) {
        marks.0.iter().for_each(|mark| self.add(mark));
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether the last of them is of this stream, which comes behind it by itself.
    pub fn end_in(&self, line: &Line) -> bool {
        self.0.last().is_some_and(|mark| mark.is_of(line))
    }

    /// Whether a stream comes behind all of them by itself.
    pub fn are_of(&self, line: &Line) -> bool {
        self.0.iter().all(|mark| mark.is_of(line))
    }

    pub fn are_over(&self) -> bool {
        self.0.iter().all(Mark::is_over)
    }

    /// What the stream is given from now on comes behind them.
    pub fn precede(&self, line: &Line) -> Result<(), Error> {
        let others = self.0.iter().filter(|mark| !mark.is_of(line));
        let stream = lock(&line.0).stream;
        others.into_iter().try_for_each(|mark| mark.precede(stream))
    }

    /// Waits until the device has come past them.
    pub fn wait(&self) -> Result<(), Error> {
        self.0.iter().try_for_each(Mark::wait)
    }
}
