//! What a stream was given that nobody has waited for: how many launches, and memory that they may still use.

use crate::memory::Buffer;
use std::time::{Duration, Instant};

/// Launches that are not waited for at first, and at most. In between it goes by the clock: Ctrl-C is to be heard soon.
const FIRST: u32 = 4;
const MOST: u32 = 256;
const FACTOR: u32 = 4;
/// A wait for less is followed by more launches at a time, and one for more by fewer.
const SHORT: Duration = Duration::from_millis(10);
const LONG: Duration = Duration::from_millis(50);

pub struct Backlog {
    /// Launches, since when, and how many of them there may be.
    begun: u32,
    since: Instant,
    most: u32,
    /// Memory that was given back meanwhile. What the stream is given next may have it.
    given_back: Vec<Buffer>,
}

impl Default for Backlog {
    fn default() -> Self {
        Self { begun: 0, since: Instant::now(), most: FIRST, given_back: Vec::new() }
    }
}

impl Backlog {
    pub const fn begun(&self) -> u32 {
        self.begun
    }

    /// A loop was launched. Gives whether it is time to wait for all.
    pub fn began(&mut self) -> bool {
        if self.begun == 0 {
            self.since = Instant::now();
        }
        self.begun += 1;
        self.begun >= self.most
    }

    /// It was time to wait, and now all are done.
    pub fn adapt(&mut self) {
        let took = self.since.elapsed();
        if took < SHORT {
            self.most = (self.most * FACTOR).min(MOST);
        } else if took > LONG {
            self.most = (self.most / FACTOR).max(1);
        }
    }

    /// Memory for so many bytes, for what the stream is given next.
    pub fn take(&mut self, bytes: usize) -> Option<Buffer> {
        let found = self.given_back.iter().position(|buffer| buffer.is_for(bytes))?;
        Some(self.given_back.swap_remove(found))
    }

    pub fn put(&mut self, buffer: Buffer) {
        self.given_back.push(buffer);
    }

    /// Somebody has waited. Gives the memory that nothing uses any more.
    pub fn waited(&mut self) -> Vec<Buffer> {
        self.begun = 0;
        std::mem::take(&mut self.given_back)
    }

    /// The device failed: what it may still touch is never given back.
    pub fn forget(&mut self) {
        self.waited().into_iter().for_each(std::mem::forget);
    }
}
