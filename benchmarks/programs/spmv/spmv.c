#include <stdint.h>

void product(int64_t rows, const int32_t *begin, const int32_t *column, const double *value, const double *x,
             double *restrict y)
{
    for (int64_t i = 0; i < rows; i++) {
        double total = 0.0;
        for (int32_t k = begin[i]; k < begin[i + 1]; k++)
            total += value[k] * x[column[k]];
        y[i] = total;
    }
}
