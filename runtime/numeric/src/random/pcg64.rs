//! PCG64, the bit generator of `np.random.default_rng`: a linear congruential generator of 128 bits whose state is
//! permuted for output (XSL-RR). M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
//! Algorithms for Random Number Generation", Harvey Mudd College, 2014.

use super::BitGenerator;

/// By which a step multiplies the state.
pub const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// How many words hold a generator.
pub const WORDS: usize = 6;

/// A generator that lives in words: state and increment, the high half first, whether half of an output is left, and that half.
pub struct Pcg64<'a>(pub &'a mut [u64; WORDS]);

#[inline]
const fn join(high: u64, low: u64) -> u128 {
    (high as u128) << 64 | low as u128
}

impl Pcg64<'_> {
    /// Starts a stream: `seed` are a state and the number of the stream, the high half of each first.
    pub fn start(&mut self, seed: [u64; 4]) {
        let stream = join(seed[2], seed[3]) << 1 | 1;
        *self.0 = [0, 0, (stream >> 64) as u64, stream as u64, 0, 0];
        self.step();
        let state = self.state().wrapping_add(join(seed[0], seed[1]));
        self.set_state(state);
        self.step();
    }

    #[inline]
    const fn state(&self) -> u128 {
        join(self.0[0], self.0[1])
    }

    #[inline]
    const fn set_state(&mut self, state: u128) {
        self.0[0] = (state >> 64) as u64;
        self.0[1] = state as u64;
    }

    #[inline]
    const fn step(&mut self) -> u128 {
        let state = self.state().wrapping_mul(MULTIPLIER).wrapping_add(join(self.0[2], self.0[3]));
        self.set_state(state);
        state
    }
}

impl BitGenerator for Pcg64<'_> {
    /// The low half of an output, then its high half.
    #[inline]
    fn next_u32(&mut self) -> u32 {
        if self.0[4] != 0 {
            self.0[4] = 0;
            return self.0[5] as u32;
        }
        let next = self.next_u64();
        self.0[4] = 1;
        self.0[5] = next >> 32;
        next as u32
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        let state = self.step();
        let folded = (state >> 64) as u64 ^ state as u64;
        folded.rotate_right((state >> 122) as u32)
    }

    #[inline]
    fn next_double(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}
