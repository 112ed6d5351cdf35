//! What a value is where two definitions of different types meet: a type that holds every value of both.
//!
//! Numbers of one family that compute alike become one type. Where what is computed next depends on which definition
//! it was, as with an `int` and an element of an array of uint8, the number keeps its type when the program runs
//! ([`Ty::Either`]).

use super::promote::{promote, promote_dtypes};
use super::ty::{Num, Ty};
use pydd_ir::{DType, SparseType};

/// Types that a number may have at one place; beyond that they become one type.
const MAX_ALTERNATIVES: usize = 4;

/// How numbers meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// They keep their types.
    Variable,
    /// They become one type that holds both: items of lists, keys and values of dicts.
    Item,
    /// As operands of an operation do: in the prelude, whose functions are written so.
    Operand,
}

/// What a variable is where two definitions of these types meet; `None`: they do not agree.
pub fn meet(a: &Ty, b: &Ty, how: Meeting) -> Option<Ty> {
    let numbers = |a: &[Num], b: &[Num]| {
        let met = number(meet_numbers(a, b)?);
        Some(if how == Meeting::Item { met.settled() } else { met })
    };
    match (a, b) {
        _ if a == b => Some(a.clone()),
        (Ty::Error, _) | (_, Ty::Error) => Some(Ty::Error),
        (Ty::Never, other) | (other, Ty::Never) => Some(other.clone()),
        (Ty::Scalar(a), Ty::Scalar(b)) if how == Meeting::Operand => Some(Ty::Scalar(promote(*a, *b))),
        (Ty::Scalar(a), Ty::Scalar(b)) => numbers(&[*a], &[*b]),
        (Ty::Scalar(a), Ty::Either(b)) => numbers(&[*a], b),
        (Ty::Either(a), Ty::Scalar(b)) => numbers(a, &[*b]),
        (Ty::Either(a), Ty::Either(b)) => numbers(a, b),
        (Ty::EmptyList(_), Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_)) => Some(b.clone()),
        (Ty::Lists(a), Ty::Lists(b)) => meet(a, b, how).map(|item| Ty::Lists(Box::new(item))),
        (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_), Ty::EmptyList(_)) => Some(a.clone()),
        (Ty::EmptyDict(_, container), Ty::Dict(dict)) | (Ty::Dict(dict), Ty::EmptyDict(_, container)) => {
            (*container == dict.container).then(|| Ty::Dict(dict.clone()))
        }
        (Ty::EmptyDict(_, own), Ty::EmptyDict(_, other)) => (own == other).then(|| b.clone()),
        (Ty::Sparse(a), Ty::Sparse(b)) => {
            let wide = SparseType { index: promote_dtypes(a.index, b.index), ..*a };
            (SparseType { index: a.index, ..*b } == *a).then_some(Ty::Sparse(wide))
        }
        (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() && a.is_list() == b.is_list() => {
            let items = a.iter().zip(b.iter()).map(|(a, b)| meet(a, b, how)).collect::<Option<Vec<_>>>();
            items.map(|items| Ty::Tuple(a.of_kind(items)))
        }
        _ => None,
    }
}

fn number(alternatives: Vec<Num>) -> Ty {
    match alternatives.as_slice() {
        [one] => Ty::Scalar(*one),
        _ => Ty::Either(alternatives),
    }
}

/// The types that a number may have that has one of these or one of those; `None`: no type holds all values.
fn meet_numbers(a: &[Num], b: &[Num]) -> Option<Vec<Num>> {
    let all = || a.iter().chain(b);
    let mut weak = None;
    for num in all().filter(|num| num.weak) {
        weak = Some(weak.map_or(Some(*num), |so_far| meet_weak(so_far, *num))?);
    }
    let mut strong: Vec<DType> = all().filter(|num| !num.weak).map(|num| num.dtype).collect();
    strong.sort_unstable();
    strong.dedup();
    if strong.is_empty() {
        return weak.map(|num| vec![num]);
    }
    // True is 1 wherever a bool meets other numbers.
    if strong.len() > 1 {
        strong.retain(|dtype| *dtype != DType::Bool);
    }
    if strong == [DType::Bool] {
        let Some(weak) = weak else { return Some(vec![Num::strong(DType::Bool)]) };
        return Some(vec![if weak == Num::BOOL { Num::strong(DType::Bool) } else { weak }]);
    }
    if let [low, .., high] = strong.as_slice()
        && strong.contains(&DType::U64)
        && (low.is_signed_int() || !high.is_int())
    {
        // Half of the numbers of uint64 are none of int64; floats are asked when the program runs.
        if strong.iter().any(|dtype| dtype.is_signed_int()) {
            return None;
        }
        strong = vec![widest(&strong)];
    }
    if strong.len() > 1 && strong.contains(&DType::I64) && strong.iter().any(|dtype| !dtype.is_int()) {
        strong = vec![widest(&strong)];
    }
    join_families(weak, strong)
}

fn widest(strong: &[DType]) -> DType {
    strong.iter().copied().reduce(promote_dtypes).unwrap_or(DType::F64)
}

/// Python's numbers: the one that holds both.
fn meet_weak(a: Num, b: Num) -> Option<Num> {
    let wide = |num: Num| num.dtype == DType::U64;
    if wide(a) != wide(b) && a.dtype.is_int() && b.dtype.is_int() {
        return None;
    }
    Some(promote(a, b))
}

/// Python's number beside NumPy's.
fn join_families(weak: Option<Num>, strong: Vec<DType>) -> Option<Vec<Num>> {
    let Some(weak) = weak else { return Some(limited(strong.into_iter().map(Num::strong).collect())) };
    let weak = if weak == Num::BOOL { Num::INT } else { weak };
    let is_unsigned = strong.iter().all(|dtype| dtype.is_unsigned_int());
    if weak.dtype == DType::U64 {
        return match strong.as_slice() {
            [DType::U64] => Some(vec![Num::strong(DType::U64)]),
            _ if is_unsigned => Some(limited(with(weak, &strong))),
            _ if strong.iter().all(|dtype| !dtype.is_int()) => join_families(Some(Num::FLOAT), strong),
            _ => None,
        };
    }
    // An int that is no uint64 raises OverflowError, when the program runs.
    if strong.contains(&DType::U64) {
        return match weak.dtype {
            DType::I64 => Some(limited(strong.into_iter().map(Num::strong).collect())),
            _ => Some(vec![promote(weak, Num::strong(DType::U64))]),
        };
    }
    let wide = widest(&strong);
    let joined = promote(weak, Num::strong(wide));
    let is_wide = |dtype: &DType| matches!(dtype, DType::I64 | DType::F64 | DType::C128);
    // Numbers of 64 bits compute alike in both families, and an int64 beside floats is one of them.
    if strong.iter().any(is_wide) && is_wide(&joined.dtype) {
        let mut all: Vec<Num> = strong.iter().copied().filter(|d| !is_wide(d)).map(Num::strong).collect();
        all.push(joined);
        let floats = !joined.dtype.is_int();
        return Some(if floats || all.len() == 1 { vec![joined] } else { limited(all) });
    }
    Some(limited(with(weak, &strong)))
}

fn with(weak: Num, strong: &[DType]) -> Vec<Num> {
    let mut all: Vec<Num> = strong.iter().copied().map(Num::strong).collect();
    all.push(weak);
    all
}

/// In order, and one type where they are too many to keep apart.
fn limited(mut all: Vec<Num>) -> Vec<Num> {
    all.sort_unstable();
    all.dedup();
    if all.len() <= MAX_ALTERNATIVES {
        return all;
    }
    vec![settled(&all)]
}

/// The type that holds the values of all of them.
pub fn wide(alternatives: &[Num]) -> DType {
    let any = |test: fn(DType) -> bool| alternatives.iter().any(|num| test(num.dtype));
    if any(DType::is_complex) {
        DType::C128
    } else if any(DType::is_float) {
        DType::F64
    } else if any(|dtype| dtype == DType::U64) {
        DType::U64
    } else {
        DType::I64
    }
}

/// The one type that they become: of Python's family where one of them is, else NumPy's common type.
pub fn settled(alternatives: &[Num]) -> Num {
    if alternatives.iter().any(|num| num.weak) {
        return Num::weak(wide(alternatives));
    }
    let strong: Vec<DType> = alternatives.iter().map(|num| num.dtype).collect();
    Num::strong(widest(&strong))
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    const INT: Num = Num::INT;
    const FLOAT: Num = Num::FLOAT;

    fn met(types: &[Num]) -> Option<Ty> {
        let mut all = types.iter().map(|num| Ty::Scalar(*num));
        let first = all.next()?;
        all.try_fold(first, |so_far, ty| meet(&so_far, &ty, Meeting::Variable))
    }

    #[test]
    fn numbers_that_compute_differently_stay_apart() {
        let n = Num::strong;
        for all in [
            vec![INT, n(U8)],
            vec![FLOAT, n(F32)],
            vec![INT, n(F32)],
            vec![FLOAT, n(I32)],
            vec![n(I8), n(I16)],
            vec![n(F32), n(F64)],
            vec![FLOAT, n(C64)],
        ] {
            let mut sorted = all.clone();
            sorted.sort_unstable();
            assert_eq!(met(&all), Some(Ty::Either(sorted.clone())), "{all:?}");
            let reversed: Vec<Num> = all.into_iter().rev().collect();
            assert_eq!(met(&reversed), Some(Ty::Either(sorted)), "{reversed:?}");
        }
    }

    #[test]
    fn numbers_that_compute_alike_become_one_type() {
        let n = Num::strong;
        for (all, one) in [
            (vec![INT, n(I64)], n(I64)),
            (vec![INT, FLOAT], FLOAT),
            (vec![INT, n(F64)], n(F64)),
            (vec![FLOAT, n(F64)], n(F64)),
            (vec![FLOAT, n(I64)], n(F64)),
            (vec![n(I64), n(F32)], n(F64)),
            (vec![n(Bool), n(U8)], n(U8)),
            (vec![INT, n(Bool)], INT),
            (vec![INT, n(U64)], n(U64)),
            (vec![n(U64), FLOAT], n(F64)),
            (vec![Num::COMPLEX, n(F64)], n(C128)),
        ] {
            assert_eq!(met(&all), Some(Ty::Scalar(one)), "{all:?}");
        }
        assert_eq!(met(&[n(U64), n(I8)]), None);
    }

    #[test]
    fn order_makes_no_difference() {
        let families = [Num::BOOL, INT, FLOAT, Num::COMPLEX];
        let every: Vec<Num> = families.into_iter().chain(DType::ALL.map(Num::strong)).collect();
        for &a in &every {
            for &b in &every {
                assert_eq!(met(&[a, b]), met(&[b, a]), "{a:?} {b:?}");
                // What is met again changes nothing, but where a third type had to hold both.
                let both = met(&[a, b]);
                if !matches!(both, Some(Ty::Scalar(third)) if third != a && third != b) {
                    assert_eq!(met(&[a, b, a]), both, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn items_have_one_type() {
        let item = |a: Num, b: Num| meet(&Ty::Scalar(a), &Ty::Scalar(b), Meeting::Item);
        assert_eq!(item(INT, Num::strong(U8)), Some(Ty::INT));
        assert_eq!(item(FLOAT, Num::strong(F32)), Some(Ty::FLOAT));
        assert_eq!(item(Num::strong(I8), Num::strong(U8)), Some(Ty::strong(I16)));
    }
}
