//! `np.einsum` with subscripts that are written in the call.
//!
//! ```text
//! np.einsum("ij,kj->ik", a, b)     ⇒     a @ b.T
//! np.einsum("ij,i->j", a, x)       ⇒     np.sum(a.T * x, axis=1)        with the sum in the element type
//! ```
//!
//! Two operands that share one index, which is summed, are a product of matrices. All else is a product of
//! views with the axes in one order, the summed ones last. `...` and diagonals that are kept are refused.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::infer::Infer;
use crate::typed::promote::promote;
use crate::typed::tree::{Expr, ExprKind, Stmt};
use crate::typed::ty::{Num, Ty};
use pydd_ir::catalogue::Accumulate;
use pydd_ir::{DType, ElemOp, Exc, IndexItem, OpKind, ReduceOp};

/// An operand with the letter of each axis.
type Operand = (Expr, Vec<char>);

impl Infer<'_, '_> {
    pub(super) fn einsum(&mut self, args: &Arguments) -> Expr {
        let (subscripts, span) = (args.value(0), args.span);
        let ExprKind::Text(text) = &subscripts.kind else {
            return self.not_constant("subscripts", &subscripts);
        };
        let (inputs, output) = match read(text) {
            Ok(read) => read,
            Err(why) => return self.error(code::TYPE_MISMATCH, subscripts.span, why, "in these subscripts"),
        };
        if inputs.len() != args.rest.len() {
            let headline = format!(
                "the subscripts are for {} operands, but {} are given",
                inputs.len(),
                args.rest.len()
            );
            return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "");
        }
        let mut before = Vec::new();
        let mut operands = Vec::new();
        for (value, letters) in args.rest.iter().zip(inputs) {
            match self.einsum_operand(value.clone(), letters, &output, &mut before) {
                Some(operand) => operands.push(operand),
                None => return Expr::error(span),
            }
        }
        let result = self.contracted(operands, &output, span);
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// An operand; where a letter stands twice its diagonal, which is summed.
    fn einsum_operand(
        &mut self,
        value: Expr,
        letters: Vec<char>,
        output: &[char],
        before: &mut Vec<Stmt>,
    ) -> Option<Operand> {
        let span = value.span;
        if value.ty.rank().map(usize::from) != Some(letters.len()) {
            let subscripts: String = letters.iter().collect();
            let diagnostic = Diagnostic::error(
                code::TYPE_MISMATCH,
                format!("the subscripts `{subscripts}` are for an array with {} axes", letters.len()),
            )
            .primary(span, format!("this is {}", value.ty));
            self.report(diagnostic);
            return None;
        }
        match letters.as_slice() {
            [a, b] if a == b && !output.contains(a) => {
                let value = self.once(value, before);
                let [rows, columns] =
                    [0, 1].map(|axis| Self::op(OpKind::Dim(axis), vec![value.clone()], Ty::INT, span));
                let square = Self::elem(ElemOp::Eq, vec![rows, columns], true, span);
                let message = "dimensions in operand for collapsing an index don't match";
                before.push(Self::check(square, Exc::ValueError, message, vec![], span));
                let diagonal = self.prelude_call("creation", "diag", vec![value, Expr::int(0, span)], span);
                Some((diagonal, vec![*a]))
            }
            _ if (1..letters.len()).any(|i| letters[..i].contains(&letters[i])) => {
                self.later(span, "a diagonal in `np.einsum` that is not summed alone");
                None
            }
            _ => Some((value, letters)),
        }
    }

    fn contracted(&mut self, operands: Vec<Operand>, output: &[char], span: Span) -> Expr {
        let nums = operands.iter().filter_map(|(value, _)| value.ty.num());
        let Some(num) = nums.reduce(promote).map(|num| Num::strong(num.dtype)) else {
            return Expr::error(span);
        };
        if let [a, b] = operands.as_slice()
            && let Some(product) = self.matrix_product(a, b, output, span)
        {
            return product;
        }
        let mut order = output.to_vec();
        for letter in operands.iter().flat_map(|(_, letters)| letters) {
            if !order.contains(letter) {
                order.push(*letter);
            }
        }
        let factors: Vec<Expr> = operands
            .into_iter()
            .map(|(value, letters)| {
                let value = self.convert(value, num);
                Self::spread(value, &letters, &order, num.dtype, span)
            })
            .collect();
        let product = factors
            .into_iter()
            .reduce(|a, b| self.binary(crate::syntax::ast::BinaryOp::Mul, a, b, span))
            .unwrap_or_else(|| Expr::error(span));
        if order.len() == output.len() || product.ty.is_silent() {
            return product;
        }
        let summed = (output.len()..order.len()).map(|axis| axis as u8).collect();
        let op = if num.dtype == DType::Bool { ReduceOp::Any } else { ReduceOp::Sum };
        self.reduce(product, op, Accumulate::Element, Some(summed), false, None, span)
    }

    /// A view with the axes in the order of `order`, those that are missing of length 1.
    fn spread(value: Expr, letters: &[char], order: &[char], dtype: DType, span: Span) -> Expr {
        let axes: Vec<u8> = order
            .iter()
            .filter_map(|letter| letters.iter().position(|own| own == letter))
            .map(|axis| axis as u8)
            .collect();
        let turned = match axes.is_sorted() {
            true => value,
            false => {
                let ty = Ty::array(dtype, axes.len() as u8);
                Self::op(OpKind::Transpose(axes), vec![value], ty, span)
            }
        };
        if letters.len() == order.len() {
            return turned;
        }
        let items = order.iter().map(|letter| match letters.contains(letter) {
            true => IndexItem::Slice { start: false, stop: false, step: false },
            false => IndexItem::New,
        });
        let ty = Ty::array(dtype, order.len() as u8);
        Self::op(OpKind::View(items.collect()), vec![turned], ty, span)
    }

    /// Vectors and matrices that share one index, which is summed, and whose others are kept.
    fn matrix_product(&mut self, a: &Operand, b: &Operand, output: &[char], span: Span) -> Option<Expr> {
        let (x, y) = (&a.1, &b.1);
        let shared: Vec<char> = x.iter().copied().filter(|letter| y.contains(letter)).collect();
        let [summed] = shared.as_slice() else { return None };
        let free: Vec<char> = x.iter().chain(y).copied().filter(|letter| letter != summed).collect();
        let all_kept = free.iter().all(|letter| output.contains(letter)) && free.len() == output.len();
        if x.len() > 2 || y.len() > 2 || !all_kept {
            return None;
        }
        let turn = |value: &Expr, turned: bool| match turned {
            false => value.clone(),
            true => Self::op(OpKind::Transpose(vec![1, 0]), vec![value.clone()], value.ty.clone(), span),
        };
        let left = turn(&a.0, x.len() == 2 && x[0] == *summed);
        let right = turn(&b.0, y.len() == 2 && y[1] == *summed);
        let product = self.matmul(left, right, span);
        Some(turn(&product, !product.ty.is_silent() && free.len() == 2 && free != output))
    }
}

/// The letters of each operand and of the result.
fn read(text: &str) -> Result<(Vec<Vec<char>>, Vec<char>), String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text.as_str(), None),
    };
    let letters = |part: &str| {
        let strange = part.chars().find(|c| !c.is_ascii_alphabetic());
        match strange {
            Some(c) => Err(format!("`{c}` in the subscripts of `np.einsum` is not supported")),
            None => Ok(part.chars().collect::<Vec<char>>()),
        }
    };
    let inputs = inputs.split(',').map(letters).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<char> = inputs.iter().flatten().copied().collect();
    let output = match output {
        Some(output) => letters(output)?,
        None => {
            let count = |letter: &char| all.iter().filter(|own| *own == letter).count();
            let mut once: Vec<char> = all.iter().copied().filter(|letter| count(letter) == 1).collect();
            once.sort_unstable();
            once
        }
    };
    for (i, letter) in output.iter().enumerate() {
        if !all.contains(letter) {
            return Err(format!("the output has the subscript `{letter}`, which no operand has"));
        }
        if output[..i].contains(letter) {
            return Err(format!("the output has the subscript `{letter}` more than once"));
        }
    }
    Ok((inputs, output))
}
