#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void ascend(int64_t vertices, int64_t communities, const int32_t *begin, const int32_t *neighbour, const double *F,
            double step, double *restrict result)
{
    double *restrict total = calloc(communities, sizeof *total);
    double *restrict gradient = malloc(communities * sizeof *gradient);
    for (int64_t u = 0; u < vertices; u++)
        for (int64_t c = 0; c < communities; c++)
            total[c] += F[u * communities + c];
    for (int64_t u = 0; u < vertices; u++) {
        const double *own = F + u * communities;
        for (int64_t c = 0; c < communities; c++)
            gradient[c] = own[c] - total[c];
        for (int32_t k = begin[u]; k < begin[u + 1]; k++) {
            const double *other = F + neighbour[k] * communities;
            double dot = 0.0;
            for (int64_t c = 0; c < communities; c++)
                dot += own[c] * other[c];
            double weight = 1.0 / (1.0 - exp(-dot));
            for (int64_t c = 0; c < communities; c++)
                gradient[c] += weight * other[c];
        }
        for (int64_t c = 0; c < communities; c++) {
            double moved = own[c] + step * gradient[c];
            result[u * communities + c] = moved > 0.0 ? moved : 0.0;
        }
    }
    free(total);
    free(gradient);
}
