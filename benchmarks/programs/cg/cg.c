#include <stdint.h>
#include <stdlib.h>

void cg(int64_t n, const int32_t *begin, const int32_t *column, const double *value, const double *b, int64_t steps,
        double *restrict x)
{
    double *restrict r = malloc(n * sizeof *r), *restrict p = malloc(n * sizeof *p), *restrict q = malloc(n * sizeof *q);
    double square = 0.0;
    for (int64_t i = 0; i < n; i++) {
        x[i] = 0.0;
        p[i] = r[i] = b[i];
        square += r[i] * r[i];
    }
    for (int64_t step = 0; step < steps; step++) {
        double curve = 0.0, new = 0.0;
        for (int64_t i = 0; i < n; i++) {
            double total = 0.0;
            for (int32_t k = begin[i]; k < begin[i + 1]; k++)
                total += value[k] * p[column[k]];
            q[i] = total;
            curve += p[i] * total;
        }
        double alpha = square / curve;
        for (int64_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            new += r[i] * r[i];
        }
        double beta = new / square;
        for (int64_t i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
        square = new;
    }
    free(r);
    free(p);
    free(q);
}
