//! Against the streams of NumPy and of CPython.

use super::{Source, WORDS, seed_generator, seed_stream};

/// Distinguishes sequences.
fn digest(items: impl Iterator<Item = u64>) -> u64 {
    items.fold(0, |sum: u64, item| sum.wrapping_mul(31).wrapping_add(item))
}

fn skip<T>(count: usize, mut draw: impl FnMut() -> T) {
    (0..count).for_each(|_| {
        draw();
    });
}

fn generator(seed: &[u32]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    seed_generator(&mut words, seed);
    words
}

#[test]
fn generators_start_as_numpys_do() {
    let first = |seed: &[u32]| Source::Generator(&mut generator(seed)).double();
    assert_eq!(first(&[42]), 0.773_956_048_555_963_3);
    assert_eq!(first(&[0]), 0.636_961_687_321_454_3);
    assert_eq!(first(&[u32::MAX]), 0.251_943_568_044_996_5);
    assert_eq!(first(&[5, 1 << 8]), 0.004_739_459_374_490_829);
    assert_eq!(first(&[1, 2, 3]), 0.670_472_262_651_663_2);
    assert_eq!(first(&[0, 1 << 8, 5, 6, 7, 8, 9]), 0.563_176_388_659_634_8);
}

#[test]
fn a_generator_draws_what_numpys_draws() {
    let mut words = generator(&[7]);
    let mut draw = |draw: fn(Source<'_>) -> u64, count| {
        digest(std::iter::repeat_with(|| draw(Source::Generator(&mut words))).take(count))
    };
    assert_eq!(draw(|s| s.normal(0.0, 1.0).to_bits(), 100_000), 0x5798_7dcd_33b5_809b);
    assert_eq!(draw(|s| s.exponential(1.0).to_bits(), 100_000), 0x20cc_76fd_cb65_7e71);
    assert_eq!(draw(|s| s.poisson(50.0) as u64, 20_000), 0x1d72_24c0_51cb_0374);
    assert_eq!(draw(|s| s.poisson(1000.0) as u64, 20_000), 0x096c_6af0_b26b_b9d4);
}

#[test]
fn integers_of_a_generator_share_words() {
    let mut words = generator(&[42]);
    skip(3, || Source::Generator(&mut words).double());
    skip(3, || Source::Generator(&mut words).normal(0.0, 1.0));
    skip(2, || Source::Generator(&mut words).exponential(1.0));
    let small: Vec<u64> = (0..5).map(|_| Source::Generator(&mut words).integer(0, 999)).collect();
    assert_eq!(small, [513, 128, 839, 450, 500]);
    let large: Vec<u64> = (0..2).map(|_| Source::Generator(&mut words).integer(0, (1 << 40) - 1)).collect();
    assert_eq!(large, [1_018_988_881_454, 707_937_186_248]);
}

#[test]
fn the_stream_is_numpys() {
    seed_stream(Some(42));
    let doubles: Vec<f64> = (0..3).map(|_| Source::Stream.double()).collect();
    assert_eq!(doubles, [0.374_540_118_847_362_5, 0.950_714_306_409_916_2, 0.731_993_941_811_405_1]);
    skip(3, || Source::Stream.normal(0.0, 1.0));
    let exponential: Vec<f64> = (0..2).map(|_| Source::Stream.exponential(2.0)).collect();
    assert_eq!(exponential, [2.462_500_123_409_180_6, 0.041_598_615_998_277_244]);
    let integers: Vec<u64> = (0..4).map(|_| Source::Stream.integer(0, 999)).collect();
    assert_eq!(integers, [769, 343, 491, 413]);
}

#[test]
fn the_stream_draws_what_numpys_draws() {
    seed_stream(Some(7));
    let draw = |draw: fn(Source<'_>) -> u64, count| {
        digest(std::iter::repeat_with(|| draw(Source::Stream)).take(count))
    };
    assert_eq!(draw(|s| s.normal(0.0, 1.0).to_bits(), 100_001), 0x77e8_b7b4_cfd7_7256);
    assert_eq!(draw(|s| s.exponential(1.0).to_bits(), 100_000), 0x981b_035c_4091_0df1);
    assert_eq!(draw(|s| s.poisson(50.0) as u64, 20_000), 0xa0e6_81d2_829d_cfbd);
}

#[test]
fn streams_without_a_seed_differ() {
    let first = || {
        seed_stream(None);
        Source::Stream.double()
    };
    assert_ne!(first(), first());
}

#[test]
fn the_stream_of_pythons_module_is_cpythons() {
    use super::python;
    python::seed(42);
    assert_eq!(python::double(), 0.639_426_798_457_883_7);
    assert_eq!([python::below(5), python::below(u64::MAX)], [0, 5_073_395_517_033_431_291]);
    assert_eq!(python::bits(40), 151_282_538_206);
    let gauss = [python::gauss(0.0, 1.0), python::gauss(0.0, 1.0)];
    assert_eq!(gauss, [-0.127_588_283_782_887_09, -1.497_353_414_340_957_5]);
    python::seed(1 << 40);
    assert_eq!(python::gamma(0.5, 2.0), 0.030_111_988_078_109_865);
}
