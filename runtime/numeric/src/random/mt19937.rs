//! The Mersenne Twister, the bit generator of the functions of `np.random` and of Python's `random`. M. Matsumoto and T. Nishimura, "Mersenne
//! Twister: A 623-dimensionally equidistributed uniform pseudorandom number generator", ACM TOMACS 8(1), 1998.

use super::BitGenerator;

const N: usize = 624;
const M: usize = 397;

/// What is ready to be given out.
#[repr(C)]
pub struct Ready {
    /// How many of the words are used up.
    pub used: u64,
    pub words: [u32; N],
}

#[repr(C)]
pub struct Mt19937 {
    ready: Ready,
    key: [u32; N],
}

impl Mt19937 {
    /// One that must be seeded before it is used.
    pub const fn unseeded() -> Self {
        Self { ready: Ready { used: N as u64, words: [0; N] }, key: [0; N] }
    }

    /// Starts the stream of a number.
    pub fn seed(&mut self, seed: u32) {
        let mut word = seed;
        for (i, key) in (1..).zip(&mut self.key) {
            *key = word;
            word = (word ^ word >> 30).wrapping_mul(1_812_433_253).wrapping_add(i);
        }
        self.ready.used = N as u64;
    }

    /// Starts the stream of several numbers, of which there is at least one.
    pub fn seed_by_words(&mut self, words: &[u32]) {
        self.seed(19_650_218);
        let key = &mut self.key;
        let mut at = 1;
        let mut advance = |key: &mut [u32; N]| {
            at += 1;
            if at == N {
                key[0] = key[N - 1];
                at = 1;
            }
            at
        };
        let mut i = 1;
        for j in (0..words.len()).cycle().take(N.max(words.len())) {
            let mixed = key[i] ^ (key[i - 1] ^ key[i - 1] >> 30).wrapping_mul(1_664_525);
            key[i] = mixed.wrapping_add(words[j]).wrapping_add(j as u32);
            i = advance(key);
        }
        for _ in 1..N {
            let mixed = key[i] ^ (key[i - 1] ^ key[i - 1] >> 30).wrapping_mul(1_566_083_941);
            key[i] = mixed.wrapping_sub(i as u32);
            i = advance(key);
        }
        key[0] = 0x8000_0000;
    }

    /// Makes the next words, all at once. A word depends on none of those that vectors make with it.
    #[inline(never)]
    fn twist(&mut self) {
        let key = &mut self.key;
        let joined = |this: u32, next: u32| {
            let joined = this & 0x8000_0000 | next & 0x7fff_ffff;
            joined >> 1 ^ (joined & 1).wrapping_neg() & 0x9908_b0df
        };
        for i in 0..N - M {
            key[i] = key[i + M] ^ joined(key[i], key[i + 1]);
        }
        for i in N - M..N - 1 {
            key[i] = key[i + M - N] ^ joined(key[i], key[i + 1]);
        }
        key[N - 1] = key[M - 1] ^ joined(key[N - 1], key[0]);
        for (ready, &word) in self.ready.words.iter_mut().zip(&*key) {
            let mut word = word;
            word ^= word >> 11;
            word ^= word << 7 & 0x9d2c_5680;
            word ^= word << 15 & 0xefc6_0000;
            *ready = word ^ word >> 18;
        }
        self.ready.used = 0;
    }
}

impl BitGenerator for Mt19937 {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        if self.ready.used >= N as u64 {
            self.twist();
        }
        let word = self.ready.words[self.ready.used as usize];
        self.ready.used += 1;
        word
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        let high = u64::from(self.next_u32());
        high << 32 | u64::from(self.next_u32())
    }

    #[inline]
    fn next_double(&mut self) -> f64 {
        let high = f64::from(self.next_u32() >> 5);
        let low = f64::from(self.next_u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }
}
