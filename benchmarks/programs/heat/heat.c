#include <stdint.h>

static void step(int64_t n, int64_t m, int64_t l, const double *restrict u, double *restrict v)
{
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < m - 1; j++)
            for (int64_t k = 1; k < l - 1; k++) {
                int64_t at = (i * m + j) * l + k;
                v[at] = 0.125 * (u[at + m * l] - 2.0 * u[at] + u[at - m * l]) +
                        0.125 * (u[at + l] - 2.0 * u[at] + u[at - l]) +
                        0.125 * (u[at + 1] - 2.0 * u[at] + u[at - 1]) + u[at];
            }
}

/* u and v start as copies of A and B; the result is in u. */
void heat(int64_t steps, int64_t n, int64_t m, int64_t l, double *restrict v, double *restrict u)
{
    for (int64_t t = 0; t < steps; t++) {
        step(n, m, l, u, v);
        step(n, m, l, v, u);
    }
}
