//! Arrays that live on a device between calls.
//!
//! Each has memory on the host as well, which nobody looks at unless its bytes are asked for: addresses in it are how calls name the array. So a call does with it what it does with
//! any array, but that its session finds it on the device ([`CallArrays::adopt`]), and leaves it there. What a call makes and gives back lives there as well, if one of its arguments did.
//!
//! Other libraries may be given the device's address, or have given it. From then on what the host has is asked for anew each time.
//!
//! Unsafe here: the host's memory, which whoever made the array keeps alive, and addresses of other libraries, which they answer for.

use crate::device::{Device, device, device_at, is_there, lock};
use crate::driver::{self, Current, Error};
use crate::mark::{Mark, Marks};
use crate::memory::{Buffer, room};
use crate::mirror::Mirror;
use crate::session::{Lost, Session};
use crate::worker::Worker;
use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

/// Memory of the host that lives on a device.
pub struct Resident {
    host: Range<usize>,
    state: Mutex<State>,
    /// Whose memory on the device it is.
    _owner: Option<Owner>,
}

/// Work of another library with its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pending {
    Nothing,
    /// On a stream, as `__cuda_array_interface__` numbers it.
    Stream(u64),
    /// On any.
    Unknown,
}

/// What keeps memory of another library as long as it is not dropped.
pub type Owner = Box<dyn Any + Send + Sync>;

struct State {
    /// Where the device has it, or had it.
    home: Option<Home>,
    on_device: bool,
    on_host: bool,
    /// Another library has the device's address.
    is_known: bool,
    /// Calls that use it at the moment; -1 for one that writes to it.
    users: i32,
    /// What calls that are over have left on its device.
    marks: Marks,
}

struct Home {
    device: &'static Device,
    address: u64,
    /// Unless another library's.
    buffer: Option<Buffer>,
}

impl Resident {
    /// Of memory that the host has. It stays as it is until the last of these is gone.
    #[must_use]
    pub fn new(host: Range<usize>) -> Arc<Self> {
        Self::with(host, None, false, true, None)
    }

    /// Of memory that another library has on the device.
    ///
    /// # Errors
    /// There is no device, or its address is not one of its memory with so many bytes.
    ///
    /// # Safety
    /// The library has no work under way there but on this stream, and keeps the memory as long as the owner is there.
    pub unsafe fn foreign(
        host: Range<usize>,
        address: u64,
        pending: Pending,
        owner: Owner,
    ) -> Result<Arc<Self>, String> {
        is_there()?;
        let device = device_at(driver::device_of(address, host.len())?)?;
        let text = |error: Error| format!("{}: {error}", device.properties.name);
        let _current = Current::enter(device.context).map_err(text)?;
        match pending {
            Pending::Nothing => {}
            // SAFETY: a stream of the library's.
            Pending::Stream(stream) => unsafe { driver::wait_for(stream) }.map_err(text)?,
            Pending::Unknown => driver::wait_for_all().map_err(text)?,
        }
        let home = Home { device, address, buffer: None };
        let made = Self::with(host, Some(home), true, false, Some(owner));
        lock(&made.state).is_known = true;
        Ok(made)
    }

    fn with(
        host: Range<usize>,
        home: Option<Home>,
        on_device: bool,
        on_host: bool,
        owner: Option<Owner>,
    ) -> Arc<Self> {
        let marks = Marks::default();
        let state = State { home, on_device, on_host, is_known: false, users: 0, marks };
        Arc::new(Self { host, state: Mutex::new(state), _owner: owner })
    }

    #[must_use]
    pub fn host(&self) -> Range<usize> {
        self.host.clone()
    }

    /// The place of the device that has it, or had it; 0 before.
    #[must_use]
    pub fn device(&self) -> i32 {
        self.on_device().and_then(|(index, _)| i32::try_from(index).ok()).unwrap_or(0)
    }

    /// Where the device has it, or had it.
    fn on_device(&self) -> Option<(usize, Range<u64>)> {
        let state = lock(&self.state);
        let home = state.home.as_ref()?;
        Some((home.device.index, home.address..home.address + self.host.len() as u64))
    }

    /// Has the bytes on the host.
    ///
    /// # Errors
    /// The device failed and had them, or a call writes to it.
    ///
    /// # Safety
    /// The host's memory is alive, and nobody else uses it.
    pub unsafe fn to_host(&self) -> Result<(), Lost> {
        let mut state = self.unused()?;
        // SAFETY: by the caller's promise.
        unsafe { state.fetch(&self.host) }
    }

    /// The state where no call writes to it, and none can begin to meanwhile.
    fn unused(&self) -> Result<MutexGuard<'_, State>, Lost> {
        let state = lock(&self.state);
        if state.users < 0 {
            return Err(Lost("the array is in use by a call that writes to it".to_owned()));
        }
        Ok(state)
    }

    /// As [`Self::to_host`], within a call.
    unsafe fn fetch(&self) -> Result<(), Lost> {
        // SAFETY: by the caller's promise.
        unsafe { lock(&self.state).fetch(&self.host) }
    }

    /// The host has written to it.
    ///
    /// # Errors
    /// Another library has it, and the device failed.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    unsafe fn written(&self) -> Result<(), Lost> {
        let mut state = lock(&self.state);
        (state.on_host, state.on_device) = (true, false);
        // SAFETY: by the caller's promise.
        if state.is_known { unsafe { state.upload(&self.host) } } else { Ok(()) }
    }

    /// The device's address, for another library.
    ///
    /// # Errors
    /// There is no device, or it failed.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    pub unsafe fn address(&self) -> Result<u64, Lost> {
        let mut state = self.unused()?;
        if !state.on_device {
            // SAFETY: by the caller's promise.
            unsafe { state.upload(&self.host)? };
        }
        state.wait()?;
        state.is_known = true;
        Ok(state.home.as_ref().expect("it is there").address)
    }

    /// Has the bytes on the device, if there is one with room for them.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    pub unsafe fn settle(&self) {
        let mut state = lock(&self.state);
        if !state.on_device && !self.host.is_empty() {
            // SAFETY: by the caller's promise. Without a device, calls will use it on the host.
            let _ = unsafe { state.upload(&self.host) };
        }
    }
}

const GONE: &str = "the device failed, and the array was in its memory alone";

impl State {
    /// Does something with the device that has it, or could, behind what calls have left there.
    fn act(
        &mut self,
        device: &'static Device,
        act: impl FnOnce(&mut Worker) -> Result<(), Error>,
    ) -> Result<(), Lost> {
        let failed = |error: Error| Lost(format!("{} failed: {error}", device.properties.name));
        let _current = Current::enter(device.context).map_err(failed)?;
        device.with_worker(&self.marks, act).map_err(failed)?;
        self.marks.clear();
        Ok(())
    }

    /// Waits for what calls have left on its device.
    fn wait(&mut self) -> Result<(), Lost> {
        if let Some(device) = self.home.as_ref().map(|home| home.device) {
            let failed = |error: Error| Lost(format!("{} failed: {error}", device.properties.name));
            let _current = Current::enter(device.context).map_err(failed)?;
            self.marks.wait().map_err(failed)?;
            self.marks.clear();
        }
        Ok(())
    }

    /// Has the bytes on the host.
    unsafe fn fetch(&mut self, host: &Range<usize>) -> Result<(), Lost> {
        if !self.on_host || self.is_known {
            // SAFETY: by the caller's promise.
            unsafe { self.download(host)? };
            self.on_host = true;
        }
        Ok(())
    }

    unsafe fn download(&mut self, host: &Range<usize>) -> Result<(), Lost> {
        let Some(home) = self.home.as_ref().filter(|_| self.on_device) else {
            return Err(Lost(GONE.to_owned()));
        };
        let (device, address) = (home.device, home.address);
        self.act(device, |worker| {
            // SAFETY: by the caller's promise.
            unsafe { worker.download(host.start as *mut u8, address, host.len())? };
            worker.drain()
        })
    }

    /// Has a home, on this device unless there is one.
    fn settle(&mut self, host: &Range<usize>, device: &'static Device) -> Result<(), Lost> {
        if self.home.is_none() {
            let failed = |error: Error| Lost(format!("{}: {error}", device.properties.name));
            let _current = Current::enter(device.context).map_err(failed)?;
            let taken = device.retry(|| device.take_memory(room(host.len()), None));
            let buffer = taken.map_err(failed)?;
            self.home = Some(Home { device, address: buffer.begin(host.start), buffer: Some(buffer) });
        }
        Ok(())
    }

    unsafe fn upload(&mut self, host: &Range<usize>) -> Result<(), Lost> {
        if !self.on_host {
            return Err(Lost(GONE.to_owned()));
        }
        let device = match &self.home {
            Some(home) => home.device,
            None => device().map_err(|why| Lost(why.to_owned()))?,
        };
        self.settle(host, device)?;
        let address = self.home.as_ref().expect("made above").address;
        // SAFETY: by the caller's promise.
        self.act(device, |worker| unsafe { worker.upload(address, host.start as *const u8, host.len()) })?;
        self.on_device = true;
        Ok(())
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(Home { device, buffer: Some(buffer), .. }) = self.home.take()
            && !device.is_given_up()
            && let Ok(_current) = Current::enter(device.context)
        {
            device.put_memory(buffer, std::mem::take(&mut self.marks));
        }
    }
}

/// Why a call may not have an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Another call writes to it, or reads what this one would write.
    Busy,
    /// Another argument has some of the same memory on the device, as another array, and one of them is written.
    Overlaps,
}

/// The arrays of a call that live on a device, each once.
#[derive(Default)]
pub struct CallArrays {
    used: Vec<Used>,
    /// What the call gives back.
    made: Vec<Arc<Resident>>,
    /// Whether the call has a session of its own; what it left, once it has run; and the session that it came into.
    has_session: bool,
    session: Option<Box<Session>>,
    outer: Option<Box<Session>>,
}

struct Used {
    resident: Arc<Resident>,
    writes: bool,
    /// Whether the session has it on the device. Else the call has it on the host.
    is_adopted: bool,
}

impl CallArrays {
    /// Adds one that the call uses, and may write to.
    ///
    /// # Errors
    /// It is not to be had.
    pub fn add(&mut self, resident: &Arc<Resident>, writes: bool) -> Result<(), Refused> {
        let there = resident.on_device();
        let meets = |other: &Used| {
            let theirs = other.resident.on_device();
            !Arc::ptr_eq(&other.resident, resident)
                && (writes || other.writes)
                && there
                    .clone()
                    .zip(theirs)
                    .is_some_and(|((on, a), (other, b))| on == other && a.start < b.end && b.start < a.end)
        };
        if self.used.iter().any(meets) {
            return Err(Refused::Overlaps);
        }
        let known = self.used.iter_mut().find(|known| Arc::ptr_eq(&known.resident, resident));
        let mut state = lock(&resident.state);
        match known {
            Some(known) if known.writes || !writes => return Ok(()),
            Some(known) => {
                if state.users > 1 {
                    return Err(Refused::Busy);
                }
                (state.users, known.writes) = (-1, true);
                return Ok(());
            }
            None if state.users < 0 || writes && state.users > 0 => return Err(Refused::Busy),
            None => state.users = if writes { -1 } else { state.users + 1 },
        }
        drop(state);
        self.used.push(Used { resident: Arc::clone(resident), writes, is_adopted: false });
        Ok(())
    }

    /// The call runs on the processor: it has all bytes.
    ///
    /// # Errors
    /// The device failed and had them.
    ///
    /// # Safety
    /// The memory of the arrays is alive.
    pub unsafe fn to_host(&self) -> Result<(), Lost> {
        // SAFETY: by the caller's promise; no other call writes to it.
        self.used.iter().try_for_each(|used| unsafe { used.resident.fetch() })
    }

    /// The call runs where its loops do: on the device of the first of these arrays. What is on another one is used from the host, and so is all if there is no device.
    ///
    /// # Errors
    /// A device failed and had an array.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    pub unsafe fn adopt(&mut self) -> Result<(), Lost> {
        let home = |used: &Used| Some(lock(&used.resident.state).home.as_ref()?.device);
        let first = self.used.iter().filter_map(home).find(|device| !device.is_given_up());
        let Some(device) = first.or_else(|| device().ok()) else {
            // SAFETY: by the caller's promise.
            return unsafe { self.to_host() };
        };
        let mut session = Session::new(device);
        for used in &mut self.used {
            match used.resident.mirror(device) {
                Some((mirror, marks)) => {
                    session.adopt(mirror);
                    session.queue.follow(&marks);
                }
                // SAFETY: by the caller's promise.
                None => unsafe { used.resident.fetch()? },
            }
        }
        for used in &mut self.used {
            used.is_adopted = session.has(&used.resident.host);
        }
        self.outer = Session::leave();
        self.has_session = true;
        session.come_back();
        Ok(())
    }

    /// Has the bytes of an array of the call on the host, for a copy.
    ///
    /// # Errors
    /// The device failed and had them.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    pub unsafe fn fetch(&mut self, resident: &Arc<Resident>) -> Result<(), Lost> {
        if let Some(session) = &mut self.session {
            session.host_access(&resident.host, false)?;
            // What it made is no part of it any more, and has no mark yet.
            session.wait()?;
        }
        // The others of the call are on the host.
        if self.used.iter().any(|used| Arc::ptr_eq(&used.resident, resident)) {
            return Ok(());
        }
        // SAFETY: by the caller's promise.
        unsafe { resident.fetch() }
    }

    /// The call has run. Whatever runs from now on in this thread has nothing to do with it.
    pub fn left(&mut self) {
        if std::mem::take(&mut self.has_session) {
            self.session = Session::leave();
            if let Some(outer) = self.outer.take() {
                outer.come_back();
            }
        }
    }

    /// The array that memory of a result is part of.
    ///
    /// # Errors
    /// The device failed, and what it had is lost.
    ///
    /// # Safety
    /// The result's memory is alive, and stays so as long as the array.
    pub unsafe fn result(&mut self, span: &Range<usize>) -> Result<Arc<Resident>, Lost> {
        let holds =
            |resident: &Arc<Resident>| resident.host.start <= span.start && span.end <= resident.host.end;
        let known = self.used.iter().map(|used| &used.resident).chain(&self.made).find(|r| holds(r));
        if let Some(known) = known {
            return Ok(Arc::clone(known));
        }
        let made = match &mut self.session {
            None => Resident::new(span.clone()),
            Some(session) => match session.take(span) {
                Some(mirror) if mirror.is_there() => Self::of_mirror(mirror, session.device()),
                _ => {
                    session.host_access(span, true)?;
                    Resident::new(span.clone())
                }
            },
        };
        self.made.push(Arc::clone(&made));
        Ok(made)
    }

    fn of_mirror(mirror: Mirror, device: &'static Device) -> Arc<Resident> {
        let (host, is_dirty) = (mirror.range.clone(), mirror.is_dirty());
        let address = mirror.address(host.start);
        let home = address.map(|address| Home { device, address, buffer: mirror.forget() });
        let is_there = home.is_some();
        Resident::with(host, home, is_there, !is_dirty, None)
    }

    /// The call is over, if it has run at all, and went well or not: its arrays are where it left them.
    ///
    /// # Errors
    /// The device failed, and what it had is lost.
    pub fn end(&mut self, has_run: bool, went_well: bool) -> Result<(), Lost> {
        self.left();
        let mut session = self.session.take();
        let mut result = match &mut session {
            Some(session) if !went_well => session.wait(),
            _ => Ok(()),
        };
        let take = |used: &Used| session.as_mut().filter(|_| used.is_adopted)?.take(&used.resident.host);
        let mut taken: Vec<Option<Mirror>> = self.used.iter().map(take).collect();
        let mut mark = None;
        if let Some(session) = &mut session {
            // What fails behind the mark, those learn who use what was made.
            result = result.and(session.finish());
            if result.is_ok() {
                mark = session.queue.leave();
            } else {
                taken.fill_with(|| None);
            }
        }
        let went_well = went_well && result.is_ok();
        for (Used { resident, writes, is_adopted }, mirror) in self.used.iter().zip(taken) {
            result = result.and(match mirror {
                Some(mirror) => resident.leave(&mirror, *writes, mark.as_ref()),
                None if *is_adopted => resident.leave_without(*writes, went_well),
                // SAFETY: the call's arrays are alive.
                None if *writes && has_run => unsafe { resident.written() },
                None => Ok(()),
            });
        }
        if let Some(mark) = &mark {
            self.made.iter().for_each(|made| lock(&made.state).marks.add(mark));
        }
        for Used { resident, writes, .. } in self.used.drain(..) {
            let mut state = lock(&resident.state);
            state.users = if writes { 0 } else { state.users - 1 };
        }
        result
    }
}

impl Drop for CallArrays {
    fn drop(&mut self) {
        let _ = self.end(false, false);
    }
}

impl Resident {
    /// A call's device failed. If the call went well nevertheless, it had nothing there that the host had not, and went on with what the host has.
    fn leave_without(&self, writes: bool, went_well: bool) -> Result<(), Lost> {
        let mut state = lock(&self.state);
        let has_news = writes && state.is_known;
        state.on_device = false;
        state.on_host = if went_well { !has_news } else { state.on_host && !writes && !state.is_known };
        if went_well && has_news {
            return Err(Lost("the device failed, and has not got what was written".to_owned()));
        }
        Ok(())
    }

    /// A call has left it so.
    fn leave(&self, mirror: &Mirror, writes: bool, mark: Option<&Mark>) -> Result<(), Lost> {
        let mut state = lock(&self.state);
        if let Some(mark) = mark {
            state.marks.add(mark);
        }
        let (is_there, is_here) = (mirror.is_there(), !mirror.is_dirty());
        if writes {
            (state.on_device, state.on_host) = (is_there, is_here);
        } else {
            // Another call may have read it meanwhile.
            state.on_device |= is_there;
            state.on_host |= is_here;
        }
        // Another library looks at the device's memory alone.
        if state.is_known && !state.on_device {
            // SAFETY: the call's arrays are alive.
            return unsafe { state.upload(&self.host) };
        }
        // And at once.
        if state.is_known { state.wait() } else { Ok(()) }
    }

    /// As a session on a device has it, and what it has to come behind; nothing where it has a home on another one, or there is no room for it.
    fn mirror(&self, device: &'static Device) -> Option<(Mirror, Marks)> {
        let mut state = lock(&self.state);
        state.settle(&self.host, device).ok()?;
        let home = state.home.as_ref().filter(|home| home.device.index == device.index)?;
        let is_here = state.on_host && !(state.is_known && state.on_device);
        let mirror = Mirror::resident(self.host(), home.address, state.on_device, is_here);
        Some((mirror, state.marks.clone()))
    }
}
