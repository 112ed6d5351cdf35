#include <math.h>
#include <stdint.h>

void layernorm(int64_t m, int64_t n, const double *restrict x, const double *restrict scale,
               const double *restrict shift, double *restrict result)
{
    for (int64_t i = 0; i < m; i++) {
        const double *row = x + i * n;
        double mean = 0.0, variance = 0.0;
        for (int64_t j = 0; j < n; j++)
            mean += row[j];
        mean /= n;
        for (int64_t j = 0; j < n; j++)
            variance += (row[j] - mean) * (row[j] - mean);
        double factor = 1.0 / sqrt(variance / n + 1e-5);
        for (int64_t j = 0; j < n; j++)
            result[i * n + j] = (row[j] - mean) * factor * scale[j] + shift[j];
    }
}
