//! Operations on lists.

use super::{Frame, Stop, fault};
use crate::value::{Scalar, Val};
use pydd_ir::{DType, Exc, Op, OpKind, Value};
use std::cell::RefCell;
use std::rc::Rc;

impl Frame<'_, '_> {
    fn list(&self, value: Value) -> Result<(DType, Rc<RefCell<Vec<Scalar>>>), Stop> {
        match self.get(value)? {
            Val::List(d, items) => Ok((d, items)),
            other => fault(format!("{value} is no list but {}", other.ty())),
        }
    }

    pub(super) fn list_op(&self, op: Op) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        if data.kind == OpKind::ListNew {
            let dtype = self.f.ty(data.results[0]).dtype().expect("lists have elements");
            let items = args.iter().map(|&v| self.scalar(v)).collect::<Result<Vec<_>, _>>()?;
            return Ok(vec![Val::List(dtype, Rc::new(RefCell::new(items)))]);
        }
        let (_, items) = self.list(args[0])?;
        let len = i64::try_from(items.borrow().len()).expect("lengths fit");
        let place = |index: i64, message: &str| -> Result<usize, Stop> {
            let wrapped = if index < 0 { index + len } else { index };
            if (0..len).contains(&wrapped) {
                return Ok(usize::try_from(wrapped).expect("not negative"));
            }
            self.raise(op, (Exc::IndexError, message.to_owned()))
        };
        match data.kind {
            OpKind::ListLen => Ok(vec![Val::Scalar(Scalar::i64(len))]),
            OpKind::ListGet => {
                let at = place(self.i64(args[1])?, "list index out of range")?;
                Ok(vec![Val::Scalar(items.borrow()[at])])
            }
            OpKind::ListSet => {
                let at = place(self.i64(args[1])?, "list assignment index out of range")?;
                items.borrow_mut()[at] = self.scalar(args[2])?;
                Ok(vec![])
            }
            OpKind::ListTruncate => {
                let length = usize::try_from(self.i64(args[1])?).unwrap_or(0);
                items.borrow_mut().truncate(length);
                Ok(vec![])
            }
            _ => {
                items.borrow_mut().push(self.scalar(args[1])?);
                Ok(vec![])
            }
        }
    }
}
