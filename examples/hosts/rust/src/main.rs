//! Calls kernels from Rust: see ../../README.md.

use ndarray::{Array2, array};

fn main() -> Result<(), kernels::pydd::Error> {
    let rows = array![[3.0, 4.0, 0.0], [1.0, 2.0, 2.0]];
    let lengths = kernels::norms(&rows)?;
    println!("lengths of rows: {} {}", lengths[0], lengths[1]);

    // The columns: the same memory with other strides.
    let lengths = kernels::norms(rows.t())?;
    println!("lengths of columns: {:.3} {:.3} {:.3}", lengths[0], lengths[1], lengths[2]);

    // Results may be arguments, and a result of two values is a tuple.
    let (mean, variance) = kernels::moments(&lengths)?;
    println!("mean {mean:.3}, variance {variance:.3}");
    println!("the last one: {:.3}", kernels::tail(&lengths, 1)?[0]);

    let mut image = Array2::from_shape_vec((1, 5), vec![0.0, 0.0, 3.0, 0.0, 0.0]).unwrap();
    kernels::blur(&mut image, 1)?;
    let shown: Vec<String> = image.iter().map(ToString::to_string).collect();
    println!("blurred: {}", shown.join(" "));

    if let Err(error) = kernels::pick(&[3.0, 4.0, 0.0], &[1, 7]) {
        println!("{} in line {}: {}", error.name, error.line, error.message);
    }
    Ok(())
}
