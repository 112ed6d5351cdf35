//! How `np.random.SeedSequence` spreads seeds over the state of a generator, after M. E. O'Neill's `seed_seq`
//! ("Developing a seed_seq Alternative", pcg-random.org, 2015).

const POOL: usize = 4;

/// A multiplicative hash whose constant changes from word to word.
struct Hash {
    constant: u32,
    multiplier: u32,
}

impl Hash {
    const fn word(&mut self, word: u32) -> u32 {
        let word = word ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.multiplier);
        let word = word.wrapping_mul(self.constant);
        word ^ word >> 16
    }
}

const fn mix(x: u32, y: u32) -> u32 {
    let mixed = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    mixed ^ mixed >> 16
}

/// Four words for a generator from the words of a seed, the least significant one of each number first.
#[must_use]
pub fn spread(seed: &[u32]) -> [u64; 4] {
    let mut hash = Hash { constant: 0x43b0_d7e5, multiplier: 0x931e_8875 };
    let mut pool = [0; POOL];
    for (i, word) in pool.iter_mut().enumerate() {
        *word = hash.word(seed.get(i).copied().unwrap_or(0));
    }
    for from in 0..POOL {
        for to in (0..POOL).filter(|&to| to != from) {
            pool[to] = mix(pool[to], hash.word(pool[from]));
        }
    }
    for &word in seed.iter().skip(POOL) {
        for to in &mut pool {
            *to = mix(*to, hash.word(word));
        }
    }
    let mut hash = Hash { constant: 0x8b51_f9dd, multiplier: 0x58f3_8ded };
    let mut halves = pool.iter().cycle();
    let mut half = || u64::from(hash.word(*halves.next().unwrap_or(&0)));
    std::array::from_fn(|_| {
        let low = half();
        half() << 32 | low
    })
}

/// Bits that nobody can foresee: a hash of the time whose key is from the operating system.
#[must_use]
pub fn entropy() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one((std::time::SystemTime::now(), std::process::id()))
}

/// As many words of a seed as NumPy takes from the operating system.
#[must_use]
pub fn entropy_words() -> [u32; POOL] {
    let (low, high) = (entropy(), entropy());
    [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32]
}
