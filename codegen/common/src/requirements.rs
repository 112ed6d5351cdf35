//! Which features of a processor machine code uses. A module asks for these when it is imported, and not for all that its level has.
//!
//! An instruction that is not known counts as one that needs all that the code may use: what is missed here is a crash there.

use crate::CodegenError;
use iced_x86::{Code, CpuidFeature, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

/// Features that the runtime can test, as `is_x86_feature_detected!` spells them.
const TESTABLE: &[(CpuidFeature, &str)] = &[
    (CpuidFeature::SSE3, "sse3"),
    (CpuidFeature::SSSE3, "ssse3"),
    (CpuidFeature::SSE4_1, "sse4.1"),
    (CpuidFeature::SSE4_2, "sse4.2"),
    (CpuidFeature::SSE4A, "sse4a"),
    (CpuidFeature::POPCNT, "popcnt"),
    (CpuidFeature::CMPXCHG16B, "cmpxchg16b"),
    (CpuidFeature::AVX, "avx"),
    (CpuidFeature::AVX2, "avx2"),
    (CpuidFeature::BMI1, "bmi1"),
    (CpuidFeature::BMI2, "bmi2"),
    (CpuidFeature::F16C, "f16c"),
    (CpuidFeature::FMA, "fma"),
    (CpuidFeature::LZCNT, "lzcnt"),
    (CpuidFeature::MOVBE, "movbe"),
    (CpuidFeature::ADX, "adx"),
    (CpuidFeature::GFNI, "gfni"),
    (CpuidFeature::VAES, "vaes"),
    (CpuidFeature::VPCLMULQDQ, "vpclmulqdq"),
    (CpuidFeature::AVX512F, "avx512f"),
    (CpuidFeature::AVX512BW, "avx512bw"),
    (CpuidFeature::AVX512CD, "avx512cd"),
    (CpuidFeature::AVX512DQ, "avx512dq"),
    (CpuidFeature::AVX512VL, "avx512vl"),
    (CpuidFeature::AVX512_IFMA, "avx512ifma"),
    (CpuidFeature::AVX512_VBMI, "avx512vbmi"),
    (CpuidFeature::AVX512_VBMI2, "avx512vbmi2"),
    (CpuidFeature::AVX512_VNNI, "avx512vnni"),
    (CpuidFeature::AVX512_BITALG, "avx512bitalg"),
    (CpuidFeature::AVX512_VPOPCNTDQ, "avx512vpopcntdq"),
    (CpuidFeature::AVX512_BF16, "avx512bf16"),
    (CpuidFeature::AVX512_FP16, "avx512fp16"),
    (CpuidFeature::AVX_VNNI, "avxvnni"),
    (CpuidFeature::AVX_IFMA, "avxifma"),
];

/// Of every processor with 64 bits, or without effect on those that do not know them.
const EVERYWHERE: &[CpuidFeature] = &[
    CpuidFeature::INTEL8086,
    CpuidFeature::INTEL186,
    CpuidFeature::INTEL286,
    CpuidFeature::INTEL386,
    CpuidFeature::INTEL486,
    CpuidFeature::X64,
    CpuidFeature::FPU,
    CpuidFeature::FPU287,
    CpuidFeature::FPU387,
    CpuidFeature::CMOV,
    CpuidFeature::CX8,
    CpuidFeature::MMX,
    CpuidFeature::SSE,
    CpuidFeature::SSE2,
    CpuidFeature::PAUSE,
    CpuidFeature::MULTIBYTENOP,
    CpuidFeature::CET_IBT,
];

/// What some code uses.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Used {
    /// A bit for each of `TESTABLE`.
    testable: u64,
    /// `tzcnt` is `bsf` to processors without BMI1, and compilers that know that they give the same say it for these, too.
    counts_trailing_zeros: bool,
    /// There is an instruction of which nothing is known.
    has_unknown: bool,
}

impl Used {
    /// What the code of an object uses in which there is no data between instructions.
    ///
    /// # Errors
    /// No object.
    pub fn by_object(object: &[u8]) -> Result<Self, CodegenError> {
        let file = object::File::parse(object).map_err(internal)?;
        let mut used = Self::default();
        for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
            used.add_all(section.data().map_err(internal)?);
        }
        Ok(used)
    }

    fn add_all(&mut self, code: &[u8]) {
        let mut seen = Seen::default();
        for instruction in &mut Decoder::new(64, code, DecoderOptions::NONE) {
            self.add(&instruction, &mut seen);
        }
    }

    /// What a function uses behind whose code there may be data: only what is reached from its beginning counts.
    #[must_use]
    pub fn by_function(bytes: &[u8]) -> Self {
        let mut used = Self::default();
        let mut seen = Seen::default();
        let mut is_visited = vec![false; bytes.len()];
        let mut waiting = vec![0];
        while let Some(start) = waiting.pop() {
            let Some(code) = bytes.get(start..) else {
                used.has_unknown = true;
                continue;
            };
            let mut decoder = Decoder::with_ip(64, code, start as u64, DecoderOptions::NONE);
            while decoder.can_decode() && !std::mem::replace(&mut is_visited[position(decoder.ip())], true) {
                let instruction = decoder.decode();
                used.add(&instruction, &mut seen);
                match instruction.flow_control() {
                    FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => {}
                    FlowControl::ConditionalBranch => {
                        waiting.push(position(instruction.near_branch_target()))
                    }
                    FlowControl::UnconditionalBranch => {
                        waiting.push(position(instruction.near_branch_target()));
                        break;
                    }
                    FlowControl::Return | FlowControl::Interrupt | FlowControl::Exception => break,
                    // Where it goes is not known.
                    FlowControl::IndirectBranch | FlowControl::XbeginXabortXend => {
                        used.has_unknown = true;
                        break;
                    }
                }
            }
        }
        used
    }

    fn add(&mut self, instruction: &Instruction, seen: &mut Seen) {
        if !seen.is_new(instruction.code()) {
            return;
        }
        if instruction.mnemonic() == Mnemonic::Tzcnt {
            self.counts_trailing_zeros = true;
            return;
        }
        self.has_unknown |= instruction.is_invalid();
        for feature in instruction.cpuid_features() {
            match TESTABLE.iter().position(|(testable, _)| testable == feature) {
                Some(bit) => self.testable |= 1 << bit,
                None => self.has_unknown |= !EVERYWHERE.contains(feature),
            }
        }
    }

    /// What several pieces of code use together.
    #[must_use]
    pub fn by_all(pieces: &[Self]) -> Self {
        pieces.iter().fold(Self::default(), |all, each| Self {
            testable: all.testable | each.testable,
            counts_trailing_zeros: all.counts_trailing_zeros || each.counts_trailing_zeros,
            has_unknown: all.has_unknown || each.has_unknown,
        })
    }

    /// The features that a processor needs for code that may use `allowed`.
    #[must_use]
    pub fn of(&self, allowed: &[&'static str]) -> Vec<&'static str> {
        let names = || TESTABLE.iter().map(|(_, name)| *name).enumerate();
        let has = |bit: usize, name| {
            self.testable & (1 << bit) != 0
                || (self.counts_trailing_zeros && name == "bmi1" && allowed.contains(&name))
        };
        let used = names().filter(|&(bit, name)| has(bit, name)).map(|(_, name)| name);
        if self.has_unknown {
            let others = used.filter(|name| !allowed.contains(name));
            return allowed.iter().copied().chain(others).collect();
        }
        used.collect()
    }
}

/// Kinds of instructions that were met before.
struct Seen(Vec<bool>);

impl Default for Seen {
    fn default() -> Self {
        Self(vec![false; Code::values().len()])
    }
}

impl Seen {
    fn is_new(&mut self, code: Code) -> bool {
        !std::mem::replace(&mut self.0[code as usize], true)
    }
}

/// Puts the list in the place of a symbol into an object whose description of the base variant was made with room for all that is allowed.
///
/// # Errors
/// It has no such room.
pub fn write(object: &mut [u8], symbol: &str, features: &[&str]) -> Result<(), CodegenError> {
    let (at, room) = place(object, symbol)?;
    let text = crate::image::c_string(&features.join(","));
    let place = object.get_mut(at..at + room).ok_or_else(|| internal("a symbol outside of the object"))?;
    place.fill(0);
    place
        .get_mut(..text.len())
        .ok_or_else(|| internal("more features than are allowed"))?
        .copy_from_slice(&text);
    Ok(())
}

/// Where the data of a symbol lie in an object, and how many bytes these are.
fn place(object: &[u8], symbol: &str) -> Result<(usize, usize), CodegenError> {
    let file = object::File::parse(object).map_err(internal)?;
    let found = file.symbols().find(|each| each.name_bytes() == Ok(symbol.as_bytes()));
    let found = found.ok_or_else(|| internal(format!("no symbol {symbol}")))?;
    let index = found.section_index().ok_or_else(|| internal(format!("{symbol} is not defined")))?;
    let section = file.section_by_index(index).map_err(internal)?;
    let (start, _) = section.file_range().ok_or_else(|| internal(format!("{symbol} has no bytes")))?;
    Ok((position(start + found.address() - section.address()), position(found.size())))
}

fn position(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

fn internal(error: impl std::fmt::Display) -> CodegenError {
    CodegenError::Internal(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const V3: &[&str] = &["sse3", "avx", "avx2", "bmi1", "bmi2", "fma"];

    fn linear(code: &[u8]) -> Used {
        let mut used = Used::default();
        used.add_all(code);
        used
    }

    #[test]
    fn features_of_instructions() {
        let cases: &[(&[u8], &[&str])] = &[
            (&[0xf2, 0x0f, 0x58, 0xc1], &[]),                      // addsd xmm0, xmm1
            (&[0xf3, 0x0f, 0x1e, 0xfa], &[]),                      // endbr64
            (&[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00], &[]),          // nop word [rax+rax]
            (&[0xc5, 0xfb, 0x58, 0xc1], &["avx"]),                 // vaddsd xmm0, xmm0, xmm1
            (&[0xc5, 0xfd, 0xfe, 0xc1], &["avx2"]),                // vpaddd ymm0, ymm0, ymm1
            (&[0xc4, 0xe2, 0xf1, 0xb8, 0xc2], &["fma"]),           // vfmadd231pd xmm0, xmm1, xmm2
            (&[0xc4, 0xe2, 0xf3, 0xf6, 0xc2], &["bmi2"]),          // mulx rax, rcx, rdx
            (&[0xf3, 0x0f, 0xb8, 0xc1], &["popcnt"]),              // popcnt eax, ecx
            (&[0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1], &["avx512f"]), // vaddps zmm0, zmm0, zmm1
        ];
        for (code, wanted) in cases {
            assert_eq!(linear(code).of(&["popcnt", "avx512f"]), *wanted, "{code:x?}");
            assert_eq!(Used::by_function(code).of(&[]), *wanted, "{code:x?}");
        }
    }

    #[test]
    fn trailing_zeros_are_counted_by_all_processors_where_it_is_not_allowed() {
        let tzcnt = &[0xf3, 0x0f, 0xbc, 0xc1];
        assert_eq!(linear(tzcnt).of(&["sse3"]), [""; 0]);
        assert_eq!(linear(tzcnt).of(V3), ["bmi1"]);
    }

    #[test]
    fn what_is_not_known_needs_all() {
        let (invalid, rdrand) = (&[0x06_u8][..], &[0x0f, 0xc7, 0xf0][..]);
        for code in [invalid, rdrand] {
            assert_eq!(linear(code).of(V3), V3);
            assert_eq!(Used::by_function(code).of(V3), V3);
        }
        // An instruction that ends behind the code.
        assert_eq!(linear(&[0xc5, 0xfb]).of(V3), V3);
    }

    #[test]
    fn data_behind_a_function_are_no_code() {
        // test edi, edi; jne +5; ret; (data); addsd xmm0, xmm1; ret; (data)
        let function =
            [0x85, 0xff, 0x75, 0x05, 0xc3, 0x06, 0x06, 0x06, 0x06, 0xf2, 0x0f, 0x58, 0xc1, 0xc3, 0x06];
        assert_eq!(Used::by_function(&function).of(V3), [""; 0]);
        let mut other = function;
        other[9..13].copy_from_slice(&[0xc5, 0xfb, 0x58, 0xc1]);
        assert_eq!(Used::by_function(&other).of(V3), ["avx"]);
        // jmp rax: where the rest is reached from is not known.
        assert_eq!(Used::by_function(&[0xff, 0xe0, 0xc3]).of(V3), V3);
        // jmp behind the end.
        assert_eq!(Used::by_function(&[0xeb, 0x10]).of(V3), V3);
    }
}
