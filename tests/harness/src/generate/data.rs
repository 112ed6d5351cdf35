//! Arguments: small dyadic numbers, and lengths that matter.

use super::random::Random;
use super::tree::{Elem, Ty};

/// A literal argument of a type, with every dimension `n`.
pub fn argument(random: &mut Random, ty: &Ty, n: usize) -> String {
    if ty.rank() == 0 {
        return number(random, ty.elem);
    }
    let count = n.pow(u32::try_from(ty.rank()).expect("small"));
    let items: Vec<String> = (0..count).map(|_| number(random, ty.elem)).collect();
    let flat = format!("np.array([{}], {})", items.join(", "), ty.elem.numpy());
    if ty.rank() == 1 {
        return flat;
    }
    let shape = vec![n.to_string(); ty.rank()].join(", ");
    format!("{flat}.reshape({shape})")
}

fn number(random: &mut Random, elem: Elem) -> String {
    match elem {
        Elem::Bool => if random.one_in(2) { "True" } else { "False" }.to_owned(),
        Elem::I32 | Elem::I64 => (i64::try_from(random.below(16)).expect("small") - 8).to_string(),
        Elem::F32 | Elem::F64 => {
            let quarters = i32::try_from(random.below(64)).expect("small") - 32;
            // Zeros of both signs.
            if quarters == -32 { "-0.0".to_owned() } else { format!("{:?}", f64::from(quarters) / 4.0) }
        }
    }
}
