#include <stdint.h>
#include <stdlib.h>

void sinkhorn(int64_t words, int64_t vocabulary, int64_t texts, const double *K, const double *M, const double *X,
              const double *R, const int32_t *begin, const int32_t *text, const double *share, int64_t steps,
              double *restrict distances)
{
    double *near = malloc(words * vocabulary * sizeof *near);
    double *scaled = malloc(words * vocabulary * sizeof *scaled);
    double *cost = malloc(words * vocabulary * sizeof *cost);
    double *u = malloc(words * texts * sizeof *u);
    double *x = malloc(words * texts * sizeof *x);
    for (int64_t p = 0; p < words; p++)
        for (int64_t i = 0; i < vocabulary; i++) {
            near[i * words + p] = K[p * vocabulary + i];
            scaled[i * words + p] = K[p * vocabulary + i] / R[p];
            cost[i * words + p] = K[p * vocabulary + i] * M[p * vocabulary + i];
        }
    for (int64_t j = 0; j < texts; j++)
        for (int64_t p = 0; p < words; p++)
            x[j * words + p] = X[p * texts + j];
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t k = 0; k < words * texts; k++) {
            u[k] = 1.0 / x[k];
            x[k] = 0.0;
        }
        for (int64_t i = 0; i < vocabulary; i++)
            for (int32_t k = begin[i]; k < begin[i + 1]; k++) {
                const double *own = near + i * words, *other = scaled + i * words, *from = u + text[k] * words;
                double *restrict to = x + text[k] * words;
                double total = 0.0;
                for (int64_t p = 0; p < words; p++)
                    total += own[p] * from[p];
                double v = share[k] / total;
                for (int64_t p = 0; p < words; p++)
                    to[p] += other[p] * v;
            }
    }
    for (int64_t k = 0; k < words * texts; k++)
        u[k] = 1.0 / x[k];
    for (int64_t j = 0; j < texts; j++)
        distances[j] = 0.0;
    for (int64_t i = 0; i < vocabulary; i++)
        for (int32_t k = begin[i]; k < begin[i + 1]; k++) {
            const double *own = near + i * words, *far = cost + i * words, *from = u + text[k] * words;
            double total = 0.0, moved = 0.0;
            for (int64_t p = 0; p < words; p++) {
                total += own[p] * from[p];
                moved += far[p] * from[p];
            }
            distances[text[k]] += share[k] / total * moved;
        }
    free(near);
    free(scaled);
    free(cost);
    free(u);
    free(x);
}
