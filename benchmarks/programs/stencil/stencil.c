#include <stdint.h>
#include <string.h>

/* The result is in u where steps is even, else in v; both start as copies of the plate. */
void heat(double *restrict u, double *restrict v, int64_t rows, int64_t columns, int64_t steps)
{
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t i = 1; i < rows - 1; i++)
            for (int64_t j = 1; j < columns - 1; j++)
                v[i * columns + j] = 0.25 * (u[(i - 1) * columns + j] + u[(i + 1) * columns + j] +
                                             u[i * columns + j - 1] + u[i * columns + j + 1]);
        double *other = u;
        u = v;
        v = other;
    }
}
