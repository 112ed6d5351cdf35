//! Kernels of a module's parallel loops for devices, on the side of the processor: what a backend for devices has made, and how the module describes it
//! (see [`pydd_abi::device`]).

mod environment;
pub mod lanes;
pub mod private;
pub mod several;
mod spans;

use crate::image::{Image, Target};
use crate::{SiteTable, words};
use pydd_abi::device::{
    CAPTURE_ARRAY, CAPTURE_BLANK, CAPTURE_COVERED, CAPTURE_FILLED, CAPTURE_WRITTEN, CAPTURE_WRITTEN_LATER,
    CAPTURE_ZEROS, DeviceCapture, DeviceCode, DeviceLanes, DeviceLoop, LOOP_COMBINES, LOOP_FAILS,
    LOOP_LEAVES, LOOP_ORDERED,
};
use pydd_ir::sharing::{Content, Cover};
use pydd_ir::{FuncRef, Function, Module};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

/// What a backend for devices has made of a module.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kernels {
    /// Texts and the compute capabilities (10 * major + minor) that they need, the highest first.
    pub codes: Vec<(u32, String)>,
    /// The kernels' names, by the functions that bodies of loops became.
    pub names: BTreeMap<FuncRef, String>,
    /// How many threads share an iteration, of those in which they do.
    pub lanes: BTreeMap<FuncRef, DeviceLanes>,
    /// Those that may leave iterations for a second launch.
    pub leaving: BTreeSet<FuncRef>,
    /// Those in which an iteration may fail.
    pub failing: BTreeSet<FuncRef>,
    /// The places in kernels that can raise. The module's own are numbered behind these.
    pub sites: SiteTable,
}

impl Kernels {
    /// The code as constant data.
    #[must_use]
    pub fn image(&self) -> Image {
        let mut image = Image::default();
        let codes = image.reserve::<DeviceCode>(self.codes.len());
        for (i, (level, text)) in self.codes.iter().enumerate() {
            let at = codes + i * size_of::<DeviceCode>();
            image.put_string(at + offset_of!(DeviceCode, ptx), text);
            image.put_u32(at + offset_of!(DeviceCode, level), *level);
        }
        image.finish();
        image
    }

    /// A loop as constant data; `codes` is the symbol of [`image`](Self::image). Nothing where it has no kernel.
    #[must_use]
    pub fn describe(&self, module: &Module, region: FuncRef, codes: String) -> Option<Image> {
        let name = self.names.get(&region)?;
        let func = &module.funcs[region];
        let mut image = Image::default();
        let at = image.reserve::<DeviceLoop>(1);
        let fails = self.failing.contains(&region);
        let captures = captures(func, fails);
        let table = image.reserve::<DeviceCapture>(captures.len());
        for (i, capture) in captures.iter().enumerate() {
            let at = table + i * size_of::<DeviceCapture>();
            if let Some(spans) = spans::put(&mut image, func, i) {
                image.put_pointer(at + offset_of!(DeviceCapture, spans), Target::Image(spans));
            }
            image.put_u32(at + offset_of!(DeviceCapture, words), capture.words);
            let bytes = [
                (offset_of!(DeviceCapture, flags), capture.flags),
                (offset_of!(DeviceCapture, dtype), capture.dtype as u8),
                (offset_of!(DeviceCapture, rank), capture.rank),
            ];
            bytes.iter().for_each(|&(offset, byte)| image.put(at + offset, &[byte]));
        }
        image.put_string(at + offset_of!(DeviceLoop, kernel), name);
        image.put_pointer(at + offset_of!(DeviceLoop, codes), Target::Symbol(codes));
        image.put_pointer(at + offset_of!(DeviceLoop, captures), Target::Image(table));
        image.put_count(at + offset_of!(DeviceLoop, n_codes), self.codes.len());
        image.put_count(at + offset_of!(DeviceLoop, n_captures), captures.len());
        image.put_count(at + offset_of!(DeviceLoop, acc_words), words::total(func.results.iter().copied()));
        let is_ordered = func.region.as_ref().is_some_and(pydd_ir::Region::updates);
        let leaves = self.leaving.contains(&region);
        let flags = [
            (fails, LOOP_FAILS),
            (is_ordered, LOOP_ORDERED),
            (leaves, LOOP_LEAVES),
            (combines(func), LOOP_COMBINES),
        ];
        let flags = flags.iter().filter(|(holds, _)| *holds).map(|(_, flag)| flag).sum();
        image.put_u32(at + offset_of!(DeviceLoop, flags), flags);
        let lanes = self.lanes.get(&region).unwrap_or(&lanes::NONE);
        let lanes_at = at + offset_of!(DeviceLoop, lanes);
        image.put_u32(lanes_at + offset_of!(DeviceLanes, kind), lanes.kind);
        image.put_u32(lanes_at + offset_of!(DeviceLanes, word), lanes.word);
        image.put(lanes_at + offset_of!(DeviceLanes, count), &lanes.count.to_ne_bytes());
        image.finish();
        Some(image)
    }
}

/// Words of accumulators that a kernel combines; of more the processor does.
const MOST_COMBINED: usize = 4;

/// Whether a loop's kernel also combines what parts have given.
#[must_use]
pub fn combines(func: &Function) -> bool {
    func.has_kernel() && (1..=MOST_COMBINED).contains(&words::total(func.results.iter().copied()))
}

/// What stands in a region's environment, in its order. Where an iteration may fail, nothing is written for sure.
fn captures(func: &Function, fails: bool) -> Vec<DeviceCapture> {
    let region = func.region.as_ref().expect("a kernel is of a region");
    let params = func.params()[pydd_ir::Region::CAPTURES..].iter();
    let capture = |(capture, &param): (&pydd_ir::sharing::Capture, &pydd_ir::Value)| {
        let ty = func.ty(param);
        let residence = capture.residence;
        let flags = [
            (ty.is_array(), CAPTURE_ARRAY),
            (capture.sharing.writes(), CAPTURE_WRITTEN),
            (residence.written_later, CAPTURE_WRITTEN_LATER),
            (residence.content != Content::Data, CAPTURE_BLANK),
            (residence.content == Content::Zeros, CAPTURE_ZEROS),
            (residence.cover >= Cover::Each && !fails, CAPTURE_COVERED),
            (residence.cover == Cover::Fills && !fails, CAPTURE_FILLED),
        ];
        DeviceCapture {
            spans: std::ptr::null(),
            words: u32::try_from(words::of(ty)).expect("few words"),
            flags: flags.iter().filter(|(holds, _)| *holds).map(|(_, flag)| flag).sum(),
            dtype: words::dtype_code(ty.dtype().expect("devices are given numbers and arrays")),
            rank: ty.rank(),
            _pad: 0,
        }
    };
    region.captures.iter().zip(params).map(capture).collect()
}
