//! `np.fft`: functions of `frontend/src/prelude/fourier.pydd`, and the transforms they call.

use super::{Algebra, Entry, Param, ParamKind, axis, entry, fixed, int, opt, req, written};
use crate::op::LibOp;
use crate::routine::Routine;

const ONE: &[Param] = &[req("a"), opt("n"), fixed(int("axis", -1)), opt("norm")];
const SEVERAL: &[Param] = &[
    req("a"),
    Param { kind: ParamKind::Display, ..opt("s") },
    Param { name: "axes", ..axis() },
    opt("norm"),
];
const FREQUENCIES: &[Param] = &[req("n"), int("d", 1)];
const SHIFT: &[Param] = &[req("x"), Param { name: "axes", ..axis() }];
const INTO: &[Param] = &[req("a"), req("out"), req("scale")];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "fourier", function, doc)
}

const fn into(routine: Routine, doc: &'static str) -> Entry {
    entry(INTO, Algebra::Opaque(LibOp::Routine(routine)), doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(ONE, "fft", "Fourier transform of `n` values along an axis, cut off or padded with zeros.")
        .fft(&["fft"]),
    make(ONE, "ifft", "Inverse of `fft`.").fft(&["ifft"]),
    make(ONE, "rfft", "Fourier transform of real values: the n // 2 + 1 frequencies from 0.").fft(&["rfft"]),
    make(ONE, "irfft", "Inverse of `rfft`: `n` real values, 2 * (m - 1) of m frequencies without it.")
        .fft(&["irfft"]),
    make(ONE, "hfft", "Transform of a signal whose negative half is the conjugate, with real values.")
        .fft(&["hfft"]),
    make(ONE, "ihfft", "Inverse of `hfft`.").fft(&["ihfft"]),
    make(SEVERAL, "fft2", "Fourier transform along two axes, the last ones without `axes`.").fft(&["fft2"]),
    make(SEVERAL, "ifft2", "Inverse of `fft2`.").fft(&["ifft2"]),
    make(SEVERAL, "fftn", "Fourier transform along several axes, all without `axes`.").fft(&["fftn"]),
    make(SEVERAL, "ifftn", "Inverse of `fftn`.").fft(&["ifftn"]),
    make(SEVERAL, "rfft2", "Fourier transform of real values along two axes.").fft(&["rfft2"]),
    make(SEVERAL, "irfft2", "Inverse of `rfft2`.").fft(&["irfft2"]),
    make(SEVERAL, "rfftn", "Fourier transform of real values along several axes.").fft(&["rfftn"]),
    make(SEVERAL, "irfftn", "Inverse of `rfftn`.").fft(&["irfftn"]),
    make(FREQUENCIES, "fftfreq", "The frequencies of `fft` for n samples at distance d.").fft(&["fftfreq"]),
    make(FREQUENCIES, "rfftfreq", "The frequencies of `rfft` for n samples at distance d.")
        .fft(&["rfftfreq"]),
    make(SHIFT, "fftshift", "Moves frequency 0 to the middle.").fft(&["fftshift"]),
    make(SHIFT, "ifftshift", "Inverse of `fftshift`.").fft(&["ifftshift"]),
    into(Routine::Fft, "Transforms into another array.").internal(&["fft_into"]),
    into(Routine::InverseFft, "Transforms into another array.").internal(&["inverse_fft_into"]),
    into(Routine::RealFft, "Transforms into another array.").internal(&["real_fft_into"]),
    into(Routine::InverseRealFft, "Transforms into another array.").internal(&["inverse_real_fft_into"]),
];
