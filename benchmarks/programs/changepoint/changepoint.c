#include <stdint.h>
#include <stdlib.h>

void changepoints(int64_t n, const double *series, double penalty, int64_t *restrict last)
{
    double *sums = calloc(n + 1, sizeof *sums), *squares = calloc(n + 1, sizeof *squares);
    double *best = calloc(n + 1, sizeof *best), *costs = calloc(n + 1, sizeof *costs);
    int64_t *candidates = calloc(n + 1, sizeof *candidates);
    for (int64_t t = 0; t < n; t++) {
        sums[t + 1] = sums[t] + series[t];
        squares[t + 1] = squares[t] + series[t] * series[t];
    }
    best[0] = -penalty;
    last[0] = 0;
    int64_t count = 1;
    for (int64_t t = 1; t <= n; t++) {
        double least = 1e300;
        int64_t start = 0;
        for (int64_t k = 0; k < count; k++) {
            int64_t s = candidates[k];
            double step = sums[t] - sums[s];
            double cost = best[s] + squares[t] - squares[s] - step * step / (t - s);
            costs[k] = cost;
            if (cost + penalty < least) {
                least = cost + penalty;
                start = s;
            }
        }
        best[t] = least;
        last[t] = start;
        int64_t kept = 0;
        for (int64_t k = 0; k < count; k++)
            if (costs[k] <= least)
                candidates[kept++] = candidates[k];
        candidates[kept] = t;
        count = kept + 1;
    }
    free(sums);
    free(squares);
    free(best);
    free(costs);
    free(candidates);
}
