//! Sparse matrices: how their operators, attributes and functions become those of the prelude. A sparse matrix is
//! a bundle of five values, three arrays and two integers, as a tuple is one of its items.

use crate::diagnostics::{Diagnostic, code, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, CompareOp, Ident, UnaryOp};
use crate::typed::flow::infer::Infer;
use crate::typed::library::Arguments;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::{Form, Num, Ty};
use pydd_ir::catalogue::{self, Algebra, Builtin, Found, Space, SparseOperation, SparsePart, Test};
use pydd_ir::{DType, ElemOp, OpKind, SparseType};

/// The prelude's files.
const FILE: &str = "sparse";
const MADE: &str = "sparse_make";
const VALUES: &str = "sparse_values";
/// The product element by element.
const ELEMENTWISE_PRODUCT: &str = "multiply";

/// Whether a matrix may be made of dense blocks.
const fn is_of_blocks(ty: &Ty) -> bool {
    matches!(ty, Ty::OtherForm(_, Form::Blocks))
}

/// Whether a type is that of a sparse matrix of any form.
pub const fn is_sparse(ty: &Ty) -> bool {
    matches!(ty, Ty::Sparse(_) | Ty::OtherForm(..))
}

impl Infer<'_, '_> {
    // ---- parts ----

    pub(in crate::typed) fn sparse_part(&mut self, part: SparsePart, value: Expr, span: Span) -> Expr {
        let Some(sparse) = value.ty.sparse_type() else { return Expr::error(span) };
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let items: Vec<Expr> = (0..SparseType::PARTS).map(|i| self.item_of(&value, i)).collect();
        let [indptr, indices, data, rows, columns] = <[Expr; SparseType::PARTS]>::try_from(items)
            .unwrap_or_else(|_| std::array::from_fn(|_| Expr::error(span)));
        // Where rows are compressed, `indptr` says how many there are, which decides the bounds of loops over it.
        let (rows, columns) = match part {
            SparsePart::Shape if sparse.csc => (rows, Self::compressed(&indptr, span)),
            SparsePart::Shape => (Self::compressed(&indptr, span), columns),
            _ => (rows, columns),
        };
        let part = match part {
            SparsePart::Indptr => indptr,
            SparsePart::Indices if self.unit.user => self.stored_entries(&indptr, indices, span),
            SparsePart::Data if self.unit.user => self.stored_entries(&indptr, data, span),
            SparsePart::Indices => indices,
            SparsePart::Data => data,
            SparsePart::Shape => Self::tuple(vec![rows, columns], span),
            SparsePart::Transposed => {
                let parts = vec![indptr, indices, data, columns, rows];
                let ty = Ty::Sparse(SparseType { csc: !sparse.csc, ..sparse });
                Expr::new(ExprKind::Tuple(parts), ty, span)
            }
        };
        Self::seq(before, part)
    }

    /// How many rows, or columns, are compressed.
    fn compressed(indptr: &Expr, span: Span) -> Expr {
        let bounds = Self::op(OpKind::Dim(0), vec![indptr.clone()], Ty::INT, span);
        Self::elem(ElemOp::Sub, vec![bounds, Expr::int(1, span)], true, span)
    }

    /// Of an array with room for more entries those that are there.
    fn stored_entries(&mut self, indptr: &Expr, array: Expr, span: Span) -> Expr {
        self.prelude_call(FILE, "stored_entries", vec![indptr.clone(), array], span)
    }

    /// A matrix in compressed rows from its parts, of the kind of another one, or of `"array"`.
    pub(in crate::typed) fn csr_of(&mut self, args: &Arguments) -> Expr {
        let span = args.span;
        let mut parts: Vec<Expr> = (1..=SparseType::PARTS).map(|i| args.value(i)).collect();
        for size in &mut parts[3..] {
            *size = self.as_index(size.clone());
        }
        let dtype = |part: &Expr| part.ty.num().map(|num| num.dtype);
        let wrong = "these are no parts of a sparse matrix";
        let (Some(index), Some(own)) = (dtype(&parts[1]), dtype(&parts[2])) else {
            return self.error(code::TYPE_MISMATCH, span, wrong, "");
        };
        let Some(index) = index_type(index) else {
            let headline = "the indices of a sparse matrix are integers";
            return self.error(code::TYPE_MISMATCH, span, headline, &format!("these are {index}"));
        };
        for part in &mut parts[..2] {
            *part = self.convert(part.clone(), Num::strong(index));
        }
        let array = match args.value(0) {
            Expr { kind: ExprKind::Text(kind), .. } => kind == "array",
            like => like.ty.sparse_type().is_some_and(|like| like.array),
        };
        let ty = Ty::Sparse(SparseType { dtype: own, index, array, csc: false });
        let types = ty.parts().unwrap_or_default();
        if parts.iter().zip(&types).any(|(part, ty)| part.ty != *ty) {
            return self.error(code::TYPE_MISMATCH, span, wrong, "");
        }
        Expr::new(ExprKind::Tuple(parts), ty, span)
    }

    /// The same matrix with indices of a type that holds them.
    pub(in crate::typed) fn sparse_with_index(&mut self, value: Expr, index: DType) -> Expr {
        let Some(sparse) = value.ty.sparse_type().filter(|sparse| sparse.index != index) else {
            return value;
        };
        let span = value.span;
        let ty = Ty::Sparse(SparseType { index, ..sparse });
        let mut before = Vec::new();
        let value = self.once(value, &mut before);
        let types = ty.parts().unwrap_or_default();
        let parts = (0..SparseType::PARTS).map(|i| {
            let part = self.item_of(&value, i);
            match types[i].num() {
                Some(num) => self.convert(part, num),
                None => part,
            }
        });
        let parts = parts.collect();
        Self::seq(before, Expr::new(ExprKind::Tuple(parts), ty, span))
    }

    /// The same matrix in compressed rows.
    pub(in crate::typed) fn sparse_in_rows(&mut self, value: Expr) -> Expr {
        let span = value.span;
        self.prelude_call(FILE, "tocsr", vec![value], span)
    }

    // ---- attributes and functions ----

    /// `matrix.attr`.
    pub(in crate::typed) fn sparse_attribute(&mut self, receiver: Expr, attr: &Ident, span: Span) -> Expr {
        if let Some(found) = catalogue::find(Space::SparseAttribute, &attr.name) {
            return self.call_library(found, vec![receiver], &[], &[], span);
        }
        if catalogue::find(Space::Sparse, &attr.name).is_some() {
            let name = &attr.name;
            let diagnostic =
                Diagnostic::error(code::ASSIGN_TO_FUNCTION, format!("method `{name}` is not called"))
                    .primary(attr.span, "a method")
                    .help(format!("call it: `.{name}(…)`"));
            return self.fail(diagnostic);
        }
        let known = catalogue::names(Space::SparseAttribute).chain(catalogue::names(Space::Sparse));
        let near = did_you_mean(&attr.name, known).map(|near| format!("did you mean `.{near}`?"));
        let headline = format!("{} has no attribute `{}`", receiver.ty, attr.name);
        let diagnostic = Diagnostic::error(code::UNKNOWN_ATTRIBUTE, headline)
            .primary(attr.span, "no such attribute")
            .secondary(receiver.span, format!("this is {}", receiver.ty))
            .maybe_help(near);
        self.fail(diagnostic)
    }

    /// A library function with a sparse matrix among its arguments: one for these, or one of the same name.
    pub(in crate::typed) fn sparse_call(&mut self, args: Arguments) -> Expr {
        let found = args.found;
        match found.entry.algebra {
            Algebra::Prelude { file, function } if found.is_for_sparse() => {
                self.make_masked_product(function, args.given(), args.span);
                return self.prelude_function(file, function, args);
            }
            Algebra::Builtin(
                builtin @ (Builtin::SparsePart(_)
                | Builtin::CsrOf
                | Builtin::SetItem { .. }
                | Builtin::Restructure(_)
                | Builtin::OtherForm { .. }
                | Builtin::Is(_)
                | Builtin::DType
                | Builtin::Require(_)),
            ) => return self.builtin(builtin, args),
            Algebra::Contraction => {
                let (a, b) = (args.value(0), args.value(1));
                return self.matmul(a, b, args.span);
            }
            _ => {}
        }
        if self.unit.user && found.space == Space::Numpy && !Self::is_by_method(&args) {
            return self.not_for_sparse(&found, &args, args.span);
        }
        let own = catalogue::find(Space::Sparse, found.name);
        let own = own.or_else(|| catalogue::find(Space::SparseAttribute, found.name));
        let span = args.span;
        match own.and_then(|own| args.clone().for_entry(Found { space: found.space, ..own })) {
            Some(args) => self.sparse_call(args),
            None => self.not_for_sparse(&found, &args, span),
        }
    }

    /// Whether a function of NumPy calls the method of the matrix that is among its arguments.
    fn is_by_method(args: &Arguments) -> bool {
        let is_array = |value: &Expr| value.ty.sparse_type().map(|sparse| sparse.array);
        let scaled = args.given().any(|value| value.ty.scalar().is_some());
        let dense = args.given().any(|value| value.ty.is_array());
        let arrays = args.given().filter_map(is_array).all(|array| array);
        catalogue::is_by_method(args.found.name, arrays && !dense, scaled && !dense)
    }

    /// Where a matrix in compressed rows is multiplied element by element, has the function made that passes put in its place if
    /// the matrix is a product of such (see [`SparseOperation`]): they make none of the prelude's.
    fn make_masked_product<'e>(
        &mut self,
        function: &str,
        operands: impl Iterator<Item = &'e Expr>,
        span: Span,
    ) {
        let types: Vec<Ty> = operands.map(|operand| operand.ty.clone()).collect();
        let rows = |ty: &Ty| ty.sparse_type().is_some_and(|sparse| !sparse.csc && !sparse.dtype.is_complex());
        if let [matrix, mask] = &types[..]
            && function == ELEMENTWISE_PRODUCT
            && rows(matrix)
            && rows(mask)
        {
            let operand = |ty: &Ty| Expr { ty: ty.clone(), ..Expr::error(span) };
            let operands = vec![operand(matrix), operand(matrix), operand(mask)];
            self.prelude_call(
                SparseOperation::FILE,
                SparseOperation::MaskedProduct.function(),
                operands,
                span,
            );
        }
    }

    fn not_for_sparse(&mut self, found: &Found, args: &Arguments, span: Span) -> Expr {
        let name = Self::shown_name(found);
        let sparse = args.given().find(|value| value.ty.sparse_type().is_some());
        let (at, ty) = sparse.map_or((span, String::new()), |value| (value.span, value.ty.to_string()));
        let diagnostic =
            Diagnostic::error(code::TYPE_MISMATCH, format!("`{name}` does not take these arguments"))
                .primary(at, format!("this is {ty}"))
                .help("make an array of it: `.toarray()`, or work on its entries: `.data`");
        self.fail(diagnostic)
    }

    /// `spm_set_item(A, value, row, column)`: the variable stands for the changed matrix from here on. In Python
    /// the matrix itself changes, which is the same where no other name stands for it.
    pub(in crate::typed) fn sparse_set_item(&mut self, search: bool, args: &Arguments) -> Expr {
        let span = args.span;
        let matrix = args.value(0);
        let Some(name) = self.own_matrix(&matrix) else { return Expr::error(span) };
        let Some(sparse) = matrix.ty.sparse_type().filter(|sparse| !sparse.csc) else {
            return self.later_expr(matrix.span, "storing entries by columns");
        };
        let (row, column) = (self.as_index(args.value(2)), self.as_index(args.value(3)));
        let value = self.stored(args.value(1), sparse.dtype);
        let function = if search { "with_item" } else { "with_item_unsafe" };
        let changed = self.prelude_call("sparse_build", function, vec![matrix, value, row, column], span);
        self.assign(name, changed, span);
        self.has_growing = true;
        Expr::none(span)
    }

    /// The variable that is the only name of a matrix, so that a change of its structure is seen by nobody else.
    fn own_matrix(&mut self, matrix: &Expr) -> Option<usize> {
        let variable = match matrix.kind {
            ExprKind::Local(local) => self.name_index(&self.locals[local.index()].name.clone()),
            _ => None,
        };
        let own = variable.filter(|&name| self.is_own(self.name_of(name)));
        if own.is_none() {
            let diagnostic = Diagnostic::error(
                code::NOT_WRITABLE,
                "entries can only be stored in a matrix that this function made and that has one name",
            )
            .primary(matrix.span, "may be known by another name, or to the caller")
            .help("make a copy first: `B = A.copy()`; elements that are stored already change by `A.data[k] = …`");
            self.report(diagnostic);
        }
        own
    }

    /// `A.eliminate_zeros()` and its like: the variable stands for the changed matrix from here on.
    pub(in crate::typed) fn sparse_restructure(&mut self, function: &str, args: &Arguments) -> Expr {
        let span = args.span;
        let matrix = args.value(0);
        let Some(name) = self.own_matrix(&matrix) else { return Expr::error(span) };
        let params = args.found.entry.params.len();
        let values = (0..params).map(|i| args.value(i)).collect();
        let changed = self.prelude_call(MADE, function, values, span);
        self.assign(name, changed, span);
        Expr::none(span)
    }

    // ---- other forms ----

    pub(in crate::typed) fn in_other_form(value: Expr, blocks: bool) -> Expr {
        let form = if blocks { Form::Blocks } else { Form::Entries };
        match value.ty {
            Ty::Sparse(sparse) => Expr { ty: Ty::OtherForm(sparse, form), ..value },
            _ => value,
        }
    }

    fn in_compressed_form(value: Expr) -> Expr {
        match value.ty {
            Ty::OtherForm(sparse, _) => Expr { ty: Ty::Sparse(sparse), ..value },
            _ => value,
        }
    }

    /// A library function with a matrix of another form among its arguments. What comes of it is of such a form as
    /// well, unless it was asked for rows or columns.
    pub(in crate::typed) fn other_form_call(&mut self, mut args: Arguments) -> Expr {
        if let Algebra::Builtin(Builtin::Is(Test::OtherForm)) = args.found.entry.algebra {
            return self.builtin(Builtin::Is(Test::OtherForm), args);
        }
        if self.unit.user && !catalogue::is_for_any_form(&args.found) {
            let matrix = args.given().find(|value| is_sparse(&value.ty)).cloned();
            let span = args.span;
            return self.not_in_compressed_form(&matrix.unwrap_or_else(|| Expr::error(span)), span);
        }
        let found = args.found;
        let blocks = args.given().any(|value| is_of_blocks(&value.ty));
        args.each(Self::in_compressed_form);
        let result = self.sparse_call(args);
        match catalogue::keeps_form(&found) {
            true => Self::in_other_form(result, blocks),
            false => result,
        }
    }

    pub(in crate::typed) fn not_in_compressed_form(&mut self, matrix: &Expr, span: Span) -> Expr {
        let diagnostic =
            Diagnostic::error(code::TYPE_MISMATCH, "this needs a matrix in compressed rows or columns")
                .primary(span, "depends on which entries are stored, and in which order")
                .secondary(matrix.span, format!("this is {}", matrix.ty))
                .help("convert it first: `.tocsr()`, or ask for `format=\"csr\"` where it is made");
        self.fail(diagnostic)
    }

    /// Without the room behind the entries, where a matrix is returned; in tuples as well.
    pub(in crate::typed) fn without_room(&mut self, value: Expr) -> Expr {
        let span = value.span;
        match (&value.ty, value.kind) {
            (Ty::Sparse(_), kind) if self.has_growing => {
                let matrix = Expr { kind, ..value };
                self.prelude_call(FILE, "without_room", vec![matrix], span)
            }
            (Ty::Tuple(_), ExprKind::Tuple(items)) => {
                let items = items.into_iter().map(|item| self.without_room(item)).collect();
                Expr { kind: ExprKind::Tuple(items), ..value }
            }
            (_, kind) => Expr { kind, ..value },
        }
    }

    // ---- operators ----

    pub(in crate::typed) fn sparse_unary(&mut self, op: UnaryOp, value: Expr, span: Span) -> Expr {
        match op {
            UnaryOp::Neg if matches!(value.ty, Ty::OtherForm(..)) => {
                let blocks = is_of_blocks(&value.ty);
                let negated = self.sparse_unary(op, Self::in_compressed_form(value), span);
                Self::in_other_form(negated, blocks)
            }
            UnaryOp::Neg => self.prelude_call(FILE, "negative", vec![value], span),
            _ => {
                let headline = format!("bad operand type for unary {}: {}", op.symbol(), value.ty);
                self.error(code::UNSUPPORTED_OPERAND, span, headline, &format!("this is {}", value.ty))
            }
        }
    }

    /// `left op right`, where one of them is sparse.
    pub(in crate::typed) fn sparse_binary(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        if [&left, &right].into_iter().any(|value| matches!(value.ty, Ty::OtherForm(..))) {
            return self.other_form_binary(op, left, right, span);
        }
        let number = |value: &Expr| value.ty.scalar().is_some();
        let (scaled, both) = (number(&left) || number(&right), [&left, &right]);
        let matrix = both.iter().any(|value| value.ty.sparse_type().is_some_and(|sparse| !sparse.array));
        let taken = both.iter().all(|value| value.ty.sparse_type().is_some() || value.ty.num().is_some());
        let function = match op {
            _ if !taken => None,
            BinaryOp::MatMul if scaled => None,
            BinaryOp::MatMul => Some("matmul"),
            BinaryOp::Add if !scaled => Some("add"),
            BinaryOp::Sub if !scaled => Some("subtract"),
            BinaryOp::Mul if scaled => Some("scale"),
            BinaryOp::Mul if matrix => return self.ambiguous_product(&left, &right, span),
            BinaryOp::Mul => Some(ELEMENTWISE_PRODUCT),
            BinaryOp::Div if number(&right) => Some("divide"),
            _ => None,
        };
        let Some(function) = function else { return self.no_sparse_operator(op, &left, &right, span) };
        // A matrix is scaled by the number beside it, whichever comes first.
        let operands = match op {
            BinaryOp::Mul if number(&left) => vec![right, left],
            _ => vec![left, right],
        };
        self.make_masked_product(function, operands.iter(), span);
        self.prelude_call(FILE, function, operands, span)
    }

    /// As [`sparse_binary`](Self::sparse_binary), where one of them is of another form. Sums with rows are rows, as are
    /// products from the left by rows, and those of entries by rows.
    fn other_form_binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let (rows, blocks) = (matches!(left.ty, Ty::Sparse(_)), [&left, &right].map(|v| is_of_blocks(&v.ty)));
        let sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        if sum && !rows && blocks.contains(&true) && is_sparse(&left.ty) && is_sparse(&right.ty) {
            let at = if blocks[0] { left } else { right };
            return self.not_in_compressed_form(&at, span);
        }
        let by_rows = matches!(right.ty, Ty::Sparse(_));
        let of_entries = matches!(left.ty, Ty::OtherForm(_, Form::Entries));
        let of_rows = sum && (rows || by_rows) || op == BinaryOp::MatMul && (rows || of_entries && by_rows);
        let operands = [left, right].map(Self::in_compressed_form);
        let [left, right] = operands;
        let result = self.sparse_binary(op, left, right, span);
        if of_rows { result } else { Self::in_other_form(result, blocks.contains(&true)) }
    }

    /// `left op right`, where one of them is sparse: a sparse matrix of bools.
    pub(in crate::typed) fn sparse_comparison(
        &mut self,
        op: CompareOp,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Expr {
        let (op, left, right) =
            if is_sparse(&left.ty) { (op, left, right) } else { (exchanged(op), right, left) };
        if let Some(other) = [&left, &right].into_iter().find(|value| matches!(value.ty, Ty::OtherForm(..))) {
            let other = other.clone();
            return self.not_in_compressed_form(&other, span);
        }
        let text = Expr::new(ExprKind::Text(op.symbol().into()), Ty::Str, span);
        let array = left.ty.sparse_type().is_some_and(|sparse| sparse.array);
        let ordered = !matches!(op, CompareOp::Eq | CompareOp::NotEq);
        match right.ty.scalar() {
            Some(num) if num.dtype.is_complex() && ordered => {
                self.error(code::COMPLEX_ORDER, span, "complex numbers have no order", "not ordered")
            }
            Some(_) => self.prelude_call(VALUES, "compared", vec![left, right, text], span),
            None if right.ty.sparse_type().is_some() => {
                self.prelude_call(VALUES, "compared_entries", vec![left, right, text], span)
            }
            None if array && right.ty.is_array() => {
                let dense = self.prelude_call(FILE, "toarray", vec![left], span);
                self.compare(op, dense, right, span)
            }
            None => {
                let headline =
                    format!("`{}` not supported between {} and {}", op.symbol(), left.ty, right.ty);
                let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
                    .primary(span, "")
                    .help("compare arrays: `A.toarray()`, or entries: `A.data`");
                self.fail(diagnostic)
            }
        }
    }

    /// SciPy's `*` of matrices is `@`, of arrays it is elementwise.
    fn ambiguous_product(&mut self, left: &Expr, right: &Expr, span: Span) -> Expr {
        let headline = "`*` with a SparseMat is the matrix product in SciPy, and elementwise elsewhere";
        let diagnostic = Diagnostic::error(code::SPARSE_MULTIPLY, headline)
            .primary(span, format!("{} * {}", left.ty, right.ty))
            .help("write `A @ B`, or `A.multiply(B)` for the elementwise product");
        self.fail(diagnostic)
    }

    fn no_sparse_operator(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Expr {
        let symbol = op.symbol();
        let headline = format!("unsupported operand types for {symbol}: {} and {}", left.ty, right.ty);
        let number = left.ty.scalar().is_some() || right.ty.scalar().is_some();
        let help = match op {
            BinaryOp::Add | BinaryOp::Sub if number => {
                Some("adding a number makes a dense array: `A.toarray() + …`")
            }
            BinaryOp::MatMul if number => Some("multiply by a number with `*`"),
            _ => None,
        };
        let diagnostic = Diagnostic::error(code::UNSUPPORTED_OPERAND, headline)
            .primary(span, "not for a sparse matrix")
            .maybe_help(help);
        self.fail(diagnostic)
    }
}

/// The comparison that says the same with its operands exchanged.
const fn exchanged(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::LtEq => CompareOp::GtEq,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::GtEq => CompareOp::LtEq,
        other => other,
    }
}

/// The type in which a matrix keeps indices that are given in this one.
fn index_type(given: DType) -> Option<DType> {
    match given {
        DType::I64 | DType::U32 | DType::U64 => Some(DType::I64),
        given if given.is_int() => Some(DType::I32),
        _ => None,
    }
}
