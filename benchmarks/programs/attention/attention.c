#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* result starts as zeros. */
void attention(int64_t tokens, int64_t width, int64_t values, const double *Q, const double *K, const double *V,
               const int32_t *begin, const int32_t *column, const double *weight, double *restrict result)
{
    double *scores = malloc(begin[tokens] * sizeof *scores);
    for (int64_t i = 0; i < tokens; i++) {
        double greatest = -INFINITY, total = 0.0;
        double *restrict row = result + i * values;
        for (int32_t k = begin[i]; k < begin[i + 1]; k++) {
            const double *key = K + column[k] * width;
            double score = 0.0;
            for (int64_t p = 0; p < width; p++)
                score += Q[i * width + p] * key[p];
            scores[k] = score * weight[k];
            greatest = scores[k] > greatest ? scores[k] : greatest;
        }
        for (int32_t k = begin[i]; k < begin[i + 1]; k++) {
            double share = exp(scores[k] - greatest);
            total += share;
            for (int64_t p = 0; p < values; p++)
                row[p] += share * V[column[k] * values + p];
        }
        if (total > 0.0)
            for (int64_t p = 0; p < values; p++)
                row[p] /= total;
    }
    free(scores);
}
