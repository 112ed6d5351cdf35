#include <stdint.h>

/* ex, ey and hz start as copies of the fields. */
void fdtd(int64_t steps, int64_t rows, int64_t columns, const double *restrict source, double *restrict ex,
          double *restrict ey, double *restrict hz)
{
    for (int64_t t = 0; t < steps; t++) {
        for (int64_t j = 0; j < columns; j++)
            ey[j] = source[t];
        for (int64_t i = 1; i < rows; i++)
            for (int64_t j = 0; j < columns; j++)
                ey[i * columns + j] -= 0.5 * (hz[i * columns + j] - hz[(i - 1) * columns + j]);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 1; j < columns; j++)
                ex[i * columns + j] -= 0.5 * (hz[i * columns + j] - hz[i * columns + j - 1]);
        for (int64_t i = 0; i < rows - 1; i++)
            for (int64_t j = 0; j < columns - 1; j++)
                hz[i * columns + j] -= 0.7 * (ex[i * columns + j + 1] - ex[i * columns + j] +
                                              ey[(i + 1) * columns + j] - ey[i * columns + j]);
    }
}
