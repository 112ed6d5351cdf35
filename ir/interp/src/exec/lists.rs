//! Operations on lists.

use super::{Frame, Stop, fault};
use crate::value::{Scalar, Val};
use pydd_ir::{Exc, Level, Op, OpKind, Value};
use std::cell::RefCell;
use std::rc::Rc;

impl Frame<'_, '_> {
    fn list(&self, value: Value) -> Result<Rc<RefCell<Vec<Val>>>, Stop> {
        match self.get(value)? {
            Val::List(_, items) => Ok(items),
            other => fault(format!("{value} is no list but {}", other.ty())),
        }
    }

    /// A value that a list holds from now on.
    fn kept(&mut self, value: Value) -> Result<Val, Stop> {
        let value = self.get(value)?;
        if self.f.level == Level::Loop {
            self.interp.owners.retain(&value);
        }
        Ok(value)
    }

    /// A value that a list holds no longer.
    fn dropped(&mut self, value: &Val) {
        if self.f.level == Level::Loop {
            self.interp.owners.release(value);
        }
    }

    pub(super) fn list_op(&mut self, op: Op) -> Result<Vec<Val>, Stop> {
        let data = &self.f.ops[op];
        let args = data.args.as_slice();
        if data.kind == OpKind::ListNew {
            let item = self.f.ty(data.results[0]).list_item().expect("lists have items");
            let items = args.iter().map(|&v| self.kept(v)).collect::<Result<Vec<_>, _>>()?;
            return Ok(vec![Val::List(item, Rc::new(RefCell::new(items)))]);
        }
        let items = self.list(args[0])?;
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
                Ok(vec![items.borrow()[at].clone()])
            }
            OpKind::ListSet => {
                let at = place(self.i64(args[1])?, "list assignment index out of range")?;
                let new = self.kept(args[2])?;
                let old = std::mem::replace(&mut items.borrow_mut()[at], new);
                self.dropped(&old);
                Ok(vec![])
            }
            OpKind::ListTruncate => {
                let length = usize::try_from(self.i64(args[1])?).unwrap_or(0);
                let kept = length.min(items.borrow().len());
                let rest = items.borrow_mut().split_off(kept);
                rest.iter().for_each(|item| self.dropped(item));
                Ok(vec![])
            }
            OpKind::ListDropFront => {
                let count = usize::try_from(self.i64(args[1])?).unwrap_or(0);
                let count = count.min(items.borrow().len());
                let gone: Vec<Val> = items.borrow_mut().drain(..count).collect();
                gone.iter().for_each(|item| self.dropped(item));
                Ok(vec![])
            }
            OpKind::ListPrepend => {
                let item = self.kept(args[1])?;
                items.borrow_mut().insert(0, item);
                Ok(vec![])
            }
            _ => {
                let item = self.kept(args[1])?;
                items.borrow_mut().push(item);
                Ok(vec![])
            }
        }
    }
}
