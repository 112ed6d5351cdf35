//! Where operands lie: whether they share memory, and copies between strided and contiguous elements.
//!
//! Unsafe here: elements at the places that NumPy gives.

/// `count` elements of `size` bytes, `step` bytes apart.
#[derive(Clone, Copy, Debug)]
pub struct Strided {
    pub data: *mut u8,
    pub step: isize,
    pub size: isize,
}

/// How two operands lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    Apart,
    /// Element by element the same.
    Same,
    Mixed,
}

impl Strided {
    /// First byte and end of `count` elements and what lies between them.
    pub fn extent(&self, count: isize) -> (usize, usize) {
        let reach = (count - 1) * self.step;
        let first = self.data as usize;
        let begin = first.wrapping_add_signed(reach.min(0));
        (begin, first.wrapping_add_signed(reach.max(0) + self.size))
    }

    pub fn sharing(&self, other: &Self, count: isize) -> Sharing {
        let (a, b) = (self.extent(count), other.extent(count));
        if a.1 <= b.0 || b.1 <= a.0 {
            Sharing::Apart
        } else if self.data == other.data
            && self.step == other.step
            && self.size == other.size
            && self.is_spread(count)
        {
            Sharing::Same
        } else {
            Sharing::Mixed
        }
    }

    /// Whether no two of its elements share memory.
    pub fn is_spread(&self, count: isize) -> bool {
        count == 1 || self.step.abs() >= self.size
    }

    pub fn is_contiguous(&self, count: isize) -> bool {
        self.step == self.size || count == 1
    }

    /// What lies from an element on.
    pub fn from(&self, at: isize) -> Self {
        Self { data: self.data.wrapping_offset(at * self.step), ..*self }
    }

    /// Copies `count` elements to others, which share no memory with them.
    ///
    /// # Safety
    /// All are there; elements are of 1, 2, 4, 8 or 16 bytes, alike for both.
    pub unsafe fn copy_to(&self, to: &Self, count: isize) {
        // SAFETY: by the caller's promise.
        unsafe {
            if self.is_contiguous(count) && to.is_contiguous(count) {
                return std::ptr::copy_nonoverlapping(self.data, to.data, (count * self.size) as usize);
            }
            match self.size {
                1 => self.copy::<1>(to, count),
                2 => self.copy::<2>(to, count),
                4 => self.copy::<4>(to, count),
                8 => self.copy::<8>(to, count),
                _ => self.copy::<16>(to, count),
            }
        }
    }

    unsafe fn copy<const N: usize>(&self, to: &Self, count: isize) {
        for i in 0..count {
            let (from, to) = (self.from(i).data.cast::<[u8; N]>(), to.from(i).data.cast::<[u8; N]>());
            // SAFETY: elements of N bytes, by the caller's promise.
            unsafe { to.write(from.read()) };
        }
    }
}
