#include <stdint.h>
#include <stdlib.h>

void equalize(int64_t n, const double *picture, int64_t levels, double *restrict result)
{
    int64_t *counts = calloc(levels, sizeof *counts);
    double *share = malloc(levels * sizeof *share);
    for (int64_t i = 0; i < n; i++)
        counts[(int64_t)(picture[i] * (levels - 1))] += 1;
    int64_t below = 0;
    for (int64_t level = 0; level < levels; level++) {
        below += counts[level];
        share[level] = (double)below / n;
    }
    for (int64_t i = 0; i < n; i++)
        result[i] = share[(int64_t)(picture[i] * (levels - 1))];
    free(counts);
    free(share);
}
