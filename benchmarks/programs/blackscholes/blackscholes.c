#include <math.h>
#include <stdint.h>

static double normal(double x) { return 0.5 * (1.0 + erf(x * 0.70710678118654752440)); }

void prices(int64_t n, const double *spot, const double *strike, const double *years, double rate,
            double volatility, double *restrict calls, double *restrict puts)
{
    for (int64_t i = 0; i < n; i++) {
        double spread = volatility * sqrt(years[i]);
        double d1 = (log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread;
        double d2 = d1 - spread;
        double discounted = strike[i] * exp(-rate * years[i]);
        calls[i] = spot[i] * normal(d1) - discounted * normal(d2);
        puts[i] = discounted * normal(-d2) - spot[i] * normal(-d1);
    }
}
