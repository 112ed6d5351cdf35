//! What LLVM's passes are told about loops.

use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::core::{LLVMMDNodeInContext2, LLVMMetadataAsValue, LLVMValueAsMetadata};
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::values::{AsValueRef, MetadataValue};

/// Of a loop without vectors, which is not unrolled either unless it is `hot`.
pub fn plain(cx: &Context, hot: bool) -> MetadataValue<'_> {
    let no = cx.bool_type().const_zero();
    let vectors = cx.metadata_node(&[cx.metadata_string("llvm.loop.vectorize.enable").into(), no.into()]);
    let unrolling = if hot {
        let often = cx.i32_type().const_int(4, false);
        cx.metadata_node(&[cx.metadata_string("llvm.loop.unroll.count").into(), often.into()])
    } else {
        cx.metadata_node(&[cx.metadata_string("llvm.loop.unroll.disable").into()])
    };
    node(cx, &[vectors, unrolling])
}

/// Of a loop whose last iterations, which fill no vector, are one under a mask.
pub fn masked(cx: &Context) -> MetadataValue<'_> {
    let yes = cx.bool_type().const_int(1, false);
    node(
        cx,
        &[cx.metadata_node(&[cx.metadata_string("llvm.loop.vectorize.predicate.enable").into(), yes.into()])],
    )
}

/// Of a loop of which one vector at a time is computed.
pub fn single(cx: &Context) -> MetadataValue<'_> {
    let once = cx.i32_type().const_int(1, false);
    node(cx, &[cx.metadata_node(&[cx.metadata_string("llvm.loop.interleave.count").into(), once.into()])])
}

fn node<'c>(cx: &'c Context, facts: &[MetadataValue<'c>]) -> MetadataValue<'c> {
    // SAFETY: all values belong to the context. A loop's node names itself first; the temporary node that stands for it while it is made
    // is replaced, which also frees it.
    unsafe {
        let temporary = LLVMTemporaryMDNode(cx.as_ctx_ref(), std::ptr::null_mut(), 0);
        let mut operands = vec![temporary];
        operands.extend(facts.iter().map(|fact| LLVMValueAsMetadata(fact.as_value_ref())));
        let node = LLVMMDNodeInContext2(cx.as_ctx_ref(), operands.as_mut_ptr(), operands.len());
        LLVMMetadataReplaceAllUsesWith(temporary, node);
        MetadataValue::new(LLVMMetadataAsValue(cx.as_ctx_ref(), node))
    }
}
