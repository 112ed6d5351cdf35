//! `np.einsum` with subscripts that are written in the call.
//!
//! ```text
//! np.einsum("ij,kj->ik", a, b)     ⇒     a @ b.T
//! np.einsum("ij,i->j", a, x)       ⇒     np.sum(a.T * x, axis=1)        with the sum in the element type
//! ```
//!
//! Two operands that share one index, which is summed, are a product of matrices, or of stacks of matrices. All else is a
//! product of views with the axes in one order, the summed ones last, or last but one. Axes that `...` stands for have digits as letters, the
//! last one being the same for all operands. Of a letter that stands twice the diagonal is taken first. With `optimize=True`
//! more than two operands are multiplied pair by pair.

use super::arguments::Arguments;
use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind, Stmt};
use crate::typed::types::promote::promote;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::catalogue::Accumulate;
use pydd_ir::{DType, IndexItem, OpKind, ReduceOp};

/// An operand with the letter of each axis.
type Operand = (Expr, Vec<char>);

impl Infer<'_, '_> {
    pub(super) fn einsum(&mut self, args: &Arguments) -> Expr {
        let (subscripts, span) = (args.value(0), args.span);
        let ExprKind::Text(text) = &subscripts.kind else {
            return self.not_constant("subscripts", &subscripts);
        };
        let count = inputs_of(text).count();
        if count != args.rest.len() {
            let headline =
                format!("the subscripts are for {count} operands, but {} are given", args.rest.len());
            return self.error(code::WRONG_ARGUMENT_COUNT, span, headline, "");
        }
        let ranks: Vec<usize> = args.rest.iter().map(|value| value.ty.rank().unwrap_or(0).into()).collect();
        let (inputs, output) = match read(text, &ranks) {
            Ok(read) => read,
            Err(why) => return self.error(code::TYPE_MISMATCH, subscripts.span, why, "in these subscripts"),
        };
        let is_view = args.rest.len() == 1 && inputs[0].iter().all(|letter| output.contains(letter));
        let mut before = Vec::new();
        let mut operands = Vec::new();
        for (value, letters) in args.rest.iter().zip(inputs) {
            match self.einsum_operand(value.clone(), letters, is_view, &mut before) {
                Some(operand) => operands.push(operand),
                None => return Expr::error(span),
            }
        }
        if is_optimized(args) && operands.iter().all(|(_, letters)| !letters.is_empty()) {
            operands =
                operands.into_iter().map(|(value, own)| (self.once(value, &mut before), own)).collect();
            operands = self.contracted_by_pairs(operands, &output, span);
        }
        let result = self.contracted(operands, &output, span);
        if result.ty.is_silent() { result } else { Self::seq(before, result) }
    }

    /// An operand; where a letter stands twice its diagonal.
    fn einsum_operand(
        &mut self,
        value: Expr,
        letters: Vec<char>,
        is_view: bool,
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
        let twice =
            |i: &usize| letters[..*i].iter().position(|own| *own == letters[*i]).map(|first| (first, *i));
        let Some((first, second)) = (1..letters.len()).find_map(|i| twice(&i)) else {
            return Some((value, letters));
        };
        let value = self.once(value, before);
        let axes = [first, second].map(|axis| Expr::int(axis as i64, span));
        let constants = vec![None, Some(axes[0].clone()), Some(axes[1].clone())];
        let [first_axis, second_axis] = axes;
        let parts = vec![value, first_axis, second_axis];
        let function = if is_view { "collapsed_view" } else { "collapsed" };
        let diagonal = self.prelude_instance("linalg", function, parts, constants, span);
        let mut left = letters;
        let letter = left.remove(second);
        left.remove(first);
        left.push(letter);
        self.einsum_operand(diagonal, left, is_view, before)
    }

    /// Two operands in place of more: those first whose product has the fewest axes.
    fn contracted_by_pairs(
        &mut self,
        mut operands: Vec<Operand>,
        output: &[char],
        span: Span,
    ) -> Vec<Operand> {
        let nums = operands.iter().filter_map(|(value, _)| value.ty.num());
        let Some(num) = nums.reduce(promote).map(|num| Num::strong(num.dtype)) else { return operands };
        while operands.len() > 2 {
            let pairs = (0..operands.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
            let kept = |&(i, j): &(usize, usize)| kept_of_pair(&operands, i, j, output);
            let best = pairs.filter(|pair| !kept(pair).is_empty()).min_by_key(|pair| kept(pair).len());
            let Some((i, j)) = best else { break };
            let kept = kept(&(i, j));
            let second = operands.remove(j);
            let first = operands.remove(i);
            let pair = [first, second].map(|(value, letters)| (self.convert(value, num), letters)).to_vec();
            let product = self.contracted(pair, &kept, span);
            if product.ty.is_silent() {
                return vec![(product, kept)];
            }
            operands.insert(i, (product, kept));
        }
        operands
    }

    fn contracted(&mut self, operands: Vec<Operand>, output: &[char], span: Span) -> Expr {
        let nums = operands.iter().filter_map(|(value, _)| value.ty.num());
        let Some(num) = nums.reduce(promote).map(|num| Num::strong(num.dtype)) else {
            return Expr::error(span);
        };
        if let [a, b] = operands.as_slice()
            && let Some(product) = self
                .matrix_product(a, b, output, span)
                .or_else(|| self.stacked_product(a, b, output, num, span))
        {
            return product;
        }
        let order = order_of_axes(&operands, output);
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
        let is_summed = |&axis: &usize| !output.contains(&order[axis]);
        let summed = (0..order.len()).filter(is_summed).map(|axis| axis as u8).collect();
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

    /// Stacks of matrices: one index is summed, each operand has one of its own that is kept, and all others are kept as well.
    fn stacked_product(
        &mut self,
        a: &Operand,
        b: &Operand,
        output: &[char],
        num: Num,
        span: Span,
    ) -> Option<Expr> {
        let (x, y) = (&a.1, &b.1);
        let summed: Vec<char> =
            x.iter().chain(y).copied().filter(|letter| !output.contains(letter)).collect();
        let own = |of: &[char], other: &[char]| {
            output.iter().rev().copied().find(|letter| of.contains(letter) && !other.contains(letter))
        };
        let (&[k, again], Some(i), Some(j)) = (summed.as_slice(), own(x, y), own(y, x)) else { return None };
        if k != again {
            return None;
        }
        let mut order: Vec<char> =
            output.iter().copied().filter(|&letter| letter != i && letter != j).collect();
        let stack = order.len();
        let mut spread = |(value, letters): &Operand, last: [char; 2]| {
            let value = self.convert(value.clone(), num);
            order.truncate(stack);
            order.extend(last);
            Self::spread(value, letters, &order, num.dtype, span)
        };
        let (left, right) = (spread(a, [i, k]), spread(b, [k, j]));
        let product = self.matmul(left, right, span);
        if product.ty.is_silent() {
            return Some(product);
        }
        order.truncate(stack);
        order.extend([i, j]);
        Some(Self::spread(product, &order, output, num.dtype, span))
    }
}

/// All letters: those of the output and then the summed ones, but the output's last one behind these where that is how operands
/// lie in memory.
fn order_of_axes(operands: &[Operand], output: &[char]) -> Vec<char> {
    let mut order = output.to_vec();
    for letter in operands.iter().flat_map(|(_, letters)| letters) {
        if !order.contains(letter) {
            order.push(*letter);
        }
    }
    let ends_in =
        |letter: char| operands.iter().filter(|(_, letters)| letters.last() == Some(&letter)).count();
    let summed = &order[output.len()..];
    if let Some(&last) = output.last()
        && ends_in(last) > 0
        && summed.iter().all(|&letter| ends_in(letter) < 2)
    {
        order[output.len() - 1..].rotate_left(1);
    }
    order
}

/// Whether the call asks for products of pairs, whose sums are in another order.
fn is_optimized(args: &Arguments) -> bool {
    args.named("optimize").is_some_and(|value| match &value.kind {
        ExprKind::Text(name) => name == "greedy" || name == "optimal",
        _ => value.as_bool() == Some(true),
    })
}

/// The letters that the product of two operands keeps: those of the output and of others.
fn kept_of_pair(operands: &[Operand], i: usize, j: usize, output: &[char]) -> Vec<char> {
    let others = || operands.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
    let is_used =
        |letter: char| output.contains(&letter) || others().any(|(_, (_, own))| own.contains(&letter));
    let mut kept = Vec::new();
    for &letter in operands[i].1.iter().chain(&operands[j].1) {
        if is_used(letter) && !kept.contains(&letter) {
            kept.push(letter);
        }
    }
    kept
}

/// What stands for the axes that are not named.
const REST: char = '.';

/// The letters of axes that `...` stands for.
const UNNAMED: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

fn inputs_of(text: &str) -> impl Iterator<Item = &str> {
    text.split("->").next().unwrap_or(text).split(',')
}

/// The letters of each operand, by their numbers of axes, and of the result.
fn read(text: &str, ranks: &[usize]) -> Result<(Vec<Vec<char>>, Vec<char>), String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let output = text.split_once("->").map(|(_, output)| output);
    let letters = |part: &str| {
        let part = part.replacen("...", "\u{0}", 1);
        let strange = part.chars().find(|c| !c.is_ascii_alphabetic() && *c != '\u{0}');
        match strange {
            Some(c) => Err(format!("`{c}` in the subscripts of `np.einsum` is not supported")),
            None => Ok(part.replace('\u{0}', ".").chars().collect::<Vec<char>>()),
        }
    };
    let inputs = inputs_of(&text).map(letters).collect::<Result<Vec<_>, _>>()?;
    let unnamed = |(letters, rank): (&Vec<char>, &usize)| match letters.contains(&REST) {
        true => rank.saturating_sub(letters.len() - 1),
        false => 0,
    };
    let most = inputs.iter().zip(ranks).map(unnamed).max().unwrap_or(0).min(UNNAMED.len());
    let with_unnamed = |letters: &[char], count: usize| -> Vec<char> {
        let rest = &UNNAMED[most - count.min(most)..most];
        letters.iter().flat_map(|&own| if own == REST { rest.to_vec() } else { vec![own] }).collect()
    };
    let inputs: Vec<Vec<char>> = inputs
        .iter()
        .zip(ranks)
        .map(|(letters, rank)| with_unnamed(letters, unnamed((letters, rank))))
        .collect();
    let all: Vec<char> = inputs.iter().flatten().copied().collect();
    let output = match output {
        Some(output) => with_unnamed(&letters(output)?, most),
        None => {
            let count = |letter: &char| all.iter().filter(|own| *own == letter).count();
            let named = all.iter().copied().filter(|letter| !UNNAMED.contains(letter));
            let mut once: Vec<char> = named.filter(|letter| count(letter) == 1).collect();
            once.sort_unstable();
            [&UNNAMED[..most], &once].concat()
        }
    };
    if UNNAMED[..most].iter().any(|letter| !output.contains(letter)) {
        return Err("the output lacks the `...` that operands have".to_owned());
    }
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
