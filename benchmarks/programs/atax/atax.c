#include <stdint.h>

/* y starts as zeros. */
void atax(int64_t m, int64_t n, const double *restrict A, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < m; i++) {
        double total = 0.0;
        for (int64_t j = 0; j < n; j++)
            total += A[i * n + j] * x[j];
        for (int64_t j = 0; j < n; j++)
            y[j] += A[i * n + j] * total;
    }
}

/* s starts as zeros. */
void bicg(int64_t m, int64_t n, const double *restrict A, const double *restrict p, const double *restrict r,
          double *restrict s, double *restrict q)
{
    for (int64_t i = 0; i < m; i++) {
        double total = 0.0;
        for (int64_t j = 0; j < n; j++) {
            s[j] += r[i] * A[i * n + j];
            total += A[i * n + j] * p[j];
        }
        q[i] = total;
    }
}

/* z1 and z2 start as copies of x1 and x2; the second product goes along the rows. */
void mvt(int64_t n, const double *restrict A, const double *restrict y1, const double *restrict y2,
         double *restrict z1, double *restrict z2)
{
    for (int64_t i = 0; i < n; i++) {
        double total = 0.0;
        for (int64_t j = 0; j < n; j++)
            total += A[i * n + j] * y1[j];
        z1[i] += total;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            z2[i] += A[j * n + i] * y2[j];
}
