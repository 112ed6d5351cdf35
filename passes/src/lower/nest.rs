//! Loop nests over shapes.

use pydd_ir::Value;

use super::Lower;

impl Lower<'_> {
    /// A row-major nest of loops over `dims`; `build` makes the innermost body and gives the next carried
    /// values.
    pub(super) fn nest(
        &mut self,
        dims: &[Value],
        init: &[Value],
        build: &mut dyn FnMut(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        self.nest_from(dims, &mut Vec::new(), init, build)
    }

    fn nest_from(
        &mut self,
        dims: &[Value],
        indices: &mut Vec<Value>,
        carried: &[Value],
        build: &mut dyn FnMut(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let Some((&dim, inner)) = dims.split_first() else { return build(self, indices, carried) };
        self.for_each(dim, carried, |lower, i, carried| {
            indices.push(i);
            let next = lower.nest_from(inner, indices, carried, build);
            indices.pop();
            next
        })
    }
}
