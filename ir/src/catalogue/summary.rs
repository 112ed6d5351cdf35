//! Medians, quantiles and their like: functions of `frontend/src/prelude/summary.pydd`.

use super::{Entry, Param, axis, flag, int, opt, req, written};

const OVER: &[Param] = &[req("a"), axis(), flag("keepdims", false)];
const INDEX: &[Param] = &[req("a"), axis()];
const SPREAD: &[Param] = &[req("a"), axis(), int("ddof", 0), flag("keepdims", false)];
const QUANTILE: &[Param] = &[
    req("a"),
    req("q"),
    axis(),
    opt("out"),
    flag("overwrite_input", false),
    opt("method"),
    flag("keepdims", false),
];
const AVERAGE: &[Param] = &[req("a"), axis(), opt("weights"), flag("keepdims", false)];
const COV: &[Param] = &[req("m"), opt("y"), flag("rowvar", true), flag("bias", false), opt("ddof")];
const CORRCOEF: &[Param] = &[req("x"), opt("y"), flag("rowvar", true)];

const fn make(params: &'static [Param], function: &'static str, doc: &'static str) -> Entry {
    written(params, "summary", function, doc)
}

pub(super) const ENTRIES: &[Entry] = &[
    make(OVER, "median", "The middle element, of an even number the mean of two; NaN wins.").np(&["median"]),
    make(OVER, "nanmedian", "As `median`, NaN left out.").np(&["nanmedian"]),
    make(QUANTILE, "percentile", "What q percent of the elements do not exceed, interpolated.")
        .np(&["percentile"]),
    make(QUANTILE, "quantile", "What a part q of the elements does not exceed, interpolated.")
        .np(&["quantile"]),
    make(QUANTILE, "nanpercentile", "As `percentile`, NaN left out.").np(&["nanpercentile"]),
    make(QUANTILE, "nanquantile", "As `quantile`, NaN left out.").np(&["nanquantile"]),
    make(AVERAGE, "average", "The mean, weighted where weights are given.").np(&["average"]),
    make(OVER, "nansum", "Sum, NaN left out.").np(&["nansum"]),
    make(OVER, "nanprod", "Product, NaN left out.").np(&["nanprod"]),
    make(INDEX, "nancumsum", "Running sums, NaN left out.").np(&["nancumsum"]),
    make(INDEX, "nancumprod", "Running products, NaN left out.").np(&["nancumprod"]),
    make(OVER, "nanmean", "Mean, NaN left out.").np(&["nanmean"]),
    make(SPREAD, "nanvar", "Variance, NaN left out.").np(&["nanvar"]),
    make(SPREAD, "nanstd", "Standard deviation, NaN left out.").np(&["nanstd"]),
    make(OVER, "nanmin", "Least element, NaN left out.").np(&["nanmin"]),
    make(OVER, "nanmax", "Greatest element, NaN left out.").np(&["nanmax"]),
    make(INDEX, "nanargmin", "Index of the first least element, NaN left out.").np(&["nanargmin"]),
    make(INDEX, "nanargmax", "Index of the first greatest element, NaN left out.").np(&["nanargmax"]),
    make(COV, "cov", "Covariances of the rows, or of two variables.").np(&["cov"]),
    make(CORRCOEF, "corrcoef", "Correlation coefficients of the rows, or of two variables.")
        .np(&["corrcoef"]),
];
