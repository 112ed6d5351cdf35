#include <stdint.h>

/* A starts as a copy of the plate. What does not come from the left is added up first: that alone waits for nothing. */
void seidel(int64_t steps, int64_t rows, int64_t columns, double *restrict A)
{
    for (int64_t t = 0; t < steps; t++)
        for (int64_t i = 1; i < rows - 1; i++) {
            double *row = A + i * columns, *above = row - columns, *below = row + columns;
            for (int64_t j = 1; j < columns - 1; j++)
                row[j] += above[j - 1] + above[j] + above[j + 1] + row[j + 1] + below[j - 1] + below[j] + below[j + 1];
            for (int64_t j = 1; j < columns - 1; j++)
                row[j] = (row[j] + row[j - 1]) / 9.0;
        }
}
