#include <math.h>
#include <stdint.h>

void lyapunov(int64_t n, const double *r, double x0, int64_t steps, double *restrict result)
{
    for (int64_t i = 0; i < n; i++) {
        double x = x0, total = 0.0;
        for (int64_t k = 0; k < steps; k++) {
            x = r[i] * x * (1.0 - x);
            total += log(fabs(r[i] - 2.0 * r[i] * x));
        }
        result[i] = total / steps;
    }
}

void iterate(int64_t n, const double *r, double x0, int64_t steps, double *restrict result)
{
    for (int64_t i = 0; i < n; i++) {
        double x = x0;
        for (int64_t k = 0; k < steps; k++)
            x = r[i] * x * (1.0 - x);
        result[i] = x;
    }
}

void kepler(int64_t n, const double *M, double e, double *restrict result)
{
    for (int64_t i = 0; i < n; i++) {
        double E = M[i], f = E - e * sin(E) - M[i];
        while (fabs(f) > 1e-12) {
            E -= f / (1.0 - e * cos(E));
            f = E - e * sin(E) - M[i];
        }
        result[i] = E;
    }
}
