//! Calls of library functions, by the algebra of their catalogue entries, and what such calls read in their arguments:
//! functions, keys, comprehensions. No function is known by its name here: the catalogue says what each is.

mod along_axis;
pub(super) mod applied;
mod arguments;
mod bisect;
mod builtin;
mod creation;
mod display;
mod einsum;
mod elementwise;
mod extremum;
mod grid;
pub(super) mod keys;
mod kinds;
mod limits;
mod lists;
mod piecewise;
pub(super) mod printing;
mod reduction;
mod rounding;
mod shape;
mod squeeze;
pub(super) mod sum_of_arrays;
mod text;
mod ufunc;

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{self, Keyword};
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{self, Expr, ExprKind, StmtKind};
use crate::typed::types::dict_type::Container;
use crate::typed::types::promote;
use crate::typed::types::ty::{Num, Ty};
pub use applied::Given;
pub use arguments::Arguments;
use pydd_ir::catalogue::{Algebra, Builtin, Creation, Default, DictOp, Found, Param, ParamKind, Space};
use pydd_ir::{DType, Draw, Keep, LibOp, OpKind, Routine};

impl Infer<'_, '_> {
    /// The array that a function of Python's own, of one of these names, is called of in a Python file.
    fn array_of_built_in<'a>(&self, args: &'a Arguments, names: &[&str]) -> Option<&'a Expr> {
        let found = args.found;
        let is_pythons = self.def.is_python && found.space == Space::Bare && names.contains(&found.name);
        args.given().next().filter(|_| is_pythons)
    }

    /// Python's `sum` of an array adds in the array's element type, and NumPy's in 64 bits.
    fn wraps_in_python(&mut self, args: &Arguments) -> Option<Expr> {
        let array = self.array_of_built_in(args, &["sum"])?;
        let &Ty::Array { dtype, rank: 1 } = &array.ty else { return None };
        if !dtype.is_int() || dtype.size() >= 8 {
            return None;
        }
        let headline = format!("Python's `sum` of {dtype} adds in {dtype}, and wraps");
        let diagnostic = Diagnostic::error(code::NO_COMMON_TYPE, headline)
            .primary(array.span, "of these")
            .help("write `np.sum(…)`, which adds in 64 bits");
        Some(self.fail(diagnostic))
    }

    /// Of an array with several axes what Python has built in goes over the rows, and what has the same name here does not.
    fn on_rows(&mut self, args: &Arguments) -> Option<Expr> {
        let array = self.array_of_built_in(args, &["sum", "min", "max", "any", "all"])?;
        let rank = array.ty.rank().filter(|&rank| rank > 1)?;
        let name = args.found.name;
        let headline = format!("Python's `{name}` goes over the rows of an array with {rank} axes");
        let does = match name {
            "sum" => "adds them up",
            "min" | "max" => "compares them, which raises",
            _ => "asks them for their truth, which raises",
        };
        let (span, help) = (array.span, format!("write `np.{name}(…)`, with the `axis` that is meant"));
        let diagnostic = Diagnostic::error(code::RANK_MISMATCH, headline).primary(span, does).help(help);
        Some(self.fail(diagnostic))
    }

    pub(super) fn call_library(
        &mut self,
        found: Found,
        values: Vec<Expr>,
        args: &[ast::Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        // What is unpacked is several arguments.
        let alone = |arg: &ast::Expr| !matches!(arg.kind, ast::ExprKind::Starred(_));
        if let (Algebra::Builtin(builtin), [], [arg], []) =
            (found.entry.algebra, values.as_slice(), args, keywords)
            && alone(arg)
            && let Some(reduced) = self.reduced_comprehension(builtin, arg)
        {
            return reduced;
        }
        if let Algebra::Builtin(Builtin::Zip) = found.entry.algebra
            && let Some(arg) = args.iter().find(|arg| !alone(arg))
        {
            return self.columns_of_rows(arg.span);
        }
        if let (Algebra::Builtin(Builtin::IsInstance), [], [value, classes], []) =
            (found.entry.algebra, values.as_slice(), args, keywords)
            && let Some(known) = self.is_of_class(value, classes, span)
        {
            return known;
        }
        if let (Algebra::Builtin(Builtin::IsSubDType), [], [one, kind], []) =
            (found.entry.algebra, values.as_slice(), args, keywords)
        {
            return self.is_sub_dtype(one, kind, span);
        }
        if let (Algebra::Builtin(Builtin::Dict(DictOp::DefaultDict)), [], [factory], []) =
            (found.entry.algebra, values.as_slice(), args, keywords)
            && let Some(missing) = self.missing_of(factory)
        {
            return self.empty_dict(Container::Default(missing), span);
        }
        if let Algebra::Builtin(builtin) = found.entry.algebra
            && values.is_empty()
            && keywords.iter().any(|keyword| keyword.name.name == "key")
            && let Some(sorted) = self.with_key_function(builtin, args, keywords, span)
        {
            return sorted;
        }
        if let (
            Algebra::Builtin(
                builtin @ (Builtin::Min
                | Builtin::Max
                | Builtin::Sum
                | Builtin::Any
                | Builtin::All
                | Builtin::Sorted
                | Builtin::List
                | Builtin::Deque
                | Builtin::Dict(DictOp::Dict | DictOp::Set)),
            ),
            [],
            [arg],
        ) = (found.entry.algebra, values.as_slice(), args)
            && alone(arg)
            && let Some(list) = self.iterated(arg)
        {
            // The list is new.
            if list.ty.is_silent() || matches!(builtin, Builtin::List | Builtin::Deque) {
                return list;
            }
            return self.call_library(found, vec![list], &[], keywords, span);
        }
        if let (Algebra::Creation(Creation::Array | Creation::AsArray), [], [arg, rest @ ..]) =
            (found.entry.algebra, values.as_slice(), args)
            && alone(arg)
            && let Some(matrix) = self.matrix_of(arg)
        {
            return match matrix.ty.is_silent() {
                true => matrix,
                false => self.call_library(found, vec![matrix], rest, keywords, span),
            };
        }
        if let (Algebra::Builtin(Builtin::Applied(applied)), []) = (found.entry.algebra, values.as_slice()) {
            return self.applied_call(&found, applied, args, keywords, span);
        }
        let Some(args) = self.arguments(found, values, args, keywords, span) else {
            return Expr::error(span);
        };
        if args.given().any(|arg| arg.ty.is_silent()) {
            return Expr::silent(args.given(), span);
        }
        if let Some(refused) = self.wraps_in_python(&args).or_else(|| self.on_rows(&args)) {
            return refused;
        }
        if args.given().any(|value| matches!(value.ty, Ty::OtherForm(..))) {
            return self.other_form_call(args);
        }
        if args.given().any(|value| value.ty.sparse_type().is_some()) {
            return self.sparse_call(args);
        }
        if found.is_for_dicts() && args.given().any(|value| matches!(value.ty, Ty::EmptyDict(..))) {
            return self.on_unknown_dict(&args);
        }
        match found.entry.algebra {
            Algebra::Elementwise { op, promote } => self.elementwise(op, promote, args),
            Algebra::Reduction { op, accumulate } => self.reduction(op, accumulate, args),
            Algebra::Creation(kind) => {
                // Of this call, not of the one that it is an argument of.
                let around = self.wanted_rank;
                self.wanted_rank = around.filter(|(at, _)| *at == args.span);
                let made = self.creation(kind, args);
                self.wanted_rank = around;
                made
            }
            Algebra::Shape(kind) => self.shape(kind, args),
            Algebra::Contraction => {
                let (a, b) = (args.value(0), args.value(1));
                let product = self.matmul(a, b, span);
                match args.named("out") {
                    Some(out) => self.store_out(out, product, true, span),
                    None => product,
                }
            }
            Algebra::Opaque(op) => self.opaque(op, args),
            Algebra::Convert { dtype, weak } => match args.optional(0) {
                Some(real) if args.optional(1).is_some() => self.complex(real, args.value(1), span),
                Some(value) => self.conversion(value, Num { dtype, weak }, span),
                None => self.zero_of(Num { dtype, weak }, span),
            },
            Algebra::Constant(_) => self.error(
                code::NOT_CALLABLE,
                span,
                format!("`{}` is a number, not a function", found.name),
                "",
            ),
            Algebra::Builtin(builtin) => self.builtin(builtin, args),
            Algebra::Prelude { file, function } => self.prelude_function(file, function, args),
        }
    }

    /// A function written in the language: specialised for its constant arguments.
    pub(super) fn prelude_function(&mut self, file: &'static str, function: &str, args: Arguments) -> Expr {
        let span = args.span;
        let params = args.found.entry.params;
        let found = args.found;
        let out = args.named("out");
        let mut constants = Vec::new();
        let mut values = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let value = match param.default {
                // Where the result goes is not for the function to know, only of which type that is.
                _ if param.name == "out" => match out.as_ref().and_then(|out| out.ty.num()) {
                    Some(num) => Expr::new(ExprKind::Static, Ty::DType(Num::strong(num.dtype)), span),
                    None => Expr::none(span),
                },
                Default::Rest => Self::tuple(args.rest.clone(), span),
                _ if param.kind == ParamKind::Stored => self.stored_for(&args.value(0), args.value(index)),
                _ if param.counts() && !found.takes_all_as_given() => {
                    let counts = self.counts(args.value(index));
                    self.as_array_for(&found, *param, counts)
                }
                _ => self.as_array_for(&found, *param, args.value(index)),
            };
            // A literal where a tuple might stand as well tells how many values there are.
            let counts = param.kind == ParamKind::Display && value.is_constant() && value.as_int().is_some();
            let chooses = param.kind == ParamKind::Choice && value.is_constant();
            let is_static =
                counts || chooses || matches!(value.ty, Ty::None | Ty::DType(_) | Ty::TypeOf(_) | Ty::Str);
            if param.constant && !value.is_constant() {
                return self.not_constant(param.name, &value);
            }
            constants.push((param.constant || is_static).then(|| value.clone()));
            values.push(value);
        }
        self.library_call = self.unit.user.then_some(args);
        let result = self.prelude_instance(file, function, values, constants, span);
        self.library_call = None;
        if let Some(out) = out {
            return self.store_out(out, result, true, span);
        }
        // Other functions say themselves what they give.
        match &result.ty {
            Ty::Scalar(_) if found.gives_python_numbers() => self.own_of_python(result),
            _ => result,
        }
    }

    /// Lists and tuples of numbers become arrays for functions of arrays.
    fn as_array_for(&mut self, found: &Found, param: Param, value: Expr) -> Expr {
        let span = value.span;
        let value = if param.kind == ParamKind::Operand { Self::ufunc_operand(value) } else { value };
        let plain = matches!(param.kind, ParamKind::Value | ParamKind::Operand) && !param.constant;
        match &value.ty {
            _ if param.kind == ParamKind::Array => value,
            Ty::Lists(item) if found.joins_arrays() && param.kind == ParamKind::Display => match **item {
                Ty::Array { .. } => value,
                // Of `np.block` they are the rows of a matrix.
                Ty::List(_) if !found.makes_blocks() => {
                    self.prelude_call("sequence", "arrays_of_lists", vec![value], span)
                }
                _ => self.array_of_list(value, span),
            },
            ty if ty.is_sequence() && !found.takes_lists() => self.array_of_list(value, span),
            Ty::EmptyList(_) if !found.takes_lists() => Self::empty_array(DType::F64, span),
            Ty::Tuple(items)
                if plain
                    && !found.takes_all_as_given()
                    && items.iter().all(|item| item.scalar().is_some()) =>
            {
                self.array_of(value, None, span)
            }
            _ => value,
        }
    }

    /// Integers of NumPy's that count something, as Python's.
    fn counts(&mut self, value: Expr) -> Expr {
        let is_narrow = |ty: &Ty| matches!(ty, Ty::Scalar(num) if !num.weak && num.dtype.is_int() && *num != Num::strong(DType::I64));
        match &value.ty {
            ty if is_narrow(ty) => self.signed(value),
            Ty::Tuple(items) if items.iter().any(is_narrow) => {
                let (mut before, span) = (Vec::new(), value.span);
                let tuple = self.once(value, &mut before);
                let items = self.items_of(&tuple).into_iter().map(|item| self.counts(item)).collect();
                Self::seq(before, Self::tuple(items, span))
            }
            _ => value,
        }
    }

    /// What a function stores in an array: numbers, and lists of them, fit as on assignment.
    fn stored_for(&mut self, array: &Expr, value: Expr) -> Expr {
        let span = value.span;
        match (array.ty.num(), &value.ty) {
            (Some(num), ty) if ty.is_sequence() || matches!(ty, Ty::Tuple(_)) => {
                self.stored_list(value, num.dtype, span)
            }
            (Some(num), Ty::Scalar(_)) => self.stored(value, num.dtype),
            (_, Ty::EmptyList(_)) => Self::empty_array(DType::F64, span),
            _ => value,
        }
    }

    /// An operand of one of NumPy's elementwise functions, which know neither arrays without axes nor Python's bools.
    pub(super) fn ufunc_operand(value: Expr) -> Expr {
        let value = Self::number_of_rank_zero(value);
        match value.ty {
            Ty::Scalar(Num::BOOL) => Expr { ty: Ty::strong(DType::Bool), ..value },
            _ => value,
        }
    }

    /// What NumPy makes of `[]`.
    pub(super) fn empty_array(dtype: DType, span: Span) -> Expr {
        Self::op(OpKind::Empty, vec![Expr::int(0, span)], Ty::array(dtype, 1), span)
    }

    /// Stores a result into the array given as `out=`, which is what the call gives. The result of a reduction
    /// must have the array's shape, that of an elementwise function may be stretched to it.
    pub(super) fn store_out(&mut self, out: Expr, result: Expr, exact: bool, span: Span) -> Expr {
        if result.ty.is_silent() {
            return result;
        }
        let (Ty::Array { dtype, rank }, Some(own)) = (out.ty.clone(), result.ty.num()) else {
            let headline = format!("`out` is an array, not {}", out.ty);
            return self.error(code::TYPE_MISMATCH, out.span, headline, "expected an array");
        };
        let given = result.ty.rank().unwrap_or(0);
        if given > rank || exact && given != rank {
            let headline = format!("the result has rank {given} and does not fit into `out`");
            return self.error(code::INPLACE_SHAPE, out.span, headline, &format!("this is {}", out.ty));
        }
        if !promote::same_kind(Num::strong(own.dtype), dtype) {
            let headline =
                format!("the result is {} and cannot be stored in {}", own.dtype.numpy_name(), out.ty);
            return self.error(code::INPLACE_DTYPE, out.span, headline, "the type of `out`");
        }
        let mut before = Vec::new();
        let out = self.once(out, &mut before);
        let result = self.once(result, &mut before);
        if exact {
            for axis in 0..rank {
                let dims =
                    [&out, &result].map(|a| Self::op(OpKind::Dim(axis), vec![a.clone()], Ty::INT, span));
                let same = Self::elem(pydd_ir::ElemOp::Eq, dims.to_vec(), true, span);
                let message = "the output parameter has the wrong shape";
                before.push(Self::check(same, pydd_ir::Exc::ValueError, message, vec![], span));
            }
        }
        let stored = self.convert(result, Num::strong(dtype));
        let assign = StmtKind::Effect(OpKind::Assign, vec![out.clone(), stored]);
        before.push(tree::Stmt::new(assign, span));
        Self::seq(before, out)
    }

    pub(in crate::typed) fn not_constant(&mut self, name: &str, value: &Expr) -> Expr {
        let headline = format!("`{name}` must be known when the program is compiled");
        self.error(code::ARGUMENT_NOT_CONSTANT, value.span, headline, "not a constant")
    }

    fn opaque(&mut self, op: LibOp, args: Arguments) -> Expr {
        let span = args.span;
        match op {
            LibOp::Time => Self::op(OpKind::Lib(op), vec![], Ty::FLOAT, span),
            LibOp::Sort => {
                let array = self.as_operand(args.value(0));
                if array.ty.is_silent() {
                    return array;
                }
                if !array.ty.is_array() {
                    return self.needs_array(&args, 0);
                }
                if array.ty.rank() == Some(0) {
                    let headline = "axis -1 is out of bounds for array of dimension 0";
                    return self.error(
                        code::AXIS_OUT_OF_RANGE,
                        array.span,
                        headline,
                        "no axis to sort along",
                    );
                }
                let ty = array.ty.clone();
                let rank = ty.rank().unwrap_or(1);
                let axis = args.value(1);
                if axis.ty == Ty::None {
                    let flat = self.flat(array, span);
                    let ty = flat.ty.clone();
                    return Self::op(OpKind::Lib(op), vec![flat], ty, span);
                }
                let Some(constant) = axis.as_int() else { return self.not_constant("axis", &axis) };
                let Some(axis) = self.axis(constant, rank, axis.span) else { return Expr::error(span) };
                let mut order: Vec<u8> = (0..rank).collect();
                order.swap(usize::from(axis), usize::from(rank) - 1);
                let mut before = Vec::new();
                let array = self.once(array, &mut before);
                let turn = |a: Expr| Self::op(OpKind::Transpose(order.clone()), vec![a], ty.clone(), span);
                let sort = |a: Expr| Self::op(OpKind::Lib(op), vec![a], ty.clone(), span);
                let sorted = match axis + 1 == rank {
                    true => sort(array.clone()),
                    false => Self::op(OpKind::Copy, vec![turn(sort(turn(array.clone())))], ty.clone(), span),
                };
                Self::seq(before, Self::keeping_order(Keep::Copy, sorted, vec![array], span))
            }
            LibOp::Matmul => self.product(args.value(0), args.value(1), span),
            LibOp::Routine(routine) => self.routine(routine, &args),
            LibOp::Draw(draw) => self.draw(draw, &args),
        }
    }

    /// A random number: the generator, or None for the stream of `np.random`, and parameters.
    fn draw(&mut self, draw: Draw, args: &Arguments) -> Expr {
        let of = |dtype: DType| if dtype.is_float() { Num::FLOAT } else { Num::INT };
        let generator = args.optional(0).map(|generator| self.item_of(&generator, 0));
        let params = draw.params().iter().enumerate().map(|(i, &dtype)| (args.value(i + 1), of(dtype)));
        let params: Vec<Expr> = params.map(|(value, num)| self.convert(value, num)).collect();
        let operands = generator.into_iter().chain(params).collect();
        Self::op(OpKind::Lib(LibOp::Draw(draw)), operands, Ty::Scalar(of(draw.result())), args.span)
    }

    /// A statement of the prelude: arrays that are read, arrays that are written, and for transforms a scale.
    fn routine(&mut self, routine: Routine, args: &Arguments) -> Expr {
        let span = args.span;
        let arrays = routine.inputs() + routine.outputs();
        let mut operands: Vec<Expr> = (0..arrays).map(|i| args.value(i)).collect();
        if routine.facts().is_scaled {
            let scale = self.convert(args.value(arrays), Num::FLOAT);
            operands.push(scale);
        }
        let effect = StmtKind::Effect(OpKind::Lib(LibOp::Routine(routine)), operands);
        Self::seq(vec![tree::Stmt::new(effect, span)], Expr::none(span))
    }

    /// The error for something else where an array is needed.
    pub(super) fn needs_array(&mut self, args: &Arguments, index: usize) -> Expr {
        let value = args.value(index);
        let name = Self::shown_name(&args.found);
        let headline = format!("`{name}` needs an array, not {}", value.ty);
        self.error(code::TYPE_MISMATCH, value.span, headline, &format!("this is {}", value.ty))
    }

    /// `@`: of ranks of at least 1.
    pub(super) fn matmul(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        for operand in [&a, &b] {
            if operand.ty.rank().is_none_or(|rank| rank == 0) {
                let headline = format!("a matrix product needs arrays, not {}", operand.ty);
                let label = format!("this is {}", operand.ty);
                return self.error(code::MATMUL_RANK, operand.span, headline, &label);
            }
        }
        self.product(a, b, span)
    }

    /// The product of two arrays with one axis at least.
    fn product(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let (Some(m), Some(n)) = (a.ty.rank(), b.ty.rank()) else { return Expr::error(span) };
        let (Some(x), Some(y)) = (a.ty.num(), b.ty.num()) else { return Expr::error(span) };
        let num = promote::promote(x, y);
        let a = self.operand(a, num);
        let b = self.operand(b, num);
        let rank = match (m, n) {
            (1, 1) => return Self::op(OpKind::Lib(LibOp::Matmul), vec![a, b], Ty::Scalar(num), span),
            (1, n) => n - 1,
            (m, 1) => m - 1,
            (m, n) => m.max(n),
        };
        Self::op(OpKind::Lib(LibOp::Matmul), vec![a, b], Ty::array(num.dtype, rank), span)
    }

    // ---- conversion ----

    /// `float64()`: the type's zero.
    pub(super) fn zero_of(&mut self, num: Num, span: Span) -> Expr {
        let zero = Expr::bool(false, span);
        self.convert(zero, num)
    }

    /// `complex(real, imag)`.
    fn complex(&mut self, real: Expr, imag: Expr, span: Span) -> Expr {
        for part in [&real, &imag] {
            if part.ty.scalar().is_none_or(|num| num.dtype.is_complex()) {
                let headline = format!("`complex` needs two real numbers, not {}", part.ty);
                return self.error(code::TYPE_MISMATCH, part.span, headline, "");
            }
        }
        let parts = [real, imag].map(|part| self.convert(part, Num::FLOAT));
        Self::elem(pydd_ir::ElemOp::MakeComplex, parts.to_vec(), true, span)
    }

    /// `int(x)`, `np.float32(x)`: of numbers; of arrays as `astype`.
    pub(super) fn conversion(&mut self, value: Expr, to: Num, span: Span) -> Expr {
        let is_array = value.ty.is_array();
        // Of an array of rank 0 numbers are made, too.
        let value = Self::number_of_rank_zero(value);
        let value = Expr { span, ..value };
        match (&value.ty, to.dtype) {
            (Ty::Scalar(_), DType::Bool) => {
                let truth = self.truth(value);
                self.convert(truth, to)
            }
            // NumPy's complex numbers are their real parts, with a warning; Python's own are refused, and so are arrays by Python's types.
            (Ty::Scalar(from), d)
                if from.dtype.is_complex() && !d.is_complex() && !from.weak && (!is_array || !to.weak) =>
            {
                let real = Self::elem(pydd_ir::ElemOp::Re, vec![value], false, span);
                self.conversion(real, to, span)
            }
            (Ty::Scalar(from), d) if from.dtype.is_complex() && !d.is_complex() => {
                let headline = format!("a complex number cannot be converted to {}", to.name());
                self.error(code::TYPE_MISMATCH, span, headline, "use `.real`")
            }
            (Ty::Scalar(from), d) if from.is_float() && d.is_int() => {
                if from.weak || to.weak {
                    self.fit_float(value, to)
                } else {
                    self.convert(value, to)
                }
            }
            (Ty::Scalar(from), d) if from.dtype == DType::U64 && to.weak && d == DType::I64 => {
                self.fit_signed(value)
            }
            (Ty::Scalar(_), _) => self.operand(value, to),
            (Ty::Array { .. }, _) if !to.weak => self.convert(value, to),
            (Ty::List(_) | Ty::Tuples(_) | Ty::Lists(_) | Ty::EmptyList(_) | Ty::Tuple(_), DType::Bool) => {
                self.truth(value)
            }
            (Ty::Dict(_) | Ty::DictView(..) | Ty::EmptyDict(..), DType::Bool) => self.truth(value),
            (ty, _) if ty.is_silent() => Expr::error(span),
            (Ty::Str, d) if d.is_int() || d.is_float() => self.number_in_text(&value, to),
            (other, _) => {
                let headline = format!("{other} cannot be converted to {}", to.name());
                self.error(code::TYPE_MISMATCH, span, headline, &format!("this is {other}"))
            }
        }
    }

    /// `float("inf")`, `int("7")`: the number that a string literal holds.
    fn number_in_text(&mut self, value: &Expr, to: Num) -> Expr {
        let ExprKind::Text(text) = &value.kind else { return Expr::error(value.span) };
        let (digits, span) = (text.trim(), value.span);
        let number = match to.dtype.is_int() {
            true => digits.parse().ok().map(|number| Expr::int(number, span)),
            false => digits.parse().ok().map(|number| Expr::float(number, span)),
        };
        match number {
            Some(number) => self.convert(number, to),
            None => {
                let what = if to.dtype.is_int() { "an integer" } else { "a number" };
                let headline = format!("could not convert string to {}: '{text}'", to.name());
                self.error(code::TYPE_MISMATCH, span, headline, &format!("this is not {what}"))
            }
        }
    }

    /// `a.astype(t)`: always a copy.
    pub(super) fn as_type(&mut self, value: Expr, to: Num, span: Span) -> Expr {
        if value.ty.scalar().is_some_and(|num| !num.weak) {
            return self.convert(Expr { span, ..value }, Num::strong(to.dtype));
        }
        let Ty::Array { dtype, .. } = value.ty else { return self.conversion(value, to, span) };
        if dtype != to.dtype {
            return self.convert(Expr { span, ..value }, to);
        }
        self.copied_as_it_lies(value, span)
    }

    /// A copy whose axes lie as those of the array do (`order='K'`).
    pub(super) fn copied_as_it_lies(&mut self, value: Expr, span: Span) -> Expr {
        self.copied_keeping(Keep::Copy, value, span)
    }

    /// A copy whose axes lie as the array's demand.
    pub(super) fn copied_keeping(&mut self, keep: Keep, value: Expr, span: Span) -> Expr {
        let ty = value.ty.clone();
        // The prelude's copies are row-major.
        if !self.unit.user || ty.rank().is_none_or(|rank| rank < 2) {
            return Self::op(OpKind::Copy, vec![value], ty, span);
        }
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let copy = Self::op(OpKind::Copy, vec![value.clone()], ty, span);
        Self::seq(before, Self::keeping_order(keep, copy, vec![value], span))
    }

    /// A fresh array with its axes in the order of another one's.
    pub(super) fn lying_as(&self, fresh: Expr, other: Expr, span: Span) -> Expr {
        if self.unit.user { Self::keeping_order(Keep::Copy, fresh, vec![other], span) } else { fresh }
    }

    /// A fresh array whose axes lie as others demand, in the prelude too.
    pub(super) fn keeping_order(keep: Keep, fresh: Expr, others: Vec<Expr>, span: Span) -> Expr {
        if others.is_empty() || fresh.ty.rank().is_none_or(|rank| rank < 2) {
            return fresh;
        }
        let ty = fresh.ty.clone();
        let args = std::iter::once(fresh).chain(others).collect();
        Self::op(OpKind::KeepOrder(keep), args, ty, span)
    }

    /// A shape argument: a size, or a tuple of sizes.
    pub(super) fn sizes(&mut self, value: Expr, before: &mut Vec<tree::Stmt>) -> Option<Vec<Expr>> {
        match &value.ty {
            Ty::Tuple(items) => {
                let count = items.len();
                let parts = match value.kind {
                    ExprKind::Tuple(items) => items,
                    _ => {
                        let tuple = self.once(value, before);
                        (0..count).map(|i| self.item_of(&tuple, i)).collect()
                    }
                };
                let sizes: Vec<Expr> = parts.into_iter().map(|part| self.as_index(part)).collect();
                (!sizes.iter().any(|s| s.ty.is_silent())).then_some(sizes)
            }
            Ty::List(num) if num.dtype.is_int() => self.listed_sizes(value, before),
            _ => {
                let size = self.as_index(value);
                (!size.ty.is_silent()).then(|| vec![size])
            }
        }
    }
}
