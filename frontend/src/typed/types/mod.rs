//! Types of the language, and what follows from types alone: how they are written, how they meet, what is converted to
//! what. Nothing here knows which expression or statement asks.

pub(super) mod annotation;
pub(super) mod convert;
pub(crate) mod dict_type;
pub(super) mod either;
pub(super) mod meet;
pub(super) mod promote;
pub(super) mod rank;
pub mod ty;
