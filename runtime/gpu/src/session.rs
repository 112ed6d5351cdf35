//! What one call has on the device.
//!
//! A kernel's results stay on the device until the processor asks for them or the call ends, and what it read stays until the processor writes it. So a call with
//! ten loops over the same arrays copies each of them once each way. Generated code says when the processor is going to touch memory ([`host_access`]), and when the call
//! ends ([`end`]); memory that is freed says so itself ([`forget`]).
//!
//! A session belongs to the thread that runs the call. A call within (Python's handler of a signal) has one of its own: see [`apart`].
//!
//! Unsafe here: memory that mirrors are of, alive by the promise of [`run`](crate::run), since what is freed is forgotten.

use crate::device::{Device, device, is_there};
use crate::driver::{Current, Error};
use crate::memory::Buffer;
use crate::mirror::{Content, Mirror, NoImage, Overwrite, Use};
use crate::queue::Queue;
use crate::segments::overlap;
use crate::wish::{Wish, wish};
use crate::worker::Worker;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The device failed, and results were there alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

/// Why a loop does not run on the device.
pub enum No {
    /// As it is.
    Because(&'static str),
    Driver(Error),
    Lost(Lost),
}

impl From<&'static str> for No {
    fn from(why: &'static str) -> Self {
        Self::Because(why)
    }
}

impl From<Error> for No {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

impl From<Lost> for No {
    fn from(lost: Lost) -> Self {
        Self::Lost(lost)
    }
}

impl From<NoImage> for No {
    fn from(_: NoImage) -> Self {
        "the processor has no memory for its results".into()
    }
}

thread_local! {
    static SESSION: Cell<Option<Box<Session>>> = const { Cell::new(None) };
}

/// Sessions of all threads.
static SESSIONS: AtomicUsize = AtomicUsize::new(0);

/// The memory that a call has on a device, or had: ranges that do not overlap, by their starts.
pub struct Session {
    device: &'static Device,
    mirrors: BTreeMap<usize, Mirror>,
    pub queue: Queue,
    /// Seconds that would have been saved if what the call's loops use had been on the device.
    pub missed: f64,
}

/// Bytes that would be copied if a loop ran on the device, or did not.
#[derive(Clone, Copy, Default)]
pub struct Copies {
    pub there: usize,
    pub back: usize,
    /// Back, for the processor's sake.
    pub for_processor: usize,
}

impl Session {
    /// Uses this thread's session, which is made if there is none.
    ///
    /// # Errors
    /// There is no device.
    pub fn with<T>(act: impl FnOnce(&mut Self) -> T) -> Result<T, &'static str> {
        // With nothing on a device that failed, the call goes on on another one.
        let found =
            SESSION.take().filter(|session| !(session.device.is_given_up() && session.mirrors.is_empty()));
        let mut session = match found {
            Some(session) => session,
            None => Self::new(device()?),
        };
        let out = act(&mut session);
        SESSION.set(Some(session));
        Ok(out)
    }

    pub fn new(device: &'static Device) -> Box<Self> {
        SESSIONS.fetch_add(1, Ordering::Relaxed);
        device.calls.fetch_add(1, Ordering::Relaxed);
        Box::new(Self { device, mirrors: BTreeMap::new(), queue: Queue::new(device), missed: 0.0 })
    }

    pub const fn device(&self) -> &'static Device {
        self.device
    }

    /// The mirrors that share memory with a range, by their keys.
    fn overlapping(&self, span: &Range<usize>) -> Vec<usize> {
        let before = self.mirrors.range(..span.end).rev();
        before.take_while(|(_, mirror)| overlap(&mirror.range, span)).map(|(&key, _)| key).collect()
    }

    fn only(&self, span: &Range<usize>) -> Option<&Mirror> {
        let &[key] = &self.overlapping(span)[..] else { return None };
        let mirror = &self.mirrors[&key];
        (mirror.range.start <= span.start && span.end <= mirror.range.end).then_some(mirror)
    }

    /// What a loop that uses a range so would copy.
    pub fn copies(&self, span: &Range<usize>, wanted: Use) -> Copies {
        let found = self.overlapping(span);
        let mirror = self.only(span);
        let is_there = mirror.is_some_and(|mirror| mirror.serves(wanted))
            || wanted.overwrite == Overwrite::Blind
            || (found.is_empty() && wanted.content != Content::Data);
        let stays = mirror.is_some_and(|mirror| mirror.is_dirty() || mirror.is_resident());
        let found = found.iter().map(|key| &self.mirrors[key]);
        // What lives on the device comes back later.
        let again = |mirror: &Mirror| if mirror.is_resident() && wanted.is_written { 2 } else { 1 };
        let dirty = found.filter(|mirror| mirror.is_dirty()).map(|mirror| again(mirror) * mirror.bytes());
        Copies {
            there: if is_there { 0 } else { span.len() },
            back: if wanted.is_written && !stays { span.len() } else { 0 },
            for_processor: dirty.sum(),
        }
    }

    /// Makes one mirror hold a range: together with those that share memory with it, or, where memory is scarce, no more than that. Gives whether nothing of it ever was in one.
    fn cover(
        &mut self,
        span: &Range<usize>,
        is_shared: bool,
        is_scarce: bool,
        worker: &mut Worker,
    ) -> Result<bool, Lost> {
        let is_enough = |mirror: &Mirror| mirror.is_there() || mirror.is_resident() || !is_scarce;
        if self.only(span).is_some_and(is_enough) {
            return Ok(false);
        }
        let keys = self.overlapping(span);
        self.bring_back(&keys, false, Some(worker))?;
        let (mut whole, mut is_shared) = (span.clone(), is_shared);
        for key in &keys {
            let Some(old) = self.mirrors.remove(key) else { continue };
            is_shared |= old.is_shared();
            let (range, was_shared) = (old.range.clone(), old.is_shared());
            self.put(old.forget());
            if is_scarce {
                self.add_touched(range.start..span.start, was_shared);
                self.add_touched(span.end..range.end, was_shared);
            } else {
                whole = whole.start.min(range.start)..whole.end.max(range.end);
            }
        }
        self.mirrors.insert(whole.start, Mirror::new(whole.clone(), is_shared));
        Ok(keys.is_empty())
    }

    /// Has ranges on the device, and gives the keys of the mirrors that hold them. `worker` is this loop's. Where memory is scarce, as little as possible is there besides.
    ///
    /// # Safety
    /// Memory of living arrays; the device's context is the current one.
    pub unsafe fn prepare(
        &mut self,
        wanted: &[(Range<usize>, Use)],
        is_scarce: bool,
        worker: &mut Worker,
    ) -> Result<Vec<usize>, No> {
        let mut new = Vec::new();
        for (span, usage) in wanted {
            if self.cover(span, usage.is_shared, is_scarce, worker)? {
                new.push(span.start);
            }
        }
        let mut uses: BTreeMap<usize, Use> = BTreeMap::new();
        for (span, usage) in wanted {
            let mirror = self.at(span.start);
            let is_all = mirror.range == *span;
            let is_new = is_all && new.contains(&span.start);
            let usage = Use {
                content: if is_new { usage.content } else { Content::Data },
                overwrite: if is_all { usage.overwrite } else { Overwrite::Part },
                ..*usage
            };
            uses.entry(mirror.range.start).and_modify(|all| *all = all.and(usage)).or_insert(usage);
        }
        let keys: Vec<usize> = uses.keys().copied().collect();
        for (&key, &usage) in &uses {
            if self.mirrors[&key].serves(usage) {
                continue;
            }
            let is_overwritten = usage.overwrite != Overwrite::Part;
            if is_overwritten && self.mirrors[&key].is_there() {
                self.mirror(key).promise();
                continue;
            }
            // The host has what it holds: of what has no image, nobody could tell what kernels wrote.
            let left = self.mirror(key).leave();
            self.put(left);
            self.mirror(key).reserve(usage)?;
            if is_overwritten {
                self.mirror(key).promise();
            }
            let mirror = &self.mirrors[&key];
            let room = (!mirror.is_resident()).then(|| mirror.room());
            let buffer = room.map(|room| self.allocate(room, &keys, worker)).transpose()?;
            // SAFETY: by the caller's promise.
            unsafe { self.mirror(key).fill(buffer, usage, worker)? };
        }
        Ok(keys)
    }

    /// The loop that ranges were prepared for is done, or was left before: then what it was to overwrite is on the host alone.
    pub fn keep_promises(&mut self, wanted: &[(Range<usize>, Use)], is_done: bool) {
        for (span, _) in wanted.iter().filter(|(_, usage)| usage.overwrite != Overwrite::Part) {
            let holding = self.mirrors.range_mut(..=span.start).next_back();
            if let Some((_, mirror)) = holding.filter(|(_, mirror)| overlap(&mirror.range, span))
                && mirror.keep_promise(is_done)
            {
                let left = mirror.leave();
                self.put(left);
            }
        }
    }

    fn mirror(&mut self, key: usize) -> &mut Mirror {
        self.mirrors.get_mut(&key).expect("a mirror's key")
    }

    /// Memory of the device. What is not of these mirrors goes, if it must.
    pub fn allocate(&mut self, bytes: usize, keep: &[usize], worker: &mut Worker) -> Result<Buffer, No> {
        let device = self.device;
        let steps: [fn(&Mirror) -> bool; 3] = [|_| false, |mirror| !mirror.is_dirty(), |_| true];
        let mut error = match self.queue.take(bytes, &worker.line) {
            Ok(buffer) => return Ok(buffer),
            Err(error) => error,
        };
        for goes in steps {
            if !error.is_out_of_memory() {
                break;
            }
            self.evict(keep, goes, worker)?;
            self.queue.wait_for(worker)?;
            device.release_for_once_more();
            error = match self.queue.take(bytes, &worker.line) {
                Ok(buffer) => return Ok(buffer),
                Err(error) => error,
            };
        }
        Err(error.into())
    }

    /// Leaves to the host what is not needed now.
    fn evict(&mut self, keep: &[usize], goes: fn(&Mirror) -> bool, worker: &mut Worker) -> Result<(), Lost> {
        let may_go = |(key, mirror): &(&usize, &Mirror)| {
            !keep.contains(key) && mirror.is_there() && !mirror.is_resident()
        };
        let there = self.mirrors.iter().filter(may_go);
        let keys: Vec<usize> = there.filter(|(_, mirror)| goes(mirror)).map(|(&key, _)| key).collect();
        self.bring_back(&keys, false, Some(worker))?;
        for key in keys {
            let left = self.mirror(key).leave();
            self.put(left);
        }
        Ok(())
    }

    /// The mirror that has an address, which is on the device.
    pub fn at(&mut self, address: usize) -> &mut Mirror {
        self.mirrors.range_mut(..=address).next_back().expect("prepared before").1
    }

    /// The host is going to read what an array spans, or to write to it.
    ///
    /// # Errors
    /// The device failed and has what the host needs.
    pub fn host_access(&mut self, span: &Range<usize>, writes: bool) -> Result<(), Lost> {
        let keys = self.overlapping(span);
        if let (false, &[key]) = (writes, &keys[..])
            && self.mirrors[&key].is_dirty()
            && self.mirrors[&key].is_read_in_part(span)
        {
            // SAFETY: what is freed is forgotten.
            return self
                .with_worker(|session, worker| unsafe { session.mirror(key).bring_part(span, worker) });
        }
        self.bring_back(&keys, !writes, None)?;
        for key in keys.into_iter().filter(|_| writes) {
            let left = self.mirror(key).leave();
            self.put(left);
        }
        Ok(())
    }

    /// The host has had memory that was allocated for this call: none of it is blank any longer.
    pub fn note_touched(&mut self, span: &Range<usize>) {
        let mut known = self.overlapping(span);
        known.reverse();
        let mut from = span.start;
        for key in known {
            let range = self.mirrors[&key].range.clone();
            self.add_touched(from..range.start, false);
            from = range.end;
        }
        self.add_touched(from..span.end, false);
    }

    fn add_touched(&mut self, range: Range<usize>, is_shared: bool) {
        if !range.is_empty() {
            self.mirrors.insert(range.start, Mirror::new(range, is_shared));
        }
    }

    /// Brings back what kernels wrote, of mirrors that stay or do not; by a loop's worker, if there is one.
    fn bring_back(&mut self, keys: &[usize], stays: bool, worker: Option<&mut Worker>) -> Result<(), Lost> {
        let dirty: Vec<usize> =
            keys.iter().copied().filter(|key| self.mirrors.get(key).is_some_and(Mirror::is_dirty)).collect();
        if dirty.is_empty() {
            return Ok(());
        }
        let act = |session: &mut Self, worker: &mut Worker| {
            // SAFETY: what is freed is forgotten.
            dirty.iter().try_for_each(|&key| unsafe { session.mirror(key).bring_back(stays, worker) })
        };
        match worker {
            Some(worker) => act(self, worker).map_err(|error| self.lose(error)),
            None => self.with_worker(act),
        }
    }

    /// Does something with the call's worker. In the device's context.
    pub fn with_its_worker<T, E: From<Error>>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut Worker) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut worker = self.queue.worker()?;
        let result = act(self, &mut worker);
        self.queue.keep(worker);
        if result.is_err() {
            self.queue.wait()?;
        }
        result
    }

    /// As [`Self::with_its_worker`], from outside of loops.
    fn with_worker(
        &mut self,
        act: impl FnOnce(&mut Self, &mut Worker) -> Result<(), Error>,
    ) -> Result<(), Lost> {
        let on = self.device;
        let result = Current::enter(on.context).and_then(|_current| self.with_its_worker(act));
        result.map_err(|error| self.lose(error))
    }

    /// Waits for what the call has begun on the device.
    ///
    /// # Errors
    /// It failed, with results.
    pub fn wait(&mut self) -> Result<(), Lost> {
        self.queue.wait().or_else(|error| self.fail(error))
    }

    /// The device failed.
    pub fn lose(&mut self, error: Error) -> Lost {
        self.device.give_up(error);
        // The device may still touch its memory, which is never given back.
        self.mirrors.clear();
        self.queue.forget();
        let name = &self.device.properties.name;
        Lost(format!("{name} failed ({error}), and results were in its memory alone"))
    }

    /// The device failed, and what follows is the processor's.
    ///
    /// # Errors
    /// Results were on the device alone.
    pub fn fail(&mut self, error: Error) -> Result<(), Lost> {
        let had_results = self.is_dirty();
        let lost = self.lose(error);
        if had_results { Err(lost) } else { Ok(()) }
    }

    /// Whether the device alone has something.
    pub fn is_dirty(&self) -> bool {
        self.mirrors.values().any(Mirror::is_dirty)
    }

    fn put(&mut self, buffer: Option<Buffer>) {
        if let Some(buffer) = buffer {
            self.queue.put(buffer);
        }
    }

    fn forget(&mut self, memory: &Range<usize>) {
        for key in self.overlapping(memory) {
            if let Some(mirror) = self.mirrors.remove(&key) {
                self.put(mirror.forget());
            }
        }
    }

    /// Brings back what the caller has, and forgets it. Where arrays live on the device, results may do so as well.
    fn end(&mut self) -> Result<(), Lost> {
        if self.keeps_results() {
            return self.close(Mirror::is_shared);
        }
        self.close(|_| true).and_then(|()| self.wait())
    }

    /// Nothing of the call is left that could be asked for.
    pub fn finish(&mut self) -> Result<(), Lost> {
        self.close(|_| true)
    }

    /// Brings back what some mirrors have, and forgets it.
    fn close(&mut self, goes: impl Fn(&Mirror) -> bool) -> Result<(), Lost> {
        let going = self.mirrors.iter().filter(|(_, mirror)| goes(mirror));
        let keys: Vec<usize> = going.map(|(&key, _)| key).collect();
        let result = self.bring_back(&keys, false, None);
        for key in keys {
            if let Some(mirror) = self.mirrors.remove(&key) {
                self.put(mirror.forget());
            }
        }
        result
    }

    /// Whether the call was given arrays that live on the device.
    fn keeps_results(&self) -> bool {
        self.mirrors.values().any(Mirror::is_resident)
    }

    /// The mirror that has all of a range, taken out of the call.
    pub fn take(&mut self, span: &Range<usize>) -> Option<Mirror> {
        let key = self.only(span)?.range.start;
        self.mirrors.remove(&key)
    }

    /// Whether a mirror has all of a range.
    pub fn has(&self, span: &Range<usize>) -> bool {
        self.only(span).is_some()
    }

    /// An array lives on the device, and the call uses it.
    pub fn adopt(&mut self, mirror: Mirror) {
        debug_assert!(mirror.is_resident() && self.overlapping(&mirror.range).is_empty());
        self.mirrors.insert(mirror.range.start, mirror);
    }

    /// The session of this thread, if there is one, which ends unless it is given back.
    pub fn leave() -> Option<Box<Self>> {
        SESSION.take()
    }

    pub fn come_back(self: Box<Self>) {
        SESSION.set(Some(self));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        SESSIONS.fetch_sub(1, Ordering::Relaxed);
        self.device.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether a call has, or had, anything on the device.
pub fn is_used() -> bool {
    SESSIONS.load(Ordering::Relaxed) > 0
}

/// Whether loops should run on the device now: all that can, or since the call has memory there.
#[must_use]
pub fn is_preferred() -> bool {
    match wish() {
        Wish::Cpu => false,
        Wish::Gpu => is_there().is_ok(),
        Wish::Auto => {
            is_used()
                && SESSION.with(|cell| {
                    let session = cell.take();
                    let has_memory = session.as_ref().is_some_and(|session| {
                        !session.device.is_given_up() && session.mirrors.values().any(Mirror::is_there)
                    });
                    cell.set(session);
                    has_memory
                })
        }
    }
}

/// The host is going to read what an array spans, or to write to it. `waits` is called if that takes time.
///
/// # Errors
/// The device failed and has what the host needs.
pub fn host_access(span: &Range<usize>, writes: bool, waits: impl FnOnce()) -> Result<(), Lost> {
    if !is_used() {
        return Ok(());
    }
    let Some(mut session) = SESSION.take() else { return Ok(()) };
    let is_dirty = |key: &usize| session.mirrors[key].is_dirty();
    if session.overlapping(span).iter().any(is_dirty) {
        waits();
    }
    let result = session.host_access(span, writes);
    SESSION.set(Some(session));
    result
}

/// Does what may run any code of the user's, such as Python's handlers of signals. Calls in it have sessions of their own, so that they end nothing of this one's. Arrays
/// of the call that is interrupted are not to be used there, as by any other thread.
pub fn apart<T>(act: impl FnOnce() -> T) -> T {
    if !is_used() {
        return act();
    }
    let session = SESSION.take();
    let out = act();
    SESSION.set(session);
    out
}

/// Memory is about to be freed.
pub fn forget(memory: &Range<usize>) {
    if !is_used() {
        return;
    }
    // A thread that ends frees things as well.
    let _ = SESSION.try_with(|cell| {
        if let Some(mut session) = cell.take() {
            session.forget(memory);
            cell.set(Some(session));
        }
    });
}

/// The call ends: the host gets back what it does not have. `waits` is called if that takes time.
///
/// # Errors
/// The device failed.
pub fn end(waits: impl FnOnce()) -> Result<(), Lost> {
    if !is_used() {
        return Ok(());
    }
    let Some(mut session) = SESSION.take() else { return Ok(()) };
    let keeps = session.keeps_results();
    let is_short = keeps && !session.mirrors.values().any(|mirror| mirror.is_shared() && mirror.is_dirty());
    if !is_short && (session.is_dirty() || session.queue.is_busy()) {
        waits();
    }
    let result = session.end();
    if keeps {
        SESSION.set(Some(session));
    }
    result
}
