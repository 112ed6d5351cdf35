//! Random expressions of a wanted type.
//!
//! Each carries a bound on its numbers, so that sums and products stay exact in any order; what would grow
//! beyond is brought back by `np.floor(…) % 16`.

use super::random::Random;
use super::tree::{Bits, Elem, Expr, Ty, Ufunc};

/// What ufuncs give for small operands.
pub const RESULT_OF_UFUNC: Bits = Bits { whole: 10, fraction: 4 };

/// A variable that expressions may use.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub bits: Bits,
}

pub struct Scope<'a> {
    pub random: &'a mut Random,
    /// Functions that may be called.
    pub ufuncs: &'a [Ufunc],
    pub vars: &'a [Var],
    /// Loop variables that are valid indices of the dimension beside them.
    pub indices: &'a [(String, u32)],
}

const FLOATS: [&str; 6] = ["0.5", "1.5", "2.0", "-0.25", "3.0", "-1.0"];
const INTS: [&str; 6] = ["1", "2", "3", "-1", "5", "-4"];

impl Scope<'_> {
    /// An expression of this type.
    pub fn expr(&mut self, ty: &Ty, depth: u32) -> Expr {
        let found = if depth == 0 { self.leaf(ty) } else { self.compound(ty, depth) };
        if found.bits.fits(ty.elem) { found } else { small(found) }
    }

    fn leaf(&mut self, ty: &Ty) -> Expr {
        let fitting: Vec<Var> = self.vars.iter().filter(|v| v.ty == *ty).cloned().collect();
        if !fitting.is_empty() && !self.random.one_in(4) {
            let var = self.random.pick(&fitting).clone();
            return Expr::of(&var.name, vec![], var.ty, var.bits);
        }
        match ty.rank() {
            0 => self.scalar_leaf(ty.elem),
            _ => self.array_leaf(ty),
        }
    }

    fn scalar_leaf(&mut self, elem: Elem) -> Expr {
        if !self.random.one_in(3)
            && let Some(found) = self.element(elem)
        {
            return found;
        }
        if self.random.one_in(6) {
            let constant = match elem {
                Elem::F64 => format!("U[{}]", self.random.pick(&["0", "-1", "1"])),
                Elem::I32 => format!("T[{}, 1]", self.random.pick(&["0", "-1"])),
                Elem::I64 => "np.int64(len(U))".to_owned(),
                _ => format!("{}(True)", elem.numpy()),
            };
            return Expr::of(&constant, vec![], Ty::scalar(elem), Bits::SMALL);
        }
        let text = match elem {
            Elem::Bool => (*self.random.pick(&["True", "False"])).to_owned(),
            e if e.is_int() => format!("{}({})", e.numpy(), self.random.pick(&INTS)),
            e => format!("{}({})", e.numpy(), self.random.pick(&FLOATS)),
        };
        Expr::of(&text, vec![], Ty::scalar(elem), Bits::SMALL)
    }

    /// An element of an array: at a loop's index where that is valid, else at an end.
    fn element(&mut self, elem: Elem) -> Option<Expr> {
        let arrays: Vec<Var> =
            self.vars.iter().filter(|v| v.ty.rank() > 0 && v.ty.elem == elem).cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        let array = self.random.pick(&arrays).clone();
        let index: Vec<String> = array.ty.dims.iter().map(|&dim| self.index(dim)).collect();
        let text = format!("{}[{}]", array.name, index.join(", "));
        Some(Expr::of(&text, vec![], Ty::scalar(elem), array.bits))
    }

    pub fn index(&mut self, dim: u32) -> String {
        let valid: Vec<String> =
            self.indices.iter().filter(|(_, d)| *d == dim).map(|(n, _)| n.clone()).collect();
        if !valid.is_empty() && !self.random.one_in(5) {
            let index = self.random.pick(&valid);
            // All of these are in range where the index is.
            let around = *self.random.pick(&["{}", "{}", "{}", "{} - 1", "-1 - {}", "{} // 2", "-{}"]);
            return around.replace("{}", index);
        }
        (*self.random.pick(&["0", "-1", "0", "1"])).to_owned()
    }

    /// An array of these dimensions from another one, or made anew.
    fn array_leaf(&mut self, ty: &Ty) -> Expr {
        let alike: Vec<Var> = self.vars.iter().filter(|v| v.ty.dims == ty.dims).cloned().collect();
        if let Some(found) = self.sums_along_an_axis(ty).filter(|_| self.random.one_in(3)) {
            return found;
        }
        if alike.is_empty() {
            // Callers ask only for dimensions that some variable has.
            return Expr::of("np.zeros(0)", vec![], ty.clone(), Bits::SMALL);
        }
        let var = self.random.pick(&alike).clone();
        let numpy = ty.elem.numpy();
        if var.ty == *ty {
            let pattern = *self.random.pick(&["{}.copy()", "np.zeros_like({})", "np.ones_like({})", "{}"]);
            return Expr::of(&pattern.replace("{}", &var.name), vec![], ty.clone(), var.bits.or(Bits::SMALL));
        }
        if var.bits.fits(Elem::F32)
            && (ty.elem.is_float() || var.ty.elem != Elem::Bool)
            && !narrows(var.ty.elem, ty.elem)
        {
            return Expr::of(&format!("{}.astype({numpy})", var.name), vec![], ty.clone(), var.bits);
        }
        Expr::of(&format!("np.ones_like({}, dtype={numpy})", var.name), vec![], ty.clone(), Bits::SMALL)
    }

    /// A reduction of a matrix along an axis.
    fn sums_along_an_axis(&mut self, ty: &Ty) -> Option<Expr> {
        let [dim] = *ty.dims.as_slice() else { return None };
        let is_matrix = |v: &&Var| v.ty.rank() == 2 && v.ty.elem == ty.elem && v.bits == Bits::SMALL;
        let matrices: Vec<Var> = self.vars.iter().filter(is_matrix).cloned().collect();
        if matrices.is_empty() || !matches!(ty.elem, Elem::F64 | Elem::I64) {
            return None;
        }
        let matrix = self.random.pick(&matrices).clone();
        let axis = if matrix.ty.dims[1] == dim {
            0
        } else if matrix.ty.dims[0] == dim {
            1
        } else {
            return None;
        };
        let text = format!("{}.sum(axis={axis})", matrix.name);
        Some(Expr::of(&text, vec![], ty.clone(), Bits { whole: Bits::SMALL.whole + 7, ..Bits::SMALL }))
    }

    fn compound(&mut self, ty: &Ty, depth: u32) -> Expr {
        if self.random.one_in(6) {
            return self.leaf(ty);
        }
        if ty.rank() == 0
            && self.random.one_in(3)
            && let Some(found) = self.reduction(ty.elem, depth)
        {
            return found;
        }
        if ty.rank() > 0
            && self.random.one_in(10)
            && let Some(found) = self.gathered(ty, depth)
        {
            return found;
        }
        if !self.ufuncs.is_empty()
            && self.random.one_in(6)
            && let Some(found) = self.by_elements(ty, depth)
        {
            return found;
        }
        match ty.elem {
            Elem::Bool => self.truth(ty, depth),
            e if e.is_int() => self.integer(ty, depth),
            _ => self.float(ty, depth),
        }
    }

    /// A call of a ufunc, on numbers or on arrays that are broadcast.
    pub fn by_elements(&mut self, ty: &Ty, depth: u32) -> Option<Expr> {
        let ufuncs = self.ufuncs;
        let ufunc = self.random.pick(ufuncs);
        let elems: Vec<Elem> = ufunc.params.iter().map(|(_, elems)| *self.random.pick(elems)).collect();
        let result = ufunc.result.or_else(|| elems.iter().copied().reduce(Elem::with))?;
        if result != ty.elem {
            return None;
        }
        let operands: Vec<Expr> = elems
            .into_iter()
            .enumerate()
            .map(|(at, elem)| {
                let of = Ty { elem, dims: ty.dims.clone() };
                small(if at == 0 { self.expr(&of, depth - 1) } else { self.operand(&of, depth) })
            })
            .collect();
        let pattern = format!("{}({})", ufunc.name, vec!["{}"; operands.len()].join(", "));
        Some(Expr::of(&pattern, operands, ty.clone(), RESULT_OF_UFUNC))
    }

    /// An operand for a result of this type: of the type itself, or a scalar beside an array.
    fn operand(&mut self, ty: &Ty, depth: u32) -> Expr {
        if ty.rank() > 1 && self.random.one_in(4) {
            let row = Ty { elem: ty.elem, dims: ty.dims[1..].to_vec() };
            if self.vars.iter().any(|v| v.ty.dims == row.dims) {
                return self.expr(&row, depth - 1);
            }
        }
        if ty.rank() > 0 && self.random.one_in(4) {
            return self.expr(&Ty::scalar(ty.elem), depth - 1);
        }
        self.expr(ty, depth - 1)
    }

    fn pair(&mut self, ty: &Ty, depth: u32) -> Vec<Expr> {
        let whole = self.expr(ty, depth - 1);
        let other = self.operand(ty, depth);
        if self.random.one_in(2) { vec![whole, other] } else { vec![other, whole] }
    }

    fn truth(&mut self, ty: &Ty, depth: u32) -> Expr {
        if self.random.one_in(3) {
            let pattern = *self.random.pick(&["({} & {})", "({} | {})", "({} ^ {})"]);
            let pair = self.pair(ty, depth);
            return Expr::of(pattern, pair, ty.clone(), Bits::SMALL);
        }
        let elem = *self.random.pick(&[Elem::F64, Elem::I64, Elem::F32, Elem::I32]);
        let of = Ty { elem, dims: ty.dims.clone() };
        let pattern =
            *self.random.pick(&["({} < {})", "({} <= {})", "({} == {})", "({} != {})", "({} > {})"]);
        let pair = self.pair(&of, depth);
        Expr::of(pattern, pair, ty.clone(), Bits::SMALL)
    }

    fn integer(&mut self, ty: &Ty, depth: u32) -> Expr {
        let bits = Bits::UNKNOWN;
        match self.random.below(8) {
            0..=3 => {
                let pattern =
                    *self.random.pick(&["({} + {})", "({} - {})", "({} * {})", "({} & {})", "({} ^ {})"]);
                let pair = self.pair(ty, depth);
                Expr::of(pattern, pair, ty.clone(), bits)
            }
            4 => {
                let constant = *self.random.pick(&["2", "3", "-2", "7"]);
                let operator = *self.random.pick(&["//", "%"]);
                let inner = self.expr(ty, depth - 1);
                Expr::of(&format!("({{}} {operator} {constant})"), vec![inner], ty.clone(), bits)
            }
            5 => {
                let pattern = *self.random.pick(&["({} << 2)", "({} >> 1)", "(-{})", "(~{})"]);
                let inner = self.expr(ty, depth - 1);
                Expr::of(pattern, vec![inner], ty.clone(), bits)
            }
            6 => self.select(ty, depth, bits),
            _ => {
                let pattern = *self.random.pick(&["np.minimum({}, {})", "np.maximum({}, {})"]);
                let pair = self.pair(ty, depth);
                Expr::of(pattern, pair, ty.clone(), bits)
            }
        }
    }

    fn float(&mut self, ty: &Ty, depth: u32) -> Expr {
        match self.random.below(9) {
            0..=2 => {
                let pair = self.pair(ty, depth);
                let both = pair[0].bits.or(pair[1].bits);
                let bits = Bits { whole: both.whole + 1, ..both };
                let pattern = *self.random.pick(&["({} + {})", "({} - {})"]);
                fitting(pattern, pair, ty, bits)
            }
            3 => {
                let pair = self.pair(ty, depth);
                let (a, b) = (pair[0].bits, pair[1].bits);
                let bits = Bits { whole: a.whole + b.whole, fraction: a.fraction + b.fraction };
                fitting("({} * {})", pair, ty, bits)
            }
            4 => {
                let inner = self.expr(ty, depth - 1);
                let bits = Bits { fraction: inner.bits.fraction + 2, ..inner.bits };
                let pattern = *self.random.pick(&["({} / 4.0)", "({} * 0.25)", "({} / 2)"]);
                fitting(pattern, vec![inner], ty, bits)
            }
            5 => {
                let inner = self.expr(ty, depth - 1);
                let bits = inner.bits.or(Bits::SMALL);
                let pattern =
                    *self.random.pick(&["(-{})", "np.abs({})", "np.floor({})", "({} % 4.0)", "np.rint({})"]);
                Expr::of(pattern, vec![inner], ty.clone(), Bits { whole: bits.whole + 1, ..bits })
            }
            6 => self.select(ty, depth, Bits::SMALL),
            7 if ty.elem == Elem::F64 => {
                let of = Ty { elem: Elem::I64, dims: ty.dims.clone() };
                let inner = self.expr(&of, depth - 1);
                Expr::of("(({} % 16) * 0.5)", vec![inner], ty.clone(), Bits { whole: 4, fraction: 1 })
            }
            _ => {
                let pair = self.pair(ty, depth);
                let bits = pair[0].bits.or(pair[1].bits);
                let pattern = if ty.elem == Elem::F64 && ty.rank() == 0 && self.random.one_in(2) {
                    // Python's own, which keep the first of two zeros.
                    *self.random.pick(&["np.float64(min({}, {}))", "np.float64(max({}, {}))"])
                } else {
                    *self.random.pick(&["np.minimum({}, {})", "np.maximum({}, {})"])
                };
                Expr::of(pattern, pair, ty.clone(), bits)
            }
        }
    }

    fn select(&mut self, ty: &Ty, depth: u32, bits: Bits) -> Expr {
        let condition = Ty { elem: Elem::Bool, dims: ty.dims.clone() };
        let c = self.expr(&condition, depth - 1);
        let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        let bits = bits.or(a.bits).or(b.bits);
        if ty.rank() == 0 {
            return Expr::of("({} if {} else {})", vec![a, c, b], ty.clone(), bits);
        }
        Expr::of("np.where({}, {}, {})", vec![c, a, b], ty.clone(), bits)
    }

    /// The indices of an axis in some order.
    pub fn order(&mut self, dim: u32, depth: u32) -> Option<Expr> {
        let ty = Ty { elem: Elem::I64, dims: vec![dim] };
        if !self.vars.iter().any(|v| v.ty.dims == ty.dims) {
            return None;
        }
        let keys = self.expr(&ty, depth);
        Some(Expr::of("np.argsort({}, kind=\"stable\")", vec![keys], ty, Bits::SMALL))
    }

    /// Elements or rows by an array of indices.
    fn gathered(&mut self, ty: &Ty, depth: u32) -> Option<Expr> {
        let order = self.order(ty.dims[0], depth - 1)?;
        let from = self.expr(ty, depth - 1);
        let bits = from.bits;
        Some(Expr::of("{}[{}]", vec![from, order], ty.clone(), bits))
    }

    /// How many elements are greater than 1, by a comprehension.
    fn counted(&mut self, depth: u32) -> Option<Expr> {
        let dims = self.vars.iter().find(|v| v.ty.rank() == 1)?.ty.dims.clone();
        let elem = *self.random.pick(&[Elem::F64, Elem::I64]);
        let over = self.expr(&Ty { elem, dims }, depth - 1);
        let pattern = *self.random.pick(&[
            "np.int64(sum(1 for q in {} if q > 1))",
            "np.int64(len([q * 2 for q in {} if q > 1]))",
            "np.int64(any(q > 1 for q in {}))",
        ]);
        Some(Expr::of(pattern, vec![over], Ty::scalar(Elem::I64), Bits { whole: 7, fraction: 0 }))
    }

    /// A scalar from an array.
    fn reduction(&mut self, elem: Elem, depth: u32) -> Option<Expr> {
        let arrays: Vec<Ty> = self.vars.iter().map(|v| v.ty.clone()).filter(|t| t.rank() > 0).collect();
        if arrays.is_empty() {
            return None;
        }
        if elem == Elem::I64
            && self.random.one_in(5)
            && let Some(found) = self.counted(depth)
        {
            return Some(found);
        }
        let dims = self.random.pick(&arrays).dims.clone();
        let of = Ty { elem, dims };
        if matches!(elem, Elem::I64 | Elem::F64) && self.random.one_in(6) {
            let condition = Ty { elem: Elem::Bool, dims: of.dims.clone() };
            let operands = vec![small(self.expr(&of, depth - 1)), self.expr(&condition, depth - 1)];
            let bits = Bits { whole: 11, fraction: 0 };
            return Some(Expr::of("{}[{}].sum()", operands, Ty::scalar(elem), bits));
        }
        let inner = self.expr(&of, depth - 1);
        let pattern = match elem {
            Elem::Bool => *self.random.pick(&["{}.any()", "{}.all()"]),
            // The sum of int32 is an int64.
            Elem::I32 => *self.random.pick(&["{}.max()", "{}.min()"]),
            Elem::I64 => *self.random.pick(&["{}.sum()", "{}.sum()", "{}.max()", "{}.min()"]),
            // Which of several zeros is the greatest is left open.
            _ => *self.random.pick(&["{}.sum()", "{}.sum()", "({}.max() + 0.0)", "({}.min() + 0.0)"]),
        };
        let bits = Bits { whole: inner.bits.whole + 7, ..inner.bits };
        Some(if bits.fits(elem) {
            Expr::of(pattern, vec![inner], Ty::scalar(elem), bits)
        } else {
            let bits = Bits { whole: 11, fraction: 0 };
            Expr::of(pattern, vec![small(inner)], Ty::scalar(elem), bits)
        })
    }
}

/// Whether values may change when converted.
fn narrows(from: Elem, to: Elem) -> bool {
    from.is_float() && !to.is_float() || from.with(to) != to
}

/// The operation where its result is exact, else that of small operands.
fn fitting(pattern: &str, operands: Vec<Expr>, ty: &Ty, bits: Bits) -> Expr {
    if bits.fits(ty.elem) {
        return Expr::of(pattern, operands, ty.clone(), bits);
    }
    let operands = operands.into_iter().map(small).collect();
    Expr::of(pattern, operands, ty.clone(), Bits { whole: 9, fraction: 2 })
}

/// The expression brought back to small whole numbers.
pub fn small(e: Expr) -> Expr {
    let ty = e.ty.clone();
    let bits = Bits { whole: 4, fraction: 0 };
    match ty.elem {
        Elem::Bool => e,
        elem if elem.is_int() => Expr::of("({} % 16)", vec![e], ty, bits),
        _ => Expr::of("(np.floor({}) % 16)", vec![e], ty, bits),
    }
}
