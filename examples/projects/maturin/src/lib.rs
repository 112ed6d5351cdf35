//! What is about texts; numbers are the kernels' part.

use pyo3::prelude::*;

#[pymodule]
mod _text {
    use super::*;

    /// Each text as its code points.
    #[pyfunction]
    fn code_points(texts: Vec<String>) -> Vec<Vec<u32>> {
        texts.iter().map(|text| text.chars().map(u32::from).collect()).collect()
    }
}
