#include <stdint.h>

void assign(int64_t m, int64_t k, int64_t d, const double *points, const double *centers, int64_t *restrict nearest)
{
    for (int64_t i = 0; i < m; i++) {
        double least = 1e300;
        int64_t best = 0;
        for (int64_t c = 0; c < k; c++) {
            double distance = 0.0;
            for (int64_t j = 0; j < d; j++) {
                double step = points[i * d + j] - centers[c * d + j];
                distance += step * step;
            }
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        nearest[i] = best;
    }
}

/* counts and centers start as zeros. */
void update_centers(int64_t m, int64_t k, int64_t d, const double *points, const int64_t *labels,
                    int64_t *restrict counts, double *restrict centers)
{
    for (int64_t i = 0; i < m; i++) {
        int64_t c = labels[i];
        counts[c]++;
        for (int64_t j = 0; j < d; j++)
            centers[c * d + j] += points[i * d + j];
    }
    for (int64_t c = 0; c < k; c++)
        for (int64_t j = 0; j < d; j++)
            centers[c * d + j] /= counts[c];
}
