//! IR to IR passes, one file for each, and the pipeline.
