//! Functions with rules of their own.

use super::arguments::Arguments;
use super::kinds::is;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::BinaryOp;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::{Accumulate, Builtin, Space};
use pydd_ir::{ComplexPart, DType, ElemOp, Exc, OpKind, ReduceOp};

impl Infer<'_, '_> {
    pub(in crate::typed) fn builtin(&mut self, builtin: Builtin, mut args: Arguments) -> Expr {
        let span = args.span;
        if let Builtin::Min
        | Builtin::Max
        | Builtin::Sum
        | Builtin::Any
        | Builtin::All
        | Builtin::List
        | Builtin::Deque
        | Builtin::Sorted = builtin
        {
            args.each(|value| self.listed(value));
            if let Some(silent) = args.given().find(|value| value.ty.is_silent()) {
                return silent.clone();
            }
        }
        match builtin {
            Builtin::Len => self.length(&args),
            Builtin::Range => self.range(&args),
            Builtin::Slice => self.slice_value(args.rest, args.span),
            Builtin::Print => self.print(&args),
            Builtin::Zip
            | Builtin::Enumerate
            | Builtin::Reversed
            | Builtin::NdIndex
            | Builtin::NdEnumerate
            | Builtin::Flat
            | Builtin::Itertool(_) => {
                let headline = format!("`{}` stands only after `in` of a `for` loop", args.found.name);
                self.error(code::UNSUPPORTED_YET, span, headline, "not a value")
            }
            Builtin::ItemGetter => {
                let diagnostic = Diagnostic::error(code::UNSUPPORTED_YET, "`itemgetter` is no value here")
                    .primary(span, "stands only after `key=`")
                    .help("take the item: `x[1]`");
                self.fail(diagnostic)
            }
            Builtin::Applied(_) => {
                let headline = format!("`{}` takes a function as an argument", Self::shown_name(&args.found));
                self.error(code::TYPE_MISMATCH, span, headline, "not called with a function")
            }
            Builtin::Grid { .. } | Builtin::Joined { .. } => {
                let headline = format!("`{}` is indexed, not called", args.found.name);
                self.error(code::NOT_CALLABLE, span, headline, "write `[…]`")
            }
            Builtin::Einsum => self.einsum(&args),
            Builtin::Limits { floats } => self.limits_of(floats, &args),
            Builtin::Abs => self.absolute(args.value(0), span),
            Builtin::Min => self.extremum(ElemOp::Min, ReduceOp::Min, args),
            Builtin::Max => self.extremum(ElemOp::Max, ReduceOp::Max, args),
            Builtin::Sum => self.sum(&args),
            Builtin::Any => self.whole(ReduceOp::Any, Accumulate::Truth, &args, true),
            Builtin::All => self.whole(ReduceOp::All, Accumulate::Truth, &args, true),
            Builtin::Round => self.round(&args),
            Builtin::Pow if args.optional(2).is_some() => {
                let numbers = [0, 1, 2].map(|at| self.as_index(args.value(at)));
                self.prelude_call("scalar", "power_modulo", numbers.to_vec(), span)
            }
            Builtin::Pow => self.binary(BinaryOp::Pow, args.value(0), args.value(1), span),
            Builtin::Divmod if args.found.space == Space::Numpy => {
                let [x, y] = [0, 1].map(|at| Self::ufunc_operand(args.value(at)));
                self.divmod(x, y, span)
            }
            Builtin::Divmod => self.divmod(args.value(0), args.value(1), span),
            Builtin::ToInt(op) => self.rounded_int(op, &args),
            Builtin::Append => self.append(args.value(0), args.value(1), span),
            Builtin::AsType | Builtin::Item | Builtin::ToList | Builtin::DType
                if self.is_python_number(&args.value(0)) =>
            {
                let name = args.found.name;
                let headline = format!("'{}' object has no attribute '{name}'", args.value(0).ty);
                let diagnostic = Diagnostic::error(code::UNKNOWN_ATTRIBUTE, headline)
                    .primary(span, "a number of Python's")
                    .help("NumPy's numbers have it: `np.float64(x)`");
                self.fail(diagnostic)
            }
            Builtin::AsType => match args.dtype() {
                // Python's types are the names of NumPy's here.
                Some(num) => {
                    let keeps = args.named("copy").is_some_and(|copy| copy.as_bool() == Some(false));
                    let is_same = matches!(args.value(0).ty, Ty::Array { dtype, .. } if dtype == num.dtype);
                    if keeps && is_same && args.named("order").is_none() {
                        return args.value(0);
                    }
                    let made = self.as_type(args.value(0), Num::strong(num.dtype), span);
                    if args.named("order").is_some() { self.laid_out(made, &args) } else { made }
                }
                None => Expr::error(span),
            },
            Builtin::NamedDType => match args.dtype() {
                Some(num) => Expr::new(ExprKind::Static, Ty::DType(Num::strong(num.dtype)), span),
                None => Expr::error(span),
            },
            Builtin::Fill => self.fill(&args),
            Builtin::Where => self.where_(&args),
            Builtin::ArgIndex(op) => self.arg_index(op, &args),
            Builtin::Item => self.item(&args),
            Builtin::Digits { base } => self.integer_of_digits(base, &args),
            Builtin::Ord => self.code_point(&args),
            Builtin::Hex => self.hexadecimal(&args),
            Builtin::Real => self.part(ElemOp::Re, &args),
            Builtin::Imag => self.part(ElemOp::Im, &args),
            Builtin::Overlaps => {
                let arrays = std::iter::once(args.value(0)).chain(args.rest.iter().cloned()).collect();
                Self::op(OpKind::Overlaps, arrays, Ty::BOOL, span)
            }
            Builtin::OnDevice => Self::op(OpKind::OnDevice, vec![], Ty::BOOL, span),
            Builtin::DType => {
                let value = args.value(0);
                // A type stands for itself wherever it goes: there is no place for the call.
                if self.calls_program(&value) {
                    let diagnostic =
                        Diagnostic::error(code::UNSUPPORTED_YET, "the dtype of a call is not supported yet")
                            .primary(value.span, "would have to be called")
                            .help("give it a name: `a = …`, then `a.dtype`");
                    return self.fail(diagnostic);
                }
                let sparse = value.ty.sparse_type().map(|sparse| sparse.dtype);
                match sparse.or(value.ty.num().map(|num| num.dtype)) {
                    Some(dtype) => Expr::new(ExprKind::Static, Ty::DType(Num::strong(dtype)), span),
                    None => self.needs_array(&args, 0),
                }
            }
            Builtin::LyingAs(keep) => {
                let mut others = Vec::new();
                for other in args.given().skip(1) {
                    match &other.ty {
                        Ty::Tuple(items) => others.extend((0..items.len()).map(|at| self.item_of(other, at))),
                        _ => others.push(other.clone()),
                    }
                }
                others.retain(|other| other.ty.is_array());
                Self::keeping_order(keep, args.value(0), others, span)
            }
            Builtin::SparsePart(part) => self.sparse_part(part, args.value(0), span),
            Builtin::CsrOf => self.csr_of(&args),
            Builtin::SetItem { search } => self.sparse_set_item(search, &args),
            Builtin::Restructure(function) => self.sparse_restructure(function, &args),
            Builtin::OtherForm { blocks } => Self::in_other_form(args.value(0), blocks),
            Builtin::Dict(op) => self.dict_builtin(op, &args),
            Builtin::Heap(op) => self.heap_builtin(op, &args),
            Builtin::Bisect(op) => self.bisect_builtin(op, &args),
            Builtin::Deque => self.deque(&args),
            Builtin::Items => Self::as_items(args.value(0)),
            Builtin::IsKnown => Expr::bool(args.value(0).is_constant(), span),
            Builtin::Generator => {
                let words = args.value(0);
                Expr::new(ExprKind::Tuple(vec![words]), Ty::Generator, span)
            }
            Builtin::Is(test) => Expr::bool(is(test, &args.value(0).ty), span),
            Builtin::Require(exc) => self.require(exc, &args),
            Builtin::ResultType => self.common_type(&args),
            Builtin::Columns => {
                let list = args.value(0);
                let mut before = Vec::new();
                let list = self.once(list, &mut before);
                let columns = self.columns(&list);
                Self::seq(before, Self::tuple(columns, span))
            }
            Builtin::List => self.list_of(args.value(0), span),
            Builtin::ToList => self.python_list(args.value(0), span),
            Builtin::TypeOf => self.type_of(args.value(0), span),
            Builtin::IsInstance => self.is_instance(&args),
            Builtin::IsSubDType => match (args.value(0).ty, args.value(1)) {
                (Ty::DType(one), Expr { ty: Ty::DType(other), .. }) => {
                    Expr::bool(one.dtype == other.dtype, span)
                }
                (_, other) => self.not_a_type(&other),
            },
            Builtin::Sorted => {
                let reverse = args.named("reverse").unwrap_or_else(|| Expr::bool(false, span));
                self.sorted(args.value(0), reverse, span)
            }
        }
    }

    fn length(&mut self, args: &Arguments) -> Expr {
        let (value, span) = (args.value(0), args.span);
        match &value.ty {
            Ty::Array { rank: 1.., .. } => Self::op(OpKind::Dim(0), vec![value], Ty::INT, span),
            Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) => self.list_length(&value, span),
            Ty::EmptyList(_) => Expr::int(0, span),
            Ty::Dict(_) | Ty::DictView(..) | Ty::EmptyDict(..) => self.dict_length(value, span),
            Ty::Tuple(items) => {
                let count = Expr::int(items.len() as i64, span);
                Self::known(vec![value], count)
            }
            Ty::Range => match &value.kind {
                ExprKind::Range(parts) => self.length_of_range(parts, span),
                _ => {
                    let mut before = Vec::new();
                    let range = self.once(value, &mut before);
                    let parts = self.range_parts(&range);
                    let length = self.length_of_range(&parts, span);
                    Self::seq(before, length)
                }
            },
            other => {
                let headline = format!("object of type {other} has no len()");
                self.error(code::TYPE_MISMATCH, value.span, headline, &format!("this is {other}"))
            }
        }
    }

    fn range(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let parts: Vec<Expr> = args.rest.iter().map(|part| self.as_index(part.clone())).collect();
        if parts.iter().any(|p| p.ty.is_silent()) {
            return Expr::error(span);
        }
        let parts = match parts.as_slice() {
            [stop] => [Expr::int(0, span), stop.clone(), Expr::int(1, span)],
            [start, stop] => [start.clone(), stop.clone(), Expr::int(1, span)],
            [start, stop, step] => [start.clone(), stop.clone(), step.clone()],
            _ => {
                let headline = format!("range expected 1 to 3 arguments, got {}", parts.len());
                return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "");
            }
        };
        Expr::new(ExprKind::Range(Box::new(parts)), Ty::Range, span)
    }

    /// A check whose message holds values.
    fn require(&mut self, exc: Exc, args: &Arguments) -> Expr {
        let span = args.span;
        let ExprKind::Text(text) = args.value(1).kind else { return Expr::error(span) };
        let cond = self.truth(args.value(0));
        let number = |value: &Expr| self.convert(Self::number_of_rank_zero(value.clone()), Num::INT);
        let payload = args.rest.iter().map(number).collect();
        let check = Self::check(cond, exc, &text, payload, span);
        Self::seq(vec![check], Expr::none(span))
    }

    /// Python's `abs`.
    fn absolute(&mut self, value: Expr, span: Span) -> Expr {
        if let Ty::Either(_) = value.ty {
            let mut before = Vec::new();
            let value = self.once(value, &mut before);
            let result = self.each_way(&value, &mut |s, value| s.absolute(value, span));
            return if result.ty.is_silent() { result } else { Self::seq(before, result) };
        }
        match value.ty.num() {
            Some(Num { dtype: DType::Bool, weak: true }) => self.convert(value, Num::INT),
            Some(num) if num.dtype == DType::Bool => self.unchanged(value),
            Some(num) => Self::elem(ElemOp::Abs, vec![value], num.weak, span),
            None => {
                let headline = format!("bad operand type for abs(): {}", value.ty);
                self.error(code::TYPE_MISMATCH, value.span, headline, "not a number")
            }
        }
    }

    /// A reduction of an array over an axis.
    pub(super) fn along(
        &mut self,
        op: ReduceOp,
        how: Accumulate,
        array: Expr,
        axis: &Expr,
        span: Span,
    ) -> Expr {
        let Some(rank) = array.ty.rank() else {
            let headline = format!("{} has no axes", array.ty);
            return self.error(
                code::TYPE_MISMATCH,
                axis.span,
                headline,
                "only arrays are reduced over an axis",
            );
        };
        match self.axes(axis, rank) {
            Some(axes) => self.reduce(array, op, how, Some(axes), false, None, span),
            None => Expr::error(span),
        }
    }

    /// A reduction over all of a list or array.
    pub(super) fn whole_of(&mut self, op: ReduceOp, accumulate: Accumulate, value: Expr, span: Span) -> Expr {
        // Items of lists of complex128 are Python's in CPython, and have no order.
        if let (Ty::List(num), ReduceOp::Min | ReduceOp::Max) = (&value.ty, op)
            && num.dtype == DType::C128
        {
            return self.error(code::COMPLEX_ORDER, span, "complex numbers have no order", "");
        }
        let weak = matches!(&value.ty, Ty::List(num) if num.weak);
        let array = match &value.ty {
            Ty::List(_) => self.array_of_list(value, span),
            _ => value,
        };
        let result = self.reduce(array, op, accumulate, None, false, None, span);
        match &result.ty {
            // Items of a list of Python's numbers are Python's numbers.
            Ty::Scalar(num) if weak => Expr { ty: Ty::Scalar(Num::weak(num.dtype)), ..result },
            _ => result,
        }
    }

    fn whole(&mut self, op: ReduceOp, accumulate: Accumulate, args: &Arguments, weak: bool) -> Expr {
        let value = args.value(0);
        if let Some(axis) = args.named("axis") {
            return self.along(op, accumulate, value, &axis, args.span);
        }
        match &value.ty {
            Ty::Array { .. } | Ty::List(_) => {
                let result = self.whole_of(op, accumulate, value, args.span);
                if weak { Expr { ty: Ty::BOOL, ..result } } else { result }
            }
            _ => self.needs_array(args, 0),
        }
    }

    fn sum(&mut self, args: &Arguments) -> Expr {
        let (value, span) = (args.value(0), args.span);
        // Intrepydd's second argument is an axis, Python's where the sum starts.
        let axis = args.named("axis").or_else(|| args.optional(1).filter(|_| value.ty.is_array()));
        if let Some(axis) = axis {
            return self.along(ReduceOp::Sum, Accumulate::Wide, value, &axis, span);
        }
        if let Ty::List(item) = value.ty
            && !item.weak
            && !item.dtype.is_float()
        {
            return self.sum_of_numpy(value, item, args.optional(1), span);
        }
        let total = match &value.ty {
            Ty::Array { .. } | Ty::List(_) => self.whole_of(ReduceOp::Sum, Accumulate::Wide, value, span),
            Ty::Tuple(items) => {
                let mut total = Expr::int(0, span);
                for i in 0..items.len() {
                    let item = self.item_of(&value, i);
                    total = self.binary(BinaryOp::Add, total, item, span);
                }
                total
            }
            Ty::Range => self.prelude_call("sequence", "total", vec![value], span),
            Ty::Lists(item) if item.is_array() => {
                return match args.optional(1) {
                    Some(start) => self.prelude_call("sequence", "total_from", vec![value, start], span),
                    None => self.prelude_call("sequence", "total_of_arrays", vec![value], span),
                };
            }
            Ty::EmptyList(_) => Expr::int(0, span),
            _ => return self.needs_array(args, 0),
        };
        match args.optional(1) {
            Some(start) => self.binary(BinaryOp::Add, total, start, span),
            None => total,
        }
    }

    /// The sum of a list of NumPy's numbers, which wraps in the type that these and the start have in common.
    fn sum_of_numpy(&mut self, list: Expr, item: Num, start: Option<Expr>, span: Span) -> Expr {
        let start = start.unwrap_or_else(|| Expr::int(0, span));
        let Some(first) = start.ty.scalar() else {
            let total = self.whole_of(ReduceOp::Sum, Accumulate::Wide, list, span);
            return self.binary(BinaryOp::Add, total, start, span);
        };
        let common = Num::strong(promote(first, item).dtype);
        let array = self.array_of_list(list, span);
        let array = self.convert(array, common);
        let total = self.reduce(array, ReduceOp::Sum, Accumulate::Element, None, false, None, span);
        self.binary(BinaryOp::Add, total, start, span)
    }

    fn common_type(&mut self, args: &Arguments) -> Expr {
        fn nums(ty: &Ty, found: &mut Vec<Num>) {
            match ty {
                Ty::DType(num) | Ty::TypeOf(num) => found.push(Num::strong(num.dtype)),
                Ty::List(num) => found.push(Num::strong(num.dtype)),
                Ty::Lists(item) => nums(item, found),
                Ty::Tuple(items) => items.iter().for_each(|item| nums(item, found)),
                other => found.extend(other.num()),
            }
        }
        let mut found = Vec::new();
        args.rest.iter().for_each(|item| nums(&item.ty, &mut found));
        match found.into_iter().reduce(promote) {
            Some(num) => Expr::new(ExprKind::Static, Ty::DType(Num::strong(num.dtype)), args.span),
            None => self.error(code::TYPE_MISMATCH, args.span, "`result_type` needs numbers or arrays", ""),
        }
    }

    fn divmod(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let mut before = Vec::new();
        let a = self.once(a, &mut before);
        let b = self.once(b, &mut before);
        let mut quotient = self.binary(BinaryOp::FloorDiv, a.clone(), b.clone(), span);
        let is_whole = quotient.ty.num().is_some_and(|num| num.dtype.is_int());
        let remainder = if is_whole && quotient.ty.is_array() {
            // A multiplication instead of a second division of each element.
            quotient = self.once(quotient, &mut before);
            let multiple = self.binary(BinaryOp::Mul, quotient.clone(), b, span);
            self.binary(BinaryOp::Sub, a, multiple, span)
        } else {
            self.binary(BinaryOp::Mod, a, b, span)
        };
        if quotient.ty.is_silent() || remainder.ty.is_silent() {
            return Expr::error(span);
        }
        Self::seq(before, Self::tuple(vec![quotient, remainder], span))
    }

    fn fill(&mut self, args: &Arguments) -> Expr {
        let (array, value) = (args.value(0), args.value(1));
        let Ty::Array { dtype, .. } = array.ty else { return self.needs_array(args, 0) };
        if value.ty.scalar().is_none() {
            let headline = format!("an array is filled with a number, not {}", value.ty);
            return self.error(code::TYPE_MISMATCH, value.span, headline, "not a number");
        }
        let value = self.stored(value, dtype);
        self.effect_expr(OpKind::Assign, vec![array, value], args.span)
    }

    fn where_(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let (Some(a), Some(b)) = (args.optional(1), args.optional(2)) else {
            let given = [args.optional(1), args.optional(2)].iter().flatten().count();
            if given == 0 && args.found.space == Space::Bare && args.value(0).ty.rank() == Some(1) {
                return self.prelude_call("intrepydd", "where", vec![args.value(0)], span);
            }
            if given > 0 {
                let headline = "either both or neither of x and y should be given";
                return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "one of them");
            }
            return self.prelude_call("indexing", "nonzero", vec![args.value(0)], span);
        };
        let [cond, a, b] = [args.value(0), a, b].map(|value| self.as_operand(value));
        if let Some(silent) = [&cond, &a, &b].into_iter().find(|value| value.ty.is_silent()) {
            return Expr::silent([silent], span);
        }
        let (Some(x), Some(y), Some(_)) = (a.ty.num(), b.ty.num(), cond.ty.num()) else {
            let headline = format!("`where` needs numbers or arrays, not {}, {} and {}", cond.ty, a.ty, b.ty);
            return self.error(code::TYPE_MISMATCH, span, headline, "");
        };
        let common = promote(x, y);
        let cond = self.elements_truth(cond);
        // Here Python's integers wrap.
        let a = self.convert(a, common);
        let b = self.convert(b, common);
        let rank = [&cond, &a, &b].into_iter().filter_map(|e| e.ty.rank()).max();
        let ty = match rank {
            Some(rank) => Ty::array(common.dtype, rank),
            None => Ty::strong(common.dtype),
        };
        Self::op(OpKind::Elem(ElemOp::Select), vec![cond, a, b], ty, span)
    }

    /// Intrepydd's `argmin`: of an n-d array the index in each dimension.
    fn arg_index(&mut self, op: ReduceOp, args: &Arguments) -> Expr {
        let (array, span) = (args.value(0), args.span);
        if let Some(axis) = args.named("axis") {
            if axis.ty.parts().is_some() {
                return self.one_axis_only(span);
            }
            return self.along(op, Accumulate::Element, array, &axis, span);
        }
        let array = match &array.ty {
            ty if ty.is_sequence() => self.array_of_list(array, span),
            _ => array,
        };
        let Some(rank) = array.ty.rank() else { return self.needs_array(args, 0) };
        let mut before = Vec::new();
        let array = self.once(array, &mut before);
        let flat = self.reduce(array.clone(), op, Accumulate::Element, None, false, None, span);
        if rank < 2 || flat.ty.is_silent() {
            return Self::seq(before, flat);
        }
        let mut rest = self.once(flat, &mut before);
        let mut indices = Vec::new();
        for axis in (1..rank).rev() {
            let dim = Self::op(OpKind::Dim(axis), vec![array.clone()], Ty::strong(DType::I64), span);
            let dim = self.once(dim, &mut before);
            indices.push(Self::elem(ElemOp::Mod, vec![rest.clone(), dim.clone()], false, span));
            rest = Self::elem(ElemOp::FloorDiv, vec![rest, dim], false, span);
            rest = self.once(rest, &mut before);
        }
        indices.push(rest);
        indices.reverse();
        Self::seq(before, Self::tuple(indices, span))
    }

    /// `a.item()`: the only element.
    fn item(&mut self, args: &Arguments) -> Expr {
        let (array, span) = (args.value(0), args.span);
        match array.ty {
            Ty::Array { rank: 1.., .. } if let [index] = args.rest.as_slice() => {
                let found = self.prelude_call("indexing", "item_at", vec![array, index.clone()], span);
                self.own_of_python(found)
            }
            _ if !args.rest.is_empty() => self.later_expr(span, "an element by several indices"),
            Ty::Scalar(_) => self.own_of_python(array),
            Ty::Array { dtype, rank } => {
                let mut before = Vec::new();
                let array = self.once(array, &mut before);
                let size = self.size_of(&array, rank, span);
                let one = Self::elem(ElemOp::Eq, vec![size, Expr::int(1, span)], true, span);
                let message = "can only convert an array of size 1 to a Python scalar";
                before.push(Self::check(one, Exc::ValueError, message, vec![], span));
                let mut operands = vec![array];
                operands.extend((0..rank).map(|_| Expr::int(0, span)));
                let load = Self::op(OpKind::Load, operands, Ty::strong(dtype), span);
                let item = self.own_of_python(load);
                Self::seq(before, item)
            }
            _ => self.needs_array(args, 0),
        }
    }

    /// Whether a user's program asks what Python's own numbers lack.
    fn is_python_number(&self, value: &Expr) -> bool {
        self.unit.user && matches!(value.ty, Ty::Scalar(num) if num.weak)
    }

    /// The real or imaginary part.
    fn part(&mut self, op: ElemOp, args: &Arguments) -> Expr {
        let (value, span) = (args.value(0), args.span);
        // Those of Python's bools are integers.
        let value = if value.ty == Ty::BOOL { self.convert(value, Num::INT) } else { value };
        match value.ty.num() {
            Some(num) if num.dtype.is_complex() && value.ty.is_array() => {
                let part = if op == ElemOp::Re { ComplexPart::Real } else { ComplexPart::Imag };
                Self::part_view(value, part, span)
            }
            Some(num) if num.dtype.is_complex() => Self::elem(op, vec![value], num.weak, span),
            Some(_) if op == ElemOp::Re => value,
            Some(_) if value.ty.is_array() => {
                self.prelude_call("elementwise", "no_imaginary_part", vec![value], span)
            }
            Some(num) => self.zero_of(num, span),
            None => self.needs_array(args, 0),
        }
    }
}
