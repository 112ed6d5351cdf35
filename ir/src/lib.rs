//! The intermediate representation: types, operations, the catalogue of library functions, the text
//! form, the verifier and what can be asked of a function.
//!
//! `ir` does no input or output, depends on none of our crates, and knows neither source text nor targets.

pub mod alias;
pub mod builder;
pub mod catalogue;
pub mod cost;
pub mod device;
pub mod draw;
pub mod elem;
pub mod entity;
pub mod entries;
pub mod facts;
pub mod flow;
pub mod func;
pub mod interval;
pub mod kind;
pub mod op;
pub mod places;
pub mod poly;
pub mod power;
pub mod rewrite;
pub mod routine;
pub mod sharing;
pub mod text;
pub mod threads;
pub mod types;
pub mod verify;

pub use builder::Builder;
pub use draw::Draw;
pub use elem::{ElemOp, ReduceOp};
pub use entity::{AliasClass, Block, Entity, FuncRef, Op, PrimaryMap, Slot, Value};
pub use entries::{Entry, Guard};
pub use func::{
    BlockData, DICT_LISTS, EITHER_TAG, ExceptionClass, Export, ExportParam, ExportType, Function, Identity,
    LAUNCH_CAPTURES, Loc, Module, OpData, Ufunc, ValueData, ValueDef, either_tag,
};
pub use kind::OpKind;
pub use op::{
    ComplexPart, Exc, IndexItem, Keep, Level, LibOp, Literal, MapTarget, Message, Parallel, PrintSpec,
    ReduceSpec, Version, python_text,
};
pub use power::ShortPower;
pub use routine::Routine;
pub use sharing::{Region, Sharing, Table};
pub use types::{DType, SparseType, Type};
