//! What combines the accumulators of two parts of a loop.

use crate::emit::{Emit, EmitExt, Signature, Ty};
use crate::lower::memory::{load_words, store_word};
use crate::lower::module::ModuleCx;
use crate::lower::scalar::{self, Scalars};
use crate::lower::values::Val;
use pydd_ir::{DType, ElemOp, ReduceOp, Type};

impl<E: Emit> ModuleCx<'_, E> {
    /// `(acc, part)`: combines all accumulators of a loop.
    ///
    /// # Errors
    /// What cannot be combined.
    pub fn combine_function(&self, reduce: &[ReduceOp], types: &[DType]) -> Result<E::Function, String> {
        let names: Vec<String> = reduce.iter().zip(types).map(|(r, d)| format!("{}.{d}", r.name())).collect();
        let name = format!("combine.{}", names.join("."));
        let mut unsupported = None;
        let function = self.helper(&name, Signature::new(&[Ty::Ptr; 2], &[]), false, |ir, params| {
            let freedom = scalar::freedom(self.options, false);
            let scalars = Scalars::outside_loops(self, ir, freedom);
            let mut word = 0;
            let mut takes = None;
            for (i, (&reduction, &dtype)) in reduce.iter().zip(types).enumerate() {
                let ty = Type::Scalar(dtype);
                let load = |at| Val::from_parts(ty, &load_words(ir, ir.field(at, word * 8), ty));
                let sides = [load(params[0]), load(params[1])];
                let [before, part] = &sides;
                let leads = ReduceOp::leads(&reduce[i..]);
                if let Some(compare) = leads {
                    takes = scalars.elem(compare, dtype, &[part.clone(), before.clone()]);
                }
                let combined = match (leads, reduction, &takes) {
                    (Some(_), ..) | (_, ReduceOp::ArgMin | ReduceOp::ArgMax, Some(_)) => {
                        takes.clone().and_then(|takes| {
                            scalars.elem(ElemOp::Select, dtype, &[takes, part.clone(), before.clone()])
                        })
                    }
                    // Of two zeros the one before, as where the loop runs in order and keeps the first.
                    (_, ReduceOp::Min | ReduceOp::Max, _) => reduction
                        .step()
                        .and_then(|elem| scalars.elem(elem, dtype, &[part.clone(), before.clone()])),
                    _ => reduction.step().and_then(|elem| scalars.elem(elem, dtype, &sides)),
                };
                let Some(combined) = combined else {
                    unsupported = Some(format!("reducing {} by '{}'", dtype.numpy_name(), reduction.name()));
                    break;
                };
                for part in combined.parts() {
                    store_word(ir, params[0], word, part, Some(dtype));
                    word += 1;
                }
            }
            Vec::new()
        });
        unsupported.map_or(Ok(function), Err)
    }
}
