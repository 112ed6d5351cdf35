//! The devices' memory: allocations at addresses that no host process has.
//!
//! Each allocation has 4 GiB of addresses for itself, which are used again only after a million allocations. So an address tells its
//! allocation, and one that is past the end, or freed, is found out.

use crate::fault::{Code, Fault};
use std::collections::BTreeMap;

/// The first address. Not canonical on x86-64 and beyond what Linux maps elsewhere: a host that follows it crashes.
const BASE: u64 = 0x0010_0000_0000_0000;
const SLOT_BITS: u32 = 32;
const SLOTS: usize = 1 << 20;
/// Where in its slot an allocation begins, so that what lies just before it belongs to nobody.
const START: u64 = 4096;
pub const LARGEST: u64 = (1 << SLOT_BITS) - 2 * START;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// From one of the driver's functions.
    User,
    /// A variable of a module.
    Variable,
}

#[derive(Debug)]
pub struct Allocation {
    pub device: usize,
    pub context: u64,
    pub size: u64,
    pub kind: Kind,
    pub live: bool,
    data: Vec<u8>,
}

pub struct Memory {
    allocations: Vec<Allocation>,
    /// The slot that is used next once all were used.
    recycled: usize,
    capacity: u64,
    used: Vec<u64>,
    /// Which device may use whose memory beside its own.
    pub peers: Vec<(usize, usize)>,
    /// Pinned memory of the host, which kernels may use: beginnings and sizes.
    pub pinned: BTreeMap<u64, u64>,
    poison: Poison,
}

/// What fresh memory and fresh registers hold: a NaN in each type of float, and a large number.
#[derive(Clone, Copy, Debug)]
pub struct Poison(u32);

impl Poison {
    pub fn new(seed: u64) -> Self {
        Poison(0x7ff4_0000 | (crate::random::Random::new(seed).next() as u32 & 0xffff) | 1)
    }

    pub fn register(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.0)
    }

    pub fn fill(self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(4) {
            part.copy_from_slice(&self.0.to_le_bytes()[..part.len()]);
        }
    }
}

fn illegal(text: String) -> Fault {
    Fault::new(Code::IllegalAddress, text)
}

impl Memory {
    pub fn new(devices: usize, capacity: u64, poison: Poison) -> Self {
        Memory {
            allocations: Vec::new(),
            recycled: 0,
            capacity,
            used: vec![0; devices],
            peers: Vec::new(),
            pinned: BTreeMap::new(),
            poison,
        }
    }

    pub fn poison(&self) -> Poison {
        self.poison
    }

    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    pub fn free_bytes(&self, device: usize) -> u64 {
        self.capacity - self.used[device]
    }

    /// None where the device's memory does not suffice.
    pub fn allocate(&mut self, device: usize, context: u64, size: u64, kind: Kind) -> Option<u64> {
        // As the real one, which gives no less than 512 bytes.
        if size > LARGEST || size.next_multiple_of(512) > self.free_bytes(device) {
            return None;
        }
        let mut data = vec![0; size as usize];
        self.poison.fill(&mut data);
        let allocation = Allocation { device, context, size, kind, live: true, data };
        let slot = if self.allocations.len() < SLOTS {
            self.allocations.push(allocation);
            self.allocations.len() - 1
        } else {
            let free = (self.recycled..SLOTS).chain(0..self.recycled).find(|&s| !self.allocations[s].live)?;
            self.allocations[free] = allocation;
            self.recycled = (free + 1) % SLOTS;
            free
        };
        self.used[device] += size.next_multiple_of(512);
        Some(BASE + ((slot as u64) << SLOT_BITS) + START)
    }

    /// The slot and the place within the allocation, which may be outside of it.
    fn locate(&self, address: u64) -> Option<(usize, u64)> {
        let slot = (address.wrapping_sub(BASE) >> SLOT_BITS) as usize;
        (slot < self.allocations.len())
            .then(|| (slot, (address & ((1 << SLOT_BITS) - 1)).wrapping_sub(START)))
    }

    /// The live allocation that `address` lies in: where it begins, and what it is.
    pub fn allocation(&self, address: u64) -> Option<(u64, &Allocation)> {
        let (slot, offset) = self.locate(address)?;
        let found = &self.allocations[slot];
        (found.live && offset < found.size.max(1)).then(|| (address - offset, found))
    }

    pub fn free(&mut self, address: u64) -> Result<(), String> {
        let Some((slot, offset)) = self.locate(address) else {
            return Err(format!("{address:#x} is not an address of a device"));
        };
        let found = &mut self.allocations[slot];
        if !found.live {
            return Err(format!("{address:#x} was freed before"));
        }
        if offset != 0 || found.kind != Kind::User {
            return Err(format!("{address:#x} is not the beginning of an allocation"));
        }
        self.release(slot);
        Ok(())
    }

    fn release(&mut self, slot: usize) {
        let found = &mut self.allocations[slot];
        found.live = false;
        found.data = Vec::new();
        self.used[found.device] -= found.size.next_multiple_of(512);
    }

    /// Frees what belongs to a context, or a variable of a module; nobody calls that a leak.
    pub fn free_variable(&mut self, address: u64) {
        if let Some((slot, _)) = self.locate(address)
            && self.allocations[slot].live
        {
            self.release(slot);
        }
    }

    /// Frees all that a context has; returns how many of them the program should have freed itself.
    pub fn free_context(&mut self, context: u64) -> usize {
        let mut leaked = 0;
        for slot in 0..self.allocations.len() {
            let found = &self.allocations[slot];
            if found.live && found.context == context {
                leaked += usize::from(found.kind == Kind::User);
                self.release(slot);
            }
        }
        leaked
    }

    /// Number and bytes of what the program has not freed.
    pub fn leaks(&self) -> (usize, u64) {
        let live = self.allocations.iter().filter(|a| a.live && a.kind == Kind::User);
        live.fold((0, 0), |(n, bytes), a| (n + 1, bytes + a.size))
    }

    /// The bytes at an address, for a kernel on `device`, or for a copy (`None`).
    #[inline]
    pub fn bytes(&mut self, device: Option<usize>, address: u64, length: u64) -> Result<&mut [u8], Fault> {
        let slot = (address.wrapping_sub(BASE) >> SLOT_BITS) as usize;
        let offset = (address & ((1 << SLOT_BITS) - 1)).wrapping_sub(START);
        let fits = self.allocations.get(slot).is_some_and(|a| {
            offset <= a.data.len() as u64
                && length <= a.data.len() as u64 - offset
                && a.live
                && device.is_none_or(|d| d == a.device || self.peers.contains(&(d, a.device)))
        });
        if fits {
            return Ok(&mut self.allocations[slot].data[offset as usize..(offset + length) as usize]);
        }
        if device.is_some() && self.is_pinned(address, length) {
            // SAFETY: allocated for the host by the driver, and not freed; the host does not use it while a kernel runs.
            return Ok(unsafe { std::slice::from_raw_parts_mut(address as *mut u8, length as usize) });
        }
        Err(illegal(self.explain(device, address, length)))
    }

    fn is_pinned(&self, address: u64, length: u64) -> bool {
        let below = self.pinned.range(..=address).next_back();
        below
            .is_some_and(|(&start, &size)| address.checked_add(length).is_some_and(|end| end <= start + size))
    }

    #[cold]
    fn explain(&self, device: Option<usize>, address: u64, length: u64) -> String {
        let what = format!("{length} bytes at {address:#x}");
        let Some((slot, offset)) = self.locate(address) else {
            let hint = if address < 1 << 47 { " (a host address or null?)" } else { "" };
            return format!("{what}: no address of a device{hint}");
        };
        let found = &self.allocations[slot];
        if !found.live {
            return format!("{what}: memory that was freed (an allocation of {} bytes)", found.size);
        }
        match device {
            Some(d) if d != found.device && offset < found.size => {
                format!(
                    "{what}: memory of device {}, whose peer access device {d} has not been given",
                    found.device
                )
            }
            _ => format!("{what}: byte {} of an allocation of {} bytes", offset as i64, found.size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        Memory::new(2, 1 << 20, Poison::new(1))
    }

    #[test]
    fn bounds_and_lives() {
        let mut m = memory();
        let a = m.allocate(0, 1, 100, Kind::User).unwrap();
        assert!(m.bytes(Some(0), a + 96, 4).is_ok());
        assert!(m.bytes(Some(0), a + 97, 4).unwrap_err().text.contains("byte 97 of an allocation of 100"));
        assert!(m.bytes(Some(0), a - 1, 1).unwrap_err().text.contains("byte -1"));
        assert!(m.bytes(Some(1), a, 1).unwrap_err().text.contains("peer access"));
        m.peers.push((1, 0));
        assert!(m.bytes(Some(1), a, 1).is_ok());
        assert!(m.bytes(Some(0), 0x7fff_0000_1000, 1).unwrap_err().text.contains("host address"));
        assert!(m.free(a + 4).is_err());
        m.free(a).unwrap();
        assert!(m.bytes(Some(0), a, 1).unwrap_err().text.contains("freed"));
        assert!(m.free(a).unwrap_err().contains("before"));
    }

    #[test]
    fn the_size_is_counted() {
        let mut m = memory();
        assert!(m.allocate(0, 1, 2 << 20, Kind::User).is_none());
        let a = m.allocate(0, 1, 1 << 20, Kind::User).unwrap();
        assert!(m.allocate(0, 1, 1, Kind::User).is_none());
        assert!(m.allocate(1, 1, 1, Kind::User).is_some());
        assert_eq!(m.leaks(), (2, (1 << 20) + 1));
        m.free(a).unwrap();
        assert_eq!(m.free_bytes(0), 1 << 20);
        assert_ne!(m.allocate(0, 1, 4, Kind::User), Some(a), "addresses are not used again");
    }

    #[test]
    fn fresh_memory_is_nan() {
        let mut m = memory();
        let a = m.allocate(0, 1, 8, Kind::User).unwrap();
        let bytes: [u8; 8] = m.bytes(None, a, 8).unwrap().try_into().unwrap();
        assert!(f64::from_le_bytes(bytes).is_nan());
        assert!(f32::from_le_bytes(bytes[..4].try_into().unwrap()).is_nan());
    }
}
