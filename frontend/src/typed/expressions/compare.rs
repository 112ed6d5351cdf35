//! Comparisons and membership.

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, CompareOp};
use crate::typed::containers::list_ops::is_list;
use crate::typed::containers::sparse::is_sparse;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::promote::{int_range, promote};
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::GroupOperation;
use pydd_ir::{DType, ElemOp, Literal, OpKind};

/// Comparisons in one chain: each is nested in the one before.
const MAX_CHAIN: usize = 100;

/// So many items of a tuple are compared one after the other.
const FEW_ITEMS: usize = 16;

/// Whether one of two is a class of Python's numbers, and the other one a class of NumPy's scalars, such as `np.float64` and
/// `x.dtype.type`: these are never equal, where `x.dtype` equals either.
fn are_other_classes([one, other]: [(&ast::Expr, &Expr); 2]) -> bool {
    let is_pythons = |(_, value): (&ast::Expr, &Expr)| matches!(value.ty, Ty::DType(num) if num.weak);
    let is_scalars = |(written, value): (&ast::Expr, &Expr)| {
        let is_class = matches!(&written.kind, ast::ExprKind::Attribute { attr, .. } if attr.name != "dtype");
        is_class && matches!(value.ty, Ty::DType(num) if !num.weak)
    };
    is_pythons(one) && is_scalars(other) || is_scalars(one) && is_pythons(other)
}

impl Infer<'_, '_> {
    /// `first op operand op operand …`, each operand evaluated once and only as far as needed.
    pub(in crate::typed) fn comparison(
        &mut self,
        first: &ast::Expr,
        rest: &[(CompareOp, ast::Expr)],
        span: Span,
    ) -> Expr {
        if let [(op, right)] = rest {
            let left = self.checked_expr(first);
            let other = self.checked_expr(right);
            // The library asks for the type that a class stands for.
            if self.unit.user
                && are_other_classes([(first, &left), (right, &other)])
                && let CompareOp::Eq | CompareOp::NotEq | CompareOp::Is | CompareOp::IsNot = op
            {
                return Expr::bool(matches!(op, CompareOp::NotEq | CompareOp::IsNot), span);
            }
            return self.compare(*op, left, other, span);
        }
        let left = self.either_expr(first);
        if rest.len() > MAX_CHAIN {
            return self.error(code::NESTING_TOO_DEEP, span, "this chain of comparisons is too long", "");
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let chain = self.chain(left, rest, span);
        Self::seq(before, chain)
    }

    fn chain(&mut self, left: Expr, rest: &[(CompareOp, ast::Expr)], span: Span) -> Expr {
        let Some(((op, right), rest)) = rest.split_first() else { return Expr::error(span) };
        let mut before = Vec::new();
        let right = self.either_expr(right);
        let right = self.once(right, &mut before);
        let own = self.compare(*op, left, right.clone(), span);
        if rest.is_empty() {
            return Self::seq(before, own);
        }
        let test = self.truth(own);
        let others = self.conditionally(|s| s.chain(right, rest, span));
        let others = if others.ty.is_silent() { others } else { self.truth(others) };
        let chosen = Self::choose(test, others, Expr::bool(false, span), span);
        Self::seq(before, chosen)
    }

    pub(in crate::typed) fn compare(&mut self, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        if let Some(of) = [&left, &right].into_iter().find(|each| matches!(each.ty, Ty::TypeOf(_))) {
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, "types of numbers are not compared")
                .primary(of.span, "the type of a number")
                .help("ask by `isinstance`");
            return self.fail(diagnostic);
        }
        if let (Ty::Maybe(_), Ty::None) | (Ty::None, Ty::Maybe(_)) = (&left.ty, &right.ty)
            && let CompareOp::Is | CompareOp::IsNot | CompareOp::Eq | CompareOp::NotEq = op
        {
            let value = if right.ty == Ty::None { left } else { right };
            let is_none = self.is_absent(value);
            let is = matches!(op, CompareOp::Is | CompareOp::Eq);
            return if is { is_none } else { Self::not(is_none) };
        }
        let (left, right) = (self.certain(left), self.certain(right));
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        match op {
            CompareOp::Eq => self.ordered(ElemOp::Eq, op, left, right, span),
            CompareOp::NotEq => self.ordered(ElemOp::Ne, op, left, right, span),
            CompareOp::Lt => self.ordered(ElemOp::Lt, op, left, right, span),
            CompareOp::LtEq => self.ordered(ElemOp::Le, op, left, right, span),
            CompareOp::Gt => self.ordered(ElemOp::Gt, op, left, right, span),
            CompareOp::GtEq => self.ordered(ElemOp::Ge, op, left, right, span),
            CompareOp::Is => self.identity(left, right, true, span),
            CompareOp::IsNot => self.identity(left, right, false, span),
            CompareOp::In => self.membership(left, right, span),
            CompareOp::NotIn => {
                let inside = self.membership(left, right, span);
                if inside.ty.is_silent() { inside } else { Self::not(inside) }
            }
        }
    }

    fn ordered(&mut self, elem: ElemOp, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (Ty::Either(_), _) | (_, Ty::Either(_)) = (&left.ty, &right.ty) {
            return self.with_either(left, right, Self::compared_in, |s, left, right| {
                s.ordered(elem, op, left, right, span)
            });
        }
        let [left, right] = self.beside_arrays([left, right]);
        if left.ty.is_silent() || right.ty.is_silent() {
            return Expr::silent([&left, &right], span);
        }
        if let (Ty::DType(a), Ty::DType(b)) = (&left.ty, &right.ty) {
            let equal = a.dtype == b.dtype;
            return Expr::bool(equal == (elem == ElemOp::Eq), span);
        }
        if let (ExprKind::Text(a), ExprKind::Text(b), ElemOp::Eq | ElemOp::Ne) =
            (&left.kind, &right.kind, elem)
        {
            return Expr::bool((a == b) == (elem == ElemOp::Eq), span);
        }
        // Text equals no number.
        if let (Ty::Str, Ty::Scalar(_)) | (Ty::Scalar(_), Ty::Str) = (&left.ty, &right.ty)
            && let ElemOp::Eq | ElemOp::Ne = elem
        {
            return Self::known(vec![left, right], Expr::bool(elem == ElemOp::Ne, span));
        }
        if let (Ty::Tuple(a), Ty::Tuple(b)) = (&left.ty, &right.ty)
            && a.is_list() == b.is_list()
        {
            return self.compare_tuples(elem, op, left, right, span);
        }
        if let Some(result) = self.compare_dicts(op, &left, &right, span) {
            return result;
        }
        if is_list(&left.ty) && is_list(&right.ty) {
            return self.compare_lists(elem, op, left, right, span);
        }
        if left.ty == Ty::None || right.ty == Ty::None {
            // A variable's type says whether it is None. An array would be compared element by element.
            if let ElemOp::Eq | ElemOp::Ne = elem
                && !left.ty.is_array()
                && !right.ty.is_array()
            {
                let is = left.ty == right.ty;
                return Self::known(vec![left, right], Expr::bool(is == (elem == ElemOp::Eq), span));
            }
        }
        if is_sparse(&left.ty) || is_sparse(&right.ty) {
            return self.sparse_comparison(op, left, right, span);
        }
        let (Some(a), Some(b)) = (left.ty.num(), right.ty.num()) else {
            let symbol = op.symbol();
            let headline = format!("`{symbol}` not supported between {} and {}", left.ty, right.ty);
            let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
                .primary(span, "")
                .secondary(left.span, format!("this is {}", left.ty))
                .secondary(right.span, format!("this is {}", right.ty));
            return self.fail(diagnostic);
        };
        if let (Some(a), Some(b)) = (weak_float(&left), weak_float(&right)) {
            return Expr::bool(compare_floats(elem, a, b), span);
        }
        let complex = a.dtype.is_complex() || b.dtype.is_complex();
        if complex && a.weak && b.weak && !matches!(elem, ElemOp::Eq | ElemOp::Ne) {
            return self.error(code::COMPLEX_ORDER, span, "complex numbers have no order", "not ordered");
        }
        if let (Some(a), Some(b)) = (left.as_int(), right.as_int())
            && left.is_constant()
            && right.is_constant()
        {
            return Expr::bool(compare_ints(elem, a, b), span);
        }
        if elem == ElemOp::Eq && self.unit.user {
            self.make_groups(&left, &right, span);
        }
        self.compare_pair(elem, left, right, span)
    }

    /// Where an array of integers is compared with one of them, has the functions made that passes put in the place of masks of a loop
    /// (see [`GroupOperation`]).
    fn make_groups(&mut self, left: &Expr, right: &Expr, span: Span) {
        let is_integer = |expr: &Expr| {
            expr.ty.num().is_some_and(|num| num.dtype.is_int() && (num.weak || num.dtype != DType::U64))
        };
        if is_integer(left) && is_integer(right) && left.ty.is_array() != right.ty.is_array() {
            let [keys, number] = [Ty::array(DType::I64, 1), Ty::strong(DType::I64)];
            let dense = Ty::strong(DType::Bool);
            let lookup = vec![keys.clone(), number.clone(), number.clone(), dense, number];
            self.make_operation(GroupOperation::Make, vec![keys], span);
            self.make_operation(GroupOperation::Find, lookup, span);
        }
    }

    /// The same where numbers are to be above a bound and below another one: two masks that are both to hold.
    pub(in crate::typed) fn make_ranges(&mut self, left: &Expr, right: &Expr, span: Span) {
        let is_mask = |expr: &Expr| expr.ty.is_array() && expr.ty.num() == Some(Num::strong(DType::Bool));
        if !self.unit.user || !is_mask(left) || !is_mask(right) {
            return;
        }
        let dtype = match ordered_dtype(left).or_else(|| ordered_dtype(right)) {
            Some(dtype) if dtype.is_float() => DType::F64,
            Some(dtype) if dtype.is_int() && dtype != DType::U64 => DType::I64,
            _ => return,
        };
        let [numbers, flag] = [Ty::array(dtype, 1), Ty::strong(DType::Bool)];
        let types = [numbers.clone(), numbers.clone(), numbers, flag.clone(), flag.clone(), flag];
        self.make_operation(GroupOperation::Ranges, types.to_vec(), span);
    }

    /// Has a function made for operands of these types.
    fn make_operation(&mut self, operation: GroupOperation, types: Vec<Ty>, span: Span) {
        let operands = types.into_iter().map(|ty| Expr { ty, ..Expr::error(span) }).collect();
        self.prelude_call(GroupOperation::FILE, operation.function(), operands, span);
    }

    /// Tuples, item by item: the first items that differ decide, or else the lengths.
    fn compare_tuples(&mut self, elem: ElemOp, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        let (Ty::Tuple(a), Ty::Tuple(b)) = (&left.ty, &right.ty) else { return Expr::error(span) };
        let (count, others) = (a.len(), b.len());
        let equality = matches!(elem, ElemOp::Eq | ElemOp::Ne);
        if equality && count != others {
            return Expr::bool(elem == ElemOp::Ne, span);
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let lengths = compare_ints(elem, count as i64, others as i64);
        let mut result = Expr::bool(lengths, span);
        for i in (0..count.min(others)).rev() {
            let (a, b) = (self.item_of(&left, i), self.item_of(&right, i));
            let equal = self.ordered(ElemOp::Eq, CompareOp::Eq, a.clone(), b.clone(), span);
            let equal = self.truth(equal);
            let own = match elem {
                ElemOp::Eq | ElemOp::Ne => Expr::bool(elem == ElemOp::Ne, span),
                // Behind the last item, equal ones make no difference: nothing is compared twice.
                _ if i + 1 == count && count == others && a.ty.scalar().is_some() => {
                    result = self.ordered(elem, op, a, b, span);
                    result = self.truth(result.clone());
                    continue;
                }
                _ => {
                    let own = self.ordered(elem, op, a, b, span);
                    self.truth(own)
                }
            };
            result = match equal.as_bool() {
                Some(true) => result,
                Some(false) => own,
                None if equal.ty.is_silent() || own.ty.is_silent() => {
                    return Expr::silent([&equal, &own], span);
                }
                None => Self::choose(equal, result, own, span),
            };
        }
        Self::seq(before, result)
    }

    /// Lists, item by item as tuples are.
    fn compare_lists(&mut self, elem: ElemOp, op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
        if let (Ty::EmptyList(_), Ty::EmptyList(_)) = (&left.ty, &right.ty) {
            return Expr::bool(compare_ints(elem, 0, 0), span);
        }
        if self.are_arrays(&left, span) || self.are_arrays(&right, span) {
            return Expr::error(span);
        }
        for (empty, other, swapped) in [(&left, &right, true), (&right, &left, false)] {
            if let Ty::EmptyList(_) = empty.ty {
                self.note_contents(&empty.ty, &other.ty);
                let length = self.list_length(other, span);
                let (a, b) =
                    if swapped { (Expr::int(0, span), length) } else { (length, Expr::int(0, span)) };
                return Self::elem(elem, vec![a, b], true, span);
            }
        }
        let swapped = matches!(elem, ElemOp::Gt | ElemOp::Ge);
        let function = match elem {
            ElemOp::Eq | ElemOp::Ne => "equal_lists",
            ElemOp::Lt | ElemOp::Gt => "list_before",
            _ => "list_not_behind",
        };
        let complex = |list: &Expr| matches!(list.ty, Ty::List(num) if num.dtype.is_complex());
        if !matches!(elem, ElemOp::Eq | ElemOp::Ne) && (complex(&left) || complex(&right)) {
            let headline = format!("`{}` of lists of complex numbers, which have no order", op.symbol());
            return self.error(code::COMPLEX_ORDER, span, headline, "not ordered");
        }
        let args = if swapped { vec![right, left] } else { vec![left, right] };
        let result = self.prelude_call("sequence", function, args, span);
        if elem == ElemOp::Ne && !result.ty.is_silent() { Self::not(result) } else { result }
    }

    /// Numbers or arrays; a Python integer that does not fit the other's type is compared all the same.
    pub(in crate::typed) fn compare_pair(&mut self, op: ElemOp, left: Expr, right: Expr, span: Span) -> Expr {
        let (Some(a), Some(b)) = (left.ty.num(), right.ty.num()) else { return Expr::error(span) };
        let mut common = promote(a, b);
        if common.dtype.is_complex() && !matches!(op, ElemOp::Eq | ElemOp::Ne) {
            return self.compare_complex(op, left, right, common, span);
        }
        let small = common.dtype.is_int() && !common.weak && common.dtype != DType::I64;
        let fits = |e: &Expr, n: Num| {
            let (least, greatest) = int_range(common.dtype);
            !n.weak || e.as_int().is_some_and(|v| (least..=greatest).contains(&i128::from(v)))
        };
        if small && !(fits(&left, a) && fits(&right, b)) && common.dtype != DType::U64 {
            common = Num::strong(DType::I64);
        }
        if a.dtype.is_int() && b.dtype.is_int() && (a.dtype == DType::U64) != (b.dtype == DType::U64) {
            return self.compare_mixed(op, left, right, span);
        }
        if common == Num::FLOAT && (a == Num::INT) != (b == Num::INT) {
            return self.compare_exactly(op, left, right, span);
        }
        let left = self.convert(left, common);
        let right = self.convert(right, common);
        Self::elem(op, vec![left, right], a.weak && b.weak, span)
    }

    /// NumPy's order of complex numbers; Python's own have none.
    fn compare_complex(&mut self, op: ElemOp, left: Expr, right: Expr, common: Num, span: Span) -> Expr {
        let left = self.convert(left, Num::strong(common.dtype));
        let right = self.convert(right, Num::strong(common.dtype));
        let pair = if matches!(op, ElemOp::Lt | ElemOp::Le) { vec![left, right] } else { vec![right, left] };
        let function =
            if matches!(op, ElemOp::Lt | ElemOp::Gt) { "complex_less" } else { "complex_not_greater" };
        self.prelude_call("elementwise", function, pair, span)
    }

    /// An integer and a float of Python's, compared as the numbers they are: as floats, and where these are equal by what
    /// the conversion rounded off.
    fn compare_exactly(&mut self, op: ElemOp, left: Expr, right: Expr, span: Span) -> Expr {
        if is_exact(&left) || is_exact(&right) {
            let pair = vec![self.convert(left, Num::FLOAT), self.convert(right, Num::FLOAT)];
            return Self::elem(op, pair, true, span);
        }
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let (int, float, op) = match left.ty {
            Ty::INT => (left, right, op),
            _ => (right, left, op.exchanged()),
        };
        let rounded = self.convert(int.clone(), Num::FLOAT);
        let rounded = self.once(rounded, &mut before);
        // Exact also for 2**63, which wraps to the least integer.
        let back = self.convert(rounded.clone(), Num::INT);
        let rest = Self::elem(ElemOp::Sub, vec![int, back], true, span);
        let by_rest = Self::elem(op, vec![rest, Expr::int(0, span)], true, span);
        let equal = Self::elem(ElemOp::Eq, vec![rounded.clone(), float.clone()], true, span);
        let compared = match op {
            ElemOp::Eq => Self::elem(ElemOp::And, vec![equal, by_rest], true, span),
            ElemOp::Ne => {
                let unequal = Self::elem(ElemOp::Ne, vec![rounded, float], true, span);
                Self::elem(ElemOp::Or, vec![unequal, by_rest], true, span)
            }
            _ => {
                let strictly = match op {
                    ElemOp::Lt | ElemOp::Le => ElemOp::Lt,
                    _ => ElemOp::Gt,
                };
                let decided = Self::elem(strictly, vec![rounded, float], true, span);
                let close = Self::elem(ElemOp::And, vec![equal, by_rest], true, span);
                Self::elem(ElemOp::Or, vec![decided, close], true, span)
            }
        };
        Self::seq(before, compared)
    }

    /// uint64 with another integer type, compared as the numbers they are: as uint64, unless the other one is
    /// negative, which is less than every uint64.
    fn compare_mixed(&mut self, op: ElemOp, left: Expr, right: Expr, span: Span) -> Expr {
        let left_is_wide = left.ty.num().is_some_and(|n| n.dtype == DType::U64);
        let weak = left.ty.scalar().is_some_and(|n| n.weak) && right.ty.scalar().is_some_and(|n| n.weak);
        let mut before = Vec::new();
        let left = self.once(left, &mut before);
        let right = self.once(right, &mut before);
        let wide = Num::strong(DType::U64);
        let other = if left_is_wide { right.clone() } else { left.clone() };
        let pair = vec![self.convert(left, wide), self.convert(right, wide)];
        let compared = Self::elem(op, pair, weak, span);
        let is_signed = other.ty.num().is_some_and(|n| n.dtype.is_signed_int());
        if !is_signed || other.as_int().is_some_and(|value| value >= 0) {
            return Self::seq(before, compared);
        }
        let other = self.convert(other, Num::INT);
        let negative = Self::elem(ElemOp::Lt, vec![other, Expr::int(0, span)], weak, span);
        // What the comparison gives when the signed one is the smaller.
        let when_less = match op {
            ElemOp::Ne => true,
            ElemOp::Lt | ElemOp::Le => !left_is_wide,
            ElemOp::Gt | ElemOp::Ge => left_is_wide,
            _ => false,
        };
        let joined = if when_less {
            Self::elem(ElemOp::Or, vec![negative, compared], weak, span)
        } else {
            let positive = Self::elem(ElemOp::Not, vec![negative], weak, span);
            Self::elem(ElemOp::And, vec![positive, compared], weak, span)
        };
        Self::seq(before, joined)
    }

    /// `is` and `is not`, which mean something for None, and for bools of Python's, of which there are two.
    fn identity(&mut self, left: Expr, right: Expr, is: bool, span: Span) -> Expr {
        let none = |e: &Expr| e.ty == Ty::None;
        if none(&left) || none(&right) {
            // A variable's type says whether it is None.
            let both = none(&left) && none(&right);
            return Self::known(vec![left, right], Expr::bool(both == is, span));
        }
        let bools = [&left, &right].map(|side| side.ty.scalar().filter(|num| num.dtype == DType::Bool));
        if let [Some(a), Some(b)] = bools {
            if a.weak && b.weak {
                let op = if is { ElemOp::Eq } else { ElemOp::Ne };
                return Self::elem(op, vec![left, right], true, span);
            }
            // One of NumPy's is another object.
            if a.weak != b.weak {
                return Self::known(vec![left, right], Expr::bool(!is, span));
            }
        }
        let symbol = if is { "==" } else { "!=" };
        let diagnostic =
            Diagnostic::error(code::IS_OPERATOR, "`is` compares identities, which numbers do not have")
                .primary(span, format!("{} and {}", left.ty, right.ty))
                .help(format!("compare values: `{symbol}`"));
        self.fail(diagnostic)
    }

    fn membership(&mut self, item: Expr, container: Expr, span: Span) -> Expr {
        let (item, container) = (self.settle(item), self.settle(container));
        match &container.ty {
            Ty::Tuple(_) => {
                let mut before = Vec::new();
                let item = self.once(item, &mut before);
                let container = self.once(container, &mut before);
                let items = self.items_of(&container);
                let found = self.in_items(&item, &items, span);
                Self::seq(before, found)
            }
            Ty::Array { .. } if item.ty.scalar().is_some() => {
                let equal = self.compare_pair(ElemOp::Eq, container, item, span);
                self.reduce_any(equal, span)
            }
            Ty::Lists(_) if self.are_arrays(&container, span) => Expr::error(span),
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => {
                self.prelude_call("sequence", "contains", vec![container, item], span)
            }
            Ty::Range if item.ty.scalar().is_some() => {
                let parts = match container.kind {
                    ExprKind::Range(parts) => *parts,
                    _ => self.range_parts(&container),
                };
                let args = std::iter::once(item).chain(parts).collect();
                self.prelude_call("sequence", "in_range", args, span)
            }
            Ty::EmptyList(_) => Expr::bool(false, span),
            Ty::Dict(_) | Ty::DictView(..) | Ty::EmptyDict(..) => self.in_dict(item, container, span),
            other => {
                let headline = format!("{other} is not something to look in");
                let label = format!("this is {other}");
                self.error(code::UNSUPPORTED_OPERAND, container.span, headline, &label)
            }
        }
    }

    /// Whether one of these items of a tuple is equal. Of many, each half is asked, so that questions do not nest deep.
    fn in_items(&mut self, item: &Expr, items: &[Expr], span: Span) -> Expr {
        let yes = Expr::bool(true, span);
        if items.len() > FEW_ITEMS {
            let (first, second) = items.split_at(items.len() / 2);
            let (first, second) = (self.in_items(item, first, span), self.in_items(item, second, span));
            return Self::choose(first, yes, second, span);
        }
        let mut found = Expr::bool(false, span);
        for other in items.iter().rev() {
            let equal = self.ordered(ElemOp::Eq, CompareOp::Eq, item.clone(), other.clone(), span);
            let equal = self.truth(equal);
            found = Self::choose(equal, yes.clone(), found, span);
        }
        found
    }

    fn reduce_any(&mut self, array: Expr, span: Span) -> Expr {
        let spec = pydd_ir::ReduceSpec { op: pydd_ir::ReduceOp::Any, axes: None, keepdims: false };
        Self::op(OpKind::Reduce(spec), vec![array], Ty::BOOL, span)
    }
}

/// Whether a comparison of integers with this number as floats is exact: it lies among those that floats hold all of.
fn is_exact(value: &Expr) -> bool {
    const END: f64 = 9_007_199_254_740_992.0;
    match &value.kind {
        ExprKind::Literal(Literal::Float(bits)) => {
            f64::from_bits(*bits).abs() < END || f64::from_bits(*bits).is_nan()
        }
        ExprKind::Literal(Literal::Int(_)) => value.as_int().is_some_and(|int| int.unsigned_abs() <= 1 << 53),
        _ => false,
    }
}

/// The value of a constant of Python's that is a float, or an integer that is exact as one.
fn weak_float(value: &Expr) -> Option<f64> {
    match (&value.kind, value.ty.scalar()?.weak) {
        (ExprKind::Literal(Literal::Float(bits)), true) => Some(f64::from_bits(*bits)),
        (ExprKind::Literal(Literal::Int(_)), true) => Some(f64::from(i32::try_from(value.as_int()?).ok()?)),
        _ => None,
    }
}

#[allow(clippy::float_cmp, reason = "as the program compares")]
fn compare_floats(op: ElemOp, a: f64, b: f64) -> bool {
    match op {
        ElemOp::Eq => a == b,
        ElemOp::Ne => a != b,
        ElemOp::Lt => a < b,
        ElemOp::Le => a <= b,
        ElemOp::Gt => a > b,
        _ => a >= b,
    }
}

const fn compare_ints(op: ElemOp, a: i64, b: i64) -> bool {
    match op {
        ElemOp::Eq => a == b,
        ElemOp::Ne => a != b,
        ElemOp::Lt => a < b,
        ElemOp::Le => a <= b,
        ElemOp::Gt => a > b,
        _ => a >= b,
    }
}

/// What is compared where an expression asks which of two numbers is less.
fn ordered_dtype(expr: &Expr) -> Option<DType> {
    match &expr.kind {
        ExprKind::Seq(_, value) => ordered_dtype(value),
        ExprKind::Op(OpKind::Elem(ElemOp::Lt | ElemOp::Le | ElemOp::Gt | ElemOp::Ge), args) => {
            args.first()?.ty.num().map(|num| num.dtype)
        }
        _ => None,
    }
}
