#include <stdint.h>

/* x starts as zeros. */
void gemver(int64_t n, double alpha, double beta, const double *restrict A, const double *restrict u1,
            const double *restrict v1, const double *restrict u2, const double *restrict v2,
            const double *restrict y, const double *restrict z, double *restrict B, double *restrict x,
            double *restrict w)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            B[i * n + j] = A[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            x[j] += beta * y[i] * B[i * n + j];
    for (int64_t i = 0; i < n; i++)
        x[i] += z[i];
    for (int64_t i = 0; i < n; i++) {
        double total = 0.0;
        for (int64_t j = 0; j < n; j++)
            total += alpha * B[i * n + j] * x[j];
        w[i] = total;
    }
}
