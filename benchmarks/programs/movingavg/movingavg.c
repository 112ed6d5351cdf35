#include <stdint.h>

void running_sum(int64_t n, int64_t k, const double *restrict x, double *restrict result)
{
    double total = 0.0;
    for (int64_t i = 0; i < k; i++)
        total += x[i];
    result[0] = total / k;
    for (int64_t i = k; i < n; i++) {
        total += x[i] - x[i - k];
        result[i - k + 1] = total / k;
    }
}

void two_loops(int64_t n, int64_t k, const double *restrict x, double *restrict result)
{
    for (int64_t i = 0; i < n - k + 1; i++) {
        double total = 0.0;
        for (int64_t j = 0; j < k; j++)
            total += x[i + j];
        result[i] = total / k;
    }
}
