//! Calls of functions of which the module has ufuncs, or a Python file has: with arrays they go over elements, as NumPy's ufunc does.
//!
//! Operands are stretched to one shape and laid out one after the other; what calls the function for all of them is the loop of one axis that the
//! ufunc has as well (`syntax::ufunc`).

use crate::diagnostics::{Diagnostic, code};
use crate::source::Span;
use crate::syntax::ast::{FunctionDef, Keyword};
use crate::syntax::ufunc::{Loop, Ufunc};
use crate::typed::flow::infer::Infer;
use crate::typed::program::session::{ArgKey, Key, Known};
use crate::typed::program::signature::Signature;
use crate::typed::program::tree::{Expr, ExprKind, StmtKind};
use crate::typed::program::ufunc;
use crate::typed::program::unit::Unit;
use crate::typed::types::annotation::Annotation;
use crate::typed::types::promote::holds;
use crate::typed::types::ty::{Num, Ty};
use pydd_ir::DType;
use std::rc::Rc;

impl Infer<'_, '_> {
    /// Whether a call with these values is the ufunc's: one with arrays, and any of a ufunc of a Python file, whose numbers have NumPy's types.
    pub(super) fn is_by_elements(def: &FunctionDef, values: &[Expr]) -> bool {
        let Some(ufunc) = def.ufunc.as_ref().filter(|ufunc| ufunc.core.is_none()) else { return false };
        let is_array = |value: &Expr| matches!(value.ty, Ty::Array { .. } | Ty::List(_) | Ty::Lists(_));
        ufunc.loops.is_some() || values.iter().any(is_array)
    }

    /// A call of a ufunc: a number where all operands are, else an array, or a tuple of such.
    pub(super) fn call_by_elements(
        &mut self,
        unit: &Rc<Unit>,
        at: usize,
        def: &FunctionDef,
        signature: &Signature,
        values: Vec<Expr>,
        keywords: &[Keyword],
        span: Span,
    ) -> Expr {
        let Some(ufunc) = &def.ufunc else { return Expr::error(span) };
        if let Some(keyword) = keywords.first() {
            let headline = format!("`{}` takes its operands by position", def.name.name);
            let label = "a ufunc takes no keywords in kernels";
            return self.error(code::KEYWORD_ARGUMENT_UNKNOWN, keyword.name.span, headline, label);
        }
        let operand = |s: &mut Self, value: Expr| {
            let value = s.settle(value);
            s.as_operand(value)
        };
        let values: Vec<Expr> = values.into_iter().map(|value| operand(self, value)).collect();
        if values.iter().any(|value| value.ty.is_silent()) {
            return Expr::silent(&values, span);
        }
        let Some(types) = operand_types(ufunc, signature, &values) else {
            return self.no_loop(def, &values, span);
        };
        let values = values.into_iter().zip(&types.operands);
        let operands: Vec<Expr> = values.map(|(value, &to)| self.convert(value, Num::strong(to))).collect();
        let declared = signature.result.clone();
        if operands.iter().all(|operand| !operand.ty.is_array()) {
            let constants = operands.iter().map(|_| None).collect();
            let result = self.call_instance(unit.index, at, operands, constants, declared, span);
            return self.as_numbers(result, &types.results);
        }
        let arg = |&dtype: &DType| ArgKey { ty: Ty::strong(dtype), known: Known::Nothing };
        let args = types.operands.iter().map(arg).collect();
        let key = Key { unit: unit.index, function: at, args };
        let constants = types.operands.iter().map(|_| None).collect();
        let called = self.session.instance(key, constants, declared, None);
        if called.failed || called.result.is_silent() {
            return Expr::error(span);
        }
        let results = match ufunc::results(def, &called.result) {
            Ok(_) if ufunc.loops.is_some() => types.results,
            Ok(found) => found,
            Err(diagnostic) => return self.fail(diagnostic),
        };
        self.over_operands(unit.index, at + results.len(), operands, &results, span)
    }

    /// Runs the loop of a ufunc over operands that are stretched to one shape.
    fn over_operands(
        &mut self,
        unit: usize,
        run: usize,
        operands: Vec<Expr>,
        results: &[DType],
        span: Span,
    ) -> Expr {
        let mut value = Expr::error(span);
        let before = self.block(|s| {
            let ty = Ty::Tuple(operands.iter().map(|operand| operand.ty.clone()).collect());
            let all = Expr::new(ExprKind::Tuple(operands), ty, span);
            let stretched = s.prelude_call("numeric", "broadcast_arrays", vec![all], span);
            let stretched = s.keep(stretched);
            if stretched.ty.is_silent() {
                return;
            }
            let stretched = s.items_of(&stretched);
            let mut args: Vec<Expr> = Vec::new();
            for operand in &stretched {
                let flat = s.prelude_call("elementwise", "in_a_row", vec![operand.clone()], span);
                args.push(s.keep(flat));
            }
            let mut outputs = Vec::new();
            for &dtype in results {
                let dtype = Expr::new(ExprKind::Static, Ty::DType(Num::strong(dtype)), span);
                let like = stretched[0].clone();
                let output = s.prelude_call("elementwise", "empty_for", vec![like, dtype], span);
                let output = s.keep(output);
                let flat = s.prelude_call("elementwise", "view_in_a_row", vec![output.clone()], span);
                args.push(s.keep(flat));
                outputs.push(output);
            }
            let constants = args.iter().map(|_| None).collect();
            let call = s.call_instance(unit, run, args, constants, None, span);
            s.push(StmtKind::Eval(call), span);
            let mut outputs: Vec<Expr> = outputs.into_iter().map(Self::number_of_rank_zero).collect();
            value = if outputs.len() == 1 {
                outputs.remove(0)
            } else {
                let ty = Ty::Tuple(outputs.iter().map(|output| output.ty.clone()).collect());
                Expr::new(ExprKind::Tuple(outputs), ty, span)
            };
        });
        if value.ty.is_silent() { value } else { Self::seq(before, value) }
    }

    /// The results of the function for numbers, of the types that the ufunc gives.
    fn as_numbers(&mut self, value: Expr, to: &[DType]) -> Expr {
        let Ty::Tuple(_) = value.ty else {
            return match to {
                [to] => self.as_number(value, *to),
                _ => value,
            };
        };
        let kept = self.keep(value);
        let span = kept.span;
        let items = self.items_of(&kept).into_iter().zip(to);
        let items: Vec<Expr> = items.map(|(item, &to)| self.as_number(item, to)).collect();
        let ty = Ty::Tuple(items.iter().map(|item| item.ty.clone()).collect());
        Expr::new(ExprKind::Tuple(items), ty, span)
    }

    fn as_number(&mut self, value: Expr, to: DType) -> Expr {
        match value.ty {
            Ty::Scalar(_) => self.convert(value, Num::strong(to)),
            Ty::Either(_) => self.convert_to(value, &Ty::strong(to)),
            _ => value,
        }
    }

    fn no_loop(&mut self, def: &FunctionDef, values: &[Expr], span: Span) -> Expr {
        let headline = format!("`{}` has no loop for these operands", def.name.name);
        let mut diagnostic =
            Diagnostic::error(code::TYPE_MISMATCH, headline).primary(span, "a ufunc of other types");
        for value in values {
            diagnostic = diagnostic.secondary(value.span, format!("this is {}", value.ty));
        }
        let help = "NumPy takes the first loop to which all operands convert without loss; convert them: `x.astype(np.float64)`";
        self.fail(diagnostic.help(help))
    }
}

/// The types of the first loop to which all operands convert safely; its results where the ufunc says them.
fn operand_types(ufunc: &Ufunc, signature: &Signature, values: &[Expr]) -> Option<Loop> {
    let nums: Vec<Num> = values.iter().map(|value| value.ty.num()).collect::<Option<_>>()?;
    // Python's numbers alone have the types that NumPy gives them by themselves.
    let all_weak = nums.iter().all(|num| num.weak);
    let fits = |num: &Num, to: DType| holds(Num { weak: num.weak && !all_weak, ..*num }, to);
    if let Some(loops) = &ufunc.loops {
        let is_for_all = |each: &&Loop| {
            let mut pairs = nums.iter().zip(&each.operands);
            each.operands.len() == nums.len() && pairs.all(|(num, &to)| fits(num, to))
        };
        return loops.iter().find(is_for_all).cloned();
    }
    let type_of = |(num, allowed): (&Num, &Option<(Vec<Annotation>, Span)>)| {
        let (allowed, _) = allowed.as_ref()?;
        allowed.iter().find_map(|annotation| match annotation {
            Annotation::Type(Ty::Scalar(to)) if fits(num, to.dtype) => Some(to.dtype),
            _ => None,
        })
    };
    let operands = nums.iter().zip(&signature.params).map(type_of).collect::<Option<_>>()?;
    Some(Loop { operands, results: Vec::new() })
}
