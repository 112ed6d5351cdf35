//! What a value is where two definitions of different types meet: a type that holds every value of both.
//!
//! Numbers of one family that compute alike become one type. Where what is computed next depends on which definition
//! it was, as with an `int` and an element of an array of uint8, the number keeps its type when the program runs
//! ([`Ty::Either`]).

use super::dict_type::DictType;
use super::promote::{promote, promote_dtypes};
use super::ty::{Num, Ty};
use pydd_ir::{DType, SparseType};

/// How numbers meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// They keep their types.
    Variable,
    /// They become one type that holds both: items of lists, keys and values of dicts.
    Item,
    /// As operands of an operation do: in the prelude, whose functions are written so.
    Operand,
    /// They keep their types, those of Python's as well: results that go to Python.
    Result,
}

/// What to write where values of two types that do not agree meet; `None` where nothing is plainly right.
pub fn advice(a: &Ty, b: &Ty) -> Option<String> {
    Some(match (a, b) {
        (Ty::Array { dtype: x, rank: r }, Ty::Array { dtype: y, rank: s }) if r == s => {
            format!("convert one: `.astype({})`", promote_dtypes(*x, *y).numpy_name())
        }
        (Ty::Array { rank: r, .. }, Ty::Array { rank: s, .. }) if r.abs_diff(*s) == 1 => {
            "give both as many axes: `x[None]` has one more than `x`, `x[0]` one less".to_owned()
        }
        (Ty::Array { .. }, Ty::Scalar(_) | Ty::Either(_))
        | (Ty::Scalar(_) | Ty::Either(_), Ty::Array { .. }) => {
            "use two variables, or make an array of the number: `np.full(a.shape, x)`".to_owned()
        }
        (Ty::None, other) | (other, Ty::None) => {
            format!("begin with a value of {other}, and say in a variable of its own whether there is one")
        }
        (Ty::Str, _) | (_, Ty::Str) => "use two variables: texts are for messages".to_owned(),
        (Ty::Scalar(x), Ty::Scalar(y)) => {
            // One has a sign, and the other 64 bits without.
            let signed = if x.dtype == DType::U64 { y } else { x };
            format!("convert one: `{}(…)`, or both to `float64`", signed.name())
        }
        (Ty::Tuple(x), Ty::Tuple(y)) if x.len() != y.len() => "make both tuples as long".to_owned(),
        (Ty::List(_), Ty::List(_)) => {
            "make one anew with items of the other's type, as in `[float(x) for x in xs]`".to_owned()
        }
        _ => return None,
    })
}

/// What a variable is where two definitions of these types meet; `None`: they do not agree.
pub fn meet(a: &Ty, b: &Ty, how: Meeting) -> Option<Ty> {
    let numbers = |a: &[Num], b: &[Num]| {
        let met = number(if how == Meeting::Result { apart(a, b)? } else { meet_numbers(a, b)? });
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
        (Ty::Maybe(a), Ty::Maybe(b)) => meet(a, b, how).map(|value| Ty::Maybe(Box::new(value))),
        (Ty::Maybe(value), Ty::None) | (Ty::None, Ty::Maybe(value)) => Some(Ty::Maybe(value.clone())),
        (Ty::Maybe(value), other) => meet(value, other, how).map(|value| Ty::Maybe(Box::new(value))),
        (other, Ty::Maybe(value)) => meet(other, value, how).map(|value| Ty::Maybe(Box::new(value))),
        (Ty::None, value) | (value, Ty::None) if how == Meeting::Result && value.export().is_some() => {
            Some(Ty::Maybe(Box::new(value.clone())))
        }
        (Ty::None, value) | (value, Ty::None) if how == Meeting::Variable && value.may_be_absent() => {
            Some(Ty::Maybe(Box::new(value.clone())))
        }
        (Ty::List(x), Ty::List(y)) if x != y => {
            let met = held(&Ty::Scalar(*x), &Ty::Scalar(*y), how)?;
            met.scalar().filter(|met| met.dtype == x.dtype).map(Ty::List)
        }
        (Ty::EmptyList(_), Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_)) => Some(b.clone()),
        (Ty::Lists(a), Ty::Lists(b)) => held(a, b, how).map(|item| Ty::Lists(Box::new(item))),
        (Ty::Tuples(a), Ty::Tuples(b)) => all_held(a, b, how).map(Ty::Tuples),
        (Ty::Dict(a), Ty::Dict(b)) if a.container == b.container => {
            let (key, value) = (held(&a.key, &b.key, how)?, held(&a.value, &b.value, how)?);
            Some(Ty::Dict(Box::new(DictType { key, value, container: a.container })))
        }
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

/// Of what lists and dicts hold, which stays what it is in memory: a list may be empty so far, and numbers of one family are those of
/// the other where items of one list meet.
fn held(a: &Ty, b: &Ty, how: Meeting) -> Option<Ty> {
    match (a, b) {
        (Ty::Scalar(x), Ty::Scalar(y)) if how == Meeting::Item && x.dtype == y.dtype => meet(a, b, how),
        (Ty::Tuple(items), Ty::Tuple(others)) if items.is_list() == others.is_list() => {
            all_held(items, others, how).map(|all| Ty::Tuple(items.of_kind(all)))
        }
        _ if a.depth() > 0 && b.depth() > 0 => meet(a, b, how),
        _ => (a == b).then(|| a.clone()),
    }
}

fn all_held(a: &[Ty], b: &[Ty], how: Meeting) -> Option<Vec<Ty>> {
    let both = a.iter().zip(b);
    (a.len() == b.len()).then(|| both.map(|(a, b)| held(a, b, how)).collect()).flatten()
}

fn number(alternatives: Vec<Num>) -> Ty {
    match alternatives.as_slice() {
        [one] => Ty::Scalar(*one),
        _ => Ty::Either(alternatives),
    }
}

/// The types that a number may have that has one of these or one of those; `None`: no type holds all values.
fn meet_numbers(a: &[Num], b: &[Num]) -> Option<Vec<Num>> {
    joined(a.iter().chain(b).copied().collect())
}

/// The join of all these types. It depends on the set alone, so that the order of assignments makes no difference: what
/// was joined before takes part as what it became, and what a type becomes beside some others it becomes beside more.
fn joined(mut all: Vec<Num>) -> Option<Vec<Num>> {
    let is_bool = |num: &Num| num.dtype == DType::Bool;
    if all.iter().all(is_bool) {
        return Some(vec![all.into_iter().min()?]);
    }
    // True is 1 wherever a bool meets other numbers.
    all.iter_mut().filter(|num| is_bool(num)).for_each(|num| *num = Num::INT);
    if all.iter().any(|num| !num.dtype.is_int()) {
        // Integers that not every float is near to are asked when the program runs.
        for num in all.iter_mut().filter(|num| matches!(num.dtype, DType::I64 | DType::U64)) {
            match (num.weak, num.dtype) {
                (false, _) => *num = Num::strong(DType::F64),
                (true, DType::U64) => *num = Num::FLOAT,
                (true, _) => {}
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    without_alike(all)
}

/// Without Python's numbers that compute as NumPy's of 64 bits do, of which at most one of Python's stays.
fn without_alike(all: Vec<Num>) -> Option<Vec<Num>> {
    let mut strong: Vec<DType> = all.iter().filter(|num| !num.weak).map(|num| num.dtype).collect();
    let mut weak: Option<Num> = None;
    for num in all.iter().filter(|num| num.weak) {
        weak = Some(weak.map_or(Some(*num), |so_far| meet_weak(so_far, *num))?);
    }
    let has = |dtype| strong.contains(&dtype);
    // Half of the numbers of uint64 are none of int64. An int that is none raises OverflowError.
    let is_wide = has(DType::U64) || weak.is_some_and(|weak| weak.dtype == DType::U64);
    if is_wide && strong.iter().any(|dtype| dtype.is_signed_int()) {
        return None;
    }
    let alike = match weak.map(|weak| weak.dtype) {
        Some(DType::I64) => has(DType::I64) || has(DType::U64) || has(DType::F64) || has(DType::C128),
        Some(DType::F64) => has(DType::F64) || has(DType::C128),
        Some(DType::C128) if has(DType::F64) && !has(DType::C128) => {
            strong.push(DType::C128);
            true
        }
        Some(dtype) => has(dtype),
        None => true,
    };
    let mut kept: Vec<Num> = strong.into_iter().map(Num::strong).collect();
    kept.extend(weak.filter(|_| !alike));
    kept.sort_unstable();
    Some(kept)
}

/// Python's numbers: the one that holds both.
fn meet_weak(a: Num, b: Num) -> Option<Num> {
    let wide = |num: Num| num.dtype == DType::U64;
    if wide(a) != wide(b) && a.dtype.is_int() && b.dtype.is_int() {
        return None;
    }
    Some(promote(a, b))
}

/// The types of results that Python sees: each stays what it is, unless no type holds the values of all.
fn apart(a: &[Num], b: &[Num]) -> Option<Vec<Num>> {
    let mut all: Vec<Num> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    joined(all.clone())?;
    let is_seen_as = |num: &Num, other: &Num| num.dtype == other.dtype && !other.weak;
    let own = all.clone();
    all.retain(|num| !num.weak || !own.iter().any(|other| is_seen_as(num, other)) || num.dtype == DType::U64);
    Some(all)
}

/// As a value of the program has it: a number that Python sees as an int or a float is a float.
pub fn canonical(ty: &Ty) -> Ty {
    match ty {
        Ty::Either(all) => joined(all.clone()).map_or(Ty::Error, number),
        Ty::Tuple(items) => Ty::Tuple(items.of_kind(items.iter().map(canonical).collect())),
        Ty::Maybe(value) => Ty::Maybe(Box::new(canonical(value))),
        _ => ty.clone(),
    }
}

fn widest(strong: &[DType]) -> DType {
    strong.iter().copied().reduce(promote_dtypes).unwrap_or(DType::F64)
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
            vec![n(F64), n(C128)],
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
            (vec![INT, n(Bool)], INT),
            (vec![INT, n(C128)], n(C128)),
            (vec![INT, n(U64)], n(U64)),
            (vec![n(U64), FLOAT], n(F64)),
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
                if met(&[a, b]).is_some() {
                    assert_eq!(met(&[a, b, a]), met(&[a, b]), "{a:?} {b:?}");
                }
                for &c in &every {
                    let all = [met(&[a, b, c]), met(&[b, c, a]), met(&[c, a, b])];
                    // Floats hold what integers with a sign and uint64 have no type for, if they come between.
                    let known: Vec<&Ty> = all.iter().flatten().collect();
                    assert!(known.windows(2).all(|pair| pair[0] == pair[1]), "{a:?} {b:?} {c:?}: {all:?}");
                }
            }
        }
    }

    #[test]
    fn integers_beside_narrow_floats_are_float64() {
        let n = Num::strong;
        let both = Some(Ty::Either(vec![n(F32), n(F64)]));
        assert_eq!(met(&[n(I64), n(F32)]), both);
        assert_eq!(met(&[n(F32), n(F32), n(I64)]), both);
        assert_eq!(met(&[n(F32), n(I64), n(F32)]), both);
        assert_eq!(met(&[n(Bool), n(U8)]), Some(Ty::Either(vec![INT, n(U8)])));
    }

    #[test]
    fn results_keep_their_types() {
        let result = |a: Num, b: Num| meet(&Ty::Scalar(a), &Ty::Scalar(b), Meeting::Result);
        assert_eq!(result(INT, FLOAT), Some(Ty::Either(vec![INT, FLOAT])));
        assert_eq!(canonical(&Ty::Either(vec![INT, FLOAT])), Ty::FLOAT);
        assert_eq!(result(Num::BOOL, INT), Some(Ty::Either(vec![Num::BOOL, INT])));
        assert_eq!(result(FLOAT, Num::strong(F64)), Some(Ty::strong(F64)));
    }

    #[test]
    fn items_have_one_type() {
        let item = |a: Num, b: Num| meet(&Ty::Scalar(a), &Ty::Scalar(b), Meeting::Item);
        assert_eq!(item(INT, Num::strong(U8)), Some(Ty::INT));
        assert_eq!(item(FLOAT, Num::strong(F32)), Some(Ty::FLOAT));
        assert_eq!(item(Num::strong(I8), Num::strong(U8)), Some(Ty::strong(I16)));
    }
}
