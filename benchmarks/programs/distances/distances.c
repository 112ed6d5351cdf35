#include <math.h>
#include <stdint.h>

void pairs(int64_t m, int64_t n, int64_t d, const double *A, const double *B, double *restrict result)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double total = 0.0;
            for (int64_t k = 0; k < d; k++) {
                double step = A[i * d + k] - B[j * d + k];
                total += step * step;
            }
            result[i * n + j] = sqrt(total);
        }
}

void nearest(int64_t m, int64_t n, int64_t d, const double *A, const double *B, int64_t *restrict number,
             double *restrict distance)
{
    for (int64_t i = 0; i < m; i++) {
        double least = 1e300;
        int64_t at = 0;
        for (int64_t j = 0; j < n; j++) {
            double total = 0.0;
            for (int64_t k = 0; k < d; k++) {
                double step = A[i * d + k] - B[j * d + k];
                total += step * step;
            }
            if (total < least) {
                least = total;
                at = j;
            }
        }
        number[i] = at;
        distance[i] = sqrt(least);
    }
}
