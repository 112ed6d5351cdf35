//! What expressions give: names, operators, comparisons, subscripts, calls, comprehensions. What a library function does
//! with its arguments is in `library`, what containers hold in `containers`.

pub(super) mod acts;
pub(super) mod by_elements;
pub(super) mod call;
pub(super) mod compare;
pub(super) mod comprehension;
pub(super) mod constants;
pub(super) mod expr;
pub(super) mod gather;
pub(super) mod index;
pub(super) mod invoke;
pub(super) mod operators;
pub(super) mod power;
pub(super) mod slices;
