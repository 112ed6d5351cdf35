//! Offsets that generated code uses, taken from the types themselves.

use crate::{Ctx, List, RandomWords};
use core::mem::offset_of;

pub const CTX_TABLE: usize = offset_of!(Ctx, table);
pub const CTX_STACK_LIMIT: usize = offset_of!(Ctx, stack_limit);
pub const CTX_SITE: usize = offset_of!(Ctx, site);
pub const CTX_KIND: usize = offset_of!(Ctx, kind);
pub const CTX_CALLER: usize = offset_of!(Ctx, caller);
pub const CTX_PAYLOAD: usize = offset_of!(Ctx, payload);

/// Where the memory of a list's items begins.
pub const LIST_START: usize = offset_of!(List, owner) + OWNER_DATA;
pub const LIST_DATA: usize = offset_of!(List, data);
pub const LIST_LEN: usize = offset_of!(List, len);
pub const LIST_CAP: usize = offset_of!(List, cap);

/// Where the words of an array begin that a list holds, from the owner on that heads it.
pub const ARRAY_WORDS: usize = size_of::<crate::Owner>();

pub const RANDOM_USED: usize = offset_of!(RandomWords, used);
pub const RANDOM_FIRST: usize = offset_of!(RandomWords, words);

pub const OWNER_DATA: usize = offset_of!(crate::Owner, data);
