//! Arrays that live on a device between calls.
//!
//! Each has memory on the host as well, which nobody looks at unless its bytes are asked for: addresses in it are how calls name the array. So a call does with it what it does with
//! any array, but that its session finds it on the device ([`Calls::adopt`]), and leaves it there. What a call makes and gives back lives there as well, if one of its arguments did.
//!
//! Other libraries may be given the device's address, or have given it. From then on what the host has is asked for anew each time.
//!
//! Unsafe here: the host's memory, which whoever made the array keeps alive, and addresses of other libraries, which they answer for.

use crate::device::{Device, device, lock};
use crate::driver::{self, Current, Error};
use crate::memory::Buffer;
use crate::mirror::Mirror;
use crate::session::{Lost, Session};
use crate::worker::Worker;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Bytes on the device begin at a multiple of this.
const ALIGNMENT: usize = 256;

/// Memory of the host that lives on a device.
pub struct Resident {
    host: Range<usize>,
    state: Mutex<State>,
}

struct State {
    /// Where the device has it, or had it.
    home: Option<Home>,
    on_device: bool,
    on_host: bool,
    /// Another library has the device's address.
    is_known: bool,
    /// Calls that use it at the moment; -1 for one that writes to it.
    users: i32,
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
        Self::with(host, None, false, true)
    }

    /// Of memory that another library has on the device.
    ///
    /// # Errors
    /// There is no device, or its address is not one of its memory with so many bytes.
    ///
    /// # Safety
    /// The library has no work under way there but on this stream, and keeps the memory as long as this.
    pub unsafe fn foreign(host: Range<usize>, address: u64, stream: Option<u64>) -> Result<Arc<Self>, String> {
        let device = device()?;
        let text = |error: Error| format!("{}: {error}", device.properties.name);
        let _current = Current::enter(device.context).map_err(text)?;
        driver::check_memory(address, host.len())?;
        if let Some(stream) = stream {
            // SAFETY: a stream of the library's.
            unsafe { driver::wait_for(stream) }.map_err(text)?;
        }
        let home = Home { device, address, buffer: None };
        let made = Self::with(host, Some(home), true, false);
        lock(&made.state).is_known = true;
        Ok(made)
    }

    fn with(host: Range<usize>, home: Option<Home>, on_device: bool, on_host: bool) -> Arc<Self> {
        let state = State { home, on_device, on_host, is_known: false, users: 0 };
        Arc::new(Self { host, state: Mutex::new(state) })
    }

    #[must_use]
    pub fn host(&self) -> Range<usize> {
        self.host.clone()
    }

    /// Where the device has it, or had it.
    fn on_device(&self) -> Option<Range<u64>> {
        let state = lock(&self.state);
        let start = state.home.as_ref()?.address;
        Some(start..start + self.host.len() as u64)
    }

    /// Has the bytes on the host.
    ///
    /// # Errors
    /// The device failed and had them.
    ///
    /// # Safety
    /// The host's memory is alive, and nobody else uses it.
    pub unsafe fn to_host(&self) -> Result<(), Lost> {
        let mut state = lock(&self.state);
        if state.on_host && !state.is_known {
            return Ok(());
        }
        // SAFETY: by the caller's promise.
        unsafe { state.download(&self.host)? };
        state.on_host = true;
        Ok(())
    }

    /// The host has written to it.
    ///
    /// # Errors
    /// Another library has it, and the device failed.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    pub unsafe fn written(&self) -> Result<(), Lost> {
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
        let mut state = lock(&self.state);
        if !state.on_device {
            // SAFETY: by the caller's promise.
            unsafe { state.upload(&self.host)? };
        }
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

impl State {
    /// Does something with the device that has it, or could.
    fn act(
        &self,
        device: &'static Device,
        act: impl FnOnce(&mut Worker) -> Result<(), Error>,
    ) -> Result<(), Lost> {
        let failed = |error: Error| Lost(format!("{} failed: {error}", device.properties.name));
        let _current = Current::enter(device.context).map_err(failed)?;
        device.with_worker(act).map_err(failed)
    }

    unsafe fn download(&self, host: &Range<usize>) -> Result<(), Lost> {
        let Some(home) = self.home.as_ref().filter(|_| self.on_device) else {
            return Err(Lost("the device failed, and the array was in its memory alone".to_owned()));
        };
        self.act(home.device, |worker| {
            // SAFETY: by the caller's promise.
            unsafe { worker.download(host.start as *mut u8, home.address, host.len())? };
            worker.drain()
        })
    }

    unsafe fn upload(&mut self, host: &Range<usize>) -> Result<(), Lost> {
        if !self.on_host {
            return Err(Lost("the device failed, and the array was in its memory alone".to_owned()));
        }
        let device = match &self.home {
            Some(home) => home.device,
            None => device().map_err(|why| Lost(why.to_owned()))?,
        };
        if self.home.is_none() {
            let _current = Current::enter(device.context).map_err(|error| Lost(error.to_string()))?;
            let taken = lock(&device.memory).take(host.len() + ALIGNMENT);
            let buffer = taken.map_err(|error| Lost(format!("{}: {error}", device.properties.name)))?;
            let address = buffer.address + (host.start % ALIGNMENT) as u64;
            self.home = Some(Home { device, address, buffer: Some(buffer) });
        }
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
            lock(&device.memory).put(buffer);
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
pub struct Calls {
    used: Vec<(Arc<Resident>, bool)>,
    /// What the call gives back.
    made: Vec<Arc<Resident>>,
    is_adopted: bool,
}

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Adds one that the call uses, and may write to.
    ///
    /// # Errors
    /// It is not to be had.
    pub fn add(&mut self, resident: &Arc<Resident>, writes: bool) -> Result<(), Refused> {
        let there = resident.on_device();
        let meets = |(other, is_written): &(Arc<Resident>, bool)| {
            let theirs = other.on_device();
            !Arc::ptr_eq(other, resident)
                && (writes || *is_written)
                && there.clone().zip(theirs).is_some_and(|(a, b)| a.start < b.end && b.start < a.end)
        };
        if self.used.iter().any(meets) {
            return Err(Refused::Overlaps);
        }
        let known = self.used.iter_mut().find(|(known, _)| Arc::ptr_eq(known, resident));
        let mut state = lock(&resident.state);
        match known {
            Some((_, true)) => return Ok(()),
            Some((_, false)) if !writes => return Ok(()),
            Some((_, is_written)) => {
                if state.users > 1 {
                    return Err(Refused::Busy);
                }
                (state.users, *is_written) = (-1, true);
                return Ok(());
            }
            None if state.users < 0 || writes && state.users > 0 => return Err(Refused::Busy),
            None => state.users = if writes { -1 } else { state.users + 1 },
        }
        drop(state);
        self.used.push((Arc::clone(resident), writes));
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
        // SAFETY: by the caller's promise; no other call uses what is not on the host already, or reads it as well.
        self.used.iter().try_for_each(|(resident, _)| unsafe { resident.to_host() })
    }

    /// The call has run on the processor.
    ///
    /// # Errors
    /// Another library has an array, and the device failed.
    ///
    /// # Safety
    /// As for [`Self::to_host`].
    pub unsafe fn written(&self) -> Result<(), Lost> {
        let written = self.used.iter().filter(|(_, writes)| *writes);
        // SAFETY: by the caller's promise.
        written.map(|(resident, _)| unsafe { resident.written() }).fold(Ok(()), Result::and)
    }

    /// The call runs where its loops do.
    ///
    /// # Errors
    /// There is no device.
    pub fn adopt(&mut self) -> Result<(), Lost> {
        let device = device().map_err(|why| Lost(why.to_owned()))?;
        Session::with(device, |session| {
            for (resident, _) in &self.used {
                let state = lock(&resident.state);
                let is_here = state.on_host && !(state.is_known && state.on_device);
                let address = state.home.as_ref().map(|home| home.address);
                session.adopt(Mirror::resident(resident.host(), address, state.on_device, is_here));
            }
        });
        self.is_adopted = true;
        Ok(())
    }

    /// The array that memory of a result is part of.
    ///
    /// # Errors
    /// The device failed, and what it had is lost.
    ///
    /// # Safety
    /// The result's memory is alive, and stays so as long as the array.
    pub unsafe fn result(&mut self, span: &Range<usize>) -> Result<Arc<Resident>, Lost> {
        let holds = |resident: &Arc<Resident>| {
            resident.host.start <= span.start && span.end <= resident.host.end
        };
        let known = self.used.iter().map(|(resident, _)| resident).chain(&self.made).find(|r| holds(r));
        if let Some(known) = known {
            return Ok(Arc::clone(known));
        }
        let made = match Session::leave() {
            None => Resident::new(span.clone()),
            Some(mut session) => {
                let taken = session.take(span);
                let made = match taken {
                    Some(mirror) if mirror.is_there() => Ok(Self::of_mirror(mirror)),
                    _ => session.host_access(span, true).map(|()| Resident::new(span.clone())),
                };
                session.come_back();
                made?
            }
        };
        self.made.push(Arc::clone(&made));
        Ok(made)
    }

    fn of_mirror(mirror: Mirror) -> Arc<Resident> {
        let (host, is_dirty) = (mirror.range.clone(), mirror.is_dirty());
        let address = mirror.address(host.start);
        let home = address.zip(device().ok()).map(|(address, device)| {
            let buffer = mirror.forget();
            Home { device, address, buffer }
        });
        let is_there = home.is_some();
        Resident::with(host, home, is_there, !is_dirty)
    }

    /// The call is over: its arrays are where it left them.
    ///
    /// # Errors
    /// The device failed, and what it had is lost.
    pub fn end(&mut self) -> Result<(), Lost> {
        let mut result = Ok(());
        if self.is_adopted {
            let mut session = Session::leave();
            for (resident, writes) in &self.used {
                let mirror = session.as_mut().and_then(|session| session.take(&resident.host));
                result = result.and(resident.leave(mirror, *writes));
            }
            if let Some(mut session) = session {
                result = result.and(session.finish());
            }
            self.is_adopted = false;
        }
        for (resident, writes) in self.used.drain(..) {
            let mut state = lock(&resident.state);
            state.users = if writes { 0 } else { state.users - 1 };
        }
        result
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

impl Resident {
    /// A call has left it so; without a mirror the device failed.
    fn leave(&self, mirror: Option<Mirror>, writes: bool) -> Result<(), Lost> {
        let mut state = lock(&self.state);
        let Some(mirror) = mirror else {
            state.on_device = false;
            state.on_host &= !writes && !state.is_known;
            return Ok(());
        };
        let is_here = !mirror.is_dirty();
        (state.on_device, state.on_host) = (mirror.is_there(), is_here);
        let address = mirror.address(self.host.start);
        let buffer = mirror.forget();
        if let Some((address, device)) = address.filter(|_| buffer.is_some()).zip(device().ok()) {
            state.home = Some(Home { device, address, buffer });
        }
        // Another library looks at the device's memory alone.
        if state.is_known && !state.on_device {
            // SAFETY: the call's arrays are alive.
            return unsafe { state.upload(&self.host) };
        }
        Ok(())
    }
}
