//! The flags of exceptions in floats. NumPy warns by those that it finds after a loop, but kernels compute both sides of branches and
//! elements of vectors that nobody asked for, and floats follow IEEE there without a word.
//!
//! Unsafe here: instructions that read and write one register of the thread's own. What a loop sets is taken back before it ends.

/// The flags as they were when this was made.
pub struct FloatStatus(u64);

impl FloatStatus {
    #[cfg(target_arch = "x86_64")]
    pub fn get() -> Self {
        let mut value = 0u32;
        // SAFETY: stores MXCSR to a variable.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        Self(value.into())
    }

    #[cfg(target_arch = "aarch64")]
    pub fn get() -> Self {
        let value: u64;
        // SAFETY: reads FPSR.
        unsafe { std::arch::asm!("mrs {}, fpsr", out(reg) value, options(nomem, nostack, preserves_flags)) };
        Self(value)
    }
}

impl Drop for FloatStatus {
    #[cfg(target_arch = "x86_64")]
    fn drop(&mut self) {
        let value = self.0 as u32;
        // SAFETY: a value that MXCSR had.
        unsafe {
            std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags))
        };
    }

    #[cfg(target_arch = "aarch64")]
    fn drop(&mut self) {
        // SAFETY: a value that FPSR had.
        unsafe { std::arch::asm!("msr fpsr, {}", in(reg) self.0, options(nomem, nostack, preserves_flags)) };
    }
}
