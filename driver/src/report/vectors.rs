//! What LLVM's vectorisers say, in the words of the language, and of loops of the source.
//!
//! LLVM speaks of loops of its own: of one loop of the source there are copies (with checks and without, for equal lengths, for short axes,
//! what is left over), of which the best one counts. Reasons stand at instructions, so each belongs to the loop around its place.

use std::collections::{BTreeMap, BTreeSet};

use pydd_codegen::Remark;
use pydd_ir::{Block, Function, Loc, Module, OpKind, Version};
use pydd_passes::Finding;
use pydd_passes::report::{IN_LANES, usual_regions};

/// Line and column.
type Place = (u32, u32);

/// A finding for each innermost loop of the source that LLVM says something about, and for statements that became vectors.
#[must_use]
pub fn findings(module: &Module, remarks: &[Remark], known: &[Finding]) -> Vec<Finding> {
    let loops = Loops::of(module);
    // Made of vectors by us; to LLVM they are loops like others.
    let in_lanes = |finding: &Finding| {
        let places = |other: &Finding| {
            other.code == IN_LANES && other.labels.iter().any(|(loc, _)| loc.line == finding.loc.line)
        };
        finding.code == "loop-not-vectorized" && known.iter().any(places)
    };
    let mut heard: BTreeMap<Place, Heard> = BTreeMap::new();
    let mut statements: BTreeSet<Place> = BTreeSet::new();
    for remark in &in_text(module, remarks) {
        let place = (remark.line, remark.column);
        if is_of_statements(&remark.text) {
            statements.extend(loops.stores.get(&place));
        } else if let Some(&looped) = loops.around.get(&place) {
            heard.entry(looped).or_default().take(remark);
        }
    }
    let mut found: Vec<Finding> =
        heard.into_iter().filter_map(|(place, heard)| heard.finding(place, &loops)).collect();
    found.retain(|finding| !in_lanes(finding));
    found.extend(statements.into_iter().map(|place| {
        let loc = loc(place);
        let message = "operations of neighbouring statements are done as one, with vectors";
        Finding::new("statements-vectorized", loc, message).label(loc, "stored at once")
    }));
    found
}

/// LLVM speaks of lines of files: the same remarks with lines of the text. Where parts of several files share a place, nobody knows whose it is.
fn in_text(module: &Module, remarks: &[Remark]) -> Vec<Remark> {
    if module.parts.is_empty() {
        return remarks.to_vec();
    }
    let mut texts: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    for loc in module.funcs.values().flat_map(|func| func.ops.values()).map(|data| data.loc) {
        let place = module.place(loc);
        texts.entry((place.line, place.column)).or_default().insert((loc.line, loc.column));
    }
    let moved = |remark: &Remark| {
        let mut places = texts.get(&(remark.line, remark.column))?.iter();
        let &(line, column) = places.next().filter(|_| places.len() == 0)?;
        Some(Remark { line, column, text: remark.text.clone() })
    };
    remarks.iter().filter_map(moved).collect()
}

fn loc((line, column): Place) -> Loc {
    Loc { line, column, scope: 0 }
}

/// The loops of the source, in versions for ordinary arguments.
#[derive(Default)]
struct Loops {
    /// The innermost loop around an operation's place; for a loop's own place the loop.
    around: BTreeMap<Place, Place>,
    /// How many loops there are around a place, at most.
    depths: BTreeMap<Place, usize>,
    /// Loops around other loops.
    outer: BTreeSet<Place>,
    /// Stores to elements.
    stores: BTreeSet<Place>,
}

impl Loops {
    fn of(module: &Module) -> Self {
        let mut loops = Self::default();
        for func in module.funcs.values().filter(|func| func.version != Version::General) {
            loops.block(func, func.entry, &[]);
        }
        loops
    }

    /// Of a block within these loops, the innermost last.
    fn block(&mut self, func: &Function, block: Block, looped: &[Place]) {
        for (at, &op) in func.blocks[block].ops.iter().enumerate() {
            let data = &func.ops[op];
            let place = Some((data.loc.line, data.loc.column)).filter(|&(line, _)| line != 0);
            let is_loop = matches!(data.kind, OpKind::For | OpKind::Loop);
            let mut inner = looped.to_vec();
            inner.extend(place.filter(|place| is_loop && !looped.contains(place)));
            if let (Some(place), Some(&innermost)) = (place, inner.last()) {
                let depth = self.depths.entry(place).or_default();
                if inner.len() > *depth {
                    *depth = inner.len();
                    self.around.insert(place, innermost);
                }
            }
            if is_loop || matches!(data.kind, OpKind::Launch(_)) {
                self.outer.extend(looped.iter().filter(|&&outer| Some(outer) != place));
            }
            self.stores.extend(place.filter(|_| data.kind == OpKind::StoreRaw));
            usual_regions(func, block, at).iter().for_each(|&region| self.block(func, region, &inner));
        }
    }
}

/// What was said of a loop and its copies.
#[derive(Default)]
struct Heard {
    /// The most elements at a time, and vectors at a time.
    vectors: Option<(u32, u32)>,
    /// Why not, the most telling last; and where.
    reason: Option<(u8, String, Place)>,
    /// The loop is in scalars, in a copy at least.
    missed: bool,
}

impl Heard {
    fn take(&mut self, remark: &Remark) {
        let text = remark.text.as_str();
        if let Some(vectors) = vectors(text) {
            self.vectors = self.vectors.max(Some(vectors));
        } else if let Some(reason) = text.strip_prefix("loop not vectorized: ") {
            self.missed = true;
            let (weight, words) = translate(reason);
            let better = self.reason.as_ref().is_none_or(|(known, ..)| weight > *known);
            if better {
                self.reason = Some((weight, words, (remark.line, remark.column)));
            }
        } else if text == "loop not vectorized" {
            self.missed = true;
        } else if text.starts_with("the cost-model indicates that vectorization is not beneficial") {
            self.missed = true;
            self.reason = Some((u8::MAX, UNPROFITABLE.to_owned(), (remark.line, remark.column)));
        }
    }

    fn finding(self, place: Place, loops: &Loops) -> Option<Finding> {
        let here = loc(place);
        if let Some((width, interleaved)) = self.vectors {
            let message = match width {
                1 => format!("{interleaved} iterations of this loop are done at a time, without vectors"),
                _ => format!("this loop is vectorised: {width} elements at a time"),
            };
            let mut finding = Finding::new("loop-vectorized", here, message);
            finding.badge = Some(match width {
                1 => format!("interleaved ×{interleaved}"),
                _ => format!("vectorised ×{width}"),
            });
            let label = match (width, interleaved) {
                (1, _) | (_, 1) => String::new(),
                (_, n) => format!("{n} vectors at a time"),
            };
            return Some(finding.label(here, label));
        }
        // Vectors are for innermost loops.
        if !self.missed || loops.outer.contains(&place) {
            return None;
        }
        let (_, reason, at) = self.reason.unwrap_or_else(|| (0, "LLVM does not say why".to_owned(), place));
        let finding = Finding::new("loop-not-vectorized", here, "this loop is not vectorised");
        Some(if at == place {
            finding.label(here, reason)
        } else {
            finding.label(here, "one element at a time").label(loc(at), reason)
        })
    }
}

fn is_of_statements(text: &str) -> bool {
    ["SLP vectorized", "Stores SLP vectorized", "Vectorized horizontal reduction"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// Of `vectorized loop (vectorization width: 4, interleaved count: 2)` both numbers; of `interleaved loop (…)` the second.
fn vectors(text: &str) -> Option<(u32, u32)> {
    let number = |key: &str| {
        let rest = text.split_once(key)?.1;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let interleaved = number("interleaved count: ").unwrap_or(1);
    if text.starts_with("vectorized loop") || text.starts_with("vectorized outer loop") {
        return Some((number("vectorization width: ")?, interleaved));
    }
    text.starts_with("interleaved loop").then_some((1, interleaved))
}

const UNPROFITABLE: &str =
    "vectors would take longer, as its elements do not lie side by side or there is little to do";

/// Reasons: how LLVM begins, how much the reason tells (copies with checks have others than the loop that mostly runs), and the user's words.
const REASONS: &[(&str, u8, &str)] = &[
    ("Cannot vectorize early exit loop", 1, "it is left early, by a check, `break` or `return`"),
    ("Early exit loop with store", 1, "it is left early, by a check, `break` or `return`"),
    (
        "Auto-vectorization of loops with potentially faulting load",
        1,
        "it is left early, by a check, `break` or `return`",
    ),
    ("Cannot vectorize uncountable loop", 2, "how often it runs is not known before it"),
    ("could not determine number of loop iterations", 2, "how often it runs is not known before it"),
    ("unable to calculate the loop count", 2, "how often it runs is not known before it"),
    ("loop induction variable could not be identified", 2, "how often it runs is not known before it"),
    ("loop control flow is not understood", 3, "it branches in a way that vectors cannot follow"),
    (
        "Control flow cannot be substituted for a select",
        3,
        "a branch in it does what must not be done for other elements, such as a check, a call or a store",
    ),
    ("instruction return type cannot be vectorized", 4, "it computes with what does not fit into vectors"),
    ("instruction cannot be vectorized", 4, "it does something here that vectors cannot do"),
    ("call instruction cannot be vectorized", 5, "it calls a function here that takes one number at a time"),
    (
        "value that could not be identified as reduction",
        6,
        "what it carries from iteration to iteration is no sum, product, minimum or maximum",
    ),
    (
        "cannot prove it is safe to reorder floating-point operations",
        7,
        "floats are added up in the order of the source; vectors add them in another one",
    ),
    ("cannot prove it is safe to reorder memory operations", 7, "what it writes may be what it reads"),
    (
        "cannot identify array bounds",
        7,
        "where it reads or writes is data, and may be what it writes or reads elsewhere",
    ),
    ("unsafe dependent memory operations", 7, "an iteration uses what an earlier one writes, or may"),
    ("write to a loop invariant address", 7, "each iteration writes the same element; a variable would do"),
];

fn translate(reason: &str) -> (u8, String) {
    let known = REASONS.iter().find(|(start, ..)| reason.starts_with(start));
    match known {
        Some((_, weight, words)) => (*weight, (*words).to_owned()),
        None => (0, format!("LLVM says: {reason}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = r#"module "m" file "m.pydd"
func @f loop fast (%0: i64, %1: array<f64, 1> in m0) -> () {
  for %0, %0, %0 !r m0 at 3:5 {
  (%2: i64):
    for %0, %0, %0 !r m0 at 4:9 {
    (%3: i64):
      %4: f64 = load_raw %1, %3 !r m0 at 5:13
      continue[0]
    }
    continue[0]
  }
  return
}
"#;

    fn said(remarks: &[(u32, u32, &str)]) -> Vec<String> {
        let module = pydd_ir::text::parse(MODULE).unwrap();
        let remark =
            |&(line, column, text): &(u32, u32, &str)| Remark { line, column, text: text.to_owned() };
        let remarks: Vec<Remark> = remarks.iter().map(remark).collect();
        let show = |finding: Finding| {
            let labels: Vec<String> = finding.labels.iter().map(|(_, text)| text.clone()).collect();
            format!("{} {}: {} ({})", finding.loc.line, finding.code, finding.message, labels.join("; "))
        };
        findings(&module, &remarks, &[]).into_iter().map(show).collect()
    }

    #[test]
    fn the_best_copy_of_a_loop_counts() {
        let best = said(&[
            (4, 9, "vectorized loop (vectorization width: 4, interleaved count: 1)"),
            (4, 9, "vectorized loop (vectorization width: 8, interleaved count: 2)"),
            (5, 13, "loop not vectorized: Cannot vectorize early exit loop"),
        ]);
        assert_eq!(
            best,
            ["4 loop-vectorized: this loop is vectorised: 8 elements at a time (2 vectors at a time)"]
        );
    }

    #[test]
    fn the_most_telling_reason_is_given_at_its_place() {
        let reasons = said(&[
            (4, 9, "loop not vectorized"),
            (5, 13, "loop not vectorized: call instruction cannot be vectorized"),
            (4, 9, "loop not vectorized: Cannot vectorize early exit loop with more than one early exit"),
        ]);
        let expected = "4 loop-not-vectorized: this loop is not vectorised \
            (one element at a time; it calls a function here that takes one number at a time)";
        assert_eq!(reasons, [expected]);
    }

    #[test]
    fn outer_loops_are_not_blamed() {
        assert!(said(&[(3, 5, "loop not vectorized: instruction cannot be vectorized")]).is_empty());
    }

    #[test]
    fn what_is_not_known_is_quoted() {
        let quoted = said(&[(4, 9, "loop not vectorized: something new")]);
        assert_eq!(quoted, ["4 loop-not-vectorized: this loop is not vectorised (LLVM says: something new)"]);
    }
}
