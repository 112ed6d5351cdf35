//! Whether two accesses touch the same elements in different iterations.
//!
//! Along one axis, iteration `i` touches at most `c*i + low ..= c*i + high`. If that moves by more than its own
//! width from one iteration to the next, different iterations touch different elements; one such axis is
//! enough for a pair of accesses, which is the strong-SIV test with symbolic terms (Goff, Kennedy and Tseng,
//! "Practical dependence testing", 1991).
//!
//! What this test leaves open is asked of systems of integers ([`super::overlap`]) and of the first iterations
//! ([`super::examples`]).
//!
//! Wrapped integers do no harm: with a constant movement of at most [`MAX_MOVE`], two iterations whose
//! indices wrap to the same number have more than 2^43 iterations between them, and a length cannot reach there. With a symbolic one
//! (`i * n + j`) iterations in order would raise IndexError before a product comes round, where they do all accesses as
//! written. Where they do not ([`Access::plain`]), only lengths of arrays are taken as factors: for theirs to come round the loop
//! would have to run for hours.

use super::access::{Access, Extent, Sign};
use super::index::{Indices, Side};
use crate::analysis::symbol::Poly;

/// Constant movements beyond this are not reasoned about.
const MAX_MOVE: i64 = 1 << 20;
/// How many different extents along one axis are looked at together.
const MAX_DIFFERENT: usize = 8;

/// What two accesses to one array have to do with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Different iterations touch different elements.
    Apart,
    /// All iterations certainly touch the same elements.
    Same,
    /// Iterations so far from each other certainly touch one element.
    Distance(i64),
    /// The iterations with these indices touch one element.
    Meet(Poly, Poly),
    Unknown,
}

impl Relation {
    /// Whether the accesses certainly get in each other's way.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        matches!(self, Self::Same | Self::Distance(_) | Self::Meet(..))
    }
}

/// Whether one axis tells different iterations of all these accesses to one root apart. Most accesses to an
/// array are alike on that axis, so this is much faster than to go over all pairs.
#[must_use]
pub fn all_apart(indices: &Indices<'_>, accesses: &[&Access]) -> bool {
    indices.assume_nothing();
    let rank = accesses.first().and_then(|a| a.extents.as_ref()).map_or(0, Vec::len);
    (0..rank).any(|axis| {
        let mut different: Vec<&Extent> = Vec::new();
        for access in accesses {
            let Some(extents) = &access.extents else { return false };
            if !different.contains(&&extents[axis]) {
                different.push(&extents[axis]);
            }
            if different.len() > MAX_DIFFERENT {
                return false;
            }
        }
        let plain = accesses.iter().all(|access| access.plain);
        let length = || indices.axis_length(accesses[0].root, axis);
        let pairs =
            different.iter().enumerate().flat_map(|(i, a)| different[i..].iter().map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| apart(indices, a, b, plain, &length))
    })
}

/// How two accesses to the same root relate, which the indices assume to be reached.
#[must_use]
pub fn relate(indices: &Indices<'_>, a: &Access, b: &Access) -> Relation {
    let (Some(first), Some(second)) = (&a.extents, &b.extents) else { return Relation::Unknown };
    if !indices.has_time() {
        return Relation::Unknown;
    }
    let axes = || first.iter().zip(second).enumerate();
    let plain = a.plain && b.plain;
    if axes().any(|(axis, (x, y))| apart(indices, x, y, plain, &|| indices.axis_length(a.root, axis))) {
        return Relation::Apart;
    }
    if a.certain && b.certain { collide(indices, first, second) } else { Relation::Unknown }
}

type LengthOf<'a> = &'a dyn Fn() -> Option<Poly>;

/// Whether the axis tells different iterations apart.
fn apart(indices: &Indices<'_>, a: &Extent, b: &Extent, plain: bool, length: LengthOf<'_>) -> bool {
    let mut ranges = ranges(a).flat_map(|x| ranges(b).map(move |y| (x, y)));
    let may_move = |poly: &Poly| plain || indices.is_plain(poly);
    let moves = ranges.any(|(x, y)| may_move(x.0) && moves_past(indices, x, y).unwrap_or(false));
    (moves || never_meet(indices, a, b) || never_meet(indices, b, a)) && same_side(indices, a, b, length)
}

fn ranges(extent: &Extent) -> impl Iterator<Item = (&Poly, &Poly)> {
    extent.low.iter().flat_map(|low| extent.high.iter().map(move |high| (low, high)))
}

/// Whether both ranges move together, by more than they reach.
fn moves_past(indices: &Indices<'_>, a: (&Poly, &Poly), b: (&Poly, &Poly)) -> Option<bool> {
    let index = indices.index();
    let (factor, a_low) = a.0.split(index)?;
    let (f1, a_high) = a.1.split(index)?;
    let (f2, b_low) = b.0.split(index)?;
    let (f3, b_high) = b.1.split(index)?;
    if factor.is_zero() || [f1, f2, f3].iter().any(|other| *other != factor) {
        return Some(false);
    }
    let step = factor.mul(&indices.step()?)?;
    if step.as_constant().is_some_and(|step| step.abs() > i128::from(MAX_MOVE)) {
        return Some(false);
    }
    // Both together say that the movement is positive where both touch anything.
    let reaches = [a_high.sub(&b_low)?.shift(1)?, b_high.sub(&a_low)?.shift(1)?];
    let beyond = |step: &Poly| {
        reaches.iter().all(|reach| step.sub(reach).is_some_and(|rest| indices.is_never_negative(&rest)))
    };
    Some(beyond(&step) || beyond(&step.neg()))
}

/// Whether all that `a` touches in any iteration lies before all that `b` touches in any.
fn never_meet(indices: &Indices<'_>, a: &Extent, b: &Extent) -> bool {
    differences(indices, &b.low, &a.high)
        .iter()
        .any(|gap| gap.shift(-1).is_some_and(|gap| indices.is_never_negative(&gap)))
}

/// Bounds below of `low - high` over all pairs of iterations.
fn differences(indices: &Indices<'_>, low: &[Poly], high: &[Poly]) -> Vec<Poly> {
    let bounds = |polys: &[Poly], side| -> Vec<Poly> {
        polys.iter().flat_map(|poly| indices.bounds_in_loop(poly, side)).collect()
    };
    let (low, high) = (bounds(low, Side::Below), bounds(high, Side::Above));
    low.iter().flat_map(|low| high.iter().filter_map(|high| low.sub(high))).collect()
}

/// Whether equal elements mean equal indices as written: both counted from the same end, or never so far
/// apart that one counted from the end is another one counted from the start.
fn same_side(indices: &Indices<'_>, a: &Extent, b: &Extent, length: LengthOf<'_>) -> bool {
    if a.sign == b.sign && a.sign != Sign::Either {
        return true;
    }
    let Some(length) = length() else { return false };
    let within = |x: &Extent, y: &Extent| {
        differences(indices, &x.low, &y.high).iter().any(|difference| {
            let room = length.add(difference).and_then(|room| room.shift(-1));
            room.is_some_and(|room| indices.is_never_negative(&room))
        })
    };
    within(a, b) && within(b, a)
}

/// Whether elements certainly coincide, and at which distance of iterations.
fn collide(indices: &Indices<'_>, a: &[Extent], b: &[Extent]) -> Relation {
    let mut distance = None;
    for (a, b) in a.iter().zip(b) {
        match collide_on_axis(indices, a, b) {
            Some(Relation::Same) => {}
            Some(Relation::Distance(d)) if distance.is_none_or(|other| other == d) => distance = Some(d),
            _ => return Relation::Unknown,
        }
    }
    match distance {
        None => Relation::Same,
        Some(distance) if distance != 0 && runs_so_far(indices, distance) => Relation::Distance(distance),
        Some(_) => Relation::Unknown,
    }
}

fn collide_on_axis(indices: &Indices<'_>, a: &Extent, b: &Extent) -> Option<Relation> {
    if a.covers || b.covers {
        return Some(Relation::Same);
    }
    let ((a_low, a_high), (b_low, b_high)) = (a.exact.as_ref()?, b.exact.as_ref()?);
    let index = indices.index();
    let still = |poly: &Poly| !poly.mentions(index);
    // What inner loops go over must not change with the iteration either.
    let all_still = [&a.low, &a.high, &b.low, &b.high]
        .iter()
        .all(|bounds| !bounds.is_empty() && bounds.iter().all(still));
    if all_still && a_low == b_low && a_high == b_high {
        return Some(Relation::Same);
    }
    let (factor, _) = a_low.split(index)?;
    let shift = a_low.sub(b_low)?.as_i64()?;
    let step = factor.mul(&indices.step()?)?.as_i64().filter(|&step| step != 0)?;
    let points = a_low == a_high && b_low == b_high;
    (points && shift % step == 0).then(|| Relation::Distance(shift / step))
}

/// Whether the loop is not known to end before such a distance.
fn runs_so_far(indices: &Indices<'_>, distance: i64) -> bool {
    indices.iterations().is_none_or(|count| distance.abs() < count)
}
